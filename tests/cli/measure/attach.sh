#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --pid and --cgroup: what runs already, alone and with a client.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000000
burn="$helpers/burn" act="$helpers/act"
attach() { "$carbon" measure -v --root tree --json r.json "$@" 2> err; }
# started FILE: waits until carbon has taken the opening sample, told by its time series
started() { until_true grep -sq '^[0-9].*,run,' "$1"; }

# A process that does its work once carbon watches: each microjoule, and its CPU time.
mkfifo go go2
sh -c 'read -r _ < go; "$0" --spin 300; "$0" tree intel-rapl:0 3000001 100' "$burn" &
job=$!
until_true grep -qx sh /proc/$job/comm
attach --pid $job --baseline 0.3 --samples s.csv &
carbon_pid=$!
started s.csv.partial
echo > go
wait $carbon_pid
check 'ends with the process' 0 $?
check 'the energy of the window' 3.000001 "$(json r.json 'r["gross_j"]["mean"]')"
check 'its baseline follows it' '1 True 3.000001' "$(json r.json '"%d %s %s" % (len(r["windows"]["baselines"]), r["windows"]["baselines"][0]["started_at"] > r["windows"]["runs"][0]["started_at"], r["net_j"]["mean"])')"
check 'its CPU time' 'True process tree' "$(json r.json '"%s %s" % (0.25 < r["usage"]["cpu_s"]["value"] < 0.6, r["usage"]["cpu_s"]["from"])')"
check 'what it was' "process $job (sh) [] None" "$(json r.json '"%s %s %s" % (r["target"], r["command"], r["exit_status"])')"
check 'where it ran is not said' '{'"'list': None, 'from': None, 'count': None"'}' "$(json r.json 'r["cpus"]')"
check_match 'in the table' "^process $job \(sh\) +1 run" "$(cat err)"
check_match 'and the doubt' 'baseline was taken after process' "$(cat err)"

# For a time; until a signal.
"$act" sleep 30 &
job=$!
attach --pid $job --for 0.4s
check 'for so long' '0 True None None' "$? $(json r.json '0.38 < r["duration_s"]["mean"] < 0.8') $(json r.json 'r["idle_j"]["mean"]') $(json r.json 'r["share_j"]["mean"]')"
check_match 'no baseline while it lives' 'no baseline: process [0-9]+ \(.*\) was running all the time' "$(cat err)"
for how in '' '--for 20'; do
    rm -f s.csv*
    # shellcheck disable=SC2086 # two words, or none
    "$carbon" measure -v --root tree --json r.json --pid $job $how --samples s.csv 2> err &
    carbon_pid=$!
    started s.csv.partial
    kill -TERM $carbon_pid # INT is ignored in the background of a script
    wait $carbon_pid
    echo "$? $(json r.json 'r["complete"]')" >> signals
done
check 'a signal is the end, or comes before it' $'0 True\n143 False' "$(cat signals)"

# Several are measured as one, until all have ended; a child of one of them, and what is named twice, counts once.
sh -c '"$0" sleep 30 & echo $! > child; read -r _ < go; "$1" --spin 200; sleep 0.4; kill $!' "$act" "$burn" &
one=$!
sh -c 'read -r _ < go2; "$0" --spin 200; sleep 0.4; "$0" tree intel-rapl:0 1500000 60' "$burn" &
other=$!
until_true test -s child
rm -f s.csv*
attach --pid "$(cat child)" --pid $one --pid $other --pid $one --samples s.csv &
carbon_pid=$!
started s.csv.partial
echo > go
wait $one
check 'two: goes on while one is left' yes "$(kill -0 $carbon_pid && echo yes)"
echo > go2
wait $carbon_pid
check 'two: ends with the last' 0 $?
check 'two: the energy' 1.5 "$(json r.json 'r["gross_j"]["mean"]')"
# more than one of them used; what the last look before an end has not seen is not in it
check 'two: the CPU time of both' 'True process tree' \
    "$(json r.json '"%s %s" % (0.25 < r["usage"]["cpu_s"]["value"] < 0.7, r["usage"]["cpu_s"]["from"])')" || json r.json 'r["usage"]["cpu_s"]'
check 'two: both are named' "processes $(cat child) (act), $one (sh), $other (sh)" "$(json r.json 'r["target"]')"

# With a client the window and the status are the client's, the usage the target's.
attach --pid $job --baseline 0.2 -- sh -c '"$0" --spin 300; "$0" tree intel-rapl:0 500000 60; exit 3' "$burn"
check 'the status of the client' 3 $?
check 'usage of the target' '0.5 True' "$(json r.json '"%s %s" % (r["net_j"]["mean"], r["usage"]["cpu_s"]["value"] < 0.05)')"
check_match 'both are named' "^process $job \(act\), client sh -c" "$(cat err)"
kill $job

# A cgroup, where one can be made.
group=$(awk '/ - cgroup2 /{ print $5; exit }' /proc/self/mountinfo)/carbon-attach-test-$$
if mkdir "$group" 2> /dev/null; then
    sh -c 'echo $$ > "$1/cgroup.procs"; read -r _ < go; "$0" --spin 400; "$0" tree intel-rapl:0 2000000 60' "$burn" "$group" &
    job=$!
    until_true grep -q . "$group/cgroup.procs"
    rm -f s.csv*
    attach --cgroup "$group" --baseline 0.2 --samples s.csv &
    carbon_pid=$!
    started s.csv.partial
    echo > go
    wait $carbon_pid
    check 'a cgroup ends when it is empty' '0 2 True cgroup' "$? $(json r.json '"%g %s %s" % (r["net_j"]["mean"], 0.35 < r["usage"]["cpu_s"]["value"] < 0.7, r["usage"]["cpu_s"]["from"])')"
    wait $job
    rmdir "$group"
else
    echo 'not tested: a cgroup (none can be made here)'
fi

# What the configuration says of commands is not meant for what runs already.
"$act" sleep 30 &
job=$!
CARBON_RUNS=3 attach --pid $job --for 0.1s
check 'runs of the environment' '0 1' "$? $(json r.json 'len(r["windows"]["runs"])')"
kill $job

# What cannot be.
refused() {
    local name=$1 words=$2
    shift 2
    attach "$@"
    check "$name: status" 125 $?
    check_match "$name" "$words" "$(cat err)"
}
refused 'nobody' 'no such process' --pid 4000000
refused 'nobody beside somebody' 'process 4000000 cannot be followed' --pid $$ --pid 4000000
refused 'no group' 'no hierarchy has a group of this name' --cgroup nothing/at/all
refused 'two' '--pid and --cgroup cannot be combined' --pid 1 --cgroup /
refused 'a window of no length' "--for needs a number of seconds from 0.01 to 31622400, not '0'" --pid 1 --for 0
refused 'no time' "--for needs a number of seconds, not '5x'" --pid 1 --for 5x
refused 'nothing to end' '--for needs --pid, --cgroup, --container or --pod' --for 5
refused 'two ends' '--for cannot be used with a command' --pid 1 --for 5 -- true
refused 'again' 'cannot be run again' --pid 1 --runs 2
refused 'marks' 'cannot mark phases' --pid 1 --marks
refused 'nothing' "needs an argument" --baseline 0

finish
