# SPDX-License-Identifier: MIT
# A cell of carbon calibrate: sourced after the others by guest.sh.
# shellcheck shell=bash disable=SC2154

# Loads compute, which an emulated machine takes long for: one of them does.
[ "$machine" = client ] || return 0

# While a load of carbon is there (from its gate, which is in no window, until it is reaped, which is after its last sample)
# package 0 draws 30 W and its memory 7 W, else 10 W and 2 W. Without a process: each takes long in an emulated machine.
mkfifo rest
exec 7<> rest
power 10000,5000,1000,2000,20000
"$carbon" calibrate --anyway --settle 0 --time 4 --runs 2 --baseline 4 > /out/calibrate.out 2> /out/calibrate.err &
calibrating=$!
drawn=
while [ -e /proc/$calibrating/exe ]; do # until it has ended, and is not awaited yet
    children='' load=''
    read -r children < /proc/$calibrating/task/$calibrating/children
    [ -z "$children" ] || read -r load < "/proc/${children% }/task/${children% }/children"
    now=10000,5000,1000,2000,20000
    [ -z "$load" ] || now=30000,15000,1000,7000,40000
    [ "$now" = "$drawn" ] || power $now
    drawn=$now
    read -r -t 0.02 _ <&7
done 2> /dev/null
wait $calibrating
echo $? > /out/calibrate.status
exec 7>&-
"$carbon" calibrate --export /out/calibrate.csv 2> /out/exported.err
# What it is used for.
measure by-profile --source model --baseline 0 -- sleep 1
rm -f /etc/carbon/profile.csv
power "$steady"
