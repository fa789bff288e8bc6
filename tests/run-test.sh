#!/bin/bash
# SPDX-License-Identifier: MIT
# One test of `make check`: runs it and tells what it took.
#
#   run-test.sh TEST
#
# Of those in $MEASURING_TESTS two run at a time, however many others do, in all runs with the same $TEST_LOCKS (a folder
# with a folder "tests", as the build is). $TEST_RESULTS, where it is set, is a file that gets a line: PASS, SKIP, FAIL or
# ERROR, seconds, seconds of CPU, the test, and why it was skipped, tabs between them. $TEST_RUNNER is what runs programs of
# another processor.
set -u
program=$1
# libtool's program, without its script for this processor's loader
[ -z "${TEST_RUNNER-}" ] || [ ! -x "${1%/*}/.libs/${1##*/}" ] || program=${1%/*}/.libs/${1##*/}
# Against a test that hangs: what takes longest takes a minute.
bound_s=1800
test=tests/${1##*tests/}

locks=${TEST_LOCKS-$abs_builddir}
case " ${MEASURING_TESTS-} " in
*" $test "*)
    exec 8< "$locks" 9< "$locks/tests" || exit 99
    until flock -n 8 || flock -n 9; do sleep 0.5; done
    ;;
esac
exec 3>&1 4>&2
TIMEFORMAT='%R %U %S'
times=$({ time timeout --foreground -k 120 $bound_s ${TEST_RUNNER-} "$program" >&3 2>&4 3>&- 4>&- 8>&- 9>&-; } 2>&1)
status=$?
exec 3>&- 4>&-
read -r took user system <<< "${times//,/.}"
cpu=$(awk "BEGIN { print $user + $system }")
case $status in
0) result=PASS ;;
77) result=SKIP ;;
99) result=ERROR ;;
*) result=FAIL ;;
esac
[ $status != 124 ] || echo "FAILED: it had not ended after $bound_s s"
echo "took $took s, $cpu s of CPU"
if [ -n "${TEST_RESULTS-}" ]; then
    # The log is what standard output was led to; a terminal or a pipe cannot be read again.
    reason=
    if [ $result = SKIP ] && [ -f /proc/$$/fd/1 ]; then
        reason=$(sed -n 's/^SKIPPED: //p' /proc/$$/fd/1 | tail -n 1)
    fi
    printf '%s\t%s\t%s\t%s\t%s\n' $result "$took" "$cpu" "$test" "$reason" >> "$TEST_RESULTS"
fi
exit $status
