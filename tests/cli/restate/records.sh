#!/bin/bash
# SPDX-License-Identifier: MIT
# A kept record of each minor of the form (tests/records) is verified, restated and imported; one of a later minor is read with a
# notice. Minors 0 to 7 are one record without what that minor's schema had not; 8 and 9 have own energy that was learnt, 10 has a budget.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

records=$source/tests/records
last=$(ls "$records"/minor-*.json | wc -l)
minor() { json "$1" 'r.get("minor", 0)'; }

"$carbon" restate -v --no-ledger "$records/minor-0.json" --json now.json > /dev/null
check 'each minor has its record' "$(minor now.json)" "$((last - 1))"

for ((i = 0; i < last; i++)); do
    file=$records/minor-$i.json
    check "minor $i: it is one" "$i" "$(minor "$file")"
    out=$("$carbon" verify "$file" 2> said)
    check "minor $i: verified" 0 $?
    check_match "minor $i: every figure" 'minor-[0-9]+.json: [0-9]+ figures recalculated, ' "$out"
    check "minor $i: without a notice" '' "$(cat said)"
    /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
r["gross_j"]["mean"] *= 1 + 2**-52
json.dump(r, open("changed.json", "w"))' "$file"
    out=$("$carbon" verify changed.json)
    check "minor $i: one digit changed" 1 $?
    check_match "minor $i: is found" 'gross_j.mean holds' "$out"
    "$carbon" restate -v --no-ledger "$file" --intensity 100 --pue 1.5 --json new.json > /dev/null
    check "minor $i: restated" True "$(json new.json \
        'abs(r["emissions"]["gross"]["kgco2eq"] / (r["gross_j"]["mean"] / 3.6e6 * 1.5 * 0.1) - 1) < 1e-12')"
    check "minor $i: its energy stays" "$(json "$file" 'r["gross_j"]')" "$(json new.json 'r["gross_j"]')"
    check_match "minor $i: kept" ' 1 kept' "$("$carbon" import --ledger "ledger-$i.db" "$file" 2>&1)"
    check_match "minor $i: and shown" 'gross ' "$("$carbon" history --ledger "ledger-$i.db" show "$(json "$file" 'r["id"]')")"
done

# A budget is judged again: by what was read, and by the factor that the record gets.
budget() { json "$1" '(lambda b: "%s %g" % (b["verdict"], b["spent_kgco2eq"]))(r["budget"])'; }
/usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
r["budget"]["spent_j"] = 4
json.dump(r, open("changed.json", "w"))' "$records/minor-10.json"
check_match 'a budget that was changed is found' 'budget.spent_j holds' "$("$carbon" verify changed.json)"
/usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
r["budget"].update(limit_j=None, limit_kgco2eq=1e-7)
json.dump(r, open("of-mass.json", "w"))' "$records/minor-10.json"
"$carbon" restate --no-ledger of-mass.json --intensity 36 --pue 1 --json new.json > /dev/null
check 'a budget of emissions by another factor: passed' 'passed 5e-08' "$(budget new.json)"
"$carbon" restate --no-ledger of-mass.json --intensity 360 --pue 1 --json new.json > /dev/null
check 'and by one that is too high' 'failed 5e-07' "$(budget new.json)"

# What a carbon to come might write: the last record, another minor, members that nobody knows.
/usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
r["minor"] = 99
r["news"] = {"a_j": 1}
r["machine"]["more"] = [1, 2]
json.dump(r, open("later.json", "w"))' "$records/minor-$((last - 1)).json"
notice="note: a newer carbon wrote this record \(minor 99, not $((last - 1))\): later additions are excluded"
out=$("$carbon" verify --json verified.json later.json 2> said)
check 'later: verified' '0 True 2' "$? $(json verified.json 'r["results"][0]["verified"], r["results"][0]["unknown_keys"]' | tr -d '(,)')"
check_match 'later: with a notice' "$notice" "$(cat said)"
check_match 'later: what is not known' '2 keys are unknown' "$out"
check_match 'later: restated with it' "$notice" \
    "$("$carbon" restate -v --no-ledger later.json --pue 2 --json new.json --html new.html; "$carbon" restate -v --no-ledger later.json --pue 2)"
check_match 'later: which the record has' "True" "$(json new.json 'any("newer carbon" in n["what"] for n in r["notices"])')"
check_match 'later: kept' ' 1 kept' "$("$carbon" import --ledger later.db later.json 2>&1)"
check_match 'later: shown with it' "$notice" "$("$carbon" history -v --ledger later.db show "$(json later.json 'r["id"]')" 2>&1)"
finish
