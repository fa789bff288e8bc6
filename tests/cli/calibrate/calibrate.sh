#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon calibrate: a machine profile by a meter, by readings of a plug and from a host, and what uses it.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

within() { awk "BEGIN { print ($1 > ($2) * (1 - $3) && $1 < ($2) * (1 + $3)) ? \"yes\" : $1 \" is not \" $2 }"; }
# profile FILE EXPRESSION: over its keys k and its steps s, by load and order: s["cpu"][0]["package_w"]
cat > profile.py << 'END'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
head = next(i for i, row in enumerate(rows) if row[0] == "load")
k, s = {row[0]: row[1] for row in rows[:head]}, {}
for row in rows[head + 1:]:
    s.setdefault(row[0], []).append({name: float(value) if value else None for name, value in zip(rows[head][1:], row[1:])})
print(eval(sys.argv[2]))
END
profile() { /usr/bin/python3 profile.py "$1" "$2"; }
# An expression in watts: what a busy CPU adds to the packages in step NUMBER of LOAD
slope() { profile "$1" "(s['$2'][$3]['package_w'] - s['idle'][0]['package_w']) / s['$2'][$3]['busy_cpus']"; }
fails() { # NAME WHAT ARGUMENT...
    check "$1: status" 125 "$("$carbon" calibrate "${@:3}" > out 2> err; echo $?)"
    check_match "$1" "$2" "$(tr -s ' \n' ' ' < err)"
    check "$1: nothing on standard output" '' "$(cat out)"
}

# A machine of four CPUs, 25 W idle; a busy CPU adds 12 W, one that streams 8 W. Power follows the CPU time of the loads,
# whatever else keeps this machine busy.
driven=$helpers/.libs/driven.so
[ -e "$driven" ] || skip 'nothing can be preloaded'
zone tree 262143328850 1000000000
echo 0-3 > tree/sys/devices/system/cpu/online
echo 'MemTotal:        8388608 kB' > tree/proc/meminfo
: > tree/loads
DRIVEN="$PWD/tree 25 12 8 0" LD_PRELOAD=$driven \
    "$carbon" calibrate --root tree --settle 0 --time 1 --runs 2 --baseline 1 --anyway > out 2> err
status=$?
check 'it succeeds' 0 "$status"
check_absent 'no error' '^carbon:' "$(cat err)"
kept=tree/etc/carbon/profile.csv
check 'it is kept' yes "$(exists $kept)"
check 'nothing else is' 'profile.csv' "$(ls -A tree/etc/carbon)"
most=$(profile $kept 'len(s["cpu"]) - 1')
check 'idle' yes "$(within "$(profile $kept 's["idle"][0]["package_w"]')" 25 0.02)"
check 'one busy CPU' yes "$(within "$(slope $kept cpu 0)" 12 0.02)"
check 'the most that this machine has' yes "$(within "$(slope $kept cpu "$most")" 12 0.02)"
check 'one that streams' yes "$(within "$(slope $kept memory 0)" 8 0.02)"
check 'whose it is' 'GenuineIntel Test CPU 6 94 3 1 4 8589934592 no meter' \
    "$(profile $kept '" ".join(k[n] for n in ("cpu_vendor", "cpu_model", "cpu_family", "cpu_number", "cpu_stepping", "sockets", "threads", "memory_bytes", "guest", "how"))')"
check 'by which meter' 'package-0 (powercap)' "$(profile $kept 'k["meter"]')"
check_match 'it is shown' '^machine profile [0-9a-f]{16}: package-0 \(powercap\), 20' "$(cat out)"
check_match 'with its slope' '^package: (9\.[89]|10\.[012])[0-9]? W per busy CPU \(([0-7]\.[0-9]+|8\.0[0-9]*) W to (1[1-9]|[2-9][0-9])\.' "$(cat out)"
check 'and again' "$(cat out)" "$("$carbon" calibrate --root tree --show)"
check_match 'the sources name it' '^machine profile: package-0 \(powercap\), 20.* \(tree/etc/carbon/profile.csv\)' "$("$carbon" sources --root tree)"
"$carbon" sources --root tree --json s.json > /dev/null
check 'and their JSON' "$(sed -n 's/^machine profile \([0-9a-f]*\):.*/\1/p' out) True" "$(json s.json 'r["machine_profile"]["id"], r["machine_profile"]["fits"]' | tr -d "(),'")"

