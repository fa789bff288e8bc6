#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --container with real Docker and podman: found by every word, by control groups and by the engine's
# statistics, what it used against what it did.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-engine.sh"

engine_start docker podman
measure() { "$carbon" measure -v --source model --baseline 0 --json r.json "$@" 2> err; }
# started FILE: waits until carbon has taken the opening sample
started() { until_true grep -sq '^[0-9].*,run,' "$1"; }
# in_percent VALUE TRUTH PERCENT
in_percent() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { print (a >= b && a <= b * (1 + p / 100)) ? "yes" : a " for " b }'; }
used() { json r.json "r['usage']['$1']['value']"; }
from() { json r.json "r['usage']['$1']['from']"; }

# go_on KIND NAME ARGUMENT...: has a container go on once carbon watches it, and waits for carbon
go_on() {
    local kind=$1 name=$2
    shift 2
    rm -f s.csv*
    measure --engine "$kind" --container "$name" --samples s.csv "$@" &
    started s.csv.partial
    engine "$kind" kill -s USR1 "$name" > /dev/null
    wait $!
}

to_its_end() { # KIND
    local kind=$1
    engine "$kind" run -d --name worker --network none bb:1 /bin/act hold USR1 spin 1.5 sleep 0.5 > /dev/null
    go_on "$kind" worker
    check "$kind: ends with the container" 0 $?
    check "$kind: its CPU time" yes "$(in_percent "$(used cpu_s)" 1.5 2)"
    check "$kind: told by its control groups" cgroup "$(from cpu_s | cut -c 1-6)"
    check "$kind: nothing is left in use" None "$(used memory_bytes)"
    engine "$kind" rm worker > /dev/null
}

found() { # KIND: by every word
    local kind=$1 id word
    id=$(engine "$kind" run -d --name eos4e40_burn --label app=web --label tier=front --network none bb:1 /bin/act sleep 300)
    engine "$kind" run -d --name other --label tier=front --network none bb:1 /bin/act sleep 300 > /dev/null
    for word in "$id" "${id:0:12}" eos4e40_burn app=web web EOS4E40; do
        measure --engine "$kind" --container "$word" --for 0.2
        check "$kind: by '$word'" "0 container eos4e40_burn ($kind, ${id:0:12})" "$? $(json r.json 'r["target"]')"
    done
    check "$kind: in the table" "container eos4e40_burn ($kind, ${id:0:12})    1 run" "$(sed -n '/^container/{s/1 run.*/1 run/p;q}' err)"
    measure --engine "$kind" --container tier=front --for 1
    check "$kind: more than one" 4 $?
    check_match "$kind: they are named" "2 run .*eos4e40_burn \($kind, ${id:0:12}\)" "$(cat err)"
    check_match "$kind: both" "other \($kind, [0-9a-f]{12}\)" "$(cat err)"
    measure --engine "$kind" --container nobody --for 1
    check "$kind: none" 4 $?
    check_match "$kind: those that run are named" "these run: .*(other.*eos4e40_burn|eos4e40_burn.*other)" "$(cat err)"
    engine "$kind" stop -t 0 other > /dev/null
    measure --engine "$kind" --container other --for 1
    check "$kind: stopped" 4 $?
    check_match "$kind: that it has stopped" "container 'other' does not run" "$(cat err)"
    engine "$kind" rm other > /dev/null
}

