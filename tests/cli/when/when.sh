#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon when: the best start to the second, what is no gain, gaps, zones, forms, waiting, and the hours around a change to
# or from daylight saving.
. "$(dirname "$0")/../lib.sh"

unset http_proxy https_proxy HTTPS_PROXY ALL_PROXY all_proxy XDG_CACHE_HOME
export TZ=UTC
exec 9> >(exec /usr/bin/python3 "$source/tests/helpers/grid.py" log ports > server.txt 2>&1)
served ports server.txt
read -r port _ < ports

# The half hour of the present, for the server and for what is expected; it is not to end meanwhile.
[ $(($(date +%s) % 1800)) -lt 1785 ] || sleep 16
t0=$(($(date +%s) / 1800 * 1800))
iso() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ; }

# advise CASE [ARGUMENT ...]: the table in `out`, what is said in `said`, the status in $status.
advise() {
    local case=$1
    shift
    "$carbon" when --verbose --live-url "http://127.0.0.1:$port/$case-$t0" "$@" > out 2> said
    status=$?
}

# 300 g now and 100 g from three hours on until five; forecasts were 10 g off, so that a difference is by 14.14.
advise valley --zone GB --duration 2h --energy 1.3kWh --pue 1.2
check 'valley: status' 1 $status
check_match 'valley: whose' '^GB  Carbon Intensity API, NESO$' "$(cat out)"
check_match 'valley: now' '^now .* 300\.0 +468 gCO2eq$' "$(cat out)"
check_match 'valley: best' "^best    $(date -d "@$((t0 + 10800))" '+%Y-%m-%d %H:%M') \+0000 +in [23] h .* 100\.0 +156 gCO2eq$" \
    "$(cat out)"
check_match 'valley: worst' '^worst .* 300\.0 +468 gCO2eq$' "$(cat out)"
check_match 'valley: saving' '^saving  66\.7 % +200\.0 +312 gCO2eq$' "$(cat out)"
check_match 'valley: doubt' '^error +14\.1 +22\.1 gCO2eq$' "$(cat out)"
check_match 'valley: verdict' "^start at $(date -d "@$((t0 + 10800))" '+%Y-%m-%d %H:%M') \+0000 \(in [23] h .* min\): 67 % less, \
312 gCO2eq ± 22\.1 gCO2eq$" "$(cat out)"
check 'valley: 80 columns' '' "$(grep -v '^start at' out | grep -E '.{81}')"
check_match 'caveats' 'average intensity.*' "$(cat said)"
check_match 'caveats: inventory' 'reported by hourly factors' "$(cat said)"
check_match 'caveats: held node' 'adds its idle energy' "$(cat said)"
check 'caveats: once' 1 "$(grep -c 'idle energy' said)"

# The answer: the sentence first, then the starts, at most eight lines, of which none is longer than a narrow terminal's.
"$carbon" when --live-url "http://127.0.0.1:$port/valley-$t0" --zone GB --duration 2h --energy 1.3kWh --pue 1.2 > out 2> said
check_match 'answer: its first line' "^1:start at $(date -d "@$((t0 + 10800))" '+%Y-%m-%d %H:%M') \+0000 \(in [23] h .* min\): 67 % less, \
312 gCO2eq ± 22\.1 gCO2eq$" "$(grep -n . out | head -1)"
check_match 'answer: a start' '^  best +.* \+0000 +100\.0 +156 gCO2eq$' "$(cat out)"
check_match 'answer: the service' '^  source  GB, Carbon Intensity API, NESO; direct, PUE 1\.20, known until' "$(cat out)"
check 'answer: at most eight lines' '' "$(tail -n +9 out)"
check 'answer: nothing beside it' '' "$(cat said)"

advise valley --country UK --duration 2h --energy 1.3kWh --pue 1.2 --json - --quiet
check 'JSON' "1 gain $(iso $((t0 + 10800))) $(iso $((t0 + 10800))) 0.312 0.022062 66.667 0.468 GB neso direct 49" \
    "$status $(json out "' '.join(map(str, (r['advice']['saving']['verdict'], r['advice']['start'].replace('.000', ''),
    r['zones'][0]['best']['start'].replace('.000', ''), round(r['advice']['saving']['kgco2eq'], 9),
    round(r['advice']['saving']['doubt_kgco2eq'], 6), round(r['zones'][0]['saving']['percent'], 3),
    round(r['zones'][0]['now']['kgco2eq'], 9), r['zones'][0]['zone'], r['zones'][0]['service'], r['zones'][0]['basis'],
    r['zones'][0]['forecasts_judged'])))")"
