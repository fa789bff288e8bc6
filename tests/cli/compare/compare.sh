#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon compare end to end: exact joules and Welch's figures by hand, orders, scans, records, refusals, a kill.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000
burn="$helpers/burn"
compare() { CARBON_BASELINE=0 CARBON_ZONE=FR "$carbon" compare -v --root tree "$@"; }
# pair FILE EXPRESSION: over the first comparison c.
pair() { json "$1" "(lambda c: $2)(r['comparisons'][0])"; }

# A job whose energies are the lines of a file, one a run: it takes the first line away.
cat > step << END
#!/bin/sh
read -r uj < "\$1"
sed -i 1d "\$1"
echo "\$1" >> steps
exec '$burn' tree intel-rapl:0 "\$uj" "\${2:-0}"
END
chmod +x step

# A meter that tells the same power whatever runs takes seconds to see through: beside the rest.
cp -r "$source/tests/trees/server-rapl-acpi-meter" acpi
idle acpi
"$carbon" compare --root acpi --scope machine --baseline 1 --settle 0 --runs 1 --warmup 0 --json constant.json \
    -- "'$work/load' acpi '$helpers/act' sleep 1.1" -- "'$work/load' acpi '$helpers/act' sleep 1.2" 2> constant.err &
constant=$!

# Exactly 5 J against 4 J.
compare --baseline 0.1 --settle 0 --runs 3 --pue 1.5 --json a.json --csv a.csv --html a.html \
    -- "'$burn' tree intel-rapl:0 5000000 60" -- "$burn" tree intel-rapl:0 4000000 60 2> a.err
check 'done' 0 $?
check 'the difference' '-1 -1 -1 -20 -20 -20' "$(pair a.json '"%g %g %g %g %g %g" % tuple(c["energy_j"][k] for k in ("difference", "low", "high", "percent", "percent_low", "percent_high"))')"
check 'of net' 'net less 0' "$(pair a.json '"%s %s %g" % (c["compared"], c["verdict"], c["energy_j"]["p"])')"
check 'kilograms by hand' True "$(pair a.json 'abs(c["kgco2eq"]["difference"] + 1 / 3.6e6 * 1.5 * r["results"][0]["factor"]["kgco2eq_per_kwh"]) < 1e-18 and c["kgco2eq"]["percent"] == -20')"
check 'seconds by hand' True "$(pair a.json 'abs(c["duration_s"]["difference"] - (r["results"][1]["duration_s"]["mean"] - r["results"][0]["duration_s"]["mean"])) < 1e-12')"
check 'watts by hand' True "$(pair a.json 'abs(c["power_w"]["difference"] - (lambda w: w(1) - w(0))(lambda i: sum(x["net_j"] / x["duration_s"] for x in r["results"][i]["windows"]["runs"] if x["counted"]) / 3)) < 1e-9')"
check 'the sentence' "'B' uses 20.0 % less energy than 'A' (95 % CI 20.0 to 20.0 %)" "$(pair a.json 'c["sentence"]')"
check 'the page: the sentence first, every figure the document'"'"'s, nothing run or loaded' "True 'B' uses 20.0 % less energy than 'A' (95 % CI 20.0 to 20.0 %)" \
    "$(json a.json '(lambda ET, x: (lambda page: "%s %s" % (not list(page.iter(x + "script")) and all(
        float(d.get("value")) == (r["comparisons"][0] if p[0] == "comparisons" else r["results"][int(p[1])]["emissions"]["net"])[p[2]][p[3]]
        for d in page.iter(x + "data") for p in [d.get("data-place").split(".")] if p[0] == "comparisons"),
        next(e for e in page.iter(x + "p") if e.get("class") == "conclusion").text))(ET.parse("a.html")))(
        __import__("xml.etree.ElementTree").etree.ElementTree, "{http://www.w3.org/1999/xhtml}")')"
