#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon report on one basis: a year of known runs over three zones, with contracts for a part of it, against figures
# that another program works out from the tables, in both bases and by both methods, cell by cell; restated; the same in
# all forms; what a company hands in.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
factors=$source/data/emission_factors
CARBON_LEDGER=$work/in/basis.db
export CARBON_LEDGER
report() { "$carbon" report --verbose "$@" 2> said; }

printf '[GO-1]\nshare = 0.6\ng_per_kwh = 10\nfrom = 2024-01-01\nuntil = 2024-12-31\n' > go.ini
cat > runs.py << 'END'
# month, kWh, zone, PUE, project, contract
runs = [('01', 1000, 'FR', 1.2, 'a', True), ('02', 400, 'FR', 1, 'b', False), ('02', 300, 'DE', 1.5, 'a', True),
        ('05', 250, 'DE', 1, 'b', False), ('05', 500, 'US', 1.1, 'a', True), ('11', 70, 'US', 1, 'c', False)]
END
cat > keep.py << 'END'
import subprocess, sys
from runs import runs
for month, kwh, zone, pue, project, contract in runs:
    done = subprocess.run([sys.argv[1], 'estimate', '--keep', '--at', f'2024-{month}-10', '--energy', f'{kwh}kWh', '--hours', '10',
                           '--zone', zone, '--year', '2024', '--pue', str(pue), '--project', project]
                          + (['--contract', 'go.ini'] if contract else []), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
END
/usr/bin/python3 keep.py "$carbon"
check 'the year is kept' 0 $?

cat > cells.py << 'END'
import csv, json, math, re, sys, xml.etree.ElementTree as ET
from runs import runs
folder, form = sys.argv[1], sys.argv[2]
zone_of_all, pue_of_all = (sys.argv[3:] + [None, None])[:2]
grid = list(csv.DictReader(open(folder + '/grid_intensity.csv')))
residual = list(csv.DictReader(open(folder + '/residual_mix.csv')))
def row(rows, name):
    rows = [r for r in rows if int(r['year']) <= 2024]
    return float(max(rows, key=lambda r: int(r['year']))[name]) if rows else None
def factor(zone, basis):
    return row([r for r in grid if (r['zone'], r['basis'], r['rank']) == (zone, basis, '1') and r['td_losses'] != 'included'],
               'kgco2eq_per_kwh')
def figures(which):
    sums = dict.fromkeys(('it_kwh', 'facility_kwh', 'lifecycle', 'direct', 'market', 'stand_in'), 0)
    for month, kwh, zone, pue, project, contract in runs:
        if not which(month, project):
            continue
        own, zone = zone, zone_of_all or zone
        pue = float(pue_of_all or pue)
        mix = row([r for r in residual if r['zone'] == zone and r['applicable'] == '1'], 'residual_kgco2_per_kwh')
        direct = factor(zone, 'direct')
        bought = mix if mix is not None else direct
        if contract: # contracts are of the runs: they stay where the zone is another
            own_mix = row([r for r in residual if r['zone'] == own and r['applicable'] == '1'], 'residual_kgco2_per_kwh')
            bought = .6 * .01 + .4 * (own_mix if own_mix is not None else factor(own, 'direct'))
        sums['it_kwh'] += kwh
        sums['facility_kwh'] += kwh * pue
        sums['lifecycle'] += kwh * pue * factor(zone, 'lifecycle')
        sums['direct'] += kwh * pue * direct
        sums['market'] += kwh * pue * bought
        sums['stand_in'] += kwh if mix is None and not contract else 0
    return sums
groups = {('total', ''): figures(lambda month, project: True)}
for m in range(1, 13):
    groups['month', f'2024-{m:02d}'] = figures(lambda month, project: int(month) == m)
for p in 'abc':
    groups['project', p] = figures(lambda month, project: project == p)
close = lambda a, b: math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-15)
count = 0
for basis in ('lifecycle', 'direct'):
    r = json.load(open(f'{form}-{basis}.json'))
    told = {('total', ''): r['total']}
    told |= {('month', m['name']): m['figures'] for m in r['months']}
    told |= {('project', p['name']): p['figures'] for p in r['projects']}
    rows = {(x['part'], x['name']): x for x in csv.DictReader(open(f'{form}-{basis}.csv', newline=''))}
    text = open(f'{form}-{basis}.md').read()
    md = {line.split('|')[1].strip(): [c.strip() for c in line.split('|')[2:-1]]
          for line in text[text.index('## Every digit'):].splitlines() if line.startswith('|')}
    x = '{http://www.w3.org/1999/xhtml}'
    page = ET.parse(f'{form}-{basis}.html')
    section = next(e for e in page.iter(x + 'section') if e.get('id') == 'every-digit')
    html = {t[0].text or t[0][0].text: [''.join(c.itertext()) for c in t[1:]] for t in section.iter(x + 'tr')}
    for key, want in groups.items():
        f = told[key]
        if not want['it_kwh']:
            assert f['records'] == 0 and f['kgco2eq'] is None, key
            continue
        got = (f['it_kwh'], f['facility_kwh'], f['kgco2eq'], f['scope2_kgco2eq']['value'], f['scope2_market_kgco2eq']['value'],
               f['scope3_kgco2eq']['value'], f['scope2_stand_in_kwh']['value'] or 0)
        expected = (want['it_kwh'], want['facility_kwh'], want[basis], want['direct'], want['market'],
                    want['lifecycle'] - want['direct'], want['stand_in'])
        for a, b in zip(got, expected):
            assert close(a, b), (basis, key, got, expected)
            count += 1
        line = rows[key]
        assert [float(line[k]) for k in ('it_kwh', 'facility_kwh', 'kgco2eq', 'scope2_kgco2eq', 'scope2_market_kgco2eq',
                                         'scope3_kgco2eq')] == list(got[:6]), (basis, key)
        name = ' '.join(key).strip()
        for cells in (md[name], html[name]):
            assert [float(cells[i]) for i in (0, 1, 2, 5, 6)] == list(got[:5]), (basis, name, cells)
    for k in ('it_kwh', 'facility_kwh', 'kgco2eq'):
        for part in ('months', 'projects', 'labels'):
            assert close(sum(g['figures'][k] or 0 for g in r[part]), r['total'][k]), (basis, part, k)
    for k in ('scope2_kgco2eq', 'scope2_market_kgco2eq', 'scope3_kgco2eq'):
        assert close(sum(g['figures'][k]['value'] or 0 for g in r['months']), r['total'][k]['value']), (basis, k)
    assert r['restated_by']['basis'] == basis
    listed = {f['factor']['zone'] for f in r['direct_factors']}
    assert listed == ({zone_of_all} if zone_of_all else {'FR', 'DE', 'US'}), listed
