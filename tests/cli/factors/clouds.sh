#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon factors --clouds: every cloud region, all figures against an independent reading of the tables.
. "$(dirname "$0")/../lib.sh"
factors=$CARBON_DATA/emission_factors
clouds() { "$carbon" factors --clouds "$@"; }

# reread.py CSV BASIS YEAR COLUMN TABLE...: each line of CSV as the tables have it; prints how many lines there are.
cat > reread.py << 'EOF'
import csv, sys
folder, written, basis, until, column, *tables = sys.argv[1:]
until = int(until)


def read(name):
    with open(f"{folder}/{name}", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


fallback = {row["zone"]: row["fallback_zone"] for row in read("zones.csv")}
rows = {}
for rank, table in enumerate(tables):  # the earlier table goes first
    for row in read(table):
        if row["basis"] == basis and row["rank"] == "1":
            year = int(row["year"])
            key = (year > until, rank, year if year > until else -year)
            if row["zone"] not in rows or key < rows[row["zone"]][0]:
                rows[row["zone"]] = key, row


def factor(zone):
    while zone and zone not in rows:
        zone = fallback.get(zone, "")
    return rows[zone][1] if zone else None


def figure(years, name):
    known = [row for row in years if row[name]]
    past = [row for row in known if int(row["year"] or 0) <= until]
    best = max(past, key=lambda row: int(row["year"] or 0), default=None) or min(known, key=lambda row: int(row["year"]), default=None)
    return (float(best[name]), best["year"], best["source_id"]) if best else (None, "", "")


regions = {}
for row in read("cloud_regions.csv"):
    regions.setdefault(row["provider"] + ":" + row["region"], []).append(row)
with open(written, newline="", encoding="utf-8") as file:
    lines = list(csv.DictReader(file))
assert [line["region"] for line in lines] == list(regions), "other regions, or twice"
number = lambda text: float(text) if text else None
for line in lines:
    years = regions[line["region"]]
    row = factor(years[0][column])
    expected = [years[0]["location"], years[0][column], basis]
    assert [line["location"], line["zone"], line["basis"]] == expected, (line, expected)
    expected = [row["zone"], row["year"], float(row["kgco2eq_per_kwh"]), row["source_id"]] if row else ["", "", None, ""]
    got = [line["factor_zone"], line["year"], number(line["kgco2eq_per_kwh"]), line["source_id"]]
    assert got == expected, (line, expected)
    for name, column_name in ("pue", "pue"), ("wue", "wue_l_per_kwh"):
        got = number(line[column_name]), line[name + "_year"], line[name + "_source_id"]
        assert got == figure(years, column_name), (line, got)
print(len(lines), "lines,", sum(line["kgco2eq_per_kwh"] == "" for line in lines), "without a factor")
EOF
reread() { /usr/bin/python3 reread.py "$factors" "$@"; }
odbl=share-alike/grid_intensity_odbl.csv
clouds --csv all.csv > out 2>&1
check 'CSV succeeds' 0 $?
check 'nothing beside it' '' "$(cat out)"
check 'every region' '243 lines, 0 without a factor' "$(reread all.csv lifecycle 9999 zone grid_intensity.csv)"
clouds --basis direct --csv - > direct.csv
check 'direct' '243 lines, 35 without a factor' "$(reread direct.csv direct 9999 zone grid_intensity.csv)"
clouds --year 2022 --csv - > then.csv
check 'of a year' '243 lines, 0 without a factor' "$(reread then.csv lifecycle 2022 zone grid_intensity.csv)"
clouds --year 2018 --csv - > before.csv
check 'before all figures of regions' '243 lines, 0 without a factor' "$(reread before.csv lifecycle 2018 zone grid_intensity.csv)"
clouds --share-alike --csv - > odbl.csv
check 'share-alike' '243 lines, 0 without a factor' "$(reread odbl.csv lifecycle 9999 grid_zone $odbl grid_intensity.csv)"

# JSON has the same, and what is not known is null.
clouds --json all.json
srcdir=$source sh "$source/tests/check-schema.sh" all.json > held 2>&1
case $? in 0 | 77) ;; *) check 'as its schema has it' 0 "$(cat held)" ;; esac
check 'JSON' 'carbon.clouds/1 243' "$(json all.json "' '.join(map(str, (r['schema'], len(r['regions']))))")"
check 'JSON is the CSV' True "$(json all.json "all(
    (line['region'], line['zone'], line['kgco2eq_per_kwh'], line['factor_zone'], line['year'], line['pue'], line['wue_l_per_kwh'], line['wue_year'], line['pue_source_id'])
    == (c['region'], c['zone'], repr(c['factor']['kgco2eq_per_kwh']), c['factor']['zone'], str(c['factor']['year']),
        *('%.12g' % c[k]['value'] if c[k]['value'] is not None else '' for k in ('pue', 'wue_l_per_kwh')),
        str(c['wue_l_per_kwh']['year'] or ''), c['pue']['source_id'] or '')
    for line, c in zip(__import__('csv').DictReader(open('all.csv')), r['regions']))")"
check 'what is not known' "None None None" "$(json all.json "' '.join(str([c for c in r['regions'] if c['region'] == 'aws:ap-east-2'][0]['pue'][k]) for k in ('value', 'year', 'source_id'))")"
check 'no direct factor' "$(grep -c ',,,,direct,' direct.csv)" "$(clouds --basis direct --json - | json /dev/stdin "sum(c['factor'] is None for c in r['regions'])")"

