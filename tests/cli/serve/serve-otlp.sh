#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve --otlp: its metrics at a strict collector, sums that go on through pushes and restarts, and a collector that is away.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"
. "$source/tests/cli/lib-otlp.sh"

collect
lay_serve_tree
package=tree/sys/class/powercap/intel-rapl:0
use_cpu a 0
energy_is() { [ "$(pushed "[p['value'] for p in last('hw.energy') if p['hw.name'] == 'package-0'] == [$1]")" = True ]; }
count_is() { [ "$(pushed 'len(pushes)')" -ge "$1" ]; }
push() { serve --otlp "$to/$1" --otlp-interval 0.2 --intensity 360 "${@:2}"; }

push good --by cgroup --state state.json
add $package 5000000
use_cpu a 100000
until_true energy_is 5.0
collected
until_true count_is 3
check 'the collector refused nothing' '[]' "$(pushed bad)"
check 'the same figure as for Prometheus' "$(value energy_joules_total 'domain="package-0"')" \
    "$(pushed '"%g" % [p["value"] for p in last("hw.energy") if p["hw.name"] == "package-0"][0]')"
check '5 J at 360 g/kWh' 0.0005 "$(pushed 'round(last("carbon.emissions")[0]["value"], 9)')"
check 'one start, and times that go on' True "$(pushed 'len({p["start"] for push in every("hw.energy") for p in push}) == 1 and all(a[0]["time"] < b[0]["time"] for a, b in zip(every("hw.energy")[1:], every("hw.energy")[2:]))')"
check 'sums never go back' True "$(pushed 'all(a[0]["value"] <= b[0]["value"] for a, b in zip(every("hw.energy")[1:], every("hw.energy")[2:]))')"
check 'one name for all pushes' 1 "$(pushed 'len({json.dumps(push["document"]["resourceMetrics"][0]["resource"]) for push in pushes})' 2> /dev/null ||
    pushed 'len({str(push["document"]["resourceMetrics"][0]["resource"]) for push in pushes})')"
check 'a control group' "['/a']" "$(pushed 'sorted({p["process.linux.cgroup"] for p in last("carbon.cgroup.cpu.time")})')"
began=$(pushed 'last("hw.energy")[0]["start"]')
instance=$(pushed 'resource["service.instance.id"]')
forget
stop
check 'the last collection is pushed at the end' 5 "$(pushed '[p["value"] for p in last("hw.energy") if p["hw.name"] == "package-0"][0]')"

# starts are whole seconds: the next is in a later one
later() { [ "$(date +%s)" -gt "${began%?????????}" ]; }
until_true later
forget
push good --state state.json
add $package 2000000
until_true energy_is 7.0
check 'with a state the sum goes on from its beginning' True "$(pushed "last('hw.energy')[0]['start'] == $began")"
check 'and another process is named' True "$(pushed "resource['service.instance.id'] != '$instance'")"
check 'its own sums are new' True "$(pushed "last('carbon.collections')[0]['start'] > $began")"
stop
forget
push good
add $package 3000000
until_true energy_is 3.0
check 'without a state it begins anew, and says so' True "$(pushed "last('hw.energy')[0]['start'] > $began")"
# a counter that rests has no power: it moves until a push had one
has_power() { add $package 100000; [ "$(pushed '"hw.power" in kinds')" = True ]; }
until_true has_power
check 'kinds' "('J', 'sum') ('W', 'gauge') ('g{CO2eq}', 'sum') ('By', 'level')" \
    "$(pushed '" ".join(str(kinds[name]) for name in ("hw.energy", "hw.power", "carbon.emissions", "process.memory.usage"))')"
stop

# A collector that is away loses nothing of the sums, and scrapes do not wait for it
forget
push busy
add $package 4000000
until_true energy_is 4.0
until_true grep -q 'takes the metrics again' err
check '503 twice, then it is taken' '[503, 503, 200]' "$(pushed '[push["status"] for push in pushes][:3]')"
check 'a fault is said once, and its end' '1 1' "$(grep -c 'did not take them' err) $(grep -c 'takes the metrics again' err)"
stop
forget
push down
until_true count_is 2
wait_value 0 energy_joules_total 'domain="package-0"'
add $package 1000000
wait_value 1 energy_joules_total 'domain="package-0"'
stop
check 'it ends in good order' 0 $status
forget
push partial
until_true grep -q 'refused 2 data points' err
check 'points that are refused are said once' 1 "$(grep -c 'refused 2 data points' err)"
stop
forget
push wrong
until_true count_is 3
check 'what is refused is dropped, the next is pushed' 1 "$(grep -c 'did not take them' err)"
stop

# TLS with an authority of its own, in the sandbox
exec 8>&-
if openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext 'subjectAltName=IP:127.0.0.1' -keyout pem -out crt 2> /dev/null; then
    cat crt >> pem
    rm -f ports collector.in
    forget
    collect "$work/in/pem"
    to=$secure
    push good
    until_true grep -q 'metrics not pushed' err
    check_match 'an unknown authority' 'certificate could not be verified' "$(cat err)"
    stop
    push good --otlp-ca-file crt
    until_true count_is 1
    check 'its own authority' "good []" "$(pushed 'cases[0] + " " + str(bad)')"
    stop
fi
finish
