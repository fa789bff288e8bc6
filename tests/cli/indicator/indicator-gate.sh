#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon indicator --compare: a regression of known joules fails, the same energy passes, and what cannot be told is
# said with what would settle it.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:1=package-1
burn=$helpers/burn
echo '{"name":"PiX","component":"c","@parameters":{},"@result":{"rate":1}}' > good.json

# Burns the joules of this run: of the list in JOULES one after the other, again and again.
cat > script << END
#!/bin/bash
joules=(\$JOULES)
number=\$(cat number)
echo \$((number + 1)) > number
"$burn" tree intel-rapl:0 "\${joules[number % \${#joules[@]}]}000" 40
cat good.json
END
chmod +x script
runs() {
    export JOULES=$1
    local count=$2
    shift 2
    echo 0 > number
    "$carbon" indicator --root tree --baseline 0.02 --settle 0 --no-ledger --quiet --runs "$count" "$@" -- ./script > out 2> err
}
gate() {
    json "$1" '(lambda g: "%s %s" % (g["verdict"], g["compared"]))(r["gate"])'
}

# Of a sensor that never moves, twice; while the rest goes on.
mkdir -p still/proc still/sys/class/hwmon/hwmon0
cp tree/proc/cpuinfo still/proc
echo amdgpu > still/sys/class/hwmon/hwmon0/name
echo 50000000 > still/sys/class/hwmon/hwmon0/power1_input
idle still
spin() {
    "$carbon" indicator --root still --source hwmon --baseline 1.1 --settle 0 --runs 2 --no-ledger --quiet "$@" -- \
        sh -c "'$work/load' still sleep 1.1; cat good.json" > still.out 2> still.err
}
{ spin --json constant.json && spin --compare constant.json --json again.json; } &
constant=$!

runs '2000' 4 --json base.json
check 'a base' '0 4' "$? $(wc -l < out)"

# Known joules, no scatter: 2 J before.
runs '2000' 3 --compare base.json --json same.json --summary summary.md
check 'the same' '0 passed net' "$? $(gate same.json)"
check 'and the objects are printed' 3 "$(wc -l < out)"
check_match 'in words' 'gate passed: significantly no more than 5 % above the base; 2.00 J net per run against 2.00 J' "$(tr -s '\n ' ' ' < err)"
check_match 'as a step summary' '^### .* Energy per run: passed$' "$(cat summary.md)"
check_match 'its rows' '^\| base\\.json \| 4 \| 2.00 J \| 0 J \|$' "$(cat summary.md)"
runs '2300' 3 --compare base.json --json more.json --summary summary.md
check '15 % more' '3 failed net 15 True' "$? $(gate more.json) $(json more.json '"%g %s" % (round(r["gate"]["percent"], 6),
    r["gate"]["percent_interval"]["low"] > 5)')"
check 'the summary is appended to' '1 1' "$(grep -c ': passed$' summary.md) $(grep -c ': failed$' summary.md)"
runs '2300' 3 --compare base.json --max-regression 20% --json more.json
check 'where 20 % are allowed' '0 passed net' "$? $(gate more.json)"
runs '2080' 3 --compare base.json --json more.json
check '4 % more, where 5 % are allowed' '0 passed net' "$? $(gate more.json)"
runs '1000' 3 --compare base.json --json less.json
check 'less' '0 passed net -50' "$? $(gate less.json) $(json less.json '"%g" % r["gate"]["percent"]')"

# Scatter: not to be told, and how many runs would.
runs '1900 2500 2000 2300' 4 --compare base.json --json wide.json
check 'undecided' '0 undecided net True' "$? $(gate wide.json) $(json wide.json 'r["gate"]["runs_needed"] > 4')"
check_match 'what would settle it' "hint: $(json wide.json 'r["gate"]["runs_needed"]') runs of each would settle" "$(tr -s '\n ' ' ' < err)"
runs '1900 2500 2000 2300' 4 --compare base.json --require-verdict
check 'which fails where a verdict is required' 3 $?
runs '1900 2500 2000 2300' 4 --compare base.json --fail-over 5%
check 'by --fail-over it has a status of its own' 5 $?
runs '2300' 3 --compare base.json --fail-over 5%
check 'worse' 3 $?
runs '2300' 3 --compare base.json --fail-over 20%
check 'not worse' 0 $?

