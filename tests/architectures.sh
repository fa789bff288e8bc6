#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon on other processors than this one: it is built for each with every warning an error, against Debian's libraries of that machine
# (unpacked beside the build, nothing is installed), and run by qemu-user.
#
#   architectures.sh records    for `make check-architectures`: each measures, and verifies the records of all, the kept ones
#                               (tests/records) and ledgers (tests/ledgers) too
#   architectures.sh units      for `make check-platforms`: the unit tests of each; a table is printed last
#   architectures.sh smoke      both, compiled without optimization, with some of the unit tests; minutes
#
#   CARBON_ARCHITECTURES='arm64 i386'   which; CARBON_ARCHITECTURES_DIR: where they are built (kept; default architectures/)
#   CARBON_ARCHITECTURES_TESTS='tests/unit/…'   which unit tests (default all but the long ones of tests/architectures.tsv)
#   CARBON_ARCHITECTURES_LONG=1   those, too; hours
set -u
source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
build=${abs_builddir:-$source/build}
place=${CARBON_ARCHITECTURES_DIR:-$build/architectures}
export CARBON_DATA=$source/data HOME=$place/home
what=${1:?records, units or smoke}
libraries='libc6-dev libgcc-12-dev check libcjson-dev libcrypt-dev libcsv-dev libcurl4-openssl-dev libdw-dev libexpat1-dev libgnutls28-dev
libgsl-dev libinih-dev libmd-dev libmicrohttpd-dev libpfm4-dev libpq-dev libsqlite3-dev libsubunit-dev libyaml-dev zlib1g-dev'
failed=0

skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED $1"; failed=1; }

# names ARCH: the compiler's name of it, Debian's name of its libraries, qemu's, its loader, the first release that has it
names() {
    case $1 in
    arm64) echo aarch64-linux-gnu aarch64-linux-gnu aarch64 ld-linux-aarch64.so.1 bookworm ;;
    armhf) echo arm-linux-gnueabihf arm-linux-gnueabihf arm ld-linux-armhf.so.3 bookworm ;;
    i386) echo i686-linux-gnu i386-linux-gnu i386 ld-linux.so.2 bookworm ;;
    ppc64el) echo powerpc64le-linux-gnu powerpc64le-linux-gnu ppc64le ld64.so.2 bookworm ;;
    riscv64) echo riscv64-linux-gnu riscv64-linux-gnu riscv64 ld-linux-riscv64-lp64d.so.1 trixie ;;
    s390x) echo s390x-linux-gnu s390x-linux-gnu s390x ld64.so.1 bookworm ;;
    *) return 1 ;;
    esac
}

