#!/bin/bash
# SPDX-License-Identifier: MIT
# A counter that begins again while something is measured: what is known is told as a lower bound, net is unknown, and a
# run of its command that has no hole stands in for it. In measure, compare, batch, pipeline.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 5000000000 intel-rapl:0=package-0
burn=$helpers/burn

# 10 J, which carbon reads; then the counter begins again, which carbon reads, too; then 7 J. In the runs of `broken`.
cat > job << END
#!/bin/bash
echo >> begun
run=\$(wc -l < begun)
"$burn" tree intel-rapl:0 10000000 100
case " \$* " in *" \$run "*)
    sleep 2.2
    echo 0 > tree/sys/class/powercap/intel-rapl:0/energy_uj
    sleep 2.2 ;;
esac
"$burn" tree intel-rapl:0 7000000 100
END
chmod +x job
figures='"%s %s %s %s %s" % (r["gross_j"]["mean"], r["net_j"]["mean"], r["verdict"], r["at_least"], r["complete"])'

# Of a run with a hole: what is known of it. It is read every second; of that hole no energy is lost, or all of both parts.
echo 5000000000 > tree/sys/class/powercap/intel-rapl:0/energy_uj
: > begun
"$carbon" measure -v --root tree --baseline 0.3 --settle 0 --json one.json --zone FR -- ./job 1 > out 2> err
check 'one run: status' 0 $?
tried 1 'A counter is reset, stuck'
check 'a lower bound, no net' 'None unknown True False' "$(json one.json '"%s %s %s %s" % (r["net_j"]["mean"], r["verdict"], r["at_least"], r["complete"])')"
check 'never more than was used' True "$(json one.json '0 < r["gross_j"]["mean"] <= 17')"
check 'the hole, of the counter that has it' '0 reset True' "$(json one.json '(lambda w: "%d %s %s" % (w["holes"][0]["domain"], w["holes"][0]["reason"],
    0 < w["holes"][0]["unknown_s"] < w["duration_s"] and w["holes"][0]["unknown_s"] == r["unknown_s"]))(r["windows"]["runs"][0])')"
check 'its domain says so' '[True]' "$(json one.json '[d["at_least"] for d in r["domains"]]')"
check 'no hole in the baseline' '[]' "$(json one.json 'r["windows"]["baselines"][0]["holes"]')"
check_match 'the table says it' 'gross is at least [0-9.]+ J: [0-9.]+ m?s of the run is not known; net is unknown' "$(cat err out)"
check_match 'in its rows' '^  package-0 +≥ [0-9.]+ J .*  total +≥ [0-9.]+ J ' "$(cat err out | tr '\n' ' ' | sed 's/  package-0/\n&/')"
check_match 'the market-based mass, too' 'market-based, direct ' "$(cat err out)"
check 'of each factor' 3 "$(cat err out | grep -c '^  gross  at least [0-9.]* [^ ]*gCO2eq = ')"
check_match 'the mass, too' 'gross +at least [0-9.]+ [^ ]*gCO2eq = ' "$(cat err out)"
check_match 'why there is no rate' 'per hour unknown: a part of the run is not known' "$(cat err out)"
check_match 'the notice says of what' 'run 1 used at least [0-9.]+ J: package-0 is known for [0-9.]+ s of [0-9.]+ s' "$(tr -s '\n ' ' ' < err)"
check_match 'and why' 'its counter began again' "$(cat err)"
check_match 'in one line, too' '^[0-9.]+ J measured gross [0-9.e-]+ kgCO2eq at-least partial$' "$(: > begun; "$carbon" measure -v --root tree --quiet --baseline 0 --json q.json -- ./job 1 2>&1)"
check_match 'it comes out again' 'recalculated, all identical' "$("$carbon" verify one.json)"
"$carbon" restate --zone DE --json again.json one.json > /dev/null 2>&1
check 'restated it is the same lower bound' "$(json one.json "$figures")" "$(json again.json "$figures")"
"$source/tests/check-schema.sh" one.json q.json again.json > schema
case $? in 77) ;; *) check 'as the schema has it' 0 $? || cat schema ;; esac

# A steady 55 W: what is known is 55 W over the time that is known, and idle is taken for that time alone.
cat > steady.py << 'END'
import os, time
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
fd = os.open("tree/sys/class/powercap/intel-rapl:0/energy_uj", os.O_RDWR)
start, begun = 5000 * 10**6, time.monotonic()
while os.getppid() != 1:
    if start and os.path.exists("reset-now"):
        start, begun = 0, time.monotonic()
    os.pwrite(fd, b"%020d\n" % (start + int(55e6 * (time.monotonic() - begun))), 0)
    if not os.path.exists("steady"):
        open("steady", "w").close()
    if not start and not os.path.exists("was-reset"):
        open("was-reset", "w").close()
    time.sleep(0.002)
END
/usr/bin/python3 steady.py &
feeder=$!
until_true test -e steady
"$carbon" measure -v --root tree --baseline 2 --settle 0 --json steady.json -- \
    sh -c 'sleep 1.5; : > reset-now; until [ -e was-reset ]; do sleep 0.02; done; sleep 1.5' > /dev/null 2> err
