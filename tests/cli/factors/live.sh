#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon factors --live: every service's documented answers to the digit, every fault of a server, times, keys, the cache.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-live.sh"

key='key-of-maps-1234'
secrets="$key|secret-word"
row() { grep "^2026-01-20T$1Z" csv | cut -d, -f 1-4; }

# Values to the digit. The server's are 100 + day of the month + five minutes since midnight.
live good neso
check 'neso: status' 0 $status
check 'neso: rows' 48 "$(rows)"
check 'neso: actual is an estimate' '2026-01-20T06:30Z,2026-01-20T07:00Z,0.198,estimated' "$(row 06:30)"
check 'neso: what it is' 'GB,direct,consumption,co2,average,NESO_CI' "$(tail -n 1 csv | cut -d, -f 6-)"
live nulls neso
check 'neso: null actual' '2026-01-20T06:30Z,2026-01-20T07:00Z,0.199,forecast' "$(row 06:30)"
check 'neso: nothing at all' '' "$(row 07:00)"
check_match 'neso: gap' 'note: 4 % of the requested period is unknown' "$(cat said)"
live good neso --zone GB:13
check 'region' '2026-01-20T06:30Z,2026-01-20T07:00Z,0.199,forecast' "$(row 06:30)"
live list neso --zone GB:RG10
check 'postcode, as a list' 48 "$(rows)"
live good neso --zone england
check_match 'region by name' 'regionid/15|does not cover' "$(tail -n 1 log; cat said)"
live unordered neso
check 'unordered and doubled' 48 "$(rows)"
live contradiction neso
check 'contradiction: the forecast holds' '2026-01-20T03:30Z,2026-01-20T04:00Z,0.163,forecast' "$(row 03:30)"
check_match 'contradiction: told' 'reports two values for 2 times' "$(cat said)"
live good energy-charts --zone DEU
check 'energy-charts' '2026-01-20T06:15Z,2026-01-20T06:30Z,0.1955,actual' "$(row 06:15)"
check 'energy-charts: rows' 96 "$(rows)"
check 'energy-charts: no basis is claimed' 'DE,,,co2eq,average,ENERGY_CHARTS' "$(tail -n 1 csv | cut -d, -f 6-)"
live nulls energy-charts --zone DE
check 'energy-charts: forecast' '2026-01-20T06:15Z,2026-01-20T06:30Z,0.197,forecast' "$(row 06:15)"
live good odre
check 'odre: consolidated' '2026-01-20T06:30Z,2026-01-20T07:00Z,0.198,actual' "$(row 06:30)"
check 'odre: rows' 48 "$(rows)"
live nulls odre
check 'odre: null and 0 are no value' 12 "$(rows)"
live good energidata DK1
check 'energidata' '2026-01-20T06:35Z,2026-01-20T06:40Z,0.199,actual' "$(row 06:35)"
check 'energidata: rows' 288 "$(rows)"
live nulls energidata DK1
check 'energidata: nulls' 276 "$(rows)"
CARBON_ELECTRICITY_MAPS_KEY=$key live good electricity-maps DE
check 'electricity-maps: estimated' '2026-01-20T07:00Z,2026-01-20T08:00Z,0.204,estimated' "$(row 07:00)"
check 'electricity-maps: actual' '2026-01-20T06:00Z,2026-01-20T07:00Z,0.192,actual' "$(row 06:00)"
CARBON_ELECTRICITY_MAPS_KEY=$key live good electricity-maps DE --basis direct
check 'electricity-maps: direct' direct "$(tail -n 1 csv | cut -d, -f 7)"
CARBON_ELECTRICITY_MAPS_KEY=$key live zeros electricity-maps DE
check 'a lifecycle of 0 is no value' '' "$(row 06:00)"
check_match 'a lifecycle of 0: said' 'reports a lifecycle intensity of 0 g/kWh for 1 times' "$(cat said)"
CARBON_ELECTRICITY_MAPS_KEY=$key live zeros electricity-maps DE --basis direct
check 'direct 0 may be' '2026-01-20T06:00Z,2026-01-20T07:00Z,0,actual' "$(row 06:00)"
CARBON_ELECTRICITY_MAPS_KEY=$key live good electricity-maps SE3
check 'a bidding zone' 'SE-SE3' "$(tail -n 1 csv | cut -d, -f 6)"
CARBON_WATTTIME_KEY=me:secret-word live good watttime CAISO_NORTH
check 'watttime' '2026-01-20T06:35Z,2026-01-20T06:40Z,0.3946253619,estimated' "$(row 06:35)"
check 'watttime: marginal' marginal "$(tail -n 1 csv | cut -d, -f 10)"
check_match 'watttime: for advice' 'for advice only' "$(cat said)"

