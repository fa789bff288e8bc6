#!/bin/bash
# SPDX-License-Identifier: MIT
# user-vm.sh [-t SECONDS] OUT COMMAND...: runs COMMAND as root in a virtual machine where systemd is process 1 and control
# groups are of version 2 alone: Debian's kernel as a program (User Mode Linux, package user-mode-linux), which runs
# others' programs at the processor's own speed, and costs time where they call the kernel or are started.
#
# It has one CPU and sees this machine's files read-only under a layer in memory that is dropped afterwards; /out there is
# the folder OUT. COMMAND is a service which may make groups of its own. No network, no standard input. Standard output,
# standard error and the exit status are COMMAND's; 125 where none came back within SECONDS (600), 77 and a reason where
# such a kernel does not run here.
set -u
limit=600
if [ "${1-}" = -t ]; then
    limit=$2
    shift 2
fi
out=$1
shift
kernel=$(command -v linux.uml)
modules=(/usr/lib/uml/modules/*/kernel/fs/overlayfs/overlay.ko)
work=$(mktemp -d "${TMPDIR:-/tmp}/user-vm.XXXXXX") || exit 125
trap 'rm -rf "$work"' EXIT
tree=$work/tree back=$work/back
mkdir -p "$tree"/{bin,proc,sys,dev,lower,upper,new} "$back"
cp /bin/busybox "$tree/bin/busybox"
cp "${modules[@]: -1}" "$tree/overlay.ko"
{ printf 'cd /\nexec'; printf ' %q' "$@"; echo; } > "$back/command"

cat > "$tree/init" << INIT
#!/bin/busybox sh
busybox=/bin/busybox
\$busybox mount -t proc none /proc
\$busybox mount -t sysfs none /sys
\$busybox mount -t devtmpfs none /dev
\$busybox insmod /overlay.ko
\$busybox mount -t hostfs -o ro none /lower
\$busybox mount -t tmpfs none /upper
\$busybox mkdir /upper/upper /upper/work
\$busybox mount -t overlay -o lowerdir=/lower,upperdir=/upper/upper,workdir=/upper/work none /new
for folder in proc sys dev tmp run out back; do \$busybox mkdir -p /new/\$folder; done
\$busybox mount -t hostfs -o '$(realpath "$out")' none /new/out
\$busybox mount -t hostfs -o '$(realpath "$back")' none /new/back
\$busybox mount -t proc none /new/proc
\$busybox mount -t sysfs none /new/sys
\$busybox mount -t devtmpfs none /new/dev
\$busybox ip link set lo up
\$busybox mount -t tmpfs none /new/usr/lib/systemd/system-generators
units=/new/etc/systemd/system
\$busybox mkdir -p \$units
{ echo '[Unit]'; echo 'DefaultDependencies=no'; echo 'Requires=command.service'; } > \$units/command.target
{ echo '[Unit]'; echo 'DefaultDependencies=no'; echo '[Service]'; echo 'Type=oneshot'; echo 'Delegate=yes'
    echo 'TimeoutStartSec=infinity'; echo 'ExecStart=/bin/bash /back/run'; } > \$units/command.service
echo begun > /new/back/begun
exec \$busybox switch_root /new /lib/systemd/systemd --unit=command.target
INIT
cat > "$back/run" << 'RUN'
bash /back/command < /dev/null > /back/stdout 2> /back/stderr
echo $? > /back/status
busybox sync
busybox poweroff -f
RUN
chmod +x "$tree/init"
(cd "$tree" && find . | cpio -o -H newc --quiet) | gzip -1 > "$work/initrd"

cc -O2 -shared -fPIC -o "$work/xstate.so" "$(dirname "$0")/xstate.c" || exit 125
# Its memory is a file: one in memory, where there is that much.
memory_mib=2048
memory=$work
[ "$(($(stat -f -c '%a * %S' /dev/shm)))" -lt $((memory_mib << 20)) ] || memory=/dev/shm
HOME=$work TMPDIR=$memory timeout --kill-after 5 "$limit" env LD_PRELOAD="$work/xstate.so" \
    "$kernel" mem=${memory_mib}M initrd="$work/initrd" con=null con0=null,fd:1 con1=null,fd:1 quiet panic=-1 systemd.unified_cgroup_hierarchy=1 systemd.show_status=no \
    < /dev/null > "$work/console" 2>&1
ended=$?
cat "$back/stdout" 2> /dev/null
cat "$back/stderr" >&2 2> /dev/null
if [ -s "$back/status" ]; then
    exit "$(cat "$back/status")"
fi
if [ ! -e "$back/begun" ]; then
    echo "SKIPPED: User Mode Linux does not run here: $(grep . "$work/console" | tail -n 1)"
    exit 77
fi
echo "user-vm: no result came back (the kernel ended with $ended)" >&2
tail -n 20 "$work/console" >&2
exit 125
