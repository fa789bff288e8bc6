# SPDX-License-Identifier: MIT
# podman of a user without root's rights, in the machine of engines-guest.sh: systemd runs a manager for him, which has been
# given a group, and podman has that make the groups of containers. Sourced by engines-guest.sh, whose functions it uses.
#
# What is his is called his, and nothing that he calls as root's engine, Kubernetes or Slurm would is taken for theirs.
#
# It wants a computer with nothing else to do: in this machine his podman takes 6.5 s to say who it is (/info), and beside
# other work more than the 20 s that carbon waits for an engine. So it is no part of `make check-engines` unless it is
# named, and is not known to pass: the container's group and whose it is were right, what he measures was not reached.
# tests/unit/groups/test_groups.c and tests/cli/serve/serve-groups.sh hold the same over recorded groups.
# shellcheck shell=bash disable=SC2154 # of lib.sh and engines-guest.sh
rootless_user=1234
rootless_home=/run/rootless
rootless_given=/sys/fs/cgroup/user.slice/user-$rootless_user.slice/user@$rootless_user.service

# as_user COMMAND...
as_user() {
    setpriv --reuid $rootless_user --regid $rootless_user --clear-groups env -i PATH="$PATH" HOME=$rootless_home \
        XDG_RUNTIME_DIR=/run/user/$rootless_user DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$rootless_user/bus \
        CARBON_DATA="$CARBON_DATA" CONTAINERS_CONF=$rootless_home/containers.conf "$@"
}
# in_his_group COMMAND...: as a service of his manager's; podman is to be in a group that is his
in_his_group() { as_user systemd-run --user --quiet --pipe --wait -E CONTAINERS_CONF=$rootless_home/containers.conf "$@"; }
# his_podman WORDS...: no other user's numbers are given to him, so that all files of an image are his
his_podman=(podman --storage-driver vfs --events-backend file --cgroup-manager systemd)

# As systemd's own unit has it, without PAM.
rootless_begins() {
    echo "worker:x:$rootless_user:$rootless_user::$rootless_home:/bin/sh" >> /etc/passwd
    echo "worker:x:$rootless_user:" >> /etc/group
    mkdir -p $rootless_home /run/user/$rootless_user
    cat > $rootless_home/containers.conf << END
[containers]
default_ulimits=["nofile=1000:1000","nproc=1000:1000"]
netns="none"
log_driver="k8s-file"
[engine]
runtime="runc"
[engine.runtimes]
runc=["$(command -v runc)"]
END
    cp "$engines/image.tar" $rootless_home/
    chown -R $rootless_user:$rootless_user $rootless_home /run/user/$rootless_user
    chmod 700 /run/user/$rootless_user
    chmod 755 "$work"
    cat > /etc/systemd/system/user@.service << END
[Unit]
DefaultDependencies=no
[Service]
User=%i
Type=notify
Slice=user-%i.slice
Delegate=yes
Environment=XDG_RUNTIME_DIR=/run/user/%i HOME=$rootless_home
ExecStart=/lib/systemd/systemd --user
END
    systemctl daemon-reload
    systemctl start user@$rootless_user.service || skip 'systemd runs no manager for a user here'
    in_his_group "${his_podman[@]}" import $rootless_home/image.tar bb:1 > import 2>&1 ||
        skip "podman takes no image of a user's here: $(tail -n 1 import)"
    as_user mkdir -p /run/user/$rootless_user/podman
    CONTAINER_HOST=unix:///run/user/$rootless_user/podman/podman.sock
    export CONTAINER_HOST
    in_his_group "${his_podman[@]}" system service -t 0 "$CONTAINER_HOST" > service 2>&1 < /dev/null &
    until_true asked_him
}
asked_him() { "$helpers/engine" podman open > opened 2>&1; }

# spins FOLDER SECONDS: one process of it, in a group that is there
spins() {
    bash -c "echo \$\$ > '$1/cgroup.procs'; exec '$helpers/act' spin $2"
}
# patiently COMMAND...: again, ten times at most, where his podman, which this machine has little time for, has not answered
# in time
patiently() {
    local status
    for _ in {1..10}; do
        "$@" 2> err && return
        status=$?
        grep -q 'took too long' err || break
        sleep 5
    done
    return $status
}
# forged NAME: a folder of his, as another would call it
forged() { as_user mkdir -p "$rootless_given/$1"; }