cp out valley.json
advise valley --zone GB --duration 2h --quiet
check 'quiet' "1 $(date -d "@$((t0 + 10800))" +%Y-%m-%dT%H:%M:%S)" "$status $(cat out)"
check 'quiet: nothing else' '' "$(cat said)"
advise valley --zone GB --duration 2h
check_match 'without an energy' ': 67 % less, 200\.0 ± 14\.1 gCO2eq/kWh$' "$(cat out)"
check_absent 'without an energy: no mass' 'gCO2eq$' "$(grep -v gCO2eq/kWh out)"
# three hours: the two at 100 g and one at 300, before it or after it; of equal ones the earliest
advise valley --zone GB --duration 3h --json - --quiet
check 'partial' "$(iso $((t0 + 7200))) 0.166667" \
    "$(json out "r['advice']['start'].replace('.000', '') + ' ' + str(round(r['zones'][0]['best']['kgco2eq_per_kwh'], 6))")"

# What is no gain, and what is not known.
advise flat --zone GB --duration 2h
check 'flat' '0 no significant saving: start now' "$status $(tail -n 1 out)"
check_absent 'flat: of no waiting' 'idle energy' "$(cat said)"
advise flat --zone GB --duration 2h --quiet
check 'flat: quiet' '0 now' "$status $(cat out)"
advise unsure --zone GB --duration 2h
check "below the forecast's error" "0 no significant saving: start now (66.7 % less at best, below the forecast's error)" \
    "$status $(tail -n 1 out)"
advise gap --zone GB --duration 90m --quiet --json -
check 'gap: no start touches it' '0 300' \
    "$status $(json out "round(r['zones'][0]['worst']['kgco2eq_per_kwh'] * 1000)")"
advise gap --zone GB --duration 3h30m
check 'gap: now is not known' '0 start now: the saving is unknown' "$status $(tail -n 1 out)"
check_match 'gap: a notice' 'emissions of a start now are unknown: the forecast has a gap' "$(cat said)"
check_match 'gap: unknown in the table' '^now .* unknown$' "$(cat out)"
advise gap --zone GB --duration 3h30m --quiet --json -
check 'gap: null' 'unknown None None' \
    "$(json out "' '.join(map(str, (r['advice']['saving']['verdict'], r['zones'][0]['now']['kgco2eq_per_kwh'],
    r['advice']['saving']['percent'])))")"
cp out gap.json
advise short --zone GB --duration 1h
check "forecast ends before the deadline" "1 start at $(date -d "@$((t0 + 10800))" '+%Y-%m-%d %H:%M') +0000" \
    "$status $(tail -n 1 out | cut -c 1-31)"
check_match 'forecast ends: a notice' "GB is known until $(date -d "@$((t0 + 14400))" '+%Y-%m-%d %H:%M')" "$(cat said)"

