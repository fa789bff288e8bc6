#!/bin/bash
# SPDX-License-Identifier: MIT
# Into the ledger from CodeCarbon and from other ledgers, and out of a measurement into CodeCarbon's table.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
export TZ=UTC
ledger=$HOME/.local/share/carbon/ledger.db
head='timestamp,project_name,run_id,duration,emissions,energy_consumed,country_iso_code,pue'
count() { "$carbon" history --json - | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["runs"]))'; }

# A table is kept once, and a dry run keeps nothing.
printf '%s\n' "$head" 2024-05-31T10:00:10,p,a,10,0.001,0.01,FRA,1.25 2024-05-31T10:00:20,p,a,20,0.004,0.03,FRA,1.25 \
    2024-05-31T12:00:20,q,b,20,,,DEU, > emissions.csv
out=$("$carbon" import --dry-run emissions.csv)
check 'a dry run tells' 'emissions.csv: CodeCarbon table of generation 2.3: 3 rows, 3 would be kept, 0 duplicates; 0.03 kWh, 0.004 kgCO2eq
  1 of these without energy or emissions: unknown, and in no sum' "$out"
check 'and makes no ledger' no "$([ -e "$ledger" ] && echo yes || echo no)"
check_match 'it is kept' '3 rows, 3 kept, 0 duplicates; 0.03 kWh, 0.004 kgCO2eq' "$("$carbon" import emissions.csv)"
check 'again' 'emissions.csv: CodeCarbon table of generation 2.3: 3 rows, 0 kept, 3 duplicates' \
    "$("$carbon" import emissions.csv)"
sed -n '1p;3p' emissions.csv > part.csv
echo '2024-05-31T13:00:20,p,c,20,0.001,0.01,FRA,' >> part.csv
check_match 'a part of it, and one row more' '2 rows, 1 would be kept, 1 duplicate; 0.01 kWh' \
    "$("$carbon" import --dry-run part.csv)"
check 'the ledger has three' 3 "$(count)"
check 'what each adds, without the PUE, is summed once' '86400.0 0.004 True' "$("$carbon" history --json - | python3 -c '
import json, sys
rows = json.load(sys.stdin)["runs"]
known = [row for row in rows if row["gross_j"] is not None]
print(round(sum(row["gross_j"] for row in known), 9), sum(row["gross_kgco2eq"] for row in known),
      all(row["quality"] == "given" and row["net_j"] is None and row["runs"] == 1 for row in rows))')"
check 'listed by zone and quality' 2 "$("$carbon" history --zone FR --quality given --csv - | grep -c '^[0-9a-f]\{8\}-')"
check_match 'in the table under its project' '2024-05-31 10:00 .*given +p$' "$("$carbon" history)"
id=$("$carbon" history --csv - --project q | tail -1 | cut -d, -f1)
check_match 'one of them is shown' 'imported from emissions.csv, line 4; CodeCarbon table 2.3' \
    "$("$carbon" history show -v "$id")"
