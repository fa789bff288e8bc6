#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon join: the rows that benchmark tools wrote (tests/benchmarks, each of the tool itself but for cargo-criterion's, which is
# by its documentation) by the power of a record of known joules; and carbon compare --from.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000
burn="$helpers/burn"
benchmarks=$source/tests/benchmarks
measure() { CARBON_ZONE=FR "$carbon" measure --no-ledger --root tree --baseline 0 "$@"; }

measure --json run.json --pue 1.5 --sci 10:requests --embodied 100 -q -- "$burn" tree intel-rapl:0 5000000 300 2> /dev/null

# rows FILE: "name seconds" of each, with the seconds of the operations of all its rounds
rows() { json "$1" '"|".join("%s %.6g %s" % (x["name"], x["s_per_operation"] or -1, "%.6g" % x["total_s"] if x["total_s"] is not None else "-") for x in r["rows"])'; }
# What is in the tools' files, read by another program.
/usr/bin/python3 - "$benchmarks" > wanted << 'END_PYTHON'
import json, os, sys
top = sys.argv[1]
of = lambda name: json.load(open(os.path.join(top, name)))
def say(*rows): print("|".join("%s %.6g %s" % (n, s, "%.6g" % t if t is not None else "-") for n, s, t in rows))
say(*((x["command"], x["mean"], sum(x["times"])) for x in of("hyperfine.json")["results"]))
say(*(("%s (n=%s)" % (x["command"], x["parameters"]["n"]), x["mean"], sum(x["times"])) for x in of("hyperfine-parameters.json")["results"]))
say(*((x["fullname"], x["stats"]["mean"], x["stats"]["rounds"] * x["stats"]["iterations"] * x["stats"]["mean"]) for x in of("pytest.json")["benchmarks"]))
def criterion(name, folder):
    at = "criterion/" + folder + "/new/"
    return name, of(at + "estimates.json")["mean"]["point_estimate"] * 1e-9, sum(of(at + "sample.json")["times"]) * 1e-9
say(criterion("fib 15", "fib_15"), criterion("sizes/fib/10", "sizes/fib/10"))
say(("norm", 4140e-9, 745100e-9), ("norm in cycles", -1, None))
def seconds(x):
    score, unit = x["primaryMetric"]["score"], x["primaryMetric"]["scoreUnit"]
    return 1e-6 / score if unit == "ops/us" else score * 1e-6 / x["threads"]
say(*(("%s [%s] (size=%s)" % (x["benchmark"], x["mode"], x["params"]["size"]), seconds(x), 3 * 0.2) for x in of("jmh.json")))
END_PYTHON
number=0
for file in hyperfine.json hyperfine-parameters.json pytest.json criterion cargo-criterion.jsonl jmh.json; do
    number=$((number + 1))
    "$carbon" join run.json "$benchmarks/$file" --json rows.json > out 2>&1
    check "$file" "0 $(sed -n ${number}p wanted)" "$? $(rows rows.json)"
    check_schema "$file: as the schema has it" rows.json
    cp rows.json "$file.rows"
done
check 'whose' 'hyperfine|hyperfine|pytest-benchmark|Criterion|cargo-criterion|JMH' \
    "$(for file in hyperfine.json hyperfine-parameters.json pytest.json criterion cargo-criterion.jsonl jmh.json; do json "$file.rows" 'r["tool"]'; done | paste -sd '|')"
"$carbon" join run.json "$benchmarks/criterion/sizes/fib/10/new/estimates.json" --json one.json > out
check 'one file of Criterion' "$(json criterion.rows 'r["rows"][1]')" "$(json one.json 'r["rows"][0]')"

# The energy of an operation, its emissions, SEE and SCI by hand.
cat > by-hand << 'END_PYTHON'
import json, math
run, joined = json.load(open("run.json")), json.load(open("hyperfine.json.rows"))
watts, pue, factor = run["gross_j"]["mean"] / run["duration_s"]["mean"], 1.5, run["factor"]["kgco2eq_per_kwh"]
near = lambda a, b: abs(a / b - 1) < 1e-12
assert joined["figure"] == "gross" and near(joined["power_w"], watts) and joined["record"] == run["id"]
assert near(joined["covered"], sum(x["total_s"] for x in joined["rows"]) / run["duration_s"]["mean"])
for x in joined["rows"]:
    s, kwh = x["s_per_operation"], watts * x["s_per_operation"] * pue / 3.6e6
    assert x["power_of"] == "run" and near(x["power_w"], watts)
    assert near(x["j_per_operation"], watts * s) and near(x["gross_j_per_operation"], watts * s)
    assert near(x["see_kwh_per_operation"], kwh) and near(x["kgco2eq_per_operation"], kwh * factor)
    assert near(x["sci_kgco2eq_per_operation"], kwh * factor + run["sci"]["embodied_kgco2eq"] * s / run["duration_s"]["mean"])
