#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon report --from-prometheus: the year of a fleet whose counters are known to the joule (tests/helpers/fleet.py):
# kWh and kg by nodes, namespaces and labels, what is covered, edges of months, the same in all forms, what is refused.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

servers=
trap 'kill $servers 2> /dev/null; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy

# fleet_start NAME [NODES]: $url
fleet_start() {
    mkdir "$work/$1"
    /usr/bin/python3 "$source/tests/helpers/fleet.py" "$work/$1" ${2:+"$2"} > "$work/$1/log" 2>&1 &
    servers="$servers $!"
    served "$work/$1/port" "$work/$1/log"
    url=http://127.0.0.1:$(cat "$work/$1/port")
}
fleet_start three
fleet() { "$carbon" report --verbose --from-prometheus "$url" --intensity 100 --pue 1.5 "$@" 2> said; }

# What is right, by formula. The reset costs what was used since the value before it: 2 min, of both counters.
cat > right.py <<'E2'
import calendar, json, sys
def hours(month):
    return 24 * calendar.monthrange(2025, month)[1]
LOST = (50 + 10) * 120 / 3.6e6
N1 = {m: 100 * hours(m) / 1000 for m in range(1, 13)}
N2 = {m: 60 * hours(m) / 1000 - (LOST if m == 5 else 0) for m in range(1, 13)}
N3 = {m: 30 * hours(m) / 1000 if m >= 6 else 0 for m in range(1, 13)}
YEAR = sum(N1.values()) + sum(N2.values()) + sum(N3.values())
def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(b), 1)
def load(name):
    return json.load(open(name))
def groups(r, key):
    return {g["name"]: g["figures"] for g in r[key]}
E2
right() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c "from right import *
$1"; }

fleet --year 2025 --step 5m --by namespace --entity 'The site' --json r.json --csv r.csv --markdown r.md --html r.html
check 'it is made' 0 $?
check 'the year, with its PUE and factor' 'True True True' "$(right 'r = load("r.json"); t = r["total"]
print(near(t["it_kwh"], YEAR), near(t["facility_kwh"], 1.5 * YEAR), near(t["kgco2eq"], 0.15 * YEAR))')"
check 'every month' True "$(right 'r = load("r.json")
print(all(near(m["figures"]["it_kwh"], N1[i] + N2[i] + N3[i]) for i, m in enumerate(r["months"], 1)) and len(r["months"]) == 12)')"
check 'every node; a core is within its package' True "$(right 'n = groups(load("r.json"), "labels")
print(all(near(n[k]["it_kwh"], sum(v.values())) for k, v in (("n1", N1), ("n2", N2), ("n3", N3))) and len(n) == 3)')"
check 'the namespaces and the rest are the nodes' 'True True True True' "$(right 'r = load("r.json"); g = groups(r, "projects")
rest = g["not attributed to any namespace"]["it_kwh"]
print(near(g["web"]["it_kwh"], 40 * 8.76), near(g["batch"]["it_kwh"], 20 * 8.76),
      near(rest, YEAR - 60 * 8.76) and near(rest, r["fleet"]["unattributed_kwh"]), len(g) == 3)')"
check 'how they are known' 'True True' "$(right 'q = load("r.json")["by_quality"]
print(near(q["measured"]["it_kwh"], sum(N3.values())), near(q["attributed"]["it_kwh"], YEAR - sum(N3.values())))')"
check 'what is covered' "[('n3', 18489600, 0, 0, 2115), ('n2', 31276800, 1, 2, 0), ('n1', 31536000, 0, 0, 0)] True" "$(right '
r = load("r.json")
print([(n["name"], round(n["covered_s"]), n["gaps"], n["resets"], n["wraps"]) for n in r["fleet"]["nodes"]],
      near(r["period"]["covered_share"], (214 + 362 + 365) / 3 / 365))')"
check 'when they began' '2025-06-01T00:00:00.000Z' "$(json r.json "r['fleet']['nodes'][0]['from']")"
check 'the year before, a leap year' 'True True' "$(right 'p = load("r.json")["previous"]
print(near(p["figures"]["it_kwh"], 366 * 2.4), near(p["change_kgco2eq"], 0.15 * (YEAR - 366 * 2.4)))')"
check 'and how much of it is known' 1.0 "$(json r.json "float(r['fleet']['previous_covered_share'])")"
check 'whose it is' 'namespace kepler 300.0' "$(json r.json "'%s %s %s' % (r['fleet']['projects_are'], r['fleet']['exporters'],
    float(r['fleet']['step_s']))")"
"$source/tests/check-schema.sh" r.json > schema
status=$?
[ $status -eq 77 ] || check 'it keeps to its schema' 0 $status || cat schema

check 'every form has every digit' 'True 19' "$(/usr/bin/python3 -c '
import csv, json, xml.etree.ElementTree as ET
r = json.load(open("r.json"))
rows = {(row["part"], row["name"]): row for row in csv.DictReader(open("r.csv"))}
text = open("r.md").read()
md = {line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
      for line in text[text.index("## Every digit"):].splitlines() if line.startswith("|")}
