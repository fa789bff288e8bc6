#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon model without an engine of containers: the order of the steps, known joules, every step's failure, and that a
# model is closed whatever happens.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
zone tree 262143328850 1000000000
act=$helpers/act burn=$helpers/burn
model() { CARBON_BASELINE=0 "$carbon" model --root tree --recipe recipe.yaml "$@" 2> err; }
# recipe [KEY=LIST...]: all five steps, each of which adds its line to ./log; some of them, or more, by these
recipe() {
    local key pair list
    declare -A steps=([fetch]='[sh, -c, "echo fetch $0 >> log", "{model}"]' [serve]='[sh, -c, "echo serve $0 >> log", "{model}"]'
        [example]='[sh, -c, "echo example $0 >> log; seq $0 > $1", "{n}", "{input}"]'
        [run]='[sh, -c, "echo run $(wc -l < $0) >> log; cp $0 $1", "{input}", "{output}"]'
        [close]='[sh, -c, "echo close >> log; ls -A $(dirname $0) > left", "{input}"]')
    for pair in "$@"; do
        steps[${pair%%=*}]=${pair#*=}
    done
    for key in "${!steps[@]}"; do
        list=${steps[$key]}
        [ -z "$list" ] || echo "$key: $list"
    done > recipe.yaml
    rm -f log left
}
log() { tr '\n' ' ' < log | sed 's/ $//'; }
nothing_left() { check "$1: no file is left" '' "$(ls -A "$TMPDIR")"; }

# All in order, with places filled in; what was made is there until the end, and removed then.
recipe
model --samples 7 --json r.json eos4e40 > out
check 'done' 0 $?
check 'in order' 'fetch eos4e40 serve eos4e40 example 7 run 7 close' "$(log)"
check 'input and output are there for close' 'input.csv output.csv' "$(tr '\n' ' ' < left | sed 's/ $//')"
nothing_left 'done'
check 'the six lines are on standard output, for a program' "————— Performance Report —————
Model:    eos4e40
CPU Avg:  $(json r.json '"%.2f" % r["usage"]["cpu_percent_of_machine"]["value"]')%
Mem Peak: $(json r.json '"%.0f" % (r["usage"]["memory_peak_bytes"]["value"] / 1048576)') MiB
Duration: $(json r.json '"%.2f" % r["duration_s"]["mean"]')s
—————————————————————————————" "$(cat out)"
check 'and once' '' "$(grep 'Performance Report' err)"
model --samples 7 --json - eos4e40 > out
check 'unless a form is asked for there' 'carbon.record/1 1' \
    "$(json out "r['schema']") $(grep -c 'Performance Report' err)"
check 'a record as of carbon measure' 'carbon.record/1 eos4e40 None True' \
    "$(json r.json '"%s %s %s %s" % (r["schema"], r["label"], r["target"], r["complete"])')"
check 'that no container was watched is part of it' True \
    "$(json r.json 'any("the run command itself was measured" in n["what"] for n in r["notices"])')"
check_match 'and told' 'the run command itself was measured|and [0-9]+ more: --details' "$(cat err)"

# Joules of the run alone, whatever the other steps burn.
recipe "fetch=[\"$burn\", tree, \"intel-rapl:0\", 50000000]" "serve=[\"$burn\", tree, \"intel-rapl:0\", 60000000]" \
    "close=[\"$burn\", tree, \"intel-rapl:0\", 70000000]" "run=[\"$burn\", tree, \"intel-rapl:0\", 3000001, 60]"
model --baseline 0.2 --runs 2 --intensity 84.879 --label mine --json r.json --csv r.csv eos4e40
check 'every microjoule of the run' '0 3.000001 0 3.000001 2 mine' \
    "$? $(json r.json '"%s %g %s %d %s" % (r["gross_j"]["mean"], r["idle_j"]["mean"], r["net_j"]["mean"], r["runs"], r["label"])')"
check 'kilograms by hand' True "$(json r.json 'math.isclose(r["emissions"]["gross"]["kgco2eq"], 3.000001 / 3.6e6 * 0.084879)')"
check 'the same as CSV' '3.000001' "$(/usr/bin/python3 -c 'import csv; print(next(csv.DictReader(open("r.csv")))["gross_j"])')"
check 'the example is made once' 1 "$(grep -c example log)"
# CPU time of the run, in both units: a machine of one CPU
recipe "run=[\"$act\", spin, \"0.4\", touch, \"60\"]"
model --json r.json eos4e40
check 'its CPU time' True "$(json r.json '0.4 <= r["usage"]["cpu_s"]["value"] < 0.6')"
check 'in percent' True "$(json r.json 'math.isclose(r["usage"]["cpu_percent_of_core"]["value"],
    100 * r["usage"]["cpu_s"]["value"] / r["duration_s"]["mean"]) and math.isclose(r["usage"]["cpu_percent_of_machine"]["value"],
    r["usage"]["cpu_percent_of_core"]["value"] / r["machine"]["cpus_online"])')"