END_PYTHON
check 'by hand' '' "$(/usr/bin/python3 by-hand 2>&1)"
check 'a row in another unit than time has no energy' 'None None None' \
    "$(json cargo-criterion.jsonl.rows '"%s %s %s" % tuple(r["rows"][1][k] for k in ("s_per_operation", "j_per_operation", "kgco2eq_per_operation"))')"
check 'which is said' unknown "$(json cargo-criterion.jsonl.rows '[n["kind"] for n in r["notices"] if "1 of 2 rows have no time" in n["what"]][0]')"
check 'the part that is timed: unknown' None "$(json cargo-criterion.jsonl.rows 'r["covered"]')"
out=$("$carbon" join run.json "$benchmarks/pytest.json")
check_match 'for people' '^pytest-benchmark, 3 rows; run [0-9.]+ m?s at [0-9.]+ W gross, measured$' "$out"
check_match 'a row' '^  test_b.py::test_fib +65.0 µs ± 1.51 ms +[0-9.]+ (m|µ)J +[0-9.]+ W +[0-9.]+ µgCO2eq$' "$out"
check_match 'by one power' '3 of 3 rows are taken to draw the mean power of the run' "$(tr -s '\n ' ' ' <<< "$out")"
check_match 'of another run' "the operations took 1\.[0-9]+ s, the run lasted [0-9.]+ m?s: the file is of another run" "$(tr -s '\n ' ' ' <<< "$out")"
out=$("$carbon" join run.json "$benchmarks/hyperfine.json")
check_match 'of which little was timed' 'the operations took 28.3 ms of [0-9.]+ m?s: start, warm-up' "$(tr -s '\n ' ' ' <<< "$out")"
"$carbon" join run.json "$benchmarks/jmh.json" --csv rows.csv > out
check 'CSV' 'name,s_per_operation,deviation_s,total_s,power_of,power_w,j_per_operation 4' \
    "$(head -1 rows.csv | cut -d, -f1-7) $(sed 1d rows.csv | grep -c '^demo.Sums.sum ')"

# A phase that is called as the row gives it its own power: 3 J and 1 J.
cat > marked << END_JOB
echo 'seq 2000' >&\$CARBON_MARK_FD; sleep 0.2
$burn tree intel-rapl:0 3000000 20
sleep 0.2; echo 'expr 3 + 1' >&\$CARBON_MARK_FD; sleep 0.2
$burn tree intel-rapl:0 1000000 20
sleep 0.2; echo >&\$CARBON_MARK_FD
END_JOB
measure --marks --json phased.json -q -- sh marked > /dev/null 2>&1
"$carbon" join phased.json "$benchmarks/hyperfine.json" --json rows.json > out
check 'by phases' '' "$(/usr/bin/python3 -c '
import json
rows = {x["name"]: x for x in json.load(open("rows.json"))["rows"]}
for p in json.load(open("phased.json"))["phases"]:
    if p["name"] in rows:
        x = rows.pop(p["name"])
        watts = {"seq 2000": 3, "expr 3 + 1": 1}[p["name"]] / p["duration_s"]["mean"]
        assert x["power_of"] == "phase" and abs(x["power_w"] / watts - 1) < 1e-12, x
        assert abs(x["j_per_operation"] / (watts * x["s_per_operation"]) - 1) < 1e-12
assert not rows' 2>&1)"
check_absent 'without a note on one power' 'mean power of the run' "$(tr -s '\n ' ' ' < out)"

# For CI services: each row is a result, an operation its unit.
"$carbon" join run.json "$benchmarks/hyperfine.json" --ci github=summary.md --ci gitlab=metrics.txt --ci junit=junit.xml \
    --ci dashboard=rows.json > out