# For CI services: 2.3 J against 2 J, worse by one margin and not by another.
mkdir ci
ci() { runs '2300' 3 --compare base.json --fail-over "$1" --ci github=ci/summary.md --ci gitlab=ci/metrics.txt --ci junit=ci/junit.xml --ci dashboard=ci/rows.json; }
said() { /usr/bin/python3 -c 'import json, re
import xml.etree.ElementTree as tree
case = tree.parse("ci/junit.xml").getroot()[0][0]
joules = [float(p.get("value")) for p in case.find("properties") if p.get("name") == "energy_j"]
joules += [r["value"] for r in json.load(open("ci/rows.json")) if r["name"].endswith(": energy")]
metrics = open("ci/metrics.txt").read()
joules += [float(x) for x in re.findall(r"^carbon_energy_joules\{.*\} (.*)$", metrics, re.M)]
print(*("%.4g" % j for j in joules), len(case.findall("failure")), *re.findall(r"^carbon_gate_failed\{.*\} (.*)$", metrics, re.M))'; }
ci 5%
check 'CI forms: worse' '3 2.3 2.3 2.3 1 1 1' "$? $(said) $(grep -c '^::error title=carbon indicator::failed: ' err)"
check_match 'a summary' '^\| .* \| 3 \| 2.30 J own, measured \| .* ❌ \|$' "$(cat ci/summary.md)"
ci 20%
check 'and not worse' '0 2.3 2.3 2.3 0 0 1' "$? $(said) $(grep -c '^::notice title=carbon indicator::passed: ' err)"
runs '2300' 3 --compare base.json --sci 10:requests --embodied 100 --json unit.json --ci dashboard=ci/unit.json
check 'of a functional unit: J, SEE and SCI' "$(json unit.json '(lambda x: "%.6g %.6g %.6g" % (0.23, x["gross_j"]["mean"] / 3.6e6 * x["pue"]["value"] / 10,
    1000 * (x["gross_j"]["mean"] / 3.6e6 * x["pue"]["value"] * x["factor"]["kgco2eq_per_kwh"] + x["sci"]["embodied_kgco2eq"]) / 10))(r["record"])')" \
    "$(json ci/unit.json '"%.6g %.6g %.6g" % tuple(next(x["value"] for x in r if x["name"].endswith(": " + n)) for n in ("energy per unit", "SEE", "SCI"))')"
runs '2300' 1 --compare base.json --json once.json
check 'one run' '0 undecided net' "$? $(gate once.json)"
check_match 'why' 'one run has no interval' "$(tr -s '\n ' ' ' < err)"

# Two results that are there: of carbon indicator, and of carbon measure.
"$carbon" indicator --compare base.json more.json > out 2> err
check 'of files' '0 passed' "$? $(grep -oE '(passed|failed|undecided)' out | head -1)"
runs '2600' 3 --json new.json
"$carbon" indicator --compare base.json --summary files.md new.json > out 2> err
check 'of files, more' '3 failed' "$? $(grep -oE '(passed|failed|undecided)' out | head -1)"
GITHUB_STEP_SUMMARY=step.md "$carbon" indicator --compare base.json --summary markdown new.json > /dev/null 2>&1
check_match "GitHub's step summary" '^\| new\\.json \| 3 \| 2.60 J' "$(cat step.md)"
GITHUB_STEP_SUMMARY='' "$carbon" indicator --compare base.json --summary markdown new.json > /dev/null 2> err
check_match 'and without one' '^\| new\\.json \| 3 \| 2.60 J' "$(cat err)"
check_match 'with a summary' '^\| new\\.json \| 3 \| 2.60 J' "$(cat files.md)"
export JOULES=2600
echo 0 > number
"$carbon" measure --root tree --baseline 0.02 --settle 0 --runs 3 --no-ledger --quiet --json record.json -- ./script > /dev/null 2>&1
"$carbon" indicator --compare record.json new.json > out 2> err
check 'a record is a base, too' '0 passed' "$? $(grep -oE '(passed|failed|undecided)' out | head -1)"
check_schema 'as the schema has it' base.json same.json more.json wide.json once.json

