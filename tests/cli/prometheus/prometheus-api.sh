#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon prometheus energy and resources: a server's answers of every kind, its errors, keys, TLS, times, real answers.
. "$(dirname "$0")/../lib.sh"

unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
unset CARBON_PROMETHEUS_URL CARBON_PROMETHEUS_TOKEN CARBON_PROMETHEUS_PASSWORD
token='token-of-test-1'
TZ=UTC
export TZ

# serve NAME FILES [CERTIFICATE [AUTHORITY]]: a server whose ports go to $port, $tls and $plain.
serve() {
    local name=$1 files=$2
    shift 2
    # shellcheck disable=SC2034
    exec {input}> >(exec /usr/bin/python3 "$source/tests/helpers/prometheus.py" "$name.log" "$name.ports" "$files" "$@" \
        > "$name.txt" 2>&1)
    served "$name.ports" "$name.txt"
    read -r port tls plain < "$name.ports"
    log=$name.log
    : > "$log"
}
# prom CASE energy|resources [ARGUMENT ...]: the record in `json`, what is said in `said`, the status in $status.
prom() {
    local case=$1
    shift
    rm -f json
    case " $* " in *' --timeout '*) ;; *) set -- "$@" --timeout 600 ;; esac
    "$carbon" prometheus "$@" --url "http://127.0.0.1:$port/$case" --json json > out 2> said
    status=$?
}
# The two pods below, in the ten minutes that they have.
energy() {
    local case=$1
    shift
    prom "$case" energy --from 1764000000 --to 1764000600 --zone FR --namespace ns --pod web-1 "$@"
}
row='[x for x in r["rows"] if x["level"] == "pod"][0]'
joules() { json json "${row}['sum']['joules']"; }
# refused NAME WHY CASE [ARGUMENT ...]
refused() {
    local name=$1 why=$2 case=$3
    shift 3
    energy "$case" "$@"
    check "$name: status" 125 $status
    check_match "$name: why" "$why" "$(cat said)"
    check "$name: no record" '' "$(ls json 2> /dev/null)"
}

# Every five seconds 1 J of the package above idle and 2 J of it, half a joule of memory; in two days a joule a minute; the
# rewritten Kepler has a zone and no mode.
mkdir files
/usr/bin/python3 - << 'END'
import json
def series(name, labels, start, step, count, each):
    return {"metric": {"__name__": name, **labels}, "values": [[start + i * step, repr(7 + i * each)] for i in range(count)]}
def old(part, pod, mode, start, step, count, each):
    labels = {"container_namespace": "ns", "pod_name": pod, "container_name": "c", "container_id": pod + "1", "mode": mode,
              "instance": "node-1:9102", "job": "kepler"}
    return series(f"kepler_container_{part}joules_total", labels, start, step, count, each)
def new(pod, zone, each):
    labels = {"pod_id": "u-" + pod, "pod_name": pod, "pod_namespace": "shop", "zone": zone, "state": "running",
              "node_name": "node-2"}
    return series("kepler_pod_cpu_joules_total", labels, 1764000000, 5, 121, each)
found = [old("package_", "web-1", "dynamic", 1764000000, 5, 121, 1), old("package_", "web-1", "idle", 1764000000, 5, 121, 2),
         old("dram_", "web-1", "dynamic", 1764000000, 5, 121, .5), old("", "web-1", "dynamic", 1764000000, 5, 121, 1.5),
         old("", "web-1", "idle", 1764000000, 5, 121, 2), old("package_", "web-2", "dynamic", 1764000000, 5, 121, 4),
         old("package_", "long", "dynamic", 1763000000, 60, 2881, 1)]
found += [new("new-a", "package", 2), new("new-a", "dram", .25), new("new-b", "package", 1)]
json.dump({"status": "success", "data": {"resultType": "matrix", "result": found}}, open("files/all.json", "w"))
END
serve first files

# What is answered well.
energy good
check 'old Kepler: status' 0 $status
check 'old Kepler: package + memory' 420 "$(joules)"
check 'old Kepler: the parts' '360 120 240 60' \
    "$(json json "'%g %g %g %g' % tuple(${row}[p][m]['joules'] if m else ${row}[p]['joules'] for p, m in \
    (('pkg', ''), ('pkg', 'dynamic'), ('pkg', 'idle'), ('dram', '')))")"
