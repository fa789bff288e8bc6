#!/bin/bash
# SPDX-License-Identifier: MIT
# Forty faults that other meters had, and what this one does: those about what a machine has and what of it counts.
# docs/bug-cases.md lists them all. Those about runs and files: bugs-runs.sh.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

[ -n "$shared" ] || skip 'the recorded cases and machines beside the source tree are not there'
cases=$shared/cases/bugs
chmod 755 "$work" "$work/in"

# Counters played back, in real programs at once: cases 1 to 7 and 37 (4 is 26 minutes long: make check-machines).
mkdir traces
/usr/bin/python3 -B "$source/tests/check_machines.py" "$carbon" "$work/in/traces" "$cases"/0[157]/trace.csv \
    "$cases/37/trace.csv" "$shared"/machines/traces/{codecarbon-322-two-packages,pyjoules-16-single-window}.csv \
    "$shared"/machines/traces/{zen3-wrap-and-jitter,tr1950x-mirrored-dies}.csv > traces.txt &
playing=$!

# 08 one package seen through MSR and MMIO
lay intel-laptop-mmio-ne2147
move intel-laptop-mmio-ne2147 1 intel-rapl:0=34360000 intel-rapl-mmio:0=34360000
check '08 package in two control types counts once' 34.36 "$(gross_j package-0)"
check '08 power is the half' True "$(record '10 < r["domains"][0]["gross_w"] <= 34.36')"
lay intel-i7-7700-no-dram
move intel-i7-7700-no-dram 0.3 intel-rapl:0=5000000
check '08 a machine without MMIO has its package' 5 "$(gross_j)"

# 09 the same name twice
look intel-laptop-mmio-ne2147
check '09 names are unique' True "$(said 'len(set(d["name"] for d in D)) == len(D)')"
check '09 one package counts' package-0 "$(names 'd["counted"] and d["component"] == "package"')"
measure intel-laptop-mmio-ne2147 --samples s.csv -- true
check '09 columns are unique' '' "$(head -n 1 s.csv | tr ',' '\n' | sort | uniq -d)"

# 10 psys, package, core and uncore are not one sum
lay intel-arrowlake-265h-psys-mmio
move intel-arrowlake-265h-psys-mmio 1 intel-rapl:1=96100000 intel-rapl:0=37800000 intel-rapl-mmio:0=37800000 \
    intel-rapl:0:0=8400000 intel-rapl:0:1=2100000
check '10 the components' 37.8 "$(gross_j)"
check '10 the platform beside them' 'psys 96.1' "$(record 'r["whole_machine"]["name"]') $(gross_j psys)"

# 12, 13, 14, 17 which zone is what
lay intel-skx-2s-gold5118
look intel-skx-2s-gold5118
check '12 memory is not taken for cores' '0:0:dram-0 0:package-0 1:0:dram-1 1:package-1' "$(zones)"
lay intel-snbep-2s-index-swapped
look intel-snbep-2s-index-swapped
check '13 packages are told by their names' '0:0:core-1 0:package-1 1:0:core-0 1:package-0' "$(zones)"
look "$cases/14/tree"
check '14 a package after psys is found' "$(counted_of "$cases/14/expected.json")" "$(counted)"
lay intel-4s-dram
look intel-4s-dram
check '17 four memories, four names' 'dram-0 dram-1 dram-2 dram-3' \
    "$(names 'd["counted"] and d["component"] == "memory"')"

# 15 a zone that nobody knows
look "$cases/15/tree"
check '15 the package counts' "$(counted_of "$cases/15/expected.json")" "$(counted)"
check_match '15 the unknown zone is told' "'intel-rapl:2' is left out" "$(said '[n["what"] for n in r["notices"]]')"

# 16 memory is added
cp -r "$cases/16/tree" sixteen
chmod -R u+w sixteen
move sixteen 1 intel-rapl:0=400000000 intel-rapl:0:1=90000000
check '16 memory is neither forgotten nor subtracted' 490 "$(gross_j)"

