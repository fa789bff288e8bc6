#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure end to end: exact joules from a counter that a real job moves, exit statuses,
# outputs, interruptions, errors.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
burn="$helpers/burn"
measure() { "$carbon" measure -v --root tree --baseline 0 "$@"; }

# Exactly N µJ, and the job's exit status.
measure --zone FR --json a.json --csv a.csv -- "$burn" tree intel-rapl:0 5000001 200 7 2> a.err
check 'exit status of the job' 7 $?
check 'gross of the package to the microjoule' 5.000001 "$(json a.json '[d for d in r["domains"] if d["name"] == "package-0"][0]["gross_j"]["mean"]')"
check 'exit status in the record' 7 "$(json a.json 'r["exit_status"]')"
check 'dram that did not move is null' None "$(json a.json '[d for d in r["domains"] if d["name"] == "dram-0"][0]["gross_j"]["mean"]')"
check_match 'and noticed' 'dram-0 is stuck' "$(cat a.err)"
check 'no baseline: net is null' None "$(json a.json 'r["net_j"]["mean"]')"
check 'a recorded tree says so' True "$(json a.json 'r["recorded_tree"]')"
check 'kWh by hand' True "$(json a.json 'abs(r["emissions"]["gross"]["it_kwh"] - 5.000001 / 3.6e6) < 1e-18')"
check 'kg by hand' True "$(json a.json 'abs(r["emissions"]["gross"]["kgco2eq"] - 5.000001 / 3.6e6 * r["pue"]["value"] * r["factor"]["kgco2eq_per_kwh"]) < 1e-18')"
check 'zone' FR "$(json a.json 'r["factor"]["zone"]')"

# Through one wrap.
zone tree 262143328850 262143328000 intel-rapl:0=package-0 intel-rapl:0:0=dram
measure --json b.json -- "$burn" tree intel-rapl:0 7000000 300 2> b.err
check 'through a wrap' 7 "$(json b.json 'r["gross_j"]["mean"]')"
check 'the wrap is counted' 1 "$(json b.json '[d for d in r["domains"] if d["name"] == "package-0"][0]["wraps"]')"

# Several runs, and the sum of both domains.
zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
measure --runs 3 --warmup 1 --json c.json -- sh -c "'$burn' tree intel-rapl:0 4000000 120; '$burn' tree intel-rapl:0:0 500000" 2> c.err
check 'three runs' '3 4.5 0' "$(json c.json '" ".join(map(str, [r["gross_j"]["count"], r["gross_j"]["mean"], r["gross_j"]["deviation"]]))')"
check 'the warm-up is kept apart' 4 "$(json c.json 'len(r["windows"]["runs"])')"

# A baseline in which nothing moves leaves net equal to gross.
"$carbon" measure -v --root tree --baseline 0.3 --json d.json -- "$burn" tree intel-rapl:0 1000000 120 2> d.err
check 'net' '1 0 1' "$(json d.json '" ".join(str(r[k]["mean"]) for k in ("gross_j", "idle_j", "net_j"))')"

# The job's own streams are untouched; the report goes to standard error.
check 'stdout is the job'"'"'s' 'out in' "$(echo in | measure -- sh -c "'$burn' tree intel-rapl:0 1000 120; printf 'out '; cat" 2> e.err)"
check_match 'report' 'gross' "$(cat e.err)"
check 'quiet is one line' 1 "$(measure --quiet -- "$burn" tree intel-rapl:0 1000 120 2>&1 | wc -l)"
check 'JSON on stdout' carbon.record/1 "$(measure --json - -- "$burn" tree intel-rapl:0 1000 120 2> /dev/null | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["schema"])')"
measure --json g.json -- "$burn" tree intel-rapl:0 1000 120 2> /dev/null
check 'how long its readings took' True "$(json g.json 'all(0 < w["reading_s"] < 60 for w in r["windows"]["runs"] + r["windows"]["baselines"])')"

