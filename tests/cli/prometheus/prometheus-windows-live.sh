#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon prometheus energy over a real Prometheus that has a day of counters scraped at intervals from 1 s to 2 min: windows of
# any length have what the counters say at their edges, and those that meet add up.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-prometheus.sh"

unset CARBON_PROMETHEUS_URL CARBON_PROMETHEUS_TOKEN CARBON_PROMETHEUS_PASSWORD
command -v promtool > /dev/null || skip 'promtool is not installed'
nodes=25 seconds=14400 windows=1000
"$source/tests/helpers/counters.py" write $nodes $seconds > counters.om
promtool tsdb create-blocks-from openmetrics counters.om "$services/prometheus.data" > said 2>&1 ||
    skip "promtool makes no blocks here: $(tail -n 1 said)"
port=$(free_port)
prometheus=http://127.0.0.1:$port
echo 'global: {scrape_interval: 1m}' > "$services/prometheus.yml"
service_start prometheus prometheus --config.file="$services/prometheus.yml" --storage.tsdb.path="$services/prometheus.data" \
    --storage.tsdb.retention.time=100y --web.listen-address="127.0.0.1:$port"
service_answers prometheus "$prometheus/-/ready"
check_match 'every window, and its pieces together' "^$windows windows, 0 faults, at most 0\\.0[0-9]+ % apart\$" \
    "$("$source/tests/helpers/counters.py" check "$carbon" "$prometheus" $nodes $seconds $windows)"
finish
