#!/bin/bash
# SPDX-License-Identifier: MIT
# NVIDIA GPUs: the real program opens a library that has NVML's functions and takes its numbers from a file.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-nvml.sh"

mkdir lib-foreign

# say KEY VALUE ...: the whole file, at once.
cat > say << 'END'
#!/bin/sh
printf '%s %s\n' "$@" > "$NVML_NUMBERS.new.$$" && mv "$NVML_NUMBERS.new.$$" "$NVML_NUMBERS"
END
chmod +x say
one=(gpus 1 0.uuid GPU-11111111-2222-3333-4444-555555555555 0.name 'NVIDIA Test 80GB')
two=("${one[@]}" gpus 2 1.uuid GPU-66666666-7777-8888-9999-000000000000 1.name 'NVIDIA Test L4')
two=("${two[@]:2}")
nvml() { "$carbon" measure -v --source nvml --baseline 0 "$@"; }
gpu() { json "$1" "[d for d in r['domains'] if d['name'] == '$2'][0]$3"; }
state() { "$carbon" sources --source nvml > out; awk '$1 == "nvml" {print $2}' out; }

# What there is.
./say "${two[@]}" 0.energy_mj 5000 0.power_mw 70000 1.power_mw 20000
check 'ready' ready "$(state)"
check_match 'a card is named by its number, and shown with its own names' '^  gpu-0 +measured +counted +a card of its own' "$(cat out)"
check_match 'with its UUID and its model' '^ +GPU-11111111-2222-3333-4444-555555555555 \(NVIDIA Test 80GB\)$' "$(cat out)"
check_match 'both add up' '^scope compute: gpu-0 \+ gpu-1$' "$(cat out)"
"$carbon" sources --source nvml --json sources.json > /dev/null
domains='[d for s in r["sources"] for d in s["domains"]]'
check 'a counter of mJ, and a sensor of power' "[('gpu', 1000, 100000000, None), ('gpu', 1000, 100000000, 100000000)]" \
    "$(json sources.json "[(d['component'], d['resolution_uj'], d['update_ns'], d['poll_ns']) for d in $domains]")"

# The command has none of the descriptors that the library leaves open.
check 'no descriptor of the library in the command' '' \
    "$(nvml --json fds.json -- sh -c 'ls -l /proc/$$/fd' 2> /dev/null | grep numbers)"
check 'and it ran' 0 "$(json fds.json 'r["exit_status"]')"

# The energy of a run is what the card's counter counted in it, to the millijoule; other time is not in it.
cat > work-on-it << 'END'
#!/bin/sh
for mj in 5250 5500 6000 8000 9001; do
    sleep 0.1
    ./say "$@" 0.energy_mj $mj
done
END
chmod +x work-on-it
./say "${one[@]}" 0.energy_mj 1000
./say "${one[@]}" 0.energy_mj 5000
nvml --json a.json -- ./work-on-it "${one[@]}" 2> a.err
check 'exit status' 0 $?
check 'energy to the millijoule' 4.001 "$(gpu a.json gpu-0 "['gross_j']['mean']")"
check 'the total' 4.001 "$(json a.json 'r["gross_j"]["mean"]')"
check 'it is measured' 'measured nvml' "$(gpu a.json gpu-0 "['quality']") $(gpu a.json gpu-0 "['source']")"
check_absent 'a counter is not a sensor of power' 'sensor of power' "$(cat a.err)"
check_match 'the packages are not in it' 'total incomplete: package-0 is not in it' "$(cat a.err)"

# Near the end of what a counter of µJ holds.
./say "${one[@]}" 0.energy_mj 18446744073709000
nvml --json b.json -- sh -c './say "$@" 0.energy_mj 18446744073709500; sleep 0.15' - "${one[@]}" 2> b.err
check 'the greatest energy' 0.5 "$(gpu b.json gpu-0 "['gross_j']['mean']")"
nvml --json b.json -- sh -c './say "$@" 0.energy_mj 18446744073709600; sleep 0.15' - "${one[@]}" 2> b.err
check_match 'more than that is an error, not a small number' 'readings of gpu-0 failed' "$(cat b.err)"

# The driver was loaded anew: nothing is made up.
./say "${one[@]}" 0.energy_mj 900000
nvml --json b.json -- sh -c './say "$@" 0.energy_mj 10; sleep 0.15; ./say "$@" 0.energy_mj 510' - "${one[@]}" 2> b.err
check_match 'a counter that starts anew' 'counter of gpu-0 was reset 1 times' "$(cat b.err)"