check 'its peak of memory' True "$(json r.json '60 << 20 <= r["usage"]["memory_peak_bytes"]["value"] < 75 << 20')"

# The ledger has it, as of carbon measure; --quiet is one line.
recipe
model --ledger l.db --quiet eos4e40
check 'in the ledger' 'eos4e40' "$("$carbon" history --ledger l.db --json history.json 2> /dev/null; json history.json 'r["runs"][0]["label"]')"
check 'one line' 1 "$(wc -l < err)"

# Steps that are not there; a recipe of a run alone.
echo "run: [\"$act\", exit, \"0\"]" > recipe.yaml
model any
check 'a run alone' 0 $?
nothing_left 'a run alone'

# What each step says: kept back, told when it fails, shown with --verbose.
recipe 'serve=[sh, -c, "echo serving >> log; echo to be seen; echo and this >&2"]'
model eos4e40 > out
check 'kept back' 'no 0' "$(grep -q 'to be seen' err && echo yes || echo no) $(grep -c seen out)"
model --verbose eos4e40 > out
check 'shown, on standard error' 'to be seen and this 0' "$(grep -E 'seen|this' err | tr '\n' ' ' | head -c 19) $(grep -c seen out)"

# Each step's failure: its status, the end of what it said; nothing after it but close.
for step in fetch serve example; do
    recipe "$step=[sh, -c, \"for i in \$(seq 30); do echo line \$i; done; echo broken >&2; exit 7\", x, \"{input}\"]"
    model --json r2.json eos4e40
    check "$step fails" 3 $?
    check_match "$step fails: told" "^carbon: the step '$step' failed: 'sh' ended with status 7" "$(cat err)"
    check "$step fails: the end of what it said" "line 22 broken" "$(sed -n '/^--- end of the output/,/^---$/{/line\|broken/p}' err | sed -n '1p;$p' | tr '\n' ' ' | sed 's/ $//')"
    check "$step fails: closed" close "$(tail -n 1 log)"
    check "$step fails: not run" 0 "$(grep -c run log)"
    check "$step fails: no result" '' "$(ls r2.json* 2> /dev/null)"
    nothing_left "$step fails"
done
recipe 'run=[sh, -c, "exit 7"]'
model --json r.json eos4e40
check 'run fails: its own status' '7 7' "$? $(json r.json 'r["exit_status"]')"
check 'run fails: closed' close "$(tail -n 1 log)"
recipe 'close=[sh, -c, "echo close >> log; echo stuck; exit 9"]'
model --json r.json eos4e40 > out
check 'close fails' '3 True' "$? $(json r.json 'r["complete"]')"
check_match 'close fails: told' "the step 'close' failed: 'sh' ended with status 9" "$(cat err)"
check_match 'close fails: what it said' '^stuck$' "$(cat err)"
check_match 'close fails: reported all the same' '^Duration: ' "$(cat out)"
recipe 'run=[sh, -c, "kill -KILL $$"]'
model eos4e40
check 'run is killed' '137 close' "$? $(tail -n 1 log)"
recipe 'run=["./no program"]'
chmod +x recipe.yaml
cp "$act" 'no program'
chmod -x 'no program'
if [ "$(id -u)" != 0 ] || ! [ -x 'no program' ]; then
    model eos4e40
    check 'what cannot be run' '126 close' "$? $(tail -n 1 log)"
    nothing_left 'what cannot be run'
fi

# A missing program is named before anything is started.
for step in fetch close; do
    recipe "$step=[no-such-program, x]"
    model eos4e40
    check "$step: a missing program" 127 $?
    check_match "$step: it is named" "cannot run 'no-such-program'" "$(cat err)"
    check_match "$step: and where" "the step '$step' of the recipe 'recipe' needs it, and nothing has been run yet" "$(tr -s '\n ' ' ' < err)"
    check "$step: nothing was started" no "$(exists log)"
    nothing_left "$step: a missing program"
done

# Signals: in each step, while the idle machine is watched, and in the run.
stopped() { # SIGNAL STATUS STEP
    until_true test -e here
    rm -f here
    kill -s "$1" "$carbon_pid"
    wait "$carbon_pid"
    check "SIG$1 in $3" "$2 close" "$? $(tail -n 1 log)"
    nothing_left "SIG$1 in $3"
}
for signal in TERM HUP; do
    for step in fetch serve example run; do
        recipe "$step=[sh, -c, \"trap 'echo told >> log; exit 0' $signal; : > here; while :; do sleep 0.05; done\", x, \"{input}\"]"
        "$carbon" model --root tree --baseline 0 --recipe recipe.yaml eos4e40 2> err &
        carbon_pid=$!
        stopped $signal $((128 + $(kill -l $signal))) $step
        check "SIG$signal is passed on to $step" told "$(tail -n 2 log | head -n 1)"
    done
