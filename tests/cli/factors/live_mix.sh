#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon factors --live of services that tell generation by fuel, of OpenElectricity, Electricity Maps v4 and a Carbon
# Aware SDK: what they document to the digit, every fault of theirs, keys, zones, steps.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-live.sh"

secrets=key-of
export CARBON_EIA_KEY=key-of-eia CARBON_ENTSOE_KEY='key of&entsoe#1' CARBON_OPENELECTRICITY_KEY=key-of-oe \
    CARBON_ELECTRICITY_MAPS_KEY=key-of-maps
CARBON_ENTSOE_KEY='key-of&entsoe#1'

row() { grep "^2026-01-20T$1Z" csv | cut -d, -f 2-4; }
what() { tail -n 1 csv | cut -d, -f 6-; }
# kg/kWh, worked out here: of 1000 MW that many are coal, the rest nuclear; medians of AR5
lifecycle() { /usr/bin/python3 -c "import sys; g = float(sys.argv[1]); print(repr(float('%.12g' % ((g * 820 + (1000 - g) * 12) / 1e6))))" "$1"; }
direct() { /usr/bin/python3 -c "import sys; print(repr(float('%.12g' % (float(sys.argv[1]) * 760 / 1e6))))" "$1"; }
near() { # near WANTED GOT: to 1e-12
    /usr/bin/python3 -c 'import sys; a, b = map(float, sys.argv[1:]); print("yes" if abs(a - b) <= 1e-12 * abs(a) else (a, b))' "$1" "$2"
}
value() { row "$1" | cut -d, -f 2; }

live good ieso CA-ON
! grep -q 'no XML can be read' said || skip 'no libexpat (Debian: libexpat1), or built without it (libexpat1-dev)'
rm -rf "$HOME/.cache"
: > log

# The server's coal is 100 + day of the month + five minutes since midnight: 192 at six, 195 a quarter later.
for of in 'ieso CA-ON 60 24' 'eia US-CAL-CISO 60 24' 'entsoe SE3 15 96'; do
    read -r service zone minutes count <<< "$of"
    live good "$service" "$zone"
    check "$service: rows" "0 $count" "$status $(rows)"
    check "$service: lifecycle" yes "$(near "$(lifecycle 192)" "$(value 06:00)")"
    check "$service: its step" "2026-01-20T$([ "$minutes" = 15 ] && echo 06:15Z || echo 07:00Z),estimated" "$(row 06:00 | cut -d, -f 1,3)"
    check_match "$service: of what is generated, modelled" ',lifecycle,production,co2eq,average,' "$(what)"
    live good "$service" "$zone" --basis direct
    check "$service: direct" yes "$(near "$(direct 192)" "$(value 06:00)")"
    live nulls "$service" "$zone"
    check "$service: a fuel without a value: the time is not known" '' "$(row 06:00)"
    check "$service: the others are" "$((count - 60 / minutes))" "$(rows)"
    check_match "$service: said" '4 % of the requested period is unknown' "$(cat said)"
    table=$("$carbon" factors --live "$service" "$zone" --live-url "http://127.0.0.1:$port/good" --from 2026-01-20 --to 2026-01-21)
    check_match "$service: the text says how" 'production mix x factors by fuel' "$table"
    check_match "$service: and of what" 'of generation' "$table"
done
check_match 'entsoe: the bidding zone' 'in_Domain=10Y1001A1001A46L&' "$(cat log)"
live held entsoe SE3
check 'entsoe: points that hold, series of 15 and 60 minutes' "96 yes" "$(rows) $(near "$(lifecycle 192)" "$(value 06:45)")"
check 'ieso: one document' 1 "$(grep -c 'good/public/GenOutputbyFuelHourly' log)"
live good ieso CA-ON --from 2025-12-31T20:00Z --to 2026-01-01T10:00Z
check_match 'ieso: years of Eastern Standard Time' 'PUB_GenOutputbyFuelHourly_2025.xml' "$(cat log)"
live good openelectricity AU-NSW
check 'openelectricity: rows' '0 288' "$status $(rows)"
check 'openelectricity: tonnes over MWh of all that generates' yes "$(near "$(/usr/bin/python3 -c 'print((0.9 * 192 + 50) / (192 + 110))')" "$(value 06:00)")"
check 'openelectricity: what it is' 'AU-NSW,direct,production,co2eq,average,OPENELECTRICITY_V4' "$(what)"
check_match "openelectricity: the network's own time" 'date_start=2026-01-20T10:00:00&date_end=2026-01-21T10:00:00 ' "$(cat log)"
live good openelectricity AU-WA --live-step 1h
check 'openelectricity: hours of the west' "24 yes" "$(rows) $(near "$(/usr/bin/python3 -c 'print((0.9 * 192 + 50) / (192 + 110))')" "$(value 06:00)")"
check_match 'openelectricity: its network' '/NEM?|/WEM.*interval=1h.*date_start=2026-01-20T08:00:00' "$(tail -n 1 log)"
live local openelectricity AU-NSW
check 'openelectricity: times with an offset' yes "$(near "$(/usr/bin/python3 -c 'print((0.9 * 192 + 50) / (192 + 110))')" "$(value 06:00)")"
live nulls openelectricity AU-NSW
check 'openelectricity: nulls' 276 "$(rows)"

