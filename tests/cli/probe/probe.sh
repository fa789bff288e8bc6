#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon probe: what draws how much, on counters that move as the loads are run.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

# drawn.py TREE PLAN COMMAND...: runs the command, and moves the counters of TREE by what the loads that run below it draw:
# PLAN has a line "LOAD THREADS ZONE=WATTS ..." for each, and "- 0 ..." for none. A load draws from when it is let go from
# its gate until it is reaped, which is what its window holds, however long it waits for a CPU before its exec, gives its
# memory back (and has no command line any more), or carbon is kept from noticing its end. Where other work kept the mover
# itself, or carbon while the load stood at its gate, powers are not those of the plan: the file `late` says by how much.
cat > "$work/drawn.py" << 'EOF'
import os, subprocess, sys, time
MAX_LATE_S = 0.02
tree, plan = sys.argv[1], {}
for line in open(sys.argv[2]):
    load, threads, *watts = line.split()
    plan[load, threads] = {zone: float(w) for zone, w in (pair.split("=") for pair in watts)}
idle = plan["-", "0"]
zones = {zone: f"{tree}/sys/class/powercap/{zone}/energy_uj" for zone in idle}
energy = {zone: float(open(path).read()) for zone, path in zones.items()}
counters = {zone: os.open(path, os.O_WRONLY) for zone, path in zones.items()}
draws, at_gate = {}, {}  # by child: its watts; since when and until when it was seen at its gate


def look(child):
    """Whether it stands at its gate; its watts once it has become a load."""
    words = open(f"/proc/{child}/cmdline").read().split("\0")
    if "--load" in words:
        load, threads = words[words.index("--load") + 1], words[words.index("--threads") + 1]
        draws[child] = plan.get((load, threads)) or plan.get((load, "0")) or idle
    return child not in draws and open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0] == "S"


try:
    os.setpriority(os.PRIO_PROCESS, 0, -20)  # carbon and its loads too
except OSError:
    pass
carbon = subprocess.Popen(sys.argv[3:])
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
last, late = time.monotonic(), 0
while carbon.poll() is None:
    watts, owed_s = idle, 0
    try:
        for child in open(f"/proc/{carbon.pid}/task/{carbon.pid}/children").read().split():
            if child not in draws:
                if look(child):
                    at_gate[child] = at_gate.get(child, (last,))[0], time.monotonic()
                elif child in draws and child in at_gate:
                    owed_s = max(0, last - at_gate[child][1])
                    late = max(late, at_gate[child][1] - at_gate[child][0])
            watts = draws.get(child, watts)
    except OSError:
        pass
    now = time.monotonic()
    for zone, counter in counters.items():
        energy[zone] += (watts[zone] * (now - last) + (watts[zone] - idle[zone]) * owed_s) * 1e6
        os.pwrite(counter, b"%020d\n" % int(energy[zone]), 0)
    late = max(late, now - last)
    last = now
    time.sleep(0.003)
if late > MAX_LATE_S:
    print(late, file=open("late", "w"))
