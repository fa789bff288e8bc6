#!/bin/bash
# SPDX-License-Identifier: MIT
# `carbon sources --grant`: whole outputs for machines that have something to open and for some that have not, whoever
# asks, and what a shell and udev make of them.
. "$(dirname "$0")/../lib.sh"

open_to_all
user=()
if [ "$(id -u)" != 0 ]; then
    echo 'not checked as root: this is an ordinary user'
elif setpriv --reuid=65534 --regid=65534 --clear-groups "$carbon" --version > /dev/null 2>&1; then
    user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
    echo 'not checked as an ordinary user: setpriv does not allow it'
fi

# granted TREE [OPTION]...: what is printed of it, laid out at `tree`, with CARBON for the program's own path.
granted() {
    local tree=$1
    shift
    rm -rf tree
    "$source/tests/lay_tree.py" "$source/tests/trees/$tree" tree > /dev/null
    printed "$@"
}

printed() {
    "$carbon" sources --root tree --grant "$@" > as-root || echo "status $?"
    "${user[@]}" "$carbon" sources --root tree --grant "$@" > as-user || echo "status $?"
    cmp as-root as-user
    sed "s,$(readlink -f "$carbon"),CARBON,g" as-root
}

# Leaves out sources that have nothing to do with RAPL.
rapl() {
    grep -E '^# (nothing to grant|powercap|perf):'
}

head="# Commands that allow other users to measure here. Nothing has been changed. Read them, then paste them in a
# root shell (sudo -s). A remark begins with '# '; a command behind '#' is another way or the way back.
# These counters leak computations of other users, keys included: give the right to few, never to all."
group="
# 1. One group may read the counters.
# Opens, for reading, to the members of the group 'energy', also after a boot:
# - energy_uj of each RAPL zone. For root alone since Linux 5.10 (commit 949dd0104c49):
#   CVE-2020-8694 (PLATYPUS).
groupadd --system --force energy
cat > /etc/udev/rules.d/70-carbon.rules << 'END'
ACTION!=\"remove\", SUBSYSTEM==\"powercap\", KERNEL==\"intel-rapl*:*\", TEST==\"energy_uj\", \\
  RUN+=\"/bin/chgrp energy /sys%p/energy_uj\", RUN+=\"/bin/chmod g+r /sys%p/energy_uj\"
END
udevadm control --reload
udevadm trigger --subsystem-match=powercap
usermod --append --groups energy \"\${SUDO_USER:?put the name of the user here}\"
# The user has it from the next login on.
# Undo:
#rm /etc/udev/rules.d/70-carbon.rules
#udevadm control --reload
#chmod 0400 /sys/class/powercap/intel-rapl*:*/energy_uj
#groupdel energy"
opens="# Opens: all perf events, through this program, which opens those of energy alone, to the members of the
# group 'energy'; others cannot run it then. A measured command does not inherit the right."
program="
# 1. The program may open perf events (Linux 5.8 or later).
$opens
# Closed: kernel.perf_event_paranoid is 2 unless it has been set.
# Events of a whole processor show what all its users do; those of energy, what CVE-2020-8694 (PLATYPUS) needs.
# To be repeated when the file is replaced.
groupadd --system --force energy
chgrp energy CARBON
chmod 0750 CARBON
setcap cap_perfmon=ep CARBON
usermod --append --groups energy \"\${SUDO_USER:?put the name of the user here}\"
# The user has it from the next login on.
# Undo:
#setcap -r CARBON
#chgrp root CARBON
#chmod 0755 CARBON
#groupdel energy"
everybody="
# 2. Instead: every user may open perf events.
# Opens: system-wide perf data of all users, energy included, to every user and every service of this machine.
#echo 'kernel.perf_event_paranoid = 0' > /etc/sysctl.d/70-carbon.conf
#sysctl --load=/etc/sysctl.d/70-carbon.conf
# Undo:
#rm /etc/sysctl.d/70-carbon.conf
#sysctl kernel.perf_event_paranoid=2"

check 'counters for root alone' "$head
$group" "$(granted intel-denied)"
cp as-root powercap.sh
check 'one of two packages is closed' "$head
$group" "$(granted intel-2s-partly-denied)"
check 'perf alone' "$head
$program
$everybody" "$(granted perf-only)"
cp as-root perf.sh
check 'nothing: a container hides them' "# nothing to grant: no energy counter here is closed to ordinary users
# powercap: no RAPL counter in 'tree/sys/class/powercap': the container engine hides the counters of the machine (powercap is masked)
# perf: no energy event (PMU 'power'): there is no PMU called power: the driver rapl is not loaded, or it does not know this CPU (family 6 model 85)" \
    "$(granted container-masked | rapl)"
