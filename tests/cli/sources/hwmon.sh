#!/bin/bash
# SPDX-License-Identifier: MIT
# Sensors of power, whose files change while a job runs: joules are the integral, cards add, the whole machine does not.
. "$(dirname "$0")/../lib.sh"

burn="$helpers/burn"
hwmon=tree/sys/class/hwmon

# put FILE TEXT: in place, as a driver would, so that no reader sees half of it.
put() {
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "$2" 1<> "$1"
}

# chip DIR NAME [FILE TEXT]...
chip() {
    local dir=$hwmon/$1
    put "$dir/name" "$2"
    shift 2
    while [ $# -gt 0 ]; do
        put "$dir/$1" "$2"
        shift 2
    done
}

domain() { json "$1" "[d for d in r['domains'] if d['name'] == '$2'][0]$3"; }
# near NAME EXPECTED TOLERANCE FILE EXPRESSION
near() { check "$1" True "$(json "$4" "abs(($5) - ($2)) <= $3 or '%s is not %s' % ($5, $2)")"; }
duration="r['windows']['runs'][0]['duration_s']"

# One package with RAPL, two cards of which one has a frozen average beside its input, and the server's own meter.
mkdir -p tree/sys/class/powercap/intel-rapl:0 tree/proc
put tree/sys/class/powercap/intel-rapl:0/name package-0
put tree/sys/class/powercap/intel-rapl:0/energy_uj 1000000
put tree/sys/class/powercap/intel-rapl:0/max_energy_range_uj 262143328850
put tree/proc/cpuinfo 'vendor_id	: GenuineIntel'
chip hwmon0 amdgpu power1_input 50000000 power1_average 434397552 power1_label PPT
chip hwmon1 amdgpu power1_average 61000000
chip hwmon2 power_meter device/power1_average 312000000 device/power1_average_interval 300000

"$carbon" measure -v --root tree --baseline 0 --zone FR --json a.json -- bash -c "'$burn' tree intel-rapl:0 5000000 100
    sleep 1.9; printf '150000000\n' 1<> $hwmon/hwmon0/power1_input; date +%s.%N > stepped; sleep 4" 2> a.err
check 'measured' 0 $?
# at which second of the window the power stepped
json a.json "$(cat stepped) - __import__('datetime').datetime.fromisoformat(r['windows']['runs'][0]['started_at'].replace('Z', '+00:00')).timestamp()" > step_s
check 'the power stepped after two seconds, and stayed for four' yes "$(json a.json "(lambda step_s: 'yes' if 1.9 < step_s < $duration - 3.9 else step_s)($(cat step_s))")"
near 'joules are the integral of the power' "50 * $(cat step_s) + 150 * ($duration - $(cat step_s))" 25 a.json "$(domain a.json gpu "['gross_j']['mean']")"
near 'a steady card' "61 * $duration" 0.2 a.json "$(domain a.json 'gpu#2' "['gross_j']['mean']")"
check 'the package' 5 "$(domain a.json package-0 "['gross_j']['mean']")"
check 'the total is the package and both cards' True \
    "$(json a.json 'abs(r["gross_j"]["mean"] - sum(d["gross_j"]["mean"] for d in r["domains"] if d["name"] in ("package-0", "gpu", "gpu#2"))) < 1e-6')"
check 'what counts' 'package-0 gpu gpu#2' "$(json a.json '" ".join(d["name"] for d in r["domains"] if d["counted"])')"
check 'the sources' "['powercap', 'hwmon']" "$(json a.json 'r["sources"]')"
near 'the whole machine is read beside them' "312 * $duration" 1 a.json "$(domain a.json machine "['gross_j']['mean']")"
check 'and not added' "{'name': 'machine', 'source': 'hwmon'} False" "$(json a.json '"%s %s" % (r["whole_machine"], r["stands_in"])')"
near 'energies of the window' "$(domain a.json 'gpu#2' "['gross_j']['mean']")" 1e-6 a.json \
    '[e for e, d in zip(r["windows"]["runs"][0]["energy_uj"], r["domains"]) if d["name"] == "gpu#2"][0] / 1e6'
check 'no reading was missed' 0 "$(json a.json 'sum(d["missed_reads"] for d in r["domains"])')"
check_match 'a sensor is sampled, not counted' 'gpu is a power sensor sampled every 0.1 s' "$(cat a.err)"
check_match 'a frozen sensor' 'amdgpu-ppt reported the identical power for [0-9]+ s: it may be frozen' "$(cat a.err)"
check_absent 'a coarse one is not' 'gpu#2 has told|machine has told' "$(cat a.err)"
check_absent 'nor the one that stepped' ' gpu has told' "$(cat a.err)"

# The machine's meter, when asked for; its average is longer than the run.
"$carbon" measure -v --root tree --scope machine --baseline 0 --zone FR --json m.json -- sleep 1 2> m.err
near 'the whole machine alone' "312 * $duration" 0.5 m.json 'r["gross_j"]["mean"]'
check 'and nothing else' 'machine' "$(json m.json '" ".join(d["name"] for d in r["domains"] if d["counted"])')"
check 'no power from so short a run' None "$(json m.json 'r["gross_w"]')"
check_match 'an average longer than the run' 'machine is an average over 300 s' "$(cat m.err)"
check_match 'sources says what lies beside' '^not included, never added: machine$' "$("$carbon" sources --root tree)"

# A card that sleeps is at 0 W, and the total is whole; one that does not answer any more leaves a lower bound.
chip hwmon0 amdgpu device/power/runtime_status suspended
"$carbon" measure -v --root tree --baseline 0 --zone FR --json s.json -- "$burn" tree intel-rapl:0 5000000 300 2> s.err
check 'a card that sleeps' 0 "$(domain s.json gpu "['gross_j']['mean']")"
check 'is no gap' 0 "$(json s.json 'r["counted_unknown"]')"
chip hwmon0 amdgpu device/power/runtime_status 'active   '
"$carbon" measure -v --root tree --baseline 0 --zone FR --json u.json -- \
    bash -c "'$burn' tree intel-rapl:0 5000000 300; : > $hwmon/hwmon0/power1_input" 2> u.err
check 'a card that stops answering is not known from then on' 'failed True' "$(json u.json '(lambda w: "%s %s" % (w["holes"][0]["reason"],
    0 < w["holes"][0]["unknown_s"] < w["duration_s"]))(r["windows"]["runs"][0])')"
