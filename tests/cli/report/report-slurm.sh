#!/bin/bash
# SPDX-License-Identifier: MIT
# What Slurm tells of jobs beside what was measured on their nodes counts once; and any mix of records of one machine, by
# whatever way they came (report, import, merge, slurm, prometheus), sums to the machine's time once.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"
export TZ=UTC
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
"$carbon" measure --quiet --baseline 0 --no-ledger --intensity 100 --json one.json -- true 2> said ||
    { cat said; skip 'nothing can be measured here'; }

cat > make.py << 'PYTHON'
"""Records of 2026-06-01, times in seconds of that day."""
import datetime, json

def time(s):
    return (datetime.datetime(2026, 6, 1) + datetime.timedelta(seconds=s)).isoformat(timespec="milliseconds") + "Z"

def spread(value):
    return {"mean": value, "deviation": None, "min": value, "max": value, "count": 1}

def record(number, machine, start, length, joules, job=None, node=None, cluster=None):
    """As carbon measure makes one, within a job of Slurm where there is one."""
    r = json.load(open("one.json"))
    r["id"] = "%08x-5c3b-4f64-9d1f-6f6a3c1b7a55" % number
    r["machine"]["start"], r["machine"]["id"] = machine * 32, None
    r["job"] = job and {"scheduler": "slurm", "id": job, "step": None, "array_job": None, "array_task": None, "node": node,
                        "boot_id": None, "nodes": 1, "tasks": 1, "node_tasks": 1, "rank": None, "local_rank": None,
                        "partition": None, "account": None, "cluster": cluster}
    r["started_at"], r["ended_at"] = time(start), time(start + length)
    r["runs"], r["label"] = 1, "measured"
    r["duration_s"], r["gross_j"], r["net_j"], r["own_j"] = spread(length), spread(joules), spread(joules / 2), spread(1)
    for key, value in (("gross", joules), ("net", joules / 2), ("own", 1)):
        r["emissions"][key] = dict(r["emissions"]["gross"], it_kwh=value / 3.6e6, facility_kwh=value / 3.6e6,
                                   kgco2eq=value / 3.6e6 * .1)
    run = r["windows"]["runs"][0]
    r["windows"]["runs"] = [dict(run, started_at=time(start), duration_s=length, gross_j=joules, net_j=joules / 2, slices=[],
                                 counted=True, warmup=False)]
    return r

HEADER = "JobID|JobIDRaw|State|Start|End|ElapsedRaw|NNodes|NodeList|NCPUS|TotalCPU|ConsumedEnergyRaw|Cluster|JobName"

def job(number, start, length, joules, nodes="n1", count=1, cpus=8, cpu_s=None, cluster="alpha"):
    return "%d|%d|COMPLETED|%s|%s|%d|%d|%s|%d|%s|%s|%s|told" % (
        number, number, time(start)[:19], time(start + length)[:19], length, count, nodes, cpus,
        "" if cpu_s is None else "00:00:%02d" % 0 if cpu_s == 0 else str(datetime.timedelta(seconds=int(cpu_s))), joules, cluster)
PYTHON

measured() { /usr/bin/python3 -c 'import json, sys; from make import *
json.dump(record(*eval(sys.argv[2])), open(sys.argv[1], "w"))' "$1" "$2" && "$carbon" import --ledger "$ledger" "$1" > out 2> said ||
    cat said; }
told() { /usr/bin/python3 -c 'import sys; from make import *
print(HEADER)
for one in sys.argv[1:]:
    print(job(*eval(one)))' "$@" > jobs.txt && "$carbon" slurm --sacct jobs.txt --keep --ledger "$ledger" --intensity 100 > out 2> said ||
    cat said; }
# The gross energy of all, and of how many records how much of it was counted once.
total() { "$carbon" report --verbose --ledger "$ledger" --from 2026-06-01 --to 2026-06-02 --json r.json "$@" 2> said
    json r.json "'%.6g %d %.6g' % (r['total']['it_kwh'] * 3.6e6, r['gaps']['counted_once'], r['gaps']['counted_once_kwh'] * 3.6e6)"; }
