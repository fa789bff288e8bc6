#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions of Python by name (-X perf) in a Debian 13, whose Python 3.13 has no frame pointers: its root is another
# one than carbon's. CARBON_TRIXIE=FOLDER is such a system; CARBON_TRIXIE=make makes one once, in build/test.
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" = 0 ] || skip 'not root: nothing can be run in another root'
system=${CARBON_TRIXIE:-$abs_builddir/test/trixie-python}
if [ "$system" = make ]; then
    system=$abs_builddir/test/trixie-python
    command -v debootstrap > /dev/null || skip 'no debootstrap'
    # The packages come from where this machine has its own.
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 2> /dev/null | awk '$2 ~ /^[a-z]+$/ { print $1; exit }')
    mkdir -p "${system%/*}"
    [ -e "$system" ] || { debootstrap --variant=minbase --include=python3-minimal trixie "$system.partial" ${mirror:+"$mirror"} > made 2>&1 &&
        mv "$system.partial" "$system"; } || skip "debootstrap cannot make a Debian 13 here: $(tail -n 1 made)"
fi
[ -x "$system/usr/bin/python3" ] || skip 'no Debian 13 is here (CARBON_TRIXIE=make makes one)'

job=tmp/carbon-profile-job.$$.py
cat > "$system/$job" << 'END'
import time

def slow():
    s = 0
    for i in range(300000):
        s += i

def quick():
    s = 0
    for i in range(100000):
        s += i

sums = {slow: 0.0, quick: 0.0}
while sum(sums.values()) < 1.5:
    for f in sums:
        before = time.thread_time()
        f()
        sums[f] += time.thread_time() - before
for f, used in sums.items():
    print(f"py::{f.__name__}:/{__file__.lstrip('/')} {used}")
END
profile() { "$carbon" profile --no-ledger --baseline 0 --frequency 999 "$@"; }
profile --call-graph dwarf --json python.json -- chroot "$system" python3 -X perf "/$job" > truth 2> err
status=$?
rm -f "$system/$job"
grep -q 'perf_event_open\|cannot be found by DWARF' err && skip "$(head -n 1 err)"
check 'it ran' 0 $status
cat > callees.py << 'END'
import json, math
r = json.load(open("python.json"))
truth = {n: float(s) for n, s in (line.rsplit(" ", 1) for line in open("truth"))}
got = {n: sum(f["total_samples"] for f in r["functions"] if f["name"] == n) for n in truth}
joules = {n: sum(f["total_j"] for f in r["functions"] if f["name"] == n) for n in truth}
n = sum(got.values())
if n < 0.8 * r["sampling"]["samples"]:
    print(f"{n} of {r['sampling']['samples']} samples in {got}")
for name, seconds in truth.items():
    p = seconds / sum(truth.values())
    bound = 5 * math.sqrt(p * (1 - p) / n) + 0.01
    if abs(got[name] / n - p) > bound or abs(joules[name] / sum(joules.values()) - p) > bound:
        print(f"{name}: {got[name]} of {n} samples, {joules[name]} J of {joules}, by its own word {p}")
END
check 'two functions of Python' '' "$(/usr/bin/python3 callees.py 2>&1)"
check 'files of both roots are found' '' "$(grep 'another file has its name' err)"
check 'Python itself has the names of its file' True "$(json python.json 'any(f["name"].startswith("_PyEval") and f["library"].startswith("python3.") for f in r["functions"])')"
finish
