#!/bin/bash
# SPDX-License-Identifier: MIT
# build.sh DIR [VERSION]: makes in DIR what rapl-vm.sh boots: Debian's stock kernel, the modules to load, and raplmsr.ko; and
# udevadm (which is udevd, too), where this machine has none. Of another kernel that apt knows (VERSION, as 6.12) the
# newest, without RAPL.
#
# The packages of the kernel and of udev are fetched and unpacked, never installed. Status 77 and a reason where that cannot be done here.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
dir=$(realpath -m "$1") other=${2-}

skip() {
    printf 'SKIPPED: %s\n' "$1"
    exit 77
}

done=$dir/complete
[ -e "$done" ] && [ "$done" -nt "$source/raplmsr.c" ] && [ "$done" -nt "$source/build.sh" ] && exit 0

[ "$(uname -m)" = x86_64 ] || skip "RAPL is of x86 processors; this machine is $(uname -m)"
for program in apt-cache apt-get dpkg-deb modprobe depmod xz make gcc; do
    PATH=$PATH:/usr/sbin:/sbin command -v $program > /dev/null || skip "no '$program', which the kernel's package needs"
done
PATH=$PATH:/usr/sbin:/sbin
if [ -n "$other" ]; then
    image=$(apt-cache pkgnames "linux-image-$other" 2> /dev/null |
        grep -E "^linux-image-${other//./[.]}[.][0-9]+[+][a-z0-9~]+-amd64\$" | sort -V | tail -n 1)
else
    image=$(apt-cache depends linux-image-amd64 2> /dev/null |
        sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
fi
[ -n "$image" ] || skip "apt knows no linux-image-${other:+$other*-}amd64"
version=${image#linux-image-}
headers=/usr/src/linux-headers-$version
if [ -z "$other" ] && [ ! -d "$headers" ]; then
    [ "$(id -u)" = 0 ] || skip "the package linux-headers-$version is not installed"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "linux-headers-$version" \
        < /dev/null > /dev/null || skip "linux-headers-$version cannot be installed"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/rapl-kernel.XXXXXX")
trap 'rm -rf "$work"' EXIT
rm -rf "$done" "$dir/modules"
mkdir -p "$dir/modules" "$work/module"
(cd "$work" && apt-get download -qq "$image" > /dev/null 2>&1) || skip "$image cannot be fetched"
dpkg-deb -x "$work/$image"_*.deb "$work/kernel"
depmod -b "$work/kernel" "$version"
# An emulated processor takes seconds to unpack it, at each boot.
packed=$dir/vmlinuz
cp "$work/kernel/boot/vmlinuz-$version" "$packed"
at=$(LC_ALL=C grep -aobP -m 1 '\xfd7zXZ\x00' "$packed" | head -n 1 | cut -d: -f1) || true
if [ -n "$at" ]; then
    tail -c +$((at + 1)) "$packed" | xz -dc --single-stream > "$dir/kernel"
else
    cp "$packed" "$dir/kernel"
fi

# Without it the test does by hand what udev would.
if [ -z "$other" ] && ! [ -x /bin/udevadm ] && (cd "$work" && apt-get download -qq udev > /dev/null 2>&1); then
    dpkg-deb --fsys-tarfile "$work"/udev_*.deb | tar -C "$dir" --strip-components 2 -xf - ./bin/udevadm
fi

modules='virtio_pci 9pnet_virtio 9p overlay'
if [ -z "$other" ]; then
    modules="$modules msr raplmsr intel_rapl_msr rapl"
    cp "$source/raplmsr.c" "$source/Kbuild" "$work/module"
    make -s -C "$headers" M="$work/module" modules > "$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
fi

# In the order of loading, each after what it depends on; the registers before the drivers that look for them.
number=10
for module in $modules; do
    if [ $module = raplmsr ]; then
        files=$work/module/raplmsr.ko
    else
        files=$(modprobe -d "$work/kernel" -S "$version" --show-depends $module | sed -n 's/^insmod \([^ ]*\).*/\1/p')
    fi
    for file in $files; do
        name=$(basename "${file%.xz}")
        ls "$dir"/modules/*-"$name" > /dev/null 2>&1 && continue
        number=$((number + 1))
        case $file in
        *.xz) xz -dc "$file" > "$dir/modules/$number-$name" ;;
        *) cp "$file" "$dir/modules/$number-$name" ;;
        esac
    done
done
touch "$done"
