#!/bin/bash
# SPDX-License-Identifier: MIT
# Own energy of pieces of Python programs by a model, beside others that keep every CPU busy: CPU time by the watts of a busy CPU.
. "$(dirname "$0")/../lib.sh"

python=/usr/bin/python3
"$python" -c 'import sys, ctypes; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || skip 'no Python of 3.9 or later with ctypes'
CARBON_LIBRARY=$builddir/.libs/libcarbon.so.1
[ -e "$CARBON_LIBRARY" ] || skip 'libcarbon is not built as a shared library'
! grep -qE '__(asan|tsan)_init' "$CARBON_LIBRARY" || skip 'a library with sanitizers cannot be loaded into Python'
export CARBON_LIBRARY PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1

# What the process and its children used, by getrusage; the slope between the powers that carbon names of the idle and the full machine
cat > pieces.py << 'END'
import json, os, re, resource, sys
import carbon

def used_s():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in both)

def spin(seconds):
    until = used_s() + seconds
    while used_s() < until:
        pass

UNIT = {"W": 1, "mW": 1e-3, "µW": 1e-6}
powers = [re.search(r"([\d.]+) (\S*W) idle to ([\d.]+) (\S*W) busy", notice["what"]) for notice in json.load(open("m.json"))["notices"]
          if notice["what"].startswith("the power of ")]
slope_w = sum(float(p[3]) * UNIT[p[4]] - float(p[1]) * UNIT[p[2]] for p in powers) / int(sys.argv[2])
with carbon.Meter("FR", source="model") as meter:
    def ratio(work):
        before, start = used_s(), meter.now()
        work()
        energy = meter.since(start)
        return energy.own_j / (slope_w * (used_s() - before)), energy
    long, energy = ratio(lambda: spin(0.6))
    short, _ = ratio(lambda: spin(0.03))
    child, _ = ratio(lambda: os.waitpid(os.spawnv(os.P_NOWAIT, sys.argv[1], [sys.argv[1], "spin", "0.4"]), 0))
    json.dump({"long": long, "short": short, "child": child, "piece": energy.to_dict(), "shown": energy._repr_html_()},
              open("said.json", "w"))
    json.dump(energy.to_dict(), open("piece.json", "w"))
END
"$carbon" measure --quiet --source model --baseline 0 --json m.json -- true 2> /dev/null
full
"$python" pieces.py "$helpers/act" "$(nproc)"
check 'it ran' 0 $?
not_full
for name in long short child; do
    check "$name: CPU time by getrusage × the slope of the full machine" True "$(json said.json "abs(r['$name'] - 1) < 0.1 or r['$name']")"
done
check 'by CPU time, within the range' 'cpu-time True' \
    "$(json said.json 'r["piece"]["own_method"] + " " + str(r["piece"]["own_low_j"] < r["piece"]["own_j"] < r["piece"]["own_high_j"])')"
check 'its emissions' True "$(json said.json 'abs(r["piece"]["own_kgco2eq"] / (r["piece"]["own_j"] / 3.6e6 * r["piece"]["facts"]["kgco2eq_per_kwh"]) - 1) < 1e-9')"
check_match 'it is shown first' 'energy, own \(by cpu-time\).*energy, gross' "$(json said.json 'r["shown"]')"
check 'a record keeps to its schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" piece.json > said 2>&1; status=$?; [ $status = 77 ] && status=0; echo $status)" ||
    cat said
finish
