#!/bin/bash
# SPDX-License-Identifier: MIT
# `make fuzz`: builds the fuzz targets with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer and runs
# each of them for FUZZ_SECONDS (60).
#
#   run.sh SOURCE FOLDER [TARGET...]    builds in FOLDER, which keeps what was found to be worth trying
#
# Each target has to come to the readers that readers.tsv says it goes through. What was tried and failed is in FOLDER/failed. Status 77 where clang cannot do it.
set -u
. "$(dirname "$0")/../sanitized.sh"
source=$(cd "$1" && pwd) || exit 99
mkdir -p "$2" && folder=$(cd "$2" && pwd) || exit 99
shift 2
seconds=${FUZZ_SECONDS:-60}
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR CC CFLAGS
CARBON_DATA=$source/data
export CARBON_DATA
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/carbon-fuzz.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT

if [ $# = 0 ]; then
    for file in "$source"/tests/fuzz/fuzz_*.c; do
        set -- "$@" "$(basename "$file" .c)"
    done
fi

echo '#include <stddef.h>
int LLVMFuzzerTestOneInput(const char *data, size_t size) { return data == NULL && size; }' > "$scratch/empty.c"
if ! "$clang" -fsanitize=fuzzer,$sanitizers -o "$scratch/empty" "$scratch/empty.c" 2> "$scratch/why"; then
    echo "SKIPPED: no clang with libFuzzer (Debian: clang, libclang-rt-dev)"
    exit 77
fi
leaks=0
! leaks_checked "$scratch/empty" -runs=1 || leaks=1

# As quickstart builds, with ccache where it is.
build() {
    targets=$(printf '%s\n' FUZZ_ENGINE= LDFLAGS=-fsanitize=fuzzer "${@/#/tests/fuzz/}") sh "$source/quickstart" --make "$folder" \
        "${sanitized[@]}"
}

if ! (build "$@") > "$folder/build.log" 2>&1; then
    tail -n 40 "$folder/build.log"
    echo "the fuzz targets cannot be built: see $folder/build.log"
    exit 1
fi

trees=("$source/tests/trees")
shared=${CARBON_SHARED-$source/../shared}
[ ! -d "$shared/machines" ] || trees+=("$shared/machines")
/usr/bin/python3 -B "$source/tests/fuzz/corpus.py" "$scratch/corpus" "${trees[@]}" > "$scratch/why" || exit 99

# run TARGET OPTION...: over what is kept and the first inputs, in a folder of its own
run() {
    local target=$1 tmp=$scratch/tmp/$1 found=()
    shift
    [ ! -d "$source/tests/fuzz/found/$target" ] || found=("$source/tests/fuzz/found/$target")
    (cd "$tmp" && TMPDIR=$tmp UBSAN_OPTIONS=print_stacktrace=1 "$folder/tests/fuzz/$target" "$@" \
        "$folder/corpus/$target" "$scratch/corpus/$target" "${found[@]}") 2>&1 < /dev/null
}

# not_reached TARGET: readers that the table says it goes through, and no input of it does; nothing where there are no lines
not_reached() {
    local target=$1 reached=$scratch/$1.reached file targets
    run "$target" -runs=0 -print_coverage=1 | grep '^COVERED_FUNC' | grep -oE 'src/[a-z0-9_/]+\.c' | sort -u > "$reached"
    [ -s "$reached" ] || { echo "$target" >> "$scratch/unknown"; return; }
    while IFS=$'\t' read -r file targets _; do
        [[ " $targets " != *" $target "* ]] || grep -qxF "$file" "$reached" || echo "$file"
    done < "$source/tests/fuzz/readers.tsv"
}

# try TARGET
try() {
    local target=$1 kept=$folder/corpus/$1 log=$folder/$1.log input missed
    mkdir -p "$kept" "$scratch/tmp/$1"
    if run "$target" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -detect_leaks=$leaks \
        -print_final_stats=1 -dict="$scratch/corpus/$target.dict" -artifact_prefix="$folder/failed/$target-" > "$log"; then
        printf '%-14s %9s inputs tried, %s kept\n' "$target" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$kept" -type f | wc -l)"
        missed=$(not_reached "$target")
        [ -z "$missed" ] || { echo "$target" >> "$scratch/failed"; echo "FAILED: $target does not come to" $missed; }
    else
        echo "$target" >> "$scratch/failed"
        tail -n 60 "$log"
        input=$(sed -n 's/^artifact_prefix=.*Test unit written to //p' "$log" | tail -n 1)
        echo "FAILED: $target; the input is ${input:-not known}, all that was said in $log"
    fi
}

# As many at once as there are processors.
mkdir -p "$folder/failed"
for target; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    try "$target" &
done
wait
[ ! -e "$scratch/unknown" ] || echo 'not checked: which readers a target comes to (no llvm-symbolizer)'
[ $leaks = 1 ] || echo 'not checked: leaks (no ptrace here)'
[ ! -e "$scratch/failed" ]
