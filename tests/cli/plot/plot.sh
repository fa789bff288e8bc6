#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon plot: what carbon measure wrote, as charts in the terminal and by gnuplot.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
burn="$helpers/burn"
measure() { "$carbon" measure --root tree "$@" 2> /dev/null; }
# change FILE EXPRESSION: the record r after a statement of Python.
change() {
    /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(r, sys.stdout)' "$1" "$2"
}

measure --baseline 0 --json one.json -- "$burn" tree intel-rapl:0 5000000 100
measure --baseline 0 --json two.json -- "$burn" tree intel-rapl:0 10000000 100
# 8, 10 and 12 J; what the label of a command may hold
hostile='"; system("touch PWNED"); # `touch PWNED` $(touch PWNED) @macro a_b^{c} 50%d %s {/Bold x} <b>&'
measure --baseline 0 --runs 3 --json three.json -- sh -c "n=\$(cat n 2> /dev/null || echo 8)
echo \$((n + 2)) > n; exec '$burn' tree intel-rapl:0 \${n}000000 60"
for _ in 1 2 3 4 5; do "$burn" tree intel-rapl:0:0 500000 200; done &
measure --baseline 0.4 --json time.json --samples time.csv --interval 0.05 -- "$burn" tree intel-rapl:0 12000000 400
wait
change three.json 'r["label"] = """'"$hostile"'"""' > hostile.json

# The terminal: whole charts. 60 columns, one of them free: 28 cells for 13 J.
for file in one two three; do
    change $file.json "r['label'] = 'the job $file'
for run in r['windows']['runs']: run['net_j'] = run['gross_j']
r['net_interval_j'] = {'low': 7, 'high': 13} if '$file' == 'three' else None" > $file-net.json
done
check 'net energies with their interval' "$(
    echo 'Net energy per run'
    echo 'net energy per run, in J'
    printf '%-13s %-28s %16s\n' 'the job one' '###########' '5.00 J' 'the job two' '######################' '10.0 J' \
        'the job three' '###############[-----+-----]' '10.0 J +- 3.00 J'
    printf '%14s%-6s%22s\n' '' '0 J' '13.0 J'
    echo 'scope compute, measured; 1 to 3 runs; error bars: 95 %'
    echo 'interval of the mean; counters of a recorded machine'
)" "$("$carbon" plot --width 60 one-net.json two-net.json three-net.json 2> err)"
check 'nothing to note' '' "$(cat err)"
check 'eighths in a UTF-8 locale' '███████████████├──────┼─────┤' \
    "$(LC_ALL=C.UTF-8 "$carbon" plot --width 60 one-net.json two-net.json three-net.json | sed -n '5s/the job three \([^ ]*\) .*/\1/p')"
check 'one of them has no net: gross of all' 'gross energy per run, in J' \
    "$("$carbon" plot one-net.json two.json | sed -n 2p)"
for file in one two; do
    change $file.json "r['own_method'] = 'cpu-time'
for run in r['windows']['runs']: run['own_j'] = run['gross_j'] / 2" > $file-own.json
done
check 'all tell own by CPU time' 'Own energy per run|2.50 J|5.00 J' \
    "$("$carbon" plot one-own.json two-own.json | sed -n '1p; s/^burn .* \([0-9.]* J\)$/\1/p' | paste -sd '|')"
check_match 'which is said' 'by CPU time; 1 run' "$("$carbon" plot one-own.json two-own.json | tail -1)"
check 'one of them does not' 'gross energy per run, in J' "$("$carbon" plot one-own.json two.json | sed -n 2p)"
check_match "8, 10 and 12 J: Student's interval is t_0.975(2) * 2 J / sqrt(3)" '10.0 J \+- 4.97 J$' "$("$carbon" plot three.json)"
check 'a title of its own' 'What it costs' "$("$carbon" plot --title 'What it costs' one.json | head -1)"
check_match 'the command, the program without its folder' '^burn tree intel-rapl:0 5000000 100 ' \
    "$("$carbon" plot --width 100 one.json)"
check 'colour when asked for' 1 "$("$carbon" plot --color always one.json | grep -c $'\033\\[32m###')"
for width in 40 80 200; do
    check "$width columns at most" '' \
        "$("$carbon" plot --width $width one-net.json hostile.json three-net.json | sed 1,2d | grep -v '^scope' | awk -v w=$width 'length > w')"
done

# A comparison is a document of records.
/usr/bin/python3 -c 'import json
print(json.dumps({"schema": "carbon.comparison/1", "results": [json.load(open(f)) for f in ("one-net.json", "three-net.json")]}))' \
    > comparison.json
check 'a comparison' "$("$carbon" plot one-net.json three-net.json)" "$("$carbon" plot comparison.json)"
echo '{"schema": "carbon.comparison/1", "results": []}' > none.json
check 'a comparison of nothing' "carbon: 'none.json' is malformed
   why: it compares no results" "$("$carbon" plot none.json 2>&1)"