check 'old Kepler: what it does not tell' 'None None' "$(json json "${row}['gpu'], ${row}['core']" | tr -d '(),')"
check 'old Kepler: covered' 1 "$(json json "'%g' % ${row}['covered']")"
check 'old Kepler: watts' 0.7 "$(json json "'%g' % ${row}['sum']['watts']")"
check 'emissions' True "$(json json "abs(${row}['emissions']['kgco2eq'] - 420 / 3.6e6 * r['factor']['kgco2eq_per_kwh']) < 1e-12")"
check_match 'zone and coverage are told' 'from 2025-11-24 16:00 \+0000 to 2025-11-24 16:10 \+0000.*cover 100 %' "$(cat out)"
check_match 'the table' 'ns/web-1 +420 J +360 J +60.0 J' "$(cat out)"
check_match 'the other exporter is told' 'pod_name="web-1"' "$(cat "$log")"
check 'no key was sent' '' "$(grep -v 'key= ' "$log")"
check 'containers' 'c' "$(json json "[x for x in r['rows'] if x['level'] == 'container'][0]['container']")"
cp json energy.json
for case in chunked nan soon steps much huge redirect; do
    : > "$log"
    energy $case
    check "$case: status" 0 $status
    check "$case: joules" 420 "$(joules)"
done
# A long question goes by POST, and by GET to who takes none.
long_name=$(printf 'pod-%.0s' {1..400})
for case in good gets; do
    : > "$log"
    prom $case energy --from 1764000000 --to 1764000600 --zone FR --pod "$long_name"
    check "$case, long: status" 4 $status
    check "$case, long: methods" "$([ $case = gets ] && echo 'GET POST' || echo POST)" \
        "$(grep "$long_name" "$log" | cut -d ' ' -f 2 | sort -u | tr '\n' ' ' | sed 's/ $//')"
done
energy steps
check_match 'steps: a doubt' 'gives no samples as they were scraped' "$(json json "[n['what'] for n in r['notices']]")"
energy partial
check 'partial: joules' 420 "$(joules)"
check_match 'partial: warning' 'warns: receive series from store' "$(json json "[n['what'] for n in r['notices']]")"
check_match 'partial: info' 'notes: a note' "$(json json "[n['what'] for n in r['notices']]")"
prom good energy --from 1764000000 --to 1764000600 --zone FR --namespace shop
check 'new Kepler: joules' '390 270 120' "$(json json "'%g %g %g' % (
    [x for x in r['rows'] if x['level'] == 'namespace'][0]['sum']['joules'],
    [x for x in r['rows'] if x['pod'] == 'new-a'][0]['sum']['joules'],
    [x for x in r['rows'] if x['pod'] == 'new-b'][0]['sum']['joules'])")"
prom good energy --from 1764000000 --to 1764000600 --zone FR --all-pods --exporter kepler-old --csv table
check 'all pods of the old one' "['web-1', 'web-2']" "$(json json "sorted(x['pod'] for x in r['rows'] if x['level'] == 'pod')")"
check_match 'table' 'ns,web-2' "$(cat table)"
prom good energy --from 1764000000 --to 1764000600 --zone FR --all-pods
check 'of two exporters each tells its own pods' "['new-a', 'new-b', 'web-1', 'web-2']" \
    "$(json json "sorted(x['pod'] for x in r['rows'] if x['level'] == 'pod')")"
prom good energy --from 1764000000 --to 1764000600 --pod web-1 --fuel coal --irate
check_match 'pounds of coal' 'lb of CO2' "$(cat out)"
check_match 'irate' ' mean +irate ' "$(cat out)"
check 'irate is watts' 0.7 "$(json json "'%g' % ${row}['sum']['irate_watts']")"

# Two days in steps of 15 s are 11,521 points: more than a server answers at once, and none is doubled at an edge.
prom steps energy --from 1763000000 --to 1763172800 --zone FR --pod long
check 'long: status' '0 ' "$status $(grep '^carbon:' said)"
check 'long: joules, points' '2880 11521' "$(json json "'%g %d' % (${row}['sum']['joules'], ${row}['sum']['samples'])")"
: > "$log"
prom good energy --from 1763000000 --to 1763172800 --zone FR --pod long
check 'long: samples' '2880 2881' "$(json json "'%g %d' % (${row}['sum']['joules'], ${row}['sum']['samples'])")"
check 'long: in pieces' yes "$([ "$(grep -c 'container_package.*\[' "$log")" -gt 4 ] && echo yes)"

