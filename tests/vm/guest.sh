#!/bin/bash
# SPDX-License-Identifier: MIT
# guest.sh INSTALLED CARBON: what kernel.sh has done inside the virtual machine, as root there.
#
# Each case leaves in /out its record (NAME.json), the messages (NAME.err), the exit status (NAME.status) and the
# counters as the kernel gave them before and after (NAME.before, NAME.after). kernel.sh judges them.
# shellcheck disable=SC2016,SC2317 # the jobs' own shells expand their variables; functions are named in variables
set -u
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C HOME=/tmp
export PATH LC_ALL HOME
installed=$1 carbon=$2
raplmsr=/sys/module/raplmsr/parameters
export raplmsr
cp -a "$installed/." /
cd /tmp || exit 1

power() {
    echo "$1" > $raplmsr/power_mw
}

# Every zone's energy_uj by its folder, as few processes as can be: each takes long in an emulated machine.
zones() {
    local zone energy_uj
    for zone in /sys/class/powercap/intel-rapl:*; do
        read -r energy_uj < "$zone/energy_uj"
        echo "${zone#/} $energy_uj"
    done
}

# The registers of both packages (package, memory, cores) by CPU and number.
registers() {
    local cpu register
    for cpu in 0 1; do
        for register in 0x611 0x619 0x639; do
            echo "cpu$cpu/$register $(od -An -tu8 -N8 -j"$register" "/dev/cpu/$cpu/msr")"
        done
    done
}

# measure COUNTERS NAME ARGUMENTS...: COUNTERS are read before and after.
measure() {
    local counters=$1 name=$2
    shift 2
    $counters > "/out/$name.before"
    "$carbon" measure --zone FR --json "/out/$name.json" "$@" 2> "/out/$name.err" > "/out/$name.out"
    echo $? > "/out/$name.status"
    $counters > "/out/$name.after"
}

# as_user NAME [setpriv option...] -- COMMAND...: with no other group and no right but what the options give.
as_user() {
    local name=$1 options=()
    [[ $* == *' --groups '* ]] || options=(--clear-groups)
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    setpriv --reuid=65534 --regid=65534 "${options[@]}" -- "$@" > "/out/$name.out" 2> "/out/$name.err"
    echo $? > "/out/$name.status"
}

chmod 777 /out
{ uname -r; cat /proc/sys/kernel/perf_event_paranoid; head /sys/class/powercap/intel-rapl:*/name; } > /out/machine
"$carbon" sources > /out/sources.out 2> /out/sources.err
echo $? > /out/sources.status
as_user sources-user -- "$carbon" sources

# A power that does not change.
measure true steady-powercap --source powercap --baseline 3 -- sleep 4
measure true steady-perf --source perf --baseline 3 -- sleep 4

# Counters that move inside the job alone.
power 0,0,0,0,0
step='echo 20000,10000,1000,4000,30000 > $raplmsr/power_mw
    sleep 1
    echo 0,0,0,0,0 > $raplmsr/power_mw
    exit 7'
# 0.1 J before the end of 32 bits, in units of 2^-14 J and, for memory, 2^-16 J
full=4294965658,4294965658,4294965658,4294960742,4294965658
measure zones exact-powercap --source powercap --baseline 1 -- sh -c "$step"
echo $full > $raplmsr/raw
measure zones wrap-powercap --source powercap --baseline 0 -- sh -c "$step"
measure registers exact-perf --source perf --baseline 1 -- sh -c "$step"
echo $full > $raplmsr/raw
measure registers wrap-perf --source perf --baseline 0 -- sh -c "$step"

# A job that draws 20 W more than the machine at rest, twice that in the second package.
power 10000,5000,1000,2000,20000
measure true net --source powercap --baseline 2 -- sh -c '
    read -r begun rest < /proc/uptime
    echo 30000,15000,1000,7000,40000 > $raplmsr/power_mw
    sleep 4
    echo 10000,5000,1000,2000,20000 > $raplmsr/power_mw
    read -r ended rest < /proc/uptime
    echo "$begun $ended"'

# A register that cannot be read at the end.
measure true unreadable --source powercap --baseline 0 -- sh -c 'echo 5 > $raplmsr/fail'
echo 0 > $raplmsr/fail

# An ordinary user: refused, modelled, and helped by what the refusals advise.
for source in powercap perf; do
    as_user refused-$source -- "$carbon" measure --source $source --baseline 0 -- touch /out/ran
done
as_user refused-measured -- "$carbon" measure --require-measured --baseline 0 -- touch /out/ran
as_user modelled -- "$carbon" measure --json /out/modelled.json --baseline 0 -- sleep 1
# Debian's kernel heeds CAP_PERFMON below 3 alone.
echo 2 > /proc/sys/kernel/perf_event_paranoid
as_user capable --inh-caps=+perfmon --ambient-caps=+perfmon -- \
    "$carbon" measure --source perf --json /out/capable.json --baseline 0 -- sleep 1
echo 3 > /proc/sys/kernel/perf_event_paranoid
chgrp 4242 /sys/class/powercap/*/energy_uj
chmod g+r /sys/class/powercap/*/energy_uj
as_user grouped --groups 4242 -- "$carbon" measure --source powercap --json /out/grouped.json --baseline 0 -- sleep 1
exit 0