# Power only: power × time. 1 s of 100 W and 1 s of 300 W.
./say "${one[@]}" 0.power_mw 100000
nvml --json c.json -- sh -c 'sleep 1; ./say "$@" 0.power_mw 300000; sleep 1' - "${one[@]}" 2> c.err
check 'power × time' True "$(json c.json 'abs(r["gross_j"]["mean"] / (200 * r["duration_s"]["mean"]) - 1) < 0.1')"
check_match 'is said' 'gpu-0 is a power sensor sampled every 0.1 s' "$(cat c.err)"

# A counter that stands still beside a living sensor, or jumps ahead: the sensor measures, and that is said.
./say "${one[@]}" 0.energy_mj 424242 0.power_mw 200000 0.limit_mw 300000
nvml --json s.json -- sleep 2 2> s.err
check 'a frozen counter: power x time' True "$(json s.json 'abs(r["gross_j"]["mean"] - 200 * r["duration_s"]["mean"]) <= r["resolution_j"] < 50')"
check 'of all of the time' 'False measured' "$(json s.json '"%s %s" % (r["at_least"], r["quality"])')"
check_match 'is said' 'the energy counter of gpu-0 is implausible: using its power x time' "$(tr -s '\n ' ' ' < s.err)"
check_match 'and why' 'does not move while' "$(tr -s '\n ' ' ' < s.err)"
check_absent 'no notice says that it did not move' 'did not move|is stuck' "$(cat s.err)"
./say "${one[@]}" 0.energy_mj 424242 0.power_mw 200000 0.limit_mw 300000
nvml --json s.json -- sh -c 'sleep 0.5; ./say "$@" 0.energy_mj 99424242 0.power_mw 200000 0.limit_mw 300000; sleep 1.5' - "${one[@]}" 2> s.err
check 'a jump ahead: power x time' True "$(json s.json 'abs(r["gross_j"]["mean"] - 200 * r["duration_s"]["mean"]) <= r["resolution_j"] < 50')"
check_match 'is said, too' 'gained more than can be drawn' "$(tr -s '\n ' ' ' < s.err)"
check "the card's own limit is its bound" '900 limit' "$(gpu s.json gpu-0 "['most_w']") $(gpu s.json gpu-0 "['most_from']")"

# Two cards, one of each kind.
./say "${two[@]}" 0.energy_mj 1000 1.power_mw 50000
nvml --json d.json -- sh -c './say "$@" 0.energy_mj 8000 1.power_mw 50000; sleep 0.5' - "${two[@]}" 2> d.err
check 'the first' 7 "$(gpu d.json gpu-0 "['gross_j']['mean']")"
check 'the second' True "$(json d.json 'abs(r["gross_j"]["mean"] - 7 - 50 * r["duration_s"]["mean"]) < 0.5')"
check 'the sum' True "$(json d.json 'abs(r["gross_j"]["mean"] - sum(d["gross_j"]["mean"] for d in r["domains"])) < 1e-9')"

# A card that is shared.
./say "${one[@]}" 0.energy_mj 1000 0.mig 1
check 'partitioned' ready "$(state)"
check_match 'is said' "gpu-0 is partitioned \(MIG\): its energy is the whole card's" "$(cat out)"
./say "${one[@]}" 0.energy_mj 1000 0.mig 0 0.virtualization 1
check 'passed to a guest: the card itself' ready "$(state)"
check_match 'and measured' '^  gpu-0 +measured +counted' "$(cat out)"
check_absent 'not partitioned' 'MIG' "$(cat out)"
./say "${one[@]}" 0.energy_mj 1000 0.virtualization 2
state > /dev/null
check_match 'a vGPU is not counted' '^  gpu-0 +virtual +not counted +a share of a card' "$(cat out)"

# A card that sleeps is not woken silently. The power management of its device lies in sysfs.
./say "${one[@]}" 0.energy_mj 1000
check_absent 'none asleep' 'was asleep' "$("$carbon" sources --source nvml)"
cat > asleep << 'END'
#!/bin/sh
device=/sys/bus/pci/drivers/nvidia/0000:01:00.0/power
mount -t tmpfs none /sys/bus/pci/drivers && mkdir -p "$device" && echo suspended > "$device/runtime_status" && exec "$@"
END
chmod +x asleep
if unshare -m ./asleep true 2> /dev/null; then
    check_match 'asleep' 'an NVIDIA GPU was asleep, and measuring keeps it awake' \
        "$(unshare -m ./asleep "$carbon" sources --source nvml)"
else
    echo 'not checked with a card that sleeps: no file system may be mounted here'
fi

# Left out is said: in the table, in its notes, in one line, and in the record, beside a modelled package and another card.
./say "${two[@]}" 0.power_mw 50000
"$carbon" measure -v --baseline 0 --no-ledger --zone FR --json e.json -- sleep 0.3 2> e.err
check_match 'one card of two: the table' '^  beside gpu-1 +no data$' "$(cat e.err)"
check_match 'one card of two: the note' 'total incomplete: gpu-1 cannot be read' "$(tr -s ' \n' ' ' < e.err)"
check_match 'one card of two: one line' ' incomplete $' \
    "$("$carbon" measure -v -q --baseline 0 --no-ledger --zone FR -- sleep 0.3 2>&1 | tr -s ' \n' ' ')"
