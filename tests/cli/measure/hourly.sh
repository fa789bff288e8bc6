#!/bin/bash
# SPDX-License-Identifier: MIT
# Accounting by the hour: measure --live and --intensities, restate --with and --samples. Sums against the same by hand,
# every fault of a server, and nothing of a measurement lost by it.
. "$(dirname "$0")/../lib.sh"

unset http_proxy https_proxy HTTPS_PROXY ALL_PROXY all_proxy XDG_CACHE_HOME
exec 9> >(exec /usr/bin/python3 "$source/tests/helpers/grid.py" log ports > server.txt 2>&1)
served ports server.txt
read -r port _ < ports

# A machine whose package counts 20 J in each step of the job, its memory nothing.
tree=$work/tree
zone=$tree/sys/class/powercap/intel-rapl:0
mkdir -p "$zone" "$tree/proc"
printf 'package-0\n' > "$zone/name"
echo 262143328850 > "$zone/max_energy_range_uj"
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu\n' > "$tree/proc/cpuinfo"
cat > job << 'JOB'
#!/bin/bash
# job STEPS: 20 J every 0.3 s
for ((i = 1; i <= $1; i++)); do
    sleep 0.3
    echo $((1000000 + i * 20000000)) > "$ZONE/energy_uj.new"
    mv "$ZONE/energy_uj.new" "$ZONE/energy_uj.next"
    cat "$ZONE/energy_uj.next" > "$ZONE/energy_uj"
done
exit "${2:-0}"
JOB
chmod +x job
export ZONE=$zone
measure() { # measure ARGUMENTS... [-- COMMAND]: of the tree, without a baseline
    echo 1000000 > "$zone/energy_uj"
    CARBON_BASELINE=0 "$carbon" measure -v --root "$tree" "$@" > out 2> said
    status=$?
}

# The sum by hand over what the record holds, to 1e-12: gross and net, run by run.
cat > byhand.py << 'PY'
import json, sys
from datetime import datetime, timedelta, timezone
from fractions import Fraction
r = json.load(open(sys.argv[1]))
# whole nanoseconds: a double of the seconds since 1970 has not even microseconds
epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
at = lambda text: (datetime.fromisoformat(text.replace("Z", "+00:00")) - epoch) // timedelta(microseconds=1) * 1000
grid = [(at(i["start"]), at(i["end"]), i["kgco2eq_per_kwh"]) for i in r["hourly"]["intensities"]]
counted = [i for i, d in enumerate(r["domains"]) if d["counted"]]
gross = net = 0
runs = [x for x in r["windows"]["runs"] if x["counted"]]
for run in runs:
    slices = run["slices"] or [dict(started_at=run["started_at"], duration_s=run["duration_s"], energy_uj=run["energy_uj"])]
    assert [sum(s["energy_uj"][i] for s in slices) for i in counted] == [run["energy_uj"][i] for i in counted]
    assert abs(sum(s["duration_s"] for s in slices) - run["duration_s"]) < 1e-9
    for s in slices:
        energy_j = sum(s["energy_uj"][i] for i in counted) / 1e6
        start, end = at(s["started_at"]), at(s["started_at"]) + round(s["duration_s"] * 1e9)
        price = float(sum(Fraction(min(e, end) - max(b, start), end - start) * Fraction(v)
                          for b, e, v in grid if b < end and e > start))
        gross += energy_j * price
        if run["idle_j"] is not None:
            net += (energy_j - run["idle_j"] / run["duration_s"] * s["duration_s"]) * price
for name, sum_ in ("gross", gross), ("net", net):
    held = r["emissions"][name]["kgco2eq"]
    by_hand = sum_ / 3.6e6 * r["pue"]["value"] / len(runs)
    if held is not None:
        print(name, "good" if abs(held - by_hand) <= 1e-12 * abs(by_hand) + 1e-24 else f"{held} is not {by_hand}")
PY
by_hand() { /usr/bin/python3 byhand.py "$1" 2>&1; }