# Where the same machine shows no meter, it is what counts: half way between both kinds of work.
rm -r tree/sys/class
ln -s /proc/stat tree/proc/stat
"$carbon" measure -v --root tree --baseline 0 --json m.json -- "$helpers/act" spin 0.3 2> table
check 'the profile of the record' "$(json s.json 'r["machine_profile"]["id"]') meter package-0 (powercap) 4 4" \
    "$(json m.json '" ".join(str(r["machine_profile"][n]) for n in ("id", "how", "meter", "cpus", "host_cpus"))')"
check_match 'the text names it' 'note: the power of the package is modelled by the machine profile: 2[45]\.[0-9] W idle to 6[456]\.[0-9] W busy' "$(tr -s ' \n' ' ' < table)"
check_match 'and its range' 'by CPU time × [0-9.]+ W per busy CPU \(machine profile: ' "$(tr -s ' \n' ' ' < table)"
check 'by CPU time' cpu-time "$(json m.json 'r["own_method"]')"
# 10 W for each of its CPUs; memory by what is published
check 'CPU time × slope' yes "$(within "$(json m.json 'r["domains"][[d["name"] for d in r["domains"]].index("package")]["own_j"]["mean"] / r["usage"]["cpu_s"]["value"]')" 10 0.02)"
cat > ratios.py << 'END'
import math
def ratios(steps, cpus):
    """The range of what a busy CPU adds, to what the model says of it."""
    idle = steps["idle"][0]
    p0_w, s0_w = idle["package_w"], idle["package_spread_w"]
    cpu = [(0, p0_w)] + [(r["busy_cpus"], r["package_w"]) for r in steps["cpu"]]
    def line(b, w, at): return p0_w + (w - p0_w) * at / b
    def curve(b):
        for (b1, w1), (b2, w2) in zip(cpu, cpu[1:]):
            if b <= b2: return w1 + (w2 - w1) * (b - b1) / (b2 - b1)
        return line(*cpu[-1], b)
    m = steps["memory"][-1]
    between_w = (line(m["busy_cpus"], m["package_w"], cpus) - curve(cpus)) / 2
    ends = [(r["package_w"] - p0_w + sign * math.hypot(r["package_spread_w"], s0_w)) /
            (curve(r["busy_cpus"]) + r["busy_cpus"] / cpus * between_w - p0_w)
            for r in steps["cpu"] + steps["memory"] for sign in (-1, 1)]
    return min(ends), max(ends)
END
sed -i 's/^import csv, sys$/import csv, sys; from ratios import ratios/' profile.py
read -r low high <<< "$(profile $kept '"%.12f %.12f" % ratios(s, 4)')"
check_match 'the ratios hold both kinds of work' '^0\.([0-7]|80[0-4]).* 1\.(19[6-9]|[2-9])' "$low $high"
domain='[d for d in r["domains"] if d["name"] == "package"][0]'
check 'the low ratio' yes "$(within "$(json m.json "$domain"'["slope_low_ratio"]')" "$low" 1e-4)"
check 'and the high one' yes "$(within "$(json m.json "$domain"'["slope_high_ratio"]')" "$high" 1e-4)"
check_match 'a record of it comes out again' 'recalculated, all identical' "$("$carbon" verify m.json)"
srcdir=$source sh "$source/tests/check-schema.sh" m.json > schema.out 2>&1
case $? in 0 | 77) ;; *) check 'the schema' '' "$(cat schema.out)" ;; esac
"$carbon" measure --root tree --profile none --baseline 0 --json n.json -- true 2> /dev/null
check 'none is asked for' None "$(json n.json 'r["machine_profile"]')"
"$carbon" measure --root tree --cpu-power 12:12 --baseline 0 --json n.json -- true 2> /dev/null
check 'what the user says goes before it' None "$(json n.json 'r["machine_profile"]')"