# Exit statuses.
measure -- ./nothing-here 2> f.err
check 'not found' 127 $?
tried 1 'The job is killed, leaves processes'
check_match 'not found says so' "cannot run './nothing-here'" "$(cat f.err)"
: > not-executable
measure --json f.json --samples f.csv -- ./not-executable 2> f.err
check 'cannot run' 126 $?
tried 1 'The job is killed, leaves processes'
check 'no record of a command that did not run' 'f.[jc]* not-executable' "$(echo f.[jc]* not-exec*)"
measure -- sh -c 'kill -9 $$' 2> /dev/null
check 'killed' 137 $?
tried 1 'The job is killed, leaves processes'
measure --runs 3 --json g.json -- sh -c "'$burn' tree intel-rapl:0 1000 120 3" 2> g.err
check 'a failing run stops the series' '3 1 False' "$? $(json g.json 'len(r["windows"]["runs"])') $(json g.json 'r["complete"]')"
check_match 'and says so' 'failed in run 1' "$(cat g.err)"
measure --runs 2 --ignore-failure --json g.json -- "$burn" tree intel-rapl:0 1000 120 3 2> g.err
check 'unless told otherwise' '3 2' "$? $(json g.json 'len(r["windows"]["runs"])')"

# Errors before anything is run.
for bad in '--baseline ten' '--runs 0' '--pue 0.5' '--basis mixed' '--interval 0' '--cpus 99999' '--no-such-option' '--zone UKX'; do
    # shellcheck disable=SC2086
    measure $bad -- touch "$work/ran" 2> h.err
    check "$bad is refused" 125 $?
    check_match "$bad has a reason" '^carbon: ' "$(cat h.err)"
done
measure --zone UKX -- true 2> h.err
check_match 'near zones are named' "unknown zone 'UKX'.*" "$(cat h.err)"
measure --json /no/such/folder/x.json -- touch "$work/ran" 2> h.err
check 'output not writable' 125 $?
check_match 'nothing has been run' 'nothing has been run' "$(cat h.err)"
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nXX,2024,many,lifecycle,MINE\n' > bad.csv
measure --factors bad.csv --zone XX -- touch "$work/ran" 2> h.err
check 'malformed table' 125 $?
check_match 'file, line and column' 'bad.csv.*line 2.*column 3' "$(tr '\n' ' ' < h.err)"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"

# The time series.
measure --samples s.csv --interval 0.05 -- "$burn" tree intel-rapl:0 1000000 400 2> /dev/null
check 'header' 'timestamp,time_s,phase,run,package-0_uj,dram-0_uj,holes' "$(head -1 s.csv)"
check 'last sample' 1000000 "$(tail -1 s.csv | cut -d, -f5)"
check 'one in 50 ms, and one at each end; a busy machine drops some' yes "$(awk -F, '
    NR == 2 {first = $2}
    NR > 1 {last = $2; rows++}
    END {if (rows >= 4 && rows <= (last - first) / 0.05 + 2) print "yes"}' s.csv)"
check 'none left partial' '' "$(ls ./*.partial* 2> /dev/null)"

# Appending: one header, one row a call; another header is refused and left alone.
measure --csv t.csv --append -- "$burn" tree intel-rapl:0 1000 120 2> /dev/null
measure --csv t.csv --append -- "$burn" tree intel-rapl:0 1000 120 2> /dev/null
check 'two rows' 3 "$(wc -l < t.csv)"
printf 'a,b\n1,2\n' > u.csv
measure --csv u.csv --append -- touch "$work/ran" 2> u.err
check 'another header is refused' 125 $?
check 'and left alone' "$(printf 'a,b\n1,2')" "$(cat u.csv)"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"

# Streams that fail. That nothing can be said does not change what became of the job.
for status in 0 7; do
    measure -- sh -c "exit $status" 2> /dev/full; check 'full standard error' $status $?
    measure -q -- sh -c "exit $status" 2>&-; check 'closed standard error' $status $?
    tried 2 'Standard output or standard error is full'