sys.exit(carbon.returncode)
EOF
# add_zone TREE ZONE NAME
add_zone() {
    mkdir -p "$1/sys/class/powercap/$2"
    echo "$3" > "$1/sys/class/powercap/$2/name"
    printf '%020d\n' 1000000000 > "$1/sys/class/powercap/$2/energy_uj"
    echo 262143328850 > "$1/sys/class/powercap/$2/max_energy_range_uj"
}
probe() { # TREE PLAN ARGUMENT...
    local tree=$1 plan=$2 status
    shift 2
    for _ in 1 2 3; do # what moves the counters may be kept from it by what else runs
        rm -f late
        /usr/bin/python3 "$work/drawn.py" "$tree" "$plan" "$carbon" probe --verbose --root "$tree" --folder "$work" --settle 0 "$@" \
            > "$work/probe.out" 2> "$work/probe.err"
        status=$?
        [ -e late ] || break
    done
    late=$(cat late 2> /dev/null)
    rm -f late
    cat "$work/probe.out"
    cat "$work/probe.err" >&2
    return $status
}
# keep FILE: it is held to the schema at the end
mkdir "$work/kept"
keep() { cp "$1" "$work/kept/$((++kept)).json"; }
kept=0
# Whether the counters moved as the plan has it, in one of three tries; where they did not, no power can be judged by it.
timely() { # NAME
    [ -z "$late" ] && return
    echo "not tested: $1: this machine has other work, and the counters were late by $late s, three times"
    return 1
}
# What a load is found to draw, within so many watts.
part() { # NAME LOAD PART WATTS TOLERANCE
    timely "$1: $2 $3" || return 0
    check "$1: $2 $3" True "$(json r.json "(lambda w: w if abs(w - $4) >= $5 else True)([l for l in r['loads'] if l['name'] == '$2'][0]['parts']['$3']['w'])")"
}
# C(b) of docs/METHOD.md, through what the cpu loads drew beyond VALUE of a load.
cat > "$work/curve.py" << 'EOF'
import json, sys
r = json.load(open("r.json"))
loads = {l["name"]: l for l in r["loads"]}
def net(l): # of what is not memory's own, where that is measured
    w = {k: v["mean"] for k, v in l["net_w"].items() if v}
    n = w["machine"] if "machine" in w else w["package"] + w.get("memory", 0)
    return n - w.get("memory", 0)
def curve(b):
    low, points = (0, 0), sorted((l["busy_cpus"], net(l)) for l in r["loads"] if l["kind"] == "cpu")
    for high in points:
        if high[0] >= b or high == points[-1]:
            return low[1] + (b - low[0]) / (high[0] - low[0]) * (high[1] - low[1])
        low = high
l = loads[sys.argv[1]]
cpu, other = l["parts"]["cpu"]["w"], l["parts"][sys.argv[2]]["w"]
expected = curve(l["busy_cpus"])
print("right" if abs(cpu - expected) < 1e-6 and abs(other - (net(l) - expected)) < 1e-6 else (cpu, expected, other, net(l)))
EOF

# With meters of package and memory. Standing there: 20 + 2 W.
zone tree 262143328850 1000000000
add_zone tree intel-rapl:0:0 dram
cat > plan << 'END'
- 0 intel-rapl:0=20 intel-rapl:0:0=2
cpu 1 intel-rapl:0=30 intel-rapl:0:0=2
cpu 2 intel-rapl:0=41 intel-rapl:0:0=2
memory 2 intel-rapl:0=37 intel-rapl:0:0=8
disk-write 0 intel-rapl:0=25 intel-rapl:0:0=2.5
END
probe tree plan --loads idle,cpu,memory,disk-write --threads 1,2 --runs 2 --time 0.4 --baseline 0.2 --zone FR --json r.json --csv r.csv > out 2> err
check 'it succeeds' 0 $?
check 'nothing on standard error where that is no terminal' '' "$(cat err)"
for load in idle 'cpu × 1' 'cpu × 2' 'memory × 2' disk-write; do
    part 'idle' "$load" idle 22 1