# What cannot be compared: another machine; a model; and the constant, below.
cp -r tree other
sed -i 's/Test CPU/Other CPU/' other/proc/cpuinfo
"$carbon" indicator --root other --baseline 0.02 --runs 2 --no-ledger --quiet --compare base.json --json o.json -- ./script > out 2> err
check 'another machine' '0 undecided' "$? $(json o.json 'r["gate"]["verdict"]')"
check_match 'whose' "'Test CPU', the other's 'Other CPU'" "$(tr -s '\n ' ' ' < err)"
"$carbon" indicator --compare base.json o.json > out 2> err
check 'of files that is refused' 125 $?
/usr/bin/python3 -c 'import json
r = json.load(open("base.json"))
r["record"]["quality"] = "modelled"
json.dump(r, open("modelled.json", "w"))'
"$carbon" indicator --compare modelled.json modelled.json > out 2> err
check_match 'a model does not decide' '^0 .*gate undecided: .*it is modelled from CPU time, not measured' "$? $(tr -s '\n ' ' ' < out)"
"$carbon" indicator --compare modelled.json --accept-modelled modelled.json > out 2> err
check_match 'unless it may' '^0 .*gate passed' "$? $(tr -s '\n ' ' ' < out)"

# By CPU time it does, on a quiet machine and on one that others keep full alike: both by one slope.
printf '#!/bin/sh\n"%s" spin $SPUN\ncat good.json\n' "$helpers/act" > spins
chmod +x spins
of_model() { "$carbon" indicator --source model --baseline 0.5 --settle 0 --runs 3 --no-ledger --quiet "$@" -- ./spins > out 2> err; }
SPUN=0.3 of_model --json quiet.json
full
SPUN=0.3 of_model --compare quiet.json --max-regression 30 --json busy.json
check 'the same on a full machine' '0 passed own cpu-time' "$? $(gate busy.json) $(json busy.json 'r["gate"]["own_method"]')"
check_match 'in those words' 'gate passed: by CPU time, modelled: significantly no more than 30 %' "$(tr -s '\n ' ' ' < err)"
SPUN=0.9 of_model --compare quiet.json --max-regression 30
check_match 'more CPU time' '^3 .*gate failed: by CPU time, modelled: significantly more than 30 %' "$? $(tr -s '\n ' ' ' < err)"
not_full

# Command lines.
refused() {
    local why=$1
    shift
    "$carbon" indicator "$@" > out 2> err
    check "refused: $why" "125 carbon: $why" "$? $(head -1 err)"
}
refused "there is one result to compare with 'base.json', not 2" --compare base.json new.json more.json
refused '--runs cannot be used to compare results' --compare base.json --runs 3 new.json
refused "cannot read 'nowhere.json'" --compare nowhere.json new.json
refused "'good.json' is the wrong kind of file" --compare good.json new.json
refused '--summary needs --compare: nothing is compared' --root tree --summary s.md -- true
"$carbon" indicator --compare base.json --max-regression much new.json > out 2> err
check_match 'no share' "^125 carbon: --max-regression needs a number of percent, not 'much'" "$? $(head -1 err)"
: > ran-not
"$carbon" indicator --root tree --compare nowhere.json -- sh -c 'rm ran-not' > out 2> err
check 'before anything is run' '125 yes' "$? $(exists ran-not)"

wait "$constant"
check 'a constant' '0 undecided net' "$? $(gate again.json)"
check_match 'which cannot tell' 'constant power while the load changed' "$(tr -s '\n ' ' ' < still.err)"

finish
