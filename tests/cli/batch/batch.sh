#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon batch: known joules in loops, a constant source, 3 % above idle, failing modules, kill and resume, and every
# fault of its file.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

# A sensor that tells the same power for ever: joules are exactly that times the time, however busy this machine is.
steady() {
    mkdir -p "$1/sys/class/hwmon/hwmon0"
    echo amdgpu > "$1/sys/class/hwmon/hwmon0/name"
    echo "$2" > "$1/sys/class/hwmon/hwmon0/power1_input"
}

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:1=package-1
burn=$helpers/burn
act=$helpers/act
batch() { "$carbon" batch --verbose --root "${tree:-tree}" "$@"; }
burning() { echo "$burn tree intel-rapl:$1 $2 ${3:-60}${4:+ $4}"; }

# A constant source, as theirs was, and one with 3 % above 100 W of idle: 1.8 J in 0.6 s. Their results are looked at below;
# they take their time while the rest goes on.
zone constant 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:1=package-1
steady constant 100944744
idle constant
"$carbon" batch --verbose --root constant --loops 1 --pue 1.25 --intensity 84.879 --duty 8h/d --fink --json constant.json \
    --module "early=$work/load constant $act sleep 2.1" --module "meta=$work/load constant $act sleep 1.4" 2> constant.err &
constant=$!
zone above 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:1=package-1
steady above 100000000
"$carbon" batch --verbose --root above --loops 3 --json above.json --module "more=$burn above intel-rapl:1 1800000 600" 2> above.err &
above=$!

# Ten modules from a file, two loops: module k burns k J, works on 100 k items.
{
    printf '; as Fink has it\n[batch]\nloops = 2\npue = 1.25\nintensity = 84.879\nduty = 8h/d\n\n'
    for k in 1 2 3 4 5 6 7 8 9 10; do
        printf '[module_%s]\ncommand = %s\nitems = %s00\n' "$k" "$(burning 0 "${k}000000")" "$k"
    done
} > ten.ini
batch --json ten.json --csv ten.csv --charts charts --fink --cpus 0 ten.ini > ten.out 2> ten.err
check 'all done' 0 $?
check 'nothing on standard output' '' "$(cat ten.out)"
check 'every joule of every module' True "$(json ten.json 'all(m["gross_j"] | {"deviation": 0.0} == {"mean": k, "deviation": 0,
    "deviation_population": 0, "min": k, "max": k, "count": 2} and m["idle_j"]["mean"] == 0 and m["net_j"]["mean"] == k
    and m["net_interval_j"] == {"low": k, "high": k} and m["verdict"] == "more" and m["counted"] == 2
    for k, m in enumerate(r["modules"], 1))')"
check 'watts and a year by hand' True "$(json ten.json 'all(math.isclose(m["gross_w"], k / m["duration_s"]["mean"]) and
    math.isclose(m["gross"]["kgco2eq_per_year"], m["gross_w"] / 1000 * 2920 * 1.25 * 0.084879) and
    m["idle"]["kgco2eq_per_year"] == 0 and math.isclose(m["net"]["kgco2eq_per_year"], m["gross"]["kgco2eq_per_year"])
    for k, m in enumerate(r["modules"], 1))')"
check 'throughput by hand' True "$(json ten.json 'all(math.isclose(m["items_per_s"]["mean"],
    sum(m["items"] / run["duration_s"] for run in m["runs"]) / 2) and m["items_per_s_per_cpu"] == m["items_per_s"]["mean"]
    for m in r["modules"])')"
check 'both deviations' True "$(json ten.json 'all(math.isclose(s["deviation_population"] * 2 ** 0.5, s["deviation"])
    for s in (m["duration_s"] for m in r["modules"]))')"
check 'round by round' '1 2 3 4 5 6 7 8 9 10 1 2 3 4 5 6 7 8 9 10' "$(json ten.json '" ".join(name[7:] for time, name in
    sorted((run["started_at"], m["name"]) for m in r["modules"] for run in m["runs"]))' )"
