#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon profile: joules go to the functions that used them, whatever the job does with its processes; sums are exact.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

functions=$helpers/functions
profile() { "$carbon" profile --no-ledger --baseline 0 "$@"; }

profile --json p.json -- true 2> err
grep -q 'perf_event_open' err && {
    check_match 'where stacks may not be sampled the reason and what helps' 'fix: ' "$(cat err)"
    skip "the kernel lets nobody sample: $(cat err)"
}

# shares FILE NAME...: the part of each function in the samples of all of these against what the job itself says it used (truth):
# "yes", or the one that is off. 5 standard deviations of the binomial, and 1 point for what carbon and the kernel add.
cat > shares.py << 'END'
import json, math, sys
r = json.load(open(sys.argv[1]))
truth = {n: float(s) for n, s in (line.split() for line in open("truth"))}
got = {n: sum(f["own_samples"] for f in r["functions"] if f["name"] == n) for n in truth}
joules = {n: sum(f["own_j"] for f in r["functions"] if f["name"] == n) for n in truth}
n, all_s, all_j = sum(got.values()), sum(truth.values()), sum(joules.values())
for name, seconds in truth.items():
    p = seconds / all_s
    bound = 5 * math.sqrt(p * (1 - p) / n) + 0.01
    if abs(got[name] / n - p) > bound or abs(joules[name] / all_j - p) > bound:
        sys.exit(f"{name}: {got[name]} of {n} samples, {joules[name]} of {all_j} J, by its own word {p}")
if n < 0.8 * r["sampling"]["samples"]:
    sys.exit(f"{n} of {r['sampling']['samples']} samples")
print("yes")
END
shares() { /usr/bin/python3 shares.py "$1" 2>&1; }
# Whole nanojoules: sums are exact.
cat > sums.py << 'END'
import json, sys
r = json.load(open(sys.argv[1]))
nj = lambda j: round(j * 1e9)
e = r["energy"]
for part in "functions", "threads", "libraries":
    got = sum(nj(x["own_j"]) for x in r[part]) + nj(e["unseen_j"]) + nj(e["gpu_j"])
    if got != nj(e["own_j"]):
        sys.exit(f"{part}: {got} nJ, not {nj(e['own_j'])}")
    if sum(x["own_samples"] for x in r[part]) != r["sampling"]["samples"]:
        sys.exit(f"{part}: samples")
if abs(e["own_j"] - r["record"]["own_j"]["mean"]) > 1e-9:
    sys.exit("it is not the job's own")
print("yes")
END
sums() { /usr/bin/python3 sums.py "$1" 2>&1; }

profile --frequency 999 --json p.json -- "$functions" shares 3 > truth 2> table
check 'three functions by a model' yes "$(shares p.json)"
check 'the sums are exact' yes "$(sums p.json)"
check 'by CPU time, which is equal for all samples' 'cpu-time cpu-time' "$(json p.json 'r["energy"]["method"] + " " + r["energy"]["within"]')"
check_match 'in the table' '^ +[0-9.]+ m?J +[0-9.]+ +[0-9.]+ m?J to .*  sixty \(functions\)$' "$(cat table)"
check_match 'all' '  all$' "$(cat table)"
check 'the range holds the figure' True "$(json p.json 'all(f["own_low_j"] <= f["own_j"] <= f["own_high_j"] for f in r["functions"] if f["own_samples"])')"
check 'what main called is all but itself' True "$(json p.json '[f for f in r["functions"] if f["name"] == "main"][0]["total_samples"] > 0.8 * r["sampling"]["samples"]')"
check 'emissions are the energy times the factor' True \
    "$(json p.json 'abs(sum(f["own_kgco2eq"] for f in r["functions"]) / r["record"]["emissions"]["own"]["kgco2eq"] - 1) < 1e-6')"
check 'documents keep to their schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" p.json > schema; echo $?)"
[ -s schema ] && grep -v 'keep to their schemas' schema

for how in fork threads exec; do
    profile --frequency 999 --json $how.json -- "$functions" $how 1 > truth 2> $how.err
    check "$how: each function" yes "$(shares $how.json)"
    check "$how: sums" yes "$(sums $how.json)"
done
check 'threads by name' True "$(json threads.json '{"threaded_0", "threaded_1"} <= {t["name"] for t in r["threads"]}')"
profile --frequency 999 --json - -- "$functions" dlopen 0.5 "$helpers/.libs/plugged.so" > both 2> err
sed -n '/^{/,$p' both > dlopen.json; grep '^plugged' both > truth
check 'a library that is opened later' yes "$(shares dlopen.json)"
check 'is named' True "$(json dlopen.json '[f for f in r["functions"] if f["name"] == "plugged"][0]["library"] == "plugged.so"')"
profile --frequency 999 --json jit.json -- "$functions" jit 0.5 'made here' > truth 2> err
sed -i 's/made here/made_here/' truth
sed -i 's/"made here"/"made_here"/' jit.json
[ $? = 77 ] || check 'code of a JIT by its map, whatever else stands in that' yes "$(shares jit.json)"