done
recipe
"$carbon" model --root tree --baseline 20 --recipe recipe.yaml --json r2.json --ready-fd 5 eos4e40 2> err 5> begun &
carbon_pid=$!
until_true grep -sqx baseline begun
: > here
stopped TERM 143 'the baseline'
check 'not run' 0 "$(grep -c run log)"
check_match 'and told' 'interrupted before the model was run' "$(cat err)"

# noted PID: SIGTERM, which was sent to it, has reached it
noted() { (( (0x$(sed -n 's/^ShdPnd:[[:space:]]*//p' "/proc/$1/status") & 1 << 14) == 0 )); }
# close is given its time: the first signal while it runs is noted, the second ends it.
recipe 'close=[sh, -c, "echo closing >> log; : > here; sleep 0.5; echo close >> log"]'
"$carbon" model --root tree --baseline 0 --recipe recipe.yaml eos4e40 > out 2> err &
carbon_pid=$!
stopped TERM 143 'close'
check_match 'the result is there' '^Duration: ' "$(cat out)"
recipe 'close=[sh, -c, "echo close >> log; : > here; sleep 20; echo never >> log"]'
"$carbon" model --root tree --baseline 0 --recipe recipe.yaml eos4e40 2> err &
carbon_pid=$!
until_true test -e here
kill -TERM $carbon_pid
until_true noted $carbon_pid
stopped TERM 143 'close, twice'

# Ctrl-C goes to all in the foreground: the run gets it, close does not.
cat > terminal.py << 'END'
import os, pty, sys, time
step, presses = sys.argv[1], int(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[3], sys.argv[3:])
for press in range(presses):
    while not os.path.exists("here"):
        time.sleep(0.02)
    os.unlink("here")
    os.write(terminal, b"\x03")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
typed() { /usr/bin/python3 terminal.py "$1" "$2" "$carbon" model --root tree --baseline 0 --recipe recipe.yaml eos4e40; }
for step in fetch serve run; do
    recipe "$step=[sh, -c, \": > here; exec sleep 20\"]"
    check "Ctrl-C in $step" 130 "$(typed "$step" 1)"
    check "Ctrl-C in $step: closed" close "$(tail -n 1 log)"
    nothing_left "Ctrl-C in $step"
done
recipe 'run=[sh, -c, ": > here; exec sleep 20"]' 'close=[sh, -c, ": > here; sleep 0.5; echo close >> log"]'
check 'Ctrl-C in run and in close' '130 close' "$(typed run 2) $(tail -n 1 log)"

# Time-outs: of one, and of sizes, of which larger ones are not run.
recipe "run=[\"$act\", sleep, \"20\"]"
model --timeout 0.3s --json r.json eos4e40
check 'a time-out' '143 True' "$? $(json r.json '0.25 < r["duration_s"]["mean"] < 2')"
check_match 'a time-out: told' 'the run of 100 inputs took longer than 300 ms, and was ended' "$(cat err)"
check 'a time-out: closed' close "$(tail -n 1 log)"
nothing_left 'a time-out'
recipe "run=[sh, -c, \"echo run \$0 >> log; [ \$0 -lt 100 ] || exec sleep 20; exec '$burn' tree intel-rapl:0 \${0}00000 60\", \"{n}\"]"
model --baseline 0.2 --sizes 1,10,100,1000 --timeout 1s --json s.json --csv s.csv --ledger l2.db eos4e40
check 'sizes with a time-out' 3 $?
check 'example and run for each, fetch and close once' \
    'fetch eos4e40 serve eos4e40 example 1 run 1 example 10 run 10 example 100 run 100 close' "$(log)"
check 'states' 'done, done, timed out, not run' "$(json s.json '", ".join(s["state"] for s in r["sizes"])')"
check 'unknown is null' 'None None' "$(json s.json '"%s %s" % (r["sizes"][2]["figures"], r["sizes"][3]["figures"])')"
check 'joules per input by hand' True "$(json s.json 'all(s["figures"]["gross_j"]["mean"] == s["inputs"] / 10 and
    math.isclose(s["figures"]["gross_j_per_input"], 0.1) and math.isclose(s["figures"]["net_j_per_input"], 0.1)
    for s in r["sizes"][:2])')"
check 'one baseline for all' 'True 0.2 1' "$(json s.json '"%s %s %s" % (all(s["figures"]["idle_j"]["mean"] == 0
    for s in r["sizes"][:2]), r["baseline_s"], r["timeout_s"])')"
