#!/bin/bash
# SPDX-License-Identifier: MIT
# The ledger: every result is in it, byte for byte; carbon history finds it again, carbon ledger looks after it.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

ledger=$HOME/.local/share/carbon/ledger.db
measure() { "$carbon" measure --quiet --baseline 0 "$@" 2>> said; }
short() { json "$1" "r['id'][:8]"; }

measure --json a.json --label nightly --project thesis --meta commit=4f1c9e2 --meta 'who=a b' --zone FR -- true ||
    { cat said; skip 'nothing can be measured here'; }
python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
check 'it is the user alone whose ledger it is' '700 600' "$(stat -c %a "$HOME/.local/share/carbon" "$ledger" | xargs)"
check 'the record has the names' 'thesis nightly 4f1c9e2 a b' \
    "$(json a.json "'%s %s %s %s' % (r['project'], r['label'], r['meta']['commit'], r['meta']['who'])")"
measure --json b.json --zone GB -- sh -c 'exit 3'
check 'the exit status is that of the command' 3 $?
CARBON_PROJECT=other measure --json c.json --csv c.csv -- sh -c 'echo "a  \"b\" \\" > /dev/null'
check 'the project of the environment' 'other' "$(json c.json "r['project']")"
check 'is in the CSV' 'other' "$(python3 -c 'import csv; print(next(csv.DictReader(open("c.csv")))["project"])')"
"$carbon" restate -v a.json --zone DE --json d.json > /dev/null
check 'nothing was told' '' "$(grep -v '^[0-9.]* .*CO2eq' said)"

# The list.
out=$("$carbon" history)
check_match 'its head' '^id +started \(UTC\) +gross +own +CO2eq +quality +command$' "$(head -1 <<< "$out")"
check 'four of them, each on a line of 80 columns at most' '6 True' \
    "$(wc -l <<< "$out") $(awk 'length > 80 { long = 1 } END { print long ? "False" : "True" }' <<< "$out")"
check_match 'the restated one has a sign' "^$(short d.json)\+ .* nightly$" "$out"
check_match 'the last one' "^$(short c.json)  20..-..-.. ..:.. .* sh -c " "$out"
check 'what the sign means' 1 "$(grep -c '^+ restates another record: the energy is the same' <<< "$out")"
ids() { "$carbon" history --json - "$@" | python3 -c 'import json, sys
print(*(r["id"][:8] for r in json.load(sys.stdin)["runs"]))'; }
check 'the newest first; a restated one started when its parent did' \
    "$(short c.json) $(short b.json) $(short d.json) $(short a.json)" "$(ids)"
check 'by label' "$(short d.json) $(short a.json)" "$(ids --label nightly)"
check 'by project' "$(short c.json)" "$(ids --project other)"
check 'by zone' "$(short d.json)" "$(ids --zone de)"
check 'by a part of the command' "$(short c.json)" "$(ids --command 'echo "a')"
check 'by meta' "$(short d.json) $(short a.json)" "$(ids --meta commit=4f1c9e2 --meta 'who=a b')"
check 'by other meta' '' "$(ids --meta commit=4f1c9e3)"
check 'by quality' 4 "$(ids --quality "$(json a.json "r['quality']")" | wc -w)"
check 'of today' 4 "$(ids --since "$(date -u +%F)" --until "$(date -u +%F)" | wc -w)"
check 'before today' '' "$(ids --until "$(date -u +%FT00:00Z)")"
check 'two of them' "$(short c.json) $(short b.json)" "$(ids --limit 2)"
check_match 'there is more' '^more records: use --limit 4$' "$("$carbon" history --limit 2)"
check_absent 'there is no more' 'there is more' "$("$carbon" history --limit 4)"
check 'the configuration does not choose' 4 "$(CARBON_PROJECT=other CARBON_ZONE=GB ids | wc -w)"
check 'CSV has the figures of the records' True "$("$carbon" history --csv - | python3 -c '
import csv, json, sys
rows = {row["id"]: row for row in csv.DictReader(sys.stdin)}
good = len(rows) == 4
for name in "abcd":
    r = json.load(open(name + ".json"))
    row = rows[r["id"]]
    good &= float(row["gross_j"]) == r["gross_j"]["mean"] and row["net_j"] == "" and row["zone"] == r["factor"]["zone"]
    good &= float(row["gross_kgco2eq"]) == r["emissions"]["gross"]["kgco2eq"] and row["started_at"] == r["started_at"]
    good &= row["exit_status"] == str(r["exit_status"]) and row["parent_id"] == (r["parent"] or {"id": ""})["id"]
    good &= row["basis"] == r["factor"]["basis"]
    good &= float(row["duration_s"]) == r["duration_s"]["mean"] and row["complete"] == str(r["complete"]).lower()
print(good)')"
"$carbon" history --json history.json
"$source/tests/check-schema.sh" a.json history.json > schema
status=$?
[ $status -eq 77 ] || check 'they keep to their schemas' 0 $status || cat schema

# One of them, and all.
"$carbon" history show -v "$(short b.json)" --json - | cmp - b.json
check 'the record as it was written, byte for byte' 0 "${PIPESTATUS[0]}"
check_match 'its table' "^record $(json a.json "r['id']")\$" "$("$carbon" history show -v "$(short a.json)")"
check 'under its names' 'label nightly;project thesis;commit 4f1c9e2;who a b' \
    "$("$carbon" history show -v "$(short a.json)" | sed -n 2,5p | paste -sd ';')"
check_match 'that of a restated one names its parent' "^restated from record $(json a.json "r['id']")\$" \
    "$("$carbon" history show -v "$(short d.json)")"
check_match 'has the figures' '^ *gross ' "$("$carbon" history show -v "$(short a.json)")"
"$carbon" history export all
check 'exported byte for byte' 'same' "$(for f in a b c d; do
    cmp "$f.json" "all/$(json $f.json "r['id']").json" || echo differs; done; echo same)"
