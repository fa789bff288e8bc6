#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --budget and --ci: the three statuses by joules that are known exactly, a command that is ended, and what
# CI services read.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000
burn="$helpers/burn"
measure() { CARBON_ZONE=FR "$carbon" measure --no-ledger --root tree --baseline 0 "$@"; }

measure --budget 6J -q -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'within' 0 $?
check_match 'in words' '^  budget passed: gross 5.00 J \(.* to .*\) of 6.00 J$' "$(cat err)"
# budget FILE: what its record says of it
budget() { json "$1" '(lambda b: "%s %g %s %s %s %s" % (b["figure"], b["spent_j"], b["limit_j"], b["limit_kgco2eq"], b["verdict"], b["stopped"]))(r["budget"])'; }
measure --json none.json -q -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'without one its record has none' '0 None' "$? $(json none.json 'r["budget"]')"
measure --budget 1mWh --json above.json -q -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'above 3.6 J' '3 gross 5 3.6 None failed False' "$? $(budget above.json)"
measure --budget 1kgCO2eq --json mass.json -q -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'emissions within' '0 gross 5 None 1 passed False' "$? $(budget mass.json)"
check 'spent by PUE and factor' True "$(json mass.json 'abs(r["budget"]["spent_kgco2eq"] / (5 / 3.6e6 * r["pue"]["value"] * r["factor"]["kgco2eq_per_kwh"]) - 1) < 1e-12')"
check_schema 'as the schema has it' none.json above.json mass.json
measure --budget 0.001mg -q -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'a mass needs a unit that is known' 125 $?
measure --budget 0.00001g -q -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'emissions above' 3 $?
measure --budget 5J --json still.json -q -- true 2> err
check 'nothing moved: it cannot be told' '5 undecided' "$? $(json still.json 'r["budget"]["verdict"]')"
measure --budget 6J -q -- sh -c 'exit 9' 2> err
check 'a command that fails has its own status' 9 $?

# Ended where it has used its budget: by CPU time of this machine, at 30 W a CPU at least a joule in a second.
mkdir -p modelled/sys/devices/system/cpu modelled/proc
sed 's/Test CPU/Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz/' tree/proc/cpuinfo > modelled/proc/cpuinfo
ln -s /proc/stat modelled/proc/stat
echo 0 > modelled/sys/devices/system/cpu/online
begun=$SECONDS
timeout 100 "$carbon" measure --no-ledger --root modelled --baseline 0 --budget 0.1J --stop --json stopped.json -q -- \
    sh -c 'while :; do :; done' 2> err
check 'ended' '3 False failed True True' "$? $(json stopped.json '"%s %s %s %s" % (r["complete"], r["budget"]["verdict"], r["budget"]["stop"], r["budget"]["stopped"])')"
check_match 'and said' 'the command was stopped' "$(cat err)"
check 'long before its end' True "$([ $((SECONDS - begun)) -lt 90 ] && echo True)"

refuses 'no unit' "'500' is not a budget" measure --budget 500 -- true
refuses 'a power' "is not a budget" measure --budget 5W -- true
refuses 'none' "is not a budget" measure --budget 0J -- true
refuses '--stop alone' '--stop needs --budget' measure --stop -- true
refuses '--stop of several' '--stop ends a command that is run once' measure --budget 5J --stop --runs 2 -- true

# Names that each form reads as its own.
name='a<b>&"c"|%d:e,f'
measure --label "$name" --sci 10:requests --embodied 100 --budget 1J -q --ci github=summary.md --ci gitlab=metrics.txt \
    --ci junit=junit.xml --ci dashboard=rows.json -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'above' 3 $?
check_match 'an annotation' '^::error title=carbon measure::failed: gross 5.00 J' "$(cat err)"
check_match 'a summary' '^\| a\\<b\\>&"c"\\\|%d:e,f \| 1 \| 5.00 J gross, measured \|' "$(cat summary.md)"
check_match 'with its functional unit' '500 mJ own energy, SEE 1.389e-07 kWh, SCI ' "$(cat summary.md)"
check_match 'a metric' '^carbon_energy_joules\{name="a<b>&\\"c\\"\|%d:e,f",figure="gross",quality="measured"\} 5$' "$(cat metrics.txt)"
check 'JUnit' 'carbon measure 1 a<b>&"c"|%d:e,f 1 5.0 0.5' "$(/usr/bin/python3 -c '
import xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()[0]
case = suite[0]
of = {p.get("name"): float(p.get("value")) for p in case.find("properties")}
print(suite.get("name"), suite.get("failures"), case.get("name"), len(case.findall("failure")), of["energy_j"], of["energy_j_per_unit"])')"
check 'rows of a dashboard' "J 5|J 0.5|kWh per unit True" "$(/usr/bin/python3 -c '
import json
rows = {r["name"].split(": ")[-1]: r for r in json.load(open("rows.json"))}
print("|".join("%s %s" % (rows[n]["unit"], rows[n]["value"]) for n in ("energy", "energy per unit")) +
      "|%s %s" % (rows["SEE"]["unit"], abs(rows["SEE"]["value"] - 5 / 3.6e6 / 10) < 1e-15))')"
GITHUB_STEP_SUMMARY=summary.md measure -q --ci github -- "$burn" tree intel-rapl:0 5000000 30 2> err
check 'the step summary is appended to' '0 2' "$? $(grep -c '^### carbon measure$' summary.md)"
refuses 'a form' 'the form is unknown' measure --ci jenkins=x -- true
refuses 'no file' 'the file is missing' measure --ci junit -- true
refuses 'twice' 'given twice' measure --ci junit=a --ci junit=b -- true
refuses 'no summary' 'GITHUB_STEP_SUMMARY is not set' env -u GITHUB_STEP_SUMMARY "$carbon" measure --ci github -- true

# What a job used so far, which is read every ten seconds, is not what it used.
measure --json long.json -q -- sh -c "sleep 10.2; '$helpers/act' spin 0.5" > /dev/null 2> err
check 'CPU time after the last look at it counts, too' True "$(json long.json '0.4 < r["usage"]["cpu_s"]["value"] < 3')"

finish
