#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon prometheus energy on a real Prometheus that scrapes a real node_exporter: the joules of a time are what the
# counters counted in it, whatever wraps or is started again meanwhile.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-prometheus.sh"

unset CARBON_PROMETHEUS_URL CARBON_PROMETHEUS_TOKEN CARBON_PROMETHEUS_PASSWORD
wrap=262143328850
metric=node_rapl_package_joules_total
zones=$work/sys/class/powercap

# zone NAME FOLDER, and set_uj FOLDER UJ: a counter, which moves only when it is set; readers see the old or the new one.
zone() {
    mkdir -p "$zones/$2"
    echo "$1" > "$zones/$2/name"
    echo $wrap > "$zones/$2/max_energy_range_uj"
}
set_uj() {
    echo "$2" > "$zones/$1/.new"
    mv "$zones/$1/.new" "$zones/$1/energy_uj"
}
# reach UJ: the package's counter is set, and Prometheus has seen it.
reach() {
    set_uj intel-rapl:0 "$1"
    prometheus_wait "$metric" "$(awk "BEGIN { printf \"%.15g\", $1 / 1e6 }")" || skip "no sample of $1 came within a minute"
}
now() { /usr/bin/python3 -c 'import time; print("%.3f" % time.time())'; }
node='[x for x in r["rows"] if x["level"] == "node"][0]'
# energy [ARGUMENT ...]: from $start to $end, as a record in `json`
energy() {
    rm -f json
    "$carbon" prometheus energy --url "$prometheus" --from "$start" --to "$end" --zone FR --json json "$@" > out 2> said
    status=$?
}
figure() { json json "'%.6f' % ${node}['$1']['joules']"; }

zone package-0 intel-rapl:0
zone dram intel-rapl:0:0
zone package-1 intel-rapl:1
zone core intel-rapl:0:1
set_uj intel-rapl:0 1000000
set_uj intel-rapl:0:0 5000000
set_uj intel-rapl:0:1 5000000
set_uj intel-rapl:1 3000000
node_exporter_start node "$work/sys"
prometheus_start "node=$(cat "$services/node.port")"
prometheus_wait "count($metric)" 2 || skip 'no counter was scraped within a minute'
metric="$metric{index=\"0\"}"
prometheus_wait "$metric" 1 || skip 'no counter was scraped within a minute'

# Nothing moves: 0 J are known, and not unknown.
sleep 1
start=$(now)
sleep 1
end=$(now)
energy
check 'at rest: status' 0 $status
check 'at rest: joules' 0.000000 "$(figure sum)"

# Known steps of all zones: packages and memory are the sum, cores are in the package.
start=$(now)
sleep 1
set_uj intel-rapl:0:0 7500000
set_uj intel-rapl:0:1 25000000
set_uj intel-rapl:1 13000000
reach 43000000
sleep 1
end=$(now)
steps_start=$start
steps_end=$end
energy
check 'steps: package' 52.000000 "$(figure pkg)"
check 'steps: memory' 2.500000 "$(figure dram)"
check 'steps: core' 20.000000 "$(figure core)"
check 'steps: sum' 54.500000 "$(figure sum)"
check 'steps: exporter' "['node_exporter']" "$(json json "r['exporters']")"
check 'steps: measured' measured "$(json json "${node}['quality']")"
check_match 'steps: the reader sees the time' '^from .* to .* of this machine.s zone; samples cover [0-9.]+ % of it' "$(cat out)"
check 'steps: no reset' 0 "$(json json "${node}['pkg']['resets']")"
# node_exporter is started again, and the counter goes on meanwhile.
start=$(now)
sleep 1
service_stop node
set_uj intel-rapl:0 52000000
node_exporter_start node "$work/sys"
reach 60000000
sleep 1
end=$(now)
energy
check 'exporter started again: joules' 17.000000 "$(figure pkg)"

# So is Prometheus, over the same data; and what was before is as it was.
start=$(now)
sleep 1
service_stop prometheus
set_uj intel-rapl:0 75000000
prometheus_start
reach 81000000
sleep 1
end=$(now)
energy
check 'Prometheus started again: joules' 21.000000 "$(figure pkg)"
start=$steps_start
end=$steps_end
energy
check 'what was before' 54.500000 "$(figure sum)"