# A table of seconds cannot be: of minutes, each dearer than the one before, beginning a quarter of an hour ago.
minutes_of_grid 90 7 > grid.csv
measure --zone GB --pue 1.25 --slice 1 --intensities grid.csv --json a.json --csv a.csv -- ./job 5
check 'by a table: status' 0 $status
check 'by a table: the sum by hand' 'gross good' "$(by_hand a.json)"
check 'all of it is told' 'True 1' "$(json a.json '(r["hourly"]["parts"]["actual"] == 1, r["hourly"]["covered"])' | tr -d '(),')"
check 'cut at full seconds' True "$(json a.json 'len(r["windows"]["runs"][0]["slices"]) >= 2 and all(s["started_at"][-4:-1] < "100" for s in r["windows"]["runs"][0]["slices"][1:])')"
check 'the year keeps its factor' True "$(json a.json 'abs(r["emissions"]["gross"]["kgco2eq_per_year"] / (r["emissions"]["gross"]["facility_kwh"] / r["duration_s"]["mean"] * 3600 * 8760 * r["factor"]["kgco2eq_per_kwh"]) - 1) < 1e-12')"
check 'the difference from the year' True "$(json a.json 'abs(r["hourly"]["yearly"]["gross_kgco2eq"] - r["emissions"]["gross"]["facility_kwh"] * r["factor"]["kgco2eq_per_kwh"]) < 1e-15 and r["hourly"]["yearly"]["gross_difference_kgco2eq"] == r["emissions"]["gross"]["kgco2eq"] - r["hourly"]["yearly"]["gross_kgco2eq"]')"
check_match 'the table tells it' 'hourly [0-9.]+ gCO2eq/kWh by the energy.s own hours: GB, grid.csv; lifecycle' "$(cat said)"
check_match 'and the difference' 'at the yearly factor would be' "$(tr -s ' \n' ' ' < said)"
check 'CSV' "$(json a.json 'r["hourly"]["yearly"]["gross_kgco2eq"]')" "$(/usr/bin/python3 -c 'import csv; print(next(csv.DictReader(open("a.csv")))["yearly_gross_kgco2eq"])')"
"$carbon" verify a.json > out 2>&1
check 'it comes again' 0 $?
/usr/bin/python3 -c 'import json
r = json.load(open("a.json"))
for i in r["hourly"]["intensities"]: i["kgco2eq_per_kwh"] += 1e-9
json.dump(r, open("changed.json", "w"))'
"$carbon" verify changed.json > out 2>&1
check 'a changed intensity is found' 1 $?
check_match 'and what it changes' 'emissions.gross.kgco2eq holds' "$(cat out)"
measure --zone GB --runs 2 --slice 1 --baseline 0.5 --intensities grid.csv --json b.json -- ./job 2
check 'two runs with net' "$(printf 'gross good\nnet good')" "$(by_hand b.json)"

# The counter begins again within the job: what is known of it is laid on the hours, as a lower bound.
measure --zone GB --slice 1 --intensities grid.csv --json hole.json --html hole.html -- sh -c './job 2; sleep 1.2; echo 0 > "$ZONE/energy_uj"; sleep 1.2'
check 'a hole: a lower bound of the mass' 'True True None' "$(json hole.json '"%s %s %s" % (r["at_least"], r["emissions"]["gross"]["kgco2eq"] > 0, r["emissions"]["net"]["kgco2eq"])')"
check 'a hole: the sum by hand' 'gross good' "$(by_hand hole.json)"
check 'a hole: beside the year' True "$(json hole.json 'r["hourly"]["covered"] == 1 and abs(r["hourly"]["yearly"]["gross_kgco2eq"] - r["emissions"]["gross"]["facility_kwh"] * r["factor"]["kgco2eq_per_kwh"]) < 1e-15')"
check_match 'a hole: the mass is said so' 'gross +at least [0-9.]+ [^ ]*gCO2eq = ' "$(cat said)"
check_match 'a hole: the difference, too' 'gross at the yearly factor would be at least' "$(tr -s ' \n' ' ' < said)"
check_match 'a hole: the page, too' 'emissions, at least' "$(cat hole.html)"
"$carbon" verify hole.json > out 2>&1
check 'a hole: it comes again' 0 $?

