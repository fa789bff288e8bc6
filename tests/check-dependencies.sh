#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/DEPENDENCIES.md has each library: of build-aux/packages, of configure.ac, that was linked, and that is opened.
#
#   check-dependencies.sh [SOURCE]
set -u
LC_ALL=C
export LC_ALL
source=$(cd "${1:-${srcdir:-$(dirname "$0")/..}}" && pwd)
build=${abs_builddir:-$source/build}

# missing TREE: what its document lacks, a line each.
missing() {
    local document=$1/docs/DEPENDENCIES.md package module header library
    # packages with a library to build with
    sed -n '/^\[build\]/,/^\[test\]/p' "$1/build-aux/packages" | awk '$1 ~ /^(lib.*|zlib1g)-dev$/ { print $1 }' |
        grep -vx libc6-dev | while read -r package; do
        grep -qF "| \`$package\` |" "$document" || echo "$package of build-aux/packages has no row"
    done
    # what configure.ac looks for comes in one of those packages, or is named itself
    grep -oE 'PKG_CHECK_MODULES\(\[[A-Z]+\], \[[^],]+\]' "$1/configure.ac" | sed 's/.*\[//; s/[] >].*//' |
        while read -r module; do
            grep -qE "pkg-config:$module( |$)" "$1/build-aux/packages" ||
                echo "$module of configure.ac is in no line of build-aux/packages"
        done
    grep -oE 'AC_CHECK_HEADERS?\(\[[a-z][a-z0-9/_]+\.h\]' "$1/configure.ac" | sed 's/.*\[//; s/\]//' |
        while read -r header; do
            grep -qE "header:$header( |$)" "$1/build-aux/packages" || case $header in
            yaml.h | microhttpd.h) ;; # by pkg-config there
            *) echo "<$header> of configure.ac is in no line of build-aux/packages" ;;
            esac
        done
}

# linked FILE: what it needs, by the name in the document's own words
linked() {
    local library word
    readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | while read -r library; do
        case $library in
        libc.so* | libm.so* | libpthread.so* | libdl.so* | ld-linux* | libgcc_s* | lib*san.so*) continue ;;
        libgslcblas*) word=libgsl-dev ;;
        *) word=$(sed -E 's/^lib([a-z]+).*/lib\1-dev/' <<< "$library") ;;
        esac
        grep -E "^\|.*\| \`$word\` \|.*\| linked" "$source/docs/DEPENDENCIES.md" > /dev/null ||
            echo "$library, which ${1##*/} was linked with, is not said to be"
    done
}

planted_are_found() {
    local tree
    tree=$(mktemp -d) || return
    mkdir -p "$tree/docs" "$tree/build-aux"
    cp "$source/docs/DEPENDENCIES.md" "$tree/docs"
    sed 's/^libcsv-dev .*/libplanted-dev header:planted.h/' "$source/build-aux/packages" > "$tree/build-aux/packages"
    echo 'PKG_CHECK_MODULES([NEW], [newlib])' | cat "$source/configure.ac" - > "$tree/configure.ac"
    local found
    found=$(missing "$tree")
    rm -r "$tree"
    for what in 'libplanted-dev of' 'newlib of' '<csv.h> of'; do
        grep -qF "$what" <<< "$found" || { echo "not found: $what"; return 1; }
    done
}

violations=0
while read -r line; do
    echo "$line"
    violations=$((violations + 1))
done < <(
    missing "$source"
    if command -v readelf > /dev/null; then
        [ ! -e "$build/carbon" ] || linked "$build/carbon"
        [ ! -e "$build/.libs/libcarbon.so" ] || linked "$build/.libs/libcarbon.so"
    fi)
planted_are_found || violations=$((violations + 1))
echo "$(grep -cE '^\| .* \| `.*-dev` \|' "$source/docs/DEPENDENCIES.md") libraries, $violations not told right"
[ $violations = 0 ]
