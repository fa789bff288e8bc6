# SPDX-License-Identifier: MIT
# One virtual machine as the cells see it: what its processor has, what guest.sh left, and what was found wrong.
import json
import os
import re

CELLS = []
# What guest.sh sets for package 0 in W; package n draws n + 1 times as much.
STEADY_W = {"package": 20, "cores": 10, "uncore": 1, "memory": 4, "platform": 30}
ORDER = list(STEADY_W)
# How far the moment of a domain's own read may be from that of the sample, in a machine that is emulated: it takes longest
# to come to the first, and longer yet where the processor was taken from it between two reads.
EDGES_S = 0.02


def cell(title):
    """A row of the matrix; its function returns False where the machine has no such thing."""
    def add(function):
        CELLS.append((title, function))
        return function
    return add


def near(is_, should, part=0.01, slack=0.0):
    return is_ is not None and abs(is_ - should) <= part * abs(should) + slack


def edges_s(window):
    return max(EDGES_S, 2 * window["reading_s"])


class Machine:
    def __init__(self, line, out, expect):
        self.name, self.cpu, sockets, amd, units, powercap, perf = line.split()
        self.packages, self.amd, self.expect = int(sockets), amd == "1", expect
        self.unit = dict(zip(ORDER, map(int, units.split(","))))
        self.domains = {"powercap": powercap.split(","), "perf": perf.split(",")}
        self.out = f"{out}/{self.name}"
        self.problems = []

    def check(self, what, good, *seen):
        if not good:
            self.problems.append("\n   ".join([what, *map(str, seen)]))
        return good

    def has(self, name):
        return os.path.exists(f"{self.out}/{name}")

    def text(self, name):
        with open(f"{self.out}/{name}") as file:
            return file.read()

    def record(self, name):
        return json.loads(self.text(name + ".json"))

    def counters(self, name):
        return {key: int(value) for key, value in (line.split() for line in self.text(name).splitlines())}

    def told(self, name, status, *patterns):
        """The exit status, and each pattern in the messages."""
        self.check(f"{name}: status {status}", self.text(name + ".status").strip() == str(status),
                   self.text(name + ".status"), self.text(name + ".err"))
        for pattern in patterns:
            self.check(f"{name}: says {pattern}", re.search(pattern, self.text(name + ".err")), self.text(name + ".err"))

    def noticed(self, name, pattern):
        """The notices of the record that match."""
        notices = [" ".join(map(str, (n["what"], n["why"]))) for n in self.record(name)["notices"]]
        return [n for n in notices if re.search(pattern, n)]

    def noticed_of(self, name, domain, pattern):
        """The same of a domain, which % stands for: it is named, or one of those that '; 3 more are like that' counts."""
        return (self.noticed(name, pattern.replace("%", re.escape(domain["name"]))) or
                self.noticed(name, pattern.replace("%", r"\S+") + r".*; \d+ more are like that"))

    def step_uj(self, source, component):
        """One unit of the register in this driver's microjoules: powercap cuts off below a nanojoule, and takes 15.3 uJ
        for the 2^-16 J of a server's memory."""
        if source == "perf":
            return 2 ** -self.unit[component] * 1e6
        if component == "memory" and self.unit[component] != self.unit["package"]:
            return 15.3
        return 10**9 // 2 ** self.unit[component] / 1000

    def rate(self, source, component):
        """This driver's joules for one of the register's."""
        return self.step_uj(source, component) / (2 ** -self.unit[component] * 1e6)

    def watts(self, domain, power_w):
        """What a domain of the record draws, as its driver tells it."""
        return (power_w[domain["component"]] * ((domain["package"] or 0) + 1) *
                self.rate(domain["source"], domain["component"]))

    def readable(self, name, source):
        """Each readable domain of the source with its index; there must be those that the machine's line names."""
        found = [(i, d) for i, d in enumerate(self.record(name)["domains"]) if d["source"] == source and not d["problem"]]
        for component in self.domains[source]:
            seen = sorted(d["package"] or 0 for _, d in found if d["component"] == component)
            self.check(f"{name}: {source} has {component} of {self.packages} packages",
                       seen == list(range(self.packages)), seen)
        self.check(f"{name}: {source} has nothing else",
                   {d["component"] for _, d in found} == set(self.domains[source]), [d["name"] for _, d in found])
        return found

    def counted(self, name):
        """What is counted: package and memory of the most trusted source, once."""
        r = self.record(name)
        found = [d for d in r["domains"] if d["counted"]]
        source = found[0]["source"]
        should = sorted((c, p) for c in self.domains[source] if c in ("package", "memory") for p in range(self.packages))
        self.check(f"{name}: each package and its memory count once, of {source}",
                   sorted((d["component"], d["package"]) for d in found) == should and
                   {d["source"] for d in found} == {source}, [(d["source"], d["name"]) for d in found])
        return found

    def total_w(self, name, power_w):
        return sum(self.watts(d, power_w) for d in self.counted(name))

    def total_is(self, name, power_w, part=0.005):
        """The energy of the runs is what was set times their duration, but for a part of it: so many joules."""
        r = self.record(name)
        total_w = self.total_w(name, power_w)
        total_j = total_w * r["duration_s"]["mean"]
        self.check(f"{name}: the total is the packages with their memory",
                   near(r["gross_j"]["mean"], total_j, part, total_w * max(map(edges_s, r["windows"]["runs"]))),
                   r["gross_j"]["mean"], total_j)
        return total_j

    def run(self, name):
        return self.record(name)["windows"]["runs"][0]

    def series(self, name):
        """The time series: one dictionary a row, unknown values None."""
        lines = self.text(name + ".csv").splitlines()
        return [dict(zip(lines[0].split(","), (x or None for x in line.split(",")))) for line in lines[1:]]
