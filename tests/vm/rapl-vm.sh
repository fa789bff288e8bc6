#!/bin/bash
# SPDX-License-Identifier: MIT
# rapl-vm.sh [-t SECONDS] [-c CONSOLE] BUILT OUT CPU SOCKETS PARAMETERS COMMAND...: runs COMMAND as root in a virtual machine
# that has RAPL.
#
# BUILT is what build.sh made, CPU a model of qemu, PARAMETERS raplmsr's. The machine is emulated, no /dev/kvm is
# needed, and passes for a real one (a guest's counters are trusted less). It sees this machine's files read-only under
# a layer in memory that is dropped afterwards; /out there is the folder OUT. No network, no standard input.
# Standard output, standard error and the exit status are COMMAND's; 125 where none came back within SECONDS (600).
# A machine that is to sleep takes -c: its kernel is unpacked inside, without which it would not wake, and, for the shared
# files do not come back, what is written to /dev/ttyS0 there is in the file CONSOLE. The status is 0 where the machine was
# restarted, which ends it.
set -u
console='' limit=600
while [ "${1:0:1}" = - ]; do
    case $1 in
    -t) limit=$2 ;;
    -c) console=$2 ;;
    esac
    shift 2
done
built=$1 out=$2 cpu=$3 sockets=$4 parameters=$5
shift 5
work=$(mktemp -d "${TMPDIR:-/tmp}/rapl-vm.XXXXXX") || exit 125
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree"/{bin,proc,sys,dev,lower,upper,new} "$work/back"
cp -r "$built/modules" "$tree/modules"
cp /bin/busybox "$tree/bin/busybox"
echo "$parameters" > "$tree/parameters"
{ printf 'cd /\nexec'; printf ' %q' "$@"; echo; } > "$work/back/command"

cat > "$tree/init" <<'INIT'
#!/bin/busybox sh
busybox=/bin/busybox
$busybox mount -t proc none /proc
$busybox mount -t sysfs none /sys
$busybox mount -t devtmpfs none /dev
read -r parameters < /parameters
for module in /modules/*; do
    case $module in
    *-raplmsr.ko) options=$parameters ;;
    *) options= ;;
    esac
    $busybox insmod "$module" $options || echo "cannot load $module"
done
share=trans=virtio,version=9p2000.L,msize=262144
$busybox mount -t 9p -o ro,$share,cache=loose host /lower
$busybox mount -t tmpfs none /upper
$busybox mkdir /upper/upper /upper/work
$busybox mount -t overlay -o lowerdir=/lower,upperdir=/upper/upper,workdir=/upper/work none /new
for folder in proc sys dev tmp run out back; do $busybox mkdir -p /new/$folder; done
$busybox mount -t 9p -o $share out /new/out
$busybox mount -t 9p -o $share back /new/back
$busybox mount -t proc none /new/proc
$busybox mount -t sysfs none /new/sys
$busybox mount -t devtmpfs none /new/dev
$busybox mount -t cgroup2 none /new/sys/fs/cgroup
$busybox chroot /new /bin/bash /back/command < /dev/null > /new/back/stdout 2> /new/back/stderr
echo $? > /new/back/status
$busybox dmesg > /new/back/dmesg
$busybox sync
$busybox poweroff -f
INIT
chmod +x "$tree/init"
(cd "$tree" && find . | cpio -o -H newc --quiet) | gzip -1 > "$work/initrd"

share() {
    printf '%s\n' -fsdev "local,id=$1,path=$2,security_model=none,multidevs=remap$3" \
        -device "virtio-9p-pci,fsdev=$1,mount_tag=$1"
}
mapfile -t shares < <(share host / ,readonly=on; share out "$out" ''; share back "$work/back" '')
kernel=$built/kernel
[ -z "$console" ] || kernel=$built/vmlinuz
timeout "$limit" qemu-system-x86_64 -accel tcg,thread=multi -M q35 -cpu "$cpu,-hypervisor" \
    -smp "2,sockets=$sockets" -m 768 \
    -smbios type=0,vendor=Test -smbios type=1,manufacturer=Test,product=Test \
    -nodefaults -no-user-config -display none -no-reboot -serial "file:${console:-$work/console}" \
    -kernel "$kernel" -initrd "$work/initrd" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off cryptomgr.notests" "${shares[@]}" \
    < /dev/null > "$work/qemu.log" 2>&1
ended=$?
cat "$work/back/stdout"
cat "$work/back/stderr" >&2
if [ -s "$work/back/status" ]; then
    exit "$(cat "$work/back/status")"
fi
[ -z "$console" ] || [ "$ended" != 0 ] || exit 0
echo "rapl-vm: no result came back (qemu ended with $ended)" >&2
tail -n 20 "${console:-$work/console}" "$work/qemu.log" >&2
exit 125
