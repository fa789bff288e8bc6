#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon report --from-prometheus of a real Prometheus that keeps a year of two nodes and their pods: every month of every
# node, to the joule.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"
. "$source/tests/cli/lib-prometheus.sh"
command -v promtool > /dev/null || skip 'promtool is not installed'

# A value every five minutes, as Prometheus looks back no further. The processor of node-b counts in 32 bits: it wraps.
/usr/bin/python3 - > year.om <<'E2'
import calendar
begin, end, step = calendar.timegm((2025, 1, 1, 0, 0, 0)), calendar.timegm((2026, 1, 1, 0, 0, 0)), 300
series = [
    ('kepler_node_cpu_joules_total', 'node_name="node-a",zone="package",path="/p"', lambda t: 123.0 * t),
    ('kepler_node_cpu_joules_total', 'node_name="node-a",zone="dram",path="/d"', lambda t: 7.5 * t),
    ('kepler_node_cpu_joules_total', 'node_name="node-a",zone="core",path="/c"', lambda t: 100.0 * t),
    ('kepler_node_cpu_joules_total', 'node_name="node-b",zone="package",path="/p"', lambda t: 61.0 * t % 262143.328850),
    ('kepler_pod_cpu_joules_total', 'node_name="node-a",pod_namespace="web",pod_name="w",pod_id="1",zone="package"',
     lambda t: 30.0 * t),
]
last = None
for metric, labels, value in series:
    if metric != last:
        print('# TYPE', metric[:-len('_total')], 'counter')
    last = metric
    for t in range(begin, end + 1, step):
        print('%s{%s} %r %d' % (metric, labels, value(t - begin), t))
print('# EOF')
E2
promtool tsdb create-blocks-from openmetrics --quiet --max-block-duration=2400h year.om "$services/prometheus.data" \
    > blocks 2>&1 || promtool tsdb create-blocks-from openmetrics --quiet year.om "$services/prometheus.data" > blocks 2>&1
check 'the year is there' 0 $? || { cat blocks; finish; }
rm year.om
echo 'global: {}' > "$services/prometheus.yml"
prometheus=http://127.0.0.1:$(free_port)
service_start prometheus prometheus --config.file="$services/prometheus.yml" --web.listen-address="${prometheus#http://}" \
    --storage.tsdb.path="$services/prometheus.data" --storage.tsdb.retention.time=90y
service_answers prometheus "$prometheus/-/ready"

report() { "$carbon" report --verbose --from-prometheus "$prometheus" --intensity 100 "$@" 2> said; }
report --year 2025 --step 5m --by namespace --json r.json --csv r.csv
check 'a year' 0 $? || cat said
cat > right.py <<'E2'
import calendar, json, sys
r = json.load(open(sys.argv[1]))
hours = lambda m: 24 * calendar.monthrange(2025, m)[1]
near = lambda a, b: abs(a - b) <= 1e-9 * b
nodes = {g["name"]: g["figures"]["it_kwh"] for g in r["labels"]}
groups = {g["name"]: g["figures"]["it_kwh"] for g in r["projects"]}
# before the first value of a day there is one of the day before, but for that of the first day
print(near(nodes["node-a"], 130.5 * 8.76), near(nodes["node-b"], 61 * 8.76), near(r["total"]["kgco2eq"], 19.15 * 8.76),
      all(near(m["figures"]["it_kwh"], .1915 * hours(i)) for i, m in enumerate(r["months"], 1)),
      near(groups["web"], 30 * 8.76), near(sum(groups.values()), 191.5 * 8.76), r["period"]["covered_share"] == 1,
      r["fleet"]["gaps"], r["fleet"]["resets"], r["fleet"]["wraps"] == int(61 * 8760 * 3600 / 262143.328850), r["previous"])
E2
check 'every month and node, to the joule' 'True True True True True True True 0 0 True None' \
    "$(/usr/bin/python3 right.py r.json)"

# By the minute, between values: what Prometheus gives for a time is the value before it.
report --from 2025-06-01 --to 2025-06-07 --json w.json
check 'a week by the minute' True "$(json w.json "abs(r['total']['it_kwh'] - .1915 * 168) < 1e-9")"
report --from 2025-06-01 --to 2025-06-07 --match 'node_name="node-b"' --json w.json
check 'one of them' 'True 1' "$(json w.json "'%s %s' % (abs(r['total']['it_kwh'] - .061 * 168) < 1e-9, len(r['fleet']['nodes']))")"
out=$(report --year 2025 --match 'node_name=~"("' 2>&1; cat said)
check_match 'what the server refuses is told' 'did not answer the query' "$out"
service_stop prometheus
report --year 2025 --timeout 5 --json none.json
check 'a server that is gone' 125 $?
check 'nothing is written' '' "$(ls none.json* 2> /dev/null)"
finish
