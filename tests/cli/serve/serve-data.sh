#!/bin/bash
# SPDX-License-Identifier: MIT
# What is shipped for carbon serve: the dashboard and the rules name only metrics that there are; the units are understood.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

data=$CARBON_DATA
lay_serve_tree
serve --by cgroup,container,pod,slurm
scrape | sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' | sort -u > told
stop
check 'there are metrics' yes "$([ "$(wc -l < told)" -gt 20 ] && echo yes)"

# named FILE: the metrics that it names, without those that rules make of them.
named() {
    grep -oE '[a-z]*:?(carbon|process)_[a-z_]+(:[a-z0-9]+)?' "$1" | grep -vE '^[a-z]+:' | sort -u
}
for file in grafana/carbon.json prometheus/carbon.rules.yml; do
    named "$data/$file" > named
    check "$file names metrics" yes "$([ "$(wc -l < named)" -gt 4 ] && echo yes)"
    check "$file names only what is told" '' "$(comm -23 named told)"
done
check 'what rules make is made' '' "$(comm -23 \
    <(grep -oE '[a-z]+:carbon_[a-z_]+:[a-z0-9]+' "$data/prometheus/carbon.rules.yml" | sort -u) \
    <(sed -n 's/.*record: //p' "$data/prometheus/carbon.rules.yml" | sort -u))"
check 'the dashboard is one' yes "$(json "$data/grafana/carbon.json" '"yes" if (r["title"] and len(r["panels"]) > 8
    and len({p["id"] for p in r["panels"]}) == len(r["panels"]) and all(t["expr"] for p in r["panels"] for t in p["targets"])
    and all(p["gridPos"]["x"] + p["gridPos"]["w"] <= 24 for p in r["panels"])) else "no"')"
if command -v promtool > /dev/null; then
    check_match 'promtool check rules' 'SUCCESS: 10 rules' "$(promtool check rules "$data/prometheus/carbon.rules.yml" 2>&1)"
else
    echo 'the rules are not checked by promtool: it is not installed'
fi
unit=$builddir/data/systemd/carbon.service
check_match 'the unit starts what is installed' '^ExecStart=/.*/bin/carbon serve ' "$(grep ^ExecStart= "$unit")"
if command -v systemd-analyze > /dev/null; then
    mkdir units
    sed "s|^ExecStart=[^ ]*|ExecStart=$(command -v true)|; /^Documentation=/d" "$unit" \
        > units/carbon.service
    cp "$data/systemd/carbon.socket" units/
    said=$(systemd-analyze verify "$PWD/units/carbon.service" "$PWD/units/carbon.socket" 2>&1 | grep carbon)
    check 'systemd-analyze verify' '' "$said"
    # exposed UNIT: how much of the machine it leaves open, 0 to 10
    exposed() { systemd-analyze security --no-pager --offline=true "$PWD/$1" 2> /dev/null | sed -n 's/.*Overall exposure level[^:]*: \([0-9.]*\).*/\1/p'; }
    level=$(exposed units/carbon.service)
    if [ -n "$level" ]; then
        check 'systemd-analyze security: at most 1.5' yes "$(awk -v level="$level" 'BEGIN { print (level <= 1.5 ? "yes" : level) }')"
        mkdir open && cp units/carbon.socket open/
        grep -vE '^(PrivateNetwork|RestrictAddressFamilies|DevicePolicy|SystemCallFilter)' units/carbon.service > open/carbon.service
        check 'which tells an open one' yes "$(awk -v level="$(exposed open/carbon.service)" 'BEGIN { print (level > 2 ? "yes" : level) }')"
    else
        echo 'how exposed the unit is is not checked: this systemd-analyze cannot tell offline'
    fi
    # the drop-in of the guide, with a unit of its own name
    mkdir -p push/carbon.service.d && cp units/carbon.s* push/
    sed -n '/^```ini/,/^```$/{/^```/d;p}' "$source/docs/guides/operator.md" > push/carbon.service.d/otlp.conf
    check 'the drop-in for OpenTelemetry' '' "$(systemd-analyze verify "$PWD/push/carbon.service" "$PWD/push/carbon.socket" 2>&1 | grep carbon)"
    if [ -n "$level" ]; then
        check 'and a network is all' yes "$(awk -v level="$(exposed push/carbon.service)" -v closed="$level" \
            'BEGIN { print (level > closed && level <= 2.5 ? "yes" : level) }')"
    fi
    check 'nothing hides the counters and the cards' '' "$(grep -E '^(PrivateDevices|ProtectProc|ProcSubset)=' units/carbon.service)"
else
    echo 'the units are not checked: no systemd-analyze'
fi
check 'the port is the same everywhere' 28283 "$(sed -n 's/^ListenStream=127.0.0.1://p' "$data/systemd/carbon.socket")"
check_match 'and the standard one' '127.0.0.1:28283' "$("$carbon" serve --help)"
finish
