#!/bin/bash
# SPDX-License-Identifier: MIT
# guest.sh MACHINE INSTALLED CARBON BUILT: what kernel.sh has done inside the virtual machine, as root there.
#
# Each case of cells/*.sh leaves in /out its record (NAME.json), the messages (NAME.err), the exit status (NAME.status)
# and the counters as the kernel gave them before and after (NAME.before, NAME.after). judge.py reads them.
# shellcheck disable=SC2317 # functions are named in variables
set -u
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C HOME=/tmp CARBON_LEDGER=off
export PATH LC_ALL HOME CARBON_LEDGER
machine=$1 installed=$2 carbon=$3 built=$4
here=$(cd "$(dirname "$0")" && pwd)
read -r sockets amd units <<< "$(awk -v name="$machine" '$1 == name {print $3, $4, $5}' "$here/machines")"
raplmsr=/sys/module/raplmsr/parameters
export raplmsr
# What package 0 draws, in mW; judge.py has the same in W.
steady=20000,10000,1000,4000,30000
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

# The registers of each package by CPU and what they count.
registers() {
    local cpu register numbers='package=0x611 memory=0x619 cores=0x639 uncore=0x641 platform=0x64d'
    [ "$amd" = 0 ] || numbers='package=0xc001029b'
    for ((cpu = 0; cpu < sockets; cpu++)); do
        for register in $numbers; do
            echo "$cpu/${register%=*} $(od -An -tu8 -N8 -j"${register#*=}" "/dev/cpu/$cpu/msr")"
        done
    done
}

counters() {
    zones
    registers
}

# measure NAME ARGUMENTS...
measure() {
    local name=$1
    shift
    "$carbon" measure --zone FR --json "/out/$name.json" "$@" 2> "/out/$name.err" > "/out/$name.out"
    echo $? > "/out/$name.status"
}

# as_user NAME [setpriv option...] -- COMMAND...: with no other group and no right but what the options give.
as_user() {
    local name=$1 options=()
    [[ $* == *' --init-groups '* ]] || options=(--clear-groups)
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
for cells in energy faults rights calibrate own; do
    # shellcheck source=/dev/null
    . "$here/cells/$cells.sh"
    read -r up_s rest < /proc/uptime
    echo "$cells until $up_s s" >> /out/machine
done
exit 0