# What cannot be: 125, in three parts.
refused() {
    refuses "$1" "^carbon: .*$2" "$carbon" when --verbose "${@:3}"
    check_match "$1: fix" '^   (fix|try):' "$(cat said)"
    check "$1: nothing on standard output" '' "$(cat out)"
}
url=http://127.0.0.1:$port
refused 'deadline too near' 'a job of 2 h 00 min cannot have ended by' --zone GB --duration 2h --until 1h
refused 'deadline too far' 'more than 7 days away' --zone GB --duration 2h --until 8d
refused 'deadline is no time' "until cannot be 'noon'" --zone GB --duration 2h --until noon
refused 'no duration' 'needs --duration or --like' --zone GB
refused 'bad duration' "duration needs a number with its unit, not '2'" --zone GB --duration 2
refused 'bad energy' "energy needs a number with its unit, not '2'" --zone GB --duration 2h --energy 2
refused 'service fails' 'gives no data' --zone GB --duration 2h --live-url "$url/status500" --live-timeout 5
check_match 'service fails: why' '^   why: it answered 500' "$(cat said)"
refused 'nothing is known that long' 'no start of the job is known' --zone GB --duration 5h --live-url "$url/short-$t0"
refused 'no zone' 'whose electricity' --duration 2h
refused 'no service' "no service without a key forecasts for 'US-CA'" --zone US-CA --duration 2h
check_match 'no service: names keys' 'fix: --live electricity-maps .*key' "$(cat said)"
refused 'no forecast' 'does not forecast' --zone FR --duration 2h --live odre
refused 'not covered' "does not cover 'FR'" --zone FR --duration 2h --live neso --live-url "$url/valley-$t0"
refused 'offline, nothing kept' 'no cached answer' --zone DK1 --duration 2h --offline
refused 'wait and zones' 'zones and --wait cannot be combined' --zones GB,DE --duration 2h --wait -- true
refused 'a command without --wait' "that 'true' is to be run" --zone GB --duration 2h -- true
refused '--wait without a command' 'no command to run' --zone GB --duration 2h --wait
refused 'like and duration' 'like and --duration cannot be combined' --zone GB --like run.json --duration 2h
"$carbon" when --verbose --zone GB --like run.json > out 2> said
check_match 'no such record' "125 carbon: cannot read 'run.json'" "$? $(cat said)"
refused 'empty name' 'empty name' --zones GB, --duration 2h
refused 'basis' 'has no lifecycle intensities' --zone GB --duration 2h --basis lifecycle --live-url "$url/valley-$t0"

# Several zones, told of by one service or by several.
advise valley --zones GB,DK1 --duration 2h --energy 1kWh
check_match 'zones: verdict' "^start at .* in GB: 67 % less, 200 gCO2eq ± 14\.1 gCO2eq$" "$(cat out)"
check_match 'zones: doubt of one is unknown' 'the forecast error of Energi Data Service' "$(cat said)"
check_match 'zones: services differ' 'of different services' "$(cat said)"
advise zones --zones GB,DK1 --duration 2h --energy 1kWh
check 'another zone: its status' "1 start now in DK1: 33 % less, 100 gCO2eq" "$status $(tail -n 1 out)"
advise zones --zones GB,DK1 --duration 2h -q
check 'another zone: now' '1 now' "$status $(cat out)"
advise zones --zones DK1,GB --duration 2h
check 'the first zone is the best' '0 no significant saving: start now in DK1' "$status $(tail -n 1 out)"
advise flat --zones DK1,DK2 --duration 30m --until 1h --json - --quiet
check 'zones alike: the first, now' "0 no-gain DK1 0" \
    "$status $(json out "' '.join(map(str, (r['advice']['saving']['verdict'], r['advice']['zone'], r['advice']['delay_s'])))")"
cp out zones.json
check 'zones: one service for all' 'energidata energidata' "$(json out "' '.join(z['service'] for z in r['zones'])")"
advise valley --zone aws:eu-central-1 --duration 2h
check_match 'a cloud region' '^DE  Energy-Charts' "$(cat out)"
check_match 'a cloud region: how it was understood' 'aws:eu-central-1 is taken as that of zone DE' "$(cat said)"
advise valley --zone DE --duration 2h --offline --quiet
check 'offline: what was kept' "1 $(date -d "@$((t0 + 10800))" +%Y-%m-%dT%H:%M:%S)" "$status $(cat out)"
advise valley --zones GB,DE --duration 2h
check_match 'zones: one service that has both' '^GB  Energy-Charts, Fraunhofer ISE$' "$(cat out)"

