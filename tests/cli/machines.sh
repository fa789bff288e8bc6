#!/bin/bash
# SPDX-License-Identifier: MIT
# The program against every recorded machine and trace: what each has, what counts, what a run adds up to, what is told.
#
#   machines.sh [--all]     --all (make check-machines): also the long traces, and the table whatever the result
. "$(dirname "$0")/lib.sh"

folders=$source/tests/trees
if [ -n "$shared" ]; then
    folders="$folders $shared/machines"
else
    echo 'not checked: the recorded machines beside the source tree are not there'
fi
# an ordinary user looks too
chmod 755 "$work" "$work/in"

quick=--quick
[ "${1-}" != --all ] || quick=
# shellcheck disable=SC2086 # folders are two words
/usr/bin/python3 -B "$source/tests/check_machines.py" $quick "$carbon" "$work/in" $folders
status=$?
[ -n "$quick" ] || exit $status
check 'the table above' 0 $status
finish