# told FAMILY LABEL: what is told of groups with this label, without the family and the label of the quality
told() { sed -nE "s/^carbon_$1\{(.*$2.*)\} (.*)/\1 \2/p" all; }
tells() {
    busybox wget -q -O all "$url"
    [ -n "$(told "$@")" ]
}
# near TEXT WANTED: of one line, whose last word is a figure up to a tenth of a second above
near() { awk -v wanted="$2" '{ figure = $NF } END { print NR == 1 && figure >= wanted && figure < wanted + 0.1 ? "yes" : NR " lines, " figure " for " wanted }' <<< "$1"; }

rootless() {
    local id before_us server target root_own same pod=0a1b2c3d-0000-4000-8000-000000000009
    same=$(printf 'c%063d' 5)
    kind=podman
    rootless_begins
    since "$name: begins"
    : > said
    in_his_group "${his_podman[@]}" run --name worker bb:1 sh -c 'act hold USR1 spin 0.3; exec act hold USR1' > said 2> err.run &
    attendant=$!
    until_true waits 1
    group=$(find $rootless_given -type d -name 'libpod-*.scope' ! -name '*conmon*')
    id=$(grep -oE '[0-9a-f]{64}' <<< "$group")
    check_match "$name: its group is his" "^$rootless_given/user.slice/libpod-$id.scope\$" "$group"

    "$carbon" serve --listen 127.0.0.1:0 --resolution 1 --by container,pod,slurm > out.serve 2> err.serve &
    server=$!
    until_true grep -qs '^carbon: listening' err.serve
    url=http://$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/\1/p' err.serve)/metrics
    until_true tells container_cpu_seconds_total "$id"
    check "$name: whose it is" "container_id=\"$id\",container_name=\"\",engine=\"podman\",user=\"$rootless_user\"" \
        "$(told container_cpu_seconds_total "$id" | sed 's/ [^ ]*$//')"

    # One of root's engine, and what he makes: one of that id, a pod, a job.
    root_own=/sys/fs/cgroup/system.slice/docker-$same.scope
    mkdir "$root_own"
    forged "docker-$same.scope"
    forged "kubepods.slice/kubepods-pod${pod//-/_}.slice/cri-containerd-$(printf 'd%063d' 6).scope"
    forged system.slice/slurmstepd.scope/job_42/step_0
    spins "$root_own" 0.2
    spins "$rootless_given/docker-$same.scope" 0.5
    spins "$rootless_given/kubepods.slice/kubepods-pod${pod//-/_}.slice/"cri-* 0.1
    spins $rootless_given/system.slice/slurmstepd.scope/job_42/step_0 0.1

    us=''
    until_true steady
    before_us=$us
    # shellcheck disable=SC2153 # the machine's
    patiently as_user "$carbon" measure --zone FR --source model --no-ledger --baseline 0 --container worker --json - -- bash -c \
        "$(declare -f sleep waits go_on until_true stat_us steady); work=$work group=$group us=''; cd $work"'
        kill -USR1 $(tail -n 1 "$group/cgroup.procs"); until_true waits 2; until_true steady' > his.json
    check "$name: he measures it" 0 $? || cat err
    stat_us "$group"
    check "$name: its CPU time" $((us - before_us)) "$(json his.json 'round(r["usage"]["cpu_s"]["value"] * 1e6)')"
    target="container worker \(podman of user $rootless_user, ${id:0:12}\)"
    check_match "$name: what he is told it is" "^$target" "$(json his.json 'r["target"]')"
    patiently measure --container worker --for 0.1
    check_match "$name: what root is told it is" "^$target\$" "$(json r.json 'r["target"]')"
    "$carbon" measure --source model --no-ledger --baseline 0 --pod $pod --for 0.1 > out 2> err
    check "$name: his pod is none" 4 $? || cat err

    until_true exports ">= $us / 1e6 - 1e-6"
    check "$name: what it has, and no more" yes "$(near "$(told container_cpu_seconds_total "$id")" "$(awk "BEGIN { print $us / 1e6 }")")"
    tells pod_cpu_seconds_total "$pod"
    check "$name: the pod is his" "namespace=\"\",user=\"$rootless_user\"" \
        "$(told pod_cpu_seconds_total "$pod" | grep -o 'namespace.*"')"
    check "$name: Slurm has no job" '' "$(grep '^carbon_slurm_job' all)"
    stat_us "$root_own"
    check "$name: root's container has its own" yes \
        "$(near "$(told container_cpu_seconds_total "$same" | grep -v user=)" "$(awk "BEGIN { print $us / 1e6 }")")"
    stat_us "$rootless_given/docker-$same.scope"
    check "$name: that of its id is his" yes \
        "$(near "$(told container_cpu_seconds_total "$same" | grep "user=\"$rootless_user\"")" "$(awk "BEGIN { print $us / 1e6 }")")"
    kill "$server"
    since "$name: done"
}