# 18, 19, 20, 22 what cannot be read
open_to_all
ordinary=()
[ "$(id -u)" != 0 ] || ordinary=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${ordinary[@]}" "$carbon" --version > /dev/null 2>&1; then
    lay intel-desktop-3subzones-eacces
    out=$("${ordinary[@]}" "$carbon" measure -v --root intel-desktop-3subzones-eacces --require-measured -- touch ran 2>&1)
    check '18 denied: status' 125 $?
    check '18 denied: one message' 1 "$(grep -c '^carbon: ' <<< "$out")"
    check_match '18 the path and the step' "intel-rapl:0/energy_uj.*udev rule" "$(tr '\n' ' ' <<< "$out")"
    lay amd-zen2-3700x-eacces
    ln -s /proc/stat amd-zen2-3700x-eacces/proc/stat # the model needs one that moves
    mkdir -m 777 open
    "${ordinary[@]}" "$carbon" measure -v --root amd-zen2-3700x-eacces --baseline 0 --json open/m.json \
        --csv open/m.csv -- sleep 0.3 2> m.err
    check '19 an estimate is called one' 'modelled model' \
        "$(json open/m.json '" ".join([r["quality"], *r["sources"]])')"
    check '19 in the CSV too' modelled "$(/usr/bin/python3 -c '
import csv
print(next(csv.DictReader(open("open/m.csv")))["quality"])')"
    check_match '19 the cause is told' 'cannot read .*energy_uj' "$(cat m.err)"
    "${ordinary[@]}" "$carbon" measure -v --root amd-zen2-3700x-eacces --require-measured -- touch ran 2> /dev/null
    check '19 or it is refused' 125 $?
else
    echo 'not checked: 18 and 19 as an ordinary user, who cannot run carbon here'
fi
for name in vm-ec2-empty-powercap vm-gce-perf-zero; do
    lay $name
    measure $name --require-measured -- touch ran
    check "20 $name: refused" '125 no' "$status $(exists r.json)"
    check_match "20 $name: why" 'no energy source on this machine, which is a virtual machine' "$(cat err)"
done
lay container-powercap-masked
look container-powercap-masked
check_match '22 masked, and what helps' 'powercap is masked.*/sys/devices/virtual/powercap' \
    "$(said 'S["powercap"]["why"] + S["powercap"]["fix"]')"
measure container-powercap-masked --require-measured -- touch ran
check '22 no zero' '125 no' "$status $(exists r.json)"
check '18 to 22: no job was run' no "$(exists ran)"

# 21 no powercap class at all
look "$cases/21/tree"
check '21 WSL: status' none "$(said 'r["status"]')"
check_match '21 a clean message' '^absent no energy counter in' \
    "$(said 'S["powercap"]["state"] + " " + S["powercap"]["what"]')"
measure "$cases/21/tree" -- touch ran
check '21 refused' '125 no no' "$status $(exists r.json) $(exists ran)"

# 23 either interface will do
lay intel-skylakex-i9-10900x-dtpm
look intel-skylakex-i9-10900x-dtpm
check '23 zones without a PMU' "intel-rapl:0" "$(counted)"
lay intel-skx-2s-silver4114-perf-only
look intel-skx-2s-silver4114-perf-only
check '23 a PMU without zones' 'dram-0 dram-1 package-0 package-1' \
    "$(names 'd["would_count"] and d["access"] == "perf"')"

# 24 to 29 sensors
lay server-acpi-meter-4294967295
look server-acpi-meter-4294967295
check '24 an error value is no power' 'broken ' "$(said 'S["hwmon"]["state"]') $(names 'd["counted"]')"
measure server-acpi-meter-4294967295 --scope machine --require-measured -- touch ran
check '24 nor with the scope of the machine' '125 no' "$status $(exists ran)"
cp -r "$cases/25/tree" acpi
chmod -R u+w acpi
look acpi
check '25 a machine at 0 W is not believed' 'broken ' "$(said 'S["hwmon"]["state"]') $(names 'd["counted"]')"
check_match '25 why' 'says 0 W' "$(said 'S["hwmon"]["what"]')"
echo 200000000 > acpi/sys/class/hwmon/hwmon0/device/power1_average
measure acpi -- sleep 0.3
check_match '25 an average of 300 s is told' 'is an average over 300 s' "$(cat err)"
lay arm-jetson-orin-nx-ina3221
measure arm-jetson-orin-nx-ina3221 -- sleep 0.5
near '26 the input is the board' 5.5326 0.03
look arm-jetson-orin-nx-ina3221
check '26 neither shunts nor USB' '' \
    "$(names 'any(part in d["path"] for part in ("in4", "in5", "in6", "in7", "curr4", "power_supply"))')"
