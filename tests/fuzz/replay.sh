#!/bin/bash
# SPDX-License-Identifier: MIT
# Every fuzz target over the inputs made from the recorded machines and those of faults once mended (found/).
set -u
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=${abs_builddir:-$source/build}
work=$(mktemp -d "${TMPDIR:-/tmp}/carbon-replay.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${CARBON_DATA:=$source/data}"
export CARBON_DATA
failures=0 inputs=0

/usr/bin/python3 -B "$source/tests/fuzz/corpus.py" "$work/corpus" "$source/tests/trees" || exit 1
mkdir "$work/tmp"
for file in "$source"/tests/fuzz/fuzz_*.c; do
    target=$(basename "$file" .c)
    found=()
    [ ! -d "$source/tests/fuzz/found/$target" ] || found=("$source/tests/fuzz/found/$target")
    if TMPDIR=$work/tmp "$builddir/tests/fuzz/$target" "$work/corpus/$target" "${found[@]}" > "$work/log" 2>&1; then
        printf '%s: %s\n' "$target" "$(tail -n 1 "$work/log")"
        inputs=$((inputs + $(tail -n 1 "$work/log" | grep -o '^[0-9]*')))
    else
        failures=$((failures + 1))
        tail -n 30 "$work/log"
        echo "FAILED $target: the last input named"
    fi
done
echo "tried $inputs: A file that is read is damaged"
[ -z "${CARBON_TRIES-}" ] || printf '%s\tA file that is read is damaged\n' "$inputs" >> "$CARBON_TRIES"
[ $failures = 0 ]