# Forecasts of the hours around now, a plan without them, and a clock that is wrong.
now=$(date -u +%Y-%m-%dT%H:00Z)
later=$(date -u -d '+3 hours' +%Y-%m-%dT%H:00Z)
CARBON_ELECTRICITY_MAPS_KEY=$key live good electricity-maps DE --from "$now" --to "$later"
check 'forecast' 0 $status
CARBON_ELECTRICITY_MAPS_KEY=$key live noforecast electricity-maps DE --from "$now" --to "$later"
check 'no forecast in this plan: the past is there' 0 $status
check_match 'no forecast in this plan' '403' "$(cat said)"
live skew neso
check_match 'clock' "this machine's clock is 2 h 00 min behind that of the service" "$(cat said)"

# Days on which clocks change (2025-03-30 and 2025-10-26, 01:00 UTC), as local days of 23 and of 25 hours and from one to
# the next: every interval has the value of its time, none is doubled, shifted or lost.
changes() { # NAME FROM TO MINUTES
    for of in 'local odre' 'good odre' 'good energidata DK1' 'good energy-charts DE'; do
        # shellcheck disable=SC2086
        live $of --from "$2" --to "$3"
        check "$1: $of" "$4 minutes" "$(/usr/bin/python3 -c '
import csv, datetime, sys
rows = list(csv.DictReader(open("csv")))
at = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
before = at(sys.argv[1])
for row in rows:
    when = at(row["start"])
    assert when == before, ("doubled, shifted or lost", row)
    assert int(float(row["kgco2eq_per_kwh"]) * 1000 + 1e-9) == 100 + when.day + (when.hour * 60 + when.minute) // 5, row
    before = at(row["end"])
assert before == at(sys.argv[2]), before
print(int((before - at(sys.argv[1])).total_seconds() / 60), "minutes")' "$2" "$3")" || cat said
    done
}
changes 'clocks go forward: the hours' 2025-03-29T22:00Z 2025-03-30T04:00Z 360
changes 'clocks go forward: the local day' 2025-03-30T00:00+01:00 2025-03-31T00:00+02:00 1380
changes 'clocks go forward: all of three days' 2025-03-29T00:00Z 2025-04-01T00:00Z 4320
changes 'clocks go back: the hours' 2025-10-25T22:00Z 2025-10-26T04:00Z 360
changes 'clocks go back: the local day' 2025-10-26T00:00+02:00 2025-10-27T00:00+01:00 1500
changes 'clocks go back: all of three days' 2025-10-25T00:00Z 2025-10-28T00:00Z 4320