done
measure --json - -- "$burn" tree intel-rapl:0 1000 120 2> v.err > /dev/full
check 'full standard output' 125 $?
tried 1 'Standard output or standard error is full'
check_match 'says so' 'cannot write' "$(cat v.err)"
(measure --json - -- "$burn" tree intel-rapl:0 1000 120 2> w.err; echo $? > w.status) | true
check 'closed standard output' 125 "$(cat w.status)"
tried 1 'Standard output or standard error is full'
measure --samples /dev/full -- touch "$work/ran" 2> x.err
check 'a series that cannot even begin' 125 $?
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"
mkdir small
if mount -t tmpfs -o size=4k none small 2> /dev/null; then
    measure --samples small/s.csv --interval 0.002 --json x.json -- "$burn" tree intel-rapl:0 2000 500 2> x.err
    check 'full disk while sampling' 125 $?
    tried 1 'The disk of a result is full'
    check_match 'says which file' 'small/s.csv' "$(cat x.err)"
    check 'the record is kept' 0.002 "$(json x.json 'r["gross_j"]["mean"]')"
    check 'so are the samples until then' yes "$([ "$(wc -c < small/s.csv.partial)" -ge 3000 ] && echo yes)"
    umount small
else
    echo 'not tested: a full disk (mounting a tmpfs takes root)'
fi

# Interrupted: in the baseline nothing is run; in the run the job decides, and there is a result.
# (SIGTERM, since a shell without job control starts its background commands with SIGINT ignored.)
"$carbon" measure -v --root tree --baseline 30 --json y.json --ready-fd 5 -- touch "$work/ran" 2> y.err 5> begun &
until_true grep -sqx baseline begun
kill -TERM $!
wait $!
check 'terminated in the baseline' 143 $?
tried 1 'The job is killed, leaves processes'
check 'what was measured is kept as partial' 'y.json.partial' "$(ls y.json*)"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"
"$carbon" measure -v --root tree --baseline 0 --json z.json -- sh -c "'$burn' tree intel-rapl:0 3000 120; exec sleep 30.5$$" 2> z.err &
until_true runs "sleep 30.5$$"
kill -TERM $!
wait $!
check 'terminated in the run' 143 $?
tried 1 'The job is killed, leaves processes'
check 'there is a result' '0.003 False' "$(json z.json 'r["gross_j"]["mean"]') $(json z.json 'r["complete"]')"

# SIGKILL in the middle: the samples so far are readable.
"$carbon" measure -v --root tree --baseline 0 --samples k.csv --interval 0.05 -- sleep "30.25$$" 2> /dev/null &
written() { [ "$(cat k.csv.partial 2> /dev/null | wc -l)" -ge 4 ]; }
until_true written
kill -KILL $!
wait $! 2> /dev/null
for pid in $(processes_of "sleep 30.25$$"); do kill "$pid"; done
check 'samples survive a kill' yes "$(written && echo yes)"
tried 1 'Carbon is killed while it measures'

# --ready-fd: a line as each window begins; the command does not have the descriptor.
"$carbon" measure -v --root tree --baseline 0.02 --runs 2 --warmup 1 --settle 0 --cooldown 0.02 --no-ledger --ready-fd 5 -- \
    sh -c '[ ! -e /proc/self/fd/5 ]' 5> windows 2> /dev/null
check 'each window is told' '0 baseline warmup cooldown baseline run cooldown baseline baseline run baseline end' \
    "$? $(tr '\n' ' ' < windows | sed 's/ $//')"
check_match 'a descriptor that is not open' '^125 .*descriptor 7 of --ready-fd.*it is not open' \
    "$("$carbon" measure -v --root tree --ready-fd 7 -- true > out 2>&1 7>&-; echo $?) $(tr '\n' ' ' < out)"
check_match 'one that is read from' '^125 .*it is open for reading only' \
    "$("$carbon" measure -v --root tree --ready-fd 7 -- true > out 2>&1 7< /dev/null; echo $?) $(tr '\n' ' ' < out)"

finish
