#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon pipeline without an engine: plain commands of known effects, policies, the order and the command lines of Clara's
# files, and every fault of a file.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0
burn=$helpers/burn
act=$helpers/act
most=$(most_mib 300)
pipeline() { "$carbon" pipeline --details --root tree --zone FR --baseline 0 --no-ledger "$@"; }

# Three steps against the order of the file, each with a known energy; one is shorter than the time between two looks.
cat > three.yaml << END
#!/bin/bash
name: three
steps:
- name: writer
  run: ["$burn", tree, "intel-rapl:0", "3000000", "300"]
  input: [{from: middle}]
- name: Reader
  run: ["$burn", tree, "intel-rapl:0", "1000000"]   # at once
  output: [{path: /x}]
- name: middle
  run: ["$act", touch, "300", spin, "0.6", print, "said by the middle one"]
  requests: {gpu: 1}
  input:
  - from: Reader
END
pipeline --metrics-dir metrics --json three.json --csv three.csv --write-requests sized.yaml three.yaml > three.out 2> three.err
check 'all done' 0 $?
check 'nothing on standard output' '' "$(cat three.out)"
check 'in the order of what they read' 'Reader middle writer' "$(json three.json '" ".join(s["name"] for s in r["steps"])')"
check 'one after the other' True "$(json three.json '(lambda t: t == sorted(t))([s["runs"][0]["started_at"] for s in r["steps"]])')"
check 'the joules of each, and of all' '1 0 3 4' "$(json three.json '" ".join("%g" % x for x in [s["gross_j"]["mean"] for s in r["steps"]] + [r["gross_j"]])')"
check 'masses by hand' True "$(json three.json 'all(math.isclose(s["gross"]["kgco2eq"], s["gross_j"]["mean"] / 3.6e6 *
    r["pue"]["value"] * r["factor"]["kgco2eq_per_kwh"]) for s in r["steps"] + [dict(r, gross_j={"mean": r["gross_j"]})])')"
check 'no baseline, no net' 'None None' "$(json three.json '"%s %s" % (r["net_j"], r["steps"][0]["net_j"]["mean"])')"
"$carbon" pipeline --root tree --zone FR --baseline 0 --no-ledger three.yaml > out 2> answer.err
check_match 'the answer: a row' '^  writer +[0-9.]+ ms .* MB +[0-9]+ CPUs?, [0-9]+ MB +3\.00 J$' "$(cat answer.err)"
check_match 'the answer: all, and what is missing' '^  energy  4\.00 J gross, measured in [0-9.]+ (m?s|min); net unknown: no baseline \(-b 5\)$' \
    "$(cat answer.err)"
check_match 'the answer: carbon' '^  carbon  46\.0 µgCO2eq; FR 2025 ' "$(cat answer.err)"
check 'the answer: at most nine lines of three steps' '' "$(tail -n +10 answer.err)"
"$carbon" pipeline --root tree --zone FR --baseline 0 --no-ledger --quiet three.yaml > out 2> quiet.err
check 'quiet: a line for scripts' '4 J measured gross 4.60444e-08 kgCO2eq' "$(cat quiet.err)"
rows=$(($(wc -l < metrics/Reader_final_result.csv) - 1))
check 'a short step is one that no look fell into, which are 0.2 s apart, with its figures' 'True True' \
    "$(json three.json '(lambda run: "%s %s" % ('$rows' == 1 if run["short"] else run["duration_s"] >= 0.2,
    run["cpu_s"] is not None and run["memory_mb"]["maximum"] > 0))(r["steps"][0]["runs"][0])')"
check 'CPU as it was used' True "$(json three.json '(lambda run: 0.6 <= run["cpu_s"] < 1.5 and math.isclose(
    run["cpu_percent_of_core"]["average"], run["cpu_s"] / run["duration_s"] * 100))(r["steps"][1]["runs"][0])')"
check 'a peak of 300 MiB within 2 %' True "$(json three.json '(lambda mb: 300 * 1.048576 <= mb <= '"$most"' * 1.048576 or mb)(r["steps"][1]["memory_peak_mb"])')"
# one thread each, so one core, whatever was read of it
check 'requests by the rule' True "$(json three.json 'all(s["requests"] == {"cpu": 1,
    "memory_mb": math.ceil((max(s["memory_mb"]["maximum"], s["memory_peak_mb"]) + 100) / 256) * 256} for s in r["steps"])')"
