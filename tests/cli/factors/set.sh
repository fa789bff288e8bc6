#!/bin/bash
# SPDX-License-Identifier: MIT
# Official national sets of factors (--set): the very rows of the table, in every command that looks a factor up; a zone that
# a set has not is refused, and nothing stands in.
. "$(dirname "$0")/../lib.sh"

table=${CARBON_DATA:-$source/data}/emission_factors/grid_intensity.csv
# row SOURCE ZONE YEAR: what the table has, of the least rank, in g/kWh
row() {
    /usr/bin/python3 -c '
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["source_id"].startswith(sys.argv[2]) and r["zone"] == sys.argv[3]
        and r["year"] == sys.argv[4] and r["basis"] == "direct"]
print("%.12g" % (float(min(rows, key=lambda r: int(r["rank"]))["kgco2eq_per_kwh"]) * 1000))' "$table" "$@"
}
estimate() { "$carbon" estimate --energy 1MWh --json e.json "$@" > out 2> said; }
factor() { json e.json '"%s %s %.12g" % (r["factor"]["source_id"], r["factor"]["basis"], r["factor"]["kgco2eq_per_kwh"] * 1000)'; }

while read -r set zone year source_id; do
    estimate --zone "$zone" --year "$year" --set "$set"
    check "$set: $zone $year" "$source_id direct $(row "$source_id" "$zone" "$year")" "$(factor)"
    estimate --zone "$zone" --year "$year" --factor-set official
    check "official: $zone $year" "$source_id direct $(row "$source_id" "$zone" "$year")" "$(factor)"
