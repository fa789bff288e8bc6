#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure with several runs: where the baselines lie, settling, rests, intervals and verdicts.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000000
burn="$helpers/burn"
again() { "$carbon" measure -v --root tree "$@"; }
# The windows in order of time: B a baseline, W a warm-up, R a run.
order='"".join(k for t, k in sorted([(w["started_at"], "B") for w in r["windows"]["baselines"]] + [(w["started_at"], "W" if w["warmup"] else "R") for w in r["windows"]["runs"]]))'

# A sensor that tells the same power for ever; looked at below, measured while the rest goes on.
zone constant 262143328850 1000000000
mkdir -p constant/sys/class/hwmon/hwmon0
echo amdgpu > constant/sys/class/hwmon/hwmon0/name
echo 20000000 > constant/sys/class/hwmon/hwmon0/power1_input
idle constant
"$carbon" measure -v --root constant --runs 2 --baseline 1.5 --settle 0 --json constant.json -- "$work/load" constant sleep 1.5 2> constant.err &
constant=$!

# Windows
again --runs 3 --warmup 1 --baseline 0.2 --settle 0 --json r.json -- "$burn" tree intel-rapl:0 4000000 60 2> err
check 'two baselines between runs that count, one elsewhere' BWBRBBRBBRB "$(json r.json "$order")"
# never shorter; longer by what else has the CPU then, which is not so in all of them
check 'as long as asked for' True "$(json r.json '(lambda pairs: all(s >= want - 1e-3 for s, want in pairs) and
    all(min(s for s, w in pairs if w == want) < 1.6 * want for want in (0.1, 0.2)))(
    [(b["duration_s"], want) for b, want in zip(r["windows"]["baselines"], [0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2])])')"
again --baseline 0.2 --json r.json -- "$burn" tree intel-rapl:0 4000000 60 2> err
check 'one run has a baseline before it' 'BR one-run None' "$(json r.json "$order") $(json r.json 'r["verdict"]') $(json r.json 'r["net_interval_j"]["low"]')"
again --baseline same --runs 2 --json r.json -- "$burn" tree intel-rapl:0 4000000 300 2> err
check 'the same time after each run' 'RBBRB' "$(json r.json "$order")"
check 'as long as the run' True "$(json r.json '(lambda idle_s, run_s: run_s - 0.01 <= idle_s < 1.5 * run_s)(
    sum(b["duration_s"] for b in r["windows"]["baselines"]), sum(w["duration_s"] for w in r["windows"]["runs"]))')"
again --baseline same --json r.json -- "$burn" tree intel-rapl:0 4000000 300 2> err
check 'after a single one, too' 'RB' "$(json r.json "$order")"
again --baseline 0.1 --runs 2 --settle 0 --cooldown 0.4 --json r.json -- "$burn" tree intel-rapl:0 4000000 60 2> err
check 'a pause between runs, in seconds' True "$(/usr/bin/python3 - r.json << 'END'
import datetime, json, sys
r = json.load(open(sys.argv[1]))
at = lambda w: datetime.datetime.fromisoformat(w["started_at"].rstrip("Z")).timestamp()
first, b = r["windows"]["runs"][0], r["windows"]["baselines"]
rest = at(b[1]) - at(first) - first["duration_s"]
last = at(b[3]) - at(r["windows"]["runs"][1]) - r["windows"]["runs"][1]["duration_s"]
print(last < 0.39 < rest) # the record has milliseconds
END
)"

# Exact counters: 5, 6 and 7 J. t_0.975(2) = 4.302653, deviation 1, so 6 ± 2.4841 J; (4.302653 + 1.060660) / sqrt(3).
cat > grow << 'END'
n=$(cat n); echo $((n + 1)) > n
"$1" tree intel-rapl:0 ${n}000000 60
END
echo 5 > n
again --runs 3 --baseline 0.1 --settle 0 --zone FR --json r.json --csv r.csv -- sh grow "$burn" 2> err
check 'the interval by hand' 'more 6 1 3.5159 8.4841 3.0965' "$(json r.json '"%s %g %g %.4f %.4f %.4f" % (r["verdict"], r["net_j"]["mean"], r["net_j"]["deviation"], r["net_interval_j"]["low"], r["net_interval_j"]["high"], r["detectable_j"])')"
check_match 'told in words' 'net measured: 6.00 J more than idle, 95 % CI 3.52 J to 8.48 J' "$(cat err)"
check 'and in CSV' 'more 3.5159 8.4841' "$(/usr/bin/python3 -c '
import csv
row = next(csv.DictReader(open("r.csv")))
print(row["verdict"], "%.4f %.4f" % (float(row["net_interval_low_j"]), float(row["net_interval_high_j"])))')"