noticed() { json r.json "sum(bool(__import__('re').search(r'$1', n['what'])) for n in r['notices'])"; }
# alone NAME LEDGER EXPECTED MEASURED TOLD...   the total of what was measured and told, in a ledger of its own
alone() {
    ledger=$2
    measured m.json "$4"
    told "${@:5}"
    check "$1" "$3" "$(total)"
}

# A job of two minutes at 100 W; within it a job's step was measured for 30 s.
alone 'within: once' within.db '13500 1 3000' '1, "a", 10, 30, 4500, 77, "n1", "alpha"' '77, 0, 120, 12000'
check 'within: said' '1 0' "$(noticed 'counted once: 1 job of Slurm ran on nodes that were measured at the time') \
$(noticed 'overlap others of the same machine')"
check 'within: emissions go with it' True "$(json r.json "abs(r['total']['kgco2eq'] - 13500 / 3.6e6 * .1) < 1e-12")"
"$source/tests/check-schema.sh" r.json > schema
status=$?
[ $status -eq 77 ] || check 'it keeps to its schema' 0 $status || cat schema
check 'within: chosen alone, all of it' '12000 0 0' "$(total --label told)"
told '77, 0, 120, 12000'
check 'kept again is harmless' '13500 1 3000' "$(total)"

# What was measured on the node out of any job is of the node, too, by its machine; another node or cluster is not.
measured n.json '2, "a", 100, 40, 4000'
check 'by the machine' '15500 1 5000' "$(total)"
told '78, 0, 120, 12000, "n2"' '79, 0, 120, 12000, "n1", 1, 8, None, "beta"'
check 'another node, another cluster' '39500 1 5000' "$(total)"

# Of two nodes one was measured; and where there is no list of nodes, the job's number tells.
alone 'one of two nodes' nodes.db '20000 1 10000' '1, "a", 0, 100, 10000, 80, "n1", "alpha"' \
    '80, 0, 100, 20000, "n[1-2]", 2'
alone 'by the number of the job' list.db '35000 1 5000' '1, "a", 0, 100, 10000, 80, "n1", "alpha"' \
    '80, 50, 100, 20000, "", 2' '81, 50, 100, 10000, ""'
alone 'a node of another name' name.db '10000 1 10000' '1, "a", 0, 100, 10000, 80, "n1.cluster.example", "alpha"' \
    '80, 0, 100, 10000'
alone 'a list that does not say its cluster' cluster.db '10000 1 10000' '1, "a", 0, 100, 10000, 80, "n1", "alpha"' \
    '80, 0, 100, 10000, "n1", 1, 8, None, ""'

# Parts of one node add up; with one that has the whole of it they do not.
ledger=parts.db
told '90, 0, 100, 10000, "n1", 1, 8, 300' '91, 0, 100, 10000, "n1", 1, 8, 100'
check 'parts of a node' '10000 0 0' "$(total)"
told '92, 50, 100, 10000'
check 'and the whole of it' '15000 2 5000' "$(total)"
measured m.json '1, "a", 0, 200, 22000, 93, "n1", "alpha"'
check 'and what was measured' '22000 3 20000' "$(total)"

# Of what was used in a period, the part of a job that lies in it.
ledger=cut.db
measured m.json '1, "a", 172790, 20, 2000, 95, "n1", "alpha"'
told '95, 172700, 200, 20000'
# The run that was measured has no slices of time and is where it began; 100 s of the job lie in the day, 10 of them in it.
check 'an edge of the period' '11000 1 1000' "$(total)"

# Any mix: a machine that draws 100 W is told of by records, by jobs, and by exporters.
cat > mix.py << 'PYTHON'
import json, os, random, sys
from make import *
random.seed(int(sys.argv[1]))
WATTS = 100
def spans(most):
    for _ in range(random.randint(1, most)):
        start = random.randrange(0, 3000)
        yield start, random.randint(1, 3600 - start if random.random() < .2 else min(400, 3600 - start))