lay arm-pi-ups-ina219
look arm-pi-ups-ina219
check '27 listed, and not counted' 'ina219, ' "$(names True), $(names 'd["counted"]')"
cp -r acpi ups
rm -r ups/sys/class/hwmon/hwmon0
mkdir -p ups/sys/class/powercap/intel-rapl:0
cp -r arm-pi-ups-ina219/sys/class/hwmon/hwmon2 ups/sys/class/hwmon/
cp sixteen/sys/class/powercap/intel-rapl:0/* ups/sys/class/powercap/intel-rapl:0
move ups 1 intel-rapl:0=3000000
near '27 micro is not milli' 0.176 0.002 ina219
check '27 not in the total' 3 "$(gross_j)"
measure "$cases/28/tree-a" -- sleep 0.5
near '28 a driver that renamed its file' 61 0.3
cp -r "$cases/28/tree-b" frozen
chmod -R u+w frozen
for step in 0.9 1.7 2.6 3.4 4.3 5.1; do
    echo "$step frozen/sys/class/hwmon/hwmon1/power1_input $((${step%.*} % 2 ? 35220000 : 35200000))"
done > frozen.plan
echo '5.4 - end' >> frozen.plan
measure frozen -- /usr/bin/python3 -B "$source/tests/machines/play.py" frozen.plan
near '28 a frozen average is not used' 35.21 0.02
check_match '28 and told' 'amdgpu has told exactly the same power' "$(cat err)"
check_absent '28 of it alone' '(^|[ :])gpu has told' "$(cat err)"
lay pc-corsair-hx1500i
measure pc-corsair-hx1500i -- sleep 0.5
near '29 the total of the supply, without its rails' 214 1

# 39 a unit 4291 times too large
cp -r "$cases/39/tree" atom
chmod -R u+w atom
move atom 1 intel-rapl:0=34330000000
check '39 no figure' None "$(gross_j)"
check_match '39 flagged' "$(json "$cases/39/expected.json" 'r["flag"]')" "$(cat err)"

# 40 a v1 line beside the v2 line; a service that is no container
for case in a b; do
    mkdir -p forty-$case/proc/self forty-$case/sys
    cp "$cases/40/cgroup-$case.txt" forty-$case/proc/self/cgroup
    look forty-$case
    check "40$case no container" False "$(said 'r["machine"]["container"]')"
done

wait $playing
check 'traces of 01 to 07 and 37' 0 $?
cat traces.txt
check_match '01 a wrap is no negative power' '^case-01 .* 200.0000.* 1 +ok$' "$(cat traces.txt)"
check '01 no sample goes back' '' "$(awk -F, 'NR > 1 && $5 < last {print} NR > 1 {last = $5}' traces/case-01.csv)"
check_match '02 two packages wrap' '^codecarbon-322-two-packages .* 2 +ok$' "$(cat traces.txt)"
check_match '03 one wrap between two readings' '^pyjoules-16-single-window .* 8772.06.* 1 +ok$' "$(cat traces.txt)"
check_match '05 a step back is no reset' '^case-05 .* 11373.86.* 1 +ok$' "$(cat traces.txt)"
check_match '06 jitter is no wrap' '^zen3-wrap-and-jitter .* 210.000.* 1 +ok$' "$(cat traces.txt)"
check '06 the first sample has no power' 0 "$(sed -n 2p traces/zen3-wrap-and-jitter.csv | cut -d, -f5)"
check_match '07 a counter of 32 bits' '^case-07 .* 116.60.* 1 +ok$' "$(cat traces.txt)"
check_match '11 two dies show one counter' '^tr1950x-mirrored-dies .* 2040.000000 J .*ok$' "$(cat traces.txt)"
check_match '37 the counter, not ten milliseconds of it' '^case-37 .* 7920.000000 J .*ok$' "$(cat traces.txt)"
check '37 0.0022 kWh' 0.0022 "$(json traces/case-37.json 'r["emissions"]["gross"]["it_kwh"]')"
finish