# Of other hardware.
sed -i 's/^stepping.*/stepping\t: 4/' tree/proc/cpuinfo
"$carbon" measure --root tree --baseline 0 --json other.json -- true 2> /dev/null
check 'other hardware: it is not used' None "$(json other.json 'r["machine_profile"]')"
check 'other hardware: why' "the machine profile 'tree/etc/carbon/profile.csv' is not used: the machine profile is of other hardware | CPU stepping: 3 in the profile, 4 here" \
    "$(json other.json '[n["what"] + " | " + n["why"] for n in r["notices"] if n["kind"] == "profile"][0]')"
check_match 'other hardware: the sources say so' 'is not used: the machine profile is of other hardware$' "$("$carbon" sources --root tree)"
cp $kept copy.csv
fails 'other hardware: it is not imported' 'the machine profile is of other hardware why: CPU stepping: 3 in the profile, 4 here fix: import the profile of this machine' \
    --root tree --import copy.csv
check 'other hardware: what was there stays' yes "$(cmp -s $kept copy.csv && echo yes)"
sed -i 's/^stepping.*/stepping\t: 3/' tree/proc/cpuinfo
"$carbon" calibrate --root tree --import copy.csv > /dev/null
check 'its own it takes' yes "$(cmp -s $kept copy.csv && echo yes)"

# Without a meter: two readings. The machine is this one, without its sensors.
mkdir -p bare/sys/devices
ln -s /proc bare/proc
ln -s /sys/devices/system bare/sys/devices/system
cpus=$(/usr/bin/python3 -c 'import os; print(os.sysconf("SC_NPROCESSORS_ONLN"))')
fails 'no meter' 'no meter of this machine can be read why: .* fix: read a plug, a PDU or a BMC .* carbon calibrate --wall-idle 38 --wall-full 121' --root bare
check 'no meter: nothing is left' no "$(exists bare/etc/carbon/profile.csv)"
"$carbon" calibrate --root bare --wall-idle 38 --wall-full 121 > out
check 'by readings' 0 $?
check_match 'they are shown' "^machine: [0-9.]+ m?W per busy CPU" "$(cat out)"
"$carbon" calibrate --root bare --export - > bare.csv
"$carbon" calibrate --root bare --wall-idle 0.038kW --wall-full '121 W' > out
check 'by readings with units' "$(grep '^\(idle\|cpu\),' bare.csv)" "$("$carbon" calibrate --root bare --export - | grep '^\(idle\|cpu\),')"
full
"$carbon" measure --root bare --baseline 0.5 --json w.json -- /usr/bin/python3 -B "$source/tests/helpers/waited.py" waited "$helpers/act" spin 1 2> table
not_full
check 'the whole machine counts' 'machine True' "$(json w.json '" ".join(d["name"] for d in r["domains"] if d["counted"]) + " " + str(r["stands_in"])')"
check 'own is CPU time × slope, beside busy loops' yes "$(within "$(json w.json 'r["own_j"]["mean"]')" "$(cat waited) * (121 - 38) / $cpus" 0.05)"
# half a watt each: √0.5 of 83 W
check 'and its range what the readings leave open' True "$(json w.json 'abs(r["own_high_j"] / r["own_j"]["mean"] - 1 - 0.5 ** 0.5 / 83) < 1e-9 and abs(r["own_low_j"] / r["own_j"]["mean"] - 1 + 0.5 ** 0.5 / 83) < 1e-9')"
check_match 'by readings: it comes out again' 'recalculated, all identical' "$("$carbon" verify w.json)"
"$carbon" compare --root bare --baseline 0.1 --runs 2 --warmup 0 --json c.json -- true -- true > /dev/null 2>&1
check 'a comparison, too' 'wall wall' "$(json c.json '" ".join(one["machine_profile"]["how"] for one in r["results"])')"