# What --zone REGION takes is what the list says.
for region in aws:us-west-1 gcp:europe-west9 azure:eastus hetzner:fsn1; do
    "$carbon" estimate --energy 1kWh --zone "$region" --year 2025 --json e.json > /dev/null 2>&1
    check "$region: as estimated with" "$(json e.json "r['factor']['zone'], r['factor']['kgco2eq_per_kwh']")" \
        "$(json all.json "[(c['factor']['zone'], c['factor']['kgco2eq_per_kwh']) for c in r['regions'] if c['region'] == '$region'][0]")"
done

# The table: 80 columns, and what was asked for.
clouds > table 2>&1
check 'a line for each region' 243 "$(grep -c '^[a-z]*:' table)"
check 'at most 80 columns' '' "$(LC_ALL=C.UTF-8 grep -E '.{81}' table)"
check_match 'a region' "^aws:eu-west-3 +Europe \(Paris\)|^aws:eu-west-3 +Paris +FR " "$(cat table)"
check_match 'its figures with their years' "^azure:westeurope .* NL +[0-9.]+'2[0-9]  +1\.14'23  0\.08'22$" "$(cat table)"
mkdir -p less
cp -r "$CARBON_DATA/emission_factors" less
chmod -R u+w less
sed '/^US-CA,.*,lifecycle,/d' "$factors/grid_intensity.csv" > less/emission_factors/grid_intensity.csv
check_match 'a zone that another stands in for' "^aws:us-west-1 .* US-CA +[0-9.]+'2[0-9]\\* " "$(CARBON_DATA=less clouds)"
check_match 'which is said' '^\*: the zone has no factor' "$(CARBON_DATA=less clouds)"
paris='aws:eu-west-3 azure:francecentral gcp:europe-west9 ovhcloud:eu-west-par scaleway:fr-par oracle:eu-paris-1'
found() { grep -o '^[a-z]*:[^ ]*' | tr '\n' ' ' | sed 's/ $//'; }
check 'a part of a place' "$paris" "$(clouds PARIS | found)"
check_match 'a place in full where there is room' '^aws:eu-west-3 +Europe \(Paris\) FR ' "$(clouds eu-west-3)"
check_absent 'nothing stands in' '^\*' "$(clouds paris)"
check 'a part of a name' 'aws:eu-west-3' "$(clouds aws:eu-west-3 | found)"
check 'a code is that zone alone' "$(awk -F, 'NR > 1 && $4 == "SE" { print $1 ":" $2 }' "$factors/cloud_regions.csv" | sort -u | tr '\n' ' ' | sed 's/ $//')" \
    "$(clouds sweden | found | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//')"
check 'within a zone' "$(awk -F, 'NR > 1 && $4 ~ /^CA(-|$)/ { print $1 ":" $2 }' "$factors/cloud_regions.csv" | uniq | tr '\n' ' ' | sed 's/ $//')" \
    "$(clouds --within canada | found)"
check 'within and a part' 'gcp:northamerica-northeast1 oracle:ca-montreal-1 ibm:ca-mon' "$(clouds --within CA montr | grep -v '^aws\|^azure\|^ovh' | found)"

# A factor of one's own, in the list as elsewhere.
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nFR,2026,0.0425,lifecycle,ours\n' > own.csv
check 'own' "$(printf "0.0425 2026 ours\n%.0s" 1 2 3 4 5 6)" "$(clouds paris --factors own.csv --csv - | tail -n +2 | cut -d, -f 5,6,8 | awk -F, '{ print $2, $1, $3 }')"

# What makes no sense.
refused() { # PATTERN ARGUMENT...
    local pattern=$1
    shift
    clouds "$@" > out 2> err
    check "refused: $*" 125 $?
    check_match "refused: $*: said" "$pattern" "$(cat err)"
    check "refused: $*: no list" '' "$(cat out)"
}
refused 'no cloud region matches' nowhere-at-all
refused 'no cloud region matches' --within AQ
refused "unknown zone 'ATLANTIS'" --within ATLANTIS
refused '--search and --clouds do not go together' --search paris
refused '--compare and --clouds do not go together' --compare
refused '--type and --clouds do not go together' --type country
refused '--zone and --clouds do not go together' --zone FR
refused '--live and --clouds do not go together' --live neso
refused '--from is for live grid data' --from 2026-01-20
CARBON_ZONE=FR clouds paris > out 2>&1
check 'a zone that is set for all commands is let be' '0 6' "$? $(grep -c '^[a-z]*:' out)"
mkdir -p broken
cp -r "$CARBON_DATA/emission_factors" broken
chmod -R u+w broken # what is copied may be of a tree that cannot be written to
for fault in 's/,1\.24,/,a lot,/' 's/,2024,/,two,/'; do
    sed "$fault" "$factors/cloud_regions.csv" > broken/emission_factors/cloud_regions.csv
    CARBON_DATA=broken clouds > out 2> err
    check "damaged by $fault" 125 $?
    check_match "damaged by $fault: where" "cloud_regions.csv' line [0-9]+, column [0-9]+" "$(cat err)"
    check "damaged by $fault: no list" '' "$(cat out)"
done
finish
