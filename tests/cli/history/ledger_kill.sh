#!/bin/bash
# SPDX-License-Identifier: MIT
# Eight carbons write into one ledger, again and again, and are killed at any moment: every record that was acknowledged
# is there, whole, and the file is sound. The same on a disk that gets full.
#
#   CARBON_KILLS=200 ledger_kill.sh    so many kills; 24 when not given
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"
python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
ulimit -c 0
kills=${CARBON_KILLS:-24}

"$carbon" measure --quiet --baseline 0 --no-ledger --json record.json -- true 2> said ||
    { cat said; skip 'nothing can be measured here'; }

# What a writer acknowledges: the id of a new record, once carbon has ended well. Each is another record, for restate
# gives it an id of its own.
write() { # write LEDGER ACKNOWLEDGED
    local new=new.$BASHPID
    while [ ! -e stop ] && "$carbon" restate -v record.json --json "$new" --ledger "$1" > /dev/null 2>> "$2.said"; do
        grep -o -m 1 '"id":.*"[0-9a-f-]*"' "$new" | grep -o '[0-9a-f-]\{36\}' >> "$2"
    done
}

kept() { "$carbon" history --ledger "$1" --csv - | cut -d, -f 1 | sed 1d | sort; }

# sound NAME LEDGER ACKNOWLEDGED
sound() {
    local out
    out=$("$carbon" ledger check --ledger "$2")
    check "$1: the ledger is sound" 0 $?
    check_match "$1: no fault" ' records?, 0 faults$' "$out"
    kept "$2" > kept
    sort "$3" > acknowledged
    check "$1: no acknowledged record is lost" '' "$(comm -13 kept acknowledged)"
    printf '%s: %s acknowledged, %s kept\n' "$1" "$(wc -l < acknowledged)" "$(wc -l < kept)"
}

# The writers are subshells: what is killed is the carbon that one of them runs, or, in turn, all of them at once.
: > ids
writers=()
for _ in 1 2 3 4 5 6 7 8; do
    (while [ ! -e stop ]; do write ledger.db ids; done) 2> /dev/null &
    writers+=($!)
done
# One process looks and kills: between the two a carbon of some milliseconds is seldom gone, however busy the machine is.
killed=$(python3 - "$kills" "${writers[@]}" << 'END'
import os, random, signal, sys, time

def carbons(writer):
    with open(f'/proc/{writer}/task/{writer}/children') as children:
        for pid in children.read().split():
            try:
                with open(f'/proc/{pid}/comm') as comm:
                    if comm.read().strip() in ('carbon', 'lt-carbon'):
                        yield int(pid)
            except (FileNotFoundError, ProcessLookupError):
                pass

def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return 1
    except ProcessLookupError:
        return 0

kills, writers = int(sys.argv[1]), sys.argv[2:]
killed = rounds = 0
while killed < kills:
    time.sleep(random.random() / 10)
    at_once = len(writers) if rounds % 4 == 0 else 1
    killed += sum(kill(pid) for writer in random.sample(writers, at_once) for pid in carbons(writer))
    rounds += 1
print(killed)
END
)
touch stop
wait
rm stop
check_match 'records were kept meanwhile' '^[1-9]' "$(wc -l < ids)"
sound "$killed kills" ledger.db ids
tried "$killed" 'Carbon is killed while eight'
check 'nobody was refused' '' "$(grep -v Killed ids.said | head -3)"

# A small disk, which only root may have.
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1m none disk 2> /dev/null; then
    trap 'umount "$work/in/disk"; rm -rf "$work"' EXIT
    : > full
    for _ in 1 2 3 4 5 6 7 8; do write disk/ledger.db full & done
    wait
    check_match 'it is told' 'the disk is full' "$(cat full.said)"
    mount -o remount,size=8m disk
    sound 'a full disk' disk/ledger.db full
    write_one=$("$carbon" restate -v record.json --json one.json --ledger disk/ledger.db 2>&1 > /dev/null)
    tried 1 'The disk of a result is full'
    check 'where there is room again it goes on' '' "$write_one"
fi
finish
