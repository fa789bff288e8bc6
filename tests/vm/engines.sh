#!/bin/bash
# SPDX-License-Identifier: MIT
# Container engines where control groups are of version 2 alone and systemd is process 1, each with either driver, in
# emulated machines (engines-guest.sh); and a mark of memory of one's own in Linux 6.12 (mark-guest.sh).
#
#   engines.sh [ENGINE-DRIVER...]    those alone: docker-cgroupfs docker-systemd podman-cgroupfs podman-systemd
#
# CARBON_VM_LIMIT is how many seconds a machine may take.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, builddir and work
. "$(dirname "$0")/../cli/lib.sh"
limit_s=${CARBON_VM_LIMIT:-600}
PATH=$PATH:/usr/sbin:/sbin
export PATH

[ "$(id -u)" = 0 ] || skip 'not root: the machine sees the files that this user may read'
for program in qemu-system-x86_64 cpio busybox python3 containerd dockerd docker podman runc; do
    command -v $program > /dev/null || skip "no '$program'"
done
[ -x /lib/systemd/systemd ] || skip "no systemd, which is to be process 1 of the machine"
[ -x "$helpers/act" ] || skip 'the programs of the tests are not built'

# built DIR [VERSION]: skips the test, with the reason, where there is no such kernel
built() {
    local said status
    said=$("$source/tests/vm/build.sh" "$@" 2>&1) && return
    status=$?
    printf '%s\n' "$said"
    [ $status != 77 ] || [ "$failures" -eq 0 ] || status=1
    exit $status
}

# boot NAME OPTIONS BUILT SCRIPT WORDS...: what the script says is in NAME.said
boot() {
    local name=$1 options=$2 vm=$3 script=$4
    shift 4
    mkdir -p "$work/$name"
    # shellcheck disable=SC2086 # they are words
    "$source/tests/vm/rapl-vm.sh" $options -t "$limit_s" "$vm" "$work/$name" Westmere 1 '' \
        env srcdir="$source" abs_builddir="$builddir" CARBON_DATA="$CARBON_DATA" PATH="$PATH" \
        bash "$source/tests/vm/$script" "$@" > "$work/$name.said" 2>&1
    echo $? > "$work/$name.status"
}
judge() {
    check "the virtual machine '$1' found all as it should be" 0 "$(cat "$work/$1.status")"
    sed "s/^/$1: /" "$work/$1.said"
}

built "$builddir/vm"
built "$builddir/vm-6.12" 6.12
[ $# -gt 0 ] || set -- docker-systemd docker-cgroupfs podman-systemd podman-cgroupfs
machines=()
for kind in docker podman; do
    words=()
    for word in "$@"; do
        case $word in $kind-*) words+=("$word") ;; esac
    done
    [ ${#words[@]} -gt 0 ] || continue
    machines+=("$kind")
    boot $kind -s "$builddir/vm" engines-guest.sh "${words[@]}" &
done
wait
boot mark '' "$builddir/vm-6.12" mark-guest.sh
for name in "${machines[@]}" mark; do
    judge "$name"
done
finish
