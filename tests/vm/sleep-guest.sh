#!/bin/bash
# SPDX-License-Identifier: MIT
# sleep-guest.sh INSTALLED CARBON: what kernel.sh has done in a virtual machine that sleeps while carbon measures: suspended
# to memory, and woken by its clock. The files that it shares with its host do not come back from that, so that all that is
# used afterwards lies in memory, and the record goes to the serial console.
installed=$1 carbon=$2
root=/run/awake
mkdir -p $root
mount -t tmpfs none $root
mkdir -p $root/bin $root/proc $root/sys $root/dev $root/tmp
cp -a "$installed/." $root/
cp "$(command -v busybox)" $root/bin/busybox
libraries=$(ldd "$installed/$carbon" | grep -o '/[^ ]*')
for library in $libraries; do
    mkdir -p "$root/$(dirname "$library")"
    cp -L "$library" "$root/$library"
done
mount -t proc none $root/proc
mount -t sysfs none $root/sys
mount -t devtmpfs none $root/dev
cat > $root/sleeps << 'END'
busybox sleep 1
echo +4 > /sys/class/rtc/rtc0/wakealarm
echo mem > /sys/power/state
busybox sleep 3
END
cat > $root/all << 'END'
export PATH=/bin HOME=/tmp CARBON_LEDGER=off
echo 1 > /proc/sys/kernel/printk
"$1" measure --source powercap --baseline 1 --settle 0 --zone FR --json /record --quiet -- /bin/busybox sh /sleeps > /said 2>&1
echo "status $?" >> /said
{ echo; echo 'record begins'; busybox cat /record; echo 'record ends'; busybox cat /said; } > /dev/ttyS0
busybox sleep 1
busybox reboot -f
END
echo 20000,10000,1000,4000,30000 > /sys/module/raplmsr/parameters/power_mw
exec chroot $root /bin/busybox sh /all "$carbon"