check '8 h a day is a third of a year' 'True 2920 given' \
    "$(json ten.json '" ".join(map(str, (r["hours_per_year"]["value"] * 3 == 8760, *r["hours_per_year"].values())))')"
check 'complete' 'True False None 2 None' "$(json ten.json '" ".join(str(r[k]) for k in
    ("complete", "interrupted", "baseline_s", "loops", "seed"))')"
check_match 'a row of the table' '^  module_7 +2/2 +[0-9.]+ ms +7.00 J +0 J +7.00 J ± 0 J +[0-9]+ ± [0-9.]+$' "$(cat ten.err)"
check_match 'a verdict' '^  module_7: DIF measured: 7.00 J more than idle, 95 % CI 7.00 J to 7.00 J;' "$(cat ten.err)"
check_match 'the sum' '[0-9.]+ kWh × PUE 1.25 × 84.879 gCO2eq/kWh' "$(tr -s '\n ' ' ' < ten.err)"
check 'no line is too long' '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' ten.err)"
check_match 'bars in the terminal' '^throughput, in items/s, on a logarithmic scale$' "$(cat ten.err)"
check 'their lines' '20 20 20' "$(echo "$(grep -c '^RAW: [0-9.]*$' ten.err)" "$(grep -c '^BAS: 0.00$' ten.err)" "$(grep -c '^DIF: [0-9.]*$' ten.err)")"
check 'which are those of the loops' True "$(grep -E '^RAW: ' ten.err > raw; json ten.json '([l[5:] for l in open("raw").read().split("\n")[:-1]] ==
    ["%.2f" % (run["gross_j"] / run["duration_s"] * 3600 * 2920 / 3.6e6 * 1.25 * 0.084879)
    for m in r["modules"] for run in m["runs"]])')"
check 'CSV: a row a run, the same figures' True "$(json ten.json '(lambda rows: len(rows) == 20 and
    all(float(row[key]) == run[key] for row, run in zip(rows, (run for m in r["modules"] for run in m["runs"]))
        for key in ("gross_j", "idle_j", "net_j", "duration_s")) and rows[4]["module"] == "module_3" and rows[4]["loop"] == "1"
    and math.isclose(float(rows[4]["net_kgco2eq_per_year"]), 3 / float(rows[4]["duration_s"]) * 2920 / 1000 * 1.25 * 0.084879)
    and math.isclose(float(rows[4]["net_facility_kwh_per_year"]), 3 / float(rows[4]["duration_s"]) * 2920 / 1000 * 1.25)
    and math.isclose(float(rows[4]["items_per_s"]), 300 / float(rows[4]["duration_s"])))(
    list(__import__("csv").DictReader(open("ten.csv"))))')"
