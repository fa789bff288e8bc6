# SPDX-License-Identifier: MIT
# Laid-out machines for CLI tests: sourced after lib.sh.
#
# lay NAME                      lays the recorded machine NAME out as ./NAME
# look TREE                     `carbon sources` of TREE; then `said EXPRESSION`: over r, its sources S by name, and its
#                               measured domains D. Prints nothing.
# counted, zones, counted_of    what counts, by directory; zones with their names; `counted` of a case's expected.json
# names CONDITION               the names of those domains d
# measure TREE ARGUMENT...      carbon measure without a baseline: $status, err, and r.json
# record EXPRESSION             over that record r; gross_j NAME: of one domain, or of the total
# near NAME W TOLERANCE [DOMAIN]   the mean power of that record
# move TREE SECONDS ZONE=UJ...  the same, while a job adds to the counters half way through
# exists FILE                   yes or no
# zone TREE RANGE_UJ ENERGY_UJ [ZONE=NAME...]   makes a tree of one CPU and one Intel package, or of these zones; their
#                               energies move only when somebody moves them

lay() {
    /usr/bin/python3 -B "$source/tests/lay_tree.py" "$shared/machines/$1" "$1" > /dev/null
}

look() {
    "$carbon" sources --root "$1" --json sources.json > /dev/null
    check "carbon sources of $1" 0 $?
}

said() {
    /usr/bin/python3 -c 'import json, sys
r = json.load(open("sources.json"))
S = {s["name"]: s for s in r["sources"]}
D = [d for s in r["sources"] for d in s["domains"] if s["quality"] != "modelled"]
print(eval(sys.argv[1]))' "$1"
}

names() {
    said "' '.join(sorted(d['name'] for d in D if $1))"
}

counted() {
    said '" ".join(sorted(d["path"].rsplit("/", 1)[1] for d in D if d["counted"]))'
}

counted_of() {
    json "$1" '" ".join(sorted(r["counted"]))'
}

zones() {
    said '" ".join(sorted(d["path"].split("rapl:")[1] + ":" + d["name"] for d in D if "rapl:" in d["path"]))'
}

measure() {
    local tree=$1
    shift
    rm -f r.json
    "$carbon" measure -v --root "$tree" --baseline 0 --json r.json "$@" 2> err
    status=$?
}

record() {
    json r.json "$1"
}

gross_j() {
    record "[d['gross_j']['mean'] for d in [dict(r, name='total'), *r['domains']] if d['name'] == '${1:-total}'][0]"
}

near() {
    local mean_w
    mean_w=$(json r.json "$(gross_j "${4:-total}") / r['duration_s']['mean']")
    check "$1: $mean_w W" yes "$(awk "BEGIN {off = $mean_w - $2; if (off < $3 && off > -$3) print \"yes\"}")"
}

move_options=()
move() {
    local tree=$1 seconds=$2 pair file
    shift 2
    for pair in "$@"; do
        file=$tree/sys/class/powercap/${pair%=*}/energy_uj
        echo "$(awk "BEGIN {print $seconds / 2}") $file $((10#$(cat "$file") + ${pair##*=}))"
    done > move.plan
    echo "$seconds - end" >> move.plan
    measure "$tree" "${move_options[@]}" -- /usr/bin/python3 -B "$source/tests/machines/play.py" move.plan
}

exists() {
    if [ -e "$1" ]; then echo yes; else echo no; fi
}

zone() {
    local tree=$1 range_uj=$2 energy_uj=$3 pair path
    shift 3
    mkdir -p "$tree/proc" "$tree/sys/devices/system/cpu/cpu0/topology"
    for pair in "${@:-intel-rapl:0=package-0}"; do
        path=$tree/sys/class/powercap/${pair%=*}
        mkdir -p "$path"
        echo "${pair##*=}" > "$path/name"
        printf '%020d\n' "$energy_uj" > "$path/energy_uj"
        echo "$range_uj" > "$path/max_energy_range_uj"
    done
    printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nmodel name\t: Test CPU\nstepping\t: 3\nflags\t\t: fpu\n' \
        > "$tree/proc/cpuinfo"
    echo 0 > "$tree/sys/devices/system/cpu/online"
    echo 0 > "$tree/sys/devices/system/cpu/cpu0/topology/physical_package_id"
}

# steady TREE ZONE WATTS    from now on the counter of this zone moves by itself, in the background, at WATTS; at what the
#                           file TREE/watts says instead where there is one; until `settled TREE`
steady() {
    /usr/bin/python3 - "$1" "$2" "$3" << 'END' &
import os, sys, time
tree, zone, watts = sys.argv[1], sys.argv[2], float(sys.argv[3])
path = f"{tree}/sys/class/powercap/{zone}/energy_uj"
energy_uj, last = float(open(path).read()), time.monotonic()
counter = os.open(path, os.O_WRONLY)
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
open(f"{tree}/moving", "w").close()
while not os.path.exists(f"{tree}/still") and os.getppid() != 1:
    try:
        now_w = float(open(f"{tree}/watts").read())
    except (OSError, ValueError):
        now_w = watts
    now = time.monotonic()
    energy_uj += now_w * (now - last) * 1e6
    last = now
    os.pwrite(counter, b"%020d\n" % int(energy_uj), 0)
    time.sleep(0.001)
os.unlink(f"{tree}/still")
END
    until_true test -e "$1/moving"
}

settled() {
    : > "$1/still"
    until_true test ! -e "$1/still"
    rm -f "$1/moving" "$1/watts"
}
