#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon verify and carbon restate: a figure changed by hand is found, the same inputs make the same bytes, and another
# year makes what the sum by hand does.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

# edit FROM TO PATH VALUE: a copy of the record with one figure changed; PATH is a Python index.
edit() {
    rm -f "$2" # where there is no such figure there is no copy
    /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
exec(f"r{sys.argv[3]} = {sys.argv[4]}")
json.dump(r, open(sys.argv[2], "w"))' "$@"
}

"$carbon" measure --baseline 0.2 --settle 0 --runs 2 --warmup 1 --zone FR --pue 1.2 --sci 1000:alerts --embodied 1000 \
    --marks --equivalents --json run.json --quiet -- \
    bash -c 'echo first >&$CARBON_MARK_FD; sleep 0.05; echo second >&$CARBON_MARK_FD; for ((i = 0; i < 200000; i++)); do :; done' \
    2> said || { cat said; skip 'nothing can be measured here'; }

out=$("$carbon" verify run.json)
check 'a record as it was written is verified' 0 $?
check_match 'and says how many figures' '^run.json: [0-9]{3} figures recalculated, all identical$' "$out"
check_match 'and that the table has the factor' 'factor [0-9.]+ gCO2eq/kWh: as grid_intensity.csv has it' "$out"

# A model steps by what a tick of CPU time adds, which may be more than a moment's mean power
"$carbon" measure --quiet --baseline 0 --source model --cpu-power 1:200 --json moment.json -- true 2> said
check_match 'of a moment, too' 'figures recalculated, all identical$' "$("$carbon" verify moment.json)"

# A digit in each of these: the figure is found and named, and the exit status is 1.
while read -r path named; do
    edit run.json changed.json "$path" "(r$path or 1) * (1 + 2**-52) + (1 if isinstance(r$path, int) else 0)"
    out=$("$carbon" verify changed.json --json differences.json)
    check "$path was changed" 1 $?
    check "$named is named" True "$(json differences.json \
        "'$named' in [d['figure'] for d in r['results'][0]['differences']]")"
done << 'END'
["gross_j"]["mean"] gross_j.mean
["gross_j"]["max"] gross_j.max
["idle_j"]["min"] idle_j.min
["net_j"]["deviation"] net_j.deviation
["gross_w"] gross_w
["idle_w"] idle_w
["net_w"] net_w
["duration_s"]["mean"] duration_s.mean
["baseline_s"] baseline_s
["runs"] runs
["warmups"] warmups
["emissions"]["gross"]["it_kwh"] emissions.gross.it_kwh
["emissions"]["gross"]["kgco2eq"] emissions.gross.kgco2eq
["emissions"]["net"]["kgco2eq_per_h"] emissions.net.kgco2eq_per_h
["emissions"]["net"]["kgco2eq_per_year"] emissions.net.kgco2eq_per_year
["sci"]["kgco2eq_per_unit"] sci.kgco2eq_per_unit
["sci"]["embodied_kgco2eq"] sci.embodied_kgco2eq
["usage"]["cpu_percent_of_core"]["value"] usage.cpu_percent_of_core.value
["windows"]["runs"][1]["gross_j"] windows.runs[1].gross_j
["windows"]["runs"][2]["net_j"] windows.runs[2].net_j
["windows"]["runs"][1]["phases"][1]["gross_j"] windows.runs[1].phases[first].gross_j
["phases"][1]["duration_s"]["mean"] phases[first].duration_s.mean
["provenance"][0]["value"] provenance[gross_j.mean].value
["equivalents"][0]["amount"] equivalents[car_average].amount
END

# A quantile is rounded otherwise on another processor: its last digits are told, more than those are found.
for path in '["net_interval_j"]["high"]' '["detectable_j"]'; do
    edit run.json changed.json "$path" "r$path * (1 + 2**-51)"
    out=$("$carbon" verify changed.json --json differences.json)
    check "$path: its last digits" '0 1' "$? $(json differences.json 'r["results"][0]["near_figures"]')"
    check_match "$path: are told" '^changed.json: [0-9]{3} figures recalculated, 1 of them within 64 units in the last place$' "$out"
    edit run.json changed.json "$path" "r$path * (1 + 1e-6)"
    "$carbon" verify changed.json > /dev/null
    check "$path: more than those" 1 $?
done

# What a sum stands on is found by the sum.
edit run.json changed.json '["windows"]["runs"][1]["energy_uj"][0]' "r['windows']['runs'][1]['energy_uj'][0] + 1"
check_match 'an energy changed by one microjoule' 'gross_j.mean holds' "$("$carbon" verify changed.json)"
edit run.json changed.json '["windows"]["baselines"][0]["duration_s"]' "r['windows']['baselines'][0]['duration_s'] + 1e-9"
check_match 'a baseline longer by a nanosecond' 'baseline_s holds' "$("$carbon" verify changed.json)"
edit run.json changed.json '["pue"]["value"]' 1.3
check_match 'another PUE' 'emissions.gross.facility_kwh holds' "$("$carbon" verify changed.json)"

