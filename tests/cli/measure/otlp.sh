#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --otlp: what was measured at a strict collector, and collectors that are down, busy, or refuse it.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-otlp.sh"

collect
zone tree 262143328850 0 intel-rapl:0=package-0 intel-rapl:0:0=dram intel-rapl:0:1=uncore
idle tree
cat > job << 'JOB'
#!/bin/bash
uj() { n=$(($(cat "tree/sys/class/powercap/$1/energy_uj") + $2)); echo "$n" > "tree/sys/class/powercap/$1/energy_uj"; }
uj intel-rapl:0 5000000
uj intel-rapl:0:0 2000000
uj intel-rapl:0:1 1000000
sleep "${LASTS-0}" # a power needs a run that the resolution carries
exit "${1-0}"
JOB
chmod +x job
run() { # CASE ARGUMENT...
    local case=$1
    shift
    forget
    "$carbon" measure --root tree --baseline 0 --intensity 360 --pue 1.5 -q --json record.json --otlp "$to/$case" "$@" > out 2> said
    status=$?
}

noted() { grep -v '^[0-9.]* J measured ' said; }

LASTS=0.3 run good --no-ledger --label nightly --project p1 -- ./job
check 'the status is the job'\''s' 0 $status
check 'nothing is said' '' "$(noted)"
check 'the collector refused nothing' '[]' "$(pushed bad)"
check 'one push' "['good']" "$(pushed cases)"
check 'parts that add up' "[('powercap:package-0', 'cpu', 5), ('powercap:dram-0', 'memory', 2)]" \
    "$(pushed '[(p["hw.id"], p["hw.type"], p["value"]) for p in last("hw.energy")]')"
check 'what overlaps has a name of carbon'\''s own' "[('powercap:uncore-0', 1)]" \
    "$(pushed '[(p["hw.id"], p["value"]) for p in last("carbon.domain.energy")]')"
check 'and the package that it is in' "['powercap:package-0']" "$(pushed '[p["hw.parent"] for p in last("carbon.domain.energy")]')"
check 'units and kinds' "('J', 'sum') ('W', 'gauge') ('J', 'gauge') ('g{CO2eq}', 'gauge')" \
    "$(pushed '" ".join(str(kinds[name]) for name in ("hw.energy", "hw.power", "carbon.run.energy", "carbon.run.emissions"))')"
check 'gross energy is that of the record' "$(json record.json 'r["gross_j"]["mean"]')" \
    "$(pushed 'next(p["value"] for p in last("carbon.run.energy") if p["carbon.figure"] == "gross")')"
check '7 J × 1.5 × 360 g/kWh' 1.05 "$(pushed 'round(next(p["value"] for p in last("carbon.run.emissions") if p["carbon.figure"] == "gross") * 1e3, 9)')"
check 'power × duration is energy' True "$(pushed 'all(abs(p["value"] * last("carbon.run.duration")[0]["value"] - j["value"]) < 1e-6 for p, j in zip(last("hw.power"), last("hw.energy")))')"
check 'factor and PUE' '360 1.5' "$(pushed 'str(last("carbon.factor")[0]["value"]) + " " + str(last("carbon.pue")[0]["value"])')"
check 'the time is the record'\''s' True "$(pushed 'last("hw.energy")[0]["start"] < last("hw.energy")[0]["time"]')"
check 'who sent it' "carbon $(json record.json 'r["id"]') nightly p1 job" \
    "$(pushed '" ".join(resource[key] for key in ("service.name", "service.instance.id", "carbon.label", "carbon.project", "process.executable.name"))')"
check 'arguments of the job stay here' False "$(pushed '"process.command_args" in resource or "process.command_line" in resource')"

# What is not known is no point
run good --no-ledger -- true
check 'a domain that did not move is no point' '[]' "$(pushed 'last("hw.energy")')"
check 'and no net without a baseline' '[]' "$(pushed '[p for p in last("carbon.run.energy") if p["carbon.figure"] == "net"]')"

# The environment
OTEL_SERVICE_NAME=batch OTEL_RESOURCE_ATTRIBUTES='deployment.environment.name=pr%2Cod, host.name=named ,k8s.pod.name=p-1' POD_UID=u-1 \
    POD_NAMESPACE=ns run good --no-ledger -- ./job
check 'OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME' 'batch pr,od named p-1 u-1 ns' \
    "$(pushed '" ".join(resource[key] for key in ("service.name", "deployment.environment.name", "host.name", "k8s.pod.name", "k8s.pod.uid", "k8s.namespace.name"))')"
