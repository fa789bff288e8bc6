#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A machine whose counters follow what carbon's loads use.

calibrated.py TREE IDLE_W CPU_W STREAM_W COMMAND...

Runs the command. Meanwhile TREE's first zone has IDLE_W and, for each CPU second of a process below it with --load cpu or
--load memory, CPU_W or STREAM_W joules. TREE/late: for how long, in seconds, nothing moved at the worst.
"""
import os
import subprocess
import sys
import time

tree, idle_w, watts = sys.argv[1], float(sys.argv[2]), {"cpu": float(sys.argv[3]), "memory": float(sys.argv[4])}
path = f"{tree}/sys/class/powercap/intel-rapl:0/energy_uj"
energy_uj = float(open(path, encoding="ascii").read())
counter = os.open(path, os.O_WRONLY)
load_of, used_ns = {}, {}  # by process: what it is, once it is known; by task: what was seen of it


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def look(pid):
    """What the tasks of a process have used since the last look, in joules."""
    joules = 0.0
    try:
        if pid not in load_of:
            words = open(f"/proc/{pid}/cmdline", encoding="utf-8").read().split("\0")
            if "--load" in words:
                load_of[pid] = words[words.index("--load") + 1]
        for task in os.listdir(f"/proc/{pid}/task") if pid in load_of else []:
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                now_ns = int(file.read().split()[0])
            joules += watts[load_of[pid]] * (now_ns - used_ns.get((pid, task), 0)) / 1e9
            used_ns[pid, task] = now_ns
    except OSError:
        pass
    return joules


try:
    os.setpriority(os.PRIO_PROCESS, 0, -20)  # carbon and its loads too
except OSError:
    pass
carbon = subprocess.Popen(sys.argv[5:])
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
last, late_s = time.monotonic(), 0.0
while carbon.poll() is None:
    drawn_j = sum(look(load) for measuring in children(carbon.pid) for load in children(measuring))
    now = time.monotonic()
    energy_uj += 1e6 * (idle_w * (now - last) + drawn_j)
    os.pwrite(counter, b"%020d\n" % int(energy_uj), 0)
    late_s, last = max(late_s, now - last), now
    time.sleep(0.001)
with open(f"{tree}/late", "w", encoding="ascii") as file:
    file.write(f"{late_s}\n")
sys.exit(carbon.returncode)
