#!/bin/bash
# SPDX-License-Identifier: MIT
# A machine's joules are counted once, by its identity and time: records that overlap in carbon report, import and merge.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
"$carbon" measure --quiet --baseline 0 --no-ledger --intensity 100 --json one.json -- true 2> said ||
    { cat said; skip 'nothing can be measured here'; }

# record FILE ID MACHINE OWN_J START LENGTH JOULES...: a record of runs of that length and gross energies, one after the
# other, on that machine; "-": it does not say which. The times are of 2026-06-01, in seconds.
record() {
    /usr/bin/python3 - "$@" << 'PYTHON'
import datetime, json, sys
name, id, machine, own, start, length = sys.argv[1:7]
joules = [float(j) for j in sys.argv[7:]]
def time(s):
    return (datetime.datetime(2026, 6, 1) + datetime.timedelta(seconds=s)).isoformat(timespec="milliseconds") + "Z"
start, length, count = float(start), float(length), len(joules)
r = json.load(open("one.json"))
mean = sum(joules) / count
r["id"] = "%08x-5c3b-4f64-9d1f-6f6a3c1b7a55" % int(id)
r["machine"]["start"] = None if machine == "-" else machine * 32
r["machine"]["id"] = None
r["started_at"], r["ended_at"] = time(start), time(start + length * count)
r["runs"], r["label"] = count, name
def spread(value):
    return {"mean": value, "deviation": None, "min": value, "max": value, "count": count}
r["duration_s"], r["gross_j"], r["net_j"], r["own_j"] = spread(length), spread(mean), spread(mean / 2), spread(float(own) / count)
for key, value in (("gross", mean), ("net", mean / 2), ("own", float(own) / count)):
    r["emissions"][key] = dict(r["emissions"]["gross"] or {}, it_kwh=value / 3.6e6, facility_kwh=value / 3.6e6,
                               kgco2eq=value / 3.6e6 * 0.1)
r["own_method"] = "cpu-time"
run = r["windows"]["runs"][0]
r["windows"]["runs"] = [dict(run, started_at=time(start + i * length), duration_s=length, gross_j=j, net_j=j / 2,
                             slices=[], counted=True, warmup=False) for i, j in enumerate(joules)]
json.dump(r, open(name, "w"))
PYTHON
}
import() { "$carbon" import --ledger "$1.db" "${@:2}" 2> said; }
# The total's gross and own energy in joules, and what was counted once.
total() { "$carbon" report --verbose --ledger "$1.db" --from 2026-06-01 --to 2026-06-02 --json r.json "${@:2}" 2> said
    json r.json "'%.6g %.6g %d %.6g %.6g' % (r['total']['it_kwh'] * 3.6e6, r['total']['own_kwh']['value'] * 3.6e6,
        r['gaps']['counted_once'], r['gaps']['counted_once_kwh'] * 3.6e6, r['gaps']['unknown_overlap_s'])"; }
noticed() { json r.json "sum(bool(__import__('re').search(r'$1', n['what'])) for n in r['notices'])"; }

# 100 W on machine a for 100 s; within it a job of 30 s, and one that goes on 40 s longer; the same on machine b at the time.
record long.json 1 a 10 0 100 10000
record short.json 2 a 20 10 30 3000
record late.json 3 a 30 60 80 8000
record other.json 4 b 40 0 100 10000
out=$(import known long.json short.json late.json other.json)
check 'they come in' 4 "$(grep -c ' 1 kept' <<< "$out")"
check 'each joule once, each job its own' '24000 100 2 7000 0' "$(total known)"
check 'it is said' '1 0' "$(noticed 'counted once: 2 records overlap others of the same machine') $(noticed 'runs overlapped')"
check 'emissions go with it' True "$(json r.json "abs(r['total']['kgco2eq'] - 24000 / 3.6e6 * .1) < 1e-15")"
check 'labels add up to the total' '10000 0 4000 10000' "$(json r.json "' '.join('%.6g' % (
    l['figures']['it_kwh'] * 3.6e6) for l in sorted(r['labels'], key=lambda l: ['long.json', 'short.json', 'late.json', 'other.json'].index(l['name'])))")"
check 'one alone' '8000 30 0 0 0' "$(total known --label late.json)"
check_schema 'it keeps to its schema' r.json

# Runs with gaps between them, as of commands in turns, do not overlap; those of energies that differ count by energy.
record turns.json 5 a 0 1010 10 100 300
record half.json 6 a 0 1000 20 900
out=$(import turns turns.json half.json)
check 'by the energy of the runs' '1200 0 1 100 0' "$(total turns)"

# What does not say its machine counts in full, and a notice says how long.
record unknown.json 7 - 10 20 50 5000
out=$(import unknown unknown.json long.json)
check 'of an unknown machine all counts' '15000 20 0 0 50' "$(total unknown)"
check 'and that is said' 1 "$(noticed 'runs overlapped for at least')"

# The sum that import prints, newest first as history exports them.
"$carbon" history export --ledger known.db - > all.jsonl 2> said
out=$(import again all.jsonl)
check_match 'import: once' '4 kept, 0 duplicates; 0\.0066666666666?[67]? kWh' "$out"
check_match 'import: said' '^  7000 J of gross energy counted once: 2 of these overlap others of the same machine$' "$out"

# merge counts by the same code.
"$carbon" merge --json m.json long.json short.json late.json other.json > out 2> said
check 'merge: once' '24000 7000 2' "$(json m.json "'%.6g %.6g %d' % (r['gross_j'], r['overlap_j'], len(r['nodes']))")"
finish
