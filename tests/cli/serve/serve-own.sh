#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve --by: own energy of a group, on a machine whose powers are known: by a model, however busy the rest is, and by a meter
# above the lowest power seen.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

lay_serve_tree
mover=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; [ -z "$mover" ] || kill "$mover"; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
moves() { # BUSY IDLE_W CPU_W
    echo "$1" > tree/busy
    rm -f tree/moving
    /usr/bin/python3 -B "$source/tests/helpers/groups.py" tree "$2" "$3" &
    mover=$!
    until_true test -e tree/moving
}
still() { : > tree/still; wait "$mover"; mover=; rm tree/still; }
number() { ask --value "$1" --labels "${2-}" "$url/metrics"; }
used_s() { awk -v used="$(value cgroup_cpu_seconds_total 'cgroup="/a"')" -v least="$1" 'BEGIN { exit !(used > least) }'; }
# Watts of the group for each CPU that it had, out of one scrape
slope() {
    scrape > all
    awk -v kind="$1" '/^carbon_cgroup_own_energy_joules_total\{cgroup="\/a"/ && $0 ~ "component=\"package\",method=\"" kind "\"" { own = $NF }
        /^carbon_cgroup_cpu_seconds_total\{cgroup="\/a"/ { cpu = $NF }
        END { print own / cpu }' all
}
near() { awk "BEGIN { print ($1 > $2 * (1 - $3) && $1 < $2 * (1 + $3)) ? \"yes\" : $1 \" is not \" $2 }"; }

# 10 to 110 W for one CPU: 100 W each busy second, at 96 % load
moves 0.96 20 30
serve --source model --cpu-power 10:110 --by cgroup --intensity 360 --state state.json
until_true used_s 1.2
check 'by a model: CPU time × its slope' yes "$(near "$(slope cpu-time)" 100 0.05)"
check 'its idle power stands beside' yes "$(near "$(value idle_power_watts 'component="package",method="model"')" 10 0.0001)"
check_match 'its kilograms' '^[0-9.e-]+$' "$(value cgroup_own_emissions_kilograms_total 'cgroup="/a",quality="attributed"')"
check 'they are of its energy' yes "$(awk '/^carbon_cgroup_own_energy_joules_total/ { j += $NF } /^carbon_cgroup_own_emissions/ { kg = $NF }
    END { r = kg / (j / 3.6e6 * 0.36); print (r > 0.999999 && r < 1.000001) ? "yes" : r }' all)"
kept=$(value cgroup_own_energy_joules_total 'cgroup="/a"' | head -1)
stop
serve --source model --cpu-power 10:110 --by cgroup --intensity 360 --state state.json
check 'after a restart it goes on' yes "$(awk "BEGIN { print (($(value cgroup_own_energy_joules_total 'component="package"') >= $kept) ? \"yes\" : \"no\") }")"
stop
still

# A meter: 20 W idle, then 30 W more for each busy second; the group has half of them
rm -rf tree
lay_serve_tree
moves 0 20 30
serve --source powercap --by cgroup --intensity 360 --state meter.json
idle_seen() { [ "$(near "$(value idle_power_watts 'component="package",method="lowest"' | head -1 | grep . || echo 0)" 20 0.1)" = yes ]; }
until_true idle_seen
echo 0.9 > tree/busy
until_true used_s 1.2
check 'by a meter: a share of what lies above the lowest power' yes "$(near "$(slope share)" 30 0.1)"
check 'the state keeps that power' yes "$(near "$(json meter.json 'r["idle_w"]["package"]')" 20 0.1)"
stop
still
finish
