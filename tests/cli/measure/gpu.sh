#!/bin/bash
# SPDX-License-Identifier: MIT
# What a job had of graphics cards, by the processes that NVML tells of: on the running machine, with a library that
# stands in for NVML. A job itself changes what the card tells, so that nothing depends on how fast it runs: what was
# used at once is told at once, and goes by the next question.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-nvml.sh"

[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'these are not all processes of the machine'
cat > say << 'END'
#!/bin/sh
printf '%s %s\n' gpus 2 0.uuid GPU-1 1.uuid GPU-2 "$@" > "$NVML_NUMBERS.new.$$" && mv "$NVML_NUMBERS.new.$$" "$NVML_NUMBERS"
END
chmod +x say
idle() { ./say 0.energy_mj 5000 0.use '1:90@1000' 1.energy_mj 7000 1.use '1:50@1000' "$@"; }
nvml() { "$carbon" measure -v --source nvml --baseline 0 --no-ledger --intensity 360 "$@"; }
# watched WHAT... -- SAID...: measures what runs already; the cards say SAID once it has begun, and it ends after that.
watched() {
    local what=()
    while [ "$1" != -- ]; do what+=("$1"); shift; done
    shift
    rm -f begun
    env --default-signal=INT "$carbon" measure -v --source nvml --baseline 0 --no-ledger --intensity 360 --for 5m --ready-fd 5 "${what[@]}" 5> begun &
    until_true grep -qs run begun
    ./say "$@"
    sleep 1.4
    kill -INT $!
    wait $!
}
gpu() { json "$1" "[d for d in r['domains'] if d['name'] == '$2'][0]['gpu_own_j']['mean']"; }
flat() { tr -s ' \n' ' ' < "$1"; }

# The job's own process has 60 % of the first card and another's 20 %; of the second a child's child has 30 %, told in
# two samples of which the mean counts, a daemon of the job's 40 %, and another's process has nothing. What was used
# before is in nothing.
cat > job << 'END'
#!/bin/sh
sh -c 'sh -c "echo \$\$ > child; exec sleep 1.3"; :' &
setsid sh -c 'echo $$ > daemon; exec sleep 1.3' &
while ! [ -s child ] || ! [ -s daemon ]; do sleep 0.01; done
./say 0.energy_mj 105000 0.use "$$:60@2000 1:20@2000" \
    1.energy_mj 207000 1.use "$(cat child):20@1500 $(cat child):40@2000 $(cat daemon):40@2000"
sleep 1.2
END
chmod +x job
idle
nvml --json a.json --csv a.csv --html a.html -- ./job > /dev/null 2> a.err
check 'exit status' 0 $?
check 'of the first card: 60 % of 100 J' 60 "$(gpu a.json gpu-0)"
check 'of the second: 30 % and 40 % of 200 J' 140 "$(gpu a.json gpu-1)"
check 'together' 200 "$(json a.json 'r["gpu_own_j"]["mean"]')"
check 'the whole machine stands beside it' 300 "$(json a.json 'r["gross_j"]["mean"]')"
check 'of the run' "200 [('told', 60, 80, 0), ('told', 140, 140, 0)]" "$(json a.json '"%d %s" % (
    r["windows"]["runs"][0]["gpu_own_j"], [(g["users"], g["own_j"], g["used_j"], g["lost_j"]) for g in r["windows"]["runs"][0]["gpus"]])')"
check 'it is attributed' attributed "$(json a.json '[p["quality"] for p in r["provenance"] if p["figure"] == "gpu_own_j.mean"][0]')"
check_match 'in the table' "own 60\.0 J of gpu-0's 100 J, attributed by the time of its processors own 140 J of gpu-1's 200 J" "$(flat a.err)"
check 'in the row' 200 "$(/usr/bin/python3 -c 'import csv; print(float(next(csv.DictReader(open("a.csv")))["gpu_own_j"]):g)' 2> /dev/null ||
    /usr/bin/python3 -c 'import csv; print("%g" % float(next(csv.DictReader(open("a.csv")))["gpu_own_j"]))')"
check_match 'on the page' 'of the GPUs, attributed by the time of their processors' "$(cat a.html)"
check_absent 'nothing is unknown' 'what the job had of' "$(flat a.err)"
"$carbon" verify a.json > said 2>&1
check 'the record comes out again' 0 $? || cat said

# CodeCarbon's columns of the cards: their mean power, and what they are.
idle 0.name 'NVIDIA A100' 1.name 'NVIDIA A100'
cat > row-job << 'END'
#!/bin/sh
sleep 0.3
./say 0.energy_mj 105000 1.energy_mj 207000 0.name 'NVIDIA A100' 1.name 'NVIDIA A100'
END
chmod +x row-job
nvml --codecarbon row.csv -- ./row-job > /dev/null 2> row.err
check 'the row of CodeCarbon' '2 2 x NVIDIA A100 300 True' "$(/usr/bin/python3 -c '
import csv
row = next(csv.DictReader(open("row.csv")))
joules = float(row["gpu_energy"]) * 3.6e6
print(row["gpu_count"], row["gpu_model"], "%.6g" % joules, abs(float(row["gpu_power"]) * float(row["duration"]) / joules - 1) < 1e-9)')"

