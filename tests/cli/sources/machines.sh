#!/bin/bash
# SPDX-License-Identifier: MIT
# The program against every recorded machine and trace: what each has, what counts, what a run adds up to, what is told.
#
#   machines.sh [--all]     --all (make check-machines): also the long traces, and the table whatever the result
. "$(dirname "$0")/../lib.sh"

compare() {
    /usr/bin/python3 -B "$source/tests/check_machines.py" $quick "$carbon" "$work/in" "$@"
    status=$?
    [ -n "$quick" ] || [ $status = 0 ] || exit $status
    check "the tables of $*" 0 $status
}

quick=--quick
[ "${1-}" != --all ] || quick=
# an ordinary user looks too
chmod 755 "$work" "$work/in"
compare "$source/tests/trees"
if [ -n "$shared" ]; then
    compare "$shared/machines"
else
    echo 'not checked: the recorded machines beside the source tree are not there'
fi
[ -n "$quick" ] || exit 0
finish
