#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve is killed at any moment, again and again, under a real Prometheus: increase() is never above the truth, and at
# least the truth less what was used while nothing ran and since the collection before.
#
#   CARBON_KILLS=200 serve-kills.sh    so many kills; 20 when not given
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"
. "$source/tests/cli/lib-prometheus.sh"

lay_serve_tree
rm -r tree/sys/class/powercap/intel-rapl:0:0 tree/sys/class/powercap/intel-rapl:0:1
use_cpu job 0
port=$(free_port)
scrape_interval=1s
prometheus_start carbon="$port"
/usr/bin/python3 -B "$source/tests/helpers/kills.py" "$carbon" tree "$port" state.json "$prometheus" "${CARBON_KILLS:-20}" \
    --resolution 0.2 --intensity 360 --by cgroup > found 2> said
check 'it came to its end' 0 $?
cat said found
tried "$(sed -n 's/ kills, .*//p' said found)" '`carbon serve` is killed'
for what in 'package never goes back' 'kilograms never goes back' 'group never goes back' 'CPU time never goes back' \
    'increase\(\) of package is not above the truth' 'increase\(\) of kilograms is not above the truth' \
    'increase\(\) of group is not above the truth' 'increase\(\) of package misses no more than it may' \
    'increase\(\) of kilograms misses no more than it may' "the group's total misses no more than it may" 'no resets of carbon_energy_joules_total' \
    'no resets of carbon_emissions_kilograms_total' 'no resets of carbon_cgroup_energy_joules_total'; do
    check_match "$what" "^$what: good$" "$(grep -E "^$what" found)"
done
finish
