#!/bin/bash
# SPDX-License-Identifier: MIT
# A system without systemd, control groups and pressure figures: carbon as on any other, and what cannot be known is said.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

# Where another may not be mounted over: the kernel's folders in a namespace of this test's own.
cat > without <<'END_OF_SCRIPT'
umount -R -l /sys/fs/cgroup 2> /dev/null
[ ! -e /sys/fs/cgroup/cpu ] && [ ! -e /sys/fs/cgroup/cgroup.procs ] || exit 99
mount -t tmpfs none /run || exit 99
[ ! -d /proc/pressure ] || mount -t tmpfs none /proc/pressure || exit 99
exec "$@"
END_OF_SCRIPT
without=(unshare --mount --propagation private bash without)
[ "$(id -u)" = 0 ] || skip 'not root: nothing can be hidden here'
"${without[@]}" true 2> /dev/null || skip 'no mount namespace can be made here'

"${without[@]}" "$carbon" measure --no-ledger --zone FR --source model --baseline 0.1 --json r.json -- "$helpers/act" spin 0.3 > said 2>&1
check 'measured' 0 $? || cat said
check 'CPU time of its processes' "rusage True" "$(json r.json '"%s %s" % (r["usage"]["cpu_s"]["from"], 0.29 < r["usage"]["cpu_s"]["value"] < 0.6)')"
check 'what the kernel does not tell is null' '[None, None, None]' "$(json r.json '[r["usage"][w + "_stall_s"]["value"] for w in ("cpu", "memory", "io")]')"
check 'own, by CPU time' 'cpu-time True' "$(json r.json '"%s %s" % (r["own_method"], r["own_j"]["mean"] > 0)')"

# Three in turns on one CPU: whether it would have computed or waited meanwhile is not known, and is not called idle or mixed.
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
taskset -c "$cpu" "$helpers/act" spin 60 & one=$!
taskset -c "$cpu" "$helpers/act" spin 60 & two=$!
"${without[@]}" taskset -c "$cpu" "$carbon" measure --no-ledger --zone FR --source model --baseline 0 --json r.json -- "$helpers/act" spin 0.4 > said 2>&1
check 'measured beside others' 0 $? || cat said
kill $one $two
check_match 'what bounds it' '^unknown: 0\.[0-4][0-9] of [0-9]+ CPUs? busy; others had the CPU [0-9]+ times a second, and for how long is not known$' \
    "$(json r.json 'r["bound"]["by"] + ": " + r["bound"]["why"]')"

refuses 'a cgroup' 'no cgroup file system is mounted' "${without[@]}" "$carbon" measure --no-ledger --cgroup system.slice --for 1s
refuses 'a container' "no socket" "${without[@]}" "$carbon" measure --no-ledger --container web --for 1s
"${without[@]}" "$carbon" measure --no-ledger --source model --baseline 0.1 --for 0.3s --pid $$ --json r.json > said 2>&1
check 'a process' 0 $? || cat said
"${without[@]}" "$carbon" sources > said 2>&1
check 'sources' 0 $? || cat said
"${without[@]}" "$carbon" top --color never --for 0.5s --source model > said 2>&1
check 'top' 0 $? || cat said

# The exporter of a machine that has no groups: its energy.
zone machine 262143328850 5000000 intel-rapl:0=package-0
mkdir -p machine/proc && cp /proc/stat /proc/cpuinfo machine/proc/
"${without[@]}" "$carbon" serve --root machine --listen 127.0.0.1:0 --resolution 0.2 > out 2> err &
pid=$!
until_true grep -q 'listening at' err
check_match 'the exporter' '^carbon_(domain_)?energy_joules|^carbon_[a-z_]*joules' \
    "$(/usr/bin/python3 "$source/tests/helpers/ask.py" "http://$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/\1/p' err)/metrics")"
kill $pid
wait $pid
check 'and ends' 0 $?
finish