check 'whole records' "carbon.record/1 A 3 1 True|carbon.record/1 B 3 1 True" "$(json a.json '"|".join("%s %s %d %d %s" % (x["schema"], x["label"], x["runs"], x["warmups"], x["complete"]) for x in r["results"])')"
check 'ids' True "$(pair a.json '[c["a_id"], c["b_id"]] == [x["id"] for x in r["results"]] and c["a_id"] != c["b_id"]')"
check 'a word is for the shell, several are the command' "sh -c|$burn tree" "$(json a.json '"|".join(" ".join(x["command"][:2]) for x in r["results"])')"
check 'the order' 'interleaved None' "$(json a.json '"%s %s" % (r["order"], r["seed"])')"
check_match 'the verdict stands first' "^  'B' uses 20.0 % less energy than 'A'" "$(cat a.err)"
check_match 'contenders' '^  A +3 .* 5.00 J ± 0 J +0 J ± 0 J +5.00 J ± 0 J' "$(cat a.err)"
check 'a notice of both is told once' 1 "$(grep -c 'the counters are those of a recorded machine' a.err)"
check 'no line is longer than 100' '' "$(grep -E '^.{110}' a.err)"
check 'one row, and as many fields as names' '2 True' "$(wc -l < a.csv) $(/usr/bin/python3 -c 'import csv; a, b = csv.reader(open("a.csv")); print(len(a) == len(b) == len(set(a)))')"
check 'the row says what JSON says' True "$(/usr/bin/python3 -c '
import csv, json
row, = csv.DictReader(open("a.csv"))
c, = json.load(open("a.json"))["comparisons"]
same = all(row[k] == c[k] for k in ("a", "b", "a_id", "b_id", "compared", "verdict", "sentence"))
for figure in ("energy_j", "power_w", "duration_s", "kgco2eq"):
    for k, v in c[figure].items():
        text = row[figure + "_" + k]
        same = same and (text == "" if v is None else text != "" and float(text) == v)
print(same)')"

check 'records: a page of them, too' '0 yes' "$(json a.json '[open("%d.json" % i, "w").write(json.dumps(x)) for i, x in enumerate(r["results"])] and ""' > /dev/null; \
    "$carbon" compare --html records.html 0.json 1.json > /dev/null 2>&1; echo $?) $(grep -q 'class="conclusion"' records.html && echo yes)"

# By itself a baseline is twice the longest run, from half a second on; between two runs that count it is two of half that.
"$carbon" compare --root tree --zone FR --json short.json -- "'$burn' tree intel-rapl:0 5000000 1" -- "'$burn' tree intel-rapl:0 4000000 60" \
    2> short.err
check 'short runs: short baselines' True "$(json short.json '(lambda longest: all(0.24 <= b["duration_s"] <= max(0.5, 2 * longest) + 0.2
    for one in r["results"] for b in one["windows"]["baselines"]))(max(w["duration_s"] for one in r["results"] for w in one["windows"]["runs"]))')"
check 'and settling within six of them' True "$(json short.json '(lambda longest: r["results"][0]["settling"]["waited_s"] <=
    6 * max(0.5, 2 * longest) + 0.5)(max(w["duration_s"] for one in r["results"] for w in one["windows"]["runs"]))')"
check_match 'the sentence' "^  'B' uses 20.0 % less energy than 'A' \(95 % CI 20.0 to 20.0 %\)$" "$(cat short.err)"
check 'at most eight lines' '' "$(tail -n +9 short.err)"