# Errors of the server.
refused html 'it is a page, not JSON' html
refused nothing 'it is empty' nothing
refused string 'neither matrix, vector nor scalar' string
refused bad 'bad_data: invalid parameter "query": parse error' bad
refused execution 'execution: query processing would load too many samples' execution
check_match 'execution: fix' 'ask for less at once' "$(cat said)"
: > "$log"
refused down 'unavailable: TSDB not ready' down
check 'down: thrice' 3 "$(wc -l < "$log" | tr -d ' ')"
refused truncated 'the connection broke off' truncated
refused ends 'the file is truncated' ends
refused late 'it took too long' late --timeout 1
check_match 'late: fix' 'more time \(--timeout\)' "$(cat said)"
check_absent 'no advice for live data' 'offline|live' "$(cat said)"
refused forbidden 'HTTP 403: queries need a key' forbidden
refused 'no key' '401: it wants a key' bearer
check_match 'no key: fix' 'CARBON_PROMETHEUS_TOKEN' "$(cat said)"
"$carbon" prometheus energy --url http://127.0.0.1:1 --for 6m --zone FR 2> said > out
check 'nobody there' 125 $?
check_match 'nobody there: why' 'refused the connection' "$(cat said)"
prom none/x energy --for 6m --zone FR
check_match 'a wrong path' 'not JSON|404' "$(cat said)"

# Keys: from a file or the environment, to the server alone, and in nothing that is written.
umask 077
echo "$token" > key
echo ' pass word-2' > password
umask 022
energy bearer --bearer-file key
check 'bearer: joules' 420 "$(joules)"
CARBON_PROMETHEUS_TOKEN=$token energy bearer
check 'bearer of the environment: joules' 420 "$(joules)"
CARBON_PROMETHEUS_TOKEN=other-token-3 refused 'wrong key' '401: the key.* not accepted' bearer
check_absent 'wrong key: is not told' 'other-token-3' "$(cat said)"
energy basic --user ann --password-file password
check 'basic: joules' 420 "$(joules)"
CARBON_PROMETHEUS_PASSWORD='pass word-2' energy basic --user ann
check 'basic of the environment: joules' 420 "$(joules)"
check_absent 'no key is kept' 'token-of-test|pass word' "$(cat json out said)"
CARBON_PROMETHEUS_TOKEN=$token refused 'forbidden with a key' '403: the key is known, and may not query' forbidden
chmod 644 key
refused 'a key that others may read' 'others may read or change that file' bearer --bearer-file key
chmod 600 key
refused 'no password' 'needs a password' basic --user ann
refused 'both' 'cannot be combined' basic --user ann --bearer-file key
refused 'redirect with a key' 'must not see the key' redirect --bearer-file key
check 'redirect with a key: it was not sent there' '' "$(grep "^$plain .*$token" "$log")"
cluster() {
    rm -f json
    "$carbon" prometheus energy --url "http://127.0.0.2:$plain/$1" --from 1764000000 --to 1764000600 --zone FR \
        --pod web-1 --json json "${@:2}" > out 2> said
    status=$?
}
cluster good
check 'http to another machine: joules' 420 "$(joules)"
cluster bearer --bearer-file key
check 'http to another machine with a key: status' 125 $status
check_match 'http to another machine with a key: why' 'no key is sent to 127.0.0.2.* without TLS' "$(cat said)"
check 'http to another machine with a key: it was not sent' '' "$(grep "^$plain .*$token" "$log")"
cluster bearer --bearer-file key --insecure-http
check 'insecure: joules' 420 "$(joules)"

# What people type.
usage() { refuses "$1" "$2" "$carbon" prometheus "${@:3}"; }
here=http://127.0.0.1:$port/good
usage 'no server' 'no server is named' energy --for 6m --zone FR
usage 'no time' 'no time is named' energy --url "$here" --zone FR
usage 'from and for' 'cannot be combined' energy --url "$here" --for 6m --from -6m
usage 'backwards' 'ends before it begins' energy --url "$here" --from 1764000600 --to 1764000000
usage 'to come' 'still to come' energy --url "$here" --from 2999-01-01 --to 2999-01-02
usage 'no such time' 'a time is needed' energy --url "$here" --from yesterdays
usage 'pod and all' 'cannot be combined' energy --url "$here" --for 6m --pod a --all-pods
usage 'node_exporter has no pods' 'no metrics of pods' energy --url "$here" --for 6m --pod a --exporter node_exporter
usage 'no pod' 'no pod is named' resources --url "$here"
usage 'name and password in the address' 'not a usable address' energy --for 6m --url http://a:b@127.0.0.1:1
usage 'a query in the address' 'more than the address' energy --for 6m --url "$here?x=1"
usage 'not http' 'not a usable address' energy --for 6m --url ftp://127.0.0.1
CARBON_PROMETHEUS_URL=$here/api/v1/ "$carbon" prometheus energy --pod web-1 --from 1764000000 --to 1764000600 --zone FR \
    --json json > out 2> said