check 'a CSV and what was said for each' 'metrics/Reader.log metrics/Reader_final_result.csv metrics/middle.log metrics/middle_final_result.csv metrics/writer.log metrics/writer_final_result.csv' \
    "$(echo metrics/*)"
check 'its columns' 'timestamp,cpu_percent,memory,working_set_mb,energy_j,power_w' "$(head -n 1 metrics/middle_final_result.csv)"
check 'its rows add up' True "$(json three.json '(lambda rows, step: len(rows) >= 3 and math.isclose(
    max(float(x["memory"]) for x in rows), step["memory_mb"]["maximum"]) and max(float(x["cpu_percent"]) for x in rows) <=
    step["cpu_percent_of_core"]["maximum"])(list(__import__("csv").DictReader(
    open("metrics/middle_final_result.csv"))), r["steps"][1])')"
check 'joules of the rows' 3 "$(/usr/bin/python3 -c 'import csv; print("%g" % sum(float(x["energy_j"]) for x in csv.DictReader(open("metrics/writer_final_result.csv"))))')"
check 'what was said' 'said by the middle one' "$(cat metrics/middle.log)"
check 'CSV: the same figures' True "$(json three.json '(lambda rows: len(rows) == 3 and all(row["step"] == s["name"] and
    float(row["gross_j"]) == s["gross_j"]["mean"] and int(row["request_memory_mb"]) == s["requests"]["memory_mb"] and
    row["net_j"] == "" for row, s in zip(rows, r["steps"])))(list(__import__("csv").DictReader(open("three.csv"))))')"
check_match 'a row of the table' '^  middle +0 +[0-9.]+ % +[0-9.]+ % +[0-9.]+ MB +[0-9.]+ MB +3[0-9.]+ MB +(>=)?[12] +(512|768)$' "$(cat three.err)"
check_match 'its energy' '^  writer +[0-9.]+ ms +3.00 J +unknown +unknown +[0-9.]+ [^ ]*gCO2eq +unknown$' "$(cat three.err)"
check_match 'the sum' '^  gross +[0-9.]+ [^ ]*gCO2eq = 1.111 mWh' "$(cat three.err)"
check 'no line is too long' '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' three.err)"
check 'none left partial' '' "$(ls ./*.partial* metrics/*.partial* 2> /dev/null)"
check_schema 'as the schema has it' three.json
# Where a step waited for a CPU there is a comment, which is not of the form.
check 'the file with its requests' "$(grep -vcE '^ *(#.*)?$' three.yaml)" \
    "$(grep -vcE '^ *(#.*|requests:|cpu: [0-9]+.*|memory: [0-9]+)?$' sized.yaml)"
pipeline --dry-run sized.yaml > dry.out 2>&1
check 'which reads' '0 3' "$? $(wc -l < dry.out)"
pipeline --write-requests again.yaml --quiet sized.yaml 2> again.err
check 'and is written again' '0 1' "$? $(wc -l < again.err)"
check 'in its own form' "$(grep -vcE '^ *(#.*)?$' sized.yaml)" "$(grep -vcE '^ *(#.*)?$' again.yaml)"

# One busy thread, and two, on a machine that this test keeps full: what waited for a CPU may want more than it had.
cat > wait.yaml << END
steps:
- {name: one, run: ["$act", spin, "1"]}
- {name: two, run: [sh, -c, "$act spin 1 & $act spin 1; wait"]}
END
pipeline --json alone.json wait.yaml 2> alone.err
check 'one busy thread is one CPU' '0 1' "$? $(json alone.json 'r["steps"][0]["requests"]["cpu"]')"
full
full
pipeline --json full.json --csv full.csv --write-requests full.yaml wait.yaml 2> full.err
check 'on a full machine' 0 $?
not_full
if [ "$(json full.json 'r["steps"][1]["request_cpu_at_least"]')" = None ]; then
    echo 'not tested: steps that waited for CPUs: they have no group with pressure (PSI) here'
