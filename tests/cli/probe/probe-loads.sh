#!/bin/bash
# SPDX-License-Identifier: MIT
# The loads of carbon probe, each as a process: what it used, what it left, how it fails.
. "$(dirname "$0")/../lib.sh"

# run LOAD THREADS SECONDS [option ...]: its line, then the CPU seconds that it used (rusage) and the bytes that it gave
# the device to write (/proc/PID/io, as last seen while it ran).
cat > "$work/watch.py" << 'EOF'
import os, subprocess, sys, time
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
wrote = 0
while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
    try:
        wrote = max(wrote, int(open(f"/proc/{process.pid}/io").read().split("write_bytes: ")[1].split()[0]))
    except (OSError, IndexError):
        pass
    time.sleep(0.02)
line = process.stdout.read().strip()
_, status, usage = os.wait4(process.pid, 0)
print(line)
print(f"cpu={usage.ru_utime + usage.ru_stime:.3f} wrote={wrote} status={os.waitstatus_to_exitcode(status)}")
EOF
mkdir "$work/folder"
run() {
    /usr/bin/python3 "$work/watch.py" "$carbon" probe --load "$1" --threads "$2" --time "$3" --folder "$work/folder" "${@:4}"
}
field() { tr ' ' '\n' <<< "$2" | sed -n "s/^$1=//p"; }
holds() { # NAME EXPRESSION: of numbers, as awk has it
    check "$1: $2" 1 "$(awk "BEGIN { print ($2) ? 1 : 0 }")"
}

said=$(run idle 2 0.5)
check 'idle succeeds' 0 "$(field status "$said")"
check 'idle has no thread' 0 "$(field threads "$said")"
holds 'idle uses no CPU' "$(field cpu "$said") < 0.2"
holds 'idle takes its time' "$(field seconds "$said") >= 0.5 && $(field seconds "$said") < 3"

# CPU time is threads times seconds, less what other work on this machine took from it.
said=$(run cpu 2 1)
check 'two threads' 2 "$(field threads "$said")"
holds 'they compute' "$(field iterations "$said") > 1000000"
holds 'CPU time' "$(field cpu "$said") > 0 && $(field cpu "$said") < 1.1 * 2 * $(field seconds "$said")"
check 'nothing is written' '0 0' "$(field written_bytes "$said") $(field wrote "$said")"
said=$(run cpu 1 0.5)
holds 'one thread' "$(field cpu "$said") < 1.1 * $(field seconds "$said") + 0.1"

said=$(run memory 2 1.5)
check 'memory succeeds' 0 "$(field status "$said")"
check 'two threads stream' 2 "$(field threads "$said")"
[[ $said == *'time was up'* ]] || holds 'more than the buffers is streamed' \
    "$(field streamed_bytes "$said") > $(field memory_bytes "$said")"

said=$(run disk-write 1 0.6)
check 'disk-write succeeds' 0 "$(field status "$said")"
check 'nothing is left behind' '' "$(ls -A "$work/folder")"
if [ "$(field disk_reached "$said")" = 1 ] && [ "$(field wrote "$said")" -gt 0 ]; then
    holds 'whole blocks' "$(field written_bytes "$said") % 1048576 == 0"
    holds 'the kernel saw them' "$(field wrote "$said") <= $(field written_bytes "$said") + 1048576 \
        && $(field wrote "$said") > 0.3 * $(field written_bytes "$said")"
else
    echo 'not tested: no block device below this folder'
fi
said=$(run disk-read 1 1)
check 'disk-read writes its file once' 67108864 "$(field written_bytes "$said")"
holds 'and reads it' "$(field read_bytes "$said") > 0"
check 'nothing is left behind by reading' '' "$(ls -A "$work/folder")"
said=$(run mixed 2 0.8)
check 'mixed: two threads and the disk' 3 "$(field threads "$said")"
holds 'mixed computes and writes' "$(field iterations "$said") > 0 && $(field written_bytes "$said") > 0"

