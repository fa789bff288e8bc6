#!/bin/bash
# SPDX-License-Identifier: MIT
# Who used the CPU: jobs of very many short processes, and daemons, counted through each way there is: a cgroup of
# version 2, groups of version 1 alone, and what the kernel tells of processes that were waited for. Version 2 is taken
# out of sight in a mount namespace that only this test has.
. "$(dirname "$0")/../lib.sh"
act=$helpers/act
chmod 755 "$work" "$work/in"
mkdir -m 1777 out

# measure NAME COMMAND...: runs it with carbon; the record is NAME.json.
measure() {
    local name=$1
    shift
    "${as[@]}" "$carbon" measure -v --baseline 0 --quiet --json "out/$name.json" -- "$@" > said 2> err &
    owners+=($!)
    wait $!
    check "$name: exit status" 0 $? || cat err
}

# used NAME FIELD: the value, and where it is from.
used() {
    json "out/$1.json" "'%s %s' % (r['usage']['$2']['value'], r['usage']['$2']['from'])"
}

# between NAME FIELD LOW HIGH FROM
between() {
    check "$1: $2 between $3 and $4, from $5" 'True '"$5" \
        "$(json "out/$1.json" "'%s %s' % ($3 <= r['usage']['$2']['value'] <= $4, r['usage']['$2']['from'])")" || used "$1" "$2"
}

# forks NAME CHILDREN CPU_SECONDS FROM: short children that their parent waits for. A fork costs CPU time of its own, so
# that what is right is what the shell that runs them inside of the job has counted; it takes a little more itself.
forks() {
    measure "$1" bash -c 'TIMEFORMAT="%U + %S"; { time "$0" "$@"; } 2>&1' "$act" forks-spin "$2" "$3"
    local truth
    truth=$(cat said)
    check "$1: the children did their work" True "$(/usr/bin/python3 -c "print($truth >= $2 * $3)")" || echo "$truth"
    between "$1" cpu_s "$truth - 0.01" "$truth + 0.15" "$4"
    check "$1: user and system are all of it" True \
        "$(json "out/$1.json" 'abs(sum(r["usage"][x]["value"] for x in ("user_s", "system_s")) - r["usage"]["cpu_s"]["value"]) < 1e-5')"
}

# The groups of this test's own carbons; others who measure at this moment have theirs.
own_groups() {
    local owner
    for owner in "${owners[@]}"; do
        find /sys/fs/cgroup -type d -name "carbon-$owner-*" 2> /dev/null
    done
}

# nothing_left WHAT: that a group that is left is found is shown below, by that of a carbon that was killed.
nothing_left() {
    check "$1: no group is left" '' "$(own_groups)"
}

owners=()
as=()
measure probe "$act" exit 0
version2=$(json out/probe.json 'r["usage"]["cpu_s"]["from"] == "cgroup"')

if [ "$version2" = True ]; then
    forks forks2 10000 0.0001 cgroup
    measure daemon2 "$act" daemon-spin 0.5 await
    between daemon2 cpu_s 0.5 0.7 cgroup
    # a child that the kernel reaps by itself is in nobody's rusage
    measure reaped2 "$act" ignore CHLD forget 0.5 await
    between reaped2 cpu_s 0.5 0.7 cgroup
    nothing_left 'version 2'
else
    echo 'not tested: a cgroup of version 2 (this user may make none here)'
fi

# As an ordinary user, who may make no group: what was waited for, and orphans, which come to carbon.
if [ "$(id -u)" = 0 ]; then
    cp "$carbon" "$act" out
    cp -r "$CARBON_DATA" out/data
    chmod -R go+rX out/data out/carbon out/act
    plain=(setpriv --reuid=4999 --regid=4999 --clear-groups env
        "CARBON_DATA=$work/in/out/data" HOME=/nowhere)
    root_carbon=$carbon root_act=$act
    carbon=$work/in/out/carbon act=$work/in/out/act
    as=("${plain[@]}")
fi
forks forks-plain 2000 0.0002 rusage
measure daemon-plain "$act" daemon-spin 0.5 await
between daemon-plain cpu_s 0.5 0.7 rusage
# What it may miss: children that the kernel reaps by itself, for their parent ignores their end ...
measure reaped-plain "$act" ignore CHLD forget 0.5 await
between reaped-plain cpu_s 0 0.7 rusage
# ... and what a daemon that outlives the job has used
measure outlived-plain sh -c '"$0" daemon-spin 0.6 sleep 0.4' "$act"
between outlived-plain cpu_s 0 0.3 rusage
check_match 'a daemon that outlives the job is told' 'act-daemon' "$(cat out/outlived-plain.json)"
if [ "$(id -u)" = 0 ]; then
    carbon=$root_carbon act=$root_act
    as=()
