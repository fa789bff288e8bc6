#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What carbon profile uses of the CPU at 99 Hz beside the job itself, and what perf record does: profile.py CARBON TREE FUNCTIONS

A job of known CPU time (tests/helpers/functions.c), short and long, in turns: what a second of it costs more, and the rest once.
"""
import resource
import shutil
import statistics
import subprocess
import sys

carbon, tree, functions = sys.argv[1:4]
SHORT_S, LONG_S, TURNS = 1, 11, 3
ways = {
    "carbon profile, a meter read every 15 ms": [carbon, "profile", "--no-ledger", "--quiet", "--baseline", "0", "--root", tree,
                                                "--json", f"{tree}/profile.json", "--"],
    "carbon profile, by the model": [carbon, "profile", "--no-ledger", "--quiet", "--baseline", "0", "--source", "model",
                                     "--json", f"{tree}/profile.json", "--"],
}
ways["carbon profile, stacks by DWARF"] = [*ways["carbon profile, by the model"][:-1], "--call-graph", "dwarf", "--"]
if shutil.which("perf"):
    ways["perf record -g"] = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "99", "-g", "-o", f"{tree}/perf.data", "--"]


def beside_s(way, seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([*way, functions, "shares", str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    job = sum(float(line.split()[1]) for line in said.splitlines() if len(line.split()) == 2)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - job


costs = {name: ([], []) for name in ways}
for _ in range(TURNS):
    for name, way in ways.items():
        for which, seconds in enumerate((SHORT_S, LONG_S)):
            costs[name][which].append(beside_s(way, seconds))
for name, (short, long) in costs.items():
    slope = (statistics.median(long) - statistics.median(short)) / (LONG_S - SHORT_S)
    print(f"{name:42} {100 * slope:6.2f} % of the job's CPU time, and once {statistics.median(short) - slope * SHORT_S:.3f} s")