# Noise: 10, 11, 9, 10.5, 9.5 against 12, 13, 11, 12.5, 11.5 J. Both variances are 0.625, so that the standard error is
# sqrt(2 x 0.625 / 5) = 0.5 with 8 degrees of freedom: t = 4, and t_0.975 = 2.306004, t_0.80 = 0.888890 (tables).
noise() {
    printf '%s000\n' 10000 11000 9000 10500 9500 > one
    printf '%s000\n' 12000 13000 11000 12500 11500 > two
}
noise
compare --warmup 0 --name old --name new --json b.json -- ./step one 15 -- ./step two 15 2> b.err
check 'five runs each' '5 5' "$(json b.json '"%d %d" % tuple(x["runs"] for x in r["results"])')"
check 'difference, freedom and t' '2.000000 8.000000 4.000000' "$(pair b.json '"%.6f %.6f %.6f" % tuple(c["energy_j"][k] for k in ("difference", "freedom", "t"))')"
check 'interval' '0.846998 3.153002' "$(pair b.json '"%.6f %.6f" % (c["energy_j"]["low"], c["energy_j"]["high"])')"
check 'percent of 10 J' '20.0000 8.4700 31.5300' "$(pair b.json '"%.4f %.4f %.4f" % tuple(c["energy_j"][k] for k in ("percent", "percent_low", "percent_high"))')"
check 'p of t = 4 with 8' '0.00395' "$(pair b.json '"%.5f" % c["energy_j"]["p"]')"
check 'g' True "$(pair b.json 'abs(c["energy_j"]["hedges_g"] - (1 - 3 / 31) * 2 / math.sqrt(0.625)) < 1e-9')"
check 'detectable' '1.59745 15.9745' "$(pair b.json '"%.5f %.4f" % (c["energy_j"]["detectable"], c["energy_j"]["detectable_percent"])')"
check 'kilograms have the same interval' True "$(pair b.json '(lambda k, e, f: abs(k["low"] - e["low"] / 3.6e6 * f) < 1e-15 and k["p"] == e["p"])(c["kgco2eq"], c["energy_j"], r["results"][0]["factor"]["kgco2eq_per_kwh"])')"
check 'one pair: nothing to correct' True "$(pair b.json 'c["p_holm"] == c["energy_j"]["p"]')"
check 'without a baseline gross is compared' 'gross more' "$(pair b.json '"%s %s" % (c["compared"], c["verdict"])')"
check_match 'named' "'new' uses 20.0 % more energy than 'old' \(95 % CI 8.5 to 31.5 %\)" "$(cat b.err)"
check 'A B A B by the job' 'one two one two one two one two one two' "$(tr '\n' ' ' < steps | sed 's/ $//')"
in_order='" ".join(n for _, n in sorted((w["started_at"], x["label"]) for x in r["results"] for w in x["windows"]["runs"]))'
check 'and by the record' 'old new old new old new old new old new' "$(json b.json "$in_order")"

# The same figures from files; they come of one series, so that nothing is said about drift.
split_results() {
    /usr/bin/python3 -c 'import json, sys
for i, x in enumerate(json.load(open(sys.argv[1]))["results"]):
    json.dump(x, open("%s%d.json" % (sys.argv[2], i), "w"), indent=1)' "$1" "$2"
}
split_results b.json b
"$carbon" compare b0.json b1.json --json c.json --csv c.csv --quiet 2> c.err
check 'files are compared' 0 $?
check 'and give the same' True "$(json c.json 'r["comparisons"] == json.load(open("b.json"))["comparisons"]')"
check 'records as they were read' True "$(json c.json 'r["results"] == json.load(open("b.json"))["results"]')"
check 'not measured now' 'None None None None' "$(json c.json '"%s %s %s %s" % (r["started_at"], r["ended_at"], r["order"], r["seed"])')"
check 'quiet: one line' "'new' uses 20.0 % more energy than 'old' (95 % CI 8.5 to 31.5 %)" "$(cat c.err)"
check_match 'bold' $'^\033\\[1m  .new. uses 20.0 % more' "$("$carbon" compare b0.json b1.json --color always 2>&1)"
check 'no drift' False "$(json c.json 'any("one after the other" in n["what"] for n in r["notices"])')"
printf '\xef\xbb\xbf' | cat - b1.json > bom.json
"$carbon" compare --name x -- b0.json bom.json 2> /dev/null
check 'behind -- a file is a command' 125 $?
"$carbon" compare --name x --json c2.json b0.json bom.json -q 2> c.err
check 'a mark of byte order is left out' '0 x new' "$? $(pair c2.json 'c["a"] + " " + c["b"]')"
check 'exact whole numbers survive' "$(grep -c 262143328911 b.json)" "$(grep -c 262143328911 c.json)"