fi

# Where the kernel does not let carbon adopt orphans: the run goes on, what is left behind is unknown, and that is said;
# a group has them all the same.
doubts() { json "out/$1.json" '[n["what"] + ": " + n["why"] for n in r["notices"] if "left behind" in n["what"]]'; }
as=("$helpers/refuse" subreaper folders --)
if "${as[@]}" true; then
    measure refused "$act" daemon-spin 0.5 await
    tried 1 'The job is killed, leaves processes'
    check 'refused: what is left behind is unknown' '[None, None]' \
        "$(json out/refused.json '[r["windows"]["runs"][0][x] for x in ("left_behind", "left_behind_names")]')"
    check 'refused: and why' "['processes that the command left behind are unknown, and their CPU time is not in its own: \
the kernel does not let carbon adopt them (PR_SET_CHILD_SUBREAPER): Invalid argument']" "$(doubts refused)"
    between refused cpu_s 0 0.3 rusage
    check 'refused: verified' 0 "$("$carbon" verify out/refused.json > said 2>&1; echo $?)" || cat said
    if [ "$version2" = True ]; then
        as=("$helpers/refuse" subreaper --)
        measure refused2 "$act" daemon-spin 0.5 await
        between refused2 cpu_s 0.5 0.7 cgroup
        check 'refused: a group has orphans, too' '0 []' "$(json out/refused2.json 'r["windows"]["runs"][0]["left_behind"]') $(doubts refused2)"
        nothing_left 'refused'
    fi
else
    echo 'not tested: orphans that cannot be adopted (no seccomp filter can be set here)'
fi
as=()

# Version 1 alone.
hidden=$(unshare --mount sh -c 'for point in $(awk "/ - cgroup2 /{ print \$5 }" /proc/self/mountinfo); do
    umount "$point" || exit; done; echo yes' 2> /dev/null)
if [ "$(id -u)" = 0 ] && [ "$hidden" = yes ] && grep -q '[:,]cpuacct[,:]' /proc/self/cgroup; then
    cat > alone << 'SCRIPT'
for point in $(awk '/ - cgroup2 /{ print $5 }' /proc/self/mountinfo); do umount "$point" || exit; done
exec "$@"
SCRIPT
    as=(unshare --mount sh "$work/in/alone")
    forks forks1 2000 0.0002 cgroup1
    measure daemon1 "$act" daemon-spin 0.5 await
    between daemon1 cpu_s 0.5 0.7 cgroup1
    measure reaped1 "$act" ignore CHLD forget 0.5 await
    between reaped1 cpu_s 0.5 0.7 cgroup1
    measure outlived1 sh -c '"$0" daemon-spin 0.6 sleep 0.4' "$act"
    between outlived1 cpu_s 0.02 0.7 cgroup1
    check_match 'version 1: a daemon that outlives the job is told' 'act-daemon' "$(cat out/outlived1.json)"
    nothing_left 'version 1'
    if grep -q '[:,]memory[,:]' /proc/self/cgroup; then
        measure memory1 sh -c '"$0" touch 24 sleep 0.3 & "$0" touch 24 sleep 0.3; wait' "$act"
        between memory1 memory_peak_bytes $((48 << 20)) $((64 << 20)) cgroup1
    fi
    as=()
else
    echo 'not tested: groups of version 1 (not root, or none here)'
fi

# The groups of a carbon that was killed are removed by the next one.
if [ "$version2" = True ] || [ "$hidden" = yes ]; then
    "$carbon" measure -v --baseline 0 --quiet -- "$act" sleep "20.$$" > /dev/null 2>&1 &
    killed=$!
    until_true runs "$act sleep 20.$$"
    processes_of "$act sleep 20.$$" > child
    kill -KILL "$killed"
    wait "$killed" 2> /dev/null
    # As long as its child is in it no other carbon, of another test, can remove it.
    owners=("$killed")
    left=$(own_groups | head -n 1)
    while read -r pid; do kill -KILL "$pid"; done < child
    tried 1 'The job is killed, leaves processes'
    check_match 'a killed carbon leaves its group' "carbon-$killed-" "$left"
    for _ in {1..100}; do
        [ -n "$(cat "$left/cgroup.procs")" ] || break
        sleep 0.02
    done
    measure next true
    check 'the next one removes it' '' "$(owners=("$killed"); own_groups)"
fi
finish
