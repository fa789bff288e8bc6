#!/bin/bash
# SPDX-License-Identifier: MIT
# Containers of real engines, Docker and podman: found, looked at, made, attended, ended, removed (tests/helpers/engine).
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"
. "$source/tests/cli/lib-engine.sh"
engine_start docker podman
helper=$helpers/engine

ask() {
    "$helper" "$@" 2>&1
}

# made ENGINE OPTION... -- COMMAND...: $id
made() {
    local kind=$1
    shift
    id=$("$helper" "$kind" create bb:1 "$@")
    check_match "$kind makes a container" '^[0-9a-f]{64}$' "$id"
}

# attended ENGINE: $status, out, err
attended() {
    timeout 60 "$helper" "$1" attend "$id" > out 2> err
    status=$?
}

state() {
    ask "$1" inspect "$id" | grep -o 'running=.*'
}

is_running() { [ "$(state "$1" | cut -d' ' -f1)" = running=1 ]; }

# In the background: $parent, which forks $attendant, who attends it; until the container runs.
attend_beside() {
    "$helper" "$1" attend "$id" > out 2> err &
    parent=$!
    until_true is_running "$1"
    attendant=$(cat "/proc/$parent/task/$parent/children")
    attendant=${attendant% }
}

gone() {
    local i
    for i in $(seq 100); do
        ask "$1" inspect "$id" > /dev/null || { echo yes; return; }
        sleep 0.1
    done
    state "$1"
}

# How long it took since $1 (ns), in ms.
since_ms() {
    echo $((($(date +%s%N) - $1) / 1000000))
}

finding() {
    local kind=$1 one
    one=$(engine "$kind" run -d --name eos4e40_burn --label role=model --network none bb:1 /bin/sleep 1000)
    engine "$kind" run -d --name eos9 --label role=other --label part=model2 --network none bb:1 /bin/sleep 1000 > /dev/null
    engine "$kind" create --name stopped --network none bb:1 /bin/true > /dev/null
    check_match "$kind: by the whole id" "name=eos4e40_burn " "$(ask "$kind" find "$one")"
    check_match "$kind: by the first twelve digits" "name=eos4e40_burn " "$(ask "$kind" find "${one:0:12}")"
    check_match "$kind: not by eleven" '^2: no running container' "$(ask "$kind" find "${one:0:11}")"
    check_match "$kind: a whole name comes before a part" 'name=eos9 ' "$(ask "$kind" find eos9)"
    check_match "$kind: by key=value" 'name=eos4e40_burn ' "$(ask "$kind" find role=model)"
    check_match "$kind: by the value of a label" 'name=eos9 ' "$(ask "$kind" find model2)"
    check_match "$kind: by a part, in capitals" "$kind $one name=eos4e40_burn .*running=1 pid=known exit=-1 memory=0" \
        "$(ask "$kind" find 4E40)"
    check_match "$kind: several are listed" \
        "^1: 'eos' is more than one container . 2 run .*(eos9 .*eos4e40_burn|eos4e40_burn .*eos9) \(" \
        "$(ask "$kind" find eos)"
    check_match "$kind: the image is searched, too" "^1: 'bb:1' is more than one" "$(ask "$kind" find bb:1)"
    check_match "$kind: none, with those that run" "^2: no running container 'nosuch' . these run: .*eos9" \
        "$(ask "$kind" find nosuch)"
    check_match "$kind: one that does not run" "^2: the container 'stopped' does not run . it is created; these run: " \
        "$(ask "$kind" find stopped)"
    for word in '' . .. a/../b '../containers/json' $'a\nb' '%2e' 'a?all=1' 'é'; do
        check_match "$kind: '$word' is none" '^2: no (running )?container' "$(ask "$kind" inspect "$word")"
        check_match "$kind: nor is it found" '^2: no (running )?container' "$(ask "$kind" find "$word")"
        check_match "$kind: and has no figures" '^2: no (running )?container' "$(ask "$kind" stats "$word")"
    done
    check_match "$kind: figures of one that runs" '^cpus=[1-9][0-9]* cpu_ns=[1-9][0-9]* .*memory=[1-9][0-9]* working_set=[1-9]' \
        "$(ask "$kind" stats eos9)"
    id=stopped
    check_match "$kind: one that does not run has none" '^cpus=0 cpu_ns=unknown .*memory=unknown working_set=unknown' \
        "$(ask "$kind" stats stopped)"
    engine "$kind" rm -f eos4e40_burn eos9 stopped > /dev/null
}