else
    check 'one thread waits, and is one CPU' '1 False' "$(json full.json '"%s %s" % (r["steps"][0]["requests"]["cpu"], r["steps"][0]["request_cpu_at_least"])')"
    check 'it waited' True "$(json full.json '0 < r["steps"][0]["runs"][0]["cpu_stall_s"] < r["steps"][0]["runs"][0]["duration_s"]')"
    # where a look saw both of them run the request has two
    least=$(json full.json '"%s %s" % (r["steps"][1]["requests"]["cpu"], r["steps"][1]["request_cpu_at_least"])')
    check_match 'two that waited are two CPUs, or one at least' '^(1 True|2 (True|False))$' "$least"
    if [ "${least#* }" = True ]; then
        check_match 'in the table' "^  two .* >=${least% *} " "$(cat full.err)"
        check_match 'with its key' '>= is a lower bound' "$(cat full.err)"
        check_match 'a notice' "two: its CPU request, ${least% *}, is a lower bound" "$(tr -s '\n ' ' ' < full.err)"
        check 'in the file' '# carbon: cpu is a lower bound, for it waited for CPUs: two' "$(head -1 full.yaml)"
        check 'in the CSV' ' false true' "$(/usr/bin/python3 -c 'import csv
print("", *[row["request_cpu_at_least"] for row in csv.DictReader(open("full.csv"))])')"
        pipeline --json again.json --write-requests alone.yaml full.yaml 2> alone.err
        check 'not of what did not wait any more' "$(json again.json 'int(any(step["request_cpu_at_least"] for step in r["steps"]))')" \
            "$(grep -c '^# carbon: cpu is a lower bound' alone.yaml)"
    fi
fi

# Repeated: the largest requests, and how far the runs lie apart.
cat > grow.yaml << END
steps:
- name: grow
  run: ["sh", "-c", "echo x >> count; exec $act touch \$((100 * \$(wc -l < count)))"]
END
pipeline --repeat 3 --headroom 50 --json grow.json grow.yaml 2> grow.err
check 'the largest of three, and half more' '0 3 True True' "$? $(json grow.json '"%d %s %s" % (len(r["steps"][0]["runs"]),
    [round(run["memory_peak_mb"] / 104.8576) for run in r["steps"][0]["runs"]] == [1, 2, 3],
    r["steps"][0]["requests"]["memory_mb"] == math.ceil(
        (max(r["steps"][0]["memory_peak_mb"], r["steps"][0]["memory_mb"]["maximum"]) * 1.5 + 100) / 256) * 256)')"
check_match 'the spread' '^  grow 3 runs: gross .* ± ' "$(cat grow.err)"
check 'the name of the file' grow "$(json grow.json 'r["name"]')"

# A baseline once, before all.
"$carbon" pipeline --details --root tree --zone FR --baseline 0.3 --json base.json --ledger led.db three.yaml 2> base.err
check 'a baseline once' '0 True 0 4' "$? $(json base.json '"%s %g %g" % (r["baseline_s"] == 0.3, r["steps"][2]["idle_j"]["mean"], r["net_j"])')"
check 'a record of each step' 'three/Reader three/middle three/writer' \
    "$("$carbon" history --ledger led.db --json - 2> /dev/null | /usr/bin/python3 -c 'import json, sys
r = json.load(sys.stdin)
print(" ".join(sorted(x["label"] for x in r["runs"])))')"