print(count)
END
for basis in lifecycle direct; do
    report --year 2024 --basis $basis --json own-$basis.json --csv own-$basis.csv --markdown own-$basis.md --html own-$basis.html
    report --year 2024 --basis $basis --zone FR --pue 1.3 --json fr-$basis.json --csv fr-$basis.csv --markdown fr-$basis.md --html fr-$basis.html
done
check 'cell by cell' 112 "$(/usr/bin/python3 cells.py "$factors" own 2>&1)"
check 'and restated' 112 "$(/usr/bin/python3 cells.py "$factors" fr FR 1.3 2>&1)"
"$source/tests/check-schema.sh" own-direct.json fr-lifecycle.json > schema
status=$?
[ $status -eq 77 ] || check 'it keeps to its schema' 0 $status || cat schema

out=$(report --year 2024)
check_match 'what it is' 'kgCO2eq: gross, location-based, lifecycle, of 2520 kWh' "$out"
check_match 'the fallback is said' 'market-based: 70\.00 kWh .* are at the direct location-based factor' "$out"
check_match 'whose scope' 'electricity, Scope 2: purchased electricity' "$out"
check_match 'and its supply' 'its supply, Scope 3 category 3' "$out"
check_match 'a cloud has no Scope 2' 'electricity, Scope 3 category 1' "$(report --year 2024 --boundary cloud)"
check_match 'it is said that it is restated' 'recalculated for all records with: zone FR basis direct PUE 1\.3' \
    "$(report --year 2024 --zone FR --basis direct --pue 1.3)"
check 'the configuration restates nothing' True "$(CARBON_ZONE=PL CARBON_PUE=3 CARBON_BASIS=direct report --year 2024 --json - |
    python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["restated_by"] is None and abs(r["total"]["facility_kwh"] - 2920) < 1e-9)')"

# A stated figure has no basis: on one that was asked for it is not known, and each total says what it covers.
"$carbon" estimate --keep --at 2024-03-01 --energy 1000kWh --intensity 300 --project own > out
check 'a stated figure stays out of the bases' '2520 3520 1000' "$(report --year 2024 --basis direct --json - | python3 -c '
import json, sys
t = json.load(sys.stdin)["total"]
print(round(t["kgco2eq_of_kwh"], 9), round(t["it_kwh"], 9), round(t["it_kwh"] - t["scope2_kgco2eq"]["of_kwh"], 9))')"
check_match 'it is said' '1 record has no emissions' "$(report --year 2024 --basis direct)"