# A service, asked once the job has ended. Half hours of 100 + day + five minutes since midnight, in g.
measure --zone GB --live neso --live-url "http://127.0.0.1:$port/good" --json live.json -- sh -c 'ls log > during 2>&1; ./job 2'
check 'live: status' 0 $status
check_match 'live: nothing is asked while the job runs' 'No such file' "$(cat during)"
check 'live: asked after it' 1 "$(grep -c ' /good/' log)"
check 'live: the yearly factor is of the same basis' 'direct direct' "$(json live.json 'r["hourly"]["basis"] + " " + r["factor"]["basis"]')"
check 'live: grid losses are within' None "$(json live.json 'r["emissions"]["td_losses"]')"
check 'live: the intensity is that of now' True "$(json live.json '(lambda t: r["hourly"]["intensities"] and any(i["start"] <= t[:16] + "Z" < i["end"] and abs(i["kgco2eq_per_kwh"] - (100 + int(t[8:10]) + (int(t[11:13]) * 60 + int(t[14:16]) // 30 * 30) // 5) / 1000) < 0.0015 for i in r["hourly"]["intensities"]))(r["started_at"])')"
check 'live: the answer is told' True "$(json live.json 'r["hourly"]["answers"][0]["url"].startswith("http://127.0.0.1") and next(p for p in r["provenance"] if p["figure"] == "emissions.gross.kgco2eq")["retrieved_at"][:10] == r["started_at"][:10]')"
"$carbon" verify live.json > out 2>&1
check 'live: it comes again' 0 $?
measure --zone GB --live neso --live-url "http://127.0.0.1:$port/good" --offline --json kept.json -- ./job 1
check 'offline: from what was kept' 'True True' "$(json kept.json 'f"""{r["hourly"]["answers"][0]["kept"]} {r["hourly"]["covered"] == 1}"""')"

# Whatever the server does: the job's status, its energy, the table's factor, said so, within the time.
# Each on a machine of its own, six at a time.
cases=(status401 status403 status404 status429 status500 waitlong slow drip html empty nothing type huge bomb truncated cut
    away round)
fault() { # fault CASE: the record in CASE.json, the status and the seconds in CASE.end
    local begun=$SECONDS own=$work/tree-$1 timeout=1
    [ "$1" != away ] || timeout=60 # this one answers
    cp -r "$tree" "$own"
    echo 1000000 > "$own/sys/class/powercap/intel-rapl:0/energy_uj"
    ZONE=$own/sys/class/powercap/intel-rapl:0 XDG_CACHE_HOME=$work/cache-$1 "$carbon" measure -v --root "$own" --baseline 0 \
        --zone GB --live neso --live-timeout $timeout --live-url "http://127.0.0.1:$port/$1" --quiet --json "$1.json" -- ./job 1 7 > /dev/null 2>&1
    echo "$? $((SECONDS - begun))" > "$1.end"
}
for ((i = 0; i < ${#cases[@]}; i += 6)); do
    waited=()
    for case in "${cases[@]:i:6}"; do
        fault "$case" &
        waited+=($!)
    done
    wait "${waited[@]}"
done
for case in "${cases[@]}"; do
    read -r status seconds < "$case.end"
    [ "$case" = away ] && { check 'away: followed, without a key' '7 1' "$status $(json away.json 'r["hourly"]["covered"]')"; continue; }
    check "$case: the job's status" 7 "$status"
    check "$case: the year stands in" '20 1 0' "$(json "$case.json" '"%.10g %g %g" % (r["gross_j"]["mean"], r["hourly"]["parts"]["yearly"], r["hourly"]["covered"])')"
    check "$case: it is told" True "$(json "$case.json" 'any("all of the energy is at the yearly factor" == n["what"] for n in r["notices"]) and r["emissions"]["gross"]["kgco2eq"] == r["hourly"]["yearly"]["gross_kgco2eq"]')"
    [ "$seconds" -le 15 ] || check "$case: within the time" 'at most 15 s' "$seconds s"
    tried 1 'A service answers wrongly'
done
check 'offline with nothing kept' 7 "$(measure --zone GB --live neso --offline --json f.json -- ./job 1 7; echo $status)"
check 'and the record names no basis of hours' 'None the yearly factor; no hourly data' "$(json f.json 'str(r["hourly"]["basis"]) + " " + next(p for p in r["provenance"] if p["figure"] == "emissions.gross.kgco2eq_per_kwh")["method"]')"
check_match 'in words, too' 'hourly [0-9.]+ gCO2eq/kWh, the yearly factor; no hourly data: GB, ' "$(tr -s ' \n' ' ' < said)"
check_absent 'and no hours are claimed' "energy's own hours" "$(cat said)"
measure --zone GB --live neso --live-url "http://127.0.0.1:$port/nulls" --json nulls.json -- ./job 1
tried 1 'A service answers wrongly'
check 'nulls: never a wrong number' True "$(json nulls.json 'abs(sum(r["hourly"]["parts"].values()) - 1) < 1e-12 and r["emissions"]["gross"]["kgco2eq_per_kwh"] > 0.1')"

# Ctrl-C while it is asked ends the asking; a kill leaves what was measured.
asked_slow() { grep -c ' /slow/' log; }
asked_again() { [ "$(asked_slow)" -gt "$before" ]; }
before=$(asked_slow)
echo 1000000 > "$zone/energy_uj"
"$carbon" measure -v --root "$tree" --baseline 0 --zone GB --live neso --live-timeout 60 --live-url "http://127.0.0.1:$port/slow" \
    --json c.json -- ./job 1 7 > out 2> said &
pid=$!
until_true asked_again
kill -TERM $pid
wait $pid
check 'interrupted while asking: the job'"'"'s status' 7 $?
check 'interrupted while asking: what came' '20 1' "$(json c.json '"%.10g %g" % (r["gross_j"]["mean"], r["hourly"]["parts"]["yearly"])')"
check_match 'interrupted while asking: it is told' 'interrupted while it waited' "$(tr -s ' \n' ' ' < said)"
echo 1000000 > "$zone/energy_uj"
before=$(asked_slow)
"$carbon" measure -v --root "$tree" --baseline 0 --zone GB --live neso --live-timeout 60 --live-url "http://127.0.0.1:$port/slow" \
    --json k.json -- ./job 1 7 > out 2> said &
pid=$!
until_true asked_again
kill -KILL $pid
wait $pid 2> /dev/null
tried 1 'A service answers wrongly'
check 'killed while asking: the record is whole' '20 True' "$(json k.json.partial '"%.10g %s" % (r["gross_j"]["mean"], r["complete"])')"

# What cannot be is told before the job runs.
refused() { # refused NAME REGEX ARGUMENTS...
    local name=$1 regex=$2
    shift 2
    rm -f ran
    measure "$@" -- touch ran
    check "$name: status" 125 $status
    check_match "$name: why" "$regex" "$(tr -s ' \n' ' ' < said)"
    check "$name: nothing was run" no "$([ -e ran ] && echo yes || echo no)"
}
refused 'advice alone' 'WattTime.* is for advice only' --zone US-CA --live watttime
refused 'no zone' 'needs a zone.*the service has GB.*fix: carbon .*--zone GB' --live neso
refused 'another zone' "does not cover 'FR'.*--live-zone ZONE" --zone FR --live neso
refused 'two of them' 'cannot be combined' --zone GB --live neso --intensities grid.csv
refused 'a basis it has not' 'has no lifecycle intensities' --zone GB --live neso --basis lifecycle
refused 'no such table' "cannot open 'none.csv'|none.csv" --zone GB --intensities none.csv
echo 'time,much' > bad.csv
refused "another country's hours" "'grid.csv' is of zone GB, not of DE.*--zone or --live-zone GB" --zone DE --intensities grid.csv
refused 'nor of a region there' "is of zone GB, not of aws:eu-central-1" --zone aws:eu-central-1 --intensities grid.csv
refused 'no key' 'wants a key.*ELECTRICITY_MAPS' --zone FR --live electricity-maps
measure --zone UK --intensities grid.csv --json uk.json -- true
check 'by another name of it' '0 GB' "$status $(json uk.json 'r["hourly"]["zone"]')"
measure --zone aws:eu-west-2 --intensities grid.csv --json region.json -- true
check 'of a region there' '0 GB' "$status $(json region.json 'r["hourly"]["zone"]')"
measure --zone DE --live-zone GB --intensities grid.csv -- true
check 'where they are named' 0 $status
refused 'no table of intensities' 'is not a table of intensities over time' --zone GB --intensities bad.csv
measure --zone DK --live energidata --live-zone DK1 --live-url "http://127.0.0.1:$port/good" --json dk.json -- sleep 0.1
check 'a zone as the service calls it' 'DK1 DK' "$(json dk.json 'r["hourly"]["zone"] + " " + r["factor"]["zone"]')"

# What is written is as the schema says.
if /usr/bin/python3 -c 'import jsonschema' 2> /dev/null; then
    for record in a live kept round f nulls c dk; do
        check "schema: $record" '' "$(/usr/bin/python3 -c 'import json, sys, jsonschema
for e in jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).iter_errors(json.load(open(sys.argv[2]))):
    print(list(e.absolute_path), e.message[:200])' "$source/docs/report-schema.json" $record.json)"
    done
fi

# restate: to the same, to what is known later, to the year, to another zone.
strip() { /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
for key in "id", "parent", "restated_at": r.pop(key)
print(json.dumps(r))' "$1"; }
"$carbon" restate a.json --json same.json > out 2>&1
check 'restate to the same' "$(strip a.json)" "$(strip same.json)"
"$carbon" restate a.json --intensities x > out 2>&1
"$carbon" restate a.json --with grid.csv --json same.json > out 2>&1
check 'restate with the same table' "$(strip a.json)" "$(strip same.json)"
"$carbon" restate a.json --zone DE --with grid.csv > out 2>&1
check_match "restate with another country's hours" "^125 .*'grid.csv' is of zone GB, not of DE" "$? $(cat out)"
"$carbon" restate a.json --with yearly --json year.json > out 2>&1
check 'restate to the year' 'True None' "$(json year.json 'f"""{r["emissions"]["gross"]["kgco2eq"] == r["emissions"]["gross"]["facility_kwh"] * r["factor"]["kgco2eq_per_kwh"]} {r["hourly"]}"""')"
"$carbon" restate year.json --with grid.csv --json back.json > out 2>&1
check 'and back' "$(json a.json 'r["emissions"]')" "$(json back.json 'r["emissions"]')"
check 'it names its parent' "$(json year.json 'r["id"]')" "$(json back.json 'r["parent"]["id"]')"
"$carbon" restate live.json --with neso --live-url "http://127.0.0.1:$port/list" --json later.json > out 2>&1
check 'restate with a service' 'GB neso True' "$(json later.json 'r["hourly"]["zone"] + " " + r["hourly"]["service"] + " " + str(r["hourly"]["covered"] == 1)')"
"$carbon" restate live.json --zone FR --with neso --live-url "http://127.0.0.1:$port/list" > out 2>&1
check_match 'restate of another zone with its service' "^125 .*does not cover 'FR'" "$? $(cat out)"
rm -rf "$HOME/.cache"
"$carbon" restate live.json --with neso --live-url "http://127.0.0.1:$port/status500" --live-timeout 1 --json no.json > out 2>&1
check 'restate with a service that fails' '125 no' "$? $([ -e no.json ] && echo yes || echo no)"
"$carbon" restate a.json --zone FR > out 2>&1
check 'another zone needs other hours' 125 $?
check_match 'and says so' 'by the hours of GB.*--with yearly' "$(tr -s ' \n' ' ' < out)"
"$carbon" restate a.json --zone FR --with yearly --json fr.json > out 2>&1
check 'another zone by the year' 'FR None' "$(json fr.json 'r["factor"]["zone"] + " " + str(r["hourly"])')"

# The time series gives finer slices than the record has.
measure --zone GB --samples s.csv --interval 0.1 --json s.json -- ./job 5
"$carbon" restate s.json --samples s.csv --slice 1 --with grid.csv --json fine.json > out 2>&1
check 'slices from samples: status' 0 $?
check 'slices from samples: the sum by hand' 'gross good' "$(by_hand fine.json)"
check 'slices from samples: cut' True "$(json fine.json 'len(r["windows"]["runs"][0]["slices"]) >= 2 and all(s["started_at"].endswith(".000Z") for s in r["windows"]["runs"][0]["slices"][1:])')"
"$carbon" verify fine.json > out 2>&1
check 'slices from samples: it comes again' 0 $?
strange() { # strange NAME REGEX COMMAND...: the time series as the command makes it is refused
    "${@:3}" < s.csv > s2.csv
    "$carbon" restate s.json --samples s2.csv --slice 1 > out 2>&1
    check "$1: status" 125 $?
    check_match "$1: why" "$2" "$(tr -s ' \n' ' ' < out)"
}
strange 'another machine' 'its columns are not those' sed 's/package-0_uj/psys_uj/'
strange 'an end that is missing' 'a run is longer or shorter there' sed '$d'
strange 'another energy' 'a run has another energy there' sed '$s/[0-9],$/1&/'
strange 'nothing' 'does not have all of the record.s runs' sed '1q'
strange 'a line cut short' "line $(wc -l < s.csv) is malformed.* it has no end" head -c -5
strange 'no number' 'line 3 is malformed.* not a whole number of microjoules' sed '3s/,run,1,.*/,run,1,x/'
strange 'too many values' 'line 3 is malformed.* more values' sed '3s/$/,1/'
strange 'too few values' 'line 3 is malformed.* not as many values' sed '3s/,[0-9]*,$/,/'
strange 'less than before' 'is malformed.* less than before' sed '$s/,run,1,.*/,run,1,1/'
finish