done
part 'idle' idle cpu 0 1
part 'one thread' 'cpu × 1' cpu 10 1
part 'two threads' 'cpu × 2' cpu 21 1.6
part 'computing takes no memory' 'cpu × 2' memory 0 0.3
part 'streaming' 'memory × 2' cpu 17 1.6
part 'streaming' 'memory × 2' memory 6 0.6
part "the disk's memory" disk-write memory 0.5 0.2
check 'the disk is what its CPU time is not' right "$(/usr/bin/python3 "$work/curve.py" disk-write io)"
check 'gross is the sum of the parts' True "$(json r.json 'all(abs(sum(p["w"] for p in l["parts"].values() if p) - l["total_gross_w"]) < 1e-9 for l in r["loads"])')"
check 'each run is there' True "$(json r.json 'all(len(l["runs"]) == 2 and l["error"] is None for l in r["loads"])')"
check 'nothing is assumed' True "$(json r.json 'not any(p["assumed"] for l in r["loads"] for p in l["parts"].values() if p)')"
check 'energy for each GiB' True "$(json r.json '(lambda l: l["j_per_gib"] is None or abs(l["j_per_gib"] - l["parts"]["memory"]["w"] / (l["bytes_per_s"] / 2**30)) < 1e-9)([l for l in r["loads"] if l["name"] == "memory × 2"][0])')"
check 'the year' True "$(json r.json 'abs(r["standing"]["kgco2eq_per_year"] - r["standing"]["w"] * 8.76 * r["factor"]["kgco2eq_per_kwh"]) < 1e-9')"
timely 'what is standing' && check 'what is standing' True "$(json r.json 'abs(r["standing"]["w"] - 22) < 0.5')"
check 'complete' 'True False carbon.probe/1' "$(json r.json 'r["complete"], r["interrupted"], r["schema"]' | tr -d "(),'")"
check 'the largest part' True "$(json r.json 'all(l["largest"] == max((p["w"], k) for k, p in l["parts"].items() if p)[1] for l in r["loads"])')"
keep r.json
said=$(cat out)
check_match 'the title' '^carbon probe  6 loads, 2 runs of 400 ms each, in turns$' "$said"
timely 'what is idle' && check_match 'what is idle' 'Doing nothing it draws 2[12]\.[0-9]+ W: the CPUs (19|20)\.[0-9]+ W, memory [12]\.[0-9]+ W\.' "$said"
check_match 'the answer' 'At the highest load' "$said"
check_match 'the meters' 'CPUs by package-0 \(powercap\), measured; memory by dram-0 \(powercap\), measured' "$(tr -s ' \n' ' ' <<< "$said")"
check_match 'what is missing' 'No whole-machine meter here' "$said"
check_absent 'what is not' 'No memory meter|modelled' "$said"
check 'at most 100 columns' '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' out)"
check 'a row for each load' 'idle cpu × 1 cpu × 2 memory × 1 memory × 2 disk-write' "$(/usr/bin/python3 -c '
import csv, json
r, rows = json.load(open("r.json")), list(csv.DictReader(open("r.csv")))
for row, load in zip(rows, r["loads"]):
    for part, p in load["parts"].items():
        assert row[part + "_w"] == ("" if p is None else repr(p["w"])) or float(row[part + "_w"]) == p["w"], (part, row, p)
    assert float(row["total_gross_w"]) == load["total_gross_w"]
print(" ".join(row["load"] for row in rows))')"

# Without a meter of the memory, but with one of the platform.
rm -r tree/sys/class/powercap/intel-rapl:0:0
add_zone tree intel-rapl:1 psys
cat > plan << 'END'
- 0 intel-rapl:0=20 intel-rapl:1=50
cpu 2 intel-rapl:0=41 intel-rapl:1=73
memory 2 intel-rapl:0=37 intel-rapl:1=80
END
probe tree plan --loads cpu,memory --threads 2 --runs 1 --time 0.6 --baseline 0.3 --json r.json > out
check 'platform: it succeeds' 0 $?
part platform 'cpu × 2' idle 50 2
part platform 'cpu × 2' cpu 23 2
check 'platform: memory is what computing is not' right "$(/usr/bin/python3 "$work/curve.py" 'memory × 2' memory)"
check 'platform: what is metered' 'platform None' "$(json r.json 'r["domains"]["machine"]["component"], r["domains"]["memory"]' | tr -d "(),'")"
check 'one run has no error' True "$(json r.json 'all(p["error_w"] is None and not p["told"] for l in r["loads"] for p in l["parts"].values() if p)')"
keep r.json
said=$(tr -s ' \n' ' ' < out)
check_match 'platform: how memory is told' 'No memory meter here: its part is the power of streaming above computing' "$said"
check_absent 'platform: nothing is missing of the machine' 'No whole-machine meter' "$said"
timely 'platform: the answer' && check_match 'platform: the answer' 'At the highest load \(memory × 2, [0-9.]+ W\) the idle machine draws most: [0-9.]+ W \([0-9]+ %\)' "$said"
probe tree plan --loads memory --threads 1 --runs 1 --time 0.3 --baseline 0.1 --quiet > out
check_match 'quiet: one line for scripts' '^(idle|cpu|memory|io|rest) [0-9.]+ W measured of [0-9.]+ W$' "$(cat out)"
probe tree plan --loads memory --threads 1 --runs 1 --time 0.3 --baseline 0.1 > out
check_match 'without a cpu load' "note: the CPUs' part of the other loads is not taken off" "$(cat out)"
probe tree plan --loads cpu --threads 1 --runs 1 --time 0.3 --baseline 0 --json r.json > out
check_match 'without a baseline' 'note: the power of each part is unknown: no baseline was taken' "$(cat out)"
check 'without a baseline: no part' True "$(json r.json 'all(p is None for p in r["loads"][0]["parts"].values()) and r["standing"]["w"] is None')"
keep r.json

