#!/bin/bash
# SPDX-License-Identifier: MIT
# The whole test suite, as `./quickstart test` runs it once the packages are there: both compilers, the sanitizers, as
# root and as an ordinary user, the release archive, and a real kernel. Logs and builds are in build/test.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
work=$source/build/test
if shared=$(cd "${CARBON_SHARED-$source/../shared}" 2> /dev/null && pwd); then
    export CARBON_SHARED=$shared
else
    unset CARBON_SHARED
fi
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CARBON_DATA DESTDIR CC CFLAGS SUDO_UID SUDO_GID
jobs=$(nproc)
# Most tests wait for most of their time.
test_jobs=$((jobs * 3 / 2))
user=65534
passed=0 failed=0 skipped=0
declare -A reasons=()
disturbed=()

mkdir -p "$work" || exit 125
rm -rf "$work"/*.log
scratch=$(mktemp -d "${TMPDIR:-/tmp}/carbon-suite.XXXXXX") || exit 125

leave() {
    rm -rf "$scratch"
    # Root leaves nothing that the tree's owner cannot remove.
    [ "$(id -u)" != 0 ] || chown -R --reference="$source" "$source/build"
}
trap leave EXIT
trap 'exit 125' INT TERM HUP

have() {
    (PATH=$PATH:/usr/sbin:/sbin && command -v "$1" > /dev/null 2>&1)
}

# skip NAME REASON
skip() {
    skipped=$((skipped + 1))
    reasons["$2"]+="${reasons["$2"]:+, }$1"
}

# step NAME FOLDER COMMAND...: runs it and adds up the tests that it ran in FOLDER; itself, where it ran none.
step() {
    local name=$1 folder=$2 log=$work/$1.log begun=$SECONDS status good bad test reason
    shift 2
    printf '%-10s ' "$name"
    (cd "$source" && "$@") > "$log" 2>&1 < /dev/null
    status=$?
    if [ $status = 77 ] || { [ $status = 0 ] && tail -n 1 "$log" | grep -q '^SKIPPED: '; }; then
        skip "$name" "$(sed -n 's/^SKIPPED: //p' "$log" | tail -n 1)"
        printf 'skipped    %4d s\n' $((SECONDS - begun))
        return
    fi
    # The logs of failed tests, which make prints too, have lines of the same form.
    read -r good bad < <(awk '/^AGAIN: / {bad = 0} /^ANEW: / {good = bad = 0} /^(AGAIN|ANEW): / {on = 0}
        /^Testsuite summary/ {on = 1} on && /^# PASS:/ {good += $3}
        on && /^# (FAIL|XPASS|ERROR):/ {bad += $3} END {print good + 0, bad + 0}' "$log")
    while read -r test; do disturbed+=("$name: $test"); done < <(sed -nE 's/^(AGAIN|ANEW): //p' "$log" | tr ' ' '\n')
    while read -r test; do
        reason=$(cat "$folder/$test.log" "$folder/${test%.*}.log" 2> /dev/null | sed -n 's/^SKIPPED: //p' | tail -n 1)
        skip "$name: $test" "${reason:-not for an ordinary user}"
    done < <(sed -n 's/^SKIP: //p' "$log" | sort -u)
    [ $((good + bad)) -gt 0 ] || [ $status != 0 ] || good=1
    [ $status = 0 ] || [ "$bad" -gt 0 ] || bad=1
    passed=$((passed + good))
    failed=$((failed + bad))
    if [ $status = 0 ]; then
        printf 'passed     %4d s   %d\n' $((SECONDS - begun)) "$good"
    else
        printf 'FAILED     %4d s   %d passed, %d failed, in %s\n' $((SECONDS - begun)) "$good" "$bad" "$log"
        tail -n 80 "$log" | sed 's/^/    /'
    fi
}

# No step hangs for ever.
bounded_make() {
    timeout --foreground 1200 make -s -j "$jobs" "$@"
}

# Many tests measure, and whatever else the machine does beside them is in what they measure. One that fails is done
# once more, with none beside it, and listed at the end.
# check_tests TESTS
check_tests() {
    timeout --foreground 1200 make -s -j "$test_jobs" check VERBOSE=1 "TESTS=$1" && return
    failures AGAIN tests && timeout --foreground 1200 make -s recheck VERBOSE=1 "TESTS=$1"
}

# failures WORD FOLDER: a line that step knows, with the tests that failed there. Fails where there are none.
failures() {
    local tests
    tests=$(grep -rlE '^:test-result: (FAIL|ERROR)' --include='*.trs' "$2" | sed 's/\.trs$//; s/.*tests/tests/' | sort)
    [ -n "$tests" ] && printf '%s: %s\n' "$1" "${tests//$'\n'/ }"
}

# built FOLDER CONFIGURE-ARGUMENTS...: configured (once) and built there.
built() {
    local folder=$1
    shift
    mkdir -p "$folder" && cd "$folder" || return
    if [ ! -e Makefile ] || [ "$(cat tree 2> /dev/null)" != "$folder $*" ]; then
        rm -f Makefile
        "$(realpath --relative-to=. "$source")/configure" -q "$@" && echo "$folder $*" > tree || return
    fi
    bounded_make
}

# All but those with engines, a Prometheus or a Slurm, whose work would disturb what measures beside them.
# shellcheck disable=SC2016 # the lists are make's
quiet='$(UNIT_TESTS) tests/fuzz/replay.sh $(CLI_TESTS) $(RULE_TESTS)'

checked() {
    built "$@" && check_tests "$quiet"
}

engines() {
    cd "$1" && check_tests "\$(ENGINE_TESTS)"
}

services() {
    cd "$1" && check_tests "\$(SERVICE_TESTS)"
}

# What needs the machine to itself is skipped where other tests run beside it, and done here.
alone() {
    make -s -C "$1" check VERBOSE=1 TESTS=tests/cli/share.sh
}

# The program's whole outputs do not depend on the compiler that much.
unit_checked() {
    built "$@" && check_tests "\$(UNIT_TESTS)"
}

# The leak check needs ptrace, which some containers forbid.
sanitized() {
    local leaks=0
    echo 'int main(void) { return 0; }' > "$scratch/empty.c"
    gcc -fsanitize=address -o "$scratch/empty" "$scratch/empty.c" || return
    ASAN_OPTIONS=detect_leaks=1 "$scratch/empty" && leaks=1
    export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    built "$@" || return
    export ASAN_OPTIONS=detect_leaks=$leaks:halt_on_error=1
    check_tests "$quiet" && check_tests tests/cli/pipeline-engine.sh
}

# as_user FOLDER COMMAND...: as an ordinary user in a copy of the tree that is that user's own.
as_user() {
    (cd "$scratch/user/tree" && HOME=$scratch/user TMPDIR=$scratch/user/tmp \
        timeout --foreground 1200 setpriv --reuid=$user --regid=$user --clear-groups --bounding-set=-all -- "$@")
}

user_tree() {
    mkdir -p "$scratch/user/tree" "$scratch/user/tmp"
    chmod 755 "$scratch"
    tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/user/tree" -xf - || return
    chown -R $user:$user "$scratch/user"
    as_user true 2> /dev/null
}

# archive_checked FOLDER
archive_checked() {
    if [ "$(id -u)" = 0 ]; then
        as_user mkdir -p build/test/user || return
        as_user bash -c "cd build/test/user && ../../../configure -q && make -s -j $test_jobs distcheck VERBOSE=1"
    else
        bounded_make -C "$1" distcheck VERBOSE=1
    fi
}

# The archive builds and passes its tests where the source cannot be written to, as an ordinary user.
archived() {
    archive_checked "$1" && return
    failures ANEW "$1" && archive_checked "$1"
}

echo "carbon's tests: $(uname -m), $jobs CPUs, as $(id -un)${CARBON_SHARED+, with the data in $CARBON_SHARED}"
step gcc "$work/gcc" checked "$work/gcc" --enable-werror CC=gcc 'CFLAGS=-O2 -g'
step alone "$work/gcc" alone "$work/gcc"
step engines "$work/gcc" engines "$work/gcc"
step services "$work/gcc" services "$work/gcc"
if have clang; then
    step clang "$work/clang" unit_checked "$work/clang" --enable-werror CC=clang 'CFLAGS=-O2 -g'
else
    skip clang 'no clang'
fi
step sanitizers "$work/sanitizers" sanitized "$work/sanitizers" CC=gcc \
    'CFLAGS=-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
if [ "$(id -u)" != 0 ]; then
    step distcheck "$work/gcc" archived "$work/gcc"
elif user_tree; then
    step distcheck "$scratch/user/tree/build/test/user" archived "$scratch/user/tree/build/test/user"
else
    skip distcheck 'root may not become another user here'
fi
step browser "$work/gcc" bounded_make -C "$work/gcc" check-browser
step fuzz "$work/fuzz" env FUZZ_SECONDS=5 tests/fuzz/run.sh "$source" "$work/fuzz"
step kernel "$work" bounded_make -C "$work/gcc" check-kernel

if [ $skipped -gt 0 ]; then
    echo 'skipped:'
    for reason in "${!reasons[@]}"; do
        printf '   %s (%s)\n' "$reason" "${reasons[$reason]}"
    done
fi
if [ ${#disturbed[@]} -gt 0 ]; then
    echo 'failed beside others and done again:'
    printf '   %s\n' "${disturbed[@]}"
fi
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ] && [ $passed -gt 0 ]
