#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything, as `./quickstart test --all` runs it once the packages are there: the release archive as an ordinary user,
# what differs for root, services, sanitizers, both compilers, and a real kernel. Logs and builds are in build/test.
# Tests wait for most of their time; what compiles and computes goes on beside them.
set -u
. "$(dirname "$0")/suite.sh"
. "$source/tests/sanitized.sh"
# As deep as distcheck builds the archive, so that ccache knows what was compiled in the one for the other.
build=$source/build/gcc
user=65534

# A folder for many small files: in memory, where there is plenty and programs can be started from it.
roomy() {
    [ -z "${TMPDIR-}" ] && [ "$(stat -f -c %T "$1" 2> /dev/null)" = tmpfs ] &&
        [ "$(($(stat -f -c '%a * %S' "$1")))" -gt 6000000000 ] &&
        [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -gt 12000000 ] &&
        memory=$(mktemp -d "$1/carbon-suite.XXXXXX") && chmod 755 "$memory" &&
        cp /bin/true "$memory/true" && "$memory/true" 2> /dev/null
}
if ! roomy /dev/shm; then
    rm -rf ${memory+"$memory"}
    memory=$scratch
fi
mkdir -m 1777 "$memory/tmp" || exit 125

# What ccache keeps between runs lies where that user may look, too, in the meantime.
if have ccache; then
    mkdir -p "$work/ccache/tmp" && mv "$work/ccache" "$scratch/ccache" && chmod -R a+rwX "$scratch/ccache" || exit 125
    export CCACHE_DIR=$scratch/ccache CCACHE_UMASK=000 CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    trap 'rm -rf "$work/ccache"; mv "$scratch/ccache" "$work/ccache"; leave' EXIT
fi

fuzzed() {
    FUZZ_SECONDS=1 tests/fuzz/run.sh "$source" "$work/sanitizers"
}

# clang and its sanitizers compile the program once, for the fuzz targets and for the tests.
with_sanitizers() {
    local leaks=0
    # shellcheck disable=SC2016 # the lists are make's
    local tests='$(filter-out $(TIMED_TESTS),$(UNIT_TESTS) $(CLI_TESTS) tests/cli/pipeline/pipeline-engine.sh)'
    have "$clang" || { skip sanitizers 'no clang'; return; }
    export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    # shellcheck disable=SC2016
    step build-sanitizers made "$work/sanitizers" '$(UNIT_TESTS)' "${sanitized[@]}" || return
    leaks_checked "$work/sanitizers/carbon" --version && leaks=1
    # how it guesses the thread-local memory of libraries that are opened later is wrong at times, and then fatal
    export ASAN_OPTIONS=detect_leaks=$leaks:halt_on_error=1:intercept_tls_get_addr=0:allocator_may_return_null=1
    TMPDIR=$memory/tmp step sanitizers checked "$work/sanitizers" "$tests"
    step fuzz fuzzed
}

# as_user COMMAND...: as an ordinary user in a copy of the tree that is that user's own
as_user() {
    (cd "$scratch/user/tree" && HOME=$scratch/user TMPDIR=$memory/tmp \
        setpriv --reuid=$user --regid=$user --clear-groups --bounding-set=-all -- "$@")
}

user_tree() {
    mkdir -p "$scratch/user/tree"
    tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/user/tree" -xf - || return
    chown -R $user:$user "$scratch/user"
    as_user true 2> /dev/null
}

# archived COMMAND...: the archive builds without a warning and passes its tests where the source cannot be written to,
# as an ordinary user, by whom COMMAND runs. It is the run of gcc.
archived() {
    # shellcheck disable=SC2016 # the inner shell's, and make's
    "$@" bash -c 'mkdir -p build/test/user && cd build/test/user &&
        ../../../configure -q && XZ_OPT=-0 make -s -j "$1" distcheck VERBOSE=1 \
        DISTCHECK_CONFIGURE_FLAGS="--enable-werror CC=\"${CCACHE_DIR+ccache }gcc\"" "TESTS=$2"' \
        bash "$test_jobs" '$(UNIT_TESTS) tests/fuzz/replay.sh $(filter-out $(ALONE_TESTS),$(CLI_TESTS))'
}

# What compiles and computes: behind everything else.
computing() {
    renice -n 10 $BASHPID > /dev/null
    with_sanitizers
    # shellcheck disable=SC2016
    step rules checked "$build" '$(RULE_TESTS)'
    step platforms make -s -C "$build" check-platforms-smoke
}

# What starts services and engines, and waits for them.
# shellcheck disable=SC2016 # the lists are make's
waiting() {
    test_jobs=1 step engines checked "$build" '$(ENGINE_TESTS)'
    test_jobs=1 step services checked "$build" '$(SERVICE_TESTS)'
    test_jobs=1 step packages checked "$build" '$(filter-out tests/cli/packages/rpm.sh tests/cli/packages/static.sh,$(PACKAGE_TESTS))'
    step browser make -s -C "$build" check-browser
}

echo "carbon's tests: $(uname -m), $jobs CPUs, as $(id -un)${CARBON_SHARED+, with the data in $CARBON_SHARED}"
step build-configure sh "$source/quickstart" --prepare || { summary; exit 1; }
beside computing
# shellcheck disable=SC2016
step build made "$build" '$(ROOT_TESTS)' --enable-werror || { summary; exit 1; }
beside waiting
if [ "$(id -u)" != 0 ]; then
    step distcheck archived env
elif user_tree; then
    step distcheck archived as_user
else
    skip distcheck 'root may not become another user here'
fi
# What a user's run skips or does otherwise.
# shellcheck disable=SC2016
if [ "$(id -u)" = 0 ]; then step root checked "$build" '$(ROOT_TESTS)'; else skip root 'not root'; fi
step kernel make -s -C "$build" check-kernel
step engines-v2 make -s -C "$build" check-engines-lean
joined
# shellcheck disable=SC2016
step alone checked "$build" '$(ALONE_TESTS)'
summary