# A table in place of a service; a cloud region; another zone than the table's.
table() {
    echo start,end,gco2eq_per_kwh,zone
    for ((i = -1; i < 48; i++)); do
        echo "$(iso $((t0 + i * 1800))),$(iso $((t0 + i * 1800 + 1800))),$(($1)),$2"
    done
}
table 'i == 5 ? 120 : 200' GB > grid.csv
"$carbon" when --verbose --intensities grid.csv --duration 45m --energy 2MJ > out 2> said
check 'table: status' 1 $?
# 30 min at 120 and 15 at 200
check_match 'table: best' "^best    $(date -d "@$((t0 + 8100))" '+%Y-%m-%d %H:%M') .* 146\.7 +81\.5 gCO2eq$" "$(cat out)"
refused 'table of another zone' 'is of zone GB, not of FR' --intensities grid.csv --zone FR --duration 2h
refused 'table and service' 'cannot be combined' --intensities grid.csv --live neso --duration 2h
table 'i >= 4 ? 196 : 200' GB > near.csv
"$carbon" when --verbose --intensities near.csv --duration 30m > out 2> said
check 'under 5 %' '0 no significant saving: start now (2.0 % less at best, under 5 %)' "$? $(tail -n 1 out)"

# As an earlier run: half its time at a tenth of the energy, so that it is the second half that matters.
record() {
    cat > run.json << END
{"schema": "carbon.record/1", "scope": "compute", "complete": true, "domains": [{"name": "package-0", "source": "powercap",
 "counted": true}, {"name": "core", "source": "powercap", "counted": false}],
 "duration_s": {"mean": 3600, "count": 2}, "gross_j": {"mean": 7200000, "count": 2}, "windows": {"runs": [
 {"warmup": true, "ended": true, "duration_s": 3600, "slices": [{"start_s": 0, "duration_s": 1, "energy_uj": [1, 1]}]},
 {"warmup": false, "ended": true, "duration_s": 3000$1},
 {"warmup": false, "ended": true, "duration_s": 3600}]}}
END
}
record ', "slices": [{"start_s": 0, "duration_s": 1500, "energy_uj": [1000000, 9000000]},
    {"start_s": 1500, "duration_s": 1500, "energy_uj": [9000000, 1000000]}]'
table 'i == 4 || i == 8 || i == 9 ? 100 : 400' GB > grid.csv
"$carbon" when --verbose --intensities grid.csv --like run.json --json - > out 2> said
status=$?
check 'like: best is the first whose second half is low' "1 2 7200000 0.1 $(iso $((t0 + 14400)))" \
    "$status $(json out "' '.join(map(str, (r['job']['pieces'], round(r['job']['energy_j']),
    round(r['zones'][0]['best']['kgco2eq_per_kwh'], 9), r['advice']['start'].replace('.000', ''))))")"
table 'i == 4 ? 100 : 400' GB > grid.csv
"$carbon" when --verbose --intensities grid.csv --like run.json --json - > out 2> said
check 'like: the heavy half at the low half hour' "0.13 $(iso $((t0 + 5400)))" \
    "$(json out "str(round(r['zones'][0]['best']['kgco2eq_per_kwh'], 9)) + ' ' + r['advice']['start'].replace('.000', '')")"
record ''
"$carbon" when --verbose --intensities grid.csv --like run.json --json like.json > out 2> said
check 'like: flat without slices' "1 0.25 0.5" "$(json like.json "' '.join(map(str, (r['job']['pieces'],
    round(r['zones'][0]['best']['kgco2eq_per_kwh'], 9), round(r['zones'][0]['best']['kgco2eq'], 9))))")"
srcdir=$source sh "$source/tests/check-schema.sh" valley.json gap.json zones.json like.json > schema 2>&1
held=$?
[ $held = 77 ] || check 'the documents keep to the schema' "0 $(cat schema)" "$held $(cat schema)"