x = "{http://www.w3.org/1999/xhtml}"
section = next(e for e in ET.parse("r.html").iter(x + "section") if e.get("id") == "every-digit")
page = {row[0].text or row[0][0].text: ["".join(c.itertext()) for c in row[1:]] for row in section.iter(x + "tr")}
names = [("total", "total", "", r["total"])]
names += [("month " + m["name"], "month", m["name"], m["figures"]) for m in r["months"]]
names += [("project " + p["name"], "project", p["name"], p["figures"]) for p in r["projects"]]
names += [("label " + p["name"], "label", p["name"], p["figures"]) for p in r["labels"]]
good = True
for called, part, name, figures in names:
    for i, key in enumerate(("it_kwh", "facility_kwh", "kgco2eq")):
        good &= float(rows[part, name][key]) == figures[key] == float(md[called][i]) == float(page[called][i])
for node in r["fleet"]["nodes"]:
    good &= float(rows["node", node["name"]]["duration_s"]) == node["covered_s"]
print(good, len(names))')"
for form in r.md r.html; do
    check_match "$form: namespaces, nodes and their coverage" 'Namespaces.*Nodes.*Coverage of the nodes' "$(tr '\n' ' ' < $form)"
    check_match "$form: the gap" '1 gap, 2 resets, 0 wraps' "$(cat $form)"
done
check_match 'the gap is told' '1 gap in the counters' "$(cat r.md)"
check_match 'so are the resets' '2 resets of counters: up to .* may be missing' "$(cat r.md)"
check_match 'and what is covered' 'the counters cover 85\.9 % of the nodes. period' "$(cat r.md)"

# A day, a minute, a step: no edge is doubled or lost, whatever the pieces.
kwh() { fleet "$@" --json - | total_kwh; }
check 'nodes alone' 3.84 "$(kwh --from 2025-01-01 --to 2025-01-01)"
check 'a leap day' 2.4 "$(kwh --from 2024-02-29 --to 2024-02-29)"
check 'a minute' 0.002666667 "$(kwh --from 2025-01-01T00:00Z --to 2025-01-01T00:01Z)"
check 'a step that does not divide the time' 3.84 "$(kwh --from 2025-01-01 --to 2025-01-01 --step 7m)"
check 'two halves are the whole' 7.68 "$(python3 -c 'import sys; print(round(sum(map(float, sys.argv[1:])), 9))' \
    "$(kwh --from 2025-01-01T00:00Z --to 2025-01-01T17:31Z)" "$(kwh --from 2025-01-01T17:31Z --to 2025-01-03T00:00Z)")"
check 'the day of the reset, by the minute: one of them is lost' 3.839 "$(kwh --from 2025-05-05 --to 2025-05-05)"
check 'a time before all' None "$(kwh --from 2023-01-01 --to 2023-01-01)"
fleet --from 2023-01-01 --to 2023-01-01 > out
check 'has no result' '1 0' "$? $(wc -c < out)"
check_match 'is told' 'the server has no counter of energy' "$(cat said)"
check 'local days begin thirteen hours earlier' 6.9 "$(TZ=NZT-13 kwh --from 2025-01-01 --to 2025-01-02 --local-time)"
check 'a node' 2.4 "$(kwh --from 2025-01-01 --to 2025-01-01 --label n1)"
check 'a namespace' 0.96 "$(kwh --from 2025-01-01 --to 2025-01-01 --by namespace --project web)"
check 'by a matcher' 1.44 "$(kwh --from 2025-01-01 --to 2025-01-01 --match 'node_name="n2"')"
check 'of another exporter' None "$(kwh --from 2025-01-01 --to 2025-01-01 --exporter node_exporter)"
check 'what has not come is not asked for' True "$(: > "$work/three/queries"
    fleet --year "$(date -u +%Y)" --step 1h > out
    /usr/bin/python3 -c 'import sys, time; print(all(float(line.split()[1]) <= time.time() for line in open(sys.argv[1])))' \
        "$work/three/queries")"

fleet --from 2025-06-30 --to 2025-07-01 --by pod-label --project-label team --json p.json
check 'by a label that kube-state-metrics tells of pods' 'True True True True' "$(right 'g = groups(load("p.json"), "projects")
print(near(g["blue"]["it_kwh"], .96), near(g["red"]["it_kwh"], .96), near(g[None]["it_kwh"], .96),
      near(g["not attributed to any pod"]["it_kwh"], 2 * 4.56 - 3 * .96))')"
fleet --from 2025-01-01 --to 2025-01-01 --project-label path --json l.json
check 'by a label of the nodes' '/sys/package True' "$(right 'g = groups(load("l.json"), "projects")
print(*g, near(sum(f["it_kwh"] for f in g.values()), 3.84))' | sed 's#/sys/dram#/sys/package#')"