# A failing step, with each policy; its dependents go on with cont.
cat > fail.yaml << END
name: fail
steps:
- {name: one, run: ["$burn", tree, "intel-rapl:0", "1000000", "20"], output: [{path: /o}]}
- {name: two, run: ["sh", "-c", "echo the reason >&2; exit 126"], input: [{from: one}], output: [{path: /o}]}
- {name: three, run: ["$burn", tree, "intel-rapl:0", "2000000", "20"], input: [{from: two}]}
END
statuses() { json fail.json '" ".join(str(s["runs"][0]["exit_status"]) if s["runs"] else "-" for s in r["steps"]) + " %s %g" % (r["stopped_by"], r["gross_j"])'; }
pipeline --force CONT --json fail.json fail.yaml 2> fail.err
check 'cont: the rest is run' '3 0 126 0 None 3' "$? $(statuses)"
check_match 'what it said' '^the reason$' "$(cat fail.err)"
check_match 'its status' '^  two +126 ' "$(cat fail.err)"
pipeline --force stop --json fail.json fail.yaml 2> fail.err
check 'stop: the rest is not' '3 0 126 - two 1' "$? $(statuses)"
check_match 'which is told' '^  three +- +not run$' "$(cat fail.err)"
pipeline --json fail.json fail.yaml 2> fail.err < /dev/null
check 'none, and nobody to ask: it ends' '3 0 126 - two 1' "$? $(statuses)"
check_match 'and says so' "note: step 'two' ended with status 126: the rest is not run: standard input is not a terminal" "$(cat fail.err)"
ask() { # ANSWER: on a terminal of its own
    /usr/bin/python3 "$source/tests/helpers/terminal.py" "$1" asked "$carbon" pipeline --details --root tree --zone FR --baseline 0 --no-ledger \
        --json fail.json fail.yaml
}
ask 'maybe+Yes please' > asked
check 'none, and yes on a terminal' '3 0 126 0 None 3' "$? $(statuses)"
check 'asked until it is yes or no' 2 "$(grep -o '(y/n)' asked | wc -l)"
ask n > asked
check 'none, and no' '3 0 126 - two 1' "$? $(statuses)"
sed -e 's/{name: two,/{name: two, allow-failure: true,/' fail.yaml > may.yaml
pipeline --json fail.json may.yaml 2> fail.err
check 'a step that may fail' '0 0 126 0 None 3' "$? $(statuses)"

# Ended by a signal, by time, and never found.
cat > ends.yaml << END
steps:
- {name: killed, run: ["$act", touch, "50", signal, "9"]}
- {name: late, run: ["$act", ignore, TERM, sleep, "60"], timeout: 0.5s}
- {name: nowhere, run: ["./no-such-program"]}
- {name: elsewhere, run: ["pwd"], dir: no-such-folder}
- {name: there, run: ["sh", "-c", "pwd; echo \$A-\$B"], dir: home, env: {A: 1, B: "x y"}}
END
mkdir home
begun=$SECONDS
pipeline --force cont --metrics-dir ends --json ends.json ends.yaml 2> ends.err
check 'four failed' '3 4' "$? $(json ends.json 'r["failed"]')"
check 'ended by KILL' '137 True' "$(json ends.json '"%d %s" % (r["steps"][0]["runs"][0]["exit_status"], r["steps"][0]["memory_peak_mb"] > 50)')"
check 'killed: no request, and that is said' 'None None None None 2' "$(json ends.json '"%s %s %s %s %d" % (
    *(s["requests"][k] for s in r["steps"][:2] for k in ("cpu", "memory_mb")),
    sum("were killed: no request is suggested" in n["what"] for s in r["steps"] for n in s["notices"]))')"
check 'whole ones have theirs' '1 256' "$(json ends.json '"%s %s" % (r["steps"][4]["requests"]["cpu"], r["steps"][4]["requests"]["memory_mb"])')"
check 'ended by time' '137 True False' "$(json ends.json '(lambda run: "%d %s %s" % (run["exit_status"], run["timed_out"], run["duration_s"] > 20))(r["steps"][1]["runs"][0])')"
check 'in time' yes "$([ $((SECONDS - begun)) -lt 30 ] && echo yes)"
check_match 'told as late' '^  late +late ' "$(cat ends.err)"
check 'never found' "[] cannot run './no-such-program'" "$(json ends.json '"%s %s" % (r["steps"][2]["runs"], r["steps"][2]["problem"]["what"])')"
check 'a folder that is not there' '[] True' "$(json ends.json '"%s %s" % (r["steps"][3]["runs"], r["steps"][3]["problem"] is not None)')"
check 'its folder and its variables' "$PWD/home 1-x y" "$(tr '\n' ' ' < ends/there.log | sed 's/ $//')"