done << 'SETS'
desnz GB 2025 UK_DESNZ_2025
desnz GB 2016 UK_DESNZ_2016
epa US-WA 2022 EPA_EGRID_2022
epa EGRID:CAMX 2023 EPA_EGRID_2023
nga AU-TAS 2025 AU_NGA_2025
eccc CA-AB 2020 ECCC_NIR_2022
mee CN 2023 CN_MEE_2023
cea IN 2024 IN_CEA_V21
dffe ZA 2023 ZA_DFFE_2025
ema SG 2022 SG_EMA
gir KR 2023 KR_GIR
mcti BR 2025 BR_MCTI_2026
moe JP 2026 JP_MOE_2026
moea TW 2025 TW_ENERGY_ADMIN
uba DE 2024 DE_UBA_2025
SETS
sets=$(/usr/bin/python3 -c '
import csv, sys
official = {r["source_id"] for r in csv.DictReader(open(sys.argv[1])) if r["basis"] == "direct"}
print(*sorted(s for s in official if not s.startswith(("AIB_", "DERIVED_", "OWID_", "EMBER_", "EM_"))))' "$table")
for name in $sets; do
    zone=$(/usr/bin/python3 -c 'import csv, sys; print(next(r["zone"] for r in csv.DictReader(open(sys.argv[1])) if r["source_id"] == sys.argv[2] and r["basis"] == "direct"))' "$table" "$name")
    estimate --zone "$zone" --set official
    check "every official source of the table is of a set: $name" 0 $?
done

estimate --zone England --set desnz --year 2025
check 'a zone by its name' "UK_DESNZ_2025 direct $(row UK_DESNZ_2025 GB 2025)" "$(factor)"
estimate --zone aws:eu-west-2 --set desnz --year 2025
check 'a cloud region' "UK_DESNZ_2025 direct $(row UK_DESNZ_2025 GB 2025)" "$(factor)"
CARBON_FACTOR_SET=desnz estimate --zone GB --year 2025
check 'of the environment' "UK_DESNZ_2025 direct $(row UK_DESNZ_2025 GB 2025)" "$(factor)"
CARBON_SET=desnz estimate --zone GB --year 2025 --intensity 40g
check "a figure of one's own on the line is stronger" 40 "$(json e.json '"%g" % (r["factor"]["kgco2eq_per_kwh"] * 1000)')"
refused() { # refused NAME PATTERN ARGUMENTS...
    local name=$1 pattern=$2
    shift 2
    "$carbon" "$@" > out 2> said
    check "$name: status" 125 $?
    check_match "$name" "$pattern" "$(cat said)"
}
refused 'another zone' "the set 'desnz' has no direct factor of FR" estimate --energy 1kWh --zone FR --set desnz
check_match 'another zone: which it has' 'it has direct ones of GB' "$(cat said)"
refused 'no stand-in either' "the set 'epa' has no direct factor of US-XX|unknown zone" estimate --energy 1kWh --zone US-XX --set epa
refused 'lifecycle' 'no lifecycle factor of GB' estimate --energy 1kWh --zone GB --set desnz --basis lifecycle
refused 'no zone' "needs a zone" estimate --energy 1kWh --set epa
refused "a figure of one's own" 'cannot be combined' estimate --energy 1kWh --zone GB --set desnz --intensity 40g
refused 'other tables' 'cannot be combined' estimate --energy 1kWh --zone GB --set desnz --share-alike
refused 'no such set' "desnz" estimate --energy 1kWh --zone GB --set defra
refused 'factors: another zone' "the set 'epa' has no such factor of FR" factors FR --set epa
refused 'factors: lifecycle' 'direct factors alone' factors --set epa --basis lifecycle
check_match 'factors: the zones that it has' '^GB .* 2025 +177.00$' "$("$carbon" factors --set desnz)"
check 'factors: those alone' 1 "$("$carbon" factors --set desnz --csv - | tail -n +2 | wc -l)"
check 'factors: its rows of a zone' UK_DESNZ "$("$carbon" factors GB --set desnz --csv - | tail -n +2 | grep -o 'UK_DESNZ' | sort -u)"

# A record, restated, and a report.
tree=$work/tree
mkdir -p "$tree/sys/class/powercap/intel-rapl:0" "$tree/proc"
printf 'package-0\n' > "$tree/sys/class/powercap/intel-rapl:0/name"
echo 262143328850 > "$tree/sys/class/powercap/intel-rapl:0/max_energy_range_uj"
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu\n' > "$tree/proc/cpuinfo"
measure() { # measure ZONE ARGUMENTS...: 3.6 MJ, that is 1 kWh
    echo 1000000 > "$tree/sys/class/powercap/intel-rapl:0/energy_uj"
    CARBON_BASELINE=0 "$carbon" measure --root "$tree" --zone "$@" -- sh -c "sleep 0.2; echo 21000000 > $tree/sys/class/powercap/intel-rapl:0/energy_uj" > out 2> said
}
measure GB --set desnz --year 2025 --json gb.json
check 'measure: the set is in the record' 'desnz UK_DESNZ_2025' "$(json gb.json 'r["factor_query"]["set"] + " " + r["factor"]["source_id"]')"
"$carbon" verify gb.json > out 2>&1
check 'verify' 0 $?
"$carbon" restate gb.json --no-ledger --year 2024 --json restated.json > out 2> said
check 'restate: it stays' 'desnz UK_DESNZ_2024' "$(json restated.json 'r["factor_query"]["set"] + " " + r["factor"]["source_id"]')"
measure GB --json plain.json
check 'none asked for' None "$(json plain.json 'r["factor_query"]["set"]')"
"$carbon" restate plain.json --no-ledger --set desnz --year 2025 --json restated.json > out 2> said
check 'restate: another' 'desnz UK_DESNZ_2025 direct' "$(json restated.json '" ".join((r["factor_query"]["set"], r["factor"]["source_id"], r["factor"]["basis"]))')"
refused 'restate: lifecycle' 'no lifecycle factor' restate plain.json --no-ledger --set desnz --basis lifecycle
python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || { finish; exit; }
export CARBON_LEDGER=$work/in/set.db
mkdir -p "$work/in"
for of in 'GB 1000' 'GB 500' 'FR 200'; do
    read -r zone kwh <<< "$of"
    "$carbon" estimate --keep --at 2024-03-01 --hours 1 --year 2024 --energy "${kwh}kWh" --zone "$zone" > out 2> said
done
"$carbon" report --verbose --year 2024 --set desnz --json report.json > out 2> said
check 'report: status' 0 $?
check 'report: as asked' 'desnz direct' "$(json report.json 'r["restated_by"]["set"] + " " + r["restated_by"]["basis"]')"
check_match 'report: who is not in the set is said' "records of FR keep their direct factor: the set 'desnz' has none" "$(json report.json '" ".join(n["what"] for n in r["notices"])')"
check 'report: the sum' True "$(json report.json "abs(r['total']['kgco2eq'] - 1500 * $(row UK_DESNZ_2024 GB 2024) / 1000 - 200 * $("$carbon" factors FR --basis direct --year 2024 --csv - | /usr/bin/python3 -c 'import csv, sys; print(next(csv.DictReader(sys.stdin))["kgco2eq_per_kwh"])')) < 1e-9")"
check_match 'report: the text' 'recalculated for all records with: set desnz basis direct' "$("$carbon" report --verbose --year 2024 --set desnz | tr '\n' ' ' | tr -s ' ')"
check_match 'report: its factors' 'UK_DESNZ_2024' "$("$carbon" report --verbose --year 2024 --set desnz --csv -; cat report.json)"
"$carbon" report --verbose --year 2024 --zone GB --set desnz --json all.json > out 2> said
check 'report: all as of one zone' True "$(json all.json "abs(r['total']['kgco2eq'] - 1700 * $(row UK_DESNZ_2024 GB 2024) / 1000) < 1e-9")"
# Records by the hour that are restated by a yearly factor are said.
minutes_of_grid 90 1 > grid.csv
measure GB --no-ledger --intensities grid.csv --json tree.json
/usr/bin/python3 -c 'import json; r = json.load(open("tree.json")); r["recorded_tree"] = False; json.dump(r, open("hours.json", "w"))'
"$carbon" import --ledger "$work/in/hours.db" hours.json > out 2> said
check 'by the hour' True "$(json hours.json 'r["hourly"]["covered"] > 0')"
"$carbon" report --verbose --ledger "$work/in/hours.db" --json report-hours.json > out 2> said
check 'by the hour: not restated, no word' 0 "$(json report-hours.json 'r["gaps"]["hours_lost"]')"
"$carbon" report --verbose --ledger "$work/in/hours.db" --set desnz --json report-hours.json > out 2> said
check 'by the hour: restated' 1 "$(json report-hours.json 'r["gaps"]["hours_lost"]')"
check_match 'by the hour: said' '1 record accounted by the hour, restated by the yearly factor' \
    "$(json report-hours.json '" ".join(n["what"] for n in r["notices"])')"
check 'history: the basis of each' 'direct lifecycle' "$("$carbon" history --ledger "$work/in/hours.db" --csv - | tail -n 1 |
    sed 's/.*,/direct /')"
refused 'report: lifecycle' 'direct factors alone' report --set desnz --basis lifecycle
check_schema 'JSON: as the schema has it' {gb,restated,report,all,report-hours}.json
finish