# Names of the EIA that are other places' too are never taken for those.
for of in 'US US48' 'US-CA CAL' 'US-TX TEX' 'CISO CISO' 'US-NE-ISNE ISNE' 'US-CAR-SC SC' 'EIA:NE NE' 'EIA:SE SE'; do
    read -r zone respondent <<< "$of"
    live good eia "$zone"
    check "eia: $zone" "$respondent" "$(what | cut -d, -f 1)"
done
for zone in SE NE SC US-NE US-SC US-WA EIA:XX; do
    live good eia "$zone"
    check "eia: $zone is no region" 125 $status
done

# Brazil tells of now alone; a quarter of an hour.
now() { "$carbon" factors --live ons "$1" --live-url "http://127.0.0.1:$port/$2" --csv csv > out 2> said; status=$?; }
now BR-S good
check 'ons: status' 0 $status
check 'ons: one quarter of an hour' 1 "$(rows)"
check 'ons: thermal plants of unknown fuel' yes "$(near "$(/usr/bin/python3 -c 'print((100 * 0.7 + 900 * 0.012) / 1000)')" "$(tail -n 1 csv | cut -d, -f 3)")"
now BR-CS good
check 'ons: Itaipu is hydropower' yes "$(near "$(/usr/bin/python3 -c 'print((200 * 0.7 + 800 * 0.012 + 1000 * 0.024) / 2000)')" "$(tail -n 1 csv | cut -d, -f 3)")"
now BR good
check 'ons: all four' yes "$(near "$(/usr/bin/python3 -c 'print((1000 * 0.7 + 3000 * 0.012 + 1000 * 0.024) / 5000)')" "$(tail -n 1 csv | cut -d, -f 3)")"
now BR late
check 'ons: a reading of another day' 125 $status
check_match 'ons: said' 'has nothing for BR in that time' "$(cat said)"

# Electricity Maps v4: steps, as they are asked for.
for of in '1h hourly 24' '15m 15_minutes 96' '5m 5_minutes 288'; do
    read -r step name count <<< "$of"
    live good electricity-maps-v4 DE --live-step "$step"
    check "v4: $step" "0 $count" "$status $(rows)"
    check_match "v4: $step asked" "temporalGranularity=$name" "$(tail -n 1 log)"
    check "v4: $step: the value" 0.192 "$(value 06:00)"
done
check_match 'v4: of what is used' 'DE,lifecycle,consumption,co2eq,average,ELECTRICITY_MAPS_V4' "$(what)"
live good electricity-maps DE
check 'v3 is kept' '0 24' "$status $(rows)"

# A Carbon Aware SDK of one's own: names as it has them, steps as its times have them; for advice alone.
live good carbon-aware-sdk eastus
check 'carbon-aware-sdk' '2026-01-20T06:05Z,0.192,estimated' "$(row 06:00)"
check 'carbon-aware-sdk: neither basis nor method is claimed' 'eastus,,,co2eq,,GSF_CARBON_AWARE_SDK' "$(what)"
check_match 'carbon-aware-sdk: for advice' 'for advice only' "$(cat said)"
live long carbon-aware-sdk westEurope --from 2026-01-20T06:00Z --to 2026-01-20T06:05Z
check 'carbon-aware-sdk: its duration, its letters' "2026-01-20T06:15Z westEurope" "$(row 06:00 | cut -d, -f 1) $(tail -n 1 csv | cut -d, -f 6)"
live nulls carbon-aware-sdk eastus
check 'carbon-aware-sdk: nulls' 276 "$(rows)"
"$carbon" when --verbose --duration 1h --until 6h --zone eastus --live carbon-aware-sdk --live-url "http://127.0.0.1:$port/still" > out 2>&1
check 'carbon-aware-sdk: when' 0 $?
check_match 'carbon-aware-sdk: its forecast' 'forecasts/current.location=eastus' "$(cat log)"

# Faults.
for of in 'ieso CA-ON' 'eia US' 'entsoe FR' 'openelectricity AU-TAS' 'electricity-maps-v4 FR' 'carbon-aware-sdk eastus'; do
    read -r service zone <<< "$of"
    for fault in 'status401 HTTP.401' 'status403 answered.403' 'status404 answered.404' 'status500 answered.500' \
        'waitlong try.again.in.3600.s' 'empty it.is.empty' 'html it.is.no.(XML|JSON)' 'truncated broke.off' \
        'cut it.is.no.(XML|JSON)' 'nothing it.(is|has).(no|of)|has.nothing|not.a.list' 'huge sends.more.than.any.answer|it.is.no.XML'; do
        read -r case pattern <<< "$fault"
        refused "$service: $case" "${pattern//./ }" "$case" "$service" "$zone"
    done
