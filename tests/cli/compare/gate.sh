#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon compare --fail-over: joules that are known exactly, the three statuses, what ends the runs, and a look's bounds
# by hand.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000
burn="$helpers/burn"
compare() { CARBON_BASELINE=0 CARBON_ZONE=FR "$carbon" compare --no-ledger --root tree --warmup 0 "$@"; }
gate() { json "$1" '(lambda g, p: "%s %s %s" % (g["verdict"], g["ended_by"], g["pairs"]))(r["gate"], r["comparisons"][0]["gate"])'; }

# A job whose energies are the lines of a file in mJ, one a run, again and again.
cat > step << END
#!/bin/sh
read -r mj < "\$1"
{ sed 1d "\$1"; echo "\$mj"; } > "\$1.next"
mv "\$1.next" "\$1"
exec '$burn' tree intel-rapl:0 "\${mj}000" 20
END
chmod +x step

# Exactly 5 J against 4 J, and the other way round: sure as soon as there is a deviation.
compare --fail-over 3% --json less.json -- "$burn" tree intel-rapl:0 5000000 -- "$burn" tree intel-rapl:0 4000000 2> less.err
check 'less is not worse' '0 passed answer 3' "$? $(gate less.json)"
check_match 'in words' "^  gate passed: gross of 'B' is no more than 3 % above 'A' \(-20.0 %, at most -20.0 %; 3 pairs\)" "$(cat less.err)"
check 'in 8 lines at most' True "$([ "$(wc -l < less.err)" -le 8 ] && echo True)"
compare --fail-over 3% --json more.json --quiet -- "$burn" tree intel-rapl:0 4000000 -- "$burn" tree intel-rapl:0 5000000 2> more.err
check 'more is worse' '3 failed answer 3' "$? $(gate more.json)"
check_match 'in a line' "^gate failed: gross of 'B' is more than 3 % above 'A' \(\+25.0 %, at least \+25.0 %; 3 pairs\)$" "$(cat more.err)"
compare --fail-over 25% --json edge.json -q -- "$burn" tree intel-rapl:0 4000000 -- "$burn" tree intel-rapl:0 5000000 2> more.err
check 'just what is allowed is not worse' '0 passed' "$? $(json edge.json 'r["gate"]["verdict"]')"

# Noise: the pairs differ by -40, 60, -40, 60 ... mJ of 1 J: nothing can be told of 3 % in six pairs.
printf '%s\n' 1000 > same
printf '%s\n' 960 1060 > noise
compare --fail-over 3% --max-runs 6 --json noise.json --csv noise.csv -- ./step same -- ./step noise 2> noise.err
check 'cannot tell' '5 undecided max-runs 6' "$? $(gate noise.json)"
check 'six of each' '6 6' "$(json noise.json '"%d %d" % tuple(x["runs"] for x in r["results"])')"
check_match 'says what it would have found' 'smallest growth found in 4 of 5 cases [0-9.]+ %; --max-runs [0-9]+ decides' "$(tr -s '\n ' ' ' < noise.err)"
# in hundredths of a joule less 3 %: -7, 3, -7, 3, -7, 3: mean -2, deviation sqrt(30), error sqrt(5); t_0.80 of 5 is
# 0.919544 (tables)
check 'its figures by hand' True "$(json noise.json '(lambda g: (lambda half: abs(100 * g["above_limit_j"]["low"] - (-2 - half)) < 1e-9 and
    abs(g["percent_interval"]["high"] - (1 + half)) < 1e-9 and
    abs(g["detectable_percent"] - (3 + half + 0.919544 * math.sqrt(5))) < 1e-5 and
    2.1 < half / math.sqrt(5) < 3)(100 * g["above_limit_j"]["high"] + 2))(r["comparisons"][0]["gate"])')"
check 'the level of one candidate' '0.05 3 6 None' "$(json noise.json '(lambda g: "%g %d %d %s" % (g["level"], g["min_runs"], g["max_runs"], g["max_time_s"]))(r["gate"])')"
check_schema 'as the schema has it' noise.json more.json