# No difference.
noise
cp one two
compare --warmup 0 -q -- ./step one -- ./step two 2> d.err
check 'no verdict is no failure' 0 $?
check_match 'what would have been seen' "^undecided: no significant difference between 'B' and 'A': 0 J, \+0.0 % \(95 % CI -1.15 J to 1.15 J\); minimum detectable difference 16.0 %$" "$(cat d.err)"
compare --warmup 0 --runs 1 -q -- "$burn" tree intel-rapl:0 2000 -- "$burn" tree intel-rapl:0 3000 2> d.err
check 'one run each' "undecided: 'B' vs. 'A', one run of either, not testable (use --runs 5): 1.00 mJ, +50.0 %" "$(cat d.err)"
compare --warmup 0 --runs 2 -q -- true -- true 2> d.err
check_match 'nothing moved' "^undecided: 'B' vs. 'A' is unknown$" "$(cat d.err)"

# A modelled energy says so; the model follows the CPU time of this machine.
mkdir -p modelled/sys/devices/system/cpu modelled/proc
sed 's/Test CPU/Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz/' tree/proc/cpuinfo > modelled/proc/cpuinfo
ln -s /proc/stat modelled/proc/stat
echo 0 > modelled/sys/devices/system/cpu/online
"$carbon" compare --root modelled --baseline 0 --runs 2 --warmup 0 -q --json e.json \
    -- "$burn" --spin 50 -- "$burn" --spin 100 2> e.err
check_match 'modelled' "'B' uses [0-9.]+ % more energy than 'A' .*, by CPU time$" "$(cat e.err)"
check_match 'and in JSON' '^(more|noise) own modelled$' "$(pair e.json 'c["verdict"] + " " + c["compared"] + " " + r["results"][0]["quality"]')"

# Shuffled by a seed: the same again, and recorded.
order() {
    : > steps
    yes 1000 | head -20 > one
    cp one two
    compare --warmup 0 --runs 6 --order shuffled --json "$1" "${@:2}" -q -- ./step one -- ./step two 2> /dev/null
}
order s1.json --seed 5
cp steps steps5
order s2.json --seed 5
check 'the same order' "$(cat steps5)" "$(cat steps)"
check 'each once a round' True "$(/usr/bin/python3 -c 'w = open("steps").read().split(); print(all(w[i] != w[i + 1] for i in range(0, 12, 2)) and w != ["one", "two"] * 6)')"
check 'recorded' 'shuffled 5' "$(json s2.json '"%s %s" % (r["order"], r["seed"])')"
order s3.json
check 'a seed by chance is recorded too' True "$(json s3.json 'r["order"] == "shuffled" and isinstance(r["seed"], int)')"
cp steps steps3
order s4.json --seed "$(json s3.json 'r["seed"]')"
check 'and does it again' "$(cat steps3)" "$(cat steps)"

# A scan of two parameters; other braces are left alone, and each stands against the first.
compare --warmup 0 --runs 2 --parameter uj 1000,3000 --parameter ms=0,2 --json f.json --csv f.csv \
    -- "echo {\"a\": {uj}} >> said; '$burn' tree intel-rapl:0 {uj} {ms}" 2> f.err
check 'a scan' 'uj=1000, ms=0|uj=1000, ms=2|uj=3000, ms=0|uj=3000, ms=2' "$(json f.json '"|".join(x["label"] for x in r["results"])')"
check 'each against the first' 'uj=1000, ms=0' "$(json f.json '"|".join(sorted(set(c["a"] for c in r["comparisons"])))')"
check 'the values are put in' '0 0.002 0.002' "$(json f.json '" ".join("%g" % c["energy_j"]["difference"] for c in r["comparisons"])')"
check 'other braces stay' '{a: 1000}' "$(head -1 said)"
check 'rows' 4 "$(wc -l < f.csv)"
check_match 'p of all comparisons' 'with all 3 comparisons p < 0.0001' "$(cat f.err)"
check 'in several words' 'size=1 size=2' "$(compare --parameter size 1,2 --warmup 0 --runs 1 --json - -- "$burn" tree intel-rapl:0 '{size}' 2> /dev/null | /usr/bin/python3 -c 'import json, sys; print(" ".join(x["label"] for x in json.load(sys.stdin)["results"]))')"

