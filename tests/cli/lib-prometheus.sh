# SPDX-License-Identifier: MIT
# A Prometheus and exporters of a test's own: sourced after lib.sh. They listen on free ports of this machine, keep all
# they have in $services, and end with the test, however it ends.
#
# service_start NAME COMMAND...     runs it in the background: $services/NAME.log, $services/NAME.pid
# service_stop NAME                 ends it and waits for its end
# free_port                         a port that nobody listens on
# node_exporter_start NAME SYSFS    prometheus-node-exporter with the collector rapl, over SYSFS/class/powercap; started
#                                   again under the same name, it has the same port, which is in $services/NAME.port
# prometheus_start [NAME=PORT...]   scrapes each five times a second, or every $scrape_interval, as job NAME; without them
#                                   it goes on as before, with the data that it has. $prometheus is its URL. Skips the test
#                                   where it cannot run.
# prometheus_of FILE INTERVAL       has what stands in FILE (OpenMetrics), as if it had been scraped so often; scrapes nothing
# prometheus_value QUERY            the value of the first series of the answer, or nothing
# prometheus_wait QUERY VALUE       until the answer is this value, for a minute at most; false: it never was
services=$(mktemp -d "${TMPDIR:-/tmp}/carbon-services.XXXXXX") || exit 99
trap 'services_end; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
prometheus=

service_start() {
    local name=$1
    shift
    setsid "$@" >> "$services/$name.log" 2>&1 < /dev/null &
    echo $! > "$services/$name.pid"
}

service_stop() {
    local pid
    pid=$(cat "$services/$1.pid" 2> /dev/null) || return 0
    kill "$pid" 2> /dev/null
    wait "$pid" 2> /dev/null
    rm -f "$services/$1.pid"
}

services_end() {
    local file
    for file in "$services"/*.pid; do
        [ -e "$file" ] && service_stop "$(basename "$file" .pid)"
    done
    rm -rf "$services"
}

free_port() {
    /usr/bin/python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# service_answers NAME URL: it does, within a minute and while the program lives.
service_answers() {
    local i
    for ((i = 0; i < 600; i++)); do
        /usr/bin/python3 -c 'import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=5).read()' "$2" 2> /dev/null && return 0
        kill -0 "$(cat "$services/$1.pid")" 2> /dev/null || break
        sleep 0.1
    done
    skip "$1 does not start here: $(tail -n 1 "$services/$1.log")"
}

node_exporter_start() {
    local name=$1 sysfs=$2 port
    command -v prometheus-node-exporter > /dev/null || skip 'prometheus-node-exporter is not installed'
    [ -e "$services/$name.port" ] || free_port > "$services/$name.port"
    port=$(cat "$services/$name.port")
    service_start "$name" prometheus-node-exporter --path.sysfs="$sysfs" --collector.disable-defaults --collector.rapl \
        --web.listen-address="127.0.0.1:$port"
    service_answers "$name" "http://127.0.0.1:$port/metrics"
}

prometheus_start() {
    local target port
    command -v prometheus > /dev/null || skip 'prometheus is not installed'
    if [ $# -gt 0 ]; then
        [ -e "$services/prometheus.port" ] || free_port > "$services/prometheus.port"
        {
            echo 'global:'
            echo "  scrape_interval: ${scrape_interval:-200ms}"
            echo "  scrape_timeout: ${scrape_interval:-200ms}"
            echo 'scrape_configs:'
            for target; do
                printf '  - job_name: %s\n    static_configs:\n      - targets: ["127.0.0.1:%s"]\n' "${target%=*}" \
                    "${target#*=}"
            done
        } > "$services/prometheus.yml"
    fi
    port=$(cat "$services/prometheus.port")
    prometheus=http://127.0.0.1:$port
    service_start prometheus prometheus --config.file="$services/prometheus.yml" \
        --storage.tsdb.path="$services/prometheus.data" --web.listen-address="127.0.0.1:$port"
    service_answers prometheus "$prometheus/-/ready"
}

prometheus_of() {
    local port
    command -v promtool > /dev/null || skip 'promtool is not installed'
    promtool tsdb create-blocks-from openmetrics "$1" "$services/prometheus.data" > said 2>&1 ||
        skip "promtool makes no blocks here: $(tail -n 1 said)"
    port=$(free_port)
    prometheus=http://127.0.0.1:$port
    echo "global: {scrape_interval: $2}" > "$services/prometheus.yml"
    service_start prometheus prometheus --config.file="$services/prometheus.yml" \
        --storage.tsdb.path="$services/prometheus.data" --storage.tsdb.retention.time=100y \
        --web.listen-address="127.0.0.1:$port"
    service_answers prometheus "$prometheus/-/ready"
}

prometheus_value() {
    /usr/bin/python3 -c 'import json, sys, urllib.parse, urllib.request
url = sys.argv[1] + "/api/v1/query?" + urllib.parse.urlencode({"query": sys.argv[2]})
result = json.load(urllib.request.urlopen(url, timeout=10))["data"]["result"]
print(result[0]["value"][1] if result else "")' "$prometheus" "$1" 2> /dev/null
}

prometheus_wait() {
    local i
    for ((i = 0; i < 600; i++)); do
        [ "$(prometheus_value "$1")" = "$2" ] && return 0
        sleep 0.1
    done
    return 1
}