# Trial runs are left out on request, and told.
"$carbon" estimate --keep --at 2024-03-02 --energy 0.9Wh --zone FR --year 2024 > out
check 'at least' '1 0.0009 7' "$(report --year 2024 --at-least 1Wh --json - | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["gaps"]["small"], round(r["gaps"]["small_kwh"], 12), r["total"]["records"])')"
check_match 'at least is told' '1 record is of too little energy left out' "$(report --year 2024 --at-least 1Wh)"
out=$("$carbon" report --verbose --year 2024 --at-least 1 2>&1)
check 'an energy has a unit' 125 $?
check_match 'the fix' 'units are mJ, J, .*Wh' "$out"

# Nothing: one line, status 1, no file.
out=$("$carbon" report --verbose --year 2019 --json none.json --html none.html 2>&1)
check 'an empty year' 1 $?
check 'has one line' 1 "$(grep -c . <<< "$out")"
check_match 'it says so' '^carbon: nothing is known of 2019-01-01T00:00Z to 2020-01-01T00:00Z' "$out"
check 'and no file' no "$(ls none.json none.html > found 2>&1 && echo yes || echo no)"
out=$("$carbon" report --verbose --from 2024-03-02 --to 2024-03-02 --at-least 1Wh 2>&1)
check 'all of it too small' 1 $?
check_match 'it says that' '1 record, 1 of them of too little energy' "$out"

# Units of work of a project, machines, equivalents.
sci() { "$carbon" estimate --keep --at 2024-06-01 --energy "$1" --hours 10 --zone FR --year 2024 --project "$2" --sci "$3" --embodied 1000 --lifetime 5 > out; }
sci 100kWh units 50:jobs
sci 300kWh units 150:jobs
sci 1kWh mixed 3:jobs
sci 1kWh mixed 3:pages
check 'SCI per project' True "$(report --year 2024 --json - | python3 -c '
import json, sys
p = {p["name"]: p["figures"]["sci"] for p in json.load(sys.stdin)["projects"]}
m = 2 * 1000 * 10 / (5 * 8760)
print(p["a"] is None and abs(p["units"]["kgco2eq_per_unit"] - (400 * .04048 + m) / 200) < 1e-12 and p["units"]["unit"] == "jobs" and
      p["mixed"]["several_units"] and p["mixed"]["kgco2eq_per_unit"] is None)')"
mkdir -p "$HOME/.config/carbon"
printf '[machine node1]\nkg = 1200\nlifetime = 5\n[machine]\nkg = 100\nlifetime = 4\n' > "$HOME/.config/carbon/config"
check 'machines of the configuration' '240 25' "$(report --year 2024 --json - | python3 -c '
import json, sys
print(*(m["period_kgco2eq"] for m in json.load(sys.stdin)["machines_made"]))')"
check_match 'in words' 'node1 +1200 +5\.00 +240\.0' "$(report --year 2024)"
for wrong in '[machine]\nkg = 5' '[machine]\nkg = x\nlifetime = 4' '[machine]\nwatts = 5' '[machine a]\nkg = 1\nlifetime = 1\n[machine a]\nkg = 2'; do
    # shellcheck disable=SC2059
    printf "$wrong\n" > "$HOME/.config/carbon/config"
    out=$("$carbon" report --verbose --year 2024 2>&1)
    check "a wrong section: $wrong" 125 $?
    check_match "a wrong section, the fix: $wrong" '^ +fix: ' "$out"
done
rm "$HOME/.config/carbon/config"
check 'the equivalents nearest to one' True "$(report --year 2024 --equivalents --json e.json --markdown - | python3 -c '
import json, math, sys
r = json.load(open("e.json"))
text = sys.stdin.read()
near = sorted(r["equivalents"], key=lambda e: abs(math.log(e["amount"])))[:3]
part = text[text.index("## Equivalents"):].split("\n## ")[0]
print(all(e["name"].replace("_", " ") in part for e in near) and part.count("\n- ") == 3)')"
check_match 'for paper' '@page[{]' "$(cat own-direct.html)"

# The jobs' own energy, beside gross.
if "$carbon" measure --quiet --source model --baseline 0.2 --runs 2 --project own --zone FR -- "$helpers/burn" --spin 200 2> said; then
    report --year "$(date -u +%Y)" --json o.json
    check 'own' True "$("$carbon" history --project own --json - | python3 -c '
import json, sys
r = json.load(open("o.json"))["total"]
by = r["own_kwh_by_method"]
print(r["own_kwh"]["records"] == 1 and r["own_kwh"]["runs"] == 2 and r["own_kwh"]["value"] == by["cpu-time"]["value"] and
      0 < r["own_kwh"]["value"] <= r["own_kwh"]["of_kwh"] and by["net"]["records"] == 0 and r["own_kgco2eq"]["value"] > 0)')"
    check_match 'own in words' 'own: .* kWh gross, .* known of 2 of 2 runs' "$(report --year "$(date -u +%Y)" | tr -s ' \n' ' ')"
fi
finish
