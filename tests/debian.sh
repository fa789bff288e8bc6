# SPDX-License-Identifier: MIT
# A bare Debian in a folder, for tests that install things: sourced, with $source (the tree) and skip REASON.
#
#   debian_system RELEASE FOLDER LOG    its smallest system; made once, kept in build/test/bare-RELEASE.tar
#   in_system FOLDER SCRIPT [GROUP...]  runs a script of it, with /proc, /dev and /sys, in these control groups
PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" = 0 ] || skip 'not root: no bare system can be made'
for program in debootstrap unshare chroot setpriv; do
    command -v $program > /dev/null || skip "no $program"
done
unshare --mount --pid --fork true 2> /dev/null || skip 'no mount namespace can be made here'

debian_system() {
    local kept=$source/build/test/bare-$1.tar mirror file
    # The packages come from where this machine has its own.
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 2> /dev/null | awk '$2 ~ /^[a-z]+$/ { print $1; exit }')
    mkdir -p "$2" "$(dirname "$kept")"
    if [ ! -e "$kept" ]; then
        debootstrap --variant=minbase "$1" "$2" ${mirror:+"$mirror"} > "$3" 2>&1 || {
            tail -n 5 "$3"
            skip "debootstrap cannot make a $1 here"
        }
        tar -C "$2" -cf "$kept.partial" . && mv "$kept.partial" "$kept" || exit 99
    else
        tar -C "$2" -xf "$kept" || exit 99
    fi
    # What apt is to use here (a proxy, a certificate) it uses there.
    for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*proxy* /etc/resolv.conf /etc/hosts; do
        [ ! -e "$file" ] || install -D -m 644 "$(readlink -f "$file")" "$2$file"
    done
}

# In a namespace of their own nothing stays mounted.
in_system() {
    # shellcheck disable=SC2016 # the inner shell's
    unshare --mount --pid --fork --kill-child bash -c '
        for group in "${@:3}"; do echo 0 > "$group/cgroup.procs" || exit 99; done
        mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
            mount --rbind /sys "$1/sys" || exit 99
        chroot "$1" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash "$2"' bash "$@"
}
