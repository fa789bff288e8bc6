#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon prometheus resources and energy over a real Prometheus that has looked at pods every 30 s: a peak of 10 s that one
# scrape saw is told, and a pod of 58.4 W has its energy from the first to the last second of a window.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-prometheus.sh"

unset CARBON_PROMETHEUS_URL CARBON_PROMETHEUS_TOKEN CARBON_PROMETHEUS_PASSWORD
begin=1700000000
# Scraped at 7 s, 37 s ...; 500 MB, and 2000 MB from 60 s to 70 s; 0.1 cores, and 1.5 from 30 s to 60 s.
/usr/bin/python3 - $begin > pods.om << 'END'
import sys
begin, times = int(sys.argv[1]), range(7, 900, 30)
pod = 'container="app",namespace="shop",pod="web"'
def show(name, kind, labels, value):
    print(f"# TYPE {name} {kind}")
    for t in times:
        print(f"{name}{'_total' if kind == 'counter' else ''}{{{labels}}} {value(t):.6f} {begin + t}")
show("container_memory_working_set_bytes", "gauge", pod, lambda t: 2e9 if 60 <= t < 70 else 5e8)
show("container_cpu_usage_seconds", "counter", pod, lambda t: 0.1 * t + 1.4 * min(max(t - 30, 0), 30))
show("kepler_container_package_joules", "counter",
     'container_id="c",container_name="app",container_namespace="shop",mode="dynamic",pod_name="web"', lambda t: 58.436 * t)
print("# EOF")
END
prometheus_of pods.om 30s
# energy FROM TO: of the pod, in seconds since the begin
energy() {
    rm -f json
    "$carbon" prometheus energy --url "$prometheus" --from $((begin + $1)) --to $((begin + $2)) --all-pods --zone FR --json json \
        > out 2> said
    json json "'%.1f' % [x for x in r['rows'] if x['pod'] == 'web'][0]['sum']['joules']"
}
check 'three minutes' 10518.5 "$(energy 300 480)"
check 'each of them' '3506.2 3506.2 3506.2' "$(energy 300 360) $(energy 360 420) $(energy 420 480)"
check 'a second between two samples' 58.4 "$(energy 310 311)"
"$carbon" prometheus resources --url "$prometheus" --from $begin --to $((begin + 900)) --pod web --json json > out 2> said
# 1.17 cores between the scrapes of 37 s and 67 s, of which Prometheus' rate() over a minute of two samples makes less
check 'the peaks of the scrapes' '2000000000 True' \
    "$(json json "'%d %s' % (r['pods'][0]['memory_bytes'], 0.8 < r['pods'][0]['cpu_cores'] < 1.18)")"
check 'on their grid' True "$(json json "25 < r['sampled_every_s'] <= 30")"
finish