# libraries_of ARCH FOLDER RELEASE: Debian's, by a state of apt's own
libraries_of() {
    local apt=$2.apt archive
    mkdir -p "$2" "$apt/lists/partial" "$apt/archives/partial" && : > "$apt/status"
    local options=(-q -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State=$apt" -o "Dir::State::lists=$apt/lists"
        -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives" -o Debug::NoLocking=1
        -o "APT::Sandbox::User=$(id -un)")
    if [ "$3" != bookworm ]; then
        # from where this machine has its own
        apt-get indextargets --format "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \$(REPO_URI) $3 main" |
            grep -v -e security -e updates | sort -u | head -n 1 > "$apt/sources.list"
        options+=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-)
    fi
    # a list that is being changed on the mirror fails alone; what is missed for it fails below
    apt-get "${options[@]}" update
    # shellcheck disable=SC2086 # one word each
    apt-get "${options[@]}" install -y --no-install-recommends --download-only $libraries || return 1
    for archive in "$apt"/archives/*.deb; do
        dpkg-deb -x "$archive" "$2" || return 1
    done
    rm -rf "$apt"
    # where a release has one folder of libraries alone
    [ -e "$2/lib" ] || ln -s usr/lib "$2/lib"
}

# built ARCH COMPILER LIBRARIES RELEASE
built() {
    local root=$place/$1/root compiler="$2-gcc"
    [ -e "$root/usr/lib/$3/libgsl.so" ] || libraries_of "$1" "$root" "$4" > "$place/$1/libraries.log" 2>&1 ||
        skip "Debian's libraries of $1 cannot be had: $place/$1/libraries.log"
    ! command -v ccache > /dev/null || compiler="ccache $compiler"
    mkdir -p "$place/$1/$folder" && cd "$place/$1/$folder" || return 1
    [ -e Makefile ] || PKG_CONFIG_LIBDIR=$root/usr/lib/$3/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
        "$source/configure" -q --build="$("$source/build-aux/config.guess")" --host="$2" --enable-werror --without-python CC="$compiler --sysroot=$root" CFLAGS=$optimized || return 1
    # shellcheck disable=SC2086 # one word each
    make -s -k -j"$(nproc)" carbon $tests
}

# listed ARCH TEST: what tests/architectures.tsv says that the emulator cannot do for it
listed() {
    awk -F '\t' -v test="$2" -v arch="$1" '$1 == test && ($2 == "all" || $2 == arch) { print $3 }' "$source/tests/architectures.tsv"
}

# emulated ARCH COMPILER: what it cannot do, by a look
emulated() {
    "$2-gcc" --sysroot="$place/$1/root" -o "$place/$1/emulator" "$source/tests/helpers/emulator.c" && $(runner "$1") "$place/$1/emulator"
}

# runner ARCH: what its programs are run by
runner() {
    local compiler libraries qemu loader release root=$place/$1/root
    read -r compiler libraries qemu loader release <<< "$(names "$1")"
    echo "qemu-$qemu-static $root/lib/$libraries/$loader --library-path $root/lib/$libraries:$root/usr/lib/$libraries:$place/$1/$folder/.libs"
}

# on ARCH ARGUMENT...: that machine's carbon; "here": this one's
on() {
    local arch=$1
    shift
    if [ "$arch" = here ]; then
        "$build/carbon" "$@"
    else
        # shellcheck disable=SC2046 # one word each
        $(runner "$arch") "$place/$arch/$folder/carbon" "$@"
    fi
}

# units ARCH COMPILER: its unit tests; the programs that they start are this machine's own. A row of the table is left.
units() {
    local here=$place/$1/$folder results=$place/$1/results tests_here='' flaws passed skipped bad=0 emulated=0 late=0 test
    : > "$results"
    flaws=$(emulated "$1" "$2") || fail "$1: what its emulator cannot do is not known"
    for test in $tests; do
        if [ "$(listed "$1" "$test")" = long ] && [ "${CARBON_ARCHITECTURES_LONG-}" != 1 ]; then
            late=$((late + 1))
        else
            tests_here+=" $test"
        fi
    done
    mkdir -p "$here/tests/helpers"
    find "$build/tests/helpers" -maxdepth 1 -type f -perm -u+x -exec cp -u {} "$here/tests/helpers/" \;
    TEST_RESULTS=$results TEST_RUNNER=$(runner "$1") CK_TIMEOUT_MULTIPLIER=20 \
        make -s -k -C "$here" -j"$(nproc)" check TESTS="$tests_here" check_PROGRAMS= check_LTLIBRARIES= check_LIBRARIES= \
        > "$place/$1/units.log" 2>&1
    passed=$(grep -c ^PASS "$results") skipped=$(grep -c ^SKIP "$results")
    while read -r test; do
        if grep -qxF "$(listed "$1" "$test")" <<< "$flaws"; then
            emulated=$((emulated + 1))
        else
            bad=$((bad + 1))
            fail "$1: $test: $(grep -hE ':[FE]:|^FAILED' "$here/$test.log" | head -n 3 | paste -sd ' ')"
        fi
    done < <(awk -F '\t' '$1 ~ /FAIL|ERROR/ { print $4 }' "$results")
    [ $((passed + skipped + bad + emulated)) = "$(wc -w <<< "$tests_here")" ] || fail "$1: not every test was run: $place/$1/units.log"
    printf '%-8s  built  %6d  %7d  %8d  %8d  %6d\n' "$1" "$passed" "$skipped" "$late" "$emulated" "$bad" >> "$place/table"
}

wanted=${CARBON_ARCHITECTURES:-arm64 i386}
missing=
for arch in $wanted; do
    of=$(names "$arch") || skip "$arch is none of arm64, armhf, i386, ppc64el, riscv64 and s390x"
    read -r compiler libraries_dir qemu loader release <<< "$of"
    for program in "$compiler-gcc" "qemu-$qemu-static" apt-get dpkg-deb; do
        command -v "$program" > /dev/null || missing+=" $program"
    done
done
[ -z "$missing" ] || skip "missing:$missing (Debian: gcc-… of the same name, qemu-user-static)"
tests='' folder=build optimized=-O2
case $what in
smoke) folder=smoke optimized=-O0 tests=$(cd "$source" && sed -n 's,^  \(tests/unit/\(base\|ledger\|meter\)/[^ ]*\).*,\1,p' tests/local.mk | sort -u | paste -sd ' ') ;;
units) tests=${CARBON_ARCHITECTURES_TESTS:-$(sed -n '/^UNIT_TESTS = /,/[^\\]$/s/^  \([^ ]*\).*/\1/p' "$source/tests/local.mk" | paste -sd ' ')} ;;
esac
mkdir -p "$place"
echo 'machine   built  passed  skipped  too long  emulator  failed' > "$place/table"
for arch in $wanted; do
    read -r compiler libraries_dir qemu loader release <<< "$(names "$arch")"
    mkdir -p "$place/$arch" "$HOME"
    (built "$arch" "$compiler" "$libraries_dir" "$release") > "$place/$arch/build.log" 2>&1
    case $? in
    0)
        echo "$arch: built without a warning"
        [ -z "$tests" ] || units "$arch" "$compiler"
        ;;
    77) skip "$(sed -n 's/^SKIPPED: //p' "$place/$arch/build.log")" ;;
    *)
        tail -n 5 "$place/$arch/build.log"
        fail "$arch: it cannot be built: $place/$arch/build.log"
        ;;
    esac
done
[ -z "$tests" ] || cat "$place/table"
[ $failed = 0 ] || exit 1
[ "$what" != units ] || exit 0

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
