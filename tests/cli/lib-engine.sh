# SPDX-License-Identifier: MIT
# Container engines of a test's own: sourced after lib.sh. Each runs in a folder and a mount namespace of its own, asks no
# network, and is gone with all its containers when the test ends, however it ends.
#
# engine_start docker|podman...    starts them; exports DOCKER_HOST and CONTAINER_HOST; the image "bb:1" (busybox, and
#                                  /bin/act and /bin/burn of tests/helpers) is in each. Skips the test, with the reason,
#                                  where that cannot be done.
# engine docker|podman ARGUMENT... the client over that engine: engine podman run -d --name one bb:1 sleep 60
# containers_of docker|podman      the ids of all its containers; where it does not answer, that
# engine_stop docker|podman        ends it before the test does
# $engines                         a folder of each: $engines/docker/socket, .../log
# $engine_driver                   what makes the control groups of those that are started next: cgroupfs, systemd
# $engine_network                  "own": those that are started next have a network of their own, Docker with a bridge; and
#                                  within KIND COMMAND... runs a command there. Else containers have none
# $engine_slow                     "yes" where the machine is emulated: what an engine can do without is left out
engine_driver=cgroupfs engine_slow=no engine_network=none
engines=$(mktemp -d /tmp/carbon-engine.XXXXXX) || exit 99
trap 'engine_end; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

engine() {
    local kind=$1
    shift
    DOCKER_CONFIG=$engines/client DOCKER_HOST=unix://$engines/$kind/socket docker "$@"
}

containers_of() {
    engine "$1" ps -aq --no-trunc || echo "$1 does not answer"
}

# The root file system of the image: programs that act_or_burn needs are those of this machine.
engine_image() {
    local root=$engines/root applet helper library
    mkdir -p "$root/bin" "$root/tmp" "$root/dev" "$root/proc" "$root/sys" "$root/etc"
    cp "$(command -v busybox)" "$root/bin/busybox"
    for applet in sh sleep cat echo head dd kill true false env pwd id ls yes tr wc seq date; do
        ln "$root/bin/busybox" "$root/bin/$applet"
    done
    : > "$root/bin/no-program"
    for helper in act burn; do
        [ -x "$helpers/$helper" ] || continue
        cp "$helpers/$helper" "$root/bin/"
        for library in $(ldd "$helpers/$helper" | grep -o '/[^ ]*'); do
            mkdir -p "$root$(dirname "$library")"
            cp -Ln "$library" "$root$library"
        done
    done
    tar -C "$root" -cf "$engines/image.tar" .
}

# asked KIND WORDS...: tests/helpers/engine, which takes a fraction of the client's time
asked() {
    DOCKER_HOST=unix://$engines/$1/socket CONTAINER_HOST=unix://$engines/$1/socket "$helpers/engine" "$@"
}

# engine_daemon KIND COMMAND...: in its own mount namespace, so that its mounts end with it.
engine_daemon() {
    local kind=$1 i
    shift
    local own=()
    [ "$engine_network" = none ] || own=(--net sh -c 'ip link set lo up; exec "$@"' -)
    setsid env -u CONTAINER_HOST unshare --mount --propagation private "${own[@]}" "$@" > "$engines/$kind/log" 2>&1 < /dev/null &
    echo $! > "$engines/$kind/pid"
    for i in $(seq 600); do
        [ -S "$engines/$kind/socket" ] && asked "$kind" open > /dev/null 2>&1 && break
        kill -0 "$(cat "$engines/$kind/pid")" 2> /dev/null || i=600
        [ "$i" -lt 600 ] || skip "$1 does not start here: $(tail -n 1 "$engines/$kind/log")"
        sleep 0.1
    done
    asked "$kind" image bb:1 > /dev/null ||
        engine "$kind" import "$engines/image.tar" bb:1 > "$engines/import" 2>&1 ||
        skip "$1 takes no image here: $(tail -n 1 "$engines/import")"
}

within() {
    local kind=$1
    shift
    nsenter --net="/proc/$(cat "$engines/$kind/pid")/ns/net" "$@"
}

