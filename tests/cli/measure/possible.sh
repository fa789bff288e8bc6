#!/bin/bash
# SPDX-License-Identifier: MIT
# Meters that tell what cannot be in mid-run: a counter that jumps ahead, one that says 0 for a moment, one that stands still
# beside another, a machine at 0 W, a board's full scale. Each is a hole of its reason and length, nothing of it is in the
# energy, and what lies beside it is known. All at once, each in a tree of its own.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

counter=sys/class/powercap/intel-rapl:0/energy_uj
second=sys/class/powercap/intel-rapl:1/energy_uj

# plays NAME [OPTION...]: carbon measure of the tree NAME, in the background, while NAME.plan moves it
plays() {
    local tree=$1
    shift
    "$carbon" measure -v --root "$tree" --baseline 0 --json "$tree.json" "$@" -- \
        /usr/bin/python3 -B "$source/tests/machines/play.py" "$tree.plan" 2> "$tree.err" &
}
# hole TREE: the reason of its run's hole and whether it is from $2 to $3 s long
hole() { json "$1.json" '(lambda h: "%s %s" % (h[0]["reason"], '"$2"' <= h[0]["unknown_s"] <= '"$3"') if h else "none")(r["windows"]["runs"][0]["holes"])'; }
gross_of() { json "$1.json" "[d['gross_j']['mean'] for d in r['domains'] if d['name'] == '$2'][0]"; }
# climb FILE FROM_UJ W FIRST_S LAST_S: a counter that climbs every 0.1 s
climb() { awk -v file="$1" -v from="$2" -v w="$3" -v s="$4" -v last="$5" 'BEGIN {
    for (; s <= last + 0.01; s += 0.1) printf "%.1f %s %.0f\n", s, file, from += w * 1e5 }'; }

# plan TREE END_S: what climbs in standard input, in the order of time
plan() { { sort -n -s -k1,1; echo "$2 - end"; } > "$1.plan"; }

# Two packages of 10 W; one jumps ahead by 100 kJ at 2 s, in 4 s.
zone jump 262143328850 5000000000 intel-rapl:0=package-0 intel-rapl:1=package-1
{
    climb "jump/$counter" 5000000000 10 0.1 2
    climb "jump/$counter" 105020000000 10 2.1 4
    climb "jump/$second" 5000000000 10 0.1 4
} | plan jump 4.2
plays jump

# One says 0 for 0.3 s, and goes on.
zone zero 262143328850 5000000000 intel-rapl:0=package-0 intel-rapl:1=package-1
{
    climb "zero/$counter" 5000000000 10 0.1 4 | awk '$1 >= 2 && $1 < 2.25 {$3 = 0} {print}'
    climb "zero/$second" 5000000000 10 0.1 4
} | plan zero 4.2
plays zero --interval 0.2 --samples zero.csv

# One stands still from 1 s to 5 s, while the other goes on.
zone freeze 262143328850 5000000000 intel-rapl:0=package-0 intel-rapl:1=package-1
{
    climb "freeze/$counter" 5000000000 10 0.1 1
    climb "freeze/$counter" 5010000000 10 5.1 7
    climb "freeze/$second" 5000000000 10 0.1 7
} | plan freeze 7.2
plays freeze

# A meter of the machine: 200 W, for a second 0 W or 70 kW, and 200 W again.
for wrong in 0 70000000000; do
    board=board-$wrong
    zone "$board" 262143328850 5000000000
    mkdir -p "$board/sys/class/hwmon/hwmon0"
    echo power_meter > "$board/sys/class/hwmon/hwmon0/name"
    power=$board/sys/class/hwmon/hwmon0/power1_average
    printf '%020d\n' 200000000 > "$power"
    printf '%s\n' "1.5 $power $wrong" "2.5 $power 200000000" '4 - end' > "$board.plan"
    plays "$board" --scope machine
done
wait

check 'a jump ahead: a hole of one look' 'implausible True' "$(hole jump 0.3 2.5)"
check 'a jump ahead: nothing of it counts' True "$(json jump.json "$(gross_of jump package-0) <= 40.001")"
check 'a jump ahead: the other package is known' 40 "$(gross_of jump package-1)"
check 'a jump ahead: at least' 'True False None' "$(json jump.json '"%s %s %s" % (r["at_least"], r["complete"], r["net_j"]["mean"])')"
check_match 'a jump ahead is told' 'implausible power: 1 readings of package-0 cannot be true' "$(tr -s '\n ' ' ' < jump.err)"
check_absent 'a jump ahead is no standstill' 'is stuck|did not move|stood still' "$(cat jump.err)"

check_match 'a moment of 0: a hole' '(reset|implausible) True' "$(hole zero 0.1 2)"
check 'a moment of 0: nothing is made up' True "$(json zero.json "$(gross_of zero package-0) <= 40.001")"
check 'a moment of 0: most is known' True "$(json zero.json "$(gross_of zero package-0) >= 15")"

check 'a freeze: a hole of its length' 'frozen True' "$(hole freeze 2.9 6.1)"
check 'a freeze: nothing is made up' True "$(json freeze.json "$(gross_of freeze package-0) <= 30.001")"
check 'a freeze: the other package is known' 70 "$(gross_of freeze package-1)"
check_match 'a freeze is told' 'counter of package-0 did not move for [0-9.]+ s' "$(tr -s '\n ' ' ' < freeze.err)"

for wrong in 0 70000000000; do
    board=board-$wrong
    check "$wrong uW: a hole of its length" 'implausible True' "$(hole "$board" 0.9 1.7)"
    check "$wrong uW: the rest at 200 W" True "$(json "$board.json" '(lambda w, d: abs(d["gross_j"]["mean"] / 200 - w["duration_s"] + w["holes"][0]["unknown_s"]) < 0.1)(
        r["windows"]["runs"][0], [d for d in r["domains"] if d["counted"]][0])')"
    check_match "$wrong uW is told" 'implausible power: [0-9]+ readings of machine cannot be true' "$(tr -s '\n ' ' ' < "$board.err")"
    "$carbon" verify "$board.json" > said 2>&1
    check "$wrong uW: it comes out again" 0 $? || cat said
done
for record in jump zero freeze board-0; do
    "$source/tests/check-schema.sh" "$record.json" > schema
    case $? in 77) ;; *) check "$record as the schema has it" 0 $? || cat schema ;; esac
done
finish