# Time that is up, and a least number of runs.
compare --fail-over 3% --max-time 0.01 --json time.json -q -- ./step same -- ./step noise 2> time.err
check 'the time is up' '5 undecided max-time 3' "$? $(gate time.json)"
compare --fail-over 3% --runs 7 --json least.json -q -- "$burn" tree intel-rapl:0 5000 -- "$burn" tree intel-rapl:0 4000 2> least.err
check '--runs is the least number' '0 passed answer 7' "$? $(gate least.json)"

# Of three one is worse; the level is shared.
compare --fail-over 3% --json three.json -- "$burn" tree intel-rapl:0 5000 -- "$burn" tree intel-rapl:0 5000 -- "$burn" tree intel-rapl:0 6000 2> three.err
check 'one of three is worse' '3 failed passed failed 0.025' "$? $(json three.json 'r["gate"]["verdict"] + " " + " ".join(c["gate"]["verdict"] for c in r["comparisons"]) + " %g" % r["gate"]["level"]')"

# A command that fails is not judged by the gate.
compare --fail-over 3% --json failed.json -q -- "$burn" tree intel-rapl:0 5000 -- sh -c 'exit 9' 2> failed.err
check 'the status of a command that fails' '9 failure' "$? $(json failed.json 'r["gate"]["ended_by"]')"

# For CI services, in 10 requests a run: of 4 and 5 J each, SEE is J / 3.6e6 / 10, SCI that by the factor and 1/10 of M.
# said FOLDER NAME: what each form for CI services has of a result: its joules, those of a unit, SEE, SCI
said() { /usr/bin/python3 - "$1" "$2" << 'END_PYTHON'
import json, re, sys
import xml.etree.ElementTree as tree
folder, name = sys.argv[1:]
case = [c for c in tree.parse(folder + "/junit.xml").getroot()[0] if c.get("name") == name][0]
junit = {p.get("name"): float(p.get("value")) for p in case.find("properties")}
rows = {r["name"].split(": ")[-1]: r["value"] for r in json.load(open(folder + "/rows.json")) if r["name"].startswith(name + ": ")}
metrics = dict(re.findall(r'^carbon_(\w+)\{name="%s",.*\} (\S+)$' % re.escape(name), open(folder + "/metrics.txt").read(), re.M))
keys = ("energy_j", "energy_j_per_unit", "see_kwh_per_unit", "sci_kgco2eq_per_unit")
of_metrics = ("energy_joules", "energy_joules_per_unit", "see_kwh_per_unit", "sci_kgco2eq_per_unit")
of_rows = (("energy", 1), ("energy per unit", 1), ("SEE", 1), ("SCI", 1e-3))
for key, metric, (row, scale) in zip(keys, of_metrics, of_rows):
    print("%.6g" % junit[key], *("" if abs(value / junit[key] - 1) < 1e-6 else "%s: %g" % (key, value)
                                 for value in (float(metrics[metric]), rows[row] * scale)), sep="", end=" ")
print("failed" if case.findall("failure") else "skipped" if case.findall("skipped") else "passed", metrics.get("gate_failed", "-"))
END_PYTHON
}
ci() { printf -- '--ci %s ' github=$1/summary.md gitlab=$1/metrics.txt junit=$1/junit.xml dashboard=$1/rows.json; }
mkdir ci
# shellcheck disable=SC2046 # options
compare --fail-over 3% -q --sci 10:requests --embodied 100 --json ci.json $(ci ci) -- "$burn" tree intel-rapl:0 4000000 -- \
    "$burn" tree intel-rapl:0 5000000 2> ci.err
