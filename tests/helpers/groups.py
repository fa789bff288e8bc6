#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A machine of one CPU whose powers are known, for carbon serve and carbon top.

groups.py TREE IDLE_W CPU_W    moves the package's counter, proc/stat and the groups' cpu.stat of TREE until TREE/still is there

TREE/busy says how much of the CPU is busy in all; the group /a has half of that, a process 11 "worker" a half, too, and a
process 12 "a) b" a quarter. TREE/joules says at the end what the package used since the counter was 0.
"""
import os
import sys
import time

tree, idle_w, cpu_w = sys.argv[1], *map(float, sys.argv[2:])
TICKS = os.sysconf("SC_CLK_TCK")


def opened(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)


counter, stat = opened(f"{tree}/sys/class/powercap/intel-rapl:0/energy_uj"), opened(f"{tree}/proc/stat")
group = opened(f"{tree}/sys/fs/cgroup/a/cpu.stat")
processes = [(opened(f"{tree}/proc/{pid}/stat"), pid, name, part) for pid, name, part in ((11, "worker", 2), (12, "a) b", 4))]
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
begun = last = time.monotonic()
busy_s = energy_j = 0.0
while not os.path.exists(f"{tree}/still") and os.getppid() != 1:
    with open(f"{tree}/busy", encoding="ascii") as file:
        busy = float(file.read() or 0)
    now = time.monotonic()
    busy_s += busy * (now - last)
    energy_j += (idle_w + cpu_w * busy) * (now - last)
    last = now
    ticks = (int(busy_s * TICKS), TICKS + int((now - begun - busy_s) * TICKS))  # it has run for a second
    os.pwrite(stat, b"cpu  %012d 0 0 %012d 0 0 0 0 0 0\ncpu0 %012d 0 0 %012d 0 0 0 0 0 0\n" % (ticks + ticks), 0)
    os.pwrite(counter, b"%020d\n" % int(energy_j * 1e6), 0)
    os.pwrite(group, b"usage_usec %020d\n" % int(busy_s / 2 * 1e6), 0)
    for file, pid, name, part in processes:
        line = "%d (%s) R 1 1 1 0 -1 0 0 0 0 0 %012d 0 0 0 20 0 1 0 %d 0\n" % (pid, name, busy_s / part * TICKS, 100 + pid)
        os.pwrite(file, line.encode(), 0)
    open(f"{tree}/moving", "w", encoding="ascii").close()
    time.sleep(0.002)
with open(f"{tree}/joules", "w", encoding="ascii") as file:
    file.write(str(energy_j))