# A host's in its guest: 2 of 8 CPUs have a quarter of 40 to 120 W.
cp -r tree host && cp -r tree guest && rm -r guest/etc
echo 0-7 > host/sys/devices/system/cpu/online
echo 0-1 > guest/sys/devices/system/cpu/online
sed -i 's/^flags.*/flags\t\t: fpu hypervisor/; s/^model name.*/model name\t: Older CPU/' guest/proc/cpuinfo
"$carbon" calibrate --root host --wall-idle 40 --wall-full 120 > /dev/null
"$carbon" calibrate --root host --export host.csv
check 'it is exported' yes "$(cmp -s host.csv host/etc/carbon/profile.csv && echo yes)"
"$carbon" calibrate --root guest --import host.csv > out
check_match 'a guest takes its part' "^machine profile [0-9a-f]+: its host's, 2 of 8 CPUs: wall readings, 20" "$(cat out)"
"$carbon" measure --root guest --baseline 0 --json g.json -- "$helpers/act" spin 0.2 2> /dev/null
check_match 'it is said' 'machine is modelled by the machine profile: 10.0 W idle to 30.0 W busy' "$(json g.json '[n["what"] for n in r["notices"] if n["kind"] == "modelled"][0]')"
check 'of its host' '2 8' "$(json g.json 'str(r["machine_profile"]["cpus"]) + " " + str(r["machine_profile"]["host_cpus"])')"
check '10 W for each busy CPU' True "$(json g.json 'abs(r["own_j"]["mean"] / r["usage"]["cpu_s"]["value"] - 10) < 1e-9')"
sed -i 's/^cpu_vendor.*/cpu_vendor,AuthenticAMD/' host.csv
fails "another vendor's host" "CPU vendor: 'AuthenticAMD' in the profile, 'GenuineIntel' here fix: import the profile of this machine or of its host" \
    --root guest --import host.csv

# Mistakes.
fails 'one reading' '--wall-idle needs --wall-full' --root bare --wall-idle 38
fails 'the other' '--wall-full needs --wall-idle' --root bare --wall-full 38
fails 'less when busy' 'a machine draws more with all CPUs busy than idle why: --wall-idle is 38 W, --wall-full 37 W' --root bare --wall-idle 38 --wall-full 37
fails 'no power' '--wall-idle cannot be .-3.' --root bare --wall-idle=-3 --wall-full 37
fails 'two ways' 'cannot be combined' --root bare --show --wall-idle 38 --wall-full 121
fails 'nothing to show' 'no machine profile' --root bare --profile none --show
fails 'nothing to import' "cannot read 'nowhere.csv'" --root bare --import nowhere.csv
echo nonsense > broken.csv
fails 'what is no profile' "'broken.csv' line 1, column 1 .* a machine profile begins with" --root bare --import broken.csv
check 'a named one must be good' 125 "$("$carbon" measure --root tree --profile broken.csv -- true 2> err; echo $?)"
cp broken.csv tree/etc/carbon/profile.csv
"$carbon" measure --root tree --baseline 0 --json b.json -- true 2> /dev/null
check 'a broken one that is found is a notice' profile "$(json b.json '[n["kind"] for n in r["notices"] if n["kind"] == "profile"][0]')"

# Keeping all CPUs busy meanwhile.
check 'busy for somebody who reads' 0 "$("$carbon" calibrate --busy 1 > out 2> err; echo $?)"
check 'it says so' 'all CPUs are busy for 1 s: read the plug, PDU or BMC now' "$(cat err)"

# Others that are busy.
zone quiet 262143328850 1000000000
ln -s /proc/stat quiet/proc/stat
full
fails 'others are busy' 'the machine is not idle: other processes keep .* or run it with --anyway' --root quiet --settle 0
not_full
fails 'a meter that stands still' 'the meter did not follow the load why: with all CPUs busy it reported no more power than idle' \
    --root quiet --settle 0 --anyway --time 0.3 --runs 2 --baseline 0.3
check 'others were busy: nothing is left' no "$(exists quiet/etc/carbon/profile.csv)"
finish
