#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve and a state that cannot be kept: it is said, totals are told on where a start finds no older ones, and left out
# where it would.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

package=tree/sys/class/powercap/intel-rapl:0
said() { grep -q "$1" err; }
noticed() { scrape | grep -q '^carbon_notice_info{what="cannot write the state file.*,kind="failed"}'; }
unnoticed() { ! noticed; }
# A folder stands in the way of the file that is to be written, or of the state itself; carbon may be quicker for a while.
blocked() { rm -f "$1" 2> /dev/null; mkdir "$1" 2> /dev/null || [ -d "$1" ]; }
absent() { [ ! -e "$1" ]; }
withheld() { [ -z "$(value energy_joules_total)" ]; }

lay_serve_tree
use_cpu work 0
serve --state state.json --by cgroup --intensity 360
begun=$(value totals_start_time_seconds)
add $package 5000000
use_cpu work 1000
wait_value 5 energy_joules_total 'domain="package-0"'

# What cannot be kept: there is no older state, and all is told.
until_true blocked state.json.new
until_true said "cannot write the state file 'state.json'"
tried 1 'The state of `carbon serve`'
check_match 'what happens then' 'until then a start after this begins at 0' "$(cat err)"
check 'the older one is gone' yes "$(absent state.json && echo yes)"
until_true noticed
add $package 3000000
use_cpu work 1000
wait_value 8 energy_joules_total 'domain="package-0"'
check_match 'groups, too' '^[0-9]' "$(value cgroup_energy_joules_total 'component="package"')"
collected
check 'it is told once' 1 "$(grep -c 'cannot write the state file' err)"

# Where there is something that cannot be removed: totals are not told, for a start might go on from it. Powers are.
until_true blocked state.json
until_true withheld
tried 1 'The state of `carbon serve`'
check_match 'why' 'totals are not exported, since a restart would reset them' "$(cat err)"
for name in energy_joules_total emissions_kilograms_total cgroup_energy_joules_total cgroup_emissions_kilograms_total \
    cgroup_cpu_seconds_total energy_gaps_total; do
    check "no $name" '' "$(value $name)"
done
powered() { add $package 1000000 && [ -n "$(value power_watts 'domain="package-0"')" ] && withheld; }
until_true powered
until_true noticed
all_j=$((10#$(cat $package/energy_uj) / 1000000))

# It can be kept again: nothing that was used meanwhile is missing.
rmdir state.json state.json.new
wait_value $all_j energy_joules_total 'domain="package-0"'
until_true said 'the state is kept again'
until_true unnoticed
check 'since when' "$begun" "$(value totals_start_time_seconds)"
{ kill -KILL $pid && wait $pid; } 2> /dev/null
serve --state state.json --by cgroup --intensity 360
check 'after SIGKILL' $all_j "$(value energy_joules_total 'domain="package-0"')"
check 'since when, after SIGKILL' "$begun" "$(value totals_start_time_seconds)"

# Killed while it cannot be kept: the next one begins at 0, and says since when.
until_true blocked state.json.new
until_true said "cannot write the state file 'state.json'"
tried 1 'The state of `carbon serve`'
{ kill -KILL $pid && wait $pid; } 2> /dev/null
rmdir state.json.new
serve --state state.json --by cgroup --intensity 360
check 'it begins at 0' 0 "$(value energy_joules_total 'domain="package-0"')"
check 'since then' "$(ask "$url/metrics" | sed -n 's/^process_start_time_seconds //p')" "$(value totals_start_time_seconds)"
add $package 1000000
wait_value 1 energy_joules_total 'domain="package-0"'
stop
check 'nothing is left beside it' 'state.json state.json.lock' "$(echo state.json*)"

# Another boot numbers its devices in another order: the total is that of the same name.
mv tree/sys/class/powercap/intel-rapl:0 tree/sys/class/powercap/intel-rapl:1
for zone in tree/sys/class/powercap/intel-rapl:0:*; do mv "$zone" "${zone/rapl:0:/rapl:1:}"; done
package=tree/sys/class/powercap/intel-rapl:1
put_uj $package 700000000
serve --state state.json
check_match 'another place' 'no value of its counter was kept' "$(cat err)"
check 'its total goes on' 1 "$(value energy_joules_total 'domain="package-0"')"
stop

# A disk that gets full while it runs is no matter: there is room for two states from the second on. One that is full at the
# start is an error.
mkdir disk
if mount -t tmpfs -o size=64k none disk 2> /dev/null; then
    trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; umount "$work/in/disk"; rm -rf "$work"' EXIT
    serve --state disk/state.json
    collected
    head -c 100000 /dev/zero > disk/filler 2> /dev/null
    add $package 1000000
    wait_value 1 energy_joules_total 'domain="package-0"'
    collected
    check 'a full disk is no matter' '' "$(grep 'cannot be kept' err)"
    tried 1 'The state of `carbon serve`'
    { kill -KILL $pid && wait $pid; } 2> /dev/null
    serve --state disk/state.json
    check 'a start on it' 1 "$(value energy_joules_total 'domain="package-0"')"
    stop
    check 'its end' 0 $status
    rm disk/state.json
    head -c 100000 /dev/zero >> disk/filler 2> /dev/null
    "$carbon" serve --root tree --listen 127.0.0.1:0 --state disk/state.json > out 2> err
    check 'no state, and no room for one' 125 $?
    tried 1 'The state of `carbon serve`'
    check_match 'what and why' "cannot write the state file 'disk/state.json' why: no space left on device fix: make room" "$(tail -3 err | tr -s '\n ' ' ')"
    check 'nothing is left there' 'disk/filler disk/state.json.lock' "$(echo disk/*)"
else
    echo 'no disk of its own: what is said of a full one is not tried'
fi
finish