# Holm: with many contenders a difference by its own interval may be none. t of 4 runs each, 6 degrees of freedom.
printf '%s000\n' 10000 11000 9000 10000 > one
printf '%s000\n' 11500 12500 10500 11500 > two
printf '%s000\n' 10100 11100 9100 10100 > three
printf '%s000\n' 10200 11200 9200 10200 > four
compare --warmup 0 --runs 4 --json h.json -- ./step one -- ./step two -- ./step three -- ./step four 2> h.err
check 'Holm by hand' True "$(json h.json '(lambda p, q: abs(q[0] - min(1, 3 * p[0])) < 1e-12 and abs(q[1] - 1) < 1e-12 and abs(q[2] - 1) < 1e-12)([c["energy_j"]["p"] for c in r["comparisons"]], [c["p_holm"] for c in r["comparisons"]])')"
check 'each by its own interval' 'more noise noise' "$(json h.json '" ".join(c["verdict"] for c in r["comparisons"])')"
check 't = 1.5 / sqrt(1/3) with 6 is 0.041' '0.041' "$(pair h.json '"%.3f" % c["energy_j"]["p"]')"
check_match 'and a note that together it is none' "after Holm's correction for 3 comparisons, 1 differences \(first: 'B'\) is not significant" "$(tr '\n' ' ' < h.err | tr -s ' ')"

# A command that fails on its third run: what was measured until then is reported.
cat > third << END
#!/bin/sh
echo >> count
[ \$(wc -l < count) -lt 3 ] || exit 9
exec '$burn' tree intel-rapl:0 2000
END
chmod +x third
compare --warmup 0 --json g.json -- ./third -- "$burn" tree intel-rapl:0 1000 2> g.err
check 'its status' 9 $?
check 'two runs of each are left' '2 2 False True' "$(json g.json '"%d %d %s %s" % (r["results"][0]["runs"], r["results"][1]["runs"], r["results"][0]["complete"], r["results"][1]["complete"])')"
check_match 'says which' "'A' failed in run 3" "$(cat g.err)"
check_match 'and compares' "'B' uses 50.0 % less energy than 'A'" "$(cat g.err)"
rm -f count
compare --warmup 0 --ignore-failure --json g.json -q -- ./third -- "$burn" tree intel-rapl:0 1000 2> g.err
check 'unless told otherwise' '9 5 5' "$? $(json g.json '"%d %d" % tuple(x["runs"] for x in r["results"])')"
rm -f g.json*
compare --warmup 0 --json g.json -- ./nothing-here x -- touch "$work/ran" 2> g.err
check 'not found' 127 $?
check_match 'says so' "cannot run './nothing-here'" "$(cat g.err)"
check 'nothing is left' '' "$(ls g.json* 2> /dev/null)"
compare --warmup 0 --json g.json -- "$burn" tree intel-rapl:0 1000 -- ./nothing-here x 2> g.err
check 'the second is not found' '127 g.json.partial' "$? $(ls g.json*)"
check 'what the first did is kept' 1 "$(json g.json.partial 'r["results"][0]["runs"]')"
check 'only what was first ran' no "$([ -e "$work/ran" ] && echo yes || echo no)"

