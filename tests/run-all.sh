#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything, as `./quickstart test --all` runs it once the packages are there: the release archive as an ordinary user,
# what differs for root, services, sanitizers, both compilers, and a real kernel. Logs and builds are in build/test.
set -u
. "$(dirname "$0")/suite.sh"
build=$source/build
user=65534

# made FOLDER TARGETS CONFIGURE-ARGUMENTS...: configured as quickstart does it, and made there
made() {
    local folder=$1
    export targets=$2
    shift 2
    sh "$source/quickstart" --make "$folder" "$@"
}

# The leak check needs ptrace, which some containers forbid.
# Tests that only sleep find no fault of memory that others do not: those of the model's loads, of services and of time
# are left to the archive's run.
sanitized() {
    local leaks=0
    echo 'int main(void) { return 0; }' > "$scratch/empty.c"
    gcc -fsanitize=address -o "$scratch/empty" "$scratch/empty.c" || return
    ASAN_OPTIONS=detect_leaks=1 "$scratch/empty" && leaks=1
    export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    made "$1" 'all check TESTS=' CC=gcc \
        'CFLAGS=-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' || return
    export ASAN_OPTIONS=detect_leaks=$leaks:halt_on_error=1
    # shellcheck disable=SC2016 # the lists are make's
    checked "$1" '$(UNIT_TESTS) tests/fuzz/replay.sh $(CLI_TESTS) tests/cli/pipeline-engine.sh'
}

# as_user COMMAND...: as an ordinary user in a copy of the tree that is that user's own
as_user() {
    (cd "$scratch/user/tree" && HOME=$scratch/user TMPDIR=$scratch/user/tmp \
        setpriv --reuid=$user --regid=$user --clear-groups --bounding-set=-all -- "$@")
}

user_tree() {
    mkdir -p "$scratch/user/tree" "$scratch/user/tmp"
    chmod 755 "$scratch"
    tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/user/tree" -xf - || return
    chown -R $user:$user "$scratch/user"
    as_user true 2> /dev/null
}

# archived COMMAND...: the archive builds without a warning and passes its tests where the source cannot be written to,
# as an ordinary user, by whom COMMAND runs. It is the run of gcc.
archived() {
    # shellcheck disable=SC2016 # the inner shell's, and make's
    "$@" bash -c 'mkdir -p build/test/user && cd build/test/user && ../../../configure -q &&
        make -s -j "$1" distcheck VERBOSE=1 DISTCHECK_CONFIGURE_FLAGS="--enable-werror CC=gcc" "TESTS=$2"' \
        bash "$test_jobs" '$(UNIT_TESTS) tests/fuzz/replay.sh $(CLI_TESTS)'
}

fuzzed() {
    FUZZ_SECONDS=5 tests/fuzz/run.sh "$source" "$work/fuzz"
}

echo "carbon's tests: $(uname -m), $jobs CPUs, as $(id -un)${CARBON_SHARED+, with the data in $CARBON_SHARED}"
step build made "$build" 'all check TESTS='
[ $failed = 0 ] || { summary; exit 1; }
if [ "$(id -u)" != 0 ]; then
    step distcheck archived env
elif user_tree; then
    step distcheck archived as_user
else
    skip distcheck 'root may not become another user here'
fi
# shellcheck disable=SC2016 # the lists are make's
{
    step rules checked "$build" '$(RULE_TESTS)'
    # What a user's run skips or does otherwise.
    if [ "$(id -u)" = 0 ]; then step root checked "$build" '$(ROOT_TESTS)'; else skip root 'not root'; fi
    # What needs the machine to itself.
    step alone make -s -C "$build" check VERBOSE=1 TESTS=tests/cli/share.sh
    step engines make -s -k -C "$build" check VERBOSE=1 'TESTS=$(ENGINE_TESTS)'
    step services make -s -k -C "$build" check VERBOSE=1 'TESTS=$(SERVICE_TESTS)'
}
if have clang; then
    step build-clang made "$work/clang" 'all check TESTS=' --enable-werror CC=clang 'CFLAGS=-O2 -g'
    # shellcheck disable=SC2016
    step clang checked "$work/clang" '$(ARITHMETIC_TESTS)'
else
    skip clang 'no clang'
fi
step sanitizers sanitized "$work/sanitizers"
step browser make -s -C "$build" check-browser
step fuzz fuzzed
step kernel make -s -C "$build" check-kernel
summary
