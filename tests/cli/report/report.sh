#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon report: the figures of a year from the ledger, the same in all forms; estimates that were kept; periods,
# filters, what is refused.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
ledger=$work/in/year.db
CARBON_LEDGER=$ledger
export CARBON_LEDGER
report() { "$carbon" report --verbose "$@" 2> said; }

out=$("$carbon" report --verbose 2>&1)
check 'there is no ledger yet' 125 $?
check_match 'is told' 'nothing has been kept there' "$out"

# 24 kWh in 2026 and 20 in 2025, at stated factors: day k of a month uses 100 W x k h.
estimate() { "$carbon" estimate --keep "$@" > /dev/null 2>> estimates || cat estimates; }
for month in 01 06 12; do
    for day in 10 20 30; do
        estimate --at "2026-$month-${day}T06:00Z" --power 100 --hours "$day" --intensity 50 --pue 1.5 \
            --project "p$month" --label "day $day"
    done
done
estimate --at 2025-07-01 --energy 20kWh --hours 10 --intensity 80 --project p06 --market-factor 10
# across New Year: 6 of 24 hours in the old one
estimate --at 2026-12-31T18:00Z --power 1000 --hours 24 --intensity 100 --project edge
"$carbon" estimate --energy 1kWh --intensity 1 > /dev/null
check 'an estimate is not kept unless it is asked for' 11 "$("$carbon" history --limit 100 | grep -c given)"

report --year 2026 --json r.json --csv r.csv --markdown r.md --html r.html
check 'it is made' 0 $?
check_match 'the answer: what was used and emitted, against the year before' \
    '^2026: 10 records used 33\.0 kWh with PUE and emitted 1\.95 kgCO2eq, 22 % more than 2025$' "$("$carbon" report --year 2026 | head -1)"
check_match 'the answer: a row' '^  given +10 +24(\.0*)? +33(\.0*)? +1\.95[0-9]* ' "$("$carbon" report --year 2026)"
check 'the answer: at most eight lines' '' "$("$carbon" report --year 2026 | tail -n +9)"
check 'the answer: in a line for scripts' '24 kWh given gross 1.95 kgCO2eq incomplete' "$("$carbon" report --year 2026 --quiet)"
check_match 'what was not measured cannot be missed on the terminal' 'coverage: runs cover only (<|&lt;)?0.* % of the period' "$(cat said)"
check 'exact' 'True True True' "$(json r.json "'%s %s %s' % (abs(r['total']['it_kwh'] - 24) < 1e-12,
    abs(r['total']['facility_kwh'] - 33) < 1e-12, abs(r['total']['kgco2eq'] - (18 * 1.5 * .05 + 6 * .1)) < 1e-12)")"
check 'what New Year cuts is said' 1 "$(json r.json "sum('1 record is cut by an edge of the period' in n['what'] for n in r['notices'])")"
check 'kinds apart' '10 None None' "$(json r.json "'%s %s %s' % (r['by_quality']['given']['records'],
    r['measured']['it_kwh'], r['total']['net_kwh']['value'])")"
check 'the months' '12 6.0 None 12.0' "$(json r.json "'%s %s %s %s' % (len(r['months']),
    *[v if v is None else round(float(v), 9) for v in (r['months'][i]['figures']['it_kwh'] for i in (0, 1, 11))])")"
check 'the year before, and why it is another' 'True True' "$(json r.json "'%s %s' % (
    abs(r['previous']['energy_effect_kgco2eq'] + r['previous']['factor_effect_kgco2eq'] - (1.95 - 1.6)) < 1e-12,
    abs(r['previous']['energy_effect_kgco2eq'] - (33 - 20) * (.08 + 1.95 / 33) / 2) < 1e-12)")"
check 'the page has every digit, and loads and runs nothing' 'True 12' "$(python3 -c '
import json, xml.etree.ElementTree as ET
r = json.load(open("r.json"))
x = "{http://www.w3.org/1999/xhtml}"
page = ET.parse("r.html")
ids = [e.get("id") for e in page.iter() if e.get("id")]
good = len(ids) == len(set(ids)) and not list(page.iter(x + "script"))
good &= all(e.get(a, "#").startswith(("#", "data:")) for e in page.iter() for a in ("src", "href"))
section = next(e for e in page.iter(x + "section") if e.get("id") == "every-digit")
rows = {row[0].text or row[0][0].text: ["".join(c.itertext()) for c in row[1:]] for row in section.iter(x + "tr")}
names = [("total", r["total"])] + [("month " + m["name"], m["figures"]) for m in r["months"] if m["figures"]["records"]]
names += [("project " + p["name"], p["figures"]) for p in r["projects"]]
names += [("label " + (p["name"] or "(none)"), p["figures"]) for p in r["labels"]]
for name, figures in names:
    good &= [float(c) for c in rows[name][:3]] == [figures[k] for k in ("it_kwh", "facility_kwh", "kgco2eq")]
answer = {e.get("data-place"): float(e.get("value")) for e in page.iter(x + "data")}
good &= answer == {"total.kgco2eq": r["total"]["kgco2eq"], "total.it_kwh": r["total"]["it_kwh"]}
print(good, len(names))')"
check_match 'what was not measured cannot be missed on the page' 'class="notice">coverage: runs cover only (<|&lt;)?0.* % of the period' "$(cat r.html)"
check 'every form has every digit' True "$(python3 -c '
import csv, json, re
r = json.load(open("r.json"))
rows = {(row["part"], row["name"]): row for row in csv.DictReader(open("r.csv"))}
text = open("r.md").read()
md = {line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
      for line in text[text.index("## Every digit"):].splitlines() if line.startswith("|")}
