#!/bin/bash
# SPDX-License-Identifier: MIT
# mark-guest.sh: what engines.sh has done inside a virtual machine with Linux 6.12, where whoever writes to memory.peak has a
# mark of his own: the peak of a group that had a higher one before it was watched.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, carbon and helpers
. "$(dirname "$0")/../cli/lib.sh"

echo +memory > /sys/fs/cgroup/cgroup.subtree_control || skip 'no memory controller of version 2'
group=/sys/fs/cgroup/job
mkdir $group
waits() { [ "$(grep -c ready said)" -ge "$1" ]; }
{
    echo "$BASHPID" > $group/cgroup.procs
    "$helpers/act" touch 48
    exec "$helpers/act" hold USR1 touch 16 hold USR1
} > said &
job=$!
until_true waits 1
before=$(cat $group/memory.peak)
"$carbon" measure --zone FR --source model --no-ledger --baseline 0 --cgroup $group --json r.json --samples s.csv > out 2> err &
until_true grep -sq '^[0-9].*,run,' s.csv.partial
kill -USR1 $job
until_true waits 2
kill -USR1 $job
wait $!
check 'measured until its end' 0 $? || cat err
check 'it had a higher peak before' yes "$([ "$before" -ge $((48 << 20)) ] && echo yes || echo "$before")"
check_match 'its peak since then, by a mark' '^(1[6-9]|2[0-9]) cgroup$' \
    "$(json r.json '"%d %s" % (r["usage"]["memory_peak_bytes"]["value"] >> 20, r["usage"]["memory_peak_bytes"]["from"])')"
finish
