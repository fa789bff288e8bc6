#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon built by each compiler of the list below, with every warning an error, for `make check-compilers`; a table is printed last.
#
#   compilers.sh [PATTERN...]    rows whose "release compiler flags" have one of these in them; default all
#   compilers.sh --list          the rows
#
# What this machine has is used here; the rest in a Debian of that release (debootstrap, root), kept in build/test/compilers.
# Hours on two cores: each row compiles all of carbon.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
place=$source/build/test/compilers
export CARBON_DATA=$source/data

# release, compiler, flags; -flto of clang takes LLVM's linker and archiver
rows() {
    cat <<'ROWS'
bookworm gcc-12 -O0
bookworm gcc-12 -O1
bookworm gcc-12 -O2
bookworm gcc-12 -O3
bookworm gcc-12 -O2 -flto
bookworm clang-14 -O0
bookworm clang-14 -O2
bookworm clang-14 -O3
bookworm clang-15 -O2
bookworm clang-16 -O2
trixie gcc-13 -O2
trixie gcc-14 -O0
trixie gcc-14 -O2
trixie gcc-14 -O3
trixie gcc-14 -O2 -flto
trixie clang-17 -O2
trixie clang-18 -O2
trixie clang-19 -O2
trixie clang-19 -O2 -flto
sid gcc-15 -O0
sid gcc-15 -O2
sid gcc-15 -O3
sid gcc-15 -O2 -flto
sid clang-19 -O2
ROWS
}

skip() { echo "SKIPPED: $1"; exit 77; }

[ "${1-}" != --list ] || { rows; exit; }
wanted=$(rows)
[ $# = 0 ] || wanted=$(rows | grep -F -- "$(printf '%s\n' "$@")")
[ -n "$wanted" ] || { echo "no such row; '$0 --list' has them" >&2; exit 99; }

# system_of RELEASE: a system with what carbon is built with; compilers are added as rows want them
system_of() {
    local system=$place/$1 packages
    [ ! -e "$system/ready" ] || return 0
    (
        . "$source/tests/debian.sh"
        rm -rf "$system"
        debian_system "$1" "$system" "$place/$1.log"
    ) || return
    # a mirror may be behind with what changes every day
    [ "$1" != sid ] || echo 'Acquire::Check-Valid-Until "false";' > "$system/etc/apt/apt.conf.d/late"
    # what is lost in a crash is made again
    echo force-unsafe-io > "$system/etc/dpkg/dpkg.cfg.d/fast"
    packages=$(awk '/^\[/ { build = $1 == "[build]"; next } build && /^[a-z]/ { print $1 }' "$source/build-aux/packages" | paste -sd ' ')
    in_release "$1" "apt-get update -q && apt-get install -y -q --no-install-recommends $packages" >> "$place/$1.log" 2>&1 || {
        echo "what carbon is built with cannot be installed into $1: $place/$1.log"
        return 1
    }
    touch "$system/ready"
}

# in_release RELEASE SCRIPT: by a shell of that system
in_release() (
    . "$source/tests/debian.sh"
    printf 'export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root\n%s\n' "$2" > "$place/$1/script"
    in_system "$place/$1" /script
)

# build_script COMPILER FLAGS SOURCE FOLDER: what builds all there, anew
build_script() {
    local tools=
    case $1:$2 in
    gcc-*:*-flto*) tools="AR=gcc-ar-${1#gcc-} RANLIB=gcc-ranlib-${1#gcc-} NM=gcc-nm-${1#gcc-}" ;;
    clang-*:*-flto*) tools="AR=llvm-ar-${1#clang-} RANLIB=llvm-ranlib-${1#clang-} NM=llvm-nm-${1#clang-} LDFLAGS=-fuse-ld=lld" ;;
    esac
    cat <<SCRIPT
set -e
rm -rf '$4' && mkdir -p '$4' && cd '$4'
'$3/configure' -q --enable-werror --without-python CC=$1 CFLAGS='$2' $tools
make -s -k -j${CARBON_JOBS:-$(nproc)} all
./carbon --version
SCRIPT
}

# packages_of COMPILER FLAGS
packages_of() {
    case $1:$2 in
    clang-*:*-flto*) echo "$1 llvm-${1#clang-} lld-${1#clang-}" ;;
    *) echo "$1" ;;
    esac
}

# These systems have no autotools: what is copied has to be up to date.
late=$(find "$source/configure.ac" "$source/Makefile.am" "$source"/*/ -path "$source/build" -prune -o \
    \( -name configure.ac -o -name Makefile.am -o -name local.mk \) -newer "$source/Makefile.in" -print | head -n 1)
[ -z "$late" ] || { echo "${late#"$source"/} is newer than Makefile.in: autoreconf -i, then again" >&2; exit 99; }

mkdir -p "$place"
own=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
table=$place/table
failed=0
: > "$table"
while read -r release compiler flags <&3; do
    log=$place/$release-$compiler${flags// /}.log
    if [ "$release" = "$own" ] && command -v "$compiler" > /dev/null; then
        where="this machine"
        build_script "$compiler" "$flags" "$source" "$place/here" > "$place/here.sh"
        bash "$place/here.sh" > "$log" 2>&1
    else
        where="a $release system"
        said=$(system_of "$release") || { echo "$release $compiler $flags: not tried: $said" | tee -a "$table"; continue; }
        system=$place/$release
        in_release "$release" "apt-get install -y -q --no-install-recommends $(packages_of "$compiler" "$flags")" > "$log" 2>&1 || {
            echo "$release $compiler $flags: not tried: $release has no such compiler" | tee -a "$table"
            continue
        }
        mkdir -p "$system/tree"
        tar -C "$source" --exclude=./build --exclude=./.git --exclude=./autom4te.cache -cf - . | tar -C "$system/tree" -xf - || exit 99
        in_release "$release" "export CARBON_DATA=/tree/data; $(build_script "$compiler" "$flags" /tree /build)" > "$log" 2>&1
    fi
    case $? in
    0) echo "$release $compiler $flags: built without a warning on $where" | tee -a "$table" ;;
    *)
        echo "FAILED $release $compiler $flags: $(grep -m 3 -E 'error: |Error ' "$log" | paste -sd ' '): $log" | tee -a "$table"
        failed=1
        ;;
    esac
done 3<<< "$wanted"
echo
cat "$table"
grep -q 'without a warning' "$table" || skip 'no compiler of the list can be had here'
exit $failed