# Interrupted: what is done is reported, nothing is left.
cat > slow.yaml << END
steps:
- {name: quick, run: ["$burn", tree, "intel-rapl:0", "5000000", "20"]}
- {name: slow, run: ["$act", sleep, "30.$$"]}
- {name: never, run: ["true"]}
END
mkdir tmp
TMPDIR=$PWD/tmp "$carbon" pipeline --details --root tree --zone FR --baseline 0 --no-ledger --json slow.json slow.yaml 2> slow.err &
pid=$!
until_true runs "*/act sleep 30.$$"
kill -TERM $pid
wait $pid
check 'interrupted' '143 True False 5 cut' "$? $(json slow.json '"%s %s %g" % (r["interrupted"], r["complete"], r["steps"][0]["gross_j"]["mean"])') $(grep -oE '^  slow +cut' slow.err | grep -o cut)"
check 'nothing is left' '' "$(ls tmp)$(processes_of "*sleep 30.$$*")"

# Killed: the result so far is readable.
TMPDIR=$PWD/tmp "$carbon" pipeline --details --root tree --zone FR --baseline 0 --no-ledger --json kill.json slow.yaml 2> kill.err &
pid=$!
until_true runs "*/act sleep 30.$$"
until_true says kill.json.partial '"%g" % r["steps"][0]["gross_j"]["mean"]' 5
kill -KILL $pid
wait $pid 2> /dev/null
check 'what was done until then' '5 False' "$(json kill.json.partial '"%g %s" % (r["steps"][0]["gross_j"]["mean"], r["complete"])')"
for pid in $(processes_of "*/act sleep 30.$$"); do kill "$pid"; done
# Its folder is its user's alone, whatever the umask is, and the next one removes it, but not what is in use.
left=$(ls -d tmp/carbon-steps.*)
check 'it has left a folder' 'drwx------' "$(stat -c %A "$left")"
cat > modes.yaml << END
steps:
- {name: first, output: [{name: out}], run: ["true"]}
- {name: held, run: ["sh", "-c", "echo; until [ -e $PWD/goes ]; do sleep 0.01; done"]}
END
(umask 0; TMPDIR=$PWD/tmp exec "$carbon" pipeline --details --root tree --baseline 0 --no-ledger --runner process --metrics-dir modes modes.yaml > modes.out 2>&1) &
pid=$!
until_true test -s modes/held.log
check 'folders of steps' 'drwx------ drwx------' "$(stat -c %A tmp/carbon-steps.* tmp/carbon-steps.*/first | paste -sd' ')"
check 'the one that was left is gone' '' "$(ls -d "$left" 2> /dev/null)"
used=$(ls -d tmp/carbon-steps.*)
printf 'steps:\n- {name: other, run: ["true"]}\n' > other.yaml
TMPDIR=$PWD/tmp "$carbon" pipeline --details --root tree --baseline 0 --no-ledger --runner process other.yaml > other.out 2>&1
check 'one in use stays' "$used" "$(ls -d tmp/carbon-steps.*)"
touch goes
wait $pid
check 'and its end' "0 " "$? $(ls -A tmp)"

# The folders of steps are carbon's own.
mkdir full
touch full/x
pipeline --work-dir full three.yaml 2> full.err
check 'a work folder that holds something' '125 full/x' "$? $(echo full/*)"
check_match 'is refused' "'full' cannot be the work folder" "$(cat full.err)"
pipeline --work-dir kept --quiet three.yaml 2> kept.err
check 'a new one is kept' '0 kept/Reader' "$? $(echo kept/*)"

# Faults of the file: nothing is run, nothing is written.
faulty() { # NAME TEXT MESSAGE
    printf '%b' "$2" > faulty.yaml
    pipeline --json faulty.json --metrics-dir faulty-metrics faulty.yaml > faulty.out 2>&1
    check "$1: status" 125 $?
    check_match "$1: message" "$3" "$(cat faulty.out)"
}
run="run: [touch, $work/ran]"
faulty 'nothing' '' "cannot read 'faulty.yaml'"
faulty 'no steps' 'name: x\n' "'faulty.yaml' describes no pipeline"
faulty 'a tab' "steps:\n- name: a\n\t$run\n" "faulty.yaml' line 3, column 1"
faulty 'an anchor' "steps:\n- &x {name: a, $run}\n" "faulty.yaml' line 2, column 3.*anchor"
faulty 'an alias' "steps:\n- {name: a, run: *x}\n" "faulty.yaml' line 2, column 18.*alias"
faulty 'a key twice' "steps:\n- name: a\n  $run\n  NAME: b\n" "faulty.yaml' line 4, column 3"
faulty 'a name twice' "steps:\n- {name: a, $run}\n- {name: A, $run}\n" "faulty.yaml' line 3"
for name in '../x' 'a b' "it's" '$(touch ran)' '' 'a/b'; do
    faulty "the name $name" "steps:\n- {name: \"$name\", $run}\n" "faulty.yaml' line 2, column 10"
