#!/bin/bash
# SPDX-License-Identifier: MIT
# Container engines where control groups are of version 2 alone and systemd is process 1, each with either driver, in a
# virtual machine (user-vm.sh, engines-guest.sh).
#
#   engines.sh [-x] [ENGINE-DRIVER...]    those alone: docker-systemd docker-cgroupfs podman-systemd podman-cgroupfs
#                                    podman-rootless (rootless.sh)
#
# With -x all of it (engines-guest.sh), and a mark of memory of one's own in an emulated machine with Linux 6.12
# (mark-guest.sh).
# CARBON_VM_LIMIT is how many seconds a machine may take.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, builddir and work
. "$(dirname "$0")/../cli/lib.sh"
. "$source/tests/cli/lib-engine.sh"
limit_s=${CARBON_VM_LIMIT:-900}
PATH=$PATH:/usr/sbin:/sbin
export PATH
all=''
[ "${1-}" != -x ] || { all=-x; shift; }
[ $# -gt 0 ] || set -- docker-systemd docker-cgroupfs podman-systemd podman-cgroupfs podman-rootless

[ "$(id -u)" = 0 ] || skip 'not root: the machine sees the files that this user may read'
for program in linux.uml cpio busybox python3 containerd dockerd docker podman runc; do
    command -v $program > /dev/null || skip "no '$program'"
done
[ -x /lib/systemd/systemd ] || skip "no systemd, which is to be process 1 of the machine"
[ -x "$helpers/act" ] || skip 'the programs of the tests are not built'

# judge NAME COMMAND...: what the machine said, and that it found all as it should be
judge() {
    local name=$1 status said=$work/$1.said
    shift
    "$@" env srcdir="$source" abs_builddir="$builddir" CARBON_DATA="$CARBON_DATA" PATH="$PATH" \
        bash "${script[@]}" > "$said" 2>&1
    status=$?
    sed "s/^/$name: /" "$said"
    [ $status != 77 ] || skip "$(sed -n 's/^SKIPPED: //p' "$said")"
    check "the virtual machine '$name' found all as it should be" 0 $status
}

mkdir "$work/engines" "$work/mark"
engine_image
cp "$engines/image.tar" "$work/engines/"
# shellcheck disable=SC2206 # none, or one word
script=("$source/tests/vm/engines-guest.sh" $all "$@")
judge engines "$source/tests/vm/user-vm.sh" -t "$limit_s" "$work/engines"
if [ -n "$all" ]; then
    built=$("$source/tests/vm/build.sh" "$builddir/vm-6.12" 6.12 2>&1) || {
        status=$?
        printf '%s\n' "$built"
        [ $status != 77 ] || [ "$failures" -eq 0 ] || status=1
        exit $status
    }
    script=("$source/tests/vm/mark-guest.sh")
    judge mark "$source/tests/vm/rapl-vm.sh" -t "$limit_s" "$builddir/vm-6.12" "$work/mark" Westmere 1 ''
fi
finish
