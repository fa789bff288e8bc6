#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon equivalents: amounts by the table, its forms, and what is no mass.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

"$carbon" equivalents 12.5kg --json a.json --csv a.csv > text
check 'it succeeds' 0 $?
check_match 'in words' '^  equals 12.5 kgCO2eq, roughly equivalent to:' "$(cat text)"
check 'the mass' 12.5 "$(json a.json 'r["kgco2eq"]')"
check 'every amount is the mass by the table' '' "$(/usr/bin/python3 - "$CARBON_DATA/emission_factors/equivalents.csv" a.json a.csv << 'END'
import csv, json, sys
table = {row["name"]: float(row["kgco2eq_per_unit"]) for row in csv.DictReader(open(sys.argv[1], newline=""))}
r = json.load(open(sys.argv[2]))["equivalents"]
rows = list(csv.DictReader(open(sys.argv[3], newline="")))
if [x["name"] for x in r] != [row["name"] for row in rows] or not {x["name"] for x in r} <= set(table) or not r:
    print("names")
for x, row in zip(r, rows):
    if abs(x["amount"] * table[x["name"]] / 12.5 - 1) > 1e-12 or float(row["amount"]) != x["amount"]:
        print(x["name"])
END
)"
check_match 'its schema' '^SKIPPED|keep to their schemas' "$(srcdir=$source "$source/tests/check-schema.sh" a.json)"
"$carbon" equivalents 12500g --json - | grep -v carbon_version > b.json
check 'the same in grams' "$(grep -v carbon_version a.json)" "$(cat b.json)"
check 'one form on standard output' 1 "$("$carbon" equivalents 1t --csv - | grep -c '^name,')"

for wrong in 0 -1kg 12kWh nonsense; do
    said=$("$carbon" equivalents -- "$wrong" 2>&1)
    check "'$wrong' is refused" 125 $?
    check_match "'$wrong': what and what helps" "'$wrong' is not a mass of CO2eq above 0.   why: a mass is a number and its unit.   fix: carbon .*12.5kg" "$(tr '\n' ' ' <<< "$said")"
done
"$carbon" equivalents > /dev/null 2>&1
check 'without a mass' 125 $?
check_match 'data that are not there' "cannot read '/nonexistent/" "$(CARBON_DATA=/nonexistent "$carbon" equivalents 1kg 2>&1)"
finish