kill "$feeder"
wait "$feeder" 2> /dev/null
tried 1 'A counter is reset, stuck'
check 'steady: no net, not complete' 'None unknown True False' "$(json steady.json '"%s %s %s %s" % (r["net_j"]["mean"], r["verdict"], r["at_least"], r["complete"])')"
check 'gross of the known time' True "$(json steady.json '(lambda known_s: abs(r["gross_j"]["mean"] - 55 * known_s) < 0.15 * 55 * known_s)(r["duration_s"]["mean"] - r["unknown_s"])')"
check 'idle of the known time' True "$(json steady.json '(lambda known_s: abs(r["idle_j"]["mean"] - 55 * known_s) < 0.15 * 55 * known_s)(r["duration_s"]["mean"] - r["unknown_s"])')"
check 'it costs what lies between two readings' True "$(json steady.json '0 < r["unknown_s"] < r["duration_s"]["mean"]')"

# The page and the table say it, too.
echo 5000000000 > tree/sys/class/powercap/intel-rapl:0/energy_uj
: > begun
"$carbon" measure -v --root tree --baseline 0 --csv one.csv --html one.html -- ./job 1 > /dev/null 2> err
check 'a row of a table' 'true True' "$(/usr/bin/python3 -c 'import csv
row = list(csv.DictReader(open("one.csv")))[0]
print(row["at_least"], 0 < float(row["unknown_s"]) < float(row["duration_s"]))')"
check_match 'the total of the page' 'class="total".*at least .*<th scope="row">package-0.*at least |at least .*class="total".*at least ' "$(tr '\n' ' ' < one.html)"
check_match 'its answer' 'class="answer">at least ' "$(cat one.html)"
check_match 'how long is not known' 'data-path="unknown_s"|not known, of the domain and run that are known least' "$(cat one.html)"

# Of phases the one that has it is a lower bound, and the others are known.
cat > phased << END
#!/bin/bash
echo first >&\$CARBON_MARK_FD
"$burn" tree intel-rapl:0 10000000 100
echo second >&\$CARBON_MARK_FD
sleep 1.1
echo 0 > tree/sys/class/powercap/intel-rapl:0/energy_uj
sleep 1.1
"$burn" tree intel-rapl:0 1000000 100
echo third >&\$CARBON_MARK_FD
"$burn" tree intel-rapl:0 7000000 100
END
chmod +x phased
echo 5000000000 > tree/sys/class/powercap/intel-rapl:0/energy_uj
"$carbon" measure -v --root tree --baseline 0.3 --settle 0 --marks --json phased.json -- ./phased > /dev/null 2> err
tried 1 'A counter is reset, stuck'
check 'phases: gross, at least' '10 False, 7 False' "$(json phased.json '", ".join("%s %s" % (p["gross_j"]["mean"], p["at_least"]) for p in r["phases"] if p["name"] in ("first", "third"))')"
check 'the one with the hole' 'True None reset' "$(json phased.json '(lambda p, one: "%s %s %s" % (p["at_least"], p["net_j"]["mean"], one["holes"][0]["reason"]))(
    [p for p in r["phases"] if p["name"] == "second"][0], [p for p in r["windows"]["runs"][0]["phases"] if p["name"] == "second"][0])')"
check_match 'in the table' '^ +second +1 +[0-9.]+ s +≥ ' "$(cat err)"
check_match 'it comes out again' 'recalculated, all identical' "$("$carbon" verify phased.json)"

# Of three runs the second has one: the mean is that of the others.
echo 5000000000 > tree/sys/class/powercap/intel-rapl:0/energy_uj
: > begun
"$carbon" measure -v --root tree --baseline 0.3 --settle 0 --runs 3 --json three.json -- ./job 2 > out 2> err
tried 1 'A counter is reset, stuck'
check 'three runs: status' 0 $?
check 'the mean of two' '17 17 more False True 2' "$(json three.json "$figures") $(json three.json 'r["runs"]')"
check 'which' '[True, False, True]' "$(json three.json '[x["counted"] for x in r["windows"]["runs"]]')"
check_match 'by name' 'run 2 is left out: of package-0 only [0-9.]+ s of [0-9.]+ s is known' "$(tr -s '\n ' ' ' < err)"
check_match 'it comes out again, too' 'recalculated, all identical' "$("$carbon" verify three.json)"

# The machine sleeps an hour: its clock says so; the counter says nothing of it.
preload=$helpers/.libs/sleeper.so
if grep -qE '__(asan|tsan)_init' "$carbon" || [ ! -e "$preload" ]; then
    echo 'not tested: a machine that sleeps, for nothing can be preloaded'
else
    cat > asleep << END