# Frame pointers lead from the deepest function to main.
profile --frequency 999 --json deep.json --folded deep.folded -- "$functions" deep 0.5 > truth 2> err
check_match 'a hundred calls' '^[^;]*;([^;]*;)*main;(down;){98,101}(run;)?deepest [0-9]+$' "$(cat deep.folded)"
check 'each counts once' True "$(json deep.json '(lambda f: f["total_samples"] <= r["sampling"]["samples"])([f for f in r["functions"] if f["name"] == "down"][0])')"

cp "$functions" stripped
strip stripped 2> /dev/null && {
    profile --frequency 999 --json stripped.json -- ./stripped shares 0.3 > truth 2> err
    check 'a stripped program is known by its name' True \
        "$(json stripped.json 'sum(l["own_samples"] for l in r["libraries"] if l["name"] == "stripped") > 0.8 * r["sampling"]["samples"]')"
    check 'and says so' True "$(json stripped.json 'r["sampling"]["unnamed_samples"] > 0.8 * r["sampling"]["samples"]')"
}

# The program is another one by the time that it is read.
cp "$functions" short
profile --frequency 999 --json gone.json -- sh -c './short shares 0.3; rm short' > truth 2> err
check 'a program that removes itself' yes "$(shares gone.json)"

# As in a container: files that only its processes see, and numbers of its own.
if unshare -pfm --mount-proc true 2> /dev/null; then
    mkdir inside
    # shellcheck disable=SC2016 # the inner shell's
    profile --frequency 999 --json inside.json -- unshare -m sh -c 'mount -t tmpfs none inside && cp "$0" inside/f && inside/f shares 0.5' \
        "$functions" > truth 2> err
    check 'a program that nobody else sees' yes "$(shares inside.json)"
    check 'is not on this side' no "$([ -e inside/f ] && echo yes || echo no)"
    # shellcheck disable=SC2016
    profile --frequency 999 --json numbers.json -- unshare -pfm --mount-proc sh -c 'mount -t tmpfs none /tmp && "$0" jit 0.5 inner; exit $?' \
        "$functions" > truth 2> err
    [ $? = 77 ] || check 'a perf map by the number that the process has there' yes "$(shares numbers.json)"
else
    echo 'not tested: files and numbers of a container (no namespaces can be made here)'
fi

# Little memory, many samples: some are lost, which is told.
"$carbon" profile --no-ledger --baseline 0 --frequency 10000 --ring 4 --interval 1 --json lost.json -- "$functions" deep 1 > truth 2> err
check 'lost samples are counted' True "$(json lost.json 'r["sampling"]["lost_records"] > 0')"
check_match 'and told' 'note: [0-9]+ records of the sampling were lost' "$(cat err)"
check 'the sums are exact all the same' yes "$(sums lost.json)"

# The kernel counts anew with each process: what ends within a period has no sample, and that is said.
profile --frequency 199 --json short.json -- sh -c 'i=0; while [ $i -lt 400 ]; do /bin/true; i=$((i + 1)); done' 2> err
check_match 'processes that are too short' 'note: samples cover only [0-9]+ % of the job' "$(cat err)"
check 'their energy is in no function of others' yes "$(sums short.json)"
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    cp "$functions" unreadable
    chmod 111 unreadable
    open_to_all
    setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$carbon" profile --no-ledger --baseline 0 --frequency 999 \
        -- ./unreadable shares 0.3 > truth 2> err
    check 'a program that its user may not read' 0 $?
    check_match 'has no samples, which is said' 'note: samples cover only 0 % of the job' "$(cat err)"
    check_match 'and what it used' '^ .* no sample: not on a CPU, or too briefly$' "$(cat err)"
fi

python=/usr/bin/python3
if "$python" -X perf -c 'import sys; sys.exit(not sys.is_stack_trampoline_active())' 2> /dev/null; then
    profile --frequency 999 --json python.json -- "$python" -X perf -c $'def slow():\n s = 0\n for i in range(20000000):\n  s += i\nslow()' 2> err
    check 'functions of Python' True "$(json python.json 'any(f["name"].startswith("py::slow:") for f in r["functions"])')"
else
    echo "not tried: $("$python" --version) has no -X perf (3.12 has)"
fi

if command -v node > /dev/null && node --perf-basic-prof -e 0 2> /dev/null; then
    profile --frequency 999 --json node.json -- node --perf-basic-prof -e \
        'function slowly(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s } for (let k = 0; k < 60; k++) slowly(5e6)' 2> err
    check 'functions of JavaScript' True "$(json node.json 'any("slowly" in f["name"] and f["library"] == "[jit]" for f in r["functions"])')"
else
    echo 'not tried: there is no node with --perf-basic-prof'
fi