# A factor of its own for each year.
"$carbon" report --verbose --from-prometheus "$url" --from 2024-12-31 --to 2025-01-01 --zone FR --json y.json 2> said
check 'each day by the factor of its year' 'True True' "$(right 'r = load("y.json")
f = {x["factor"]["year"]: x for x in r["factors"]}
print(len(f) == 2 and near(f[2024]["figures"]["it_kwh"], 2.4) and near(f[2025]["figures"]["it_kwh"], 3.84),
      near(r["total"]["kgco2eq"], 2.4 * f[2024]["factor"]["kgco2eq_per_kwh"] + 3.84 * f[2025]["factor"]["kgco2eq_per_kwh"]))
')" || json y.json "[(x['factor']['year'], x['figures']['it_kwh']) for x in r['factors']]"

for line in "--from-prometheus $url --ledger x.db" "--from-prometheus $url --restated" \
    "--from-prometheus $url --duty 8h/d --year 2025" "--from-prometheus $url --by pod-label" \
    "--from-prometheus $url --by namespace --project-label team" "--from-prometheus $url --step 0" \
    "--from-prometheus $url --step 2h" "--from-prometheus $url --project-label 9x" "--from-prometheus $url --by pods" \
    "--from-prometheus $url --match team" "--from-prometheus ftp://x" '--by namespace' '--zone FR' '--step 5m' \
    '--from-prometheus http://127.0.0.1:1 --year 2025 --timeout 5'; do
    # shellcheck disable=SC2086
    out=$("$carbon" report --verbose $line --json refused.json 2>&1)
    check "carbon report $line" 125 $?
    check_match "carbon report $line: what can be done" '^ +(fix|why|try): ' "$out"
done
[ ! -e refused.json ]
check 'nothing is written then' 0 $?

# Ended halfway: an error, and nothing half written.
"$carbon" report --verbose --from-prometheus "$url" --year 2025 --step 10s --json ended.json 2> said &
pid=$!
: > "$work/three/queries"
until_true test -s "$work/three/queries"
kill -INT $pid 2> /dev/null || kill -TERM $pid
kill -TERM $pid
wait $pid
check 'a signal ends it' 125 $?
check_match 'and it says so' 'interrupted' "$(cat said)"
check 'no file is left' '' "$(ls -d ended.json* 2> /dev/null)"

# Several exporters on one machine tell the same energy: it counts once, through a change of the exporter, too.
fleet_start kinds kinds
fleet --year 2025 --step 10m --by namespace --json k.json
check 'one exporter after the other' 'True True True kepler-old, kepler' "$(right 'r = load("k.json")
g = groups(r, "projects")
print(near(r["total"]["it_kwh"], 85 * 8.76), near(g["web"]["it_kwh"], 32 * 8.76), len(r["labels"]) == 1,
      r["fleet"]["exporters"])')" || json k.json "(r['total']['it_kwh'], r['projects'][1]['figures']['it_kwh'])"
check_match 'the change is told' 'from 2025-07-01T00:[0-9]+Z on, the counters of Kepler replace those of Kepler before 0.10' "$(cat k.json)"
check_match 'what was left out is told' 'the counters of node_exporter are left out' "$(cat k.json)"
check 'only what is meant' '0.08 0.09 0.076 None' "$(for name in node_exporter scaphandre carbon kepler; do
    kwh --from 2025-01-01T00:00Z --to 2025-01-01T01:00Z --exporter $name; done | xargs)"
fleet --from 2025-01-01 --to 2025-01-01 --exporter carbon --by namespace --json c.json
check 'pods of carbon' 'True True' "$(right 'g = groups(load("c.json"), "projects")
print(near(g["web"]["it_kwh"], 12 * .024), near(g["not attributed to any namespace"]["it_kwh"], 64 * .024))')"

# Exporters are chosen node by node: all nodes count, each once, on the day of a change and when the first comes back, too.
fleet_start rolling rolling
fleet --from 2025-06-30 --to 2025-07-03 --step 10m --json n.json
check 'node by node' "['n1 9.60', 'n2 24.00', 'n3 2.88', 'n4 7.68'] kepler-old, kepler, node_exporter, dcgm 1.00" "$(right 'r = load("n.json")
print(sorted("%s %.2f" % (g["name"], g["figures"]["it_kwh"]) for g in r["labels"]), r["fleet"]["exporters"],
      "%.2f" % r["period"]["covered_share"])')"

# Memory is that of one piece, and not of the time or the fleet.
peak() { /usr/bin/python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$carbon" report --verbose --from-prometheus "$url" "$@"; }
short=$(peak --from 2025-01-01 --to 2025-01-10)
long=$(peak --from 2025-01-01 --to 2025-03-31)
fleet_start large 60
large=$(peak --from 2025-01-01 --to 2025-01-03 --step 10s)
if grep -q __asan_init "$carbon"; then
    echo 'not tested: memory (AddressSanitizer keeps what was freed)'
else
    check "memory: 10 days $short KiB, 90 days $long KiB, 60 nodes by 10 s $large KiB" 'True True' \
        "$(/usr/bin/python3 -c "print($long < 1.5 * $short, $large < 4 * $short)")"
fi
check 'all of them count' 144.0 "$(kwh --from 2025-01-01 --to 2025-01-01 --step 5m)"
finish
