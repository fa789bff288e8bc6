#!/bin/bash
# SPDX-License-Identifier: MIT
# Records and ledgers between this processor and those of other machines, for `make check-architectures`: carbon is built for each
# with every warning an error, against Debian's libraries of that machine (unpacked beside the build, nothing is installed), and
# run by qemu-user. Records of each are verified by all, the kept ones (tests/records) and ledgers (tests/ledgers) too.
#
#   CARBON_ARCHITECTURES='arm64 i386'   which; CARBON_ARCHITECTURES_DIR: where they are built (kept; default architectures/)
set -u
source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
build=${abs_builddir:-$source/build}
place=${CARBON_ARCHITECTURES_DIR:-$build/architectures}
export CARBON_DATA=$source/data HOME=$place/home
libraries='libc6-dev libgcc-12-dev libcjson-dev libcrypt-dev libcsv-dev libcurl4-openssl-dev libdw-dev libexpat1-dev libgnutls28-dev
libgsl-dev libinih-dev libmd-dev libmicrohttpd-dev libpfm4-dev libpq-dev libsqlite3-dev libyaml-dev zlib1g-dev'
failed=0

skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED $1"; failed=1; }

# names ARCH: the compiler's name of it, Debian's name of its libraries, qemu's, and its loader
names() {
    case $1 in
    arm64) echo aarch64-linux-gnu aarch64-linux-gnu aarch64 ld-linux-aarch64.so.1 ;;
    i386) echo i686-linux-gnu i386-linux-gnu i386 ld-linux.so.2 ;;
    *) return 1 ;;
    esac
}

# libraries_of ARCH FOLDER: Debian's, by a state of apt's own
libraries_of() {
    local apt=$2.apt archive
    mkdir -p "$2" "$apt/lists/partial" "$apt/archives/partial" && : > "$apt/status"
    local options=(-q -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State=$apt" -o "Dir::State::lists=$apt/lists"
        -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives" -o Debug::NoLocking=1
        -o "APT::Sandbox::User=$(id -un)")
    # a list that is being changed on the mirror fails alone; what is missed for it fails below
    apt-get "${options[@]}" update
    # shellcheck disable=SC2086 # one word each
    apt-get "${options[@]}" install -y --no-install-recommends --download-only $libraries || return 1
    for archive in "$apt"/archives/*.deb; do
        dpkg-deb -x "$archive" "$2" || return 1
    done
    rm -rf "$apt"
}

# built ARCH COMPILER LIBRARIES
built() {
    local root=$place/$1/root compiler="$2-gcc"
    [ -e "$root/usr/lib/$3/libgsl.so" ] || libraries_of "$1" "$root" > "$place/$1/libraries.log" 2>&1 ||
        skip "Debian's libraries of $1 cannot be had: $place/$1/libraries.log"
    ! command -v ccache > /dev/null || compiler="ccache $compiler"
    mkdir -p "$place/$1/build" && cd "$place/$1/build" || return 1
    [ -e Makefile ] || PKG_CONFIG_LIBDIR=$root/usr/lib/$3/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
        "$source/configure" -q --host="$2" --enable-werror --without-python CC="$compiler --sysroot=$root" CFLAGS='-O2 -g' || return 1
    make -s -j"$(nproc)" carbon
}

# on ARCH ARGUMENT...: that machine's carbon; "here": this one's
on() {
    local arch=$1 compiler libraries qemu loader root=$place/$1/root
    shift
    if [ "$arch" = here ]; then
        "$build/carbon" "$@"
        return
    fi
    read -r compiler libraries qemu loader <<< "$(names "$arch")"
    "qemu-$qemu-static" "$root/lib/$libraries/$loader" --library-path "$root/lib/$libraries:$root/usr/lib/$libraries" \
        "$place/$arch/build/carbon" "$@"
}

wanted=${CARBON_ARCHITECTURES:-arm64 i386}
missing=
for arch in $wanted; do
    of=$(names "$arch") || skip "$arch is none of arm64 and i386"
    read -r compiler libraries_dir qemu loader <<< "$of"
    for program in "$compiler-gcc" "qemu-$qemu-static" apt-get dpkg-deb; do
        command -v "$program" > /dev/null || missing+=" $program"
    done
done
[ -z "$missing" ] || skip "missing:$missing (Debian: gcc-aarch64-linux-gnu, gcc-i686-linux-gnu, qemu-user-static)"
for arch in $wanted; do
    read -r compiler libraries_dir qemu loader <<< "$(names "$arch")"
    mkdir -p "$place/$arch" "$HOME"
    (built "$arch" "$compiler" "$libraries_dir") > "$place/$arch/build.log" 2>&1
    case $? in
    0) echo "$arch: built without a warning" ;;
    77) skip "$(sed -n 's/^SKIPPED: //p' "$place/$arch/build.log")" ;;
    *) tail -n 5 "$place/$arch/build.log"; fail "$arch: it cannot be built: $place/$arch/build.log" ;;
    esac
done
[ $failed = 0 ] || exit 1

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
for arch in here $wanted; do
    on "$arch" measure --no-ledger --quiet --source model --cpu-power 10:65 --baseline 0.2 --settle 0 --runs 4 --zone FR --pue 1.2 \
        --sci 10:files --embodied 1000 --equivalents --json "from-$arch.json" -- sleep 0.05 2> said || { cat said; fail "$arch: measured"; }
done
for arch in here $wanted; do
    for record in from-*.json "$source"/tests/records/*.json; do
        said=$(on "$arch" verify "$record" 2>&1) || { echo "$said"; fail "$arch: verify $record"; }
        echo "$arch: $(sed -n "1s,^.*/,,p" <<< "/$said")"
    done
    for form in "$source"/tests/ledgers/form-*.dump; do
        name=$(basename "$form" .dump)
        rm -f "$name.db"
        python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' "$name.db" "$form" ||
            fail "$name: made"
        said=$(on "$arch" history --ledger "$name.db" 2>&1) || { echo "$said"; fail "$arch: history of $name"; }
        said=$(on "$arch" ledger check --ledger "$name.db" 2>&1) || fail "$arch: $name brought forward"
        echo "$arch: $name: $said"
        # and read by this machine
        "$build/carbon" ledger check --ledger "$name.db" > /dev/null || fail "here: $name of $arch"
    done
done
[ $failed = 0 ] && echo 'all came out alike'
exit $failed
