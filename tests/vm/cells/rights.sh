# SPDX-License-Identifier: MIT
# Cells of who may read, and of what the job may do then: sourced by guest.sh. The user is nobody, 65534.
# shellcheck shell=bash disable=SC2016,SC2154 # the jobs' own shells expand their variables

as_user sources-user -- "$carbon" sources
for source in powercap perf; do
    as_user refused-$source -- "$carbon" measure --source $source --baseline 0 -- touch /out/ran
done
as_user refused-measured -- "$carbon" measure --require-measured --baseline 0 -- touch /out/ran
as_user modelled -- "$carbon" measure --json /out/modelled.json --baseline 0 -- sleep 1

# What the job was given, then a second of work.
who='id -u
    id -g
    id -G
    grep -E "^(Cap(Prm|Eff|Amb)|NoNewPrivs):" /proc/self/status
    ls -l /proc/self/fd
    sleep 1'

# Root by sudo, and root that says for whom it is.
if command -v sudo > /dev/null; then
    echo 'nobody ALL=(ALL:ALL) NOPASSWD: ALL' > /etc/sudoers.d/carbon
    chmod 440 /etc/sudoers.d/carbon
    as_user sudo -- sudo -n "$carbon" measure --source powercap --json /out/sudo.json --baseline 0 -- sh -c "$who"
fi
SUDO_UID=65534 SUDO_GID=65534 SUDO_USER=nobody measure sudo-environment --source powercap --baseline 0 -- sh -c "$who"

# A capability, by inheritance and in the program's file. Debian's kernel heeds CAP_PERFMON below 3 alone.
if command -v setcap > /dev/null; then
    cp "$carbon" /tmp/carbon-perfmon
    setcap cap_perfmon=ep /tmp/carbon-perfmon
    as_user perfmon-paranoid -- /tmp/carbon-perfmon measure --source perf --baseline 0 -- touch /out/ran
fi
echo 2 > /proc/sys/kernel/perf_event_paranoid
as_user ambient --inh-caps=+perfmon --ambient-caps=+perfmon -- \
    "$carbon" measure --source perf --json /out/ambient.json --baseline 0 -- sleep 1
[ ! -e /tmp/carbon-perfmon ] ||
    as_user perfmon -- /tmp/carbon-perfmon measure --source perf --json /out/perfmon.json --baseline 0 -- sh -c "$who"
echo 3 > /proc/sys/kernel/perf_event_paranoid

# What `carbon sources --grant` prints, done by the machine's udev, or by hand where it has none.
if [ -x "$built/udevadm" ] && [ ! -x /bin/udevadm ]; then
    cp "$built/udevadm" /bin/udevadm
    mkdir -p /lib/systemd
    ln -s /bin/udevadm /lib/systemd/systemd-udevd
fi
mkdir -p /etc/udev/rules.d
grant=/out/grant
export SUDO_USER=nobody SYSTEMD_IGNORE_CHROOT=1
"$carbon" sources --grant > $grant.sh 2> $grant.err
echo $? > $grant.status
if [ -x /lib/systemd/systemd-udevd ]; then
    /lib/systemd/systemd-udevd --daemon
    bash -e $grant.sh > $grant.out 2>> $grant.err
    echo $? > $grant.done
    udevadm settle --timeout=120
    # on a busy machine the trigger's events, or the programs of the rule, may still be on their way then
    given_up_s=$((SECONDS + 240))
    while [ $SECONDS -lt $given_up_s ] && stat -L -c '%a %G' /sys/class/powercap/*/energy_uj | grep -qvx '440 energy'; do
        sleep 0.5
    done
    udevadm control --exit
    echo 'by udevd, on its trigger' > $grant.how
else
    sed -i '/^udevadm /d' $grant.sh
    bash -e $grant.sh > $grant.out 2>> $grant.err
    echo $? > $grant.done
    chgrp energy /sys/class/powercap/*/energy_uj
    chmod g+r /sys/class/powercap/*/energy_uj
    echo 'by hand (chgrp, chmod): there is no udev here' > $grant.how
fi
ls -lL /sys/class/powercap/*/energy_uj > $grant.ls
unset SUDO_USER
as_user granted --init-groups -- \
    "$carbon" measure --source powercap --json /out/granted.json --baseline 0 -- sleep 1
as_user not-granted -- "$carbon" measure --source powercap --baseline 0 -- touch /out/ran
