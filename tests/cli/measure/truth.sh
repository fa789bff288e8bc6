#!/bin/bash
# SPDX-License-Identifier: MIT
# Every command beside every other, and one within another, over one machine with random faults, and over one without:
# what is told never exceeds the truth, what is missing is said, and nothing is where nothing was planted. CARBON_SEED=N
# is another world.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

preload=$helpers/.libs/sleeper.so
python=/usr/bin/python3
[ -e "$preload" ] || skip 'nothing can be preloaded'
! grep -qE '__(asan|tsan)_init' "$carbon" || skip 'nothing can be preloaded beside sanitizers'
export CARBON_LIBRARY=$builddir/.libs/libcarbon.so.1 PYTHONPATH=$source/python:$source/tests/helpers PYTHONDONTWRITEBYTECODE=1

# begin WORLD [HARM...]: its counters move from now on
begin() {
    local world=$1
    shift
    zone "$world" 262143328850 5000000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
    printf '%s\n' 'cpu  0 0 0 0 0 0 0 0 0 0' > "$world/proc/stat"
    for counter in "$world"/sys/class/powercap/*/energy_uj; do printf '%020d\n' 5000000000 > "$counter"; done
    echo 0 > "$world/slept"
    "$python" -B "$source/tests/helpers/world.py" "$world" "$seed" "$@" &
    until_true test -e "$world/moving"
}

# told WORLD NAME COMMAND...: carbon's command in the background, into NAME.out and NAME.err; its readings into NAME.readings
told() {
    local world=$1 name=$1-$2
    shift 2
    SLEPT=$PWD/$world/slept READINGS=$PWD/$name.readings LD_PRELOAD=$preload "$@" > "$name.out" 2> "$name.err" &
}

cat > pieces.py << 'PIECES'
import json, random, sys, time
import carbon

tree, seed, out = sys.argv[1:]
chance = random.Random(seed)
meter = carbon.Meter("FR", root=tree, keep_alive=True)
pieces, last = [], time.monotonic() + 11

def mark():
    return [meter.now(), time.monotonic_ns()]

def note(start, end):
    used = meter.between(start[0], end[0])
    pieces.append({"start_ns": start[0].time_ns, "end_ns": end[0].time_ns, "long": used.seconds > 0.1, "joules": used.joules,
                   "components": {name: used.components[name] for name in ("package", "memory")}, "seconds": used.seconds,
                   "at_least_j": used.at_least_j, "known_s": used.known_s, "unknown_s": used.unknown_s})

outer = mark()
time.sleep(0.2)
while time.monotonic() < last:
    inner = mark()
    time.sleep(chance.uniform(0.01, 1.5))
    end = mark()
    note(inner, end)
    note(outer, end)
    if chance.random() < 0.3:
        outer = end
meter.close()
json.dump(pieces, open(out, "w"))
PIECES

cat > scrapes.py << 'SCRAPES'
import json, re, sys, time, urllib.request

url, out = sys.argv[1:]
moments, last = [], time.monotonic() + 10
while time.monotonic() < last:
    before = time.monotonic_ns()
    text = urllib.request.urlopen(url + "/metrics").read().decode()
    moment = {"before_ns": before, "after_ns": time.monotonic_ns(), "energy_j": {}, "unknown_ns": {}, "power_w": {}}
    for name, domain, value in re.findall(r'^carbon_(\w+)\{domain="([^"]*)".*\} (\S+)$', text, re.M):
        if name == "energy_joules_total":
            moment["energy_j"][domain] = float(value)
        elif name == "power_watts":
            moment["power_w"][domain] = float(value)
        elif name == "unknown_seconds_total":
            moment["unknown_ns"][domain] = moment["unknown_ns"].get(domain, 0) + float(value) * 1e9
    moments.append(moment)
    time.sleep(0.7)
json.dump(moments, open(out, "w"))
SCRAPES

cat > updates.py << 'UPDATES'
import json, sys

moments = []
for line in sys.stdin:
    update = json.loads(line)
    if update["schema"] != "carbon.watch/1":
        continue
    moments.append({"time": update["time"], "elapsed_s": update["elapsed_s"], "energy_j": {d["name"]: d["energy_j"] for d in update["domains"]},
                    "unknown_ns": {d["name"]: d["unknown_s"] * 1e9 for d in update["domains"]},
                    "power_w": {d["name"]: d["w"] for d in update["domains"]}})
json.dump(moments, open(sys.argv[1], "w"))
UPDATES

printf '%s\n' 'name: steps' 'steps:' '- {name: a, run: [sleep, "0.9"]}' '- {name: b, run: [sleep, "1.3"]}' > steps.yaml

# everything WORLD: all commands beside one another
everything() {
    local world=$1 options=(--root "$1" --zone FR --settle 0)
    told "$world" measure "$carbon" measure -v "${options[@]}" --baseline 1 --runs 3 --json "$world-measure.json" \
        --samples "$world-measure.csv" --interval 0.7 -- sleep 1.7
    told "$world" outer "$carbon" measure -v "${options[@]}" --baseline 0 --json "$world-outer.json" -- \
        env READINGS="$PWD/$world-inner.readings" "$carbon" measure -v "${options[@]}" --baseline 0.5 --json "$world-inner.json" -- sleep 2.5
    told "$world" batch "$carbon" batch --verbose "${options[@]}" --baseline 0.6 --loops 3 --json "$world-batch.json" \
        --module 'a=sleep 1.1' --module 'b=sleep 0.8'
    told "$world" compare "$carbon" compare "${options[@]}" --baseline 0.5 --runs 3 --warmup 0 --json "$world-compare.json" \
        -- 'sleep 1.2' -- 'sleep 0.7'
    mkdir "$world-rows"
    told "$world" pipeline "$carbon" pipeline --details "${options[@]}" --baseline 0.5 --repeat 3 --no-ledger \
        --metrics-dir "$world-rows" --json "$world-pipeline.json" steps.yaml
    told "$world" probe "$carbon" probe "${options[@]}" --baseline 0.5 --time 1 --runs 3 --loads idle,cpu --threads 1 \
        --json "$world-probe.json"
    told "$world" watch "$carbon" sources --watch --root "$world" --interval 0.4 --count 26 --json "$world-watch.jsonl"
    told "$world" library "$python" pieces.py "$world" "$seed" "$world-library.json"
    told "$world" serve "$carbon" serve --root "$world" --listen 127.0.0.1:0 --resolution 0.3
    server=$!
    until_true grep -sq "listening at" "$world-serve.err"
    "$python" scrapes.py "$(sed -n 's/.*listening at \([^ ,]*\).*/http:\/\/\1/p' "$world-serve.err")" "$world-serve.json"
    kill "$server"
    wait
}