# Faults.
refused 'number as text' 'something else where a number should be' words neso
refused 'negative' 'has -5 gCO2eq/kWh' negative neso
refused 'lists' 'not of one length' short energy-charts DE
refused 'incomplete list' '96 of 97 records' total odre
export CARBON_ELECTRICITY_MAPS_KEY=$key
refused 'another zone' 'another zone' zone electricity-maps DE
refused '404' 'answered 404' status404 neso
refused '400' 'as it says itself' status400 neso
refused 'cut' 'the file is truncated' cut neso
refused 'truncated' 'broke off' truncated neso
check 'truncated: three tries' 3 "$(asked truncated)"
refused 'HTML' 'it is no JSON' html neso
refused 'empty' 'it is empty' empty neso
refused 'nothing' 'has nothing for GB' nothing neso
refused 'wrong type' "no list 'data'" type neso
refused 'huge, over ANSWER_MAX' 'sends more than any answer' huge neso
refused 'unpacks to too much' 'sends more than any answer' bomb neso
refused 'no basis' 'does not say what' good energy-charts DE --basis lifecycle
refused 'too long' 'more than 14 days' good neso --from 2026-01-01 --to 2026-02-01
refused 'zone' 'does not cover .FR' good neso --zone FR
refused 'no zone' 'none is given' good energidata
refused '500' 'answered 500' status500 neso
check '500: three tries' 3 "$(asked status500)"
refused 'Retry-After beyond the time' 'try again in 3600 s' waitlong neso
check 'Retry-After beyond the time: not tried' 1 "$(asked waitlong)"
live once500 neso
check '500 once' '0 48' "$status $(rows)"
start=$(date +%s%N)
live wait neso
check '429 once' '0 48' "$status $(rows)"
check 'Retry-After is waited for' yes "$([ $(($(date +%s%N) - start)) -ge 1000000000 ] && echo yes)"
live gzip neso
check 'gzip' '0 48' "$status $(rows)"
live here neso
check 'redirect on the same server' '0 48' "$status $(rows)"
refused 'redirects in a ring, more than MAX_REDIRECTS' 'from one address to the next' round neso
if openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout pem -out crt 2> /dev/null; then
    cat crt >> pem
    exec 7> >(exec /usr/bin/python3 "$source/tests/helpers/grid.py" log tls pem > tls.txt 2>&1)
    served tls tls.txt
    read -r _ secure < tls
    refused 'a certificate of its own' 'could not be verified' x neso --live-url "https://127.0.0.1:$secure/good"
fi
refused 'nobody there' 'refused the connection' good neso --live-url http://127.0.0.1:1
refused 'no TLS' 'not asked without TLS' good neso --live-url http://192.0.2.1/
for case in slow drip; do
    start=$(date +%s%N)
    refused "$case" 'it took too long' $case neso --live-timeout 1
    # the server takes 20 s
    check "$case: within the time" yes "$([ $(($(date +%s%N) - start)) -le 15000000000 ] && echo yes)"
done

# Keys: only to the host, from the variable or a file of its owner's alone, and nowhere else.
export CARBON_ELECTRICITY_MAPS_KEY=$key CARBON_WATTTIME_KEY=me:secret-word
refused 'redirect with a key' 'must not see the key' away electricity-maps DE
check 'the other server was not asked' 0 "$(grep -c "^$other " log)"
refused '401' 'HTTP 401' status401 electricity-maps DE
refused '403' 'answered 403' status403 watttime CAISO_NORTH
check_match 'key sent' "^$port /good/carbon-intensity.* key=$key " "$(cat log)"
check_match 'login sent' "^$port /good/login .*login=me:secret-word" "$(cat log)"
check_match 'token borne' "^$port /good/v3/historical.* bearer=token-of-the-day" "$(cat log)"
check 'no key for who wants none' 0 "$(grep '/intensity/' log | grep -v carbon-intensity | grep -c key-of)"
check 'no key in the cache' '' "$(grep -rlE 'key-of-maps|secret-word|token-of' "$HOME/.cache")"
unset CARBON_ELECTRICITY_MAPS_KEY
mkdir -p "$HOME/.config/carbon/keys"
refused 'no key' 'wants a key' fresh electricity-maps DE
(umask 022; echo "$key" > "$HOME/.config/carbon/keys/electricity-maps")
refused 'key that others may read' 'others may read' fresh electricity-maps DE
chmod 600 "$HOME/.config/carbon/keys/electricity-maps"
live fresh electricity-maps DE
check 'key from a file' '0 24' "$status $(rows)"
CARBON_ELECTRICITY_MAPS_KEY=$'a\nHost: b' live split electricity-maps DE
check 'a key of two lines' 125 $status

