#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A machine of four CPUs whose powers are known, beside a real job.

neighbours.py TREE IDLE_W JOB_W OTHERS_W    moves the counter of TREE's zone and its proc/stat until TREE/still is there

Each CPU second of the process that TREE/job.pid names draws JOB_W, each of the others OTHERS_W, and TREE/others says how
many CPUs those keep busy: of several numbers each for 0.4 s in turn, and no more than the job leaves. What the job drew is
in TREE/truth at the end: joules, and CPU seconds.
"""
import os
import sys
import time

tree, idle_w, job_w, others_w = sys.argv[1], *map(float, sys.argv[2:])
CPUS, TICKS, TURN_S = 4, os.sysconf("SC_CLK_TCK"), 0.4


def numbers(path, default):
    try:
        with open(path, encoding="ascii") as file:
            return [float(word) for word in file.read().split()] or default
    except (OSError, ValueError):
        return default


def number(path, default):
    return numbers(path, [default])[0]


path = f"{tree}/sys/class/powercap/intel-rapl:0/energy_uj"
energy_uj, busy_s, job_s, seen_s, job = number(path, 0), 0.0, 0.0, 0.0, None
counter, stat = os.open(path, os.O_WRONLY), os.open(f"{tree}/proc/stat", os.O_WRONLY | os.O_CREAT, 0o644)
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
begun = last = time.monotonic()
all_others = [0]
while not os.path.exists(f"{tree}/still") and os.getppid() != 1:
    all_others = numbers(f"{tree}/others", all_others)
    pid = number(f"{tree}/job.pid", None)
    if pid != job:
        job, seen_s = pid, 0.0
    used_s = number(f"/proc/{int(job)}/schedstat", seen_s * 1e9) / 1e9 if job else 0.0
    now = time.monotonic()
    others = all_others[int((now - begun) / TURN_S) % len(all_others)]
    others = min(others, CPUS - (used_s - seen_s) / (now - last))
    energy_uj += 1e6 * (idle_w * (now - last) + job_w * (used_s - seen_s) + others_w * others * (now - last))
    busy_s += used_s - seen_s + others * (now - last)
    job_s += used_s - seen_s
    seen_s, last = used_s, now
    idle_s = max(0, CPUS * (now - begun) - busy_s)
    os.pwrite(stat, b"cpu  %020d 0 0 %020d 0 0 0 0 0 0\n" % (int(busy_s * TICKS), int(idle_s * TICKS)), 0)
    os.pwrite(counter, b"%020d\n" % int(energy_uj), 0)
    if not os.path.exists(f"{tree}/moving"):
        open(f"{tree}/moving", "w", encoding="ascii").close()
    time.sleep(0.001)
with open(f"{tree}/truth", "w", encoding="ascii") as file:
    file.write(f"{job_w * job_s} {job_s}\n")
os.unlink(f"{tree}/still")