if command -v gnuplot > /dev/null; then
    check 'charts' 'charts/dif.svg charts/throughput.svg' "$(echo charts/*)"
    for chart in charts/*.svg; do
        check "$chart names each module" 10 "$(grep -oE 'module_[0-9]+' "$chart" | sort -u | wc -l)"
    done
fi
check 'none left partial' '' "$(ls ./ten*.partial* charts/*.partial* 2> /dev/null)"
"$carbon" plot --color never --width 100 ten.json > bars.out 2> bars.err
check 'carbon plot reads it: a bar a module, in kilograms a year' '0 10 True' "$? $(grep -c '^ *module' bars.out) $(json ten.json \
    'all(any(m["name"] in l and "gCO2eq" in l for l in open("bars.out")) for m in r["modules"])')" || cat bars.out bars.err
"$carbon" plot ten.json ten.json > bars.out 2>&1
check 'one at a time' 125 $?
check_schema 'as the schema has it' ten.json

# Their shape, a column a module, from the rows.
check 'pivoted' 'loop,module_1,module_10,module_2,module_3' "$(/usr/bin/python3 -c '
import csv
rows = list(csv.DictReader(open("ten.csv")))
print(",".join(["loop"] + sorted({row["module"] for row in rows})[:4]))')"

# The command line is stronger than the file; --module beside a file and without; JSON on standard output.
batch --loops 1 --baseline 0 --quiet --json - --module 'more=echo out >&2' ten.ini > out.json 2> out.err
check 'of the command line' '0 1 0 11 None' "$? $(json out.json '" ".join(str(x) for x in
    (r["loops"], r["baseline_s"], len(r["modules"]), r["modules"][10]["net_j"]["mean"]))')"
check 'quiet: a line for scripts, of a loop of all' 'out 55 J measured gross 1.62095e-06 kgCO2eq' "$(tr '\n' ' ' < out.err | sed 's/ $//')"
check 'a module that moved nothing' 'None one-run' "$(json out.json '" ".join(str(x) for x in
    (r["modules"][10]["items"], r["modules"][9]["verdict"]))' | sed 's/unknown/one-run/')"

# The answer: a row a module, which of them uses most, eight lines of two modules.
"$carbon" batch --root tree --zone FR --loops 3 --json two.json --html two.html --items 10 --reference 'survey=75' --module "less=$(burning 0 2000000)" --module "more=$(burning 0 6000000)" \
    2> two.err
check_match 'a row' '^  more +3/3 +[0-9.]+ ms +6.00 J \(6.00 to 6.00\) [0-9.]+ µgCO2eq +[0-9.]+$' "$(cat two.err)"
check_match 'the head' '^ +runs +time +own \(95 % CI\), measured +emission +items/s$' "$(cat two.err)"
check_match 'which uses most' "^  'more' uses most: 6.00 J of 8.00 J in a loop of all \(75 %\)$" "$(cat two.err)"
check 'at most eight lines' True "$([ "$(wc -l < two.err)" -le 8 ] && echo True)" || cat two.err
check 'the page: the sentence first, every figure the document'"'"'s' "True 'more' uses most: 6.00 J of 8.00 J in a loop of all (75 %)" \
    "$(json two.json '(lambda ET, x: (lambda page: "%s %s" % (all(float(d.get("value")) == (lambda v: v)(__import__("functools").reduce(
        lambda node, key: node[int(key)] if isinstance(node, list) else node[key], d.get("data-place").split("."), r))
        for d in page.iter(x + "data")), next(e for e in page.iter(x + "p") if e.get("class") == "conclusion").text))(ET.parse("two.html")))(
        __import__("xml.etree.ElementTree").etree.ElementTree, "{http://www.w3.org/1999/xhtml}")')"
check_match 'the reference is in its chart' 'survey.*75\.0/s' "$(tr -d '\n' < two.html)"
if command -v gnuplot > /dev/null; then
    "$carbon" batch --root tree --loops 1 --baseline 0 --items 10 --reference 'survey=75' --charts lines --module "a=$(burning 0 1000000)" > out 2>&1
    check_match 'and a line across that of gnuplot' 'survey' "$(cat lines/throughput.svg)"
fi
(mkdir -p empty; PATH=$work/in/empty "$carbon" batch --root tree --charts none --module 'a=touch ran' > out 2>&1; echo "$? $(ls none ran 2> /dev/null)" > status)
check 'gnuplot is missing: nothing is run' '125 ' "$(cat status | grep -v '^none')"
check_match 'and what helps' 'fix: sudo apt-get install gnuplot-nox, or omit --charts' "$(cat out)"
for bad in survey survey= =75 survey=-1 'survey=1x'; do
    refuses "--reference '$bad'" 'must be a name and a number above 0' "$carbon" batch --items 1 --reference "$bad" --module a=true
done
refuses '--reference without items' 'no module has items' "$carbon" batch --reference survey=75 --module a=true
"$carbon" batch --root tree --loops 1 --module "less=$(burning 0 2000000)" --module "more=$(burning 0 6000000)" 2> one.err
check_match 'one loop tells nothing' '^  undecided: one loop has no confidence interval \(use --loops 5\)$' "$(cat one.err)"
"$carbon" batch --root tree --loops 2 --baseline 0 --module "good=$(burning 0 2000000)" --module 'bad=exit 7' 2> bad.err
check_match 'what failed' '^  failed  bad, loop 1: exit status 7$' "$(cat bad.err)"
check_match 'net is unknown, and what helps' '^  net     unknown: no baseline was taken \(--baseline same\)$' "$(cat bad.err)"
check_match 'no row of figures' '^  bad +0/2  no run to report$' "$(cat bad.err)"

# Held to CPUs: of the module, else of --cpus; the module's own commands in several lines.
printf '[first]\ncommand = %s cpus > first.cpus\n  %s cpus \\\n    >> first.cpus\ncpus = 0\n[second]\ncommand = %s cpus > second.cpus\n' \
    "$act" "$act" "$act" > pinned.ini
batch --loops 1 --baseline 0 --json pinned.json pinned.ini 2> pinned.err
check 'the module ran on its CPU' '0 0' "$(tr -s ' \n' ' ' < first.cpus | sed 's/ $//')"
check 'which is told' '0 1 None' "$(json pinned.json '" ".join(str(x) for x in (r["modules"][0]["cpus"],
    r["modules"][0]["pinned_cpus"], r["modules"][1]["pinned_cpus"]))')"

# Failures: the others go on.
batch --baseline 0.02 --json fail.json --module "good=$(burning 0 1000000)" --module "bad=$(burning 0 2000000 20 7)" \
    --module 'missing=./no-such-program' --module "later=[ ! -e ran ] && touch ran && $(burning 1 4000000 20)" 2> fail.err
check 'a module failed' 3 $?
check 'counted and failed' 'good 2 0, bad 0 1, missing 0 1, later 1 1' \
    "$(json fail.json '", ".join("%s %d %d" % (m["name"], m["counted"], m["failed"]) for m in r["modules"])')"
check 'what is known' '1 None None 4' "$(json fail.json '" ".join(str(m["gross_j"]["mean"]) for m in r["modules"])')"
check 'their statuses' '[0, 0] [7] [127] [0, 1]' \
    "$(json fail.json '" ".join(str([run["exit_status"] for run in m["runs"]]) for m in r["modules"])')"
check 'nothing is left to do' True "$(json fail.json 'r["complete"]')"
check_match 'told' 'later: .*failed in loop 2 with status 1, and was not run again' "$(tr -s '\n ' ' ' < fail.err)"

# Shuffled: the same order from the same seed.
order() { json "$1" '" ".join(name for time, name in sorted((run["started_at"], m["name"]) for m in r["modules"] for run in m["runs"]))'; }
five=(--module 'a=sleep 0.01' --module 'b=sleep 0.01' --module 'c=sleep 0.01' --module 'd=sleep 0.01' --module 'e=sleep 0.01')
batch --baseline 0 --order shuffled --seed 7 --json s1.json "${five[@]}" 2> /dev/null
batch --baseline 0 --order shuffled --seed 7 --json s2.json "${five[@]}" 2> /dev/null
check 'the same seed' "7 $(order s1.json)" "$(json s2.json 'r["seed"]') $(order s2.json)"
check 'no other order by chance' yes "$([ "$(order s1.json)" != 'a b c d e a b c d e' ] && echo yes)"

# Killed in the middle, as the second module runs again, and resumed: all loops, and the figures of an uninterrupted one.
night=30.25$$
three=(--baseline same --zone FR --module "one=$(burning 0 1000000 150)"
    --module "two=echo >> two; [ \$(wc -l < two) != 2 ] || exec sleep $night; $(burning 0 2000000 150)"
    --module "three=$(burning 0 3000000 150)")
"$carbon" batch --root tree --loops 3 --json night.json "${three[@]}" 2> night.err &
until_true runs "sleep $night"
# At once, or within the 10 s that a kill may lose.
until_true says night.json.partial '"%s %s" % (r["complete"], [m["counted"] for m in r["modules"]])' 'False [2, 1, 1]'
kill -KILL $!
wait $! 2> /dev/null
for pid in $(processes_of "sleep $night"); do kill "$pid"; done
check 'what was done until then' 'False [2, 1, 1]' "$(json night.json.partial '"%s %s" % (r["complete"],
    [m["counted"] for m in r["modules"]])')"
cp night.json.partial kept.json
batch --resume --loops 3 --json night.json "${three[@]}" 2> night.err
check 'resumed' 0 $?
check 'all loops, each once' '[1, 2, 3] [1, 2, 3] [1, 2, 3] True' "$(json night.json '" ".join(
    [str(sorted(run["loop"] for run in m["runs"])) for m in r["modules"]] + [str(r["complete"])])')"
check 'the energies of an uninterrupted one' '1 0 1, 2 0 2, 3 0 3' "$(json night.json '", ".join("%g %g %g" %
    (m["gross_j"]["mean"], m["gross_j"]["deviation"], m["net_j"]["mean"]) for m in r["modules"])')"
check 'runs that were done are the same' True "$(json night.json 'all(run in m["runs"] for then, m in
    zip(json.load(open("kept.json"))["modules"], r["modules"]) for run in then["runs"] if run["counted"])')"
check 'when it was interrupted' True "$(json night.json '(lambda kept: [(b["interrupted_at"], b["runs_before"]) for b in r["resumed"]] ==
    [(kept["ended_at"], sum(m["counted"] for m in kept["modules"]))] and r["started_at"] == kept["started_at"])(json.load(open("kept.json")))')"
check_match 'and a notice' 'note: interrupted at 20.* with 4 runs done, resumed at .*: the two parts are separate in time' "$(tr -s '\n ' ' ' < night.err)"
check 'the partial result is gone' night.json "$(ls night.json*)"

# Who begins anew beside an unfinished result is told; the later one of two is resumed.
cp kept.json anew.json.partial
touch -d '1 hour ago' anew.json.partial
batch "${three[@]}" --json anew.json --loops 1 2> anew.err
check_match 'told' "note: 'anew.json.partial' is there, of a batch that was interrupted" "$(cat anew.err)"
sed -i 's/"loop":\t1,/"loop":\t99,/' anew.json.partial
cp kept.json anew.json.partial.1
batch --resume --loops 3 "${three[@]}" --json anew.json 2> anew.err
check 'the later one' '0 True' "$? $(json anew.json 'r["complete"] and all(m["counted"] == 3 for m in r["modules"])')"
check 'and the earlier one is let alone' 'anew.json anew.json.partial' "$(echo anew.json*)"

# Terminated: a report, the status, and a result that can be resumed; what differs is refused.
two=(--json cut.json --module "quick=$(burning 0 5000000 20)" --module "slow=[ -e go ] || exec sleep 30.75$$")
export CARBON_BASELINE=0
"$carbon" batch --root tree "${two[@]}" 2> cut.err &
until_true runs "sleep 30.75$$"
kill -TERM $!
wait $!
check 'terminated' 143 $?
check_match 'a report all the same' '1 of 4 runs count, interrupted, partial' "$(cat cut.err)"
check 'the module is not blamed' '[True] 0 False' "$(json cut.json '" ".join(map(str, ([run["cut_short"] for run in
    r["modules"][1]["runs"]], r["modules"][1]["failed"], r["complete"])))')"
refused() {
    local name=$1 why=$2
    shift 2
    batch --resume "$@" 2> refused.err
    check "$name is refused" 125 $?
    check_match "$name: why" "$why" "$(cat refused.err)"
}
refused 'another command' "it has another command of 'quick'" "${two[@]:0:2}" --module quick=true "${two[@]:4}"
refused 'another module' "another module at its place.*" "${two[@]:0:2}" --module "fast=$(burning 0 5000000 20)" "${two[@]:4}"
refused 'fewer modules' 'another number of modules' "${two[@]:0:4}"
refused 'more loops' 'another number of loops' --loops 3 "${two[@]}"
refused 'another baseline' 'another baseline' "${two[@]}" --baseline 1
refused 'another scope' 'another scope|no meter|scope' "${two[@]}" --scope machine
cp -r tree other
sed -i 's/Test CPU/Other CPU/' other/proc/cpuinfo
tree=other refused 'another machine' 'it has another processor' "${two[@]}"
refused 'a file that is none' 'is the wrong kind of file|is not valid JSON' "${two[@]:2}" --json ten.csv
refused 'a complete one of others' 'it has another' "${two[@]:2}" --json ten.json
refused 'nothing to resume' 'there is nothing to resume' "${two[@]:2}" --json nowhere.json
refused 'no file' 'needs the file' --module a=true
check 'nothing was harmed' False "$(json cut.json 'r["complete"]')"
touch go
batch --resume "${two[@]}" 2> cut.err
status=$?
kept=$(cat cut.json)
batch --resume "${two[@]}" 2> again.err; check 'what is complete is done' 0 $?
check_match 'as is told' "^carbon: '.*' is complete; nothing was run" "$(cat again.err)"
check 'it is as it was' "$kept" "$(cat cut.json)"
unset CARBON_BASELINE
check 'resumed' '0 True 2 2' "$status $(json cut.json '" ".join(map(str, [r["complete"]] + [m["counted"] for m in r["modules"]]))')"

# The constant source: not measurable, and never -0.00.
wait $constant
check 'done' 0 $?
check 'no module can be told' 'not-measurable not-measurable' "$(json constant.json '" ".join(m["verdict"] for m in r["modules"])')"
check 'in words' 2 "$(grep -c 'DIF not measurable: the source reports constant power' constant.err)"
check 'in their lines' 2 "$(grep -c '^DIF: not measurable$' constant.err)"
check_absent 'never this' '-0\.00' "$(cat constant.err)"
check 'the power of each window is the constant, however busy the machine' True "$(json constant.json 'all(
    abs(m[k] - 100.944744) < 1e-4 for m in r["modules"] for k in ("gross_w", "idle_w"))')"
check 'their 31.27 kg a year' True "$(json constant.json 'all(
    abs(m[k]["kgco2eq_per_year"] / 31.27 - 1) < 0.001 for m in r["modules"] for k in ("gross", "idle"))')"

# 3 % above idle, told with an interval.
wait $above
check 'done, too' 0 $?
check 'DIF, and the verdict on it' True "$(json above.json '(lambda m: abs(m["net_j"]["mean"] - 1.8) < 0.1 and
    abs(m["idle_j"]["mean"] / m["duration_s"]["mean"] - 100) < 0.1 and
    0 < m["net_interval_j"]["low"] < m["net_j"]["mean"] < m["net_interval_j"]["high"] and m["verdict"] == "more")(r["modules"][0])')"
check 'the interval by hand' True "$(json above.json '(lambda m: math.isclose(m["net_interval_j"]["high"] - m["net_j"]["mean"],
    4.302652729749464 * m["net_j"]["deviation"] / 3 ** 0.5, rel_tol=1e-6))(r["modules"][0])')"

# Faults of the file, before anything is run.
faulty() {
    printf '%b' "$2" > faulty.ini
    batch faulty.ini > faulty.out 2> faulty.err
    check "$1: status" 125 $?
    check "$1: message" "$3" "$(cat faulty.err)"
}
run="command = touch $work/ran"
faulty 'empty' '' "carbon: 'faulty.ini' names no module
   fix: write '[NAME]' and below it 'command = ...'; carbon-batch(1) has an example"
faulty 'settings alone' '[batch]\nloops = 3\n' "carbon: 'faulty.ini' names no module
   fix: write '[NAME]' and below it 'command = ...'; carbon-batch(1) has an example"
faulty 'the same name' "[a]\n$run\n[b]\n$run\n[a]\n$run\n" "carbon: 'faulty.ini' line 5: there is a module of this name already: 'a'
   fix: it begins in line 1; give one of them another name"
faulty 'no command' "[a]\n$run\n[b]\nitems = 3\n" "carbon: 'faulty.ini' line 3: no command for 'b'
   fix: write 'command = ...' below it"
faulty 'an empty command' "[a]\ncommand =\n" "carbon: 'faulty.ini' line 2: no command for 'a'
   try: carbon batch --help"
faulty 'unknown key' "[a]\n$run\nitem = 3\n" "carbon: 'faulty.ini' line 3: a module has no 'item'
   fix: did you mean 'items'?"
faulty 'unknown option' "[batch]\nloop = 3\n[a]\n$run\n" "carbon: 'faulty.ini' line 2: 'carbon batch' has no option 'loop'
   fix: did you mean 'loops'?"
faulty 'bad option' "[batch]\nloops = 0\n[a]\n$run\n" "carbon: 'faulty.ini' line 2: loops needs a whole number from 1 to 10000, not '0'
   why: --loops <n>: run each module n times, round by round
   fix: write the line as 'loops = 1'"
faulty 'of the command line alone' "[batch]\nresume = yes\n[a]\n$run\n" "carbon: 'faulty.ini' line 2: only the command line may have 'resume'
   fix: take that line out"
faulty 'no section' "$run\n" "carbon: 'faulty.ini' line 1: not in any section: 'command'
   fix: write [batch] above settings, and [NAME] above what a module has"
for items in 0 -1 many; do
    faulty "items $items" "[a]\n$run\nitems = $items\n" "carbon: 'faulty.ini' line 3: items needs a number above 0, not '$items'
   fix: say how many items one run works on, or take the line out"
done
faulty 'bad CPUs' "[a]\n$run\ncpus = 99999\n" "carbon: 'faulty.ini' line 3: cpus cannot be '99999'
   why: a list of CPUs looks like '0-3,8', not '99999'
   try: carbon batch --help"
faulty 'a comment in a command' "[a]\ncommand = touch x ; touch y\n" "carbon: 'faulty.ini' line 2: a comment would cut this command: 'touch x'
   why: text after a blank and ';' is a comment
   fix: write ';' without a blank before it, and comments in lines of their own"
faulty 'no pair' "[a]\n$run\nwhat\n" "carbon: 'faulty.ini' line 3: this is neither 'name = value'
   fix: write 'command = ...' below '[NAME]'; continuation lines are indented"
faulty 'no text' "[a]\n$run\n[\x01]\n" "carbon: 'faulty.ini' line 3: not text
   why: it holds the byte 0x01
   try: carbon batch --help"
faulty 'no UTF-8' "[a]\ncommand = \xff\n" "carbon: 'faulty.ini' line 2: not text, for 'a'
   why: it is no UTF-8
   try: carbon batch --help"
head -c 1100000 /dev/zero | tr '\0' '#' > large.ini
for bad in large.ini . nowhere.ini; do
    batch "$bad" 2> bad.err
    check "$bad is refused" 125 $?
    check_match "$bad is named" "'$bad'" "$(cat bad.err)"
done
"$carbon" batch --module "a=touch $work/ran" --cpus 0 --module "b=x" --module "a=true" 2> bad.err
check 'two of a name' "125 carbon: there are two modules called 'a'" "$? $(head -1 bad.err)"
printf '[a]\n%s\ncpus = 4000\n' "$run" > offline.ini
"$carbon" batch offline.ini 2> bad.err
check_match 'a CPU that is not online' 'CPU 4000 is not online' "$? $(cat bad.err)"
for bad in 'a' '=b' 'a=' 'batch=true'; do
    batch --module "$bad" 2> bad.err
    check_match "--module '$bad'" "125 carbon: --module cannot be '$bad'|125 carbon: --module needs a value" "$? $(cat bad.err)"
done
batch --items 0 --module a=true 2> bad.err
check_match 'no items' '^125 carbon: --items cannot be' "$? $(cat bad.err)"
batch 2> bad.err
check_match 'no module at all' "125 carbon: .carbon batch. needs a module" "$? $(cat bad.err)"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"

finish