# The cache: asked once, then kept; eight at once; damage; what --offline takes.
before=$(asked good)
live good neso
check 'kept' "$before 48" "$(asked good) $(rows)"
check 'for its owner alone' '' "$(find "$HOME/.cache/carbon" -type f ! -perm 600)"
for i in 1 2 3 4 5 6 7 8; do
    XDG_CACHE_HOME=$work/many "$carbon" factors --live neso --live-url "http://127.0.0.1:$port/many" --csv - \
        --from 2026-01-20 --to 2026-01-21 2> /dev/null | cut -d, -f 1-4 > "many.$i" &
    pids[i]=$!
done
wait "${pids[@]}"
check 'eight at once: each right' "$(cut -d, -f 1-4 csv | sha256sum | cut -c 1-64)" \
    "$(sha256sum many.? | cut -c 1-64 | sort -u)"
check 'eight at once: one file, none left behind' 1 "$(find "$work/many" -type f | wc -l)"
export XDG_CACHE_HOME=$work/many
live many neso --offline
check 'offline' '0 48' "$status $(rows)"
check_match 'offline: age' 'the oldest of these answers is of 20.* ago' "$(cat said)"
file=$(find "$work/many" -type f)
for damage in 's/"actual": 120/"actual": 121/' '$d' '1s/1$/2/'; do
    sed -i "$damage" "$file"
    refused "offline: damaged by $damage" 'no cached answer' many neso --offline
    live many neso
    check "damaged by $damage: asked anew" '0 48' "$status $(rows)"
    live many neso --offline
    check "damaged by $damage: replaced" 0 $status
done
unset XDG_CACHE_HOME

# JSON, the table, and what goes together.
live good neso --json json.json
check 'JSON' "carbon.live/1 GB 48 0.12 86400.0 NESO_CI" "$(json json.json "' '.join(map(str, (r['schema'], r['zone'],
    len(r['intensities']), r['intensities'][0]['kgco2eq_per_kwh'], float(r['known_s']), r['source_id'])))")"
live nulls energy-charts DE --json gaps.json
live contradiction neso --json notices.json
live good odre --json odre.json
live good energidata DK1 --json energidata.json
live many neso --json kept.json
CARBON_ELECTRICITY_MAPS_KEY=$key live good electricity-maps DE --json maps.json
CARBON_WATTTIME_KEY=me:secret-word live good watttime CAISO_NORTH --json watttime.json
check 'JSON: what the service does not say' 'None None' "$(json gaps.json "' '.join(map(str, (r['basis'], r['scope'])))")"
check 'JSON: notices' True "$(json notices.json "any('two values' in notice['what'] for notice in r['notices'])")"
check_schema 'JSON: as the schema has it' {json,gaps,notices,odre,energidata,kept,maps,watttime}.json
table=$("$carbon" factors --live neso --live-url "http://127.0.0.1:$port/good" --from 2026-01-20 --to 2026-01-21)
check_match 'table' '^2026-01-20T06:30Z  2026-01-20T07:00Z      198.00  estimated$' "$table"
check_match 'mean' '^mean 261.00 gCO2eq/kWh of the 24 h 00 min known' "$table"
check_match 'live only' 'carbon factors .*--live neso' "$("$carbon" factors --from 2026-01-20 2>&1)"

# Nothing of HTTP or TLS is loaded for anything else.
LD_DEBUG=libs "$carbon" factors FR > out 2> loaded
LD_DEBUG=libs "$carbon" measure --baseline 0 -- true >> out 2>> loaded
check_absent 'no libcurl, no TLS' 'libcurl|libssl|libgnutls' "$(cat loaded)"
LD_DEBUG=libs "$carbon" factors --live neso --live-url "http://127.0.0.1:$port/loads" > out 2> loaded
check_match 'but for --live' 'libcurl' "$(cat loaded)"
finish