check 'the address of the environment, and its end' 420 "$(joules)"
check 'the server is told' "['$here']" "$(json json "r['sources']")"
nobody() {
    local name=$1 what=$2 fix=$3
    shift 3
    "$carbon" prometheus "$@" > out 2> said
    check "$name: status" 4 $?
    check_match "$name: what" "$what" "$(cat said)"
    check_match "$name: fix" "$fix" "$(cat said)"
}
day='--from 1764000000 --to 1764000600 --zone FR'
# shellcheck disable=SC2086
{
    nobody 'mistyped pod' "has no energy of pod 'web-9'" "'web-1', 'web-2'" energy --url "$here" $day --pod web-9 \
        --exporter kepler-old
    nobody 'mistyped namespace' "in namespace 'nss'" "namespaces with them: 'ns'" energy --url "$here" $day \
        --namespace nss --exporter kepler-old
    nobody 'no exporter' 'no energy metrics in this period' 'that Prometheus scrapes it' energy $day \
        --url "http://127.0.0.1:$port/empty"
    nobody 'no such pod' "nothing is known of pod 'web-2'" "'web-1'" resources --url "$here" --pod web-2
    nobody 'no such namespace' "in namespace 'nz'" "'ns'" resources --url "$here" --pod web-1 --namespace nz
}
window() { json json "r['from'][:19] + ' ' + r['to'][:19] + ' %g' % r['duration_s']"; }
prom good resources --pod web-1 --from -6m --to now
check 'from -6m' 360 "$(json json "'%g' % r['duration_s']")"
prom good resources --pod web-1 --to 1764000600 --for 6m
check 'for, up to' '2025-11-24T16:04:00 2025-11-24T16:10:00 360' "$(window)"
prom good resources --pod web-1
check 'ten days' 864000 "$(json json "'%g' % r['duration_s']")"
TZ=Europe/Paris prom good resources --pod web-1 --from 2025-11-24T17:00 --to '2025-11-24T16:10:00Z'
check 'local time' '2025-11-24T16:00:00 2025-11-24T16:10:00 600' "$(window)"
check_match 'local time is told' 'from 2025-11-24 17:00 \+0100' "$(cat out)"
prom good resources --pod web-1 --from 2025-11-24 --to 2025-11-24
check 'a day' '2025-11-24T00:00:00 2025-11-25T00:00:00 86400' "$(window)"

# Resources: up to the next hundredth; 0.07 stays. A pod is no sum of peaks at different times, and no less than a container.
prom good resources --namespace ns --pod web-1 --csv table
check 'resources: CPU' '0.1995 0.2' "$(json json "'%g %g' % (r['pods'][0]['cpu_cores'], r['pods'][0]['cpu_cores_rounded_up'])")"
check 'resources: memory' '1100000000 1.03' "$(json json "'%d %g' % (r['pods'][0]['memory_bytes'], r['pods'][0]['memory_gib_rounded_up'])")"
check 'resources: containers' "[('app', 0.2, 0.07), ('side', 0.02, 1)]" \
    "$(json json "[(c['container'], c['cpu_cores_rounded_up'], c['memory_gib_rounded_up']) for c in r['pods'][0]['containers']]")"
check 'resources: on the grid of the scrapes' 15 "$(json json "'%g' % r['sampled_every_s']")"
check_match 'resources: called sampled' 'the most of samples every 15 s' "$(cat out)"
check 'resources: request' "{'cpu': 1, 'memory_mb': 1280}" "$(json json "r['pods'][0]['request']")"
check_match 'resources: table' 'web-1 \(ns\) +0.20 cores +1.03 GiB +1 core +1280 MB' "$(cat out)"
check 'resources: CSV' 'ns,web-1,app,0.191' "$(grep ,app, table | cut -d, -f 4-7)"
cp json resources.json
prom good resources --all-pods
check 'resources: all' "[('short', None, 0.01), ('web-1', 0.2, 1.03)]" \
    "$(json json "[(p['pod'], p['cpu_cores_rounded_up'], p['memory_gib_rounded_up']) for p in r['pods']]")"
