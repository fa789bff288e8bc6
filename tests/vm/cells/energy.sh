# SPDX-License-Identifier: MIT
# Cells of counters that are in order: sourced by guest.sh.
# shellcheck shell=bash disable=SC2016,SC2154 # the jobs' own shells expand their variables

"$carbon" sources > /out/sources.out 2> /out/sources.err
echo $? > /out/sources.status

# A power that does not change.
measure steady --baseline 2 -- sleep 3
measure steady-perf --source perf --baseline 0 -- sleep 1

# Counters that move inside the job alone, each by more than 10 J but uncore's: the moments of the reads do not matter.
power 0,0,0,0,0
step='echo 60000,30000,3000,15000,90000 > $raplmsr/power_mw
    sleep 1
    echo 0,0,0,0,0 > $raplmsr/power_mw
    exit 7'
counters > /out/exact.before
measure exact --baseline 1 -- sh -c "$step"
counters > /out/exact.after

# 0.1 J before the end of 32 bits.
full=
for unit in ${units//,/ }; do
    full+=${full:+,}$(((1 << 32) - (1 << unit) / 10))
done
echo "$full" > $raplmsr/raw
counters > /out/wrap.before
measure wrap --baseline 0 -- sh -c "$step"
counters > /out/wrap.after

# A job that draws 20 W more than the machine at rest, n + 1 times that in package n.
power 10000,5000,1000,2000,20000
measure net --baseline 2 -- sh -c '
    read -r begun rest < /proc/uptime
    echo 30000,15000,1000,7000,40000 > $raplmsr/power_mw
    sleep 3
    echo 10000,5000,1000,2000,20000 > $raplmsr/power_mw
    read -r ended rest < /proc/uptime
    echo "$begun $ended"'
# The same in three runs, between baselines of their own.
measure runs --baseline 2 --runs 3 --settle 0 -- sh -c '
    read -r begun rest < /proc/uptime
    echo 30000,15000,1000,7000,40000 > $raplmsr/power_mw
    sleep 2
    echo 10000,5000,1000,2000,20000 > $raplmsr/power_mw
    read -r ended rest < /proc/uptime
    echo "$begun $ended"'
power $steady
