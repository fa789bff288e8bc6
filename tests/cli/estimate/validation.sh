#!/bin/bash
# SPDX-License-Identifier: MIT
# The model of a machine at its plug against published results that it has not seen; the table of docs/METHOD.md is what comes
# out of it.
. "$(dirname "$0")/../lib.sh"

results=$shared/factors/2026-11/specpower.csv
[ -n "$shared" ] && [ -e "$results" ] || skip 'the published results are not beside the source tree'
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$source/tests/cli/estimate/validation.py" "$results" "$helpers/watts" "$work/fits" > table 2> faults
check 'the bounds hold' 0 $?
check 'none is broken' '' "$(cat faults)"
cat table
check 'METHOD.md has its table' "$(cat table)" "$(sed -n '/^| the processor is /,/^$/p' "$source/docs/METHOD.md" | sed '/^$/d')"
finish