# What ran already: by its process tree, by its group; where the CPU's part is told, the cards' is in it.
idle
sh -c './say 0.energy_mj 105000 0.use "$$:25@2000 1:75@2000"; sleep 30; :' &
job=$!
until_true sh -c 'grep -q 105000 numbers'
idle
watched --pid $job --json b.json -- 0.energy_mj 45000 0.use "$job:25@2000 1:75@2000" 1.energy_mj 7000 2> b.err
check 'a process that ran already: 25 % of 40 J' 10 "$(gpu b.json gpu-0)"
check 'attributed: its part of the cards, nothing of the CPU time there' True \
    "$(json b.json 'abs(r["attributed_j"]["mean"] - 10) < 1e-9')"
kill $job
wait $job 2> /dev/null
for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/memory; do
    folder=$root/carbon-test-gpu-measure-$$
    { [ -e "$root/cgroup.procs" ] && mkdir "$folder" 2> /dev/null; } || continue
    mkdir "$folder/below"
    sleep 30 &
    job=$!
    if echo $job > "$folder/below/cgroup.procs" 2> /dev/null; then
        idle
        watched --cgroup "$folder" --json c.json -- 0.energy_mj 45000 0.use "$job:50@2000 $$:50@2000" 1.energy_mj 7000 2> c.err
        check "a group ($root): 50 % of 40 J" 20 "$(gpu c.json gpu-0)"
    fi
    kill $job
    wait $job 2> /dev/null
    rmdir "$folder/below" "$folder"
    break
done

# The other commands that measure jobs.
one_card='./say 0.energy_mj 105000 0.use "$$:60@2000 1:20@2000" 1.energy_mj 7000; sleep 1.2'
printf '%s\n' "$one_card" > one-card
idle
"$carbon" compare --source nvml --baseline 0 --settle 0 --warmup 0 --runs 1 --no-ledger --intensity 360 --json m.json -- 'sh one-card' -- 'sleep 0.1' > m.out 2> m.err
check 'compare: of the first command' 60 "$(json m.json 'r["results"][0]["gpu_own_j"]["mean"]')"
idle
"$carbon" batch --verbose --source nvml --baseline 0 --loops 1 --no-ledger --intensity 360 --json n.json --module 'one=sh one-card' > n.out 2> n.err
check 'batch: of a module' 60 "$(json n.json 'r["modules"][0]["runs"][0]["gpu_own_j"]')"
printf 'steps:\n- {name: one, run: ["sh", "one-card"]}\n' > p.yaml
idle
"$carbon" pipeline --details --source nvml --baseline 0 --no-ledger --intensity 360 --json p.json p.yaml > p.out 2> p.err
check 'pipeline: of a step' '60 60' "$(json p.json '"%g %g" % (r["steps"][0]["gpu_own_j"]["mean"], r["steps"][0]["runs"][0]["gpu_own_j"])')"

# Unknown is null and said, never 0; one notice a reason, and of the total nothing where one card does not tell.
own_unknown() { # NAME REGEX JOB...
    local name=$1 regex=$2
    shift 2
    nvml --json u.json -- "$@" 2> u.err
    check "$name" "None None" "$(gpu u.json gpu-0) $(json u.json 'r["gpu_own_j"]["mean"]')"
    check_match "$name: said" "$regex" "$(flat u.err)"
    check_absent "$name: no figure" "of gpu-0's" "$(cat u.err)"
}
idle 0.mig 1
own_unknown 'MIG' 'energy of the job on gpu-0 is unknown: it is partitioned \(MIG\)' \
    sh -c './say 0.energy_mj 9000 0.mig 1 1.energy_mj 9000 1.use "$$:50@2000"; sleep 1.2'
check 'the other card is known' 1 "$(gpu u.json gpu-1)"
check 'its kind' shared "$(json u.json '[n["kind"] for n in r["notices"] if n["what"].startswith("energy of the job on")][0]')"
./say 0.energy_mj 5000 1.energy_mj 5000
own_unknown 'not told' 'energy of the job on gpu-0, gpu-1 is unknown: its driver does not report the processes' sleep 1.2
idle 0.power_mw 50000 1.power_mw 50000
LD_LIBRARY_PATH=$work/in/lib-old own_unknown 'an old driver' 'energy of the job on gpu-0, gpu-1 is unknown' sleep 0.2
idle
own_unknown 'too short' 'reports once a second at best' sleep 0.1
if unshare -p -f --mount-proc true 2> /dev/null; then
    idle
    unshare -p -f --mount-proc "$carbon" measure -v --source nvml --baseline 0 --no-ledger --intensity 360 --json u.json -- sleep 0.1 2> u.err
    check 'other PIDs' None "$(gpu u.json gpu-0)"
    check_match 'other PIDs: said' 'carbon does not see all processes of the machine' "$(flat u.err)"
fi

# Nobody used it: that is 0, and known.
idle
nvml --json z.json -- sh -c 'sleep 1.2; ./say 0.energy_mj 25000 0.use 1:90@1000 1.energy_mj 7000 1.use 1:50@1000' 2> z.err
check 'at rest' 0 "$(gpu z.json gpu-0)"

# A process that ended before it was looked at might have been the job's.
idle
nvml --json l.json -- sh -c './say 0.energy_mj 105000 0.use "$$:10@2000 4194303:30@2000" 1.energy_mj 7000; sleep 1.2' 2> l.err
check 'of the job' 10 "$(gpu l.json gpu-0)"
check 'of whom nobody knows' 30 "$(json l.json 'r["windows"]["runs"][0]["gpus"][0]["lost_j"]')"
check_match 'is said' '30\.0 J of gpu-0 went to processes that ended before they were looked at' "$(flat l.err)"
finish