OTEL_RESOURCE_ATTRIBUTES='host.name=x,broken' run good --no-ledger -- ./job
check 'a list that is none is said' 'OTEL_RESOURCE_ATTRIBUTES is not used' "$(grep -o 'OTEL_RESOURCE_ATTRIBUTES is not used' said)"
check 'and not used' False "$(pushed 'resource["host.name"] == "x"')"
OTEL_EXPORTER_OTLP_ENDPOINT=$to/good OTEL_EXPORTER_OTLP_HEADERS='x-key=a%20b,other=c' run good --no-ledger --otlp env -- ./job 2> /dev/null
check_match 'an option counts once' '--otlp' "$(cat said)"
forget
OTEL_EXPORTER_OTLP_ENDPOINT=$to/good OTEL_EXPORTER_OTLP_HEADERS='x-key=a%20b,other=c' \
    "$carbon" measure --root tree --baseline 0 -q --no-ledger --otlp env -- ./job > out 2> said
check '--otlp env' "['good'] a b c" "$(pushed 'str(cases) + " " + pushes[0]["headers"]["x-key"] + " " + pushes[0]["headers"]["other"]')"
forget
OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=$to/good/v1/metrics \
    "$carbon" measure --root tree --baseline 0 -q --no-ledger --otlp env -- ./job > out 2> said
check 'an address for metrics is asked as it stands' "['good']" "$(pushed cases)"

# Keys
(umask 077; printf '# keys\nx-key: s3cret\nx-tenant:  two words\n' > headers)
run denied --no-ledger -- ./job 3
check 'a wrong key costs nothing' 3 $status
check_match 'and is said' 'HTTP 401' "$(cat said)"
run denied --no-ledger --otlp-headers headers -- ./job
check 'headers of a file' "200 two words" "$(pushed 'str(pushes[0]["status"]) + " " + pushes[0]["headers"]["x-tenant"]')"
check_absent 'a key is never said' s3cret "$("$carbon" measure --root tree --baseline 0 --no-ledger --otlp "$to/wrong" --otlp-headers headers --debug all -- ./job 2>&1)"
run elsewhere --no-ledger --otlp-headers headers -- ./job
check 'nor sent to another server' "['elsewhere']" "$(pushed cases)"
chmod 644 headers
refuses 'a file that others may read' 'others may read or change' "$carbon" measure --root tree --no-ledger --otlp "$to/good" --otlp-headers headers -- true
chmod 600 headers
refuses 'a key over http to another machine' 'no header is sent to 192.0.2.1:4318 without TLS' \
    "$carbon" measure --root tree --no-ledger --otlp http://192.0.2.1:4318 --otlp-headers headers -- true
echo 'no header' > none; chmod 600 none
refuses 'lines that are no headers' 'does not hold headers' "$carbon" measure --root tree --no-ledger --otlp "$to/good" --otlp-headers none -- true
refuses 'headers without an address' 'needs --otlp' "$carbon" measure --root tree --no-ledger --otlp-headers headers -- true
for bad in ftp://x http:// nonsense "$to/?key=1" http://user:pw@host; do
    refuses "the address $bad" 'otlp' "$carbon" measure --root tree --no-ledger --otlp "$bad" -- true
done
refuses 'no address in the environment' 'OTEL_EXPORTER_OTLP_ENDPOINT is not set' "$carbon" measure --root tree --no-ledger --otlp env -- true

# Collectors that do not take it: the job, the record and the ledger are as without it
for case in down wrong broken cut; do
    run "$case" --ledger "$case.db" --otlp-timeout 1 -- ./job 7
    check "$case: the status is the job's" 7 $status
    check_match "$case: it is said" 'metrics not pushed' "$(cat said)"
    check "$case: the record is written" 7 "$(json record.json 'r["exit_status"]')"
    check "$case: and in the ledger" 1 "$("$carbon" history --ledger "$case.db" --csv - | sed 1d | wc -l)"
done
run wrong --no-ledger -- ./job
check 'what it says is passed on' 'HTTP 400: no such tenant' "$(grep -o 'HTTP 400: no such tenant' said)"
check 'and nothing is sent again' "['wrong']" "$(pushed cases)"
run broken --no-ledger -- ./job
check '500 is not to be tried again' "['broken']" "$(pushed cases)"
to=http://127.0.0.1:1 run good --no-ledger --otlp-timeout 1 -- ./job 5
check 'nobody listens' "5 metrics not pushed" "$status $(grep -o 'metrics not pushed' said)"
run busy --no-ledger -- ./job
check '503 is tried again' "[503, 503, 200]" "$(pushed '[push["status"] for push in pushes]')"
check 'and nothing is said' '' "$(noted)"
check 'it is the same document' True "$(pushed 'all(push["document"] == pushes[0]["document"] for push in pushes)')"
run throttle --no-ledger -- ./job
check '429 is tried again when the collector says' "[429, 200]" "$(pushed '[push["status"] for push in pushes]')"
run partial --no-ledger -- ./job
check 'a success in part' '2 data points: two are too old' "$(grep -o '2 data points: two are too old' said)"
check 'is not sent again' "['partial']" "$(pushed cases)"
run nonsense --no-ledger -- ./job
check 'a success is one, whatever its body' "0 " "$status $(noted)"
finish
