#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs that go wrong on the way: carbon is stopped, a counter cannot be read any more, is garbage, or starts anew; and a
# counter that wraps every few seconds while nobody asks for samples. All at once, since they mostly sleep.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

burn=$helpers/burn
counter=sys/class/powercap/intel-rapl:0/energy_uj

# run NAME [OPTION...] -- JOB: carbon measure of the tree NAME, in the background, into NAME.json and NAME.err
run() {
    local tree=$1
    shift
    "$carbon" measure -v --root "$tree" --baseline 0 --json "$tree.json" "$@" 2> "$tree.err" &
}

# plays NAME: the same while NAME.plan is played
plays() {
    run "$1" --samples "$1.csv" --interval 0.1 -- /usr/bin/python3 -B "$source/tests/machines/play.py" "$1.plan"
}

# of NAME KEY [DOMAIN]: from the record of NAME, of package-0 where no domain is named
of() {
    json "$1.json" "[d['gross_j']['mean'] if '$2' == 'gross_j' else d['$2']
        for d in r['domains'] if d['name'] == '${3:-package-0}'][0]"
}

# 11 kJ at the ceiling of 2 kW are 5.5 s; 1.5 kW for 25 s go around it four times.
zone wraps 11000000000 9000000000
run wraps -- "$burn" wraps intel-rapl:0 37500000000 25000

# A wrap of 4 kJ takes 2 s at least; carbon sleeps for 3.
zone stopped 4000000000 1000000000
run stopped --ready-fd 5 5> begun -- "$burn" stopped intel-rapl:0 100000000 5000
stopped=$!

# Its command ends while carbon is stopped.
zone ends 262143328850 50000000000
run ends --ready-fd 6 6> running -- sh -c 'until [ -e stopped-now ]; do sleep 0.02; done; : > over'
ends=$!

zone gap 262143328850 50000000000
printf '%s\n' "0.4 gap/$counter 50010000000" "0.7 gap/$counter denied" "1.4 gap/$counter 50030000000" '1.6 - end' \
    > gap.plan
plays gap

for end in denied empty; do
    zone $end 262143328850 50000000000
    mkdir -p $end/sys/class/powercap/intel-rapl:1
    cp $end/sys/class/powercap/intel-rapl:0/* $end/sys/class/powercap/intel-rapl:1
    echo package-1 > $end/sys/class/powercap/intel-rapl:1/name
    printf '%s\n' "0.4 $end/$counter 50010000000" "0.5 ${end}/sys/class/powercap/intel-rapl:1/energy_uj 50005000000" \
        "1 $end/$counter $end" '1.3 - end' > $end.plan
    plays $end
done

zone reset 262143328850 50000000000
printf '%s\n' "0.4 reset/$counter 50010000000" "0.8 reset/$counter 9000000" "1.2 reset/$counter 14000000" '1.4 - end' \
    > reset.plan
plays reset

zone gone 262143328850 50000000000
printf '%s\n' "0.4 gone/$counter 50010000000" "0.8 gone/$counter remove" '1 - end' > gone.plan
plays gone

until_true grep -sqx run running
kill -STOP $ends
: > stopped-now
until_true test -e over
until_true grep -sqx run begun
kill -STOP $stopped
sleep 3
kill -CONT $stopped $ends
wait

tried "$(of wraps wraps)" 'A counter wraps, also unseen'
check '04 a counter that wraps every few seconds loses nothing' '37500 4' "$(of wraps gross_j) $(of wraps wraps)"
check_absent '04 and leaves no doubt' 'wrapped unseen' "$(cat wraps.err)"
tried 1 'A counter wraps, also unseen'
check 'stopped: what was read before and after is a lower bound' 'True True failed' "$(json stopped.json '"%s %s %s" % (
    r["at_least"], 0 <= r["gross_j"]["mean"] < 100, r["windows"]["runs"][0]["holes"][0]["reason"])')"
check_match 'stopped: a wrap may have passed' 'package-0 may have wrapped unseen 1 times' "$(tr -s '\n ' ' ' < stopped.err)"
tried 1 'Carbon is stopped or frozen'
check 'the end was not seen: how long it may have been' True "$(json ends.json '3 <= r["end_gap_s"] <= r["duration_s"]["mean"]')"
check_match 'and is told' 'run 1 may have ended up to [0-9.]+ s before its closing sample' "$(tr -s '\n ' ' ' < ends.err)"
check_absent 'only where it is so' 'may have ended' "$(cat gap.err reset.err)"
tried 1 'A counter is reset, stuck'
check 'a gap: the counter went on, so that the difference holds' 30 "$(of gap gross_j)"
check_match 'a gap is told' 'readings of package-0 failed' "$(cat gap.err)"
for end in denied empty; do
    tried 1 'A counter is reset, stuck'
    check "$end to the end: what came before" 10 "$(of $end gross_j)"
    check_match "$end to the end: what is known" 'run 1 used at least 15.0 J: package-0 is known for' \
        "$(tr -s '\n ' ' ' < $end.err)"
    check "$end to the end: the other package goes on" 5 "$(of $end gross_j package-1)"
    check "$end to the end: the total says so" 'None 15 failed True False' "$(json $end.json '"%s %s %s %s %s" % (r["net_j"]["mean"],
        r["gross_j"]["mean"], r["windows"]["runs"][0]["holes"][0]["reason"], r["at_least"], r["complete"])')"
    check "$end to the end: the samples stay" 10000000 \
        "$(awk -F, 'NR > 1 && $5 != "" {last = $5} END {print last}' $end.csv)"
done
tried 1 'A counter is reset, stuck'
check 'a reset is no wrap' '15 1 0' "$(of reset gross_j) $(of reset resets) $(of reset wraps)"
check_match 'a reset is told' 'package-0 was reset 1 time' "$(tr -s '\n ' ' ' < reset.err)"
tried 1 'A counter is reset, stuck'
check 'a file that is removed while it is open' 10 "$(of gone gross_j)"
finish
