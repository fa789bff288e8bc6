#!/bin/bash
# SPDX-License-Identifier: MIT
# trials.sh [TRIALS]: on this machine, all of whose CPUs are kept busy, and without its sensors: comparisons of two commands of
# less than a second, each within 30 s. Of gzip -9 and gzip -1 the second uses less; of two equal commands neither does.
#
# A 95 % interval is wrong in one of twenty: of 20 trials one may be. Fewer right answers than chance alone gives once in a hundred
# times are a failure.
# shellcheck disable=SC1091,SC2154 # lib.sh sets source, carbon and helpers
. "$(dirname "$0")/cli/lib.sh"
trials=${1:-20}

head -c 2000000 "$carbon" > big
# compared NAME COMMAND COMMAND: the verdict, as right or wrong, and whether it came within 30 s
compared() {
    local begun=$SECONDS
    "$carbon" compare --source model --no-ledger --json c.json -- "$2" -- "$3" > /dev/null 2> err || cat err
    printf '%s %s %d s: %s\n' "$1" "$(json c.json 'r["comparisons"][0]["verdict"]')" $((SECONDS - begun)) \
        "$(json c.json 'r["comparisons"][0]["sentence"]')"
}

full
for ((trial = 0; trial < trials; trial++)); do
    compared unlike 'gzip -9 -c big' 'gzip -1 -c big'
    compared equal 'gzip -6 -c big' 'gzip -6 -c big'
done > said
not_full
cat said
# Once in a hundred times there are fewer.
least=$(/usr/bin/python3 -c 'import math, sys
trials, right, sum = int(sys.argv[1]), 0, 0.0
while (sum := sum + math.comb(trials, right) * 0.95**right * 0.05**(trials - right)) < 0.01: right += 1
print(right)' "$trials")
for kind in 'unlike less' 'equal noise'; do
    right=$(grep -c "^$kind " said)
    echo "${kind% *}: $right of $trials are right"
    check "${kind% *}: no fewer are right than $least" yes "$([ "$right" -ge "$least" ] && echo yes)"
done
check 'none took 30 s' '' "$(awk '$3 >= 30' said)"
finish
