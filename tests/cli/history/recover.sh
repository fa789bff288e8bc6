#!/bin/bash
# SPDX-License-Identifier: MIT
# What a measurement that was killed has left: the energies that the counters last said, in a record and in the ledger.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
"$carbon" measure --quiet --baseline 0 --no-ledger -- true 2> said || { cat said; skip 'nothing can be measured here'; }

# held RECORD SERIES: each run has what its lines have, to the microjoule.
held() {
    python3 - "$@" << 'END'
import csv, json, sys
record, series = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
rows = list(csv.DictReader(series[:series.rindex("\n") + 1].splitlines()))
names = [domain["name"] for domain in record["domains"]]
good = record["complete"] is False and record["quality"] == "unknown" and bool(record["windows"]["runs"])
for number, run in enumerate(record["windows"]["runs"], 1):
    lines = [row for row in rows if (row["phase"], row["run"]) == ("run", str(number))]
    for name, energy in zip(names, run["energy_uj"]):
        of = [int(row[name + "_uj"]) for row in lines if row[name + "_uj"]]
        good &= energy == of[-1] - of[0]
    good &= abs(run["duration_s"] - (float(lines[-1]["time_s"]) - float(lines[0]["time_s"]))) < 1e-8
    # of a run that has begun there may be a line alone, of which no window can be made: the one before has ended
    good &= run["ended"] == (rows[-1] is not lines[-1])
print(good)
END
}

# Killed at several moments, none of them chosen by the program: so long after the series has two lines of a run.
begun() { [ "$(cat s.csv.partial 2> /dev/null | grep -c ",run,$1,")" -ge 2 ]; }
for moment in '1 0' '2 0.07' '3 0.13'; do
    read -r run wait <<< "$moment"
    rm -f s.csv* r.json*
    "$carbon" measure --quiet --baseline 0.1 --settle 0 --runs 99 --interval 0.02 --samples s.csv --json r.json \
        --no-ledger -- sleep 0.3 2> /dev/null &
    pid=$!
    until_true begun "$run"
    sleep "$wait"
    kill -9 "$pid"
    tried 1 'Carbon is killed while it measures'
    wait "$pid" 2> /dev/null
    "$carbon" recover -v --zone FR --label "in run $run" --json rec.json s.csv.partial > table 2> said || cat said
    check "killed in run $run: the energies are the last that were read" True "$(held rec.json s.csv.partial)"
    check_match 'they come out again' 'recalculated, all identical' "$("$carbon" verify rec.json)"
    check_match 'the table says what it is' 'recovered from a time series' "$(cat table)"
    cp rec.json "$run.json"
done
"$source/tests/check-schema.sh" ./*.json > schema
status=$?
[ $status -eq 77 ] || check 'the records keep to their schema' 0 $status || cat schema
check_match 'three are in the ledger, cut short' '^3 3 3$' "$("$carbon" history --csv - | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(len(rows), sum(row["complete"] == "false" for row in rows), sum(row["label"][:7] == "in run " for row in rows))')"
"$carbon" recover -v s.csv.partial > /dev/null
check 'recovered twice it is there once' 3 "$("$carbon" history --csv - | grep -c '^[0-9a-f]\{8\}-')"
check_match 'shown again' '^label in run 3$' \
    "$("$carbon" history show -v "$(json 3.json "r['id'][:8]")")"

# A line that was torn, and one in the middle that is none.
printf '2026-01-01T00:00:00.000Z,99,run,1,99' > end
cat s.csv.partial end > torn.csv
"$carbon" recover -v --no-ledger --json torn.json torn.csv > table
check 'a torn line is left out' True "$(held torn.json torn.csv)"
check_match 'and told' 'the last line of the series was left out' "$(cat table)"
{ head -3 s.csv.partial; echo 'x'; tail -n +4 s.csv.partial; } > broken.csv
"$carbon" recover -v --no-ledger broken.csv > table 2> said
check 'a line in the middle is refused' 125 $?
check_match 'where' "'broken.csv' line 4 is malformed" "$(cat said)"

# A partial record is whole.
"$carbon" recover -v --ledger other.db --json again.json r.json.partial > table
check 'a partial record: the same figures, marked as cut short' True "$(python3 -c '
import json
old, new = json.load(open("r.json.partial")), json.load(open("again.json"))
print(new["complete"] is False and all(old[k] == new[k] for k in ("id", "gross_j", "windows", "emissions", "command"))
      and any(n["what"].startswith("recovered from a record") for n in new["notices"]))')"
check_match 'in the ledger' '1 record, 0 faults' "$("$carbon" ledger check --ledger other.db)"
"$carbon" measure --quiet --baseline 0 --no-ledger --json whole.json -- true 2> /dev/null
check_match 'a complete one needs none' 'is a complete record' "$("$carbon" recover -v whole.json 2>&1)"
head -c 300 r.json.partial > cut.json
check_match 'a cut one' 'a time series .--samples. can be recovered' "$("$carbon" recover -v cut.json 2>&1)"
check_match 'none' "cannot read 'absent'" "$("$carbon" recover -v absent 2>&1)"
finish