# Records that cannot be compared, and what is told of those that can.
change() { /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
exec(sys.argv[3])
json.dump(r, open(sys.argv[2], "w"))' "$@"; }
refused() {
    change b1.json x.json "$2"
    "$carbon" compare -v b0.json x.json --json x-out.json > x.out 2> x.err
    check "$1: refused" '125 ' "$? $(ls x-out.json* 2> /dev/null)"
    check_match "$1: why" "$3" "$(tr '\n' ' ' < x.err)"
    check_match "$1: what helps" 'fix: ' "$(cat x.err)"
}
refused 'another machine' 'r["machine"]["cpu_model"] = "Other"' "cannot be compared.*processor.*'Test CPU'.*'Other'"
refused 'another source' 'r["sources"] = ["perf"]' 'powercap.*perf'
refused 'another scope' 'r["scope"] = "platform"' 'scope compute.*scope platform'
refused 'another quality' 'r["quality"] = "modelled"' "'measured'.*'modelled'"
refused 'another version' 'r["schema"] = "carbon.record/9"' "another version of carbon.*carbon.record/9"
refused 'no run' 'r["windows"]["runs"] = []' 'holds no finished run'
change b1.json x.json 'r["complete"] = False'
"$carbon" compare -v b0.json x.json --json x.out.json 2> x.err
check 'a partial one is compared' 0 $?
check_match 'and told' "'x.json' is not complete" "$(cat x.err)"
change b1.json x.json 'r["factor"]["kgco2eq_per_kwh"] = 0.5'
"$carbon" compare -v b0.json x.json --json x.out.json 2> x.err
check 'another factor: no kilograms' '0 2.0 None None' "$? $(pair x.out.json '"%.1f %s %s" % (c["energy_j"]["difference"], c["kgco2eq"]["difference"], c["kgco2eq"]["p"])')"
check_match 'and told' "the emissions of 'old' and 'new' are not comparable" "$(cat x.err)"
change b1.json x.json 'r["started_at"] = "2099" + r["started_at"][4:]; r["ended_at"] = "2099" + r["ended_at"][4:]'
"$carbon" compare b0.json x.json 2> x.err
check_match 'one after the other' 'measured one after the other, not interleaved' "$(cat x.err)"
"$carbon" compare b0.json b0.json b0.json 2> x.err
check '125 and told: the same thrice' "125 carbon: two results are called 'b0.json'" "$? $(head -1 x.err)"
"$carbon" compare b0.json absent.json 2> x.err
check '125 and told: absent' "125 carbon: cannot read 'absent.json'" "$? $(head -1 x.err)"

# Usage: each is told before anything is run, with what would mend it.
usage() {
    compare "${@:3}" > u.out 2> u.err
    check "$1: refused" 125 $?
    check_match "$1" "$2" "$(tr '\n' ' ' < u.err)"
    check_match "$1: what helps" 'fix: |try: ' "$(cat u.err)"
}
ran="touch $work/ran"
usage 'nothing' "needs two or more records or commands"
usage 'one command' 'needs two or more commands' -- "$ran"
usage 'one file' "needs two or more records or commands" b0.json
usage 'files and commands' "'b0.json' is before '--'" b0.json -- "$ran"
usage 'the first --' "'$ran' is before '--'" "$ran" -- "$ran"
usage 'an empty command' 'command 2 is empty' -- "$ran" -- '' -- "$ran"
usage 'a blank command' 'command 1 is empty' -- '  ' -- "$ran"
usage 'an empty end' 'command 3 is empty' -- "$ran" -- "$ran" --
many=()
for ((i = 0; i < 27; i++)); do many+=(-- "$ran"); done
usage 'too many' 'more than 26 commands' "${many[@]}"
usage 'the same name' "name 'x' is given twice" --name x --name x -- "$ran" -- "$ran"
usage 'too many names' "'z' has no command" --name x --name y --name z -- "$ran" -- "$ran"
usage 'a name that is a letter' "two commands are called 'B'" --name B -- "$ran" -- "$ran"
usage 'a parameter and two commands' 'needs one command, and there are 2' --parameter x 1,2 -- "$ran" -- "$ran"
usage 'how to measure, and files' '--runs cannot be used to compare records' --runs 3 b0.json b1.json
"$carbon" compare b0.json b1.json --zone DE 2> u.err
check '125 and told: an option that would do nothing' '125 carbon: --zone cannot be used to compare records' "$? $(head -1 u.err)"
usage 'a seed of no order' '--seed cannot be used' --seed 3 -- "$ran" -- "$ran"
"$carbon" compare --parameter x 1,2 b0.json b1.json 2> u.err
check '125 and told: a parameter and files' '125 carbon: --parameter cannot be used to compare records' "$? $(head -1 u.err)"
usage 'a parameter that is nowhere' "'x' stands nowhere" --parameter x 1,2 -- "$ran {y}"
usage 'one value' 'one value each' --parameter x 1 -- "$ran {x}"
usage 'too many values' 'too many values' --parameter x "$(seq -s , 101)" -- "$ran {x}"
usage 'an empty value' 'holds an empty one' --parameter x 1,,2 -- "$ran {x}"
usage 'a value twice' "'1' is given twice" --parameter x=1,1 -- "$ran {x}"
usage 'a parameter twice' "'x' is given twice" --parameter x=1,2 --parameter x 3,4 -- "$ran {x}"
usage 'a name that is none' "'{x' cannot be the name" --parameter '{x' 1,2 -- "$ran {x}"
usage 'no values' 'needs values too' --parameter x --runs 3 -- "$ran {x}"
usage 'no order' 'needs interleaved or shuffled' --order random -- "$ran" -- "$ran"
usage 'no zone' "unknown zone 'UKX'" --zone UKX -- "$ran" -- "$ran"
usage 'both on standard output' 'cannot both be standard output' --json - --csv - -- "$ran" -- "$ran"
usage 'no such folder' 'nothing has been run' --json /no/such/folder/x.json -- "$ran" -- "$ran"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"

# SIGKILL in the middle: the document so far is readable, and its records are.
"$carbon" compare --root tree --baseline 0 --warmup 0 --runs 2 --json k.json --csv k.csv -- "$burn" tree intel-rapl:0 3000 \
    -- 'echo $$ > sleeper; exec sleep 30' 2> /dev/null &
until_true test -s sleeper
until_true says k.json.partial 'r["results"][0]["runs"]' 1
kill -KILL $!
wait $! 2> /dev/null
kill "$(cat sleeper)"
check 'a partial comparison survives a kill' '1 False 0 unknown' "$(json k.json.partial '"%d %s %d %s" % (r["results"][0]["runs"], r["results"][0]["complete"], r["results"][1]["runs"], r["comparisons"][0]["verdict"])')"

# SIGTERM in the baseline: nothing was run.
"$carbon" compare --root tree --baseline 30 --settle 0 --json y.json --ready-fd 5 -- "$ran" -- "$ran" 2> y.err 5> begun &
until_true grep -sqx baseline begun
kill -TERM $!
wait $!
check 'terminated in the baseline' 143 $?
check_match 'says so' 'interrupted before a command was run' "$(cat y.err)"

# The configuration: runs of compare are its own.
mkdir -p "$HOME/.config/carbon"
printf '[compare]\nruns = 2\nwarmup = 0\n[measure]\nruns = 3\n' > "$HOME/.config/carbon/config"
compare --json o.json -q -- "$burn" tree intel-rapl:0 1000 -- "$burn" tree intel-rapl:0 1000 2> /dev/null
check 'runs of the configuration' '2 0' "$(json o.json '"%d %d" % (r["results"][1]["runs"], r["results"][1]["warmups"])')"
check_match 'carbon config tells both' '^ runs \(compare\) +2 ' "$("$carbon" config)"
rm "$HOME/.config/carbon/config"

wait $constant
check 'a constant source' 0 $?
check 'cannot tell' "not-measurable undecided: 'B' vs. 'A' is not measurable: the source reports constant power" "$(pair constant.json 'c["verdict"] + " " + c["sentence"]')"

sh "$source/tests/check-schema.sh" a.json b.json c.json c2.json e.json s1.json s3.json f.json g.json.partial h.json k.json.partial o.json \
    constant.json x.out.json > schema.out
[ $? = 77 ] || check 'every document keeps to the schema' "14 documents keep to their schemas" "$(cat schema.out)"

finish