prom slow resources --pod web-1
check 'resources: five minutes' 300 "$(json json "r['cpu_mean_over_s']")"
check_match 'resources: five minutes are told' 'mean over five minutes' "$(cat said)"

"$source/tests/check-schema.sh" energy.json resources.json > schema.txt 2>&1
case $? in
0) check 'schema' '' '' ;;
77) echo 'NOT CHECKED: no jsonschema for python3' ;;
*) check 'schema' '' "$(cat schema.txt)" ;;
esac

# TLS with an authority of its own, and with certificates on both sides.
if openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem 2> /dev/null; then
    issue() {
        openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2> /dev/null
        printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > ext
        openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out "$1.crt" 2> /dev/null
        cat "$1.key" "$1.crt" > "$1.pem"
    }
    issue server
    issue client
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout x.key -out x.pem 2> /dev/null
    secure() {
        rm -f json
        "$carbon" prometheus energy --url "https://127.0.0.1:$tls/bearer" --from 1764000000 --to 1764000600 --zone FR \
            --pod web-1 --json json --bearer-file key "$@" > out 2> said
        status=$?
    }
    serve tls files server.pem
    secure --ca-file ca.pem
    check 'TLS: joules' 420 "$(joules)"
    secure
    check_match 'TLS: an unknown authority' 'certificate could not be verified' "$(cat said)"
    check_match 'TLS: an unknown authority: fix' '--ca-file' "$(cat said)"
    secure --ca-file x.pem
    check_match 'TLS: a wrong authority' 'certificate could not be verified' "$(cat said)"
    secure --ca-file not-there.pem
    check_match 'TLS: no file' "cannot read 'not-there.pem' \(--ca-file\)" "$(cat said)"
    serve mutual files server.pem ca.pem
    secure --ca-file ca.pem
    check 'TLS: no certificate shown' 125 $status
    secure --ca-file ca.pem --client-certificate client.crt --client-key client.key
    check 'TLS: a certificate is shown' 420 "$(joules)"
    secure --ca-file ca.pem --client-key client.key
    check_match 'TLS: a key alone' 'of no use alone' "$(cat said)"
else
    echo 'TLS is not tried: openssl makes no certificate here'
fi

# What a real Prometheus has told of the old Kepler: every figure of every pod.
if [ -n "$shared" ]; then
    serve real "$shared/cases/kepler/prometheus"
    prom good energy --all-pods --from 1702462599 --to 1702462686 --zone FR
    check 'real answers' 'none is wrong' "$(/usr/bin/python3 - "$shared/cases/kepler/prometheus/expected.csv" json << 'END'
import csv, json, sys
parts = {"": "exporter_sum", "package_": "pkg", "core_": "core", "uncore_": "uncore", "dram_": "dram", "other_": "other",
         "gpu_": "gpu"}
rows = {(x["namespace"], x["pod"]): x for x in json.load(open(sys.argv[2]))["rows"] if x["level"] == "pod"}
wrong, seen = [], 0
for want in csv.DictReader(open(sys.argv[1])):
    if not want["metric"].startswith("kepler_container_"):
        continue
    part = rows[want["container_namespace"], want["pod_name"]][parts[want["metric"][len("kepler_container_"):-len("joules_total")]]]
    figure = part if want["mode"] == "all" else part[want["mode"]]
    got = (round(figure["joules"], 3), round(figure["watts"], 6), round(figure["irate_watts"], 6))
    seen += 1
    if got != tuple(float(want[key]) for key in ("joules_difference", "mean_watts", "irate_watts_last_two_samples")):
        wrong.append((want, got))
print(wrong[:3] if wrong else "none is wrong" if seen >= 100 else f"only {seen} were compared")
END
)"
    prom good energy --namespace kepler --pod kepler-exporter-lw9fx --from 1702462599 --to 1702462686 --zone FR
    check 'one of them' 640.872 "$(json json "round(${row}['sum']['joules'], 3)")"
else
    echo 'the answers of a real Prometheus are not tried: CARBON_SHARED is not set'
fi
finish