# A file system in memory is no disk.
if [ -d /dev/shm ] && [ -w /dev/shm ] && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
    said=$("$carbon" probe --load disk-write --time 0.2 --folder /dev/shm)
    check 'tmpfs: the disk is not reached' 0 "$(field disk_reached "$said")"
    check_match 'tmpfs: it is said' "note='/dev/shm' is a file system in memory: the disk was not reached$" "$said"
else
    echo 'not tested: no file system in memory'
fi

# The line goes where it is wanted.
"$carbon" probe --load idle --time 0.1 --done lines > out
"$carbon" probe --load idle --time 0.1 --done lines >> out
check 'one line each' 2 "$(grep -c '^load=idle seconds=0.1[0-9]* threads=0 ' lines)"
check 'and none elsewhere' '' "$(cat out)"
check 'a file that cannot be written' 125 "$("$carbon" probe --load idle --time 0.1 --done no/lines 2> err; echo $?)"
check_match 'it is named' "^carbon: cannot write 'no/lines'" "$(cat err)"

# A signal ends it at once, in the middle of its work, and nothing stays.
for load in cpu memory disk-write disk-read idle; do
    "$carbon" probe --load $load --threads 2 --time 60 --folder "$work/folder" > out &
    sleep 0.2
    begun=$SECONDS
    kill -TERM $!
    wait $!
    check "$load: its status" 143 $?
    check "$load: at once" yes "$([ $((SECONDS - begun)) -lt 10 ] && echo yes)"
    check "$load: no line" '' "$(cat out)"
done
check 'no file either' '' "$(ls -A "$work/folder")"

# What cannot be done.
fails() { # NAME WHAT ARGUMENT...
    local name=$1 what=$2
    shift 2
    check "$name: status" 125 "$("$carbon" probe "$@" > out 2> err; echo $?)"
    check_match "$name: what" "^carbon: $what" "$(cat err)"
    check "$name: nothing on standard output" '' "$(cat out)"
}
fails 'no folder' "cannot make a file in 'nowhere'" --load disk-write --folder nowhere
check_match 'no folder: why' '^ +why: no such file or directory' "$(cat err)"
check_match 'no folder: fix' '^ +fix: give another folder with --folder' "$(cat err)"
: > file
fails 'a file for a folder' "cannot make a file in 'file'" --load disk-read --folder file
fails 'a load that is none' "--load needs idle, cpu, memory, disk-write, disk-read or mixed, not 'gpu'" --load gpu
fails 'a list with a load that is none' "--loads cannot be 'cpu,gpu'" --loads cpu,gpu
check_match 'which' "why: no load is called 'gpu'" "$(cat err)"
fails 'a load twice' "--loads cannot be 'cpu,idle,cpu'" --loads cpu,idle,cpu
check_match 'which twice' "why: the load 'cpu' is named twice" "$(cat err)"
fails 'no thread' "--threads cannot be '1,0'" --threads 1,0
check_match 'how many there may be' "why: '0' is not a number of threads from 1 to 4096" "$(cat err)"
fails 'threads that are none' "--threads cannot be 'many'" --threads many
fails 'no time' '--time ' --time 0
said=$(ulimit -f 1000 && "$carbon" probe --load disk-write --folder "$work/folder" 2>&1)
check_match 'a limit on files' '^carbon: cannot write a file of 256 MiB' "$said"
check_match 'a limit on files: why' 'why: files are limited to 1000 KiB' "$said"

if [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null; then
    said=$(unshare -m bash -c 'mount -t tmpfs -o size=8m none "$1" && "$2" probe --load disk-write --time 0.2 --folder "$1" 2>&1' \
        bash "$work/folder" "$carbon")
    check_match 'no room: what' "^carbon: not enough room in " "$said"
    check_match 'no room: why' 'why: the load writes a file of 256 MiB, and 8.00 MiB are free' "$said"
    said=$(unshare -m bash -c 'mount -o bind,ro "$1" "$1" 2> /dev/null && mount -o remount,bind,ro "$1" &&
        "$2" probe --load disk-write --time 0.2 --folder "$1" 2>&1' bash "$work/folder" "$carbon")
    check_match 'read-only: why' 'why: read-only file system' "$said"
else
    echo 'not tested: a file system without room needs root'
fi

finish
