#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon factors: what it lists, finds, refuses and writes; all figures against an independent reading of the tables.
. "$(dirname "$0")/../lib.sh"

factors=$CARBON_DATA/emission_factors

# The list: every zone once, in 80 columns, nothing of the share-alike table.
list=$("$carbon" factors)
check 'list succeeds' 0 $?
check 'header' 'zone              name                           type            year gCO2eq/kWh' "${list%%$'\n'*}"
check_match 'a country' \
    '^FR                France                         country         20[0-9][0-9] +[0-9]+\.[0-9][0-9]$' "$list"
check_match 'a zone without a factor' \
    '^AD                Andorra                        country            -          -$' "$list"
check_absent 'no share-alike zones' '^EM:' "$list"
check_match 'the basis is named' '^lifecycle;' "$list"
check '80 columns' 80 "$(printf '%s\n' "$list" | LC_ALL=C.UTF-8 wc -L)"
check_match 'direct' '^US-CA             California                     subdivision     2022     207.51$' \
    "$("$carbon" factors --basis direct)"

# One zone.
zone=$("$carbon" factors FR)
check_match 'title' '^FR  France \(country, FRA\)$' "$zone"
check_match 'lifecycle row' '^2024 lifecycle      40\.48    1 production  excluded co2eq OWID_EMBER_2026$' "$zone"
check_match 'direct row' '^2024 direct         18\.07    1 production  excluded co2   AIB_RM_2024$' "$zone"
check_match 'fallback' '^fallback: +WORLD \(World\)$' "$zone"
check_match 'mix' '^generated from: 20[0-9][0-9]: nuclear [0-9.]+ %, hydro' "$zone"
check_match 'cloud region' 'aws:eu-west-3, azure:francecentral' "$zone"
check_match 'licence' 'licence: CC BY 4\.0' "$zone"
check '80 columns for a zone' '' "$(printf '%s\n' "$zone" | awk 'length($0) > 80')"
check 'by name' "$zone" "$("$carbon" factors france)"
check 'by alpha-3 code' "$zone" "$("$carbon" factors FRA)"
"$carbon" factors aws:eu-west-3 > region 2> note
check 'by cloud region' "$zone" "$(sed '/^WUE:/,/Foundation)$/d' region)"
check_match 'water of the region' '^WUE:            0\.18 L/kWh of IT energy: aws:eu-west-3, Europe \(Paris\), 2023;$' \
    "$(cat region)"
check_match 'residual mix' '^residual mix:   2024: 23\.52 gCO2eq/kWh, direct, market-based, co2; AIB_RM_2024$' "$zone"
check_match 'cloud region is noted' 'cloud region aws:eu-west-3 is taken as that of zone FR' "$(cat note)"
check 'one year' 1 "$("$carbon" factors GB --year 2024 --basis lifecycle | grep -c '^2024 ')"
check 'alternatives' 3 "$("$carbon" factors GB --year 2024 --basis direct | grep -c '^2024 direct')"
check_match 'a chain of fallbacks' '^fallback: +US \(United States\), then WORLD \(World\)$' \
    "$("$carbon" factors US-CA)"
check_match 'no row' 'no factor for this zone; see fallback' "$("$carbon" factors AD)"

# A part of a name.
check_match 'search' '^KR                South Korea' "$("$carbon" factors korea)"
check 'search finds no more' 2 "$("$carbon" factors korea | grep -c Korea)"

# Share-alike only where asked.
check_match 'share-alike' '^EM:JP-TK' "$("$carbon" factors --share-alike)"
check_match 'share-alike row' '^2024 lifecycle     229\.00    1 consumption excluded co2eq EM_YEARLY_CO2JS_2026$' \
    "$("$carbon" factors aws:us-west-1 --share-alike 2> /dev/null)"
check_absent 'default row' 'EM_YEARLY' "$zone"

# Every figure, read by another program.
cat > reread.py << 'END'
import csv, sys
factors, written, basis, tables = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
best = {}
for rank, table in enumerate(tables):
    for row in csv.DictReader(open(f'{factors}/{table}', newline='', encoding='utf-8')):
        if row['basis'] == basis and row['rank'] == '1':
            # the first table that has the zone, its latest year
            key = (-rank, int(row['year']))
            if row['zone'] not in best or key > best[row['zone']][0]:
                best[row['zone']] = (key, row)
mine = {}
for row in csv.DictReader(open(written, newline='', encoding='utf-8'), strict=True):
    assert row['zone'] not in mine, row
    mine[row['zone']] = row
assert set(mine) == set(best), set(mine) ^ set(best)
for zone, (_, row) in best.items():
    for column, value in row.items():
        if column == 'kgco2eq_per_kwh':
            assert float(value) == float(mine[zone][column]), (zone, value)
        elif column != 'zone_name':
            assert value == mine[zone][column], (zone, column, value, mine[zone][column])
