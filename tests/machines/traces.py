# SPDX-License-Identifier: MIT
# Recorded counters, played into a machine that `carbon measure` watches: the energy to the microjoule, wraps and resets
# told apart. Time is compressed as far as no step looks like more power than a processor can draw.
import csv
import json
import os
import sys

import machines.kinds as kinds
import machines.runs as runs

# Half of what counter.c takes for a wrap at most, since two rows may fall between two readings.
MOST_W = 900
LONG_S = 30  # traces up to this are read at each row; longer ones at both ends and every second
FASTEST = 10
QUICK_S = 3
LONG_MOST_W = 1500
# A counter does not stand still between two rows of a long trace: it is moved so often.
MOVED_S = 0.1


class Trace:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.rows = [(int(row["t_ns"]), row["domain"], row["energy_uj"]) for row in csv.DictReader(file)]
        with open(path.replace(".csv", ".expected.json"), encoding="utf-8") as file:
            self.expected = json.load(file)
        self.name = os.path.basename(path)[: -len(".csv")]
        if self.name == "trace":
            self.name = "case-" + os.path.basename(os.path.dirname(path))
        self.domains = list(self.expected["domains"])
        self.duration_s = (self.rows[-1][0] - self.rows[0][0]) / 1e9
        first = self.domains[0]
        times = [t for t, domain, _ in self.rows if domain == first]
        self.spacing_s = (times[1] - times[0]) / 1e9
        self.sampled = self.duration_s <= LONG_S and len(times) > 3
        self.seconds = self.play_seconds()
        self.interval_s = max(0.01, self.spacing_s * self.seconds / self.duration_s)

    def most_j(self):
        return max((of["energy_uj"] or 0) / 1e6 for of in self.expected["domains"].values())

    def steepest_w(self):
        """The highest power between two rows, which no look may find above what a package can draw."""
        steepest, last = 0, {}
        for t_ns, domain, value in self.rows:
            if value[0] == "E":
                continue
            if domain in last and int(value) > last[domain][1]:
                steepest = max(steepest, (int(value) - last[domain][1]) * 1e3 / (t_ns - last[domain][0]))
            last[domain] = (t_ns, int(value))
        return steepest

    def play_seconds(self):
        if not self.sampled:
            return max(1, self.most_j() / LONG_MOST_W, self.duration_s * self.steepest_w() / LONG_MOST_W)
        return max(self.duration_s / FASTEST, 1, self.most_j() / MOST_W)

    def zone(self, dest, domain):
        return f"{dest}/sys/class/powercap/intel-rapl:{self.domains.index(domain)}"

    def lay(self, dest):
        """One package for each domain, which stands where the trace begins."""
        for domain in self.domains:
            zone = self.zone(dest, domain)
            os.makedirs(zone)
            first = next(value for _, of, value in self.rows if of == domain)
            name = domain if domain.startswith("package-") else "package-0"
            for file, text in (
                ("name", name),
                ("energy_uj", f"{int(first):020d}"),
                ("max_energy_range_uj", self.expected["domains"][domain]["max_energy_range_uj"]),
            ):
                with open(f"{zone}/{file}", "w", encoding="utf-8") as out:
                    out.write(f"{text}\n")
        os.makedirs(f"{dest}/proc")
        dies = "-die-" in self.domains[-1]
        with open(f"{dest}/proc/cpuinfo", "w", encoding="utf-8") as out:
            out.write(f"processor\t: 0\nvendor_id\t: {'AuthenticAMD' if dies else 'GenuineIntel'}\ncpu family\t: 23\n")

    def between(self, domain, last, seconds, value):
        """Where the counter is between two rows of a long trace."""
        if self.sampled or not last or "E" in (value[0], last[1][0]):
            return
        modulus = int(self.expected["domains"][domain]["max_energy_range_uj"]) + 1
        used = (int(value) - int(last[1])) % modulus
        steps = int((seconds - last[0]) / MOVED_S)
        for step in range(1, steps):
            part = step / steps
            yield last[0] + (seconds - last[0]) * part, (int(last[1]) + int(used * part)) % modulus

    def plan(self, dest):
        speed = self.duration_s / self.seconds
        lines, last = [], {}
        for t_ns, domain, value in self.rows:
            seconds = (t_ns - self.rows[0][0]) / 1e9 / speed
            moves = list(self.between(domain, last.get(domain), seconds, value))
            for at, number in moves + [(seconds, "denied" if value[0] == "E" else value)]:
                lines.append((at, f"{self.zone(dest, domain)}/energy_uj {number}\n"))
            last[domain] = (seconds, value)
        return "".join(f"{at} {move}" for at, move in sorted(lines, key=lambda line: line[0]))


def check_domain(checks, trace, domain, record):
    of = trace.expected["domains"][domain]
    path = f"sys/class/powercap/intel-rapl:{trace.domains.index(domain)}"
    state = runs.of_domain(record, path)[0]
    gross_j = state["gross_j"]["mean"]
    slack_uj = trace.expected["tolerance_uj"] + of["wraps"] * trace.expected["tolerance_uj_per_wrap"]
    if of["energy_uj"] is None:
        checks.equal(f"{domain} is unknown", None, gross_j)
    elif gross_j is None:
        checks.equal(f"{domain} has energy", of["energy_uj"], None)
    else:
        off_uj = round(gross_j * 1e6) - of["energy_uj"]
        checks.equal(f"{domain}: off by {off_uj} of {of['energy_uj']} uJ", True, abs(off_uj) <= slack_uj)
    checks.equal(f"{domain}: wraps", of["wraps"], state["wraps"])
    return state


def check_events(checks, trace, record, states):
    found = kinds.of_record(record)
    resets = 1 if trace.name == "driver-reload-reset" else 0
    checks.equal("resets", resets, sum(state["resets"] for state in states))
    checks.equal("gaps that could hide a wrap", 0, sum(state["ambiguous_gaps"] for state in states))
    if resets:
        checks.equal("the reset is told", True, "reset" in found)
    missed = any(value[0] == "E" for _, _, value in trace.rows)
    checks.equal("missed reads", missed, any(state["missed_reads"] for state in states))
    if missed:
        checks.equal("missed reads are told", True, "gaps" in found)
    if any(of["energy_uj"] is None for of in trace.expected["domains"].values()):
        checks.equal("standing still is told", True, "not-moving" in found)
    if "machine_total_uj" in trace.expected:
        total_uj = round(record["gross_j"]["mean"] * 1e6)
        checks.equal("one counter, counted once", trace.expected["machine_total_uj"], total_uj)


def check_trace(checks, carbon, dest, trace):
    """Returns what was measured, in words."""
    trace.lay(dest)
    plan = dest + ".plan"
    with open(plan, "w", encoding="utf-8") as out:
        out.write(trace.plan(dest))
    options = ["--samples", dest + ".csv", "--interval", f"{trace.interval_s:.4f}"] if trace.sampled else []
    job = [sys.executable, "-B", runs.PLAY, plan]
    status, said, record = runs.measure([carbon], dest, dest + ".json", job, *options)
    checks.equal("status", 0, status)
    if not record:
        checks.equal("a record", "", said)
        return "-"
    states = [check_domain(checks, trace, domain, record) for domain in trace.domains]
    check_events(checks, trace, record, states)
    gross_j = record["gross_j"]["mean"]
    return "unknown" if gross_j is None else f"{gross_j:.6f} J"