granted guest > /dev/null
rm -r tree/sys/bus
check 'nothing: a guest' "# nothing to grant: no energy counter here is closed to ordinary users
# powercap: no RAPL counter in 'tree/sys/class/powercap': virtual machine (KVM): the hypervisor does not expose RAPL
# perf: no energy event (PMU 'power'): there is no PMU called power; a virtual machine seldom has one" "$(printed | rapl)"
check 'nothing: open to all' "# nothing to grant: no energy counter here is closed to ordinary users
# perf: no energy event (PMU 'power'): there is no PMU called power: the driver rapl is not loaded, or it does not know this CPU (family 6 model 85)" \
    "$(granted mmio-twin | rapl | sed 's/family [0-9]* model [0-9]*/family 6 model 85/')"

# Both: only the first is active; AMD has a number of its own; IPMI is left to root.
granted perf-only > /dev/null
cp -r "$source/tests/trees/intel-denied/sys/class" tree/sys
chmod 0400 tree/sys/class/powercap/*/energy_uj
mkdir -p tree/dev tree/proc/sys/kernel
: > tree/dev/ipmi0
echo 4 > tree/proc/sys/kernel/perf_event_paranoid
sed -i 's/GenuineIntel/AuthenticAMD/' tree/proc/cpuinfo
out=$("$carbon" sources --root tree --grant | sed "s,$(readlink -f "$carbon"),CARBON,g")
check 'both: what is active' "$(sed -n '/^[^#]/p' powercap.sh)" "$(sed -n '/^[^#]/p' <<< "$out")"
check_match 'both: another way' '^# 2\. Instead of 1: the program may' "$out"
check_match 'both: commented out' '^#setcap cap_perfmon=ep CARBON$' "$out"
check_match 'both: the whole of it' '^#usermod ' "$out"
check_match 'both: the last way' '^# 3\. Instead: every user' "$out"
check_match 'the value now' '^# Closed: kernel.perf_event_paranoid is 4\.$' "$out"
check_match 'above 2 a capability is not enough' "^#?echo 'kernel.perf_event_paranoid = 2' > /etc/sysctl.d/70-carbon.conf$" "$out"
check_match 'and back' '^#sysctl kernel.perf_event_paranoid=4$' "$out"
check_match 'AMD' 'CVE-2020-8694 \(PLATYPUS\) and CVE-2020-12912\.$' "$out"
check_match 'IPMI' '^# /dev/ipmi0: no rule is offered\. .*switch the machine off' "$out"
check_absent 'IPMI: no command' '^[^# ].*ipmi' "$out"
out=$("$carbon" sources --root tree --grant --source perf)
check_match 'of one source: it' '^setcap ' "$out"
check_absent 'of one source: no other' 'udev' "$out"
echo 0 > tree/proc/sys/kernel/perf_event_paranoid
check_absent 'perf is open already' setcap "$("$carbon" sources --root tree --grant)"
mkdir -p tree/run
: > tree/run/.containerenv
check_match 'in a container' '^# This is a container: the commands are for its host\.$' "$("$carbon" sources --root tree --grant)"

# A sensor that its driver closes: by the chip's name, not its number. The source's folders may be closed to writing.
chmod -R u+rwx tree
rm -rf tree
"$source/tests/lay_tree.py" "$source/tests/trees/container-masked" tree > /dev/null
rm -r tree/run
mkdir -p tree/sys/class/hwmon/hwmon3
echo amd_energy > tree/sys/class/hwmon/hwmon3/name
for number in 1 2; do
    echo 5000000 > tree/sys/class/hwmon/hwmon3/energy${number}_input
    echo Esocket$((number - 1)) > tree/sys/class/hwmon/hwmon3/energy${number}_label
done
chmod 0400 tree/sys/class/hwmon/hwmon3/energy?_input
check 'a sensor for root alone' "$head

# 1. One group may read the counters.
# Opens, for reading, to the members of the group 'energy', also after a boot:
# - energy*_input of the hwmon chip 'amd_energy'. For root alone by its driver: CVE-2020-12912.
groupadd --system --force energy
cat > /etc/udev/rules.d/70-carbon.rules << 'END'
ACTION!=\"remove\", SUBSYSTEM==\"hwmon\", ATTR{name}==\"amd_energy\", \\
  RUN+=\"/bin/sh -c 'chgrp energy /sys%p/energy*_input && chmod g+r /sys%p/energy*_input'\"
END
udevadm control --reload
udevadm trigger --subsystem-match=hwmon
usermod --append --groups energy \"\${SUDO_USER:?put the name of the user here}\"
# The user has it from the next login on.
# Undo:
#rm /etc/udev/rules.d/70-carbon.rules
#udevadm control --reload
#grep -lx amd_energy /sys/class/hwmon/hwmon*/name | while read -r name; do chgrp root \"\${name%name}\"energy*_input; done
#groupdel energy" "$(printed)"
cp as-root hwmon.sh

