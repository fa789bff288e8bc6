#!/bin/bash
# SPDX-License-Identifier: MIT
# A ledger of each form that was ever kept (tests/ledgers) is brought forward when it is first used: nothing is lost, its
# machines are filled in where the records say them, and where they do not, that is said.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
last=$(ls "$source"/tests/ledgers/form-*.dump | wc -l)
# sql FILE STATEMENT: its first number
sql() { /usr/bin/python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$@"; }
report() { "$carbon" report --verbose --ledger "$1" --year 2026 --json r.json > /dev/null 2> said
    json r.json "'%.6g %d %d' % (r['total']['it_kwh'] * 3.6e6, r['gaps']['counted_once'], r['total']['records'])"; }

"$carbon" estimate --keep --energy 1kWh --intensity 1 --ledger new.db > out 2>&1
now=$(sql new.db 'PRAGMA user_version')
check 'each form but the last has its ledger' "$((now - 1))" "$last"

# A run of 2 x 10 s at 100 W, from its 15th second on another of 10 s and 500 J, on one machine; and an estimate of 360 kJ.
for form in $(seq "$last"); do
    db=form-$form.db
    /usr/bin/python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' "$db" "$source/tests/ledgers/form-$form.dump"
    check "form $form: it is one" "$form" "$(sql "$db" 'PRAGMA user_version')"
    case $form in
        1 | 2 | 3) said='362500 0 3' ;; # before records said their machine
        *) said='362250 1 3' ;;
    esac
    "$carbon" history --ledger "$db" --csv - > list.csv 2> first
    check "form $form: its records" 'guess long short' "$(cut -d , -f 5 list.csv | tail -n +2 | sort | tr '\n' ' ' | sed 's/ $//')"
    if [ "$form" -le 3 ]; then
        check_match "form $form: what cannot be filled in is said" \
            'note: 2 of 2 measured records in the ledger do not say their machine and times' "$(tr -s '\n ' ' ' < first)"
    else
        check "form $form: all was filled in" '' "$(cat first)"
    fi
    check "form $form: brought forward" "$now" "$(sql "$db" 'PRAGMA user_version')"
    check "form $form: the sum" "$said" "$(report "$db")"
    check_match "form $form: sound" '3 records, 0 faults' "$("$carbon" ledger check --ledger "$db")"
    "$carbon" history --ledger "$db" > again 2>&1
    check "form $form: said once" 0 "$(grep -c 'do not say' again)"
    "$carbon" history --ledger "$db" export - 2> said | sort > "out-$form.jsonl"
    check "form $form: a record comes out as it went in" True "$(/usr/bin/python3 -c 'import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
print(sorted(r.get("gross_j", {}).get("mean", 0) for r in records) == [0, 500, 1000])' "out-$form.jsonl")"
done

# What a failure leaves is the ledger as it was: the steps are one transaction.
/usr/bin/python3 -c 'import sqlite3, sys
base = sqlite3.connect("broken.db")
base.executescript(open(sys.argv[1]).read())
base.execute("DROP TABLE carbon_account")
base.commit()' "$source/tests/ledgers/form-3.dump"
"$carbon" history --ledger broken.db > out 2>&1
check 'broken: refused' 125 $?
check 'broken: as it was' '3 3' "$(sql broken.db 'PRAGMA user_version') $(sql broken.db 'SELECT count(*) FROM carbon_record')"
finish