# until PID: it has used 0.1 s more.
cat > "$work/until" << 'END'
#!/bin/sh
ticks() {
    read -r line < "/proc/$pid/stat"
    set -- ${line##*) }
    echo $((${12} + ${13}))
}
pid=$1
begun=$(ticks)
while [ "$(ticks)" -lt $((begun + 10)) ]; do sleep 0.05; done
exit 3
END
chmod +x "$work/until"

# For a time: what is in use at the end, its part of the machine's busy time; then with a client.
for_a_time() { # KIND
    local kind=$1
    engine "$kind" run -d --name busy --network none bb:1 /bin/act hold USR1 touch 300 spin 300 > /dev/null
    go_on "$kind" busy --for 5
    check "$kind: for a time" 0 $?
    check "$kind: its peak of memory" "yes cgroup" "$(in_percent "$(used memory_peak_bytes)" $((300 << 20)) 2) $(from memory_peak_bytes | cut -c 1-6)"
    check "$kind: in use at the end" 'True True' "$(json r.json '"%s %s" % (300 << 20 <= r["usage"]["working_set_bytes"]["value"] <= r["usage"]["memory_bytes"]["value"], r["usage"]["memory_peak_bytes"]["value"] >= r["usage"]["memory_bytes"]["value"])')"
    check "$kind: it has a network, and nobody sent" '0 0 network namespace' "$(used received_bytes) $(used sent_bytes) $(from sent_bytes)"
    check "$kind: its part of the machine" 'True True' "$(json r.json '"%s %s" % (0 < r["machine_share"]["mean"] <= 1, abs(r["attributed_j"]["mean"] - r["gross_j"]["mean"] * r["machine_share"]["mean"]) < 1e-9)')"
    check "$kind: by the CPU time of all" True "$(json r.json 'abs(r["machine_share"]["mean"] - min(1, r["usage"]["cpu_s"]["value"] / r["windows"]["runs"][0]["machine_busy_s"])) < 1e-9')"
    check_match "$kind: which is called an attribution" 'attributed [0-9.]+ k?J of gross by CPU time' "$(cat err)"
    measure --engine "$kind" --container busy -- "$work/until" "$(engine "$kind" inspect -f '{{.State.Pid}}' busy)"
    check "$kind: the client's status" 3 $?
    check "$kind: the container's usage" True "$(json r.json 'r["usage"]["cpu_s"]["value"] > 0.08')"
    check_match "$kind: both are named" "^container busy \($kind, [0-9a-f]{12}\), client" "$(cat err)"
    engine "$kind" rm -f busy > /dev/null
}

ready_twice() { [ "$(engine "$1" logs busy 2> /dev/null | grep -c ready)" -ge 2 ]; }

# Where no control group is to be seen its engine is asked.
by_statistics() { # KIND
    local kind=$1 pid
    engine "$kind" run -d --name busy --network none bb:1 /bin/act hold USR1 spin 1 hold USR1 > /dev/null
    rm -f s.csv*
    # shellcheck disable=SC2016 # the inner shell's own
    unshare --mount --propagation private sh -c '
        mount -t tmpfs none /sys/fs/cgroup && exec "$@"' - "$carbon" measure -v --source model --baseline 0 --json r.json \
        --engine "$kind" --container busy --samples s.csv 2> err &
    started s.csv.partial
    engine "$kind" kill -s USR1 busy > /dev/null
    until_true ready_twice "$kind"
    sleep 4 # until it has been looked at again: Docker answers after up to a second, and a second apart
    pid=$(engine "$kind" inspect -f '{{.State.Pid}}' busy)
    kill -KILL "$pid"
    wait $!
    check "$kind: statistics: ends with the container" 0 $?
    check "$kind: statistics: CPU time" "yes $kind stats" "$(in_percent "$(used cpu_s)" 1 3) $(from cpu_s)"
    check "$kind: statistics: memory" "True" "$(json r.json "r['usage']['memory_peak_bytes']['from'].startswith('$kind stats')")"
    check_match "$kind: statistics: a doubt" 'what container busy .* used is good to about a second of its work' "$(cat err)"
    engine "$kind" rm -f busy > /dev/null
}

for kind in docker podman; do
    to_its_end $kind
    found $kind
    for_a_time $kind
    by_statistics $kind
done

# Both engines have it: one has to be named.
measure --container eos4e40_burn --for 1
check 'of both engines' 4 $?
check_match 'with their engines' 'eos4e40_burn \(docker, .*eos4e40_burn \(podman, ' "$(cat err)"
engine podman rm -f eos4e40_burn > /dev/null
measure --container eos4e40_burn --for 0.2
check 'of the engine that has it' 'True' "$(json r.json '"(docker" in r["target"]')"

# The host's network is everybody's.
engine docker run -d --name shared --network host bb:1 /bin/act sleep 300 > /dev/null
measure --container shared --for 0.2
check 'the network of the machine is not its own' 'None None' "$(used received_bytes) $(used sent_bytes)"

# An ordinary user.
if command -v setpriv > /dev/null; then
    open_to_all
    chmod 711 "$engines" "$engines/docker"
    setpriv --reuid 65534 --regid 65534 --clear-groups "$carbon" measure -v --baseline 0 --engine docker --container shared --for 1 2> err
    check 'a socket of others: status' 125 $?
    check_match 'a socket of others' "permission denied: '.*docker/socket'" "$(cat err)"
fi

# Nobody to ask, and what cannot be.
refused() {
    local name=$1 status=$2 words=$3
    shift 3
    "$@" 2> err
    check "$name: status" "$status" $?
    check_match "$name" "$words" "$(cat err)"
}
refused 'no engine' 125 'neither Docker nor podman is running' \
    env DOCKER_HOST=unix:///nowhere/d CONTAINER_HOST=unix:///nowhere/p "$carbon" measure -v --container x --for 1
refused 'no Docker' 125 'Docker does not run here' env DOCKER_HOST=unix:///nowhere/d "$carbon" measure -v --engine docker --container x --for 1
refused 'an engine elsewhere' 125 'names no engine of this machine' \
    env DOCKER_HOST=tcp://10.0.0.1:2375 "$carbon" measure -v --engine docker --container x --for 1
refused 'no such engine' 125 "--engine needs docker or podman, not 'lxc'" "$carbon" measure -v --engine lxc --container x --for 1
refused 'an engine of nothing' 125 '--engine needs --container' "$carbon" measure -v --engine docker --pid 1 --for 1
refused 'two' 125 '--pid and --container cannot be combined' "$carbon" measure -v --container x --pid 1 --for 1

finish