check 'one card of two: the record' 1 "$(json e.json 'sum("gpu-1 cannot be read" in n["what"] for n in r["notices"])')"
"$carbon" verify e.json > said 2>&1
check 'and it is verified' 0 $? || cat said
./say "${one[@]}"
if "$carbon" measure -v -q --baseline 0 --no-ledger --zone FR -- true > f.err 2>&1; then
    check_match 'no card tells' ' incomplete $' "$(tr -s ' \n' ' ' < f.err)"
fi
# Cards that the driver has, and a library that answers for none of them.
cat > seen << 'END'
#!/bin/sh
device=/sys/bus/pci/drivers/nvidia/0000:41:00.0
mount -t tmpfs none /sys/bus/pci/drivers && mkdir -p "$device" && printf 'DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:20B5\nPCI_SLOT_NAME=0000:41:00.0\n' > "$device/uevent" && exec "$@"
END
chmod +x seen
if unshare -m ./seen true 2> /dev/null; then
    ./say init 18
    check_match 'a card without its library' '^  gpu-0 +broken +would count' "$(unshare -m ./seen "$carbon" sources)"
    unshare -m ./seen "$carbon" measure -v -q --baseline 0 --no-ledger --zone FR -- true > f.err 2>&1
    check_match 'is named' ' incomplete $' "$(tr -s ' \n' ' ' < f.err)"
fi

# Which cards are the job's: what the surroundings of a command say, or the user.
./say "${two[@]}" 0.energy_mj 1000 1.energy_mj 1000
counted() { json "$1" '" ".join(d["name"] for d in r["domains"] if d["counted"])'; }
CUDA_VISIBLE_DEVICES=GPU-6666 nvml --json h.json -- sh -c './say "$@" 0.energy_mj 9000 1.energy_mj 3500; sleep 0.3' - "${two[@]}" 2> h.err
check 'the card of the job' 'gpu-1 2.5' "$(counted h.json) $(json h.json 'r["gross_j"]["mean"]')"
check_match 'the other is said' "left out of the total: gpu-0: not the job's, by CUDA_VISIBLE_DEVICES GPU-6666" "$(tr -s ' \n' ' ' < h.err)"
check_match 'and stands beside' '^  beside gpu-0 +8\.00 J' "$(cat h.err)"
check_match 'also in one line' ' incomplete $' \
    "$(CUDA_VISIBLE_DEVICES=GPU-6666 nvml -q --no-ledger -- sleep 0.2 2>&1 | tr -s ' \n' ' ')"
CUDA_VISIBLE_DEVICES=GPU-6666 nvml --gpus all --json h.json -- sleep 0.2 2> h.err
check 'the user has the last word' 'gpu-0 gpu-1' "$(counted h.json)"
./say "${two[@]}" 0.energy_mj 1000 1.energy_mj 1000 0.mig 1 1.mig 1 1.instance MIG-77777777-8888-9999-0000-111111111111
CUDA_VISIBLE_DEVICES=MIG-77777777-8888-9999-0000-111111111111 SLURM_JOB_GPUS=0 nvml --json h.json -- sleep 0.2 2> h.err
check 'the card of an instance' gpu-1 "$(counted h.json)"
CUDA_VISIBLE_DEVICES=0 nvml --json h.json -- sleep 0.2 2> h.err
check 'a number may be that of an instance' 'gpu-0 gpu-1' "$(counted h.json)"
check_match 'which is said' "CUDA_VISIBLE_DEVICES says '0', which cannot be followed here" "$(tr -s ' \n' ' ' < h.err)"
./say "${two[@]}" 0.energy_mj 1000 1.energy_mj 1000
sleep 30 &
CUDA_VISIBLE_DEVICES=GPU-6666 nvml --pid $! --for 0.2s --json h.json 2> h.err
kill $!
check 'what runs already has other surroundings' 'gpu-0 gpu-1' "$(counted h.json)"
check_match 'listed with the reason' "^  gpu-0 +measured +not counted +not the job's, by CUDA_VISIBLE_DEVICES" \
    "$(CUDA_VISIBLE_DEVICES=GPU-6666 "$carbon" sources --source nvml)"
nvml --gpus 2 -- touch "$work/ran" 2> h.err
check 'a card that is not there' "125 carbon: --gpus cannot be '2'
   why: the GPUs here are gpu-0 to gpu-1
   fix: 'carbon sources' lists them; leave --gpus out where there are none" "$? $(cat h.err)"

