#!/bin/bash
# SPDX-License-Identifier: MIT
# The gate on this machine, as busy as it is: a command of fixed work against itself, again and again, with no growth allowed, which
# is where false alarms are likeliest; and against one that has 5 % and 20 % more to do. make check-gate; docs/METHOD.md has its table.
#
#   gate.sh [SERIES [PAIRS]]     so many series of equal commands (200), with so many pairs at most (30)
set -u
source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
carbon=${abs_builddir:-$source/build}/carbon
: "${CARBON_DATA:=$source/data}"
export CARBON_DATA
series=${1:-200} pairs=${2:-30}
HOME=$(mktemp -d) || exit 99
export HOME
trap 'rm -rf "$HOME"' EXIT

# blocks COUNT: a file of so many equal blocks, larger than gzip looks back, so that the work grows with their number.
head -c 80000 "$carbon" > "$HOME/block"
blocks() { for _ in $(seq "$1"); do cat "$HOME/block"; done > "$HOME/$1"; }
for count in 20 21 24; do blocks $count; done

# judged GROWTH BLOCKS COUNT: a row of COUNT series of 20 blocks against BLOCKS; sets failed
judged() {
    local passed=0 undecided=0 used=0 load=0
    failed=0
    for _ in $(seq "$3"); do
        "$carbon" compare --no-ledger --warmup 1 --baseline 0 --zone FR --fail-over 0% --max-runs "$pairs" --quiet --json "$HOME/j" \
            -- "gzip -c $HOME/20" -- "gzip -c $HOME/$2" > "$HOME/out" 2> "$HOME/err"
        case $? in 0) ((passed++)) ;; 3) ((failed++)) ;; 5) ((undecided++)) ;; *) cat "$HOME/err"; exit 1 ;; esac
        read -r used load <<< "$(/usr/bin/python3 -c 'import json, os, sys
print(int(sys.argv[2]) + json.load(open(sys.argv[1]))["gate"]["pairs"], float(sys.argv[3]) + os.getloadavg()[0])' "$HOME/j" "$used" "$load")"
    done
    awk -v growth="$1" -v n="$3" -v failed="$failed" -v undecided="$undecided" -v passed="$passed" -v used="$used" -v loads="$load" \
        -v cpus="$(nproc)" -v date="$(date -u +%F)" 'BEGIN {
        printf "| %s %% | %d | %d | %d | %d | %.1f | %.1f on %d CPUs | %s |\n", growth, n, failed, undecided, passed, used / n, loads / n, cpus, date }'
}

echo '| growth | series | worse | cannot tell | not worse | pairs needed, mean | load average | date |'
echo '|---|---|---|---|---|---|---|---|'
judged 0 20 "$series"
alarms=$failed
judged 5 21 $((series / 5 + 1))
judged 20 24 $((series / 20 + 1))
# The most false alarms of so many that 5 % still explain: one-sided 95 % of the binomial distribution.
most=$(/usr/bin/python3 -c 'import math, sys
n, p, sum, k = int(sys.argv[1]), 0.05, 0.0, -1
while sum < 0.95:
    k += 1
    sum += math.comb(n, k) * p**k * (1 - p)**(n - k)
print(k)' "$series")
echo "$alarms false alarms in $series series, at most $most"
[ "$alarms" -le "$most" ]
