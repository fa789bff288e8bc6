#!/bin/bash
# SPDX-License-Identifier: MIT
# The newcomer's suite in a bare Debian: its smallest system, the tree in a closed home, no procps, no right to mount.
#
#   bare.sh [--release bookworm|trixie] [--user]    as root in /root, or with --user as an ordinary user with sudo
#
# The system is made once, in build/test/bare-RELEASE.tar; what is tried is a copy. Status 77 where that cannot be.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
release=bookworm home=/root who=root
while [ $# -gt 0 ]; do
    case $1 in
    --release) release=${2:?a release}; shift ;;
    --user) home=/home/newcomer who=newcomer ;;
    *) echo "unknown argument '$1'" >&2; exit 99 ;;
    esac
    shift
done

skip() {
    echo "SKIPPED: $1"
    exit 77
}

. "$source/tests/debian.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/carbon-bare.XXXXXX") || exit 99

# Control groups of its own, in each hierarchy below this shell's, as engines give them to a container: carbon removes
# groups of processes that it cannot see.
groups=()
own_groups() {
    local controllers path mount type options group
    while IFS=: read -r _ controllers path; do
        while read -r _ mount type options _; do
            case $type:,$options, in
            cgroup2:*) [ -z "$controllers" ] || continue ;;
            cgroup:*",$controllers,"*) ;;
            *) continue ;;
            esac
            group=$mount${path%/}/${scratch##*/}
            mkdir "$group" 2> /dev/null || continue
            groups+=("$group")
            for file in cpuset.cpus cpuset.mems; do
                [ ! -e "$group/$file" ] || [ "$type" != cgroup ] || cat "$group/../$file" > "$group/$file"
            done
            break
        done < /proc/self/mounts
    done < /proc/self/cgroup
}

# In a namespace of their own nothing stays mounted.
leave() {
    local group
    for group in "${groups[@]}"; do find "$group" -depth -type d -exec rmdir {} +; done
    rm -rf --one-file-system "$scratch"
}
trap leave EXIT
system=$scratch/system
debian_system "$release" "$system" "$scratch/log"

install -d -m 700 "$system/$home/carbon"
"$source/build-aux/copy-tree.sh" "$system/$home/carbon" || exit 99
cat > "$system/try" <<'END'
set -eu
cd "$HOME/carbon"
./quickstart measure --zone FR -- gzip -9 -k -c /usr/bin/perl > /dev/null
./quickstart test
END
cat > "$system/begin" <<END
set -eu
export DEBIAN_FRONTEND=noninteractive HOME=$home LC_ALL=C.UTF-8
[ $who = root ] || {
    apt-get update -q
    apt-get install -y -q --no-install-recommends sudo
    useradd --home-dir $home --shell /bin/bash $who
    chown -R $who: $home
    echo '$who ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/$who
}
exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin \
    \$([ $who = root ] || echo --reuid=$who --regid=$who --init-groups) -- bash /try
END
own_groups
in_system "$system" /begin "${groups[@]}"
