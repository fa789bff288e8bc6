#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve scraped by a real Prometheus: the joules that it has of a window are the change of the counters, through a wrap
# and a restart of the exporter.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"
. "$source/tests/cli/lib-prometheus.sh"

package=tree/sys/class/powercap/intel-rapl:0
modulus=262143328911
moved=0
value=$((modulus - 400000000)) # near its end

# use UJ: the counter goes on, and around.
use() {
    moved=$((moved + $1))
    value=$(((value + $1) % modulus))
    put_uj $package $value
}

lay_serve_tree
put_uj $package $value
use_cpu system.slice/web.service 1000
port=$(free_port)
exporter() {
    service_start carbon "$carbon" serve --root tree --listen "127.0.0.1:$port" --resolution 0.2 --state state.json \
        --intensity 360 --by cgroup
    service_answers carbon "http://127.0.0.1:$port/metrics"
}
exporter
prometheus_start carbon="$port"
series='carbon_energy_joules_total{domain="package-0"}'
prometheus_wait "$series" 0 || skip 'Prometheus has nothing of the exporter'
check 'it is understood' 1 "$(prometheus_value 'up{job="carbon"}')"
joules() { /usr/bin/python3 -c 'import sys; print(repr(int(sys.argv[1]) / 1e6).removesuffix(".0"))' "$1"; }

# Some time of use; then to the counter's end, and around it.
for ((i = 0; i < 20; i++)); do
    use 12345678
    sleep 0.1
done
use $((modulus - value - 50000000))
prometheus_wait "$series" "$(joules $moved)"
use 100000000
prometheus_wait "$series" "$(joules $moved)"
check 'the counter went around' yes "$([ $value -lt 100000000 ] && echo yes)"
# A restart of the exporter, with use meanwhile.
service_stop carbon
use 200000000
exporter
use 30000000
prometheus_wait "$series" "$(joules $moved)"
check 'its total is what the counter moved by' "$(joules $moved)" "$(prometheus_value "$series")"
check 'it never went back' 0 "$(prometheus_value "resets(${series}[10m])")"
window=$(prometheus_value "max_over_time(${series}[10m]) - min_over_time(${series}[10m])")
check "joules of the window: $window of $(joules $moved)" yes \
    "$(/usr/bin/python3 -c "print('yes' if abs($window - $moved / 1e6) <= 0.005 * $moved / 1e6 else 'no')")"
kilograms=$(prometheus_value 'carbon_emissions_kilograms_total{scope="compute"}')
check 'kilograms' yes \
    "$(/usr/bin/python3 -c "print('yes' if abs($kilograms - $moved / 1e6 / 3.6e6 * 0.36) < 1e-12 else 'no')")"
check 'a gauge, too' 0.36 "$(prometheus_value carbon_factor_kilograms_per_kilowatthour)"

# The recording rules say the same of the power as the counters do.
if command -v promtool > /dev/null; then
    check_match 'the rules' SUCCESS "$(promtool check rules "$CARBON_DATA/prometheus/carbon.rules.yml" 2>&1)"
fi
check_match 'power by a rule' '^[0-9.]+$' \
    "$(prometheus_value "$(sed -n '/record: instance:carbon_power_watts:rate5m/{n;s/.*expr: //p}' "$CARBON_DATA/prometheus/carbon.rules.yml")")"
finish