# A containerd of little beside a dockerd, which waits for it longer than for one of its own.
engine_containerd() {
    local folder=$engines/docker part parts=''
    for part in grpc.v1.cri snapshotter.v1.aufs snapshotter.v1.btrfs snapshotter.v1.devmapper snapshotter.v1.overlayfs \
        snapshotter.v1.zfs internal.v1.opt tracing.processor.v1.otlp; do
        parts="$parts\"io.containerd.$part\", "
    done
    cat > "$folder/containerd.toml" << END
version = 2
root = "$folder/containerd"
state = "$folder/containerd-run"
disabled_plugins = [$parts]
[grpc]
address = "$folder/containerd.socket"
END
    setsid containerd -c "$folder/containerd.toml" > "$folder/containerd.log" 2>&1 < /dev/null &
    until_true [ -S "$folder/containerd.socket" ]
}

engine_docker() {
    local folder=$engines/docker own=() bridge=--bridge=none
    [ "$engine_network" = none ] || bridge=--bip=10.213.0.1/24
    if [ "$engine_slow" = yes ]; then
        [ -S "$folder/containerd.socket" ] || engine_containerd
        own=(--containerd "$folder/containerd.socket" --storage-driver vfs)
    fi
    engine_daemon docker dockerd --data-root "$folder/data" --exec-root "$folder/run" -H "unix://$folder/socket" \
        --pidfile "$folder/dockerd.pid" "$bridge" --iptables=false --ip6tables=false \
        --exec-opt "native.cgroupdriver=$engine_driver" "${own[@]}"
    DOCKER_HOST=unix://$folder/socket
    export DOCKER_HOST
}

# Without the rights to raise limits, and where control groups of both versions are mounted, only runc works.
engine_podman() {
    local folder=$engines/podman
    cat > "$folder/containers.conf" << END
[containers]
default_ulimits=["nofile=1000:1000","nproc=1000:1000"]
netns="none"
log_driver="k8s-file"
[engine]
runtime="runc"
tmp_dir="$folder/tmp"
[engine.runtimes]
runc=["$(PATH=$PATH:/usr/sbin:/sbin command -v runc)"]
END
    # Asked by its socket it wants a network in each container: here one without a bridge.
    if [ "$engine_slow" = yes ]; then
        mkdir -p "$folder/networks"
        printf '[network]\nnetwork_backend="cni"\nnetwork_config_dir="%s"\n' "$folder/networks" >> "$folder/containers.conf"
        echo '{"cniVersion": "0.4.0", "name": "podman", "plugins": [{"type": "loopback"}]}' > "$folder/networks/podman.conflist"
    fi
    CONTAINERS_CONF=$folder/containers.conf engine_daemon podman podman --root "$folder/data" --runroot "$folder/run" \
        --cgroup-manager "$engine_driver" --storage-driver vfs --events-backend file system service -t 0 "unix://$folder/socket"
    CONTAINER_HOST=unix://$folder/socket
    export CONTAINER_HOST
}

engine_start() {
    local kind program
    [ "$(id -u)" = 0 ] || skip 'only root can start an engine of its own here'
    PATH=$PATH:/usr/sbin:/sbin
    for program in docker unshare busybox runc "${@/#docker/dockerd}"; do
        command -v "$program" > /dev/null || skip "no '$program' here"
    done
    [ -e "$engines/image.tar" ] || engine_image
    for kind in "$@"; do
        mkdir -p "$engines/$kind"
        "engine_$kind"
    done
}

# Whatever has this engine's folder in its command line: the daemon, containerd, shims, conmon.
engine_processes() {
    local folder words
    for folder in /proc/[0-9]*; do
        words=()
        { mapfile -d '' -t words < "$folder/cmdline"; } 2> /dev/null
        [[ "${words[*]}" != *"$engines/$1/"* ]] || echo "${folder#/proc/}"
    done
}

engine_stop() {
    local kind=$1 left i pid
    [ -e "$engines/$kind/pid" ] || return 0
    pid=$(cat "$engines/$kind/pid")
    # shellcheck disable=SC2046 # one word a container
    timeout 30 bash -c "$(declare -f engine)"'; engines=$1 kind=$2; set -- $(engine "$kind" ps -aq); [ $# = 0 ] ||
        engine "$kind" rm -f "$@"' - "$engines" "$kind" > /dev/null 2>&1
    kill "$pid" 2> /dev/null
    for i in $(seq 100); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.1
    done
    for i in $(seq 50); do
        left=$(engine_processes "$kind")
        [ -n "$left" ] || break
        # shellcheck disable=SC2086 # one word a process
        [ "$i" -lt 20 ] || kill -KILL $left 2> /dev/null
        sleep 0.1
    done
    rm -f "$engines/$kind/pid" "$engines/$kind/containerd.socket"
}

engine_end() {
    engine_stop docker
    engine_stop podman
    rm -rf --one-file-system "$engines"
}