# Power over time.
chart=$("$carbon" plot --width 80 time.csv time.json 2> err)
check 'the name of the command' 'burn tree intel-rapl:0 12000000 400' "$(head -1 <<< "$chart")"
check_match 'the total' '^total .*mean [0-9.]+ W, peak [0-9.]+ W$' "$chart"
check_match 'a row for each domain' '^dram-0 .*mean' "$chart"
gap=$(json time.json '(lambda b, run: 1 + math.ceil((run["start_s"] - b["start_s"] - b["duration_s"]) / (run["start_s"] + run["duration_s"]) * 80))(
    r["windows"]["baselines"][0], r["windows"]["runs"][0])')
check_match 'first the baseline, then the run' "^ +b+[ br]{0,$gap}r+ +b baseline, w warm-up, r run\$" "$chart"
idle=$(json time.json '(lambda w: ("%#.3g" % (w if w >= 1 else w * 1e3)).rstrip(".") + (" W" if w >= 1 else " mW"))(
    sum(r["windows"]["baselines"][0]["energy_uj"][:2]) / 1e6 / r["windows"]["baselines"][0]["duration_s"])')
check_match 'the power of the baseline' "^idle \(mean of the baseline\): $idle" "$chart"
check 'columns' '' "$(awk 'length > 80' <<< "$chart")"
check 'the other way round' "$chart" "$("$carbon" plot --width 80 time.json time.csv)"
check_match 'without the record no total' 'no total: .*does not say which' \
    "$("$carbon" plot time.csv 2>&1 > out | tr '\n' ' ')"
check_absent 'and none is drawn' '^total' "$(cat out)"
change time.json 'r["windows"]["runs"][0]["marks"] = [{"name": "load", "at_s": 0.1}, {"name": "rest", "at_s": 0.3}]' > phases.json
check_match 'phases' '^run 1: load at 100 ms, 200 ms$' "$("$carbon" plot time.csv phases.json)"
change one.json 'r["started_at"] = r["ended_at"] = "2020-02-29T12:00:00.000Z"' > before.json
check "the record of another time" "carbon: 'before.json' is not the record of 'time.csv'" \
    "$("$carbon" plot time.csv before.json 2>&1 | head -1)"
change time.json 'r["domains"][0]["name"] = "package-1"' > other.json
check 'a record of other domains' "carbon: 'other.json' is not the record of 'time.csv'
   why: its counted domain package-1 has no column there
   fix: give the record and the time series of one 'carbon measure'" "$("$carbon" plot time.csv other.json 2>&1)"
check 'two records for one series' 125 "$("$carbon" plot time.csv time.json one.json > /dev/null 2>&1; echo $?)"
check 'two series' 125 "$("$carbon" plot time.csv time.csv > /dev/null 2>&1; echo $?)"

# Records that differ are drawn with a note, and what cannot be drawn is refused.
change one.json 'r["scope"] = "machine"' > machine.json
"$carbon" plot one.json machine.json > out 2> err
check 'they are drawn' 0 $?
check_match 'with a note' 'one is of scope compute, the other of scope machine' "$(tr '\n' ' ' < err)"
check_match 'each with its scope' '^machine, measured: burn ' "$("$carbon" plot --width 120 one.json machine.json 2> /dev/null)"
change one.json 'r["complete"] = False' > one.json.partial
check_match 'a partial record' "'one.json.partial' is not complete: 1 run had ended" \
    "$("$carbon" plot one.json.partial 2>&1 > /dev/null)"
head -c 1000 one.json > cut.json
refused() {
    local message=$1
    shift
    PATH=${gnuplot_in:-$PATH} "$carbon" plot "$@" > out 2> err
    check "$message: status" 125 $?
    check_match "$message" "$message" "$(tr '\n' ' ' < err)"
    check "$message: nothing on standard output" '' "$(cat out)"
}
refused "'cut.json' is not valid JSON.*the file is truncated" cut.json
change one.json 'r["schema"] = "carbon.record/2"' > newer.json
refused "another version of carbon.*'carbon.record/2'" newer.json
echo '{"schema": "carbon.estimate/1"}' > estimate.json
refused "'carbon.estimate/1', not 'carbon.record/1'" one.json estimate.json
change one.json 'r["windows"]["runs"][0]["ended"] = False' > running.json
refused "'running.json' holds no finished run" running.json
measure --baseline 0 --csv result.csv -- "$burn" tree intel-rapl:0 1000000 100
refused "'result.csv' is not a time series of carbon.*table of results" result.csv
head -c -5 time.csv > cut.csv
refused "'cut.csv' line [0-9]+, column|'cut.csv' holds|less than before|header has" cut.csv
head -3 time.csv | sed '$s/,[0-9]*,[0-9]*,$//' > short.csv
refused "the header has 7 columns, this record 4.*remove that line" short.csv
refused "cannot read 'no-such-file'" no-such-file
refused "needs an argument"
change one.json 'r["windows"]["runs"][0]["gross_j"] = None' > unknown.json
refused "nothing to draw" unknown.json