check 'and the total is a lower bound' 'True False None' "$(json u.json '"%s %s %s" % (r["at_least"], r["complete"], r["net_j"]["mean"])')"
check_match 'and says so' 'gross is at least [0-9.]+ J' "$(tr -s '\n ' ' ' < u.err)"
check_match 'and why' 'readings of gpu failed' "$(cat u.err)"

# A board whose only meter is that of its input: it stands in for the processors.
rm -r tree/sys/class
chip hwmon0 ina3221 in1_input 5048 curr1_input 1096 in1_label VDD_IN in2_input 5048 curr2_input 500 in2_label VDD_SOC
"$carbon" measure -v --root tree --baseline 0 --zone FR --json b.json -- sleep 1.2 2> b.err
near 'volts times amperes' "5.532608 * $duration" 0.05 b.json 'r["gross_j"]["mean"]'
check 'it stands in' 'True machine' "$(json b.json '"%s %s" % (r["stands_in"], " ".join(d["name"] for d in r["domains"] if d["counted"]))')"
check_match 'and says so' 'the whole machine is counted' "$(cat b.err)"

# No model is needed for what a sensor measures; a meter of an error value is none.
rm -r tree/sys/class
chip hwmon0 power_meter device/power1_average 4294967295000
"$carbon" measure -v --root tree --require-measured --baseline 0 -- touch "$work/ran" 2> e.err
check 'an error value is no power' 125 $?
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"
"$carbon" measure -v --root tree --source hwmon --baseline 0 -- true 2> e.err
check_match 'which says why' "hwmon0/device/power1_average' holds an error value" "$(cat e.err)"