check_match 'what is unknown' 'gross +unknown' "$("$carbon" history show -v "$id")"
"$carbon" history export all
"$source/tests/check-schema.sh" all/*.json > schema
status=$?
[ $status -eq 77 ] || check 'the records keep to their schema' 0 $status || cat schema
check_match 'the ledger is sound' '3 records, 0 faults' "$("$carbon" ledger check)"

# Records: of another ledger, one by one and as lines; none is kept twice, and all byte for byte.
"$carbon" history export - > lines
check_match 'exported lines' 'records of carbon: 3 rows, 3 kept, 0 duplicates; 0.03 kWh' \
    "$("$carbon" import --ledger other.db lines)"
check_match 'and files are the same' '1 row, 0 kept, 1 duplicate' "$("$carbon" import --ledger other.db "all/$id.json")"
"$carbon" import --ledger third.db all/*.json > /dev/null
"$carbon" history --ledger third.db show "$id" --json - | cmp - "all/$id.json"
check 'byte for byte' 0 "${PIPESTATUS[0]}"
check 'one is deleted and imported again' "deleted $id" "$("$carbon" history delete --yes "$id")"
check_match 'again' '3 rows, 1 kept, 2 duplicates; unknown kWh, unknown kgCO2eq' "$("$carbon" import emissions.csv)"

# A damaged line is listed and costs no other; with --strict it refuses its file, and the other files are kept.
{ cat emissions.csv; echo '2024-05-31T14:00:20,p,d,20,0.001,FRA,1'; echo '2024-05-31T15:00:20,p,e,20,0.001,0.01,FRA,'; } \
    > shifted.csv
out=$("$carbon" import --strict shifted.csv part.csv 2> said)
check 'a refused file costs none of the others, and tells' 125 $?
check_match 'where' "'shifted.csv' line 5 cannot be read" "$(cat said)"
check_match 'the other' 'part.csv: .* 2 rows, 1 kept' "$out"
check 'nothing of it' 4 "$(count)"
out=$("$carbon" import shifted.csv 2> said)
check 'without it the good rows are kept' 0 $?
check_match 'those that are new' '4 rows, 1 kept, 3 duplicates, 1 line left out; 0.01 kWh' "$out"
check 'and the line is listed' \
    'carbon: shifted.csv line 5 left out: 7 fields; the header has 8, and no release of CodeCarbon wrote such a row' \
    "$(cat said)"
check_match 'an unknown column is ignored' 'columns ignored: mood' \
    "$(sed 's/$/,x/; 1s/x$/mood/' emissions.csv > more.csv; "$carbon" import --dry-run more.csv 2>&1)"
check_match 'or refused' 'columns ignored: mood' "$("$carbon" import --strict more.csv 2>&1)"
{ head -2 lines; echo '{"schema": '; } > torn.json
check_match 'records, too' 'torn.json line 3 left out' "$("$carbon" import --dry-run torn.json 2>&1)"

# What no machine can have used is kept, and in no sum unless asked.
printf '%s\n' "$head" 2024-06-01T10:00:00,p,big,3600,50000000,1000000000,FRA,1 > big.csv
check 'it is doubted' 'big.csv: CodeCarbon table of generation 2.3: 1 row, 1 kept, 0 duplicates; unknown kWh, unknown kgCO2eq
  1 of these have an impossible energy: in no sum (--doubted counts them)' \
    "$("$carbon" import --ledger big.db big.csv)"
check_match 'also in the report of the year' 'nothing is known of 2024-01-01' \
    "$("$carbon" report --verbose --ledger big.db --year 2024 2>&1)"
id=$("$carbon" history --ledger big.db --csv - | tail -1 | cut -d, -f1)
check_match 'it is shown as doubted' 'doubted +3600 TJ in 1 h 00 min is more than any machine draws' \
    "$("$carbon" history --ledger big.db show "$id")"
"$carbon" history --ledger big.db export all > exported
"$source/tests/check-schema.sh" "all/$id.json" > schema
status=$?
[ $status -eq 77 ] || check 'and keeps to its schema' 0 $status || cat schema
check_match 'counted where asked' '1 kept, 0 duplicates; 1000000000 kWh' \
    "$("$carbon" import --doubted --ledger asked.db big.csv)"

echo '{"schema": "carbon.comparison/1"}' > comparison.json
check_match 'no record' "is the wrong kind of file" "$("$carbon" import comparison.json 2>&1)"
check_match 'an unknown file' "cannot read 'absent'" "$("$carbon" import absent 2>&1)"
printf '%s\n' '[codecarbon INFO @ 10:00:00] Energy consumed for RAM : 0.000100 kWh. RAM Power : 3 W' \
    '[codecarbon INFO @ 10:00:00] 0.000200 kWh of electricity used since the beginning.' > codecarbon.log
check_match 'a log' 'codecarbon.log: CodeCarbon log: 1 row, 1 kept, 0 duplicates; 0.0002 kWh, unknown kgCO2eq' \
    "$("$carbon" import --date 2026-11-28 codecarbon.log)"
check_match 'with its day' '2026-11-28' "$("$carbon" history export - --quality given | grep '"CodeCarbon log"')"
check_match 'without its day no report would have it' 'carbon import --date 2026-11-28' \
    "$("$carbon" import codecarbon.log 2>&1)"
check_match 'a day that is none' 'not a day' "$("$carbon" import --date 28.11. codecarbon.log 2>&1)"

# As spreadsheets and PowerShell write it: the same rows, with the same figures.
for encoding in utf-16 utf-16-be latin-1; do
    python3 - $encoding << 'END'
import sys
text = "\n".join(";".join(f.replace(".", ",") for f in line.split(",")) for line in open("emissions.csv").read().split("\n"))
open("other.csv", "wb").write(text.replace(";p;", ";été;").encode(sys.argv[1]))
END
    check_match "in $encoding, with semicolons and decimal commas" '3 rows, 3 would be kept, 0 duplicates; 0.03 kWh, 0.004' \
        "$("$carbon" import --dry-run --ledger none.db other.csv)"
done

# A run over New Year is split by its time: a quarter of 24 h before it, and no joule in both years.
printf '%s\n' "$head" 2026-01-01T18:00:00,p,ny,86400,9.6,24,DEU,1 > newyear.csv
"$carbon" import --ledger ny.db newyear.csv > told
for year in 2025 2026; do
    "$carbon" report --verbose --ledger ny.db --year $year --json $year.json > told 2>&1
done
check 'over New Year' '6 18' "$(python3 -c '
import json
print(*("%g" % json.load(open(year + ".json"))["total"]["facility_kwh"] for year in ("2025", "2026")))')"
check 'and that is said' '1 1' "$(python3 -c '
import json
print(*(json.load(open(year + ".json"))["gaps"]["cut"] for year in ("2025", "2026")))')"

# The recorded cases, with the figures that stand beside them.
if [ -n "$shared" ] && [ -d "$shared/cases/fink" ]; then
    "$carbon" import --ledger cases.db "$shared"/cases/fink/emissions/*.csv > told
    check 'the cases are read' 0 $?
    "$carbon" history --ledger cases.db export - > cases
    check 'every expected figure' '46 True' "$(python3 - "$shared/cases/fink/expected.csv" << 'END'
import csv, json, sys
near = lambda a, b, e: abs(a - b) <= e * abs(b)
told = {(r["imported_from"]["file"], r["imported_from"]["line"]): r for r in map(json.loads, open("cases"))}
rows, seen = list(csv.DictReader(open(sys.argv[1]))), {}
good = len(rows) > 40
for row in rows:
    r = told[row["file"], int(row["row"]) + 1]["told"]
    good &= r["duration_s"] == float(row["duration_s"]) and r["facility_kwh"] == float(row["energy_kwh"])
    good &= r["kgco2eq"] == float(row["emissions_kg"]) and near(1000 * r["kgco2eq_per_kwh"], float(row["g_per_kwh"]), 1e-5)
    good &= near(r["kgco2eq_per_s"], float(row["rate_kg_per_s"]), 1e-9)
    good &= near(r["kgco2eq_per_s"] * 8 * 3600 * 365, float(row["kg_per_year_8h_day"]), 1e-5)
print(len(rows), good)
END
)"
    "$carbon" import --ledger cases.db --date 2026-11-28 "$shared"/cases/fink/logs/*.log > told 2> said
    check 'the logs are read' 0 $?
    check_match 'two trackers' 'fink-early-sn-ia-2.5.0.log: .*2 rows, 2 kept, 0 duplicates; 0.000183 kWh' "$(cat told)"
    check_match 'one that tells no energy' 'the log has no energy' "$(cat said)"
    mapfile -t cases < <(grep -rl --include='*.csv' --include='*.log' -e energy_consumed -e 'codecarbon INFO' \
        "$shared/cases/fink" "$shared/cases/round2" | sort)
    "$source/tests/helpers/damage.py" "$carbon" "${cases[@]}" > damage
    check_match 'every table and log, damaged in one line or written in another way' ' files, [0-9]+ ways, 0 faults$' \
        "$(cat damage)"
else
    echo 'the recorded cases are not here: not read'
fi

# Out: a row in its columns, which reads back to the same.
"$carbon" measure --quiet --baseline 0 --runs 2 --zone FR --pue 1.3 --project 'a,b' --no-ledger --codecarbon row.csv \
    --json row.json -- true 2> said || { cat said; skip 'nothing can be measured here'; }
check 'energy, emissions and duration are those of all runs' True "$(python3 -c '
import csv, json
r, (row,) = json.load(open("row.json")), list(csv.DictReader(open("row.csv")))
near = lambda text, value: abs(float(text) - value) <= 1e-12 * value
gross = r["emissions"]["gross"]
print(len(row) == 38 and None not in row.values() and near(row["energy_consumed"], 2 * gross["facility_kwh"]) and
      near(row["emissions"], 2 * gross["kgco2eq"]) and near(row["duration"], 2 * r["duration_s"]["mean"]) and
      near(row["emissions_rate"], gross["kgco2eq"] / r["duration_s"]["mean"]) and row["pue"] == "1.3" and
      (row["country_iso_code"], row["country_name"], row["project_name"]) == ("FRA", "France", "a,b") and
      row["run_id"] == r["id"] and row["gpu_energy"] == row["longitude"] == row["wue"] == row["python_version"] == "")')"
"$carbon" import --ledger back.db row.csv > told
check 'read back it is the same' True "$("$carbon" history --ledger back.db --json - | python3 -c '
import json, sys
r, (row,) = json.load(open("row.json")), json.load(sys.stdin)["runs"]
near = lambda a, b: abs(a - b) <= 1e-12 * b
print(near(row["gross_j"], 2 * r["gross_j"]["mean"]) and near(row["gross_kgco2eq"], 2 * r["emissions"]["gross"]["kgco2eq"])
      and row["id"] == r["id"] and row["zone"] == "FR")')"
"$carbon" import --ledger own.db row.json > /dev/null
check_match 'a run that is a record of the ledger is not there twice' '1 row, 0 kept, 1 duplicate' \
    "$("$carbon" import --ledger own.db row.csv)"
"$carbon" measure --quiet --baseline 0 --no-ledger --codecarbon unnamed.csv -- true 2> /dev/null
# CodeCarbon 3.3.2 (fields of EmissionsData, output_methods/emissions_data.py) takes a file whose header has these names
# and no others; its board (viz/) works with texts that are not empty in four of them, and numbers in three.
check 'the columns of CodeCarbon 3.3.2' "timestamp project_name run_id experiment_id duration emissions emissions_rate cpu_power\
 gpu_power ram_power cpu_energy gpu_energy ram_energy energy_consumed water_consumed country_name country_iso_code region\
 cloud_provider cloud_region os python_version codecarbon_version cpu_count cpu_model gpu_count gpu_model longitude latitude\
 ram_total_size tracking_mode cpu_utilization_percent gpu_utilization_percent ram_utilization_percent ram_used_gb on_cloud\
 pue wue" "$(head -1 unnamed.csv | tr ',' ' ')"
check 'what its board works with is there' 'codecarbon World WLD N True' "$(python3 -c '
import csv
row = next(csv.DictReader(open("unnamed.csv")))
print(row["project_name"], row["country_name"], row["country_iso_code"], row["on_cloud"],
      all(float(row[key]) >= 0 for key in ("duration", "emissions", "energy_consumed")))')"
"$carbon" import --ledger world.db unnamed.csv > told
check 'the world reads back' WORLD "$("$carbon" history --ledger world.db --json - | python3 -c '
import json, sys
print(json.load(sys.stdin)["runs"][0]["zone"])')"
check 'a project that is not named is what CodeCarbon calls it' codecarbon "$(tail -1 unnamed.csv | cut -d, -f2)"
for i in 1 2 3 4 5 6; do
    "$carbon" measure --quiet --baseline 0 --no-ledger --codecarbon row.csv -- true 2> /dev/null &
done
wait
check 'six at once' '7 True' "$(python3 -c '
import csv
rows = list(csv.reader(open("row.csv")))
print(len(rows) - 1, all(len(row) == 38 for row in rows))')"
echo "$head" > emissions-old.csv
"$carbon" measure --quiet --baseline 0 --no-ledger --codecarbon emissions-old.csv -- touch ran 2> said
check 'a table of other columns is refused' 125 $?
check_match 'which' "'emissions-old.csv' has another header" "$(cat said)"
check 'before anything is run' "no $head" "$([ -e ran ] && echo yes || echo no) $(cat emissions-old.csv)"
# Memory does not grow with the rows of a table.
resident() { # resident ROWS: KiB of an import of so many rows
    python3 - "$carbon" "$1" << 'END'
import resource, subprocess, sys
carbon, rows = sys.argv[1], int(sys.argv[2])
with open("many.csv", "w") as file:
    file.write("timestamp,project_name,run_id,duration,emissions,energy_consumed,country_iso_code,pue\n")
    for row in range(rows):
        file.write(f"2024-05-31T10:{row // 60 % 60:02}:{row % 60:02},{'project ' * 20},run-{row},10,0.001,0.01,FRA,1.25\n")
said = subprocess.run([carbon, "import", "--dry-run", "many.csv"], check=True, capture_output=True, text=True).stdout
assert f"{rows} rows, {rows} would be kept, 0 duplicates" in said, said
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}
few=$(resident 500) many=$(resident 20000)
if ! grep -qE '__(asan|tsan)_init' "$carbon"; then
    check "an import of 20,000 rows is as large as one of 500 ($many and $few KiB)" yes \
        "$([ "$many" -lt $((few + 4096)) ] && echo yes)"
fi
finish
