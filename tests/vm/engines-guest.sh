#!/bin/bash
# SPDX-License-Identifier: MIT
# engines-guest.sh [-x] ENGINE-DRIVER...: what engines.sh has done inside a virtual machine with systemd as process 1 and
# control groups of version 2 alone: an engine with each driver, judged by what the container's own files say (cpu.stat,
# memory.peak), read within it or beside it, so that what the machine costs is in both figures. /out/image.tar is the image.
# With -x all of it: the exporter, a step with either driver, and an attached container with either of podman's.
#
# To start a program is dear in this machine: what bash can do is left to it.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, carbon and helpers
. "$(dirname "$0")/../cli/lib.sh"
. "$source/tests/cli/lib-engine.sh"
. "$source/tests/vm/rootless.sh"
# The machine ends with this: nothing is tidied up.
trap - EXIT
# shellcheck disable=SC2034 # lib-engine.sh's
engine_slow=yes
all=no
[ "$1" != -x ] || { all=yes; shift; }
mkfifo "$work/never"
export work
sleep() { read -rt "$1" _ <> "$work/never" || :; }
until_true() {
    until "$@"; do sleep 0.3; done
}

[ "$(cat /proc/1/comm)" = systemd ] || skip 'process 1 is not systemd'
[ -e /sys/fs/cgroup/cgroup.controllers ] || skip 'control groups are not of version 2 alone'
cp /out/image.tar "$engines/image.tar" || exit
# podman asks dpkg about its programs whenever it is asked about itself.
[ ! -d /var/lib/dpkg ] || mount -t tmpfs none /var/lib/dpkg

measure() { "$carbon" measure --zone FR --source model --no-ledger --baseline 0 --engine "$kind" --json r.json "$@"; }
us=''
stat_us() { read -r _ us < "$1/cpu.stat"; }
since() {
    read -r up_s _ < /proc/uptime
    echo "$1 since $up_s s"
}
# waits N: `act` has said for the Nth time that it is ready
waits() {
    local line count=0
    while read -r line; do
        [ "$line" != ready ] || count=$((count + 1))
    done < said
    [ $count -ge "$1" ]
}
# steady: nothing of the group has run for a moment
steady() {
    local before=$us
    stat_us "$group"
    [ "$us" = "$before" ]
}
# What waits is the last of its processes.
go_on() {
    local pid last=0
    for pid in $(< "$group/cgroup.procs"); do [ "$pid" -lt "$last" ] || last=$pid; done
    kill -USR1 "$last"
}
# Of what carbon makes for a container nothing is left.
left() {
    find /sys/fs/cgroup -name 'carbon[-_]*'
    systemctl list-units --no-legend --plain 'carbon_*'
}

# The groups in one of carbon's: the container's, and that of conmon, which looks after it.
own_groups() {
    local folder
    group='' monitor=''
    while read -r folder; do
        case $folder in
        */conmon | */libpod-conmon-*) monitor=$folder ;;
        *) group=$folder ;;
        esac
    done < <(find /sys/fs/cgroup -path '*/carbon[-_]*/*' -type d)
}
burden_us=3000000
burden() {
    check "$name: conmon is beside it" yes "${monitor:+yes}" || return
    bash -c "echo \$\$ > '$monitor/cgroup.procs'; exec '$helpers/act' spin 3"
    stat_us "$monitor"
    check "$name: conmon's group has more than its own" yes "$([ "$us" -ge $burden_us ] && echo yes || echo "$us")"
}

# A run of carbon's own: all of it is known, from what it said last in its own namespace of groups until its first process
# has gone, in which one CPU has no more than the time that passes; and nothing of conmon, which was given much before that.
# What conmon does last, for the end, is in no group that is left: until the record then.
runs_one() {
    local measuring first told_us peak told_s gone_s most_us status
    : > said
    # shellcheck disable=SC2016 # the container's
    measure --quiet --run bb:1 -- sh -c 'act hold USR1; act touch 40 spin 0.3; read -r _ us < /sys/fs/cgroup/cpu.stat
        read -r peak < /sys/fs/cgroup/memory.peak; read -r up _ < /proc/uptime; echo $us $peak $up; exit 7' > said 2> err &
    measuring=$!
    until_true waits 1
    own_groups
    [ "$kind" != podman ] || burden
    first=$(sort -n "$group/cgroup.procs" | head -n 1)
    go_on
    while [ -e "/proc/$first" ]; do sleep 0.05; done
    read -r gone_s _ < /proc/uptime
    wait $measuring
    status=$?
    [ "$kind" != podman ] || read -r gone_s _ < /proc/uptime
    check "$name: a run's status" 7 $status || { cat err; return; }
    read -r told_us peak told_s <<< "$(tail -n 1 said)"
    most_us=$((told_us + (${gone_s/./} - ${told_s/./} + 1) * 10000))
    check "$name: a run is its cpu.stat" True "$(json r.json "(lambda us: $told_us <= us <= $most_us or (us, $told_us, $most_us))(
        round(r['usage']['cpu_s']['value'] * 1e6))")"
    check "$name: who says so" 'cgroup cgroup' "$(json r.json '" ".join(r["usage"][x]["from"] for x in ("cpu_s", "memory_peak_bytes"))')"
    check "$name: its peak" True "$(json r.json "0 <= r['usage']['memory_peak_bytes']['value'] - $peak < 24 * 2**20 or (r['usage']['memory_peak_bytes'], $peak)")"
}

