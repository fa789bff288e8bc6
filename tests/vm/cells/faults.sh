# SPDX-License-Identifier: MIT
# Cells of counters that fail: sourced by guest.sh.
# shellcheck shell=bash disable=SC2016,SC2154 # the jobs' own shells expand their variables
module=$(echo "$built"/modules/*-intel_rapl_msr.ko)
export module

# series NAME ARGUMENTS...: a run of powercap alone, read every 0.2 s.
series() {
    local name=$1
    shift
    measure "$name" --source powercap --baseline 0 --interval 0.2 --samples "/out/$name.csv" "$@"
}

# Counters that stand still.
power 0,0,0,0,0
measure frozen --baseline 0 -- sleep 1
power $steady

# Registers that cannot be read at the end of the job, and in the middle of it.
series unreadable -- sh -c '
    read -r begun rest < /proc/uptime
    sleep 1
    echo 5 > $raplmsr/fail
    read -r left rest < /proc/uptime
    sleep 0.5
    echo "$begun $left"'
echo 0 > $raplmsr/fail
series passing -- sh -c 'sleep 1; echo 5 > $raplmsr/fail; sleep 0.6; echo 0 > $raplmsr/fail; sleep 1; exit 7'

# Counters that are set back, as by a reset of the machine's firmware: both drivers read them.
echo 2000000000,2000000000,2000000000,2000000000,2000000000 > $raplmsr/raw
measure reset --baseline 0 --interval 0.2 --samples /out/reset.csv -- sh -c '
    sleep 1
    echo 1,1,1,1,1 > $raplmsr/raw
    sleep 1
    exit 7'

# Domains that vanish with their driver, for good and to come back.
series gone -- sh -c '
    read -r begun rest < /proc/uptime
    sleep 1
    rmmod intel_rapl_msr
    read -r left rest < /proc/uptime
    sleep 1
    echo "$begun $left"
    exit 7'
insmod "$module"
series back -- sh -c '
    read -r begun rest < /proc/uptime
    sleep 1
    rmmod intel_rapl_msr
    read -r left rest < /proc/uptime
    sleep 1
    insmod "$module"
    read -r back rest < /proc/uptime
    sleep 3
    read -r ended rest < /proc/uptime
    echo "$begun $left $back $ended"
    exit 7'

# A package that vanishes with its last CPU.
if [ "$sockets" -gt 1 ]; then
    measure offline --baseline 0 --interval 0.2 --samples /out/offline.csv -- sh -c '
        read -r begun rest < /proc/uptime
        sleep 1
        echo 0 > /sys/devices/system/cpu/cpu1/online
        read -r left rest < /proc/uptime
        sleep 1
        echo 1 > /sys/devices/system/cpu/cpu1/online
        read -r back rest < /proc/uptime
        sleep 3
        read -r ended rest < /proc/uptime
        echo "$begun $left $back $ended"
        exit 7'
fi