# Modelled: it is said first, and where.
"$carbon" probe --verbose --anyway --source model --loads idle,cpu,disk-write --threads 1 --runs 1 --time 0.3 --baseline 0.3 --settle 0 \
    --folder "$work" --json r.json > out
check 'modelled: it succeeds' 0 $?
said=$(tr -s ' \n' ' ' < out)
check_match 'modelled: first' '^carbon probe [^:]* modelled: Nothing is measured here' "$said"
check_match 'modelled: what is not in it' 'memory bandwidth and I/O are not included' "$said"
if [ "$(json r.json 'r["loads"][2]["parts"]["io"]')" = None ]; then
    echo 'not tested: what is not modelled: this machine was full'
else
    check_match 'modelled: the disk' 'disk-write .*not modelled' "$(cat out)"
fi
check_match 'modelled: the answer' 'By the model alone\. (Doing nothing|While other processes kept)' "$said"
check 'modelled: marked' True "$(json r.json 'all(p["assumed"] for l in r["loads"] for p in l["parts"].values() if p)')"
check 'modelled: a notice once' 1 "$(grep -c 'the power of the package is modelled' out)"
keep r.json

# A machine that this test keeps full: the loads are not run, after a time that is said; with --anyway every output says it.
full
"$carbon" probe --verbose --source model --loads idle,cpu --threads 1 --runs 1 --time 0.1 --baseline 0.1 --settle 2 --json f.json > out 2> err
check 'full: refused' '125 no' "$? $(exists f.json)"
said=$(tr -s ' \n' ' ' < err)
check_match 'full: it waits, and says how long' "^waiting 2 s at most for the machine to be idle: other processes keep [0-9.]+ of [^:]*CPUs? busy" "$said"
check_match 'full: the reason' 'carbon: the machine is not idle: other processes keep [0-9.]+ of .* why: the power of a load cannot be separated' "$said"
check_match 'full: what helps' 'fix: stop other load .* or run it with --anyway' "$said"
check 'full: nothing was run' '' "$(cat out)"
"$carbon" probe --verbose --anyway --source model --loads idle,cpu --threads 1 --runs 2 --time 0.6 --baseline 0.6 --settle 0 \
    --folder "$work" --json r.json --csv r.csv > out 2> err
check 'full, anyway: it is done' 0 $?
said=$(tr -s ' \n' ' ' < out)
check_match 'full, anyway: the answer says it' "While other processes kept [0-9.]+ of [^:]*CPUs? busy it draws" "$said"
check_match 'full, anyway: a notice' 'note: the baseline was not idle: other processes kept' "$said"
check_absent 'full, anyway: nothing is idle' 'Doing nothing|Standing there at' "$said"
check 'full, anyway: in the JSON' 'True True None' "$(json r.json '"%s %s %s" % (r["baseline_busy_mask_cpus"] > '"$(nproc)"' - 0.5,
    any(n["kind"] == "busy-baseline" for n in r["notices"]), r["standing"]["w"])')"
check 'full, anyway: a load by CPU time × the slope of the full machine' 'cpu-time True' "$(json r.json '(lambda slope, cpu: r["own_method"] + " " +
    str(abs(cpu["parts"]["cpu"]["w"] / (cpu["busy_cpus"] * slope) - 1) < 0.1 or (cpu["parts"]["cpu"]["w"], cpu["busy_cpus"], slope)))(sum((float(b) * {"W": 1, "mW": 1e-3}[y] -
    float(a) * {"W": 1, "mW": 1e-3}[x]) / '"$(nproc)"' for n in r["notices"] for a, x, b, y in __import__("re").findall(
    r"^the power of .*?([\d.]+) (m?W) idle to ([\d.]+) (m?W) busy", n["what"])), r["loads"][1])')"
