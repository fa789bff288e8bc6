#!/bin/bash
# SPDX-License-Identifier: MIT
# make bench: what carbon costs, as ratios within this one run against a floor or a peer.
#   run.sh BUILD SOURCE
set -eu
build=$1 source=$2
carbon=$build/carbon
export CARBON_DATA="${CARBON_DATA:-$source/data}" LC_ALL=C
tree=$(mktemp -d)
export XDG_DATA_HOME=$tree # the ledger
unset SUDO_UID # as root, where it is called so: the folder is root's
trap 'rm -rf "$tree"' EXIT

# Four domains, as of one Intel client.
number=0
for name in package-0 core uncore dram; do
    zone=$tree/sys/class/powercap/intel-rapl:0$([ "$name" = package-0 ] || printf ':%s' $((number - 1)))
    mkdir -p "$zone"
    echo "$name" > "$zone/name"
    echo 123456789 > "$zone/energy_uj"
    echo 262143328850 > "$zone/max_energy_range_uj"
    number=$((number + 1))
done
mkdir -p "$tree/proc"
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu\n' > "$tree/proc/cpuinfo"

echo "== with peers"
/usr/bin/python3 -B "$source/bench/peers.py" "$build" "$source" "${BENCH_PEER_ROUNDS:-20}" "$build/bench/peers.json"
echo "== start, over four powercap domains"
"$build/bench/start" "$carbon" "${BENCH_ROUNDS:-200}" "$tree" "$tree/start.db"
echo "== start, on this machine as it is"
"$build/bench/start" "$carbon" "${BENCH_ROUNDS:-200}" / "$tree/start-here.db"
echo "== one sample"
"$build/bench/sample" "$tree" 0
echo "== a mark of libcarbon"
"$build/bench/piece" "$tree"
echo "== Python"
python3 "$source/bench/import.py" "$build" "$source" "$tree"
echo "== a factor"
"$build/bench/lookup" "${BENCH_ROUNDS:-200}"
echo "== many windows"
"$build/bench/summary"

echo "== a long time series, laid on the hours of a grid"
"$carbon" measure --root "$tree" --baseline 0 --quiet --json "$tree/run.json" -- sleep 0.1 2> /dev/null
python3 "$source/bench/year.py" "$carbon" "$tree" "${BENCH_YEAR_SAMPLES:-3153600}"
echo "== a pipeline of ${BENCH_STEPS:-1000} trivial steps"
python3 "$source/bench/steps.py" "$carbon" "$tree" "${BENCH_STEPS:-1000}"
echo "== a ledger of ${BENCH_RECORDS:-1000000} records"
"$build/bench/ledger" "$carbon" "${BENCH_RECORDS:-1000000}"

echo "== a phase mark, as the job sees it"
"$carbon" measure --root "$tree" --baseline 0 --marks -- "$build/bench/mark" 4000 2> /dev/null
"$build/bench/latency" 4000

# CPU time of carbon itself while it samples, less what it costs to start and report: medians of three, which take turns.
own_cpu() { # own_cpu ARGS...: user + system seconds of carbon and its child
    bash -c 'TIMEFORMAT="%U %S"; { time "$@" > /dev/null 2>&1; } 2>&1' _ "$@" | awk '{ print $1 + $2 }'
}
seconds=${BENCH_SECONDS:-10}
for interval in 0.1 0.001; do
    echo "== sampling every $interval s for $seconds s, three times"
    floors="" idles="" withs=""
    for _ in 1 2 3; do
        floors="$floors $(BENCH_LOOP=$interval "$build/bench/sample" "$tree" "$seconds")"
        idles="$idles $(own_cpu "$carbon" measure --root "$tree" --baseline 0 -- sleep "$seconds")"
        withs="$withs $(own_cpu "$carbon" measure --root "$tree" --baseline 0 --samples /dev/null --interval "$interval" \
            -- sleep "$seconds")"
    done
    awk -v floors="$floors" -v idles="$idles" -v withs="$withs" -v s="$seconds" 'function median(list, a, t) {
        split(list, a, " ")
        if (a[1] > a[2]) { t = a[1]; a[1] = a[2]; a[2] = t }
        return a[3] < a[1] ? a[1] : a[3] > a[2] ? a[2] : a[3]
    }
    BEGIN {
        floor = median(floors) + 0
        own = (median(withs) - median(idles)) / s * 100
        printf "bare loop that sleeps and reads       %7.3f %% of a core\n", floor
        printf "carbon, beyond the same run unsampled %7.3f %% of a core\n", own
        printf "  carbon / bare loop                                %6.3f   (target at 1 kHz <= 1.3; at 10 Hz <= 0.1 %%)\n", own / floor }'
done

# The same run where nothing tells who uses the CPUs, so that own is net without a look; where nobody else does; and beside who is
# busy here, by strides.
echo "== own beside net: a run of $seconds s, five times"
for machine in alone beside; do
    mkdir "$tree/$machine"
    cp -r "$tree/sys" "$tree/proc" "$tree/$machine"
done
cat /proc/stat > "$tree/alone/proc/stat"
ln -s /proc/stat "$tree/beside/proc/stat"
nets="" alones="" besides=""
for _ in 1 2 3 4 5; do
    nets="$nets $(own_cpu "$carbon" measure --root "$tree" --no-ledger --baseline 1 -- sleep "$seconds")"
    alones="$alones $(own_cpu "$carbon" measure --root "$tree/alone" --no-ledger --baseline 1 -- sleep "$seconds")"
    besides="$besides $(own_cpu "$carbon" measure --root "$tree/beside" --no-ledger --baseline 1 -- sleep "$seconds")"
done
awk -v nets="$nets" -v alones="$alones" -v besides="$besides" -v s="$seconds" 'function median(list, a, n, i, j, t) {
    n = split(list, a, " ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[(n + 1) / 2]
}
BEGIN {
    net = median(nets); alone = median(alones); beside = median(besides)
    printf "CPU time of carbon, net alone         %7.1f ms\n", net * 1000
    printf "with own, nobody else busy            %7.1f ms\n", alone * 1000
    printf "with own, beside who is busy here     %7.1f ms\n", beside * 1000
    printf "  own / net                                         %6.2f   (%.3f %% of a core more)\n", alone / net, (alone - net) / s * 100
    printf "  own beside others / net                           %6.2f   (%.3f %% of a core more)\n", beside / net, (beside - net) / s * 100 }'
echo '== a profile at 99 Hz, beside the job (target: below 1 %)'
/usr/bin/python3 "$source/bench/profile.py" "$carbon" "$tree" "$build/tests/helpers/functions"
/usr/bin/python3 "$source/bench/profile_memory.py" "$carbon" "$build/tests/helpers/functions" 20

echo '== an exporter'
/usr/bin/python3 "$source/bench/serve.py" "$build" "$source"
echo "== carbon top beside ${BENCH_PROCESSES:-2000} processes"
"$build/bench/top" "$carbon" "${BENCH_PROCESSES:-2000}" 30
