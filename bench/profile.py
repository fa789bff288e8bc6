#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What carbon profile costs a job at 99 Hz, and what perf record does: profile.py CARBON TREE FUNCTIONS [ROUNDS [TURNS]]

CPU time alone is compared, in turns, so that a busy machine does not matter; the job is tests/helpers/functions.c. A cost has
two parts:

- in processes of its own: what all processes together use beside the job itself, of a short and a long job, so that what comes
  once (the start, the names of functions at the end) is told apart;
- in the job: the kernel takes the samples in the job's time. Of the same work that is too little to be seen at 99 Hz among what
  CPU time varies by, so that the work is sampled MANY times as often, and the difference divided by it.
"""
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys

carbon, tree, functions = sys.argv[1:4]
HZ, MANY, MANY_COPIES = 99, 100, 20
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 40
TURNS = int(sys.argv[5]) if len(sys.argv) > 5 else 5
SHORT_S, LONG_S = 0.5, 8.5
WORK = ["rounds", "2500", "20"]  # some 0.4 s, 20 calls deep
profile = [carbon, "profile", "--no-ledger", "--quiet", "--baseline", "0", "--json", f"{tree}/profile.json"]


def perf(hz):
    return ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(hz), "-g", "-o", f"{tree}/perf.data", "--"]


ways = {
    "carbon profile, by the model": (MANY, lambda hz: [*profile, "--source", "model", "--frequency", str(hz), "--ring", "4096", "--"]),
    "carbon profile, a meter read every 15 ms": (MANY, lambda hz: [*profile, "--root", tree, "--frequency", str(hz), "--ring", "4096",
                                                                  "--"]),
    "carbon profile --call-graph dwarf": (MANY_COPIES, lambda hz: [*profile, "--source", "model", "--call-graph", "dwarf", "--ring",
                                                                   "4096", "--frequency", str(hz), "--"]),
}
if shutil.which("perf"):
    ways["perf record -g"] = (MANY, perf)


def run(way, *job):
    """CPU seconds of all processes, and of the job by its own word"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([*way, functions, *job], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    job_s = sum(float(line.split()[1]) for line in said.splitlines() if len(line.split()) == 2)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, job_s


def beside(way):
    """Parts of the job's CPU time, one a turn, and the seconds that come once"""
    slopes, once_s = [], []
    for _ in range(TURNS):
        short_s, long_s = (all_s - job_s for all_s, job_s in (run(way, "shares", str(s)) for s in (SHORT_S, LONG_S)))
        slopes.append((long_s - short_s) / (LONG_S - SHORT_S))
        once_s.append(short_s - slopes[-1] * SHORT_S)
    return slopes, statistics.median(once_s)


def middle(values):
    """The median with its 95 % interval (bootstrap)"""
    chance = random.Random(1)
    middles = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(2000))
    return statistics.median(values), middles[50], middles[1949]


within = {name: [] for name in ways}
for _ in range(ROUNDS):
    for name, (many, way) in ways.items():
        base_s = run([], *WORK)[1]
        within[name].append((run(way(many * HZ), *WORK)[1] / base_s - 1) / many)
print(f"{os.cpu_count()} CPUs, load {' '.join(f'{load:.1f}' for load in os.getloadavg())}; {ROUNDS} pairs of each, 95 % intervals")
for name, (many, way) in ways.items():
    slopes, once_s = beside(way(HZ))
    parts = [[100 * value for value in middle(values)] for values in (slopes, within[name])]
    print(f"{name:42} {parts[0][0] + parts[1][0]:6.3f} % of the job's CPU time: {parts[0][0]:.3f} % beside it "
          f"({parts[0][1]:.3f} to {parts[0][2]:.3f}), {parts[1][0]:.3f} % in it ({parts[1][1]:.3f} to {parts[1][2]:.3f}); "
          f"once {once_s:.3f} s", flush=True)
