#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon record: a machine becomes a tree that gives the same answers and names nobody.
. "$(dirname "$0")/../lib.sh"
export PYTHONDONTWRITEBYTECODE=1
umask 022

# A machine that is all there, with secrets where real ones have them.
mkdir -p m/proc/self m/proc/sys/kernel m/run m/sys/class/dmi/id m/sys/devices/system/cpu
cat > m/proc/cpuinfo << 'END'
processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 94
model name	: Test CPU
stepping	: 3
microcode	: 0xf0
apicid		: 0
flags		: fpu msr hypervisor lm

processor 0: version = 00,  identification = 0133E8,  machine = 2964
Serial		: 00000000deadbeef
Model		: zorro's board
END
cat > m/proc/self/cgroup << 'END'
4:memory:/docker/3f2a9bdeadbeef
1:name=systemd:/user.slice/user-1000.slice/session-zorro.scope
0::/system.slice/docker-3f2a9bdeadbeef.scope/lxc.payload.zorrobox
END
cat > m/proc/self/mountinfo << 'END'
611 500 0:51 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/DEADBEEF:/var/lib/docker/overlay2/l/X,upperdir=/srv/zorro/u
612 611 0:52 / /proc rw - proc proc rw
613 611 0:53 / /sys ro,nosuid - sysfs sysfs ro
614 611 259:1 /srv/zorro /srv/zorro rw - ext4 /dev/disk/by-id/zorro-deadbeef rw
END
printf 'MemTotal:       1048576 kB\nMemFree:  17 kB\n' > m/proc/meminfo
printf 'cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\nbtime 1700000000\n' > m/proc/stat
printf '6.1.0-56-amd64\n' > m/proc/sys/kernel/osrelease
printf '2\n' > m/proc/sys/kernel/perf_event_paranoid
printf 'name="zorrobox"\nid="3f2a9bdeadbeef"\n' > m/run/.containerenv
printf 'QEMU\n' > m/sys/class/dmi/id/sys_vendor
printf 'Standard PC\n' > m/sys/class/dmi/id/product_name
printf 'DEADBEEF-0001\n' > m/sys/class/dmi/id/product_serial
printf 'zorrobox\n' > m/proc/sys/kernel/hostname
printf '0\n' > m/sys/devices/system/cpu/online
mkdir -p m/sys/class/powercap/intel-rapl:0 m/sys/class/powercap/intel-rapl
printf 'package-0\n' > m/sys/class/powercap/intel-rapl:0/name
printf '12345\n' > m/sys/class/powercap/intel-rapl:0/energy_uj
printf '262143328850\n' > m/sys/class/powercap/intel-rapl:0/max_energy_range_uj
printf '1\n' > m/sys/class/powercap/intel-rapl:0/enabled
ln -s ../../devices/virtual/powercap/intel-rapl/intel-rapl:1 m/sys/class/powercap/intel-rapl:1

