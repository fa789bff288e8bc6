#!/bin/bash
# SPDX-License-Identifier: MIT
# Domains held against one another: what repeats another counts once, what contradicts is not shown as measured, and each
# finding is one notice. In measure, compare, batch, probe, pipeline, sources --watch, serve.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

reach=262143328850

# told PATTERN: how many notices of the record say that.
told() {
    record "sum(__import__('re').search(r'$1', n['what']) is not None for n in r['notices'])"
}

# of NAME FIELD: of a domain of the record.
of() {
    record "[d for d in r['domains'] if d['name'] == '$1'][0]$2"
}

# A job that adds 100 J to both packages of a tree, as if they were one; both are written within microseconds.
cat > rise << 'END'
#!/bin/bash
zones=${1:-all}/sys/class/powercap
now=$(printf %020d $((10#$(cat "$zones/intel-rapl:0/energy_uj") + 100000000)))
echo "$now" 1<> "$zones/intel-rapl:0/energy_uj"
echo "$now" 1<> "$zones/intel-rapl:1/energy_uj"
sleep 0.2
END
chmod +x rise

# Two packages, two memories that are one each: one counts, the other repeats it, and the total says that it is incomplete.
zone one $reach 5000000000 intel-rapl:0=package-0 intel-rapl:1=package-1 intel-rapl:0:0=dram intel-rapl:1:0=dram
move one 0.4 intel-rapl:0=300000000 intel-rapl:1=300000000 intel-rapl:0:0=70000000 intel-rapl:1:0=70000000
check 'mirrors: status' 0 $status
check 'each counts once' '370 measured' "$(gross_j) $(record 'r["quality"]')"
check 'the second does not count' 'False False' "$(of package-1 "['counted']") $(of dram-1 "['counted']")"
check 'its reason' 'repeats package-0: the same joules' "$(of package-1 "['reason']")"
check 'one notice a finding' '1 1' "$(told 'total incomplete: package-0 and package-1 report the same joules, and one of them is counted') $(told 'total incomplete: dram-0 and dram-1 report the same joules')"
check_match 'the record comes out again' 'recalculated, all identical' "$("$carbon" verify r.json)"

# Equal once, and two: 1 % apart.
move one 0.4 intel-rapl:0=300000000 intel-rapl:1=303000000
check 'two are two' '603 0' "$(gross_j) $(told 'report the same joules')"

# Two sensors of one kind, as the driver amd_energy shows sockets.
mkdir -p sensors/proc sensors/sys/class/hwmon/hwmon0
cp one/proc/cpuinfo sensors/proc
for socket in 0 1; do
    echo "Esocket$socket" > "sensors/sys/class/hwmon/hwmon0/energy$((socket + 1))_label"
    printf '%020d\n' $((7000000 * (socket + 1))) > "sensors/sys/class/hwmon/hwmon0/energy$((socket + 1))_input"
done
echo amd_energy > sensors/sys/class/hwmon/hwmon0/name
for socket in 1 2; do
    echo "0.2 sensors/sys/class/hwmon/hwmon0/energy${socket}_input $((7000000 * socket + 150000000))"
done > sensors.plan
echo '0.4 - end' >> sensors.plan
measure sensors -- /usr/bin/python3 -B "$source/tests/machines/play.py" sensors.plan
check 'sensors: status' 0 $status
check 'one of both counts' '150 [True, False]' "$(gross_j) $(record '[d["counted"] for d in r["domains"]]')"
check 'and it is said' 1 "$(told 'total incomplete: .* report the same joules, and one of them is counted')"

# 64 packages that are one: one notice.
zones=()
for package in $(seq 0 63); do
    zones+=("$(printf 'intel-rapl:%x=package-%d' "$package" "$package")")
done
zone many $reach 5000000000 "${zones[@]}"
move many 0.4 "${zones[@]/=*/=200000000}"
check 'many: counted once' 200 "$(gross_j)"
check 'many: one notice' '1 1' "$(told 'package-0 to package-63 report the same joules') $(told 'package-.*joules')"

# A guest of them: nothing is trusted.
cp -r many guest
sed -i 's/^flags.*/flags\t\t: fpu hypervisor/' guest/proc/cpuinfo
move_options=(--source powercap) # otherwise none of them is believed from the beginning
move guest 0.4 "${zones[@]/=*/=200000000}"
move_options=()
check 'guest: status' 0 $status
check 'guest: nothing is measured' 'None unknown []' "$(gross_j) $(record 'r["quality"]') $(record '[d for d in r["domains"] if d["counted"]]')"
check 'guest: one notice' '1 1' "$(told 'of this guest report the joules of 1, so none of its counters is trusted') $(told 'package-.*joules')"

# The cores above their package.
zone parts $reach 5000000000 intel-rapl:0=package-0 intel-rapl:0:0=core
move parts 0.4 intel-rapl:0=300000000 intel-rapl:0:0=400000000
check 'a part above its whole' '300 None unknown 1' "$(gross_j) $(of core-0 "['gross_j']['mean']") $(of core-0 "['quality']") $(told 'core-0 used 400.0 J, more than package-0, which contains it \(300.0 J\)')"
check_match 'the record of a doubt comes out again' 'recalculated, all identical' "$("$carbon" verify r.json)"

# psys below the packages: beside the total, and as the total.
zone board $reach 5000000000 intel-rapl:0=package-0 intel-rapl:1=psys
move board 0.4 intel-rapl:0=300000000 intel-rapl:1=200000000
check 'psys beside' '300 measured None 1' "$(gross_j) $(record 'r["quality"]') $(of psys "['gross_j']['mean']") $(told 'the components \(300.0 J\) are above psys of powercap \(200.0 J\)')"
echo "0.2 board/sys/class/powercap/intel-rapl:0/energy_uj 5600000000
0.2 board/sys/class/powercap/intel-rapl:1/energy_uj 5400000000
0.4 - end" > move.plan
measure board --scope platform -- /usr/bin/python3 -B "$source/tests/machines/play.py" move.plan
check 'psys as the total' 'None unknown 1' "$(gross_j) $(record 'r["quality"]') $(told 'the components \(300.0 J\) are above psys of powercap \(200.0 J\)')"

# A model above the meter of the board that contains it: a processor at rest is told to draw 12.3 W, 4.9 W at least.
zone modelled $reach 5000000000
echo broken > modelled/sys/class/powercap/intel-rapl:0/energy_uj
sed -i 's/^model\t.*/model\t\t: 158/; s/^model name.*/model name\t: Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz/; s/^stepping.*/stepping\t: 13/' \
    modelled/proc/cpuinfo
sensor=modelled/sys/class/hwmon/hwmon0
mkdir -p $sensor
echo power_meter > $sensor/name
echo 1000 > $sensor/power1_average_interval
cat > rest << 'END'
#!/usr/bin/python3 -B
import os, sys, time
start = now = time.monotonic()
stat = os.open("modelled/proc/stat", os.O_WRONLY)
while now < start + float((sys.argv[1:] or [2.5])[0]) and not os.path.exists("rested"):
    idle = int((now - start) * 100)
    os.pwrite(stat, b"cpu  100 0 100 %010d 0 0 0 0 0 0\ncpu0 100 0 100 %010d 0 0 0 0 0 0\n" % (idle, idle), 0)
    time.sleep(0.05)
    now = time.monotonic()
END
chmod +x rest
# It rests before anything is measured: a machine whose time stands still is no reading.
printf 'cpu  100 0 100 %010d 0 0 0 0 0 0\ncpu0 100 0 100 %010d 0 0 0 0 0 0\n' 0 0 > modelled/proc/stat
./rest 900 &
until_true grep -q '^cpu  100 0 100 0*[1-9]' modelled/proc/stat
for watts in 8 2; do
    echo ${watts}000000 > $sensor/power1_average
    measure modelled -- sleep 4 # the sensor tells a second at a time, and is read late on a busy machine
    check "a model above a board of $watts W" 1 "$(told 'the model of the processors \(.* J\) is above what machine of hwmon, which contains them, leaves to it')"
    if [ $watts = 8 ]; then
        check 'and so does its figure' True "$(record 'abs(r["gross_j"]["mean"] / r["gross_high_j"] - 1) < 1e-6')"
        check 'its range ends there' True "$(record 'abs(r["gross_high_j"] / [d for d in r["domains"] if d["name"] == "machine"][0]["gross_j"]["mean"] - 1) < 1e-6')"
    else
        check 'nothing of it is left' 'None unknown' "$(gross_j) $(record 'r["quality"]')"
    fi
done

# What is told in between is after that limit, too: the rows of a step, and what is exported from when it is known on. Before,
# the model's 12.3 W are told.
echo 8000000 > $sensor/power1_average
printf 'name: steps\nsteps:\n- {name: a, run: [sleep, "6"]}\n' > rest.yaml
"$carbon" pipeline --details --root modelled --baseline 0 --no-ledger --interval 0.5 --metrics-dir rows rest.yaml > out 2>&1
check 'rows of a step: from the limit on' 'True True' "$(python3 -c 'import csv
rows = [float(row["power_w"]) for row in csv.DictReader(open("rows/a_final_result.csv")) if row["power_w"]]
print(rows[0] > 10, all(0 < row < 8.4 for row in rows[-3:]))')"
mv modelled tree
ln -s tree modelled
serve --scope compute
limited() { scrape > told; grep -q 'the model of the processors' told; }
total() { awk -v "source=$1" '/^carbon_energy_joules_total/ && index($0, "source=\"" source "\"") && (source == "hwmon" || /counted="yes"/) {sum += $NF} END {print sum}' told; }
until_true limited
first="$(total model) $(total hwmon)"
later() { scrape > told; awk -v "now=$(total hwmon)" -v "first=${first##* }" 'BEGIN {exit !(now - first >= 24)}'; }
until_true later
check 'exported: no more than what the meter leaves to it' yes "$(awk -v "now=$(total model) $(total hwmon)" -v "first=$first" 'BEGIN {
    split(now, n); split(first, f)
    used = n[1] - f[1]; whole = n[2] - f[2]
    print (used > 0.8 * whole && used < 1.06 * whole) ? "yes" : used " J of " whole " J" }')"
stop
touch rested
wait
rm -f modelled rested
mv tree modelled

# A socket that stands still beside one that works.
move one 0.4 intel-rapl:0=300000000
tried 1 'A counter is reset, stuck'
check 'a socket stands still' '300 1' "$(gross_j) $(told 'total incomplete: package-0 used 300.0 J and package-1 0.0 J, for its counter did not move')"
move many 0.4 intel-rapl:0=300000000
tried 1 'A counter is reset, stuck'
check '63 stand still: one notice' '300 1 1' "$(gross_j) $(told 'package-1 0.0 J, for its counter did not move; 62 more are like that') $(told 'did not move')"

# The other commands that show totals.
zone all $reach 5000000000 intel-rapl:0=package-0 intel-rapl:1=package-1
check_match 'in one line, too' '^100 J measured gross [0-9.e-]+ kgCO2eq incomplete$' \
    "$("$carbon" measure -v -q --root all --baseline 0 -- ./rise 2>&1)"
"$carbon" compare -v --root all --baseline 0 --runs 1 --warmup 0 --json two.json -- ./rise -- ./rise > out 2>&1
check 'compare' '[100, 100]' "$(json two.json '[c["gross_j"]["mean"] for c in r["results"]]')"
check_match 'and says it' 'package-0 and package-1 report the same joules' "$(tr -s '\n ' ' ' < out)"
"$carbon" batch --verbose --root all --loops 1 --baseline 0 --json batch.json --module 'a=./rise' --module 'b=./rise' > out 2>&1
check 'batch' '[100, 100]' "$(json batch.json '[m["gross_j"]["mean"] for m in r["modules"]]')"
printf 'name: steps\nsteps:\n- {name: a, run: [./rise]}\n- {name: b, run: [./rise]}\n' > steps.yaml
"$carbon" pipeline --details --root all --baseline 0 --no-ledger --json steps.json steps.yaml > out 2>&1
check 'pipeline' '[100, 100]' "$(json steps.json '[s["gross_j"]["mean"] for s in r["steps"]]')"

# While both rise: a probe's loads, and a live view.
while [ ! -e still ]; do ./rise; done &
"$carbon" probe --verbose --root all --loads idle --time 1 --runs 1 --baseline 1 --settle 0 --json probe.json > out 2>&1
check 'probe says it' 1 "$(json probe.json 'sum("package-0 and package-1 report the same joules" in n["what"] for n in r["notices"])')"
check 'and splits what counts' 'package-0 (powercap)' "$(json probe.json 'r["domains"]["package"]["names"]')"
"$carbon" sources --watch --root all --interval 1 --count 4 --json watch.json > out 2>&1
: > still
wait
check 'a live view counts one' '[True, False]' "$(tail -n 1 watch.json > last.json; json last.json '[d["counted"] for d in r["domains"]]')"
check_match 'and says it' 'package-0 and package-1 report the same joules' "$(cat last.json)"
check 'its total is that of one' True "$(json last.json 'r["total"]["w"] == r["domains"][0]["w"]')"

# What is exported: the second stops counting, and what was emitted is not taken back.
zone tree $reach 5000000000 intel-rapl:0=package-0 intel-rapl:1=package-1
serve
found() {
    ./rise tree
    scrape > told
    grep '^carbon_emissions_kilograms_total' told >> emitted
    grep -q '^carbon_energy_joules_total{domain="package-1",.*counted="no"' told
}
until_true found
check 'serve: one counts' yes "$(grep -q '^carbon_energy_joules_total{domain="package-0",.*counted="yes"' told && echo yes)"
check_match 'and says it' 'package-0 and package-1 report the same joules' "$(cat told)"
found
awk '{print $2}' emitted > told_kg
check 'emissions only grow' yes "$(sort -g -c told_kg && echo yes)"
stop

# The board's counter is the total, and is below its package: it emits nothing more, and is not told as measured.
rm -rf tree
zone tree $reach 5000000000 intel-rapl:0=package-0 intel-rapl:1=psys
serve --scope platform
looks=0
below() {
    looks=$((looks + 1))
    printf '%020d\n' $((5000000000 + looks * 40000000)) 1<> tree/sys/class/powercap/intel-rapl:0/energy_uj
    printf '%020d\n' $((5000000000 + looks * 20000000)) 1<> tree/sys/class/powercap/intel-rapl:1/energy_uj
    scrape > told
    ! grep -q '^carbon_energy_joules_total{domain="psys",.*counted="yes"' told
}
check 'at first it counts' yes "$(scrape | grep -q '^carbon_emissions_kilograms_total' && echo yes)"
until_true below
check_match 'psys below its package' '^carbon_energy_joules_total\{domain="psys",.*quality="unknown",counted="no"' "$(cat told)"
check_match 'is said' 'are above psys of powercap' "$(cat told)"
check_absent 'and nothing is emitted by it' '^carbon_emissions_kilograms_total' "$(cat told)"
stop

finish