done
faulty 'a cycle' "steps:\n- {name: a, $run, input: [{from: b}]}\n- {name: b, $run, input: [{from: a}]}\n" "a.*b.*a"
faulty 'an unknown step' "steps:\n- {name: alpha, $run}\n- {name: b, $run, input: [{from: alfa}]}\n" "line 3.*alfa"
faulty 'a text to run' "steps:\n- {name: a, run: touch $work/ran}\n" "line 2"
faulty 'a path that climbs' "operators:\n- name: a\n  container: {image: b, tag: c}\n  output: [{path: /x/../../etc}]\n" "line 4"
faulty 'an output that climbs' "operators:\n- name: a\n  container: {image: b, tag: c}\n  output: [{path: /x, name: ../up}]\n" "line 4"
faulty 'values that are missing' "steps:\n- {name: a, run: ['\${{ONE}}', '\${{ TWO }}']}\n" "ONE.*TWO|TWO.*ONE"
{ printf 'steps: '; head -c 10000000 /dev/zero | tr '\0' '['; } > deep.yaml
begun=$SECONDS
pipeline deep.yaml > deep.out 2>&1
check 'ten megabytes of nesting' '125 yes' "$? $([ $((SECONDS - begun)) -lt 5 ] && echo yes)"
{ printf 'steps: '; head -c 100000 /dev/zero | tr '\0' '['; } > deep.yaml
pipeline deep.yaml > deep.out 2>&1
check 'nesting' 125 $?
check_match 'has a place' "deep.yaml' line 1, column [0-9]+" "$(cat deep.out)"
for bad in . nowhere.yaml; do
    pipeline "$bad" > bad.out 2>&1
    check "$bad is refused" 125 $?
    check_match "$bad is named" "'$bad'" "$(cat bad.out)"
done
pipeline three.yaml nowhere > bad.out 2>&1
check 'an input that is not there' 125 $?
pipeline three.yaml three.yaml > bad.out 2>&1
check_match 'an input that is no folder' "125 .*three.yaml' cannot be the input" "$? $(cat bad.out)"
pipeline > bad.out 2>&1
check_match 'no file' '125 .*needs an argument' "$? $(cat bad.out)"
check 'nothing was run, nothing written' '' "$(ls -d "$work/ran" faulty.json* faulty-metrics ran 2> /dev/null)"

# Clara's own files: the order, the commands as CPOST has them, or a reason.
if [ -n "$shared" ]; then
    cases=$shared/cases/cpost/pipelines
    dry() { "$carbon" pipeline --dry-run "$@" > dry.out 2>&1; }
    dry "$cases/nullpipeline.yaml" in
    check 'nullpipeline' 0 $?
    check 'as CPOST runs it' "1 null-reader: docker run -d --rm --env NVIDIA_CLARA_NOSYNCLOCK=1 --env CLARA_TRACE=2 -v in:/input:ro -v WORK/null-reader:/output null-pipeline/operator-py:0.8.1
