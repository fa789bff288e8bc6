#!/bin/bash
# SPDX-License-Identifier: MIT
# The installed program in a real kernel: Debian's own RAPL drivers, through powercap and perf, over registers that we
# set; as root and as an ordinary user. Each of ./machines is booted once (guest.sh), and all are judged here.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, builddir and work
. "$(dirname "$0")/../cli/lib.sh"
at_once=2

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
out=${CARBON_KERNEL_OUT:-$work/out}

# boot NAME CPU SOCKETS AMD UNITS
boot() {
    mkdir -p "$out/$1"
    "$source/tests/vm/rapl-vm.sh" "$vm" "$out/$1" "$2" "$3" "amd=$4 unit=$5" \
        bash "$source/tests/vm/guest.sh" "$1" "$work/installed" "${program#.}" "$vm" > "$out/$1/log" 2>&1
    echo $? > "$out/$1/ended"
}

# In another the machine sleeps meanwhile. From its console: record EXPRESSION, over its run w, the record r and the indices
# counted.
slept() {
    "$source/tests/vm/rapl-vm.sh" -c "$work/asleep" "$vm" "$out" Skylake-Client 1 'amd=0 unit=14,14,14,14,14' \
        bash "$source/tests/vm/sleep-guest.sh" "$work/installed" "${program#.}" > "$work/asleep.log" 2>&1
    echo $? > "$work/asleep.ended"
}
record() {
    /usr/bin/python3 -c 'import json, sys
text = open(sys.argv[1], errors="replace").read().replace("\r", "")
r = json.loads(text.split("record begins\n", 1)[1].split("record ends\n", 1)[0])
w = r["windows"]["runs"][0]
counted = [i for i, d in enumerate(r["domains"]) if d["counted"]]
print(eval(sys.argv[2]))' "$work/asleep" "$1"
}

mapfile -t machines < <(grep -v '^#' "$source/tests/vm/machines")
for line in "${machines[@]}"; do
    read -r name cpu sockets amd units _ <<< "$line"
    while [ "$(jobs -rp | wc -l)" -ge $at_once ]; do wait -n; done
    boot "$name" "$cpu" "$sockets" "$amd" "$units" &
done
while [ "$(jobs -rp | wc -l)" -ge $at_once ]; do wait -n; done
slept &
wait
for line in "${machines[@]}"; do
    name=${line%% *}
    check "the virtual machine '$name' did its part" 0 "$(cat "$out/$name/ended")" || cat "$out/$name/log"
done

/usr/bin/python3 -B "$source/tests/vm/judge.py" "$source/tests/vm/machines" "$out"
check 'every cell is as it should be' 0 $?

check 'the machine that sleeps came to its end' 0 "$(cat "$work/asleep.ended")" || cat "$work/asleep.log"
check 'it slept, and carbon saw it' True "$(record '1 < w["suspended_s"] < 60')" || tail -n 40 "$work/asleep"
check 'a hole of each that counts, for it slept' "['suspend', 'suspend']" \
    "$(record '[hole["reason"] for hole in w["holes"] if hole["domain"] in counted]')"
check 'a lower bound, and no net' 'True False None' "$(record '"%s %s %s" % (r["at_least"], r["complete"], r["net_j"]["mean"])')"
# 20 W of the package and 4 W of its memory
check 'the power of the time that is known' True "$(record 'all(abs(w["energy_uj"][hole["domain"]] / 1e6 /
    (w["duration_s"] - hole["unknown_s"]) / {"package": 20, "memory": 4}[r["domains"][hole["domain"]]["component"]] - 1) < 0.1
    for hole in w["holes"] if hole["domain"] in counted)')"
finish