# A failure in the third run: what was finished is the result.
cat > third << 'END'
n=$(cat n); echo $((n + 1)) > n
"$1" tree intel-rapl:0 1000000 60
[ "$n" != 3 ] || exit 9
END
echo 1 > n
again --runs 5 --baseline 0.1 --settle 0 --json r.json -- sh third "$burn" 2> err
check 'its status is the status' '9 2 3 False' "$? $(json r.json 'r["runs"]') $(json r.json 'len(r["windows"]["runs"])') $(json r.json 'r["complete"]')"
check_match 'and it is told' "'sh' failed in run 3" "$(cat err)"
check_match 'with what was finished' '2 finished runs are reported below' "$(cat err)"
echo 1 > n
again --runs 4 --baseline 0.1 --settle 0 --ignore-failure --json r.json -- sh third "$burn" 2> err
check 'failures ignored count' 4 "$(json r.json 'r["runs"]')"

# Interrupted in a baseline: what was finished is the result, and the baseline that was cut short is not in it.
: > begun
after_two_runs() { [ "$(grep -cx baseline begun)" -ge 4 ]; } # one before the first, two between them
"$carbon" measure -v --root tree --runs 9 --baseline 0.5 --settle 0 --json r.json --ready-fd 5 -- "$burn" tree intel-rapl:0 1000000 30 \
    2> err 5> begun &
carbon_pid=$!
until_true after_two_runs
kill -TERM $carbon_pid
wait $carbon_pid
check 'interrupted between runs' '143 True False' "$? $(json r.json 'r["interrupted"]') $(json r.json 'r["complete"]')"
check 'no baseline of it is shorter than asked for' True "$(json r.json 'all(b["duration_s"] > 0.24 for b in r["windows"]["baselines"]) and 2 <= len(r["windows"]["runs"]) < 9')"

# Noisier than the job: net is noise, and how many runs would settle it is told. Then a constant, whatever runs.
steady tree intel-rapl:0 20
cat > noisy << 'END'
n=$(cat n); echo $((n + 1)) > n
sleep 0.15
[ $((n % 2)) = 0 ] || { echo 60 > tree/watts; sleep 0.15; rm tree/watts; }
END
echo 0 > n
again --runs 4 --baseline 0.3 --settle 0 --json r.json -- sh noisy 2> err
check 'a net within the noise is noise' 'noise True' "$(json r.json 'r["verdict"]') $(json r.json 'r["net_interval_j"]["low"] < 0 < r["net_interval_j"]["high"] and r["runs_needed"] > 4')"
check_match 'with the runs that would settle it' 'about [0-9]+ runs needed to resolve it' "$(cat err)"
wait $constant
check 'a constant: status' 0 $?
check 'a constant is not measurable' not-measurable "$(json constant.json 'r["verdict"]')"
check_match 'in words' 'not measurable: the source reports constant power' "$(cat constant.err)"
check_absent 'never minus nothing' '-0[.]0+ ' "$(cat constant.err)"

# Settling: 20 W is steady at once; a machine that is not says so.
"$carbon" measure -v --root constant --settle 20 --baseline 1.5 --json r.json -- true 2> err
check 'steady' 'True True' "$(json r.json 'r["settling"]["steady"]') $(json r.json '1.4 < r["settling"]["waited_s"] < 20.5')"
again --runs 2 --baseline 0.1 --json r.json -- true 2> err
check 'several runs wait for it unasked' True "$(json r.json 'r["settling"]["waited_s"] > 0.09')"
(while [ ! -e enough ]; do echo 60 > tree/watts; sleep 0.1; echo 20 > tree/watts; sleep 0.17; done) &
again --settle 1 --baseline 0.5 --json r.json -- true 2> err
: > enough
wait $!
check 'not steady' 'False True' "$(json r.json 'r["settling"]["steady"]') $(json r.json '0.8 < r["settling"]["waited_s"] and r["settling"]["variation"] > 0.02')"
check_match 'is a notice' 'idle power did not settle within 1 s \(varied by [0-9.]+ %\)' "$(cat err | tr '\n' ' ' | tr -s ' ')"
settled tree

finish