# Cards that are seen and have no sensor; what is inside a processor, or draws a server's console, is none.
seen() { # FOLDER DRIVER CLASS ID SLOT
    put "$1/uevent" "$(printf 'DRIVER=%s\nPCI_CLASS=%s\nPCI_ID=%s\nPCI_SLOT_NAME=%s' "$2" "$3" "$4" "$5")"
}
rm -r tree/sys/class/hwmon
chip hwmon1 amdgpu power1_average 61000000
drm=tree/sys/class/drm
seen $drm/card0/device amdgpu 30000 1002:73BF 0000:03:00.0
seen $drm/card1/device i915 30000 8086:3E92 0000:00:02.0
seen $drm/card2/device ast 30000 1A03:2000 0000:05:00.0
seen $drm/card3/device amdgpu 30000 1002:73BF 0000:43:00.0
put $drm/card3/device/hwmon/hwmon1/power1_average 61000000
seen $drm/card4/device amdgpu 30000 1002:1638 0000:44:00.0
put $drm/card4/device/hwmon/hwmon2/in1_label vddnb
seen $drm/card5/device nvidia 30200 10DE:20B5 0000:61:00.0
mkdir -p $drm/card0-DP-1
seen tree/sys/bus/pci/drivers/vfio-pci/0000:41:00.0 vfio-pci 30200 10DE:20B5 0000:41:00.0
seen tree/sys/bus/pci/drivers/vfio-pci/0000:81:00.0 vfio-pci 20000 8086:1572 0000:81:00.0
"$carbon" measure -v --root tree --source hwmon --baseline 0 --zone FR --json seen.json -- sleep 0.2 2> seen.err
check 'cards without a sensor' \
    "sys/bus/pci/drivers/vfio-pci/0000:41:00.0 sys/class/drm/card0/device" \
    "$(json seen.json '" ".join(sorted(d["path"] for d in r["domains"] if d["problem"]))')"
check_match 'are named' 'total incomplete: gpu, gpu#2 cannot be read: its driver here, vfio-pci, has no sensor of it' \
    "$(tr -s ' \n' ' ' < seen.err)"
check 'and stand in the table' 2 "$(grep -cE '^  beside gpu(#2)? +no data$' seen.err)"

# Cards of two dies: one of them tells what both draw, and nothing is missing.
rm -r tree/sys/class/hwmon tree/sys/class/drm tree/sys/bus
i=0
for w in 89000000 0 93000000 0; do
    chip hwmon$i amdgpu power1_average $w device/device 0x740c
    [ $w = 0 ] || chip hwmon$i amdgpu power1_cap 560000000 power1_label PPT
    i=$((i + 1))
done
"$carbon" measure -v --root tree --source hwmon --baseline 0 --zone FR --json dies.json -- sleep 2 2> dies.err
near 'two cards of two dies: 182 W' "182 * $duration" 3 dies.json "r['gross_j']['mean']"
check 'the second dies are of the first' 2 "$(json dies.json 'sum("second die of a card" in d["reason"] for d in r["domains"] if not d["counted"])')"
check_absent 'and nothing of them is missing' 'gpu#[24]' "$(cat dies.err)"
rm -r $hwmon/hwmon0 $hwmon/hwmon2
"$carbon" sources --root tree --source hwmon > out 2>&1
check_match 'a second die without the first one is not read' "the second die of a card reports no power" "$(cat out)"

# The platform, and what lies in a package beside its cores, stay in the table where their counters never move.
rm -r tree/sys/class/hwmon
for zone in intel-rapl:0=package-0 intel-rapl:0:1=uncore intel-rapl:1=psys; do
    put "tree/sys/class/powercap/${zone%=*}/name" "${zone#*=}"
    put "tree/sys/class/powercap/${zone%=*}/energy_uj" 5000000
    put "tree/sys/class/powercap/${zone%=*}/max_energy_range_uj" 262143328850
done
"$carbon" measure -v --root tree --baseline 0 --zone FR -- sh -c "sleep 0.2; '$burn' tree intel-rapl:0 5000000 100" 2> still.err
check 'still' 'of which uncore-0 no data
beside psys no data' "$(sed -nE 's/ +/ /g; s/^ (.* no data)$/\1/p' still.err)"
finish