running() {
    local kind=$1 start
    mkdir -p shared && echo given > shared/file
    made "$kind" name=whole 'env=A=b "c"' env=EMPTY= folder=/tmp cpus=0 "mount=$PWD/shared:/in:ro" -- sh -c \
        'echo "$A|$EMPTY|"; pwd; cat /in/file; touch /in/x; grep Cpus_allowed_list /proc/self/status; echo on err >&2; exit 7'
    check "$kind: made, and not started" 'running=0 pid=unknown exit=-1 memory=0' "$(state "$kind")"
    attended "$kind"
    check "$kind: its status" 7 $status
    check "$kind: what it had" $'b "c"||\n/tmp\ngiven\nCpus_allowed_list:\t0' "$(cat out)"
    check_match "$kind: standard error is apart" '^on err$' "$(cat err)"
    check "$kind: afterwards" 'running=0 pid=unknown exit=7 memory=0' "$(state "$kind")"
    check "$kind: a name that is taken" 1 "$(ask "$kind" create bb:1 name=whole -- true | cut -d: -f1)"
    ask "$kind" remove "$id"
    check "$kind: removed" yes "$(gone "$kind")"
    ask "$kind" remove "$id"
    check "$kind: removed twice is good" 0 $?

    made "$kind" -- sh -c 'i=0; while [ $i -lt 200 ]; do echo $i; echo e$i >&2; i=$((i+1)); done
        head -c 5000000 /dev/zero | tr "\0" a; head -c 1000000 /dev/zero | tr "\0" b >&2; echo end'
    attended "$kind"
    check "$kind: each stream whole and in its order" "0 $( (seq 0 199; head -c 5000000 /dev/zero | tr '\0' a; echo end) |
        cksum) $( (seq -f e%g 0 199; head -c 1000000 /dev/zero | tr '\0' b) | cksum)" "$status $(cksum < out) $(cksum < err)"
    ask "$kind" remove "$id"

    made "$kind" -- sh -c 'exec > /dev/null 2>&1; sleep 1; exit 5'
    attended "$kind"
    check "$kind: the end is awaited, not the end of the output" 5 $status
    made "$kind" -- sh -c 'kill -KILL $$; sleep 0.1; sh -c "kill -9 \$\$"; exit $?'
    attended "$kind"
    check "$kind: a signal within" 137 $status
    tried 1 'A container engine, or a container'
    made "$kind" -- yes
    timeout 60 "$helper" "$kind" attend "$id" 2> err | head -n 1 > out
    check "$kind: output that nobody reads any more ends it" '141 y' "${PIPESTATUS[0]} $(cat out)"
    tried 1 'A container engine, or a container'

    for pair in nosuch:127 /bin/nosuch:127 /bin/no-program:126 /tmp:126; do
        made "$kind" -- "${pair%:*}"
        attended "$kind"
        check "$kind: the status of ${pair%:*}" "${pair#*:}" $status
        check_match "$kind: why ${pair%:*} is not run" "why: $kind says: .*${pair%:*}" "$(cat err)"
    done
    id=nosuch
    attended "$kind"
    check "$kind: no container" "125 yes" "$status $(grep -q 'cannot be started' err && echo yes)"
    tried 1 'A container engine, or a container'
    engine "$kind" ps -aq | xargs -r -n 1 "$helper" "$kind" remove
}

signals() {
    local kind=$1 start took
    made "$kind" -- sh -c 'trap "echo got it; exit 9" TERM; echo ready; while :; do sleep 0.02; done'
    attend_beside "$kind"
    until_true grep -q ready out
    start=$(date +%s%N)
    kill -TERM "$attendant"
    wait "$parent"
    check "$kind: SIGTERM is passed on" $'9 ready\ngot it' "$? $(cat out)"
    took=$(since_ms "$start")
    check "$kind: before anybody would give up ($took ms)" yes "$([ "$took" -lt 20000 ] && echo yes)"
    made "$kind" -- sleep 1000
    attend_beside "$kind"
    kill -TERM "$attendant"
    sleep 0.5
    check "$kind: whoever does not listen runs on" 'running=1 pid=known exit=-1 memory=0' "$(state "$kind")"
    kill -HUP "$attendant"
    wait "$parent"
    check "$kind: the second signal kills" 137 $?
    tried 1 'A container engine, or a container'
    made "$kind" run=orphan -- sleep 1000
    attend_beside "$kind"
    kill -KILL "$parent"
    wait "$parent" 2> /dev/null
    check "$kind: the container of a parent that was killed is removed" yes "$(gone "$kind")"
    tried 1 'A container engine, or a container'
    made "$kind" -- yes
    mkfifo pipe
    "$helper" "$kind" attend "$id" > pipe 2> err &
    parent=$!
    exec 9< pipe
    until_true is_running "$kind"
    sleep 0.5
    attendant=$(cat "/proc/$parent/task/$parent/children")
    for _ in $(seq 50); do
        kill -TERM ${attendant} 2> /dev/null || break
        sleep 0.2
    done
    wait "$parent"
    check "$kind: signals are seen while nobody reads the output" 137 $?
    exec 9<&-
    rm pipe
    engine "$kind" ps -aq | xargs -r -n 1 "$helper" "$kind" remove
}