mkdir -p m/sys/class/power_supply/BAT0 m/sys/class/power_supply/hid-de:ad:be:ef:00:01-battery
for supply in m/sys/class/power_supply/*; do
    printf 'Battery\n' > "$supply/type"
    printf 'Discharging\n' > "$supply/status"
done
printf '11000000\n' > m/sys/class/power_supply/BAT0/power_now
printf 'DEADBEEF\n' > m/sys/class/power_supply/BAT0/serial_number
printf 'Device\n' > m/sys/class/power_supply/hid-de:ad:be:ef:00:01-battery/scope

"$carbon" record --root m out > said 2> err
check 'recorded' 0 $?
check 'nothing on standard error' '' "$(cat err)"
check_match 'what was recorded' '^ powercap zones +3 files$' "$(cat said)"
check_match 'and that something was cut' 'No serial number and no name' "$(cat said)"
check 'the files' "MACHINE.md proc/cpuinfo proc/meminfo proc/self/cgroup proc/self/mountinfo proc/stat\
 proc/sys/kernel/osrelease proc/sys/kernel/perf_event_paranoid run/.containerenv sys/class/dmi/id/product_name\
 sys/class/dmi/id/sys_vendor sys/class/power_supply/BAT0/power_now sys/class/power_supply/BAT0/status\
 sys/class/power_supply/BAT0/type sys/class/powercap/intel-rapl:0/energy_uj\
 sys/class/powercap/intel-rapl:0/max_energy_range_uj sys/class/powercap/intel-rapl:0/name\
 sys/class/powercap/intel-rapl:1 sys/devices/system/cpu/online " \
    "$(cd out && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort | tr '\n' ' ')"
check_absent 'no name, no serial number, no id' 'zorro|beef|be:ef|3f2a|0133E8|170000|u-1000|r-1000' "$(grep -ri '' out; find out)"
check 'counters are as they were' 12345 "$(cat out/sys/class/powercap/intel-rapl:0/energy_uj)"
check 'a link that leads nowhere still does' ../../devices/virtual/powercap/intel-rapl/intel-rapl:1 \
    "$(readlink out/sys/class/powercap/intel-rapl:1)"
check 'cpuinfo' "$(printf '%s\n' 'processor	: 0' 'vendor_id	: GenuineIntel' 'cpu family	: 6' 'model		: 94' \
    'model name	: Test CPU' 'stepping	: 3' 'flags		: hypervisor' '' 'processor 0: machine = 2964')" "$(cat out/proc/cpuinfo)"
check 'cgroup' '4:memory:/docker/x 1:name=systemd:/user.slice/x/x 0::/system.slice/docker-x/lxc.x ' \
    "$(tr '\n' ' ' < out/proc/self/cgroup)"
check 'mountinfo' '611 500 0:51 / / rw,relatime - overlay overlay rw,lowerdir=/x/x/docker/x/x/x
613 611 0:53 / /sys ro,nosuid - sysfs sysfs ro' "$(cat out/proc/self/mountinfo)"
check 'CPU times alone' 'cpu  1 2 3 4 5 6 7 8 cpu0 1 2 3 4 5 6 7 8 ' "$(tr '\n' ' ' < out/proc/stat)"
check 'memory' 'MemTotal:       1048576 kB' "$(cat out/proc/meminfo)"
check 'a marker without its content' 0 "$(wc -c < out/run/.containerenv)"
check_match 'notes for whoever gets it' '^- CPU: Test CPU' "$(cat out/MACHINE.md)"
# Under one name, for paths are part of the answer.
answer() {
    rm -f tree
    ln -s "$1" tree
    ${2:-} "$carbon" sources --root tree --json - 2> /dev/null
}
check_match 'an answer' '"package-0"' "$(answer m)"
check 'the same answer' "$(answer m)" "$(answer out)"

"$carbon" record --root m out > said 2> err
check 'never into what is there' 125 $?
check 'and says so' "carbon: the directory 'out' is not empty
   fix: carbon record --root m my-machine" "$(cat err)"
mkdir empty
"$carbon" record --root m empty > /dev/null
check 'an empty directory will do' 0 $?
check 'the same tree' '' "$(diff -r --no-dereference out empty)"
"$carbon" record --root m no/such/place 2> err
check 'no place' 125 $?
check "cannot make it" "carbon: cannot make the directory 'no/such/place'
   why: no such file or directory" "$(cat err)"

# A kernel that somebody built and named after himself or his machine.
printf '6.1.0-of-%s-amd64\n' "$(uname -n)" > m/proc/sys/kernel/osrelease
"$carbon" record --root m named > /dev/null
if [ "$(uname -n | wc -c)" -gt 3 ]; then
    check 'a release with the host in it' 6.1.0 "$(cat named/proc/sys/kernel/osrelease)"
fi

# Every tree: recorded, it gives the same answer as itself.
for tree in "$source"/tests/trees/*/ ${shared:+"$shared"/machines/*/}; do
    [ -d "$tree/sys" ] || continue
    name=$(basename "$tree")
    /usr/bin/python3 "$source/tests/lay_tree.py" "$tree" "laid-$name" > /dev/null || continue
    "$carbon" record --root "laid-$name" "rec-$name" > /dev/null 2> err
    check "$name: recorded" '0 ' "$? $(cat err)"
    expected=$(answer "laid-$name")
    check_match "$name: an answer" '"sources"' "$expected"
    check "$name: the same answer" "$expected" "$(answer "rec-$name")"
    # what was copied whole is equal to the last byte
    different=$(cd "rec-$name" && find . -path './sys/*' -type f -readable ! -name .keep-empty-dir | while IFS= read -r file; do
        cmp -s "$file" "../laid-$name/$file" || echo "$file"
    done)
    check "$name: equal files" '' "$different"
done

# This machine.
"$carbon" record here > said 2> err
check 'this machine' '0 ' "$? $(cat err)"
check 'the same processors' "$(cat /sys/devices/system/cpu/online)" "$(cat here/sys/devices/system/cpu/online)"
for secret in "$(uname -n)" "$(id -un)" "${SUDO_USER:-}" "$(cat /etc/machine-id 2> /dev/null)"; do
    # "root" and the like are in every tree
    [ ${#secret} -gt 4 ] || continue
    check_absent "'$secret' is not told" "$secret" "$(grep -rIiF "$secret" here)"
done

# What may not be read, as an ordinary user: modes.tsv tells, and the tree gives the same answer.
user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
    user() { setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"; }
    open_to_all
    chmod 755 "$HOME"
fi
/usr/bin/python3 "$source/tests/lay_tree.py" "$source/tests/trees/intel-denied" denied > /dev/null
mkdir mine
if [ "$(id -u)" = 0 ] && ! { chown 65534 mine && user "$carbon" --version > /dev/null 2>&1; }; then
    echo 'not tested: an ordinary user (setpriv does not allow it)'
else
    user "$carbon" record --root denied mine/out > said
    check 'recorded by an ordinary user' 0 $?
    check_match 'what could not be read' '^ denied/sys/class/powercap/intel-rapl:0/energy_uj: Permission denied$' "$(cat said)"
    check 'modes.tsv' "sys/class/powercap/intel-rapl:0/energy_uj 0$(stat -c %03a denied/sys/class/powercap/intel-rapl:0/energy_uj)" \
        "$(cut -f 1,2 mine/out/modes.tsv | tr '\t' ' ' | grep -F 'rapl:0/energy_uj')"
    check 'the same refusal' "$(answer denied user)" "$(answer mine/out user)"
    check_match 'which is one' '"denied"' "$(answer mine/out user)"
fi

finish