# judge WORLD FORM NAME: what truth.py says of it
judge() {
    local said
    said=$("$python" -B "$source/tests/helpers/truth.py" "$1" "$2" "$1-$3.json" "$1-$3.readings" 2>&1)
    check "$3, $1, seed $seed" '' "$(grep -v '^judged ' <<< "$said" | head -n 20)" || tail -n 3 "$1-$3.err"
    sed -n "s/^judged/$1 $3:/p" <<< "$said"
}

# As each run of a record was, so it comes out of the time series: energies, what is not known of them, and why.
cat > same.py << 'SAME'
import json, sys

record, again = (json.load(open(file)) for file in sys.argv[1:])
runs, recovered = (r["windows"]["runs"] for r in (record, again))
names = [[domain["name"] for domain in r["domains"]] for r in (record, again)]
holes = lambda window, of: [(of[hole["domain"]], hole["reason"], hole["unknown_s"]) for hole in window["holes"]]
if names[0] != names[1] or len(runs) != len(recovered):
    print(names, len(recovered), "runs of", len(runs))
for number, (was, now) in enumerate(zip(runs, recovered), 1):
    if holes(was, names[0]) != holes(now, names[1]):
        print("run", number, "holes", holes(was, names[0]), holes(now, names[1]))
    for field in "energy_uj", "duration_s", "gross_j", "counted":
        if was[field] != now[field]:
            print("run", number, field, was[field], now[field])
for field in "at_least", "unknown_s", "counted_unknown":
    if record[field] != again[field]:
        print(field, record[field], again[field])
for field in "gross_j", "net_j":
    was, now = record[field]["mean"], again[field]["mean"]
    if (was is None) != (now is None) or (field == "gross_j" and was != now):
        print(field, was, now)
SAME

seed=${CARBON_SEED:-1}
echo "seed $seed"
begin faulty reset sleep fail freeze jump zero
begin clean
everything faulty &
worlds=$!
everything clean &
wait "$worlds" $!
touch faulty/still clean/still
until_true test -e faulty/truth.json -a -e clean/truth.json
for world in faulty clean; do
    "$python" updates.py "$world-watch.json" < "$world-watch.jsonl"
    cat "$world"-rows/*.csv | "$python" -c 'import csv, json, sys
json.dump([row for row in csv.DictReader(sys.stdin) if row["timestamp"] != "timestamp"], sys.stdout)' > "$world-rows.json"
    cp "$world-pipeline.readings" "$world-rows.readings"
    cp "$world-pipeline.err" "$world-rows.err"
    judge "$world" rows rows
    cp "$world-outer.err" "$world-inner.err"
    judge "$world" measure outer
    judge "$world" measure inner
    "$carbon" recover --zone FR --no-ledger --json "$world-again.json" "$world-measure.csv" > "$world-again.out" 2>&1
    check "a time series, $world, seed $seed" '' "$("$python" same.py "$world-measure.json" "$world-again.json" 2>&1)"
    for form in measure batch compare pipeline probe; do
        judge "$world" "$form" "$form"
    done
    judge "$world" totals serve
    judge "$world" totals watch
    judge "$world" pieces library
done
finish
