#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --pod: real control groups as a kubelet makes them, its folders of logs in a mount namespace that only
# this test has.
. "$(dirname "$0")/../lib.sh"

uid=1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
other=2f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
root=$(awk '/ - cgroup2 /{ print $5; exit }' /proc/self/mountinfo)
top=$root/carbon-pods-$$.slice
one=$top/kubepods-burstable.slice/kubepods-burstable-pod${uid//-/_}.slice
two=$top/kubepods-besteffort.slice/kubepods-besteffort-pod${other//-/_}.slice
[ -n "$root" ] || skip 'no hierarchy of version 2'
cleanup() {
    # shellcheck disable=SC2046 # two numbers
    kill $(jobs -p) 2> /dev/null
    wait 2> /dev/null
    find "$top" -depth -type d -exec rmdir {} + 2> /dev/null
    rm -rf "$work"
}
trap cleanup EXIT
unshare --mount true 2> /dev/null || skip 'no mount namespace can be made here'
mkdir -p "$one" "$two" 2> /dev/null || skip 'no group can be made here'
sh -c 'echo $$ > "$1/cgroup.procs"; exec "$0" spin 600' "$helpers/act" "$one" &
sh -c 'echo $$ > "$1/cgroup.procs"; exec "$0" sleep 600' "$helpers/act" "$two" &
until_true grep -q . "$one/cgroup.procs"
until_true grep -q . "$two/cgroup.procs"

# pod NAME ARGUMENT...: over the folders of logs in $logs
logs="shop_web_$uid shop_web_9f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0 kube-system_proxy_8f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
pod() {
    # shellcheck disable=SC2016 # the inner shell's own
    unshare --mount --propagation private sh -c '
        mount -t tmpfs none /var/log || exit 99
        for folder in $1; do mkdir -p "/var/log/pods/$folder"; done
        shift
        exec "$@"' - "$logs" "$carbon" measure -v --source model --baseline 0 --json r.json --pod "$@" 2> err
}

used_s() { awk '/^usage_usec/ {printf "%.6f", $2 / 1e6}' "$one/cpu.stat"; }
for name in web shop/web $uid; do
    before=$(used_s)
    pod "$name" --for 0.4
    after=$(used_s)
    check "by '$name'" "0 pod shop/web ($uid)" "$? $(json r.json 'r["target"]')"
done
check 'its CPU time' 'True cgroup' \
    "$(json r.json "'%s %s' % (0 < r['usage']['cpu_s']['value'] <= $after - $before, r['usage']['cpu_s']['from'])")"
pod web -- sh -c 'exit 7'
check 'with a client' 7 $?
pod proxy --for 1
check 'one that has ended: status' 4 $?
check_match 'one that has ended' 'it has ended' "$(cat err)"
check_match 'those that run are named' "shop/web \($uid\)" "$(cat err)"
pod nobody --for 1
check 'none: status' 4 $?
check_match 'none' "no pod 'nobody' runs on this machine" "$(cat err)"
logs+=" test_web_$other"
pod web --for 1
check 'two namespaces: status' 4 $?
check_match 'two namespaces' "shop/web .*test/web|test/web .*shop/web" "$(cat err)"
pod test/web --for 0.2
check 'one namespace' "0 pod test/web ($other)" "$? $(json r.json 'r["target"]')"
logs=
pod web --for 1
check 'no kubelet: status' 4 $?
check_match 'no kubelet' 'no kubelet keeps logs on this machine' "$(cat err)"
pod $uid --for 0.2
check 'the UID is enough' "0 pod $uid" "$? $(json r.json 'r["target"]')"

# A runtime that makes groups itself below a kubelet with systemd's driver: each container's folder is beside the others'.
parted=3f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
part() { printf '%s/containerd.service/kubepods-burstable-pod%s.slice:cri-containerd:%064x' "$top" "${parted//-/_}" "$1"; }
start_part() {
    mkdir -p "$(part "$1")"
    sh -c 'echo $$ > "$1/cgroup.procs"; exec "$0" spin 600' "$helpers/act" "$(part "$1")" &
    until_true grep -q . "$(part "$1")/cgroup.procs"
}
parts_s() {
    for number in 1 2 3; do cat "$(part $number)/cpu.stat" 2> /dev/null; done |
        awk '/^usage_usec/ {sum += $2} END {printf "%.6f", sum / 1e6}'
}
start_part 1
start_part 2
logs="shop_parted_$parted"
before=$(parts_s)
pod parted -- bash -c 'mkdir -p "$1"; exec 2> /dev/null; echo $$ > "$1/cgroup.procs"; until [ $SECONDS -ge 2 ]; do :; done' - "$(part 3)"
check 'three folders, of which one comes later: status' "0 pod shop/parted ($parted)" "$? $(json r.json 'r["target"]')"
after=$(parts_s)
late=$(awk '/^usage_usec/ {printf "%.6f", $2 / 1e6}' "$(part 3)/cpu.stat")
check 'its CPU time is theirs, all of the late one too' True \
    "$(json r.json "0 < $late < r['usage']['cpu_s']['value'] <= $after - $before or (r['usage']['cpu_s'], $late, $before, $after)")"

"$carbon" measure -v --pod web --cgroup / --for 1 2> err
check 'two targets: status' 125 $?
check_match 'two targets' '--cgroup and --pod cannot be combined' "$(cat err)"

finish