# A factor that was changed together with all that follows from it: the table tells.
"$carbon" restate -v run.json --intensity 44 --json own.json > /dev/null
out=$("$carbon" verify own.json)
check 'a factor of ones own is verified' 0 $?
check_match 'and taken as it stands' 'factor 44 gCO2eq/kWh: of no table that carbon ships' "$out"
edit own.json forged.json '["factor"]' "dict(json.load(open('run.json'))['factor'], kgco2eq_per_kwh=0.044)"
"$carbon" restate -v forged.json --pue 1.2 --json forged2.json > /dev/null
out=$("$carbon" verify forged2.json --json forged-said.json)
check 'another value than that of the table' 1 $?
check_match 'is told' 'factor 44 gCO2eq/kWh: grid_intensity.csv has another value now: ' "$out"
check 'and told apart' 'other-value []' \
    "$(json forged-said.json "r['results'][0]['factor']['standing'] + ' ' + str(r['results'][0]['differences'])")"
edit run.json old.json '["factor"]["year"]' 1999
check_match 'a row that is no more' 'grid_intensity.csv has no such row any more' "$("$carbon" verify old.json)"

# The same inputs: the same bytes, but for id, parent and time.
"$carbon" restate -v run.json --json same.json > table || check 'restate' 0 1
strip() { /usr/bin/python3 -c 'import re, sys
t = open(sys.argv[1]).read()
t = re.sub(r"\t\"id\":\t\"[^\"]*\",\n", "", t, count=1)
t = re.sub(r"\t\"restated_at\":\t[^\n]*\n", "", t)
sys.stdout.write(re.sub(r"\t\"parent\":\t(null|\{[^}]*\}),\n", "", t))' "$1"; }
strip run.json > a
strip same.json > b
cmp a b
check 'restated to the same inputs, byte by byte' 0 $?
check 'the parent' "$(json run.json "r['id'], r['started_at'], r['schema']")" \
    "$(json same.json "r['parent']['id'], r['parent']['started_at'], r['parent']['schema']")"
check 'an id of its own' True "$(json same.json "r['id'] != r['parent']['id'] and r['restated_at'] is not None")"
check 'a measurement has no parent' 'None None' "$(json run.json "str(r['parent']) + ' ' + str(r['restated_at'])")"
check_match 'the table says where it is from' "^restated from record $(json run.json "r['id']")\$" "$(cat table)"
"$carbon" verify same.json > /dev/null
check 'what was restated is verified' 0 $?
# Neither environment nor configuration changes what was.
CARBON_ZONE=DE CARBON_PUE=2 "$carbon" restate -v run.json --json - | sed -n '/"factor":/,/}/p; /"pue":/,/}/p' > c
sed -n '/"factor":/,/}/p; /"pue":/,/}/p' run.json > d
check 'the environment is left out' "$(cat d)" "$(cat c)"

# Every kind of record comes again: without a baseline, failed, of what runs already, of another machine.
again() {
    "$carbon" verify "$1" > said || { check "$1 is verified" 0 1; cat said; }
    "$carbon" restate -v "$1" --json restated.json > /dev/null
    strip "$1" > a
    strip restated.json > b
    cmp a b
    check "$1 comes again, byte by byte" 0 $?
}
"$carbon" measure --quiet --baseline 0 --json bare.json -- sleep 0.1 2> /dev/null && again bare.json
"$carbon" measure --quiet --baseline 0.2 --settle 0 --runs 2 --json failed.json -- sh -c '[ ! -e ran ] && touch ran' 2> /dev/null
again failed.json
sleep 5 &
"$carbon" measure --quiet --pid $! --for 0.3s --json attached.json 2> /dev/null && again attached.json
kill $!
"$carbon" measure --quiet --intensity 44 --baseline same --json given.json -- sleep 0.2 2> /dev/null && again given.json
"$source/tests/lay_tree.py" "$source/tests/trees/intel-2-dies" tree > /dev/null 2>&1 || true
[ ! -d tree ] || ! "$carbon" measure --quiet --root tree --baseline 0.1 --json tree.json -- sleep 0.1 2> /dev/null ||
    again tree.json

# Another year: energy / 3.6e6 x PUE x the row of the table.
"$carbon" restate -v run.json --zone FR --year 2023 --pue 1.5 --duty 2000h --json new.json > /dev/null
factor=$(awk -F, '$1 == "FR" && $5 == 2023 && /OWID_EMBER_2026/ && /lifecycle/' "$CARBON_DATA/emission_factors/grid_intensity.csv" | head -1)
check 'the year' "2023 FR given" "$(json new.json "str(r['factor']['year']) + ' ' + r['factor']['zone'] + ' ' + r['factor']['quality']")"
check 'the row of the table' True "$(json new.json "str(r['factor']['kgco2eq_per_kwh']) == '$factor'.split(',')[5]")"
check 'the sum by hand' True "$(json new.json "all(
    r['emissions'][k]['kgco2eq'] == r[k + '_j']['mean'] / 3.6e6 * 1.5 * r['factor']['kgco2eq_per_kwh'] and
    r['emissions'][k]['kgco2eq_per_year'] == r['emissions'][k]['kgco2eq'] / r['duration_s']['mean'] * 3600 * 2000
    for k in ('gross', 'net'))")"
check 'the energies stay' "$(json run.json "r['gross_j'], r['windows']")" "$(json new.json "r['gross_j'], r['windows']")"
check 'the notice about the older factor is gone, the others stay' True "$(/usr/bin/python3 -c '
import json
a, b = (json.load(open(f)) for f in ("run.json", "new.json"))
about = a["factor_query"]["notices"]
print([n for n in a["notices"] if n["what"] not in about] == b["notices"] and b["factor_query"]["notices"] == [])')"
# and back again: the first record
"$carbon" restate -v new.json --year "$(json run.json "r['factor_query']['year']")" --pue 1.2 --duty 8760h --json back.json \
    > /dev/null
check 'there and back' "$(json run.json "r['emissions'], r['sci'], sorted(n['what'] for n in r['notices']), r['factor']")" \
    "$(json back.json "r['emissions'], r['sci'], sorted(n['what'] for n in r['notices']), r['factor']")"
# another unit for the score; the machine stays
"$carbon" restate -v run.json --sci 10:jobs --lifetime 8 --json jobs.json > /dev/null
check 'another functional unit' True "$(json jobs.json "(r['sci']['unit'] == 'jobs' and
    r['sci']['machine']['kgco2eq'] == 1000 and abs(r['sci']['embodied_kgco2eq'] /
    (1000 * r['sci']['hours'] / 70080 * r['sci']['reserved_share']['value']) - 1) < 1e-12)")"

# What stands beside the figure is worked out again, too, and goes with the zone.
"$carbon" measure --baseline 0 --zone GB --year 2023 --basis direct --pue-of aws --wue 1.8 --json beside.json --quiet -- true 2> /dev/null
out=$("$carbon" verify beside.json) || echo "$out"
check_match 'market, water and losses are verified' '^beside.json: [0-9]{3} figures recalculated' "$out"
for path in '["emissions"]["gross_market"]["kgco2eq"]' '["emissions"]["gross_water_l"]' '["emissions"]["td_losses"]["gross_kgco2eq"]'; do
    edit beside.json changed.json "$path" "r$path * (1 + 2**-50)"
    "$carbon" verify changed.json > out
    check "$path was changed" 1 $?
done
"$carbon" restate -v beside.json --json again.json > /dev/null
check 'the same but for what names it' '' "$(/usr/bin/python3 -c '
import json
a, b = (json.load(open(name)) for name in ("beside.json", "again.json"))
print(*(k for k in a if k not in ("id", "parent", "restated_at") and a[k] != b[k]))')"
"$carbon" restate -v beside.json --zone FR --year 2023 --pue 1 --json french.json > /dev/null
check 'the residual mix of the other zone' 'FR None True' "$(json french.json "'%s %s %s' % (r['market_factor']['zone'],
    r['pue']['source'], abs(r['emissions']['gross_market']['kgco2eq'] / (r['gross_j']['mean'] / 3.6e6 *
    r['market_factor']['kgco2eq_per_kwh']) - 1) < 1e-12)")"

# Errors.
out=$("$carbon" verify 2>&1); check 'nothing to verify' 125 $?
out=$("$carbon" verify none.json 2>&1); check 'no such file' 125 $?
check_match 'is told' "cannot read 'none.json'" "$out"
out=$("$carbon" verify none.json changed.json 2>&1); check 'one of two cannot be read' 125 $?
check_match 'the other is verified' 'changed.json: [0-9]+ figures' "$out"
out=$("$carbon" verify run.json changed.json 2>&1); check 'one of two differs' 1 $?
edit run.json lost.json '["windows"]["runs"][1]["start_s"]' None
out=$("$carbon" restate -v lost.json 2>&1); check 'a record that holds less' 125 $?
check_match 'is told' "'lost.json' cannot be recalculated" "$out"
out=$("$carbon" restate -v run.json --json run.json 2>&1); check 'the record itself' 125 $?
check_match 'is not overwritten' "the input are one file: 'run.json'" "$out"
out=$("$carbon" restate -v run.json --zone Atlantis 2>&1); check 'no such zone' 125 $?
check_match 'is told' "unknown zone 'Atlantis'" "$out"
out=$("$carbon" restate -v run.json same.json 2>&1); check 'one record at a time' 125 $?
"$carbon" estimate --power 100 --hours 1 --json estimate.json > /dev/null 2>&1
out=$("$carbon" verify estimate.json 2>&1); check 'an estimate is no record' 125 $?
check_match 'is told' "carbon.estimate/1" "$out"

"$source/tests/check-schema.sh" run.json new.json jobs.json differences.json forged-said.json > schema
status=$?
[ $status -eq 77 ] || check 'all keep to their schemas' 0 $status || cat schema
finish