check 'by CI forms: worse' 3 $?
for item in 'A 4 passed -' 'B 5 failed 1'; do
    read -r name joules verdict gate <<< "$item"
    check "result $name" "$(json ci.json '(lambda x: "%.6g %.6g %.6g %.6g" % ('$joules', '$joules' / 10, '$joules' / 3.6e6 / 10, x["sci"]["kgco2eq_per_unit"]))([x for x in r["results"] if x["label"] == "'$name'"][0])') $verdict $gate" \
        "$(said ci $name)"
done
check 'and by hand' True "$(json ci.json 'all(abs(x["sci"]["kgco2eq_per_unit"] / ((x["gross_j"]["mean"] / 3.6e6 * x["pue"]["value"] * x["factor"]["kgco2eq_per_kwh"] + x["sci"]["embodied_kgco2eq"]) / 10) - 1) < 1e-12 for x in r["results"])')"
check_match 'an annotation of the one that is judged' "^::error title=carbon compare::failed: gross of 'B' is more than 3 %25 above 'A'" "$(cat ci.err)"
check 'no other' 1 "$(grep -c '^::' ci.err)"
check_match 'a summary' '^\| B \| 3 \| 5.00 J gross, measured \| .* \| ❌ \|$' "$(cat ci/summary.md)"
check_match 'with the unit' '^- B: 500 mJ own energy, SEE 1.389e-07 kWh, SCI .* for each requests$' "$(cat ci/summary.md)"
# shellcheck disable=SC2046 # options
compare --fail-over 3% --max-runs 6 -q $(ci ci) -- ./step same -- ./step noise 2> ci.err
check_match 'undecided is skipped, with a warning' '^5 1 ::warning title=carbon compare::undecided: ' \
    "$? $(grep -c '<skipped message="undecided: ' ci/junit.xml) $(grep '^::' ci.err)"

# Instructions and CPU time of the job alone.
compare --fail-over 20% --proxy cpu-time --json proxy.json -- "$burn" --spin 40 -- "$burn" --spin 120 2> proxy.err
check 'CPU time decides' '3 failed cpu-time None True' "$? $(json proxy.json '(lambda g: "%s %s %s %s" % (g["verdict"], g["proxy"], g["base_j"]["mean"] if g["base_j"] else None, 0.03 < g["base_amount"]["mean"] < 0.2))(r["comparisons"][0]["gate"])')"
check_match 'and is said' "gate failed: cpu-time of 'B' is more than 20 % above 'A'" "$(tr -s '\n ' ' ' < proxy.err)"

# Records: one look at what is there, the same statuses.
split() { /usr/bin/python3 -c 'import json, sys
for i, x in enumerate(json.load(open(sys.argv[1]))["results"]): json.dump(x, open("%s%d.json" % (sys.argv[2], i), "w"))' "$1" "$2"; }
split more.json m
split noise.json n
"$carbon" compare --fail-over 3% -q m0.json m1.json 2> m.err
check 'worse' 3 $?
"$carbon" compare --fail-over 3% -q m1.json m0.json 2> m.err
check 'not worse' 0 $?
"$carbon" compare --fail-over 3% -q --json n.json n0.json n1.json 2> m.err
check 'cannot tell' '5 undecided None None' "$? $(gate n.json)"
check 'by Welch' welch "$(json n.json 'r["comparisons"][0]["gate"]["test"]')"
"$carbon" compare -q m0.json m1.json 2> m.err
check 'without a gate' 0 $?

# Options that do nothing.
refuses '--max-runs alone' '--max-runs needs --fail-over' compare --max-runs 9 -- true -- true
refuses '--proxy alone' '--proxy needs --fail-over' compare --proxy cpu-time -- true -- true
refuses 'of records' '--max-time cannot be used with records' "$carbon" compare --fail-over 3% --max-time 9 m0.json m1.json
refuses 'more than the most' '--runs 40 is more than --max-runs 30' compare --runs 40 --fail-over 3% -- true -- true
refuses 'too many' "max-runs" compare --max-runs 301 --fail-over 3% -- true -- true
refuses 'a negative margin' "fail-over" compare --fail-over -1% -- true -- true

finish
