#!/bin/bash
# SPDX-License-Identifier: MIT
# libcarbon's binary interface is the one that tests/abi/libcarbon.abi describes.
#
#   check-abi.sh [--update]     writes the description anew: what was added is to be kept from then on
set -u
source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
build=$(cd "${abs_builddir:-$source/build}" && pwd)
so=$build/.libs/libcarbon.so.1
stored=$source/tests/abi/libcarbon.abi

skip() {
    echo "SKIPPED: $1"
    exit 77
}
command -v abidiff > /dev/null || skip 'no abidiff (Debian: abigail-tools)'
[ -e "$so" ] || skip 'libcarbon is not built as a shared library'
! nm -D "$so" | grep -qE '__(asan|ubsan|tsan)_' || skip 'sanitizers add to what is exported'
readelf -S "$so" | grep -q '\.debug_info' || skip 'libcarbon is built without debugging information (-g)'

describe() { # of what the header shows, without what is behind it
    abidw --exported-interfaces-only --headers-dir "$source/include" --drop-private-types --no-corpus-path \
        --no-comp-dir-path --no-show-locs --no-elf-needed "$so" --out-file "$1"
}
if [ "${1-}" = --update ]; then
    describe "$stored"
    exit
fi
grep -q "architecture='elf-amd-x86_64'" "$stored" && [ "$(uname -m)" != x86_64 ] && skip 'described for amd64'
now=$(mktemp) || exit 99
trap 'rm -f "$now"' EXIT
describe "$now" || { echo "abidw cannot describe '$so'"; exit 1; }
said=$(abidiff "$stored" "$now" 2>&1)
status=$?
[ $status = 0 ] && echo "$(grep -c '<elf-symbol ' "$stored") symbols are as they were" && exit
printf '%s\n' "$said"
echo 'What was added at an end is written down by tests/check-abi.sh --update; all else breaks programs: a new soname.'
exit 1
