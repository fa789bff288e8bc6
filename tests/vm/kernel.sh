#!/bin/bash
# SPDX-License-Identifier: MIT
# The installed program in a real kernel: Debian's own RAPL drivers, through powercap and perf, over registers that we
# set; as root and as an ordinary user. One boot (guest.sh), judged here.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, builddir and work
. "$(dirname "$0")/../cli/lib.sh"

for program in qemu-system-x86_64 cpio busybox python3; do
    command -v $program > /dev/null || skip "no '$program'"
done
vm=$builddir/vm
built=$("$source/tests/vm/build.sh" "$vm" 2>&1) || {
    status=$?
    printf '%s\n' "$built"
    exit $status
}
make -s -C "$builddir" install DESTDIR="$work/installed" > "$work/install.log" 2>&1 || {
    cat "$work/install.log"
    exit 1
}
program=$(cd "$work/installed" && find . -type f -name carbon -perm -100 | head -n 1)
check 'the program is installed in one place' "${program:+found}" found
chmod 755 "$work"
out=$work/out
mkdir "$out"
"$source/tests/vm/rapl-vm.sh" "$vm" "$out" bash "$source/tests/vm/guest.sh" "$work/installed" "${program#.}"
check 'the virtual machine did its part' $? 0

/usr/bin/python3 "$source/tests/vm/judge.py" "$out"
check 'energies agree with the kernel and with the power that was set' $? 0
finish
