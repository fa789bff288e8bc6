#!/bin/bash
# SPDX-License-Identifier: MIT
# Stacks by DWARF: callers without frame pointers, through a library and a signal, in a stripped program, of files that
# lie; and what is beyond the copied part of a stack is said.
. "$(dirname "$0")/../lib.sh"

frameless=$helpers/frameless
! grep -qE '__(asan|tsan)_init' "$frameless" || skip "between the program's own functions stand those of sanitizers"
profile() { "$carbon" profile --no-ledger --baseline 0 --frequency 999 "$@"; }

profile --call-graph dwarf --json p.json -- true 2> err
grep -q 'perf_event_open' err && skip "the kernel lets nobody sample: $(cat err)"
grep -q 'cannot be found by DWARF' err && {
    check_match 'without libdw the reason and what helps' 'fix: .*--call-graph fp' "$(cat err)"
    skip "stacks cannot be found by DWARF here: $(cat err)"
}

# callees FILE: the part of each function and all that it called in the samples, against what the job itself says (truth).
cat > callees.py << 'END'
import json, math, sys
r = json.load(open(sys.argv[1]))
truth = {n: float(s) for n, s in (line.split() for line in open("truth"))}
got = {n: sum(f["total_samples"] for f in r["functions"] if f["name"] == n) for n in truth}
joules = {n: sum(f["total_j"] for f in r["functions"] if f["name"] == n) for n in truth}
n, own_j = r["sampling"]["samples"], r["energy"]["own_j"]
for name, seconds in truth.items():
    p = seconds / sum(truth.values())
    bound = 5 * math.sqrt(p * (1 - p) / n) + 0.01
    if abs(got[name] / n - p) > bound or abs(joules[name] / own_j - p) > bound:
        sys.exit(f"{name}: {got[name]} of {n} samples, {joules[name]} of {own_j} J, by its own word {p}")
print("yes")
END
callees() { /usr/bin/python3 callees.py "$1" 2>&1; }

profile --call-graph dwarf --json d.json --folded d.folded -- "$frameless" 1.5 > truth 2> table
check 'through qsort, a signal and twenty calls' yes "$(callees d.json)"
check 'said in the document' 'dwarf 8192' "$(json d.json '"%s %d" % (r["sampling"]["stacks"], r["sampling"]["copied_stack_bytes"])')"
check 'and in the table' 1 "$(grep -c 'stacks by DWARF' table)"
check 'the sums are exact' True "$(json d.json '(lambda nj: sum(nj(f["own_j"]) for f in r["functions"]) + nj(r["energy"]["unseen_j"]) == nj(r["energy"]["own_j"]))(lambda j: round(j * 1e9))')"
check_match 'from main to the function that is sorted by' ';main;sorter;([^;]*;)+compare;innermost [0-9]+$' "$(cat d.folded)"
check_match 'over the frame of a signal' ';main;raiser;([^;]*;)+handle;innermost [0-9]+$' "$(cat d.folded)"
check_match 'each call' ';main;(deep;){21}innermost [0-9]+$' "$(cat d.folded)"
check 'the document keeps to its schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" d.json > schema; echo $?)"
grep -v 'keep to their schemas' schema
profile --json f.json -- "$frameless" 0.3 > truth 2> err
check 'frame pointers do not find who sorts' 0 "$(json f.json 'sum(f["total_samples"] for f in r["functions"] if f["name"] == "sorter")')"

# A stripped program has no names, but it says where its functions begin, for exceptions.
cp "$helpers/functions" stripped
cp "$helpers/frameless" stripped-frameless
if strip stripped stripped-frameless 2> /dev/null && command -v nm > /dev/null; then
    profile --json s.json -- ./stripped shares 1.5 > said 2> err
    while read -r name seconds; do
        echo "[0x$(nm "$helpers/functions" | awk -v n="$name" '$3 == n { sub(/^0+/, "", $1); print $1 }')] $seconds"
    done < said > truth
    check 'functions of a stripped program by where they begin' yes "$(callees s.json)"
    check 'which are no names' True "$(json s.json 'r["sampling"]["unnamed_samples"] > 0.8 * r["sampling"]["samples"]')"
    profile --call-graph dwarf --json sf.json -- ./stripped-frameless 1 > said 2> err
    while read -r name seconds; do
        echo "[0x$(nm "$helpers/frameless" | awk -v n="$name" '$3 == n { sub(/^0+/, "", $1); print $1 }')] $seconds"
    done < said > truth
    check 'and their callers' yes "$(callees sf.json)"
    # what was split off is found beside it, as debuggers find it
    if objcopy --only-keep-debug "$helpers/functions" split.debug 2> /dev/null && cp stripped split &&
        objcopy --add-gnu-debuglink=split.debug split 2> /dev/null; then
        profile --json split.json -- ./split shares 0.5 > truth 2> err
        check 'names of a file with its debug information beside it' yes "$(callees split.json)"
    fi
else
    echo 'not tested: a stripped program (no strip or nm here)'
fi

# Depth is bounded by what is copied: said, and nothing is lost of the joules.
profile --call-graph dwarf --stack 1 --json short.json -- "$frameless" 0.5 > truth 2> err
check 'more than was copied is counted' True "$(json short.json 'r["sampling"]["short_stacks"] > 0')"
check_match 'and said' 'note: [0-9]+ stacks end before their first function' "$(cat err)"
check 'with what helps' 1 "$(grep -c -- '--stack 32' err)"
check 'all that is sampled is there' True "$(json short.json 'sum(f["own_samples"] for f in r["functions"]) == r["sampling"]["samples"]')"

# A program whose rules lie: any answer will do, but there is one.
cat > damage.py << 'END'
import random, subprocess, sys
data = bytearray(open(sys.argv[1], "rb").read())
at, size = next((int(f[4], 16), int(f[5], 16)) for f in (line.split("]", 1)[1].join(("x ", "")).split() for line in
    subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True).stdout.splitlines() if "] .eh_frame " in line))
random.seed(int(sys.argv[3]))
for _ in range(size // 8):
    data[at + random.randrange(size)] = random.randrange(256)
open(sys.argv[2], "wb").write(data)
END
if command -v readelf > /dev/null && /usr/bin/python3 damage.py "$frameless" lying 1; then
    for seed in 1 2 3; do
        /usr/bin/python3 damage.py "$frameless" lying $seed
        chmod +x lying
        profile --call-graph dwarf --json lying.json -- ./lying 0.2 > truth 2> err
        check "rules that lie ($seed)" 0 $?
        check "all samples are there ($seed)" True "$(json lying.json 'sum(f["own_samples"] for f in r["functions"]) == r["sampling"]["samples"] > 50')"
    done
else
    echo 'not tested: rules that lie (no readelf here)'
fi
check_match 'a way that is not there' 'needs fp or dwarf' "$(profile --call-graph lbr -- true 2>&1)"
finish