# Refusals, each with its own step.
refused() { # NAME STATE REGEX
    check "$1" "$2" "$(state)"
    check_match "$1" "$3" "$(cat out)"
    nvml -- touch "$work/ran" 2> err
    check "$1: nothing is run" '125 no' "$? $([ -e "$work/ran" ] && echo yes || echo no)"
}
./say init 9
refused 'driver not loaded' absent "fix: 'modprobe nvidia' loads it"
./say init 18
refused 'two versions' broken 'why: .*of two versions'
./say init 4
refused 'not for this user' denied 'fix: .*docker run --gpus all'
check_absent 'never chmod' chmod "$(cat out)"
./say init 15
refused 'lost' broken 'why: the GPU does not answer'
./say init 999
refused 'another error' broken 'why: NVML says: Unknown Error \(999\)'
./say count 999
refused 'cannot be counted' broken 'cannot count the NVIDIA GPUs'
./say gpus 0
refused 'none' absent 'no NVIDIA GPU'
./say "${one[@]}"
refused 'neither energy nor power' absent 'gpu-0 reports neither energy nor power'
./say "${one[@]}" 0.error 4
refused 'not this card' denied 'cannot open gpu-0'
if ldconfig -p 2> /dev/null | grep -q libnvidia-ml; then
    echo "not checked without the library: this machine has it"
else
    LD_LIBRARY_PATH='' refused 'no library' absent 'libnvidia-ml.so.1 not found'
fi
echo 'no library at all' > lib-foreign/libnvidia-ml.so.1
LD_LIBRARY_PATH=$work/in/lib-foreign refused 'something else' broken 'libnvidia-ml.so.1 cannot be loaded'

# One of two cannot be read: what is there is measured, and the total said to be incomplete.
./say "${two[@]}" 0.energy_mj 1000 1.error 15
check 'one of two' ready "$(state)"
check_match 'the other is broken' '^  gpu-1 +broken +would count' "$(cat out)"
check_match 'incomplete' 'total incomplete: gpu-1 cannot be read' "$(cat out)"

# A driver from before the counter.
./say "${one[@]}" 0.energy_mj 1000 0.power_mw 60000
LD_LIBRARY_PATH=$work/in/lib-old nvml --json e.json -- sleep 0.5 2> e.err
check 'an old driver: power × time' True "$(json e.json 'abs(r["gross_j"]["mean"] / (60 * r["duration_s"]["mean"]) - 1) < 0.02')"

# A card that falls off the bus while it is measured: an error, not 0.
./say "${one[@]}" 0.energy_mj 1000
nvml --json f.json -- sh -c './say "$@" 0.energy_mj 3000; sleep 1.5; ./say "$@" 0.error 15; sleep 0.3' - "${one[@]}" 2> f.err
check 'the run goes on' 0 $?
check_match 'and it is said' 'readings of gpu-0 failed' "$(cat f.err)"
check_match 'with the reason' 'No such device' "$(cat f.err)"
check 'what it counted before is a lower bound' '2 True failed' "$(gpu f.json gpu-0 "['gross_j']['mean']") $(
    json f.json '"%s %s" % (r["at_least"], r["windows"]["runs"][0]["holes"][0]["reason"])')"

# A recorded machine has no GPU that could answer.
out=$("$carbon" sources --root "$source/tests/trees/guest" --source nvml)
check_match 'recorded' '^nvml +absent +recorded: ' "$out"

# Beside other sources: the card is measured, and the processors are modelled where they cannot be.
./say "${one[@]}" 0.energy_mj 1000
"$carbon" measure -v --baseline 0 --json g.json -- sh -c './say "$@" 0.energy_mj 3000; sleep 0.3' - "${one[@]}" 2> g.err
check 'the card counts' '2 True' "$(gpu g.json gpu-0 "['gross_j']['mean']") $(gpu g.json gpu-0 "['counted']")"
check 'the processors too' True "$(json g.json 'any(d["component"] == "package" and d["counted"] for d in r["domains"])')"
case $("$carbon" sources --json - | /usr/bin/python3 -c 'import json, sys
print({d["quality"] for s in json.load(sys.stdin)["sources"] for d in s["domains"] if d["counted"]})') in
*modelled*)
    check 'a model is said to be one' "['measured', 'modelled'] modelled" \
        "$(json g.json '"%s %s" % (sorted({d["quality"] for d in r["domains"] if d["counted"]}), r["quality"])')"
    "$carbon" measure -v --baseline 0 --require-measured --json h.json -- sleep 0.2 2> h.err
    check 'measured only: the card alone' "['gpu-0']" "$(json h.json '[d["name"] for d in r["domains"] if d["counted"]]')"
    check_match 'which is not all' 'total incomplete' "$(cat h.err)"
    ;;
esac
finish
