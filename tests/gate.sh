#!/bin/bash
# SPDX-License-Identifier: MIT
# The gate on this machine, as busy as it is: a command against itself, again and again, with no growth allowed, which is where
# false alarms are likeliest; and against one that takes 5 % and 20 % longer. make check-gate
#
#   gate.sh [SERIES [ROUNDS]]     so many series of equal commands (200), with so many pairs at most (20)
set -u
source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
carbon=${abs_builddir:-$source/build}/carbon
burn=${abs_builddir:-$source/build}/tests/helpers/burn
[ -x "$burn" ] || { echo "no $burn: make check builds it"; exit 77; }
: "${CARBON_DATA:=$source/data}"
export CARBON_DATA
series=${1:-200} rounds=${2:-20}
HOME=$(mktemp -d) || exit 99
export HOME
trap 'rm -rf "$HOME"' EXIT

# judged MS COUNT: "passed failed undecided pairs" of COUNT series of 40 ms of CPU time against MS.
judged() {
    local passed=0 failed=0 undecided=0 pairs=0 line
    for _ in $(seq "$2"); do
        "$carbon" compare --no-ledger --warmup 1 --baseline 0 --zone FR --fail-over 0% --max-runs "$rounds" --quiet --json "$HOME/j" \
            -- "$burn" --spin 40 -- "$burn" --spin "$1" > "$HOME/out" 2> "$HOME/err"
        case $? in 0) ((passed++)) ;; 3) ((failed++)) ;; 5) ((undecided++)) ;; *) cat "$HOME/err"; exit 1 ;; esac
        line=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["gate"]["pairs"])' "$HOME/j")
        pairs=$((pairs + line))
    done
    echo "$passed $failed $undecided $((10 * pairs / $2))"
}

echo "load average $(cut -d ' ' -f 1-3 /proc/loadavg), $(nproc) CPUs"
read -r passed failed undecided pairs <<< "$(judged 40 "$series")"
# The most false alarms of so many that 5 % still explain: one-sided 95 % of the binomial distribution.
most=$(/usr/bin/python3 -c 'import math, sys
n, p, sum, k = int(sys.argv[1]), 0.05, 0.0, -1
while sum < 0.95:
    k += 1
    sum += math.comb(n, k) * p**k * (1 - p)**(n - k)
print(k)' "$series")
echo "equal: $series series, $failed worse (at most $most), $passed not worse, $undecided undecided, $((pairs / 10)).$((pairs % 10)) pairs"
for ms in 42 48; do
    read -r unlike_passed unlike_failed unlike_undecided pairs <<< "$(judged $ms $((series / 10)))"
    echo "$((100 * (ms - 40) / 40)) % more: $((series / 10)) series, $unlike_failed worse, $unlike_passed not worse, $unlike_undecided undecided, $((pairs / 10)).$((pairs % 10)) pairs"
done
[ "$failed" -le "$most" ]