"$carbon" history export --label nightly - > lines
check 'JSON Lines' True "$(python3 -c 'import json
lines = [json.loads(line) for line in open("lines")]
print(lines == [json.load(open("d.json")), json.load(open("a.json"))])')"
check 'keep every digit' "$(grep -o '"gross_w":.*' d.json a.json | sed 's/.*:\t//')" \
    "$(grep -o '"gross_w":[^,]*' lines | sed '/{/d; s/.*://; s/$/,/')"
"$carbon" verify "all/$(json a.json "r['id']").json" > /dev/null
check 'what comes out is verified' 0 $?

# Deleting.
out=$("$carbon" history delete "$(short b.json)" 2>&1 < /dev/null)
check 'nobody can be asked' 125 $?
check_match 'is told' 'deletion needs confirmation' "$out"
out=$("$carbon" history delete "$(short b.json)" 0123 --yes 2>&1)
check 'one of two is not there' 125 $?
check 'none is deleted' 4 "$(ids | wc -w)"
"$carbon" history delete "$(short b.json)" "$(short c.json)" --yes > deleted
check 'two are deleted' "$(short d.json) $(short a.json)" "$(ids)"
check 'and no trace of them is in the file' 0 "$(grep -c 'exit 3' "$ledger")"

# Where it is kept.
measure --no-ledger -- true
CARBON_LEDGER=off measure -- true
check 'kept nowhere' 2 "$(ids | wc -w)"
measure --ledger own.db -- true
check 'a file of ones own' '1 600' "$(ids --ledger own.db | wc -w) $(stat -c %a own.db)"
mkdir -p "$work/config/carbon"
printf 'ledger = %s/configured.db\n' "$work" > "$work/config/carbon/config"
XDG_CONFIG_HOME=$work/config measure -- true
check 'of the configuration' 1 "$(XDG_CONFIG_HOME=$work/config ids | wc -w)"
XDG_DATA_HOME=$work/data measure -- true
check 'XDG_DATA_HOME' 1 "$(ids --ledger "$work/data/carbon/ledger.db" | wc -w)"
out=$(env -u HOME "$carbon" measure --quiet --baseline 0 -- true 2>&1)
check 'without a home there is none, and no word of it' '0 0' "$? $(grep -c ledger <<< "$out")"
out=$(env -u HOME "$carbon" history 2>&1)
check_match 'history says so' 'neither XDG_DATA_HOME nor HOME says where it is' "$out"

# Under sudo it is the ledger of the user who called it.
if [ "$(id -u)" = 0 ]; then
    open_to_all
    mkdir -m 700 "$work/theirs"
    chown 65534:65534 "$work/theirs"
    SUDO_UID=65534 SUDO_GID=65534 XDG_DATA_HOME=$work/theirs "$carbon" measure --quiet --baseline 0 -- true 2>> said
    check 'of the user who called sudo' '65534 600' "$(stat -c '%u %a' "$work/theirs/carbon/ledger.db")"
    check 'and history finds it' 1 "$(SUDO_UID=65534 SUDO_GID=65534 XDG_DATA_HOME=$work/theirs ids | wc -w)"
fi

# What cannot be kept costs nothing; unless the line named it.
echo 'this is no database, but a text that is long enough to be looked at as if it were one; 0123456789' > text
out=$(CARBON_LEDGER=text "$carbon" measure --quiet --baseline 0 --json e.json -- sh -c 'exit 4' 2>&1)
check 'the status is the command'"'"'s' 4 $?
check_match 'it is told' "cannot use the ledger 'text': not a ledger: not an SQLite database" "$out"
check 'the record is there' True "$(json e.json "r['complete']")"
out=$("$carbon" measure --quiet --baseline 0 --ledger text -- true 2>&1)
check 'named on the line' 125 $?
check_match 'it is told' "cannot use the ledger 'text'" "$out"
out=$("$carbon" measure --quiet --baseline 0 --ledger none/x.db -- touch ran 2>&1)
check 'a folder that is not there' 125 $?
check 'is told before anything is run' 'no' "$([ -e ran ] && echo yes || echo no)"
check_match 'with a way out' 'nothing has been run yet; give another place, or --no-ledger' "$out"
check 'nobody has written to the text' 1 "$(wc -l < text)"

