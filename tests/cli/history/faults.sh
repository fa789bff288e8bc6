#!/bin/bash
# SPDX-License-Identifier: MIT
# Whatever system call fails under measure, restate, import, history export or report: no crash, no damage, and nothing lost
# of what was acknowledged (tests/helpers/faults.py).
#
#   CARBON_FAULTS=0 faults.sh    all of some 3,400; 100 a command when not given
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"
. "$source/tests/cli/lib-trees.sh"
python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'
strace -e inject=getppid:error=EIO true 2> /dev/null || skip 'no strace that makes system calls fail, or it may not trace here'
! grep -qE '__(asan|tsan)_init' "$carbon" || skip 'sanitizers and strace exclude each other'

zone tree 262143328850 5000000000 intel-rapl:0=package-0
"$carbon" measure --quiet --baseline 0 --ledger kept.db --json record.json -- true 2> said ||
    { cat said; skip 'nothing can be measured here'; }
"$carbon" measure --quiet --baseline 0 --no-ledger --json record.json -- true 2> said
out=$(python3 -B "$source/tests/helpers/faults.py" "$carbon" "${CARBON_FAULTS:-100}" "$([ "${CARBON_FAULTS-}" = 0 ] || echo 100)" 2>&1)
check 'every fault ends well' 0 $?
echo "$out"
tried "$(sed -nE 's/^[a-z]+: ([0-9]+) of [0-9]+ faults tried.*/\1/p' <<< "$out" | awk '{ sum += $1 } END { print sum }')" 'A system call fails'
check 'under five commands' 5 "$(grep -cE '^(measure|restate|import|history|report): [1-9][0-9]* of [0-9]+ faults tried' <<< "$out")"
finish
