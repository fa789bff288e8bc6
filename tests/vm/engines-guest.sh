#!/bin/bash
# SPDX-License-Identifier: MIT
# engines-guest.sh ENGINE-DRIVER...: what engines.sh has done inside a virtual machine with systemd as process 1 and cgroup
# version 2 alone: an engine with each driver, judged by what the container's own files say (cpu.stat, memory.peak), read
# within it or beside it, so that what the machine costs is in both figures.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, carbon and helpers
. "$(dirname "$0")/../cli/lib.sh"
. "$source/tests/cli/lib-engine.sh"
# shellcheck disable=SC2034 # lib-engine.sh's
engine_slow=yes
# A look is dear here.
until_true() {
    local deadline=$((SECONDS + 300))
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || { echo "FAILED: in 5 minutes it did not come: $*"; exit 1; }
        sleep 0.3
    done
}

[ "$(cat /proc/1/comm)" = systemd ] || skip 'process 1 is not systemd'
[ -e /sys/fs/cgroup/cgroup.controllers ] || skip 'control groups are not of version 2 alone'
measure() { "$carbon" measure --zone FR --source model --no-ledger --baseline 0 --engine "$kind" --json r.json "$@"; }
used_us() { json r.json '(lambda cpu: round(cpu["value"] * 1e6) if cpu["value"] else "unknown")(r["usage"]["cpu_s"])'; }
# What ends a container is counted after it has told for the last time.
parting_us=400000
# is WHAT FIGURE TRUTH, both in µs
is() {
    check "$name: $1" yes "$([ "$2" -ge "$3" ] 2> /dev/null && [ "$2" -le $(($3 + parting_us)) ] && echo yes || echo "$2 for $3")"
}
# A container's last words, from its own namespace of groups.
tell='sed -n s/usage_usec.//p /sys/fs/cgroup/cpu.stat; cat /sys/fs/cgroup/memory.peak'
stat_us() { sed -n 's/usage_usec //p' "$1/cpu.stat"; }
# Of what carbon makes for a container nothing is left.
left() {
    find /sys/fs/cgroup -maxdepth 1 -name 'carbon[-_]*'
    systemctl list-units --no-legend --plain 'carbon_*'
}
since() { echo "$1 since $(cut -d' ' -f1 /proc/uptime) s"; }

# A run of carbon's own: however it is made, its group has all of it.
runs_one() {
    local told peak
    measure --quiet --run bb:1 -- sh -c "act touch 40 spin 0.3; $tell; exit 7" > out 2> err
    check "$name: a run's status" 7 $? || { cat err; return; }
    { read -r told; read -r peak; } < out
    is 'a run is its cpu.stat' "$(used_us)" "$told"
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
    id=$("$helpers/engine" "$kind" create bb:1 name=worker -- "$@")
    "$helpers/engine" "$kind" attend "$id" > said 2>&1 &
    attendant=$!
    until_true waits 1
    group=$(find /sys/fs/cgroup -type d -name "*$id*" ! -name '*conmon*')
}
# waits N: for the Nth time
waits() { [ "$(grep -c ready said)" -ge "$1" ]; }
# What waits is the last of its processes.
go_on() { kill -USR1 "$(find "$group" -name cgroup.procs -exec cat {} + | sort -n | tail -n 1)"; }
# meanwhile N: measures the container while it goes on until it waits for the Nth time
meanwhile() {
    measure --container worker -- bash -c "$(declare -f waits go_on until_true); group=$group"' go_on; until_true waits "$1"' - "$1" \
        > out 2> err
    check "$name: measured until its ${1}th stop" 0 $? || cat err
}

# A container that runs already: its CPU time; its peak after a higher one, as it was seen, where the kernel has one mark for
# all; what the exporter says of it; and what the kernel killed of it.
attached() {
    local exporter before after
    started sh -c 'act touch 48; act hold USR1 touch 16 spin 0.3 hold USR1; act hold USR1 touch 96; exec act hold USR1'
    check_match "$name: its group" "/$1\$" "$group"
    "$carbon" serve --listen 127.0.0.1:0 --resolution 1 --by container > out.serve 2> err.serve &
    exporter=$!
    until_true grep -q '^carbon: listening' err.serve
    url=http://$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/\1/p' err.serve)/metrics
    until_true exports '>= 0'
    before=$(stat_us "$group")
    meanwhile 2
    after=$(stat_us "$group")
    check "$name: what was used meanwhile" True \
        "$(json r.json "(lambda us: $after - $before - 20000 <= us <= $after - $before or us)(r['usage']['cpu_s']['value'] * 1e6)")"
    check_match "$name: its peak since then, as seen" '^(1[6-9]|2[0-9]) cgroup samples$' \
        "$(json r.json '"%d %s" % (r["usage"]["memory_peak_bytes"]["value"] >> 20, r["usage"]["memory_peak_bytes"]["from"])')"
    until_true exports ">= ($after - $before) / 1e6 - 1e-6"
    check "$name: exported, and no more" yes "$(exports "<= ($after - $before) / 1e6 + 0.1" && echo yes || cat seen)"
    kill $exporter
    go_on
    until_true waits 3
    echo $((24 << 20)) > "$group/memory.max"
    meanwhile 4
    check_match "$name: a kill is told" 'the kernel killed 1 of its processes for want of memory' "$(cat err)"
    go_on
    wait "$attendant"
    "$helpers/engine" "$kind" remove worker
}
exports() {
    busybox wget -q -O all "$url"
    sed -n 's/^carbon_container_cpu_seconds_total{.*} //p' all > seen
    awk "{ exit !(\$1 $1) } END { if (NR == 0) exit 1 }" seen
}

declare -A own=([docker-cgroupfs]='docker/[0-9a-f]{64}' [docker-systemd]='system.slice/docker-[0-9a-f]{64}.scope'
    [podman-cgroupfs]='libpod_parent/libpod-[0-9a-f]{64}' [podman-systemd]='machine.slice/libpod-[0-9a-f]{64}.scope')
for name in "$@"; do
    kind=${name%-*} engine_driver=${name#*-}
    since "$name"
    engine_start "$kind"
    since "$name: its tests"
    check_match "$name: its driver" "'$engine_driver'\$" "$("$helpers/engine" "$kind" open)"
    runs_one
    since "$name: has run one"
    [ "$name" != docker-systemd ] || brief_step
    since "$name: attaches"
    [ "$engine_driver" = cgroupfs ] || attached "${own[$name]}"
    check "$name: nothing is left" '' "$(left)"
    engine_stop "$kind"
done
since 'the end'
finish