print(len(mine))
END
"$carbon" factors --csv lifecycle.csv > out 2>&1
check 'CSV succeeds' 0 $?
check 'a file leaves standard output alone' '' "$(cat out)"
check 'all lifecycle zones' 367 "$(/usr/bin/python3 reread.py "$factors" lifecycle.csv lifecycle grid_intensity.csv)"
"$carbon" factors --basis direct --csv - > direct.csv
check 'all direct zones' 181 "$(/usr/bin/python3 reread.py "$factors" direct.csv direct grid_intensity.csv)"
"$carbon" factors --share-alike --csv odbl.csv
check 'all share-alike zones' 496 \
    "$(/usr/bin/python3 reread.py "$factors" odbl.csv lifecycle share-alike/grid_intensity_odbl.csv grid_intensity.csv)"
check 'no file is left over' '' "$(ls -- *.partial* 2> /dev/null)"

# What was written may be edited and given back.
"$carbon" factors FR --year 2024 --csv own.csv
sed 's/0\.04048/0.00123/; s/OWID_EMBER_2026/OUR_METER/' own.csv > edited.csv
check_match 'own row' '^2024 lifecycle       1\.23    1 production  excluded co2eq OUR_METER$' \
    "$("$carbon" factors FR --factors edited.csv)"
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nHALL-3,2026,0.35,lifecycle,generator\n' > hall.csv
check_match 'own zone in the list' '^HALL-3 +own +2026     350\.00$' "$("$carbon" factors --factors hall.csv)"
check_match 'own zone' '^2026 lifecycle     350\.00    1 +generator$' "$("$carbon" factors hall-3 --factors hall.csv)"

# JSON.
"$carbon" factors GB --year 2024 --json gb.json
check 'schema' carbon.factors/1 "$(json gb.json "r['schema']")"
check 'fallbacks' "['US', 'WORLD']" "$("$carbon" factors US-CA --json ca.json; json ca.json "r['stands_in']")"
check 'no mix is null' None "$("$carbon" factors ISLAND-DIESEL --json ca.json; json ca.json "r['mix']")"
check 'mix' "$(awk -F, '$1 == "GB" && $3 == 2024 { print $3, $4 + 0, $9 + 0 }' "$factors/energy_mix.csv")" \
    "$(json gb.json "'%d %g %g' % (r['mix']['year'], r['mix']['coal'], r['mix']['wind'])")"
check 'rows' 4 "$(json gb.json "len(r['factors'])")"
check 'value' 0.2165 "$(json gb.json "[f['kgco2eq_per_kwh'] for f in r['factors'] if f['basis'] == 'lifecycle'][0]")"
check 'licence' 'Open Government Licence v3.0' \
    "$(json gb.json "[f['licence'] for f in r['factors'] if f['source_id'] == 'UK_DESNZ_2024'][0]")"
check 'not said is null' None \
    "$("$carbon" factors hall-3 --factors hall.csv --json hall.json; json hall.json "r['factors'][0]['gases']")"

# Refusals: three parts, status 125, nothing on standard output.
refuse() {
    local name=$1 expected=$2 status
    shift 2
    "$carbon" factors "$@" > out 2> err
    status=$?
    check "$name: status" 125 $status
    check "$name: message" "$expected" "$(cat err)"
    check "$name: standard output" '' "$(cat out)"
}
refuse 'unknown zone' "carbon: unknown zone 'UKX'
   why: not in zones.csv, zone_aliases.csv or cloud_regions.csv; did you mean 'GB', 'UA', 'XK'?
   fix: carbon factors GB" UKX
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nFR,2024,0.05,lifecycle,a\nFR,2025,56,lifecycle,a\n' > bad.csv
refuse 'malformed row' "carbon: 'bad.csv' line 3, column 3 (kgco2eq_per_kwh) is malformed
   why: '56' is more than any plant emits; is it in g rather than kg?" FR --factors bad.csv
printf 'zone,year\nFR,2024\n' > short.csv
refuse 'missing column' "carbon: 'short.csv' line 1 has no column 'kgco2eq_per_kwh'
   why: a table of factors needs zone, year, kgco2eq_per_kwh, basis and source_id" --factors short.csv
refuse 'two forms on one stream' "carbon: --csv and --json cannot both be standard output
   fix: --csv with the name of a file" --csv - --json -
CARBON_DATA=$work/none "$carbon" factors FR > out 2> err
check 'no data: status' 125 $?
check_match 'no data: fix' 'CARBON_DATA must name the folder' "$(cat err)"
if [ -w /dev/full ]; then
    "$carbon" factors > /dev/full 2> err
    check 'full: status' 125 $?
    check_match 'full: message' 'cannot write to standard output' "$(cat err)"
fi

# The shipped tables with CRLF line ends.
mkdir -p crlf/emission_factors
for table in "$factors"/*.csv; do sed 's/$/\r/' "$table" > "crlf/emission_factors/${table##*/}"; done
check 'CRLF tables' "$zone" "$(CARBON_DATA=$PWD/crlf "$carbon" factors FR)"
finish