# Comparisons: a record for each command, under its name.
"$carbon" compare --quiet --baseline 0 --runs 2 --warmup 0 --settle 0 --ledger compare.db --project both -- true -- false \
    --ignore-failure > /dev/null 2>&1 ||
    "$carbon" compare --quiet --baseline 0 --runs 2 --warmup 0 --settle 0 --ledger compare.db --project both \
        -- true -- 'true x' > /dev/null 2>&1
check 'two commands, two records' 'A B' "$("$carbon" history --ledger compare.db --project both --csv - |
    python3 -c 'import csv, sys; print(*sorted({row["label"] for row in csv.DictReader(sys.stdin)}))')"

# Looking after it.
check 'sound' "$ledger: 2 records, 0 faults" "$("$carbon" ledger check)"
"$carbon" ledger backup copy.db
check 'a copy' "copy.db: 2 records, 0 faults" "$("$carbon" ledger check --ledger copy.db)"
out=$("$carbon" ledger backup copy.db 2>&1)
check 'not over another file' 125 $?
/usr/bin/python3 - "$work/in/copy.db" << 'END'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute("UPDATE carbon_run SET net_j = 1 WHERE label = 'nightly' AND parent_id IS NULL")
base.commit()
END
out=$("$carbon" ledger check --ledger copy.db)
check 'a column that was changed' 1 $?
check_match 'is told' "record $(json a.json "r['id']"): the column net_j is not what the record says" "$out"
check_match 'repaired from the records' '^copy.db: 2 kept, 0 lost; the old file is .copy.db.broken.$' \
    "$("$carbon" ledger repair --ledger copy.db)"
check 'and sound again' "copy.db: 2 records, 0 faults" "$("$carbon" ledger check --ledger copy.db)"
for line in 'ledger' 'ledger chek' 'ledger check x' 'ledger backup' 'history sow' 'history show' 'history export' \
    'history delete' 'history show a b' 'history --since yesterday' 'history --meta x' 'measure --meta =x -- true' \
    'measure --meta a=1 --meta a=2 -- true' 'history --ledger none.db' 'ledger check --ledger none.db' \
    'history --ledger off'; do
    # shellcheck disable=SC2086
    out=$("$carbon" $line 2>&1)
    check "carbon $line" 125 $?
    check_match "carbon $line: what can be done" '^ +(fix|why|try): ' "$out"
done
# The list has the job's own energy, as the record tells it.
"$carbon" measure --source model --cpu-power 10:110 --baseline 0.2 --quiet --ledger own.db --json own.json -- "$helpers/act" spin 0.2 2> /dev/null
own=$("$carbon" history show -v --ledger own.db "$(json own.json 'r["id"]')" | sed -n 's/^  own  *\([0-9.]* m\{0,1\}J\) by CPU time.*/\1/p')
check_match 'it is told' '^[0-9.]+ m?J$' "$own"
check_match 'own in the list' " m?J +$own +" "$("$carbon" history --ledger own.db | sed -n 2p)"

# An id comes from files of others and becomes the name of a file: one that leads elsewhere is refused where it is read,
# and a ledger of before that holds one costs the other records nothing.
"$carbon" measure -b 0 -q --no-ledger --json good.json -- true 2> err
python3 - << 'END'
import json
record = json.load(open("good.json"))
for name, id in (("up", "../package"), ("long", "a" * 40), ("escape", "\x1b]0;owned\x07"), ("tag", "<b>")):
    json.dump({**record, "id": id}, open(name + ".json", "w"))
json.dump({**record, "parent": {"id": "../up", "schema": "carbon.record/1", "started_at": record["started_at"]}}, open("parent.json", "w"))
END
for name in up long escape tag parent; do
    for line in "import --ledger ids.db" "restate --zone DE --no-ledger" "verify" "plot"; do
        out=$("$carbon" $line $name.json 2>&1); check "$line: $name" 1 $(($? != 0))
        check_match "$line: $name" "id is '" "$out"
        check_absent "$line: $name: nothing raw" $'[\x1b\x07]' "$out"
    done
done
"$carbon" import --ledger ids.db good.json > out 2> err; check 'a good id' 0 $?
good=$(json good.json "r['id']")
python3 - << 'END'
import sqlite3
base = sqlite3.connect("ids.db")
for table in ("carbon_run", "carbon_record"):
    columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
    taken = [{"number": "number + 1", "id": "'../package'"}.get(column, column) for column in columns]
    base.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(taken)} FROM {table}")
base.commit()
END
mkdir -p deep/folder; echo mine > deep/package.json
out=$(cd deep && "$carbon" history export folder --ledger ../ids.db 2>&1); check 'export: one is left out' 125 $?
check_match 'and told' "^carbon: 1 record was not exported; all others are" "$out"
check 'the other is there' "$good.json" "$(ls -A deep/folder)"
check 'nothing lies outside' 'mine' "$(cat deep/package.json)"

finish