done
refused 'ieso: an hour 0' 'none of 1 to 24' hour ieso CA-ON
refused 'eia: another zone' 'of another zone' zone eia US
refused 'eia: a text' 'something else where a number should be' words eia US
refused 'eia: another unit' 'not in MWh' units eia US
refused 'eia: a fuel that is not known' "not known: 'XYZ'" fuel eia US
refused 'eia: an incomplete list' '120 of 121 records' total eia US
refused 'entsoe: another zone' 'of another zone' zone entsoe SE3
refused 'entsoe: another unit' 'not in MW' units entsoe SE3
refused 'entsoe: steps' "steps that are not known: 'P1D'" days entsoe SE3
refused 'entsoe: nothing' "it says 'No matching data" ack entsoe SE3
refused 'entsoe: a document type' 'a document type of its own' doctype entsoe SE3
refused 'openelectricity: another zone' 'of another zone' zone openelectricity AU-NSW
refused 'openelectricity: another unit' "in 'kg'" units openelectricity AU-NSW
refused 'openelectricity: times without an offset' 'without an offset' naive openelectricity AU-NSW
refused 'openelectricity: coal or gas that emits nothing' 'no emissions of gas_ccgt' clean openelectricity AU-NSW
refused 'openelectricity: lifecycle' 'has no lifecycle intensities' good openelectricity AU-NSW --basis lifecycle
refused 'v4: other steps' 'its steps differ from the requested ones' steps electricity-maps-v4 DE --live-step 15m
refused 'v3: no steps of 15 minutes' 'has no steps of 15 min' good electricity-maps DE --live-step 15m
refused 'neso: steps of its own' 'its steps are its own' good neso --live-step 15m
refused 'carbon-aware-sdk: one value without a step' 'how long its steps are' one carbon-aware-sdk eastus
for of in 'ieso FR CA-ON' 'ons AR BR-S' 'eia US-WA US-CAL-CISO' 'entsoe US bidding.zones' 'openelectricity AU-NT AU-TAS'; do
    read -r service zone pattern <<< "$of"
    refused "$service: a zone that it has not" "does not cover '$zone'" good "$service" "$zone"
    check_match "$service: it says which it has" "why: it has .*$pattern" "$(cat said)"
done

# A key is never sent elsewhere, and is kept nowhere; the one in an address is escaped.
refused 'entsoe: a redirect' 'must not see the key' away entsoe FR
refused 'eia: a redirect' 'must not see the key' away eia US
check 'the other server was not asked' 0 "$(grep -c "^$other " log)"
check_match 'eia: its header' 'fuel-type-data.* key=key-of-eia ' "$(cat log)"
check_match 'entsoe: its address' 'securityToken=key-of%26entsoe%231 ' "$(cat log)"
check_match 'openelectricity: its header' 'network/NEM.* bearer=key-of-oe' "$(cat log)"
check 'no key in the cache' '' "$(grep -rl 'key-of' "$HOME/.cache")"
check 'no key for who wants none' 0 "$(grep -E 'GenOutput|Content|emissions/by' log | grep -c key-of)"
live good entsoe FR --offline
check 'offline' 125 $status
live good entsoe SE3 --offline
check 'offline: what was kept' '0 96' "$status $(rows)"
unset CARBON_EIA_KEY CARBON_ENTSOE_KEY CARBON_OPENELECTRICITY_KEY
for of in 'eia US CARBON_EIA_KEY' 'entsoe FR CARBON_ENTSOE_KEY' 'openelectricity AU-SA CARBON_OPENELECTRICITY_KEY'; do
    read -r service zone variable <<< "$of"
    refused "$service: no key" "wants a key" fresh "$service" "$zone"
    check_match "$service: which" "$variable is not set" "$(cat said)"
    "$carbon" measure --baseline 0 --no-ledger --zone "$zone" --live "$service" -- touch ran > out 2> said
    check "$service: the key is asked for before the job" '125 no' "$? $([ -e ran ] && echo ran || echo no)"
    check_match "$service: before the job, said" 'wants a key' "$(cat said)"
done
CARBON_EIA_KEY=x "$carbon" config measure > out 2>&1
check_absent 'a variable of a key is known' 'CARBON_EIA_KEY' "$(cat out)"

# By the hour: the bidding zone that was typed, in the record with its scope.
CARBON_ENTSOE_KEY=k CARBON_BASELINE=0 "$carbon" measure --no-ledger --zone SE3 --live entsoe --live-url "http://127.0.0.1:$port/good" \
    --json record.json -- true > out 2> said
check 'measure: status' 0 $?
check 'measure: zone, scope, source' 'SE3 production ENTSOE_A75' "$(json record.json '" ".join(r["hourly"][k] for k in ("zone", "scope", "source_id"))')"
check_match 'measure: how, in the record' 'production mix x factors by fuel' "$(json record.json 'r["hourly"]["title"]')"
CARBON_ENTSOE_KEY=k live good entsoe SE3 --json mix.json
CARBON_EIA_KEY=k live good eia US --json eia.json
live good carbon-aware-sdk eastus --json aware.json
check_schema 'JSON: as the schema has it' {mix,eia,aware,record}.json
finish