check 'all of them' True "$(/usr/bin/python3 -c '
import json, re
import xml.etree.ElementTree as tree
wanted = {x["name"]: x for x in json.load(open("hyperfine.json.rows"))["rows"]}
near = lambda a, b: abs(float(a) / b - 1) < 1e-6
cases = tree.parse("junit.xml").getroot()[0].findall("testcase")
ok = len(cases) == 2
for case in cases:
    x, of = wanted[case.get("name")], {p.get("name"): p.get("value") for p in case.find("properties")}
    ok &= near(of["energy_j_per_unit"], x["j_per_operation"]) and near(of["see_kwh_per_unit"], x["see_kwh_per_operation"])
    ok &= near(of["sci_kgco2eq_per_unit"], x["sci_kgco2eq_per_operation"])
metrics = dict(re.findall(r"^(carbon_see_kwh_per_unit\{name=\"[^\"]*\").*\} (\S+)$", open("metrics.txt").read(), re.M))
ok &= all(near(metrics["carbon_see_kwh_per_unit{name=\"%s\"" % n], x["see_kwh_per_operation"]) for n, x in wanted.items())
rows = {r["name"]: r["value"] for r in json.load(open("rows.json"))}
ok &= all(near(rows[n + ": energy per unit"], x["j_per_operation"]) and near(rows[n + ": SCI"], 1000 * x["sci_kgco2eq_per_operation"]) for n, x in wanted.items())
summary = open("summary.md").read().replace("\\+", "+")
print(ok and all(re.search("^- " + re.escape(n) + r": .* own energy, SEE .* kWh, SCI .* for each operation$", summary, re.M) for n in wanted))')"

# compare --from: the commands of hyperfine, in its order.
compare() { CARBON_BASELINE=0 CARBON_ZONE=FR "$carbon" compare --no-ledger --root tree --warmup 0 --runs 2 "$@"; }
compare --from "$benchmarks/hyperfine.json" --json compared.json > out 2> err
check 'hyperfine' '0 sh -c expr 3 + 1|sh -c seq 2000' "$? $(json compared.json '"|".join(" ".join(x["command"]) for x in r["results"])')"
check 'which are run, twice each' '4000 2' "$(wc -l < out | awk '{print $1 - 2}') $(grep -cx 2000 out)"
compare --from "$benchmarks/hyperfine.json" --name a --name b --json compared.json -q > /dev/null 2> err
check 'by names' 'a b' "$(json compared.json '" ".join(x["label"] or x["name"] for x in r["results"])' 2> /dev/null || grep -o "'[ab]'" err)"
refuses 'of no commands' "'.*/pytest.json' does not say what to run" compare --from "$benchmarks/pytest.json"
check_match 'why, and what to do' "a result of pytest-benchmark has no command lines .*carbon join run.json" "$(tr -s '\n ' ' ' < said)"
refuses 'and others' '--from cannot be used with commands or records' compare --from "$benchmarks/hyperfine.json" -- true
refuses 'and a scan' '--from cannot be used with --parameter' compare --parameter n=1,2 --from "$benchmarks/hyperfine.json"
/usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
json.dump({"results": r["results"][:1]}, open("single.json", "w"))
json.dump({"results": []}, open("empty.json", "w"))
json.dump({"results": r["results"] * 14}, open("many.json", "w"))' "$benchmarks/hyperfine.json"
refuses 'one' "'single.json' has one command" compare --from single.json
refuses 'none' "'empty.json' has no benchmark" compare --from empty.json
refuses 'too many' "'many.json' has more than 26 commands" compare --from many.json

# What cannot be joined.
echo '{"a": 1}' > other.json
echo '[' > broken.json
mkdir nothing
refuses 'another file' "'other.json' is not a result of a known benchmark tool" "$carbon" join run.json other.json
check_match 'which there are' 'hyperfine --export-json FILE; pytest --benchmark-json FILE; cargo bench.*; cargo criterion .*; java -jar' "$(tr -s '\n ' ' ' < said)"
refuses 'no JSON' "'broken.json' is not valid JSON" "$carbon" join run.json broken.json
refuses 'no file' "cannot read 'nowhere.json'" "$carbon" join run.json nowhere.json
refuses 'a folder of none' "'nothing' has no benchmark" "$carbon" join run.json nothing
refuses 'no record' "'other.json' is the wrong kind of file" "$carbon" join other.json "$benchmarks/jmh.json"
refuses 'in the other order' 'is the wrong kind of file' "$carbon" join "$benchmarks/pytest.json" run.json

finish