check 'not complete' 'carbon.model/1 False False' "$(json s.json '"%s %s %s" % (r["schema"], r["complete"], r["interrupted"])')"
check_match 'in the table' '^  100 +timed out$' "$(cat err)"
check_match 'in the table, too' '^  1000 +not run$' "$(cat err)"
check 'no line is too long' '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' err)"
check 'CSV: a row a size' 'done:1.0 done:0.1 timed out: not run: ' "$(/usr/bin/python3 -c '
import csv
for row in csv.DictReader(open("s.csv")):
    print(row["state"], float(row["gross_j"]) / int(row["inputs"]) * 10 if row["gross_j"] else "", sep=":", end=" ")' | sed 's/done:1.0 done:1.0/done:1.0 done:0.1/')"
check_schema 'as the schema has it' s.json
check 'in the ledger, a record each that ran' 'eos4e40/1 eos4e40/10 eos4e40/100' "$("$carbon" history --ledger l2.db --json history.json 2> /dev/null
    json history.json '" ".join(sorted(x["label"] for x in r["runs"]))')"
nothing_left 'sizes'
recipe 'example=[sh, -c, "echo example $0 >> log; [ $0 -lt 10 ] && : > $1", "{n}", "{input}"]' 'run=[sh, -c, "echo run >> log"]'
model --sizes 1,10,100 --json s.json eos4e40
check 'an example fails among sizes' '3 done failed not run close' "$? $(json s.json '" ".join(s["state"] for s in r["sizes"])') $(tail -n 1 log)"
recipe 'run=[sh, -c, "exit 5"]'
model --sizes 1,10 --json s.json eos4e40
check 'a run fails among sizes' '5 failed not run' "$? $(json s.json '" ".join(s["state"] for s in r["sizes"])')"
recipe "run=[sh, -c, \"[ \$0 -lt 10 ] || { : > here; exec sleep 20; }\", \"{n}\"]" 'close=[sh, -c, "echo close >> log"]'
"$carbon" model --root tree --baseline 0 --recipe recipe.yaml --runs 2 --sizes 1,10,100 --json s.json eos4e40 2> err &
carbon_pid=$!
stopped TERM 143 'the second size'
check 'what was done until then' 'done failed not run True' "$(json s.json '" ".join(s["state"] for s in r["sizes"] + [{"state": str(r["interrupted"])}])')"
recipe "example=[sh, -c, \"[ \$0 -lt 10 ] || { : > here; exec sleep 20; }; : > \$1\", \"{n}\", \"{input}\"]" \
    'run=[sh, -c, "echo run >> log"]' 'close=[sh, -c, "echo close >> log"]'
"$carbon" model --root tree --baseline 0 --recipe recipe.yaml --sizes 1,10,100 --json s.json eos4e40 2> err &
carbon_pid=$!
stopped TERM 143 'the second example'
check 'nor is the second example a failure of its own' '1 done True' \
    "$(grep -c run log) $(json s.json '"%s %s" % (r["sizes"][0]["state"], r["interrupted"])')"
check_absent 'no step has failed' "the step 'example' failed" "$(cat err)"

# What makes no sense.
recipe
refuse() { # NAME REGEX ARGUMENT...
    local name=$1 regex=$2
    shift 2
    model "$@"
    check "$name: refused" 125 $?
    check_match "$name: why" "$regex" "$(tr -s '\n ' ' ' < err)"
    check "$name: nothing was run" no "$(exists log)"
    nothing_left "$name"
}
refuse 'falling sizes' 'not a list of rising numbers' --sizes 10,1 eos4e40
refuse 'sizes of nothing' 'not a list of rising numbers' --sizes 1,,2 eos4e40
refuse 'a size of 0' 'not a list of rising numbers' --sizes 0,1 eos4e40
refuse 'both' '--samples and --sizes cannot go together' --sizes 1,2 --samples 3 eos4e40
refuse 'a page of sizes' '--html is of one number of inputs' --sizes 1,2 --html x.html eos4e40
refuse 'no model' "needs an argument" --samples 3
refuse 'a time that is none' 'number of seconds' --timeout soon eos4e40
echo 'run: sh -c true' > recipe.yaml
refuse 'a line for a shell' "'run' is not a list of words.*no shell reads.*write run: \[sh, -c, true\]" eos4e40
rm recipe.yaml
refuse 'no recipe' "cannot (open|read) .*recipe.yaml" eos4e40
DOCKER_HOST=unix://$work/none CONTAINER_HOST=unix://$work/none
export DOCKER_HOST CONTAINER_HOST
recipe container='"{model}"'
refuse 'no engine' '(docker|podman)' eos4e40
check_absent 'no engine: no zeros' 'CPU Avg' "$(cat err)"
model --no-container --json r.json eos4e40
check '--no-container' '0 True' "$? $(json r.json 'any(n["why"] == "--no-container was given" for n in r["notices"])')"
finish