#!/bin/bash
"$burn" tree intel-rapl:0 10000000 100
sleep 1.1
echo 3600 > slept.new && mv slept.new slept
sleep 1.1
"$burn" tree intel-rapl:0 7000000 100
END
    chmod +x asleep
    echo 5000000000 > tree/sys/class/powercap/intel-rapl:0/energy_uj
    SLEPT=$PWD/slept LD_PRELOAD=$preload "$carbon" measure -v --root tree --baseline 0.3 --settle 0 --json asleep.json -- ./asleep > /dev/null 2> err
    check 'asleep: status' 0 $?
    tried 1 'The machine sleeps'
    check 'a lower bound, no net' '17 None True False' "$(json asleep.json '"%s %s %s %s" % (r["gross_j"]["mean"], r["net_j"]["mean"], r["at_least"], r["complete"])')"
    check 'why' '0 suspend True' "$(json asleep.json '(lambda w: "%d %s %s" % (w["holes"][0]["domain"], w["holes"][0]["reason"],
        0 < w["holes"][0]["unknown_s"] < w["duration_s"]))(r["windows"]["runs"][0])')"
    check 'and how long it slept' True "$(json asleep.json 'abs(r["windows"]["runs"][0]["suspended_s"] - 3600) < 1')"
    check_match 'is told' 'used at least 17.0 J: package-0 is known for [0-9.]+ s of [0-9.]+ s, .*: the machine slept' "$(tr -s '\n ' ' ' < err)"

    # Somebody sets the wall clock, back or forward: nothing in the record contradicts itself.
    for by in -3600 604800; do
        printf '#!/bin/sh\n"%s" tree intel-rapl:0 10000000 100\necho %d > clock.new && mv clock.new clock\n' "$burn" $by > setter
        chmod +x setter
        echo 0 > clock
        begun_s=$(date +%s)
        SET=$PWD/clock LD_PRELOAD=$preload "$carbon" measure -v --root tree --baseline 0.3 --settle 0 --json set.json -- ./setter > /dev/null 2> err
        check "set by $by s: status" 0 $?
        tried 1 'The wall clock is set'
        check_match 'is told' "the wall clock was set $([ $by -lt 0 ] && echo 'back by 1 h 00' || echo 'forward by 168 h 00') min meanwhile" "$(tr -s '\n ' ' ' < err)"
        check 'times of day are those of before, the energy is whole' True "$(json set.json '(lambda at, w: at(r["started_at"]) >= '$begun_s' - 1 and
            0 <= at(r["ended_at"]) - at(r["started_at"]) < 600 and r["gross_j"]["mean"] == 10 and 0.1 <= w["duration_s"] < 600 and
            at(r["started_at"]) - 1 <= at(w["started_at"]) <= at(r["ended_at"]))(
            lambda text: __import__("datetime").datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp(), r["windows"]["runs"][0])')"
        check_match 'it comes out again' 'recalculated, all identical' "$("$carbon" verify set.json)"
    done
fi

# No other command takes a lower bound for a figure.
echo 5000000000 > tree/sys/class/powercap/intel-rapl:0/energy_uj
: > begun
"$carbon" compare --root tree --baseline 0 --runs 1 --warmup 0 --json two.json -- './job 1' -- './job 1' > out 2> err
tried 1 'A counter is reset, stuck'
check 'compare: no verdict on it' unknown "$(json two.json 'r["comparisons"][0]["verdict"]')"
: > begun
"$carbon" batch --verbose --root tree --loops 1 --baseline 0 --json batch.json --module 'a=./job 1' --module 'b=./job 1' > out 2> err
tried 1 'A counter is reset, stuck'
check 'batch: unknown, and the module beside it known' 'None 17' "$(json batch.json '"%s %s" % tuple(m["gross_j"]["mean"] for m in r["modules"])')"
: > begun
printf 'name: steps\nsteps:\n- {name: a, run: [./job, "1"]}\n- {name: b, run: [./job, "1"]}\n' > steps.yaml
"$carbon" pipeline --details --root tree --baseline 0 --no-ledger --json steps.json steps.yaml > out 2> err
tried 1 'A counter is reset, stuck'
check 'pipeline: likewise' 'None 17' "$(json steps.json '"%s %s" % tuple(s["gross_j"]["mean"] for s in r["steps"])')"
# Sixteen counters that begin again at once are one notice, and push no other out.
zones=()
for i in 0 1 2 3 4 5 6 7; do zones+=("intel-rapl:$i=package-$i" "intel-rapl:$i:0=dram"); done
zone many 262143328850 5000000000 "${zones[@]}"
cat > reload << 'END'
#!/bin/sh
for counter in many/sys/class/powercap/*/energy_uj; do echo 5003000000 > "$counter"; done
sleep 1.2
for counter in many/sys/class/powercap/*/energy_uj; do echo 1000000 > "$counter"; done
sleep 1.2
for counter in many/sys/class/powercap/*/energy_uj; do echo 3000000 > "$counter"; done
END
chmod +x reload
"$carbon" measure -v --root many --baseline 0 --json many.json -- ./reload > /dev/null 2> err
tried 1 'A counter is reset, stuck'
check 'of sixteen one notice' '1 1' "$(json many.json '"%d %d" % (
    sum("was reset 1 times; 15 more are like that" in n["what"] for n in r["notices"]), sum("run 1 used at least" in n["what"] for n in r["notices"]))')"
finish