# What runs already: its threads, those that it starts later, and what it maps.
mkfifo go
sh -c 'read -r _ < go; exec "$0" threads 1' "$functions" > truth &
job=$!
until_true grep -qx sh /proc/$job/comm
"$carbon" profile --no-ledger --frequency 999 --pid $job --ready-fd 3 --json pid.json 3> ready 2> err &
carbon_pid=$!
until_true grep -qx run ready
echo > go
wait $carbon_pid
check 'a process that runs already' 0 $?
wait $job
check 'its functions' yes "$(shares pid.json)"
check 'its sums' yes "$(sums pid.json)"
check 'its threads by name' True "$(json pid.json '{"threaded_0", "threaded_1"} <= {t["name"] for t in r["threads"]}')"
"$functions" shares 3600 > /dev/null &
job=$!
until_true grep -q '^[0-9]* (functions) R' /proc/$job/stat
profile --frequency 999 --pid $job --for 1s --json for.json 2> err
check 'for a time' 'True True' "$(json for.json '"%s %s" % (0.9 < r["energy"]["duration_s"] < 30, r["sampling"]["samples"] > 50)')"
check_match 'the table says what' "^process $job \(functions\) " "$(cat err)"
check 'by its own name' True "$(json for.json 'any(f["name"] == "sixty" for f in r["functions"])')"
profile --frequency 999 --pid $job --json client.json -- sleep 0.7 2> err
check 'while its client runs' True "$(json client.json 'any(f["name"] == "sixty" for f in r["functions"]) and "sleep" not in {t["name"] for t in r["threads"]}')"
group=$(awk '/ - cgroup2 /{ print $5; exit }' /proc/self/mountinfo)/carbon-profile-test-$$
if [ "$group" != "/carbon-profile-test-$$" ] && mkdir "$group" 2> /dev/null; then
    echo $job > "$group/cgroup.procs"
    profile --frequency 999 --cgroup "$group" --for 0.7s --json group.json 2> err
    check 'a cgroup' True "$(json group.json 'any(f["name"] == "sixty" for f in r["functions"])')"
else
    echo 'not tested: a cgroup (none can be made here)'
fi
kill $job
wait $job 2> /dev/null
# What runs was replaced since, as by an update: it is named by the old file, which has no name any more.
cp "$functions" updated
./updated shares 3600 > /dev/null &
job=$!
until_true grep -q '^[0-9]* (updated) R' /proc/$job/stat
cp --remove-destination /bin/true updated
profile --frequency 999 --pid $job --for 0.7s --json updated.json 2> err
check 'a program that was replaced' True "$(json updated.json 'any(f["name"] == "sixty" and f["library"] == "updated" for f in r["functions"])')"
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    check_match "another user's process" "^carbon: cannot sample stacks.* why: process $job is of another user" \
        "$(setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$carbon" profile --no-ledger --pid $job --for 0.1s 2>&1 | tr '\n' ' ' | tr -s ' ')"
fi
kill $job
wait $job 2> /dev/null
[ ! -d "$group" ] || rmdir "$group"
check_match 'no such process' "^carbon: process 4194303 cannot be followed" "$(profile --pid 4194303 2>&1)"

# On a machine whose power follows what runs, joules follow the power, not the time.
driven=$helpers/.libs/driven.so
if [ -e "$driven" ]; then
    zone turning 262143328850 5000000000
    for cpu in 1 2 3; do
        sed "1,/^\$/s/^processor.*/processor\t: $cpu/" turning/proc/cpuinfo > cpu$cpu
        cp -r turning/sys/devices/system/cpu/cpu0 turning/sys/devices/system/cpu/cpu$cpu
    done
    cat cpu1 cpu2 cpu3 >> turning/proc/cpuinfo
    echo 0-3 > turning/sys/devices/system/cpu/online
    echo 'cpu  0 0 0 0 0 0 0 0 0 0' > turning/proc/stat
    echo 0 > turning/others
    : > turning/loads
    DRIVEN="$PWD/turning 10 0 0 0" LD_PRELOAD=$driven "$carbon" profile --no-ledger --baseline 1 --frequency 499 --root turning \
        --json turning.json -- env -u LD_PRELOAD -u DRIVEN "$functions" turns 4 "$PWD/turning" 20 40 > truth 2> err
    check 'by the meter of each interval' 'net net' "$(json turning.json 'r["energy"]["method"] + " " + r["energy"]["within"]')"
    check 'the sums are exact there, too' yes "$(sums turning.json)"
    # cheap and dear have equal times, within a turn
    cat > powers.py << 'END'
import json
r = json.load(open("turning.json"))
truth = {n: float(s) for n, s in (line.split() for line in open("truth"))}
j = {n: sum(f["own_j"] for f in r["functions"] if f["name"] == n) for n in truth}
part, of = j["dear"] / (j["dear"] + j["cheap"]), 40 * truth["dear"] / (40 * truth["dear"] + 20 * truth["cheap"])
time = truth["dear"] / sum(truth.values())
print("yes" if abs(part / of - 1) < 0.05 else f"dear has {part} of both, not {of}; of the time {time}: {j} {truth}")
END
    check 'twice the power, twice the joules' yes "$(/usr/bin/python3 powers.py)"
fi

check_match 'a command that is not there' "^carbon: .*'no-such-command'" "$(profile -- no-such-command 2>&1)"
profile -- no-such-command 2> /dev/null
check 'has the usual status' 127 $?
profile -- sh -c 'exit 7' 2> /dev/null
check "the job's own status" 7 $?
check_match 'no power of two' 'power of two' "$(profile --ring 100 -- true 2>&1)"
finish