# Files. The form is told before anything is read.
for name in x.jpg x - .svg; do
    refused 'ends in none of .svg, .png and .pdf' --output "$name" no-such-file
done
refused "cannot write '/no/such/folder/x.svg'" -o /no/such/folder/x.svg one.json
mkdir empty
gnuplot_in=$PWD/empty
refused 'it is not installed \(Debian: gnuplot-nox\).*leave --output out' -o x.svg one.json
check 'no file is left' '' "$(ls x.svg* 2> /dev/null)"
mkdir fake
printf '#!/bin/sh\nprintf half\necho >&2\necho "  line 7: it is tired" >&2\nexit 3\n' > fake/gnuplot
chmod +x fake/gnuplot
echo before > kept.svg
gnuplot_in=$PWD/fake:$PATH
refused 'gnuplot could not draw the chart.*status 3: it is tired' -o kept.svg one.json
check 'what was there is still there' 'before kept.svg' "$(cat kept.svg) $(ls kept.svg*)"
printf '#!/bin/sh\nexit 0\n' > fake/gnuplot
refused 'gnuplot could not draw the chart' -o x.svg one.json
check 'no file is left either' '' "$(ls x.svg* 2> /dev/null)"
gnuplot_in=

if ! command -v gnuplot > /dev/null; then
    echo 'not tested: what gnuplot draws (no gnuplot)'
    finish
fi

# texts FILE: each text of an SVG file on a line; fails where it is no XML.
texts() {
    /usr/bin/python3 -c 'import sys, xml.etree.ElementTree as tree
for node in tree.parse(sys.argv[1]).getroot().iter():
    if node.tag.endswith("}text"):
        print("".join(node.itertext()).strip())' "$1"
}

"$carbon" plot -o bars.svg one-net.json two-net.json three-net.json
check 'drawn' 0 $?
check 'only the file' bars.svg "$(ls bars.svg*)"
texts bars.svg > texts
check 'labels, axis, title, legend' '9' "$(grep -cxE 'the job (one|two|three)|net energy per run( \(J\))?|Net energy per run|95 % interval of the mean|5.00 J|scope compute, measured; .*' texts)"
# The bars' heights: 5, 10 and 10 J.
check 'heights are as the energies' '1.0 2.0 2.0' "$(/usr/bin/python3 -c '
import re, sys
text = open(sys.argv[1]).read()
heights = []
# a box of gnuplot is a closed path of its corners
for path in re.findall(r"<polygon[^>]*points *= *[\"\x27]([^\"\x27]*)|<path[^>]*d=\x27([^\x27]*)Z", text):
    points = re.findall(r"([-0-9.]+),([-0-9.]+)", path[0] or path[1])
    ys = [float(y) for x, y in points]
    xs = [float(x) for x, y in points]
    if len(points) in (4, 5) and 20 < max(xs) - min(xs) < 500 and max(ys) - min(ys) > 20:
        heights.append(max(ys) - min(ys))
heights = [h for h in heights if h < 500]
least = min(heights)
print(" ".join("%.1f" % (h / least) for h in heights[:3]))' bars.svg)"
"$carbon" plot -o hostile.svg hostile.json one.json --title "$hostile"
check 'a hostile label is drawn' 0 $?
texts hostile.svg > texts
check 'as it stands' "$hostile" "$(grep -Fx "$hostile" texts)"
check_match 'under its bar too, cut' '^"; system\("touch PWNED"\); #…$' "$(cat texts)"
check 'a percent sign in a label' '50%d %s' "$(change one.json 'r["label"] = "50%d %s"' > percent.json
    "$carbon" plot -o percent.svg percent.json && texts percent.svg | grep -Fx '50%d %s')"
check 'and nothing of it is done' '' "$(find . -name 'PWNED*')"

"$carbon" plot -o time.svg time.csv phases.json
check 'power over time is drawn' 0 $?
texts time.svg > texts
check 'its texts' '8' "$(grep -cxE 'package-0|dram-0|total \(scope compute\)|idle \(mean of the baseline\)|power \(W\)|time since the meter was opened \(s\)|baseline|load' texts)"
"$carbon" plot -o time.png time.csv time.json && "$carbon" plot -o BARS.PDF one.json two.json
check 'PNG and PDF' 0 $?
check 'each what its name says' $'\x89PNG %PDF' "$(head -c 4 time.png) $(head -c 4 BARS.PDF)"
check 'over a file that is there' bars.svg "$("$carbon" plot -o bars.svg one.json && ls bars.svg*)"
echo 'system("touch PWNED")' > "$HOME/.gnuplot"
"$carbon" plot -o bars.svg one.json
check "the user's own start-up file is not read" '' "$(find . -name 'PWNED*')"

finish