# Local time over a change of an hour from now: the zone's rule is made so that it lies there.
zone() {
    local at=$1 kind=$2 day far
    day=$((10#$(date -u -d "@$at" +%j) - 1))
    far=$(((day + 180) % 365))
    [ "$kind" = spring ] && echo "CET-1CEST,$day/$(date -u -d "@$at" +%H:%M:%S),$far/12" ||
        echo "CET-1CEST,$far/12,$day/$(date -u -d "@$at" +%H:%M:%S)"
}
TZ=$(zone $((t0 + 3600 + 3600)) spring) "$carbon" when --verbose --intensities grid.csv --duration 30m > out 2> said
check_match 'spring: before' '^now .* \+0100 ' "$(cat out)"
check_match 'spring: after' "^best    $(date -u -d "@$((t0 + 7200 + 7200))" '+%Y-%m-%d %H:%M') \+0200 " "$(cat out)"
TZ=$(zone $((t0 + 3600 + 7200)) autumn) "$carbon" when --verbose --intensities grid.csv --duration 30m > out 2> said
check_match 'autumn: before' '^now .* \+0200 ' "$(cat out)"
check_match 'autumn: after' "^best    $(date -u -d "@$((t0 + 7200 + 3600))" '+%Y-%m-%d %H:%M') \+0100 " "$(cat out)"
check 'autumn: quiet' "$(date -u -d "@$((t0 + 7200 + 3600))" +%Y-%m-%dT%H:%M:%S)" \
    "$(TZ=$(zone $((t0 + 3600 + 7200)) autumn) "$carbon" when --verbose --intensities grid.csv --duration 30m --quiet)"

# Where it only falls, the best start is the last one whose job has ended by the deadline: three hours before it.
f0=$(($(date +%s) / 3600 * 3600))
{
    echo start,end,gco2eq_per_kwh
    for ((i = 0; i < 60; i++)); do
        echo "$(iso $((f0 + i * 3600))),$(iso $((f0 + i * 3600 + 3600))),$((600 - 8 * i))"
    done
} > falling.csv
"$carbon" when --verbose --zone GB --duration 3h --until 48h --intensities falling.csv --json falling.json > out 2> said
check 'falling: three hours before the end' 162000 "$(json falling.json 'round(r["advice"]["delay_s"])')"

# Waiting: two minutes of work that may start five seconds on at the latest, in a minute of much and then none.
[ "$(date +%-S)" -lt 56 ] || sleep 5
m0=$(($(date +%s) / 60 * 60))
{
    echo start,end,gco2eq_per_kwh
    for ((i = -1; i < 10; i++)); do
        echo "$(iso $((m0 + i * 60))),$(iso $((m0 + i * 60 + 60))),$((i < 1 ? 1000 : 0))"
    done
} > minutes.csv
begin=$(date +%s%N)
"$carbon" when --verbose --intensities minutes.csv --duration 2m --until 125s --wait -- sh -c 'date +%s%N; exit 7' > out 2> said
check 'wait: the exit status' 7 $?
waited_ms=$((($(cat out) - begin) / 1000000))
check 'wait: it waited' yes "$([ $waited_ms -ge 500 ] && [ $waited_ms -lt 20000 ] && echo yes || echo "$waited_ms ms")"
check_match 'wait: the advice is told beside' '^start at ' "$(cat said)"
"$carbon" when --verbose --intensities near.csv --duration 30m --wait -q -- sh -c 'echo "$0 $1"; exit 3' a b > out 2> said
check 'wait: no gain, at once' '3 a b ' "$? $(cat out) $(cat said)"
"$carbon" when --verbose --intensities near.csv --duration 30m --wait -q -- no-such-command-at-all > out 2> said
check 'wait: not found' 127 $?
check_match 'wait: not found, said' "cannot run 'no-such-command-at-all'" "$(cat said)"
"$carbon" when --verbose --intensities near.csv --duration 30m --wait -q -- ./near.csv > out 2> said
check 'wait: no program' 126 $?
"$carbon" when --verbose --intensities near.csv --duration 30m --wait -q -- sh -c 'kill -PIPE $$' > out 2> said
check 'wait: SIGPIPE as it was' 141 $?
if [ "$(id -u)" = 0 ]; then
    open_to_all
    chmod 644 near.csv
    check 'wait: under sudo the job is the caller'"'s" '65534 65534' "$(SUDO_UID=65534 SUDO_GID=65534 SUDO_USER=nobody \
        "$carbon" when --verbose --intensities near.csv --duration 30m --wait -q -- sh -c 'echo "$(id -u) $(id -g)"' 2> said)"
fi
for signal in INT TERM; do
    env --default-signal=INT "$carbon" when --verbose --intensities grid.csv --duration 30m --wait -- touch ran > out 2> said &
    pid=$!
    until_true grep -sq '^start at' said
    kill -s $signal $pid
    wait $pid
    status=$?
    check "SIG$signal while it waits: status" $((128 + $(kill -l $signal))) $status
    check "SIG$signal while it waits: not run" '' "$(ls ran 2> /dev/null)"
done
finish