# Over before anybody could look.
brief_step() {
    printf 'operators:\n- {name: brief, container: {image: bb, tag: "1", command: ["true"]}}\n' > steps.yaml
    "$carbon" pipeline --zone FR --source model --baseline 0 --no-ledger --runner "$kind" --json p.json steps.yaml > out 2> err
    check "$name: a step" 0 $? || cat err
    check "$name: a step of a moment is known" True "$(json p.json '(lambda cpu_s: cpu_s and cpu_s > 0.0005 or cpu_s)(r["steps"][0]["runs"][0]["cpu_s"])')"
}

# started WORDS...: a container that waits for a signal; $attendant, and $group, its own
started() {
    local id
    : > said
    id=$("$helpers/engine" "$kind" create bb:1 name=worker -- "$@")
    "$helpers/engine" "$kind" attend "$id" > said 2>&1 &
    attendant=$!
    until_true waits 1
    group=$(find /sys/fs/cgroup -type d -name "*$id*" ! -name '*conmon*')
}
# meanwhile N: measures the container while it goes on until it waits for the Nth time
meanwhile() {
    us=''
    until_true steady
    measure --container worker -- bash -c "$(declare -f sleep waits go_on until_true stat_us steady); group=$group us=''"'
        go_on; until_true waits "$1"; until_true steady' - "$1" > out 2> err
    check "$name: measured until its ${1}th stop" 0 $? || cat err
}

# A container that runs already: its CPU time; its peak after a higher one, as it was seen, where the kernel has one mark for
# all; what the exporter says of it; and what the kernel killed of it.
attached() {
    local before_us used_us server
    started sh -c 'act touch 48; act hold USR1 touch 16 spin 0.3 hold USR1; act hold USR1 touch 96; exec act hold USR1'
    check_match "$name: its group" "/$1\$" "$group"
    [ $all = no ] || exporter_begins
    until_true steady
    before_us=$us
    meanwhile 2
    stat_us "$group"
    used_us=$((us - before_us))
    check "$name: what was used meanwhile" $used_us "$(json r.json 'round(r["usage"]["cpu_s"]["value"] * 1e6)')"
    check_match "$name: its peak since then, as seen" '^(1[6-9]|2[0-9]) cgroup samples$' \
        "$(json r.json '"%d %s" % (r["usage"]["memory_peak_bytes"]["value"] >> 20, r["usage"]["memory_peak_bytes"]["from"])')"
    [ $all = no ] || exporter_ends
    go_on
    until_true waits 3
    echo $((24 << 20)) > "$group/memory.max"
    meanwhile 4
    check_match "$name: a kill is told" 'the kernel killed 1 of its processes: out of memory' "$(cat err)"
    go_on
    wait "$attendant"
    "$helpers/engine" "$kind" remove worker
}
exporter_begins() {
    "$carbon" serve --listen 127.0.0.1:0 --resolution 1 --by container > out.serve 2> err.serve &
    server=$!
    until_true grep -qs '^carbon: listening' err.serve
    url=http://$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/\1/p' err.serve)/metrics
    until_true exports '>= 0'
}
exporter_ends() {
    until_true exports ">= $used_us / 1e6 - 1e-6"
    check "$name: exported, and no more" yes "$(exports "<= $used_us / 1e6 + 0.1" && echo yes || cat seen)"
    kill "$server"
}
exports() {
    busybox wget -q -O all "$url"
    sed -n 's/^carbon_container_cpu_seconds_total{.*} //p' all > seen
    awk "{ exit !(\$1 $1) } END { if (NR == 0) exit 1 }" seen
}

# The daemon alone: containerd goes on, and the image stays. What dockerd remembers of networks takes it 8 s a container at
# its next start.
daemon_stopped() {
    local pid
    pid=$(< "$engines/$kind/pid")
    kill "$pid"
    wait "$pid"
    rm -rf "$engines/$kind/socket" "$engines/$kind/data/network"
}

declare -A own=([docker-cgroupfs]='docker/[0-9a-f]{64}' [docker-systemd]='system.slice/docker-[0-9a-f]{64}.scope'
    [podman-cgroupfs]='libpod_parent/libpod-[0-9a-f]{64}' [podman-systemd]='machine.slice/libpod-[0-9a-f]{64}.scope')
for name in "$@"; do
    if [ "$name" = podman-rootless ]; then
        rootless
        continue
    fi
    kind=${name%-*} engine_driver=${name#*-}
    since "$name"
    engine_start "$kind"
    check_match "$name: its driver" "'$engine_driver'\$" "$("$helpers/engine" "$kind" open)"
    since "$name: runs one"
    runs_one
    since "$name: has run one"
    [ $all$engine_driver = nocgroupfs ] || brief_step
    since "$name: attaches"
    [ $all$name = nopodman-cgroupfs ] || attached "${own[$name]}"
    check "$name: nothing is left" '' "$(left)"
    daemon_stopped
done
since 'the end'
finish