# A group has them already.
if [ "$(id -u)" = 0 ]; then
    granted intel-denied > /dev/null
    chgrp 61234 tree/sys/class/powercap/*/energy_uj
    chmod 0440 tree/sys/class/powercap/*/energy_uj
    check 'a group has them' "$head

# The members of the group '61234' may read the counters already. To add one:
usermod --append --groups 61234 \"\${SUDO_USER:?put the name of the user here}\"
# The user has it from the next login on." "$(printed)"
else
    echo 'not checked: a group that may read them already (giving files to groups takes root)'
fi

# One form at a time.
out=$("$carbon" sources --grant --json - 2>&1)
check 'not with --json' 125 $?
check 'not with --json: why' 'carbon: --grant and --json do not go together
   why: what --grant prints are commands for a shell, to be read once
   try: carbon sources --help' "$out"
"$carbon" sources --grant > /dev/full 2> full
check 'standard output is full' 125 $?
"$carbon" sources --grant > live
check 'this machine' 0 $?

# A shell reads it, and so it does with each command that is commented out.
for file in powercap.sh perf.sh hwmon.sh; do
    sed -E 's/^#([^ ])/\1/' "$file" > "all-$file"
    for script in "$file" "all-$file"; do
        sh -n "$script"
        check "$script: a shell's" 0 $?
        if command -v shellcheck > /dev/null; then
            check "$script: shellcheck" '' "$(shellcheck -s sh "$script")"
        fi
    done
done
command -v shellcheck > /dev/null || echo 'not checked: the commands by shellcheck (it is not there)'

# udev reads the rule, and would run it for a device that has the file; another device stands for the zone.
PATH=$PATH:/usr/sbin:/sbin
sed -sn '/^ACTION/,/^END/{/^END/!p}' powercap.sh hwmon.sh > 70-carbon.rules
if udevadm verify --help > /dev/null 2>&1; then
    check 'udevadm verify' '' "$(udevadm verify --no-summary 70-carbon.rules 2>&1)"
else
    echo 'not checked: the rule by udevadm verify (udev 254 or later)'
fi
device=devices/system/cpu/cpu0
# simulated FILE: what would be run for the device, were FILE its counter.
simulated() {
    sed -E "s/(KERNEL|ATTR\{name\})==[^,]*/KERNEL==\"cpu0\"/; s/==\"(powercap|hwmon)\"/==\"cpu\"/; s/energy_uj/$1/g
        s/chgrp energy/chgrp 0/" 70-carbon.rules > rules
    unshare --mount sh -c "mount -t tmpfs none /etc/udev && mount -t tmpfs none /run && mkdir /etc/udev/rules.d &&
        cp rules /etc/udev/rules.d/70-carbon.rules && udevadm test --action=\${2-add} /$device" - "$@" 2>&1 |
        sed -n "s/^run: '\(\/.*\)'$/\1/p; /70-carbon.rules.*[Ii]nvalid/p"
}
if [ -e "/sys/$device/uevent" ] && command -v udevadm > /dev/null && unshare --mount true 2> /dev/null; then
    sensors="/bin/sh -c 'chgrp 0 /sys/$device/energy*_input && chmod g+r /sys/$device/energy*_input'"
    for action in add change; do
        check "udev: $action" "/bin/chgrp 0 /sys/$device/uevent
/bin/chmod g+r /sys/$device/uevent
$sensors" "$(simulated uevent $action)"
    done
    check 'udev: remove' '' "$(simulated uevent remove)"
    check 'udev: no such file' "$sensors" "$(simulated no-such-file add)"
else
    echo 'not checked: what udev would run (no udevadm, or no mounts without root)'
fi
finish