2 null-inference: docker run -d --rm --env NVIDIA_CLARA_NOSYNCLOCK=1 --env CLARA_TRACE=2 -v WORK/null-reader:/input -v WORK/null-inference:/output null-pipeline/operator-py:0.8.1
3 null-writer: docker run -d --rm --env NVIDIA_CLARA_NOSYNCLOCK=1 --env CLARA_TRACE=2 -v WORK/null-inference:/input -v WORK/null-writer:/output null-pipeline/operator-py:0.8.1" "$(cat dry.out)"
    dry "$cases/demo-three-stage.yaml" in
    check 'against the order of the file' '0 reader: inference: writer:' "$? $(cut -d' ' -f2 dry.out | tr '\n' ' ' | sed 's/ $//')"
    check_match 'a named output' '^3 writer: .* -v WORK/inference/seg:/input -v WORK/writer:/output demo/eos4e40:latest /bin/busybox sh -c ' "$(cat dry.out)"
    dry "$cases/isolated.yaml" in
    check 'one that stands alone is run, too' '0 a: b: lonely:' "$? $(cut -d' ' -f2 dry.out | sort | tr '\n' ' ' | sed 's/ $//')"
    dry "$cases/import-sample.yaml" in
    check_match 'what is imported is not there' "125 .*producer.yaml" "$? $(tr '\n' ' ' < dry.out)"
    dry "$cases/covid-19.yaml" in
    check_match 'a service wants models' "125 .*line [0-9]+: step 'lung-segmentation' needs an inference server.*--models-dir" "$? $(tr '\n' ' ' < dry.out)"
    mkdir -p models/segmentation_ct_spleen_v1
    image=$(sed -n 's/.*image: \(.*tensorrtserver\)$/\1/p' "$cases/covid-19.yaml" | head -1)
    dry --models_dir models --gpus none "$cases/covid-19.yaml" in
    check 'one service for both steps, before the first' "0 - trtis: docker run -d --rm -v models:/models:ro $image:19.08-py3 trtserver --model-store=/models" "$? $(grep '^-' dry.out)"
    check 'where it is told' '1 - 2 3' "$(cut -d' ' -f1 dry.out | head -4 | paste -sd' ')"
    check 'which steps know it' 'classification-covid-19: lung-segmentation:' "$(grep -e '--env NVIDIA_CLARA_TRTISURI=SERVER:8000' dry.out | cut -d' ' -f2 | sort | paste -sd' ')"
    dry "$cases/operator_with_model.yaml" in
    check_match 'models' "125 .*step 'null-reader' needs models.*'segmentation_ct_spleen_v1', ...*--models-dir" "$? $(tr '\n' ' ' < dry.out)"
    dry --models_dir models "$cases/operator_with_model.yaml" in
    check_match 'one that is not there' "125 .*needs a model that is not there.*segmentation_ct_liver_v1" "$? $(tr '\n' ' ' < dry.out)"
    mkdir models/segmentation_ct_liver_v1
    dry --models_dir models --gpus none --triton-image tritonserver:20.07 "$cases/operator_with_model.yaml" in
    check 'as CPOST runs it, but for ports of this machine' "0 - tritonserver: docker run -d --rm -v models:/models:ro tritonserver:20.07 tritonserver --model-repository=/models --model-control-mode=explicit --load-model=segmentation_ct_spleen_v1 --load-model=segmentation_ct_liver_v1
1 null-reader: docker run -d --rm --env NVIDIA_CLARA_NOSYNCLOCK=1 --env NVIDIA_TRITON_HTTPURI=SERVER:8000 --env CLARA_TRITON_URI=SERVER:8000 --env NVIDIA_CLARA_TRTISURI=SERVER:8000 --env NVIDIA_TRITON_GRPCURI=SERVER:8001 --env CLARA_TRACE=2 -v in:/input:ro -v WORK/null-reader:/output null-pipeline/operator-py:0.8.1 python register.py --agent renderserver" "$? $(cat dry.out)"
    dry --models_dir models --gpus all --network host --triton-image t:1 "$cases/operator_with_model.yaml" in
    check_match 'cards and network' '^- tritonserver: docker run -d --rm --gpus all --network host -v models:/models:ro t:1 ' "$(cat dry.out)"
    check_match 'of a step that asks for none' '^1 null-reader: docker run -d --rm --network host --env' "$(cat dry.out)"
    dry "$cases/genomics-fragment.yaml" in
    check_match 'values that are missing' "125 .*DOCKER_IMAGE.*DOCKER_TAG.*RACON_THREADS" "$? $(tr '\n' ' ' < dry.out)"
    names=$(grep -oE '\$\{\{[A-Z_]+\}\}' "$cases/genomics-fragment.yaml" | tr -d '${}' | sort -u)
    sets=()
    for name in $names; do sets+=(--set "$name=v-$name"); done
    dry "${sets[@]}" "$cases/genomics-fragment.yaml" in
    check 'with all of them it reads' '0 3' "$? $(grep -c 'v-DOCKER_IMAGE:v-DOCKER_TAG /bin/sh -c' dry.out)"
fi

finish
