#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A machine whose counters move by themselves, with random faults; and what was true meanwhile.

world.py TREE SEED [HARM...]    until TREE/still is there: moves package-0 and dram-0 of TREE, each under a power that
    changes, and plants faults of these kinds at random moments. TREE/slept is the file for sleeper.c's $SLEPT; TREE/moving
    comes once it moves. At the end TREE/truth.json is there: what truth.py reads.

Times are nanoseconds of CLOCK_MONOTONIC, energies microjoules, powers watts.
"""
import bisect
import json
import os
import random
import sys
import time

ZONES = {"package-0": "intel-rapl:0", "dram-0": "intel-rapl:0:0"}
LEAST_W, MOST_W = 20, 80
RANGE_UJ = 262143328911
TICK_S = 0.003
MS = 10**6


class Counter:
    def __init__(self, tree, zone, chance, harms):
        self.path = f"{tree}/sys/class/powercap/{zone}/energy_uj"
        self.file = os.open(self.path, os.O_RDWR)
        self.inode = os.fstat(self.file).st_ino
        self.chance, self.harms = chance, harms
        self.raw, self.truth = float(os.pread(self.file, 64, 0)), 0.0
        self.power_w, self.power_until = 0, 0
        self.fault, self.fault_until = None, 0
        self.next_fault = 0
        self.ticks, self.truths, self.faults = [], [], []

    def plan(self, now):
        self.next_fault = now + int(self.chance.uniform(2.2, 7) * 1e9)

    def begin_fault(self, now, slept):
        kind = self.chance.choice(self.harms)
        lengths = {"freeze": (2.5, 4), "fail": (0.01, 2), "zero": (0.02, 1.2)}
        low, high = lengths.get(kind, (0, 0))
        self.fault, self.fault_until = kind, now + int(self.chance.uniform(low, high) * 1e9)
        self.faults.append([kind, now, self.fault_until])
        if kind == "reset":
            self.raw = 0
        elif kind == "jump":
            self.raw = (self.raw + self.chance.uniform(2e10, 9e10)) % RANGE_UJ
        elif kind == "sleep":
            slept()

    def step(self, now, last, slept):
        if now >= self.power_until:
            self.power_w = self.chance.uniform(LEAST_W, MOST_W)
            self.power_until = now + int(self.chance.uniform(0.1, 0.6) * 1e9)
        used_uj = self.power_w * (now - last) / 1e3
        self.truth += used_uj
        if self.fault != "freeze":
            self.raw = (self.raw + used_uj) % RANGE_UJ
        if self.fault and now >= self.fault_until:
            self.faults[-1][2] = now
            self.fault = None
            self.plan(now)
        elif self.harms and not self.fault and now >= self.next_fault:
            self.begin_fault(now, slept)
        self.ticks.append(now)
        self.truths.append(self.truth)
        if self.fault == "fail":
            os.ftruncate(self.file, 0)
        else:
            os.pwrite(self.file, b"%020d\n" % (0 if self.fault == "zero" else int(self.raw)), 0)


def move(tree, seed, harms):
    chance = random.Random(seed)
    counters = {name: Counter(tree, zone, random.Random(chance.random()), harms) for name, zone in ZONES.items()}
    slept_s = 0

    def sleep_for_a_minute():
        nonlocal slept_s
        slept_s += 60
        with open(f"{tree}/slept.new", "w", encoding="ascii") as file:
            file.write(str(slept_s))
        os.replace(f"{tree}/slept.new", f"{tree}/slept")
        for counter in counters.values():
            counter.truth += 30e6
            if counter.fault != "sleep":
                counter.faults.append(["sleep", counter.ticks[-1], time.monotonic_ns()])

    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
    except OSError:
        pass
    last = time.monotonic_ns()
    for counter in counters.values():
        counter.plan(last)
    while not os.path.exists(f"{tree}/still") and os.getppid() != 1:
        now = time.monotonic_ns()
        for counter in counters.values():
            counter.step(now, last, sleep_for_a_minute)
        last = now
        if len(counters["dram-0"].ticks) == 1:
            with open(f"{tree}/moving", "w", encoding="ascii"):
                pass
        time.sleep(TICK_S)
    offsets = sorted((time.monotonic_ns() - before, now - before) for before, now in
                     ((time.monotonic_ns(), time.time_ns()) for _ in range(100)))
    with open(f"{tree}/truth.new", "w", encoding="ascii") as file:
        json.dump({"realtime_ns": offsets[0][1],
                   "counters": {name: {"inode": c.inode, "ticks": c.ticks, "truths": c.truths, "faults": c.faults}
                                for name, c in counters.items()}}, file)
    os.replace(f"{tree}/truth.new", f"{tree}/truth.json")


class Truth:
    """What was used between two moments, and of how much of the time it may be called unknown."""

    # A sample's time is half way through its readings, and a record has whole milliseconds.
    SLACK_NS = 5 * MS
    # A freeze is told once it has lasted so long, and then from its beginning.
    BACKDATED_NS = 4 * 10**9

    def __init__(self, tree, readings):
        with open(f"{tree}/truth.json", encoding="ascii") as file:
            told = json.load(file)
        self.realtime_ns, self.counters = told["realtime_ns"], told["counters"]
        names = {counter["inode"]: name for name, counter in self.counters.items()}
        self.readings = {name: [] for name in self.counters}
        with open(readings, encoding="ascii") as lines:
            for line in lines:
                inode, time_ns = line.split()
                self.readings[names[int(inode)]].append(int(time_ns))
        self.late_ns = self.SLACK_NS

    def open_window(self, start_ns):
        """From its time of day to its opening sample a busy machine lets a while pass: as far as its readings tell."""
        after = [times[bisect.bisect_left(times, start_ns):][:1] or [start_ns] for times in self.readings.values()]
        self.late_ns = self.SLACK_NS + min(max(after)[0] - start_ns, 10**9)

    def monotonic(self, started_at):
        from datetime import datetime, timezone

        moment = datetime.strptime(started_at, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
        return int(moment.timestamp() * 1000) * MS - self.realtime_ns

    def _before(self, name, time_ns):
        counter = self.counters[name]
        return counter["truths"][max(bisect.bisect_right(counter["ticks"], time_ns) - 1, 0)]

    def _after(self, name, time_ns):
        counter = self.counters[name]
        return counter["truths"][min(bisect.bisect_right(counter["ticks"], time_ns), len(counter["ticks"]) - 1)]

    def _edge(self, time_ns):
        """Between which moments the reading was that a sample of this time has."""
        return time_ns - 2 * self.SLACK_NS, time_ns + self.late_ns + self.SLACK_NS

    def most_j(self, name, start_ns, end_ns):
        start_ns, end_ns = self._edge(start_ns)[0], self._edge(end_ns)[1]
        return (self._after(name, end_ns) - self._before(name, start_ns)) / 1e6 + 1e-5

    def least_j(self, name, start_ns, end_ns):
        start_ns, end_ns = self._edge(start_ns)[1], self._edge(end_ns)[0]
        return (self._before(name, end_ns) - self._after(name, start_ns)) / 1e6 - 1e-5

    def happened(self, name, start_ns, end_ns):
        """In words, for who looks for a fault."""
        near = [(kind, (begun - start_ns) / 1e9, (ended - start_ns) / 1e9) for kind, begun, ended in
                self.counters[name]["faults"] if begun < end_ns + 10**9 and ended > start_ns - 5 * 10**9]
        return f"{name}, {(end_ns - start_ns) / 1e9:.3f} s: " + ", ".join("%s %.3f to %.3f s" % fault for fault in near)

    def unknown_ns(self, name, start_ns, end_ns):
        """The faults and the two readings around each, as far as they lie in the window."""
        times, spans = self.readings[name], []
        for kind, begun, ended in self.counters[name]["faults"]:
            first = bisect.bisect_left(times, begun) - 2
            last = bisect.bisect_right(times, ended) + 1
            spans.append((times[first] if first >= 0 else 0, times[last] if last < len(times) else end_ns))
        spans = [(max(a, start_ns), min(b, end_ns)) for a, b in sorted(spans)]
        total, reached = 0, start_ns
        for a, b in spans:
            total += max(0, b - max(a, reached))
            reached = max(reached, b)
        return total + (2 * self.SLACK_NS if total else 0)

    def is_touched(self, name, start_ns, end_ns):
        return self.unknown_ns(name, start_ns - self.BACKDATED_NS, end_ns) > 0

    def is_frozen(self, name, start_ns, end_ns):
        return any(kind == "freeze" and begun < end_ns and ended > start_ns - self.BACKDATED_NS
                   for kind, begun, ended in self.counters[name]["faults"])


if __name__ == "__main__":
    move(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