cleaning() {
    local kind=$1 run
    for run in one one two; do
        made "$kind" run=$run -- sleep 1000
        engine "$kind" start "$id" > /dev/null
    done
    made "$kind" run=three -- true
    engine "$kind" create --name not-ours --network none bb:1 true > /dev/null
    check "$kind: those of a run, running or not" 2 "$(ask "$kind" clean one)"
    check "$kind: of any run, if they do not run" 1 "$(ask "$kind" clean)"
    check "$kind: what is left" '2' "$(engine "$kind" ps -aq | wc -l)"
    check "$kind: no run of that name" 0 "$(ask "$kind" clean '"]}')"
    engine "$kind" ps -aq | xargs -r -n 1 "$helper" "$kind" remove
}

images() {
    local kind=$1 tail
    ask "$kind" image bb:1
    check "$kind: an image that is there" 0 $?
    check_match "$kind: one that is not" "^2: the image 'nosuch:1' is not here . $kind says: " "$(ask "$kind" image nosuch:1)"
    check_match "$kind: none can be made of it" "^2: the image 'nosuch:1' is not here" \
        "$(ask "$kind" create nosuch:1 -- true)"
    for tail in ../containers/json '' 'a b' 'a?x' 'a//b' '/a' $'a\nb'; do
        check_match "$kind: '$tail' is no image" "^1: '" "$(ask "$kind" image "$tail")"
    done
    # a registry on a port where nobody listens
    check_match "$kind: one that cannot be got" "^2: the image '127.0.0.1:9/nosuch:1' is not here and cannot be got . .*refused" \
        "$(ask "$kind" pull 127.0.0.1:9/nosuch:1)"
    check_match "$kind: a folder that is not there" "^1: no container can be made .*'$PWD/none', which" \
        "$(ask "$kind" create bb:1 "mount=$PWD/none:/in" -- true)"
}

for kind in docker podman; do
    check_match "$kind answers" "^$kind $engines/$kind/socket '[0-9][^']*' 'cgroupfs'$" "$(ask "$kind" open)"
    finding $kind
    running $kind
    signals $kind
    cleaning $kind
    images $kind
done

engine docker run -d --name same --network none bb:1 sleep 1000 > /dev/null
engine podman run -d --name same --network none bb:1 sleep 1000 > /dev/null
engine podman run -d --name other --network none bb:1 sleep 1000 > /dev/null
check 'both are asked' 2 "$(ask all open | wc -l)"
check_match 'one of the other engine' '^podman [0-9a-f]+ name=other ' "$(ask all find other)"
check_match 'one of each' "^1: 'same' .*same \(docker, [0-9a-f]{12}\), same \(podman, [0-9a-f]{12}\)" "$(ask all find same)"
check 'podman where Docker is sought' "podman" "$(DOCKER_HOST=$CONTAINER_HOST ask docker open | cut -d' ' -f1)"
check 'one socket counts once' 1 "$(DOCKER_HOST=$CONTAINER_HOST ask all open | wc -l)"

# Where none can be asked.
refused() {
    check_match "$1" "$2" "$("${@:3}" 2>&1)"
}
refused 'no socket' "^2: Docker does not run here . no socket '/nosuch' . sudo systemctl start docker" \
    env DOCKER_HOST=unix:///nosuch "$helper" docker open
refused 'neither' "^2: neither Docker nor podman is running . no socket '/nosuch'; no socket '/none' . " \
    env DOCKER_HOST=unix:///nosuch CONTAINER_HOST=/none "$helper" all open
for other in tcp://127.0.0.1:2375 ssh://host fd:// npipe:////./pipe/x relative/path; do
    refused "$other" "^1: DOCKER_HOST names no engine of this machine . it is '$other'.* . unset DOCKER_HOST" \
        env "DOCKER_HOST=$other" "$helper" docker open
done
refused 'a path that is too long' "^1: the path of Docker's socket is too long" \
    env "DOCKER_HOST=/$(printf '%0200d' 0)" "$helper" docker open
/usr/bin/python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("left")'
refused 'a socket that was left' "^2: Docker does not run here . no answer at '.*/left'" \
    env "DOCKER_HOST=$PWD/left" "$helper" docker open
# who may not: as a user who is in no group
chmod 755 "$engines" "$work" "$work/in"
cp "$helper" "$work/in/as-user"
chgrp 100 "$engines/docker/socket"
chmod 660 "$engines/docker/socket" "$engines/podman/socket"
user() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
if user test -x "$work/in/as-user"; then
    refused 'the group that may' \
        "^3: no permission for the Docker socket . permission denied: '.*/docker/socket' . .*group '$(getent group 100 | cut -d: -f1)' .*usermod -aG" \
        user "$work/in/as-user" docker open
    chgrp 0 "$engines/podman/socket"
    refused 'no group may' "^3: no permission for the podman socket . permission denied.*systemctl --user start podman.socket" \
        user "$work/in/as-user" podman open
    refused 'one that may not be used is nearer than one that is not there' "^3: no permission for the podman socket" \
        user env DOCKER_HOST=/nosuch "$work/in/as-user" all open
else
    echo 'not checked as an ordinary user: setpriv does not allow it'
fi
engine_stop docker
refused 'the engine has ended' '^2: Docker does not run here' env "$helper" docker open
finish