def union(of):
    return len({s for start, length in of for s in range(start, start + length)})
measured, told = list(spans(6)), list(spans(6))
for i, (start, length) in enumerate(measured):
    in_job = i == 0 or random.random() < .5
    made = record(100 + i, "c", start, length, WATTS * length, 500 + i if in_job else None, in_job and "n1", in_job and "alpha")
    json.dump(made, open("m%d.json" % i, "w"))
with open("jobs.txt", "w") as out:
    print(HEADER, file=out)
    for i, (start, length) in enumerate(told):
        print(job(600 + i, start, length, WATTS * length, cpu_s=random.choice([None, random.randint(1, 8 * length)])), file=out)
exporters = []
for name, labels in (("kepler_node_cpu_joules_total", {"zone": "package", "path": "/x/intel-rapl:0"}),
                     ("kepler_node_package_joules_total", {"mode": "dynamic", "package": "0"}),
                     ("node_rapl_package_joules_total", {"index": "0"})):
    if exporters and random.random() < .4:
        continue
    start = 10 * random.randrange(0, 300)
    length = 10 * random.randint(2, 60)
    exporters.append((start, length))
    labels = dict(labels, __name__=name, instance="n1:9100", node_name="n1") if "kepler" in name else dict(
        labels, __name__=name, instance="n1:9100", nodename="n1")
    base = random.randrange(0, 10 ** 6)
    values = [[1780272000 + s, str(base + WATTS * (s - start))] for s in range(start, start + length + 1, 10)]
    json.dump({"status": "success", "data": {"resultType": "matrix", "result": [{"metric": labels, "values": values}]}},
              open("files/%d.json" % len(exporters), "w"))
print(*(WATTS * union(of) for of in (measured + told, measured, told, exporters)))
PYTHON
mix_out=0
mixes() {
    local round all of_measured of_told of_exporters
    for round in $(seq "$1"); do
        rm -rf m[0-9]*.json mix.db again.db files log ports
        mkdir files
        read -r all of_measured of_told of_exporters < <(/usr/bin/python3 mix.py "$round")
        ledger=mix.db
        "$carbon" import --ledger mix.db m[0-9]*.json > out 2> said
        "$carbon" slurm --sacct jobs.txt --keep --ledger mix.db --intensity 100 --json s.json > out 2> said
        check "mix $round: report" "$(printf %.6g "$all")" "$(total | cut -d ' ' -f 1)" || mix_out=1
        check "mix $round: slurm" "$of_told" "$(json s.json "'%.0f' % r['energy_j']")" || mix_out=1
        "$carbon" merge --json merged.json m[0-9]*.json > out 2> said
        check "mix $round: merge" "$of_measured" "$(json merged.json "'%.0f' % r['gross_j']")" || mix_out=1
        "$carbon" history --ledger mix.db export - > all.jsonl 2> said
        "$carbon" import --ledger again.db all.jsonl > out 2> said
        check "mix $round: import" "$all" "$(sed 's/.*; \([0-9.e-]*\) kWh.*/\1/; q' out | awk '{ printf "%.0f", $1 * 3.6e6 }')" || mix_out=1
        exec {input}> >(exec /usr/bin/python3 "$source/tests/helpers/prometheus.py" log ports files > server.txt 2>&1)
        served ports server.txt
        read -r port _ < ports
        "$carbon" prometheus energy --url "http://127.0.0.1:$port/good" --from 1780272000 --to 1780275600 --intensity 100 \
            --json p.json > out 2> said
        check "mix $round: prometheus" "$of_exporters" \
            "$(json p.json "'%.0f' % sum(x['sum']['joules'] for x in r['rows'] if x['level'] == 'node' and x['sum']['joules'])")" || mix_out=1
        exec {input}>&-
        [ $mix_out -eq 0 ] || break
    done
}
mixes "${MIXES:-12}"
finish