names = [("total", "total", "", r["total"])]
names += [("month " + m["name"], "month", m["name"], m["figures"]) for m in r["months"] if m["figures"]["records"]]
names += [("project " + p["name"], "project", p["name"], p["figures"]) for p in r["projects"]]
names += [("label " + (p["name"] or "(none)"), "label", p["name"] or "", p["figures"]) for p in r["labels"]]
good = len(names) == 1 + 3 + 4 + 4
for called, part, name, figures in names:
    row, cells = rows[part, name], md[called]
    for i, key in enumerate(("it_kwh", "facility_kwh", "kgco2eq")):
        good &= float(row[key]) == figures[key] == float(cells[i])
    good &= int(row["records"]) == figures["records"]
print(good)')"
"$source/tests/check-schema.sh" r.json > schema
status=$?
[ $status -eq 77 ] || check 'it keeps to its schema' 0 $status || cat schema

out=$(report --year 2026)
check_match 'the warning comes first' '^!!! coverage: runs cover only (<|&lt;)?0.* % of the period' "$(sed -n 3p <<< "$out")"
check_match 'the total' '^  all +10 +24\.00 +33\.00 +1\.950 +- +-$' "$out"
check_match 'nothing is netted' 'the lines above are reported separately; do not add them' "$out"
check_match 'whose' 'own \(assumed\): Scope 2' "$out"
check_match 'a cloud' '^  cloud: Scope 3 category 1' "$(report --year 2026 --boundary cloud)"
check_match 'colocation' '^  colocation: Scope 3 category 8' "$(report --boundary colocation --year 2026)"
check 'the rest of the run across New Year' 'True 1' "$(report --year 2027 --json - |
    python3 -c 'import json, sys; r = json.load(sys.stdin); print(abs(r["total"]["it_kwh"] - 18) < 1e-12, r["gaps"]["cut"])')"
kwh() { report "$@" --json - | total_kwh; }
check 'by project' 6.0 "$(kwh --year 2026 --project p06)"
check 'by label' 3.0 "$(kwh --year 2026 --label 'day 10')"
check 'by both' 1.0 "$(kwh --year 2026 --label 'day 10' --project p01)"
check 'the configuration does not choose' 24.0 "$(CARBON_PROJECT=p06 kwh --year 2026)"
check 'a period; its last day with all its hours' 3.0 "$(kwh --from 2026-06-01 --to 2026-06-21)"
check 'an edge cuts an estimate evenly' 1.6 "$(kwh --from 2026-06-01 --to 2026-06-20T12:00Z)"
check 'another year' 20.0 "$(kwh --year 2025)"
check 'local time: the year ends thirteen hours earlier' '5.9 None' "$(TZ=NZT-13 kwh --year 2026 --local-time \
    --project p12) $(TZ=NZT-13 kwh --year 2026 --local-time --project edge)"
check_match 'a market-based figure' '^  electricity, market-based +0\.2000? +20\.00 +1$' "$(report --year 2025)"

# What was measured; and what is made of it.
if "$carbon" measure --quiet --baseline 0.2 --runs 3 --project m --zone FR -- sleep 0.1 2> said; then
    this=$(date -u +%Y)
    report --year "$this" --project m --json m.json --duty '8h/d×250' --idle-between
    check 'of the records' True "$("$carbon" history --project m --csv - | python3 -c '
import csv, json, sys
row = next(csv.DictReader(sys.stdin))
r = json.load(open("m.json"))
e = r["extrapolation"]
print(abs(r["total"]["it_kwh"] - 3 * float(row["gross_j"]) / 3.6e6) < 1e-15 and e["hours"] == 2000 and
      abs(e["busy_kwh"] - 2 * float(row["gross_j"]) / float(row["duration_s"])) < 1e-9 and r["total"]["runs"] == 3 and
      abs(e["idle_hours"] - (r["period"]["hours"] - 2000)) < 1e-9 and r["total"]["noise_records"] == 1)')"
    check 'it is in no sum' True "$(json m.json "r['total']['it_kwh'] < 1e-2 < r['extrapolation']['it_kwh']")"
    "$carbon" measure --quiet --baseline 0 --json one.json --project again -- true 2> said
    "$carbon" restate one.json --intensity 1 --json two.json > /dev/null
    check 'a restated record counts once' '1 1' "$(report --year "$this" --project again --json - |
        python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["total"]["records"], r["gaps"]["restated"])')"
    check 'or as it is now' '1 1 True' "$(report --year "$this" --project again --restated --json - | python3 -c '
import json, sys
r = json.load(sys.stdin)
t = r["total"]
print(t["records"], r["gaps"]["restated"], abs(t["kgco2eq"] - t["facility_kwh"] / 1000) <= 1e-9 * t["kgco2eq"])')"
    check_match 'the ledger is sound' ' 0 faults$' "$("$carbon" ledger check)"
fi

for line in '--year 2026 --from 2026-01-01' '--to 2026-01-01' '--from 2026-02-01 --to 2026-01-01' '--from yesterday' \
    '--year 1900' '--boundary mine' '--duty 25h/d' '--duty 8h/d --runs-per-year 3' '--json - --csv -' \
    '--from 2026-01-01 --duty 8h/d' '--year 2024 --duty 8h/d' '--from 1990-01-01 --to 2020-01-01'; do
    # shellcheck disable=SC2086
    out=$("$carbon" report --verbose $line 2>&1)
    check "carbon report $line" 125 $?
    check_match "carbon report $line: what can be done" '^ +(fix|why|try): ' "$out"
done
out=$("$carbon" estimate --energy 1kWh --at 2026-01-01 2>&1)
check '--at without --keep' 125 $?
finish