check_match 'full, anyway: in words' 'The power of a load is its CPU time × the watts of a busy CPU, so that the other processes do not matter' "$said"
check 'full, anyway: in the table' True "$(/usr/bin/python3 -c 'import csv
print(all(float(row["baseline_busy_cpus"]) > 0 for row in csv.DictReader(open("r.csv"))))')"
check_match 'full, anyway: the answer of an idle machine alone' '^The baseline is [0-9.]+ m?W; no load was run to its end ' \
    "$("$carbon" probe --anyway --source model --loads idle --runs 1 --time 0.6 --baseline 0.6 --settle 0 2> err | tr -s ' \n' ' ')"
keep r.json
not_full

# A load that cannot be run: the others go on.
"$carbon" probe --verbose --anyway --source model --loads disk-write,cpu --threads 1 --runs 2 --time 0.2 --baseline 0.1 --settle 0 \
    --folder nowhere --json r.json > out 2> err
check 'one fails: status' 3 $?
check_match 'one fails: it is told' "note: the load 'disk-write' could not be run: cannot make a file in 'nowhere'" "$(tr -s ' \n' ' ' < out)"
check_match 'one fails: and what helps' 'hint: give another folder with --folder' "$(cat out)"
check 'one fails: the other is there' '0 2 False' "$(json r.json 'len(r["loads"][0]["runs"]), len(r["loads"][1]["runs"]), r["complete"]' | tr -d '(),')"
check 'one fails: nothing beside' '' "$(cat err)"
keep r.json
"$carbon" probe --verbose --anyway --source model --loads disk-write --runs 1 --time 0.2 --baseline 0.1 --settle 0 --folder nowhere --json n.json > out 2> err
check 'all fail: status' 125 $?
check_match 'all fail: what' "^carbon: cannot make a file in 'nowhere'" "$(cat err)"
check 'all fail: no result' ' ' "$(cat out) $(ls n.json* 2> /dev/null)"
"$carbon" probe --json no/r.json > out 2> err
check 'no place for the result: status' 125 $?
check_match 'no place for the result: at once' "nothing has been run yet" "$(cat err)"
check 'two forms, one stream' 125 "$("$carbon" probe --json - --csv - > out 2> err; echo $?)"
check 'JSON on standard output alone' carbon.probe/1 "$("$carbon" probe --verbose --anyway --source model --loads idle --runs 1 --time 0.1 --baseline 0.1 --settle 0 --json - | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["schema"])')"
check 'CSV likewise' idle "$("$carbon" probe --verbose --anyway --source model --loads idle --runs 1 --time 0.1 --baseline 0.1 --settle 0 --csv - | /usr/bin/python3 -c 'import csv, sys; print(next(csv.DictReader(sys.stdin))["load"])')"

# Ctrl-C, to the whole group: what was measured until then is shown, and nothing stays. Where this test itself runs in
# the background, the signal would be ignored from the start.
set -m
env --default-signal=INT "$carbon" probe --verbose --anyway --source model --loads cpu,idle --threads 1 --runs 90 --time 0.25 --baseline 0.1 --settle 0 --json i.json > out 2> err &
until_true grep -sq '"duration_s"' i.json.partial
kill -INT -- -$!
wait $!
check 'interrupted: status' 130 $?
set +m
check 'interrupted: the result' 'True False' "$(json i.json 'r["interrupted"], r["complete"]' | tr -d '(),')"
check_match 'interrupted: it is said' '^carbon probe .*; interrupted$' "$(cat out)"
check 'interrupted: no load is left' '' "$(processes_of "*$carbon probe --anyway --source model --loads cpu,idle*")"
keep i.json
srcdir=$source sh "$source/tests/check-schema.sh" "$work"/kept/*.json > "$work/held" 2>&1
case $? in 77) cat "$work/held" ;; *) check 'all as the schema has it' 0 $? || cat "$work/held" ;; esac
check 'nothing is left behind' '' "$(find . -mindepth 1 -maxdepth 1 ! -name tree ! -name plan ! -name out ! -name err ! -name '[ri].json' ! -name r.csv)"

finish
