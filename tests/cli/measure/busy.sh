#!/bin/bash
# SPDX-License-Identifier: MIT
# Baselines of machines that are not idle: this one, kept full by the test, and one whose load the test sets.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

act=$helpers/act

# What the record says of its baselines comes out of their windows: CPUs that others than carbon kept busy.
told() { # FILE KEY BUSY
    check "$2 of $1" True "$(json "$1" '(lambda bs: abs(r["'"$2"'"] - sum(max(0, b["'"$3"'"] - b["carbon_busy_s"]) for b in bs) /
        sum(b["duration_s"] for b in bs)) < 1e-9)(r["windows"]["baselines"])')"
}

# A job of two CPU seconds beside as many busy loops as there are CPUs, without a sensor.
full
"$carbon" measure -v --source model --baseline 1.5 --json full.json --csv full.csv --html full.html -- "$act" spin 2.02 2> full.err
check 'a full machine: it is measured' 0 $?
told full.json baseline_busy_cpus machine_busy_s
told full.json baseline_busy_mask_cpus mask_busy_s
check 'none is to spare' True "$(json full.json 'r["baseline_busy_mask_cpus"] > r["mask_cpus"] - 0.5')"
check 'so there is no idle baseline, and no constant' no-idle-baseline "$(json full.json 'r["verdict"]')"
said=$(tr -s '\n ' ' ' < full.err)
check_match 'in the table' "in the baseline other processes kept [0-9.]+ of [0-9]+ CPUs? busy" "$said"
check_match 'in the verdict' 'net unknown: no idle baseline' "$said"
check_match 'own stands first, and net says that it says nothing' \
    'own [0-9.]+ .{0,2}gCO2eq = .* gross [0-9.]+ .{0,2}gCO2eq = .* net n/a: no idle baseline, it says nothing of the command' "$said"
check_match 'nor does the total' ' total +[0-9.]+ m?J +[0-9.]+ m?J +n/a +[0-9.]+ m?W +[0-9.]+ m?W +n/a ' "$said"
check_match 'nor the page' 'net: no idle baseline' "$(cat full.html)"
check 'the record keeps it' True "$(json full.json 'r["net_j"]["mean"] is not None and r["emissions"]["net"]["kgco2eq"] is not None')"
check_match 'in a line' '^[0-9.e-]+ J modelled own [0-9.e-]+ kgCO2eq$' \
    "$("$carbon" measure -v --quiet --source model --baseline 0.5 -- "$act" spin 0.1 2>&1)"
check_match 'in a notice' 'note: the baseline was not idle: other processes kept [0-9.]+ of .* CPUs busy.*: no CPU was to spare' "$said"
check_match 'and what helps' 'hint: stop other load' "$said"
check_absent 'nothing of a constant, or of noise' 'constant power|below the meter|within the baseline' "$said"
check 'the kind of the notice' True "$(json full.json 'any(n["kind"] == "busy-baseline" for n in r["notices"])')"
check 'in the CSV' True "$(/usr/bin/python3 -c 'import csv, json
row, r = next(csv.DictReader(open("full.csv"))), json.load(open("full.json"))
print(row["verdict"] == r["verdict"] and all(float(row[k]) == r[k] for k in ("baseline_busy_cpus", "baseline_busy_mask_cpus", "mask_cpus")))')"
check_match 'it comes out again' 'recalculated, all identical' "$("$carbon" verify full.json 2>&1)"
"$carbon" compare --source model --baseline 0.6 --settle 0 --runs 2 --warmup 0 --json two.json -- "'$act' spin 0.3" -- "'$act' spin 0.1" > two.out 2>&1
check 'two commands: by CPU time, not by net' 'own less True' \
    "$(json two.json '"%s %s %s" % (r["comparisons"][0]["compared"], r["comparisons"][0]["verdict"], -75 < r["comparisons"][0]["energy_j"]["percent"] < -55)')"
check_match 'in words' "'B' uses [0-9.]+ % less energy than 'A' .*, by CPU time" "$(tr -s ' \n' ' ' < two.out)"
not_full

# Pinned onto another's CPU: that CPU is full, whatever the others do.
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
full "$first"
"$carbon" measure -v --source model --cpus "$first" --baseline 1.5 --json pinned.json -- "$act" spin 0.1 2> pinned.err
taskset -c "$first" "$carbon" measure -v --source model --baseline 1.5 --json taskset.json -- "$act" spin 0.1 2> taskset.err
not_full
for file in pinned.json taskset.json; do
    told $file baseline_busy_cpus machine_busy_s
    told $file baseline_busy_mask_cpus mask_busy_s
    check "one CPU: $file" '1 True no-idle-baseline' "$(json $file '"%s %s %s" % (r["mask_cpus"], r["baseline_busy_mask_cpus"] > 0.5, r["verdict"])')"
    check "its time is a part of the machine's: $file" True "$(json $file 'all(b["mask_busy_s"] <= b["machine_busy_s"] + 0.1 for b in r["windows"]["baselines"])')"
done
[ "$(nproc --all)" = 1 ] || check_match 'its own CPU is told apart' 'of the 1 CPU that the command may use they kept [0-9.]+ busy' "$(cat pinned.err)"

# A recorded machine of one CPU, of which others use a fifth in the baseline: not idle, and not full. The test moves its time.
zone tree 262143328850 1000000
idle tree
/usr/bin/python3 - << 'END' &
import os, time
fd, start = os.open("tree/proc/stat", os.O_RDWR), time.monotonic()
while not os.path.exists("stop"):
    os.pwrite(fd, b"cpu  %012d 0 0 %012d 0 0 0 0 0 0\n" % (int((time.monotonic() - start) * 20), 1), 0)
    time.sleep(0.005)
END
"$carbon" measure -v --root tree --baseline 2 --settle 0 --json fifth.json -- sleep 0.5 2> fifth.err
touch stop
wait
check 'a fifth of a CPU' True "$(json fifth.json '(lambda x: abs(x - 0.2) < 0.03 or x)(r["baseline_busy_cpus"])')"
check_match 'is not idle' 'the baseline was not idle: other processes kept 0\.[12][0-9] of 1 CPUs busy: idle includes their energy' "$(tr -s '\n ' ' ' < fifth.err)"
check 'and not full' False "$(json fifth.json 'r["verdict"] == "no-idle-baseline"')"
"$carbon" measure -v --root tree --baseline 0.5 --settle 0 --json idle.json -- sleep 0.1 2> idle.err
check 'an idle machine' '0 False' "$(json idle.json '"%g %s" % (r["baseline_busy_cpus"], any(n["kind"] == "busy-baseline" for n in r["notices"]))')"

# A record from before that is read: its CPUs were all, so that theirs is the machine's time.
/usr/bin/python3 - << 'END'
import json
r = json.load(open("full.json"))
r["minor"] = 2
for key in ("baseline_busy_cpus", "baseline_busy_mask_cpus", "mask_cpus"):
    del r[key]
for w in r["windows"]["baselines"] + r["windows"]["runs"]:
    for key in ("mask_busy_s", "mask_cpus", "carbon_busy_s"):
        del w[key]
json.dump(r, open("old.json", "w"))
END
check_match 'an older record comes out again' 'recalculated, all identical' "$("$carbon" verify old.json 2>&1)"

srcdir=$source sh "$source/tests/check-schema.sh" full.json pinned.json fifth.json idle.json two.json > schema.out
[ $? = 77 ] || check 'every document keeps to the schema' '5 documents keep to their schemas' "$(cat schema.out)"

finish