# A counter that wraps while a machine draws evenly: told from a reset by what it draws before and after.
service_stop prometheus
scrape_interval=2s
prometheus_start "node=$(cat "$services/node.port")"
uj=$((wrap - 9000000))
reach $uj
start=$(now)
sleep 4
/usr/bin/python3 - "$zones/intel-rapl:0" $uj $wrap << 'END'
import os, sys, time
folder, start, wrap = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
begun = time.monotonic()
while True:  # a watt, for 18 s; the counter wraps in their middle
    past = min(time.monotonic() - begun, 18)
    with open(folder + "/.new", "w") as out:
        out.write("%d\n" % ((start + int(past * 1e6)) % wrap))
    os.rename(folder + "/.new", folder + "/energy_uj")
    if past == 18:
        break
    time.sleep(.02)
END
reach 9000000
sleep 4
end=$(now)
energy
check 'wrap: joules' 18.000000 "$(figure pkg)"
check 'wrap: it is told' '1 0' "$(json json "'%d %d' % (${node}['pkg']['wraps'], ${node}['pkg']['resets'])")"

# Other ways to say when and whom.
"$carbon" prometheus energy --url "$prometheus" --for 1h --zone FR --json json > out 2> said
check 'for an hour: status' 0 $?
check_match 'for an hour: that a counter was set ahead is no energy' 'moved by more than any machine draws' "$(cat out)"
check 'for an hour: the other steps' yes "$(json json "'yes' if 100 < ${node}['pkg']['joules'] < 200 else ${node}['pkg']['joules']")"
start=$steps_start
end=$steps_end
energy --node "127.0.0.1:$(cat "$services/node.port")"
check 'the node: joules' 54.500000 "$(figure sum)"
energy --node elsewhere
check 'no such node: status' 4 $status
energy --all-pods
check 'no pods here: status' 4 $status
check_match 'no pods here: why' 'no metrics of .* with energies of pods' "$(cat said)"
start=$(awk "BEGIN { printf \"%.3f\", $steps_start - 86400 }")
end=$(awk "BEGIN { printf \"%.3f\", $steps_start - 80000 }")
energy
check 'before there was anything: status' 4 $status
check_match 'before there was anything: why' 'no energy metrics in this period' "$(cat said)"

# The peaks of containers, of metrics as the kubelet tells them.
mkdir cadvisor
cat > cadvisor/metrics << 'END'
# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{namespace="ns",pod="web-1",container="app",id="/a"} 10
container_cpu_usage_seconds_total{namespace="ns",pod="web-1",container="",id="/"} 900
# TYPE container_memory_working_set_bytes gauge
container_memory_working_set_bytes{namespace="ns",pod="web-1",container="app",id="/a"} 75161927
container_memory_working_set_bytes{namespace="ns",pod="web-1",container="side",id="/b"} 1073741824
container_memory_working_set_bytes{namespace="ns",pod="web-1",container="",id="/"} 9073741824
END
free_port > "$services/cadvisor.port"
service_start cadvisor /usr/bin/python3 -m http.server --bind 127.0.0.1 --directory "$PWD/cadvisor" "$(cat "$services/cadvisor.port")"
service_answers cadvisor "http://127.0.0.1:$(cat "$services/cadvisor.port")/metrics"
service_stop prometheus
prometheus_start "kubelet=$(cat "$services/cadvisor.port")"
prometheus_wait 'count(container_memory_working_set_bytes)' 3 || skip 'no container was scraped within a minute'
"$carbon" prometheus resources --url "$prometheus" --namespace ns --pod web-1 --for 1h --json json > out 2> said
check 'resources: status' 0 $?
check 'resources: containers' "[('app', 0.07), ('side', 1)]" \
    "$(json json "[(c['container'], c['memory_gib_rounded_up']) for c in r['pods'][0]['containers']]")"
check 'resources: the pod has at least what a container has' yes \
    "$(json json "'yes' if r['pods'][0]['memory_bytes'] in (1073741824, 1073741824 + 75161927) else r['pods'][0]")"
finish
