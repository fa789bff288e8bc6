#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon prometheus energy over a real Prometheus that has a day of counters scraped at intervals from 1 s to 2 min: windows of
# any length have what the counters say at their edges, and those that meet add up.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-prometheus.sh"

unset CARBON_PROMETHEUS_URL CARBON_PROMETHEUS_TOKEN CARBON_PROMETHEUS_PASSWORD
nodes=25 seconds=14400 windows=1000
"$source/tests/helpers/counters.py" write $nodes $seconds > counters.om
prometheus_of counters.om 1m
check_match 'every window, and its pieces together' "^$windows windows, 0 faults, at most 0\\.0[0-9]+ % apart\$" \
    "$("$source/tests/helpers/counters.py" check "$carbon" "$prometheus" $nodes $seconds $windows)"
finish
