# SPDX-License-Identifier: MIT
# What run.sh and run-all.sh stand on: steps whose tests are counted, and the summary.
#
#   $source    the source tree               $work      logs and builds
#   $scratch   an empty folder, removed afterwards
#
# step NAME COMMAND...    runs it; its tests are what run-test.sh notes meanwhile, or it is a test itself
#                         (but "build...", which counts where it fails alone)
# beside COMMAND...       a function of steps, in the background
# skip NAME REASON        a step that cannot run here
# joined                  waits for what is beside
# summary                 the same, then: what was skipped and why, the slowest tests, what failed, the counts; fails
#                         where a test has failed
source=$(cd "$(dirname "$0")/.." && pwd)
work=$source/build/test
if shared=$(cd "${CARBON_SHARED-$source/../shared}" 2> /dev/null && pwd); then
    export CARBON_SHARED=$shared
else
    unset CARBON_SHARED
fi
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CARBON_DATA DESTDIR CC CFLAGS SUDO_UID SUDO_GID
jobs=$(nproc)
# Most tests wait for most of their time; of those that measure run-test.sh runs two at a time.
test_jobs=$((jobs * 4))

mkdir -p "$work" || exit 125
rm -f "$work"/*.log
# The same name each time, where it is free: ccache knows what was compiled there.
scratch=${TMPDIR:-/tmp}/carbon-suite
mkdir -m 755 "$scratch" 2> /dev/null || scratch=$(mktemp -d "$scratch.XXXXXX") || exit 125
# Lines of "passed failed skipped"; what skipped a test and which; what run-test.sh noted.
counts=$scratch/counts reasons=$scratch/reasons all_results=$scratch/all-results
failures=$scratch/failures
: > "$counts"
: > "$failures"
: > "$reasons"
: > "$all_results"
mkdir -p "$scratch/locks/tests"
chmod 755 "$scratch" "$scratch/locks" "$scratch/locks/tests"
export TEST_LOCKS=$scratch/locks
groups=() begun_beside=() quiet=

leave() {
    local group
    for group in "${groups[@]}"; do kill -- -"$group" 2> /dev/null; done
    wait
    rm -rf "$scratch" ${memory+"$memory"}
    # Root leaves nothing that the tree's owner cannot remove.
    [ "$(id -u)" != 0 ] || chown -R --reference="$source" "$source/build"
}
trap leave EXIT
trap 'exit 125' INT TERM HUP

have() {
    (PATH=$PATH:/usr/sbin:/sbin && command -v "$1" > /dev/null 2>&1)
}

# say FORMAT ARGUMENT...: a line, over one of progress
say() {
    [ ! -t 1 ] || printf '\r\033[K'
    # shellcheck disable=SC2059 # the format is the caller's
    printf "$@"
}

# skip NAME REASON
skip() {
    echo 0 0 1 >> "$counts"
    printf '%s\t%s\n' "$2" "$1" >> "$reasons"
    say '%-17s skipped: %s\n' "$1" "$2"
}

# count RESULT...: how many tests of this step ended so
count() {
    grep -cE "^($1)" "$TEST_RESULTS"
}

# told_of LOG: where it went wrong, as far as the end does not show it
told_of() {
    head -n -80 "$1" | grep -E '\*\*\* |(^|[^a-z])[Ee]rror[: ]|^FAILED' | head -n 20
    tail -n 80 "$1"
}

# told NAME PID: a line while the step runs, which a terminal alone is shown
told() {
    local begun=$SECONDS
    [ -t 1 ] && [ -z "$quiet" ] || return 0
    while kill -0 "$2" 2> /dev/null; do
        say '%-17s %5d s, %d done, %d failed' "$1" $((SECONDS - begun)) "$(wc -l < "$TEST_RESULTS")" \
            "$(count 'FAIL|ERROR')"
        sleep 1
    done
}

# step NAME COMMAND...
step() {
    local name=$1 log=$work/$1.log begun=$SECONDS pid status good bad not took
    shift
    export TEST_RESULTS=$scratch/results-$name
    : > "$TEST_RESULTS"
    chmod 666 "$TEST_RESULTS"
    [ -n "$quiet" ] || set -m
    (
        set +m
        trap 'times > "$scratch/times-$name"' EXIT
        cd "$source" && "$@"
    ) > "$log" 2>&1 < /dev/null &
    pid=$!
    set +m
    groups+=("$pid")
    told "$name" $pid
    wait $pid
    status=$?
    unset 'groups[-1]'
    took=$(printf '%-17s %5d s, %5.0f s of CPU  ' "$name" $((SECONDS - begun)) "$(awk -F '[ms ]+' '
        { cpu += $1 * 60 + $2 + $3 * 60 + $4 } END { print cpu + 0 }' "$scratch/times-$name")")
    good=$(count PASS) bad=$(count 'FAIL|ERROR') not=$(count SKIP)
    cat "$TEST_RESULTS" >> "$all_results"
    if [ $((good + bad + not)) = 0 ]; then
        # A step that is one test: its status counts, and what it says of being skipped.
        if [ $status = 77 ] || { [ $status = 0 ] && tail -n 1 "$log" | grep -q '^SKIPPED: '; }; then
            skip "$name" "$(sed -n 's/^SKIPPED: //p' "$log" | tail -n 1)"
            return
        fi
        [ $status != 0 ] || [[ $name == build* ]] || good=1
    fi
    # A build that fails is a failure, too.
    [ $status = 0 ] || [ "$bad" -gt 0 ] || bad=1
    echo "$good $bad $not" >> "$counts"
    awk -F '\t' -v step="$name" '$1 == "SKIP" { print ($5 ? $5 : "no reason told") "\t" step ": " $4 }' \
        "$TEST_RESULTS" >> "$reasons"
    if [ "$bad" -gt 0 ]; then
        awk -F '\t' -v step="$name" '$1 ~ /FAIL|ERROR/ { print step ": " $4; any = 1 } END { if (!any) print step }' \
            "$TEST_RESULTS" >> "$failures"
        grep -E '^FAILED|:[FE]:' "$log" | sed -n '1,6s/^/    /p' >> "$failures"
        say '%sFAILED: %d passed, %d failed, %d skipped, in %s\n%s\n' "$took" "$good" "$bad" "$not" "$log" \
            "$(told_of "$log" | sed 's/^/    /')"
    elif [ "$good" -gt 0 ]; then
        say '%spassed: %d, skipped: %d\n' "$took" "$good" "$not"
    elif [ "$not" -gt 0 ]; then
        say '%sskipped: %d\n' "$took" "$not"
    else
        say '%sdone\n' "$took"
    fi
    [ "$bad" = 0 ]
}

# beside COMMAND...: a process group of its own, by which leave ends all that it began
beside() {
    set -m
    { set +m; quiet=1; "$@"; echo "$*" >> "$scratch/ended"; } &
    set +m
    groups+=($!)
    begun_beside+=("$*")
}

# joined: waits for all that is beside
joined() {
    local name
    wait
    groups=()
    for name in "${begun_beside[@]}"; do
        grep -qsxF "$name" "$scratch/ended" || { echo 0 1 0 >> "$counts"; say '%s did not come to its end\n' "$name"; }
    done
    begun_beside=()
}

# programs TESTS: what of the tests is compiled for these (make's words)
programs() {
    echo "check_PROGRAMS=\$(TEST_HELPERS) \$(filter \$(UNIT_TESTS),$1) \$(if \$(filter tests/fuzz/%,$1),\$(FUZZ_TARGETS))"
}

# made FOLDER TESTS CONFIGURE-ARGUMENTS...: configured as quickstart does it, and made there, with what these tests need
made() {
    local folder=$1
    targets=$(printf '%s\n' check TESTS= "$(programs "$2")")
    export targets
    shift 2
    sh "$source/quickstart" --make "$folder" "$@"
}

# checked FOLDER TESTS: `make check` of these there
checked() {
    make -s -k -C "$1" -j "$test_jobs" check VERBOSE=1 "TESTS=$2" "$(programs "$2")" \
        "TEST_SUITE_LOG=test-${TEST_RESULTS##*/results-}.log"
}

summary() {
    local passed failed skipped
    joined
    if [ -s "$reasons" ]; then
        echo 'skipped:'
        sort "$reasons" | awk -F '\t' '
            $1 != reason { if (NR > 1) print ")"; reason = $1; printf "   %s (%s", $1, $2; next }
            { printf ", %s", $2 } END { print ")" }'
    fi
    if [ -s "$all_results" ]; then
        echo 'slowest tests:  seconds   of CPU'
        sort -t "$(printf '\t')" -k 2 -rn "$all_results" > "$work/results"
        head -n 20 "$work/results" | awk -F '\t' '{ printf "   %19.1f %8.1f   %s\n", $2, $3, $4 }'
    fi
    if [ -s "$failures" ]; then
        echo 'failed:'
        sed 's/^/   /' "$failures"
    fi
    read -r passed failed skipped < <(awk '{ good += $1; bad += $2; not += $3 } END { print good + 0, bad + 0, not + 0 }' "$counts")
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
