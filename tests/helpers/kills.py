#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kills a carbon serve at any moment, again and again, while a machine of a known energy goes on and Prometheus scrapes it.

kills.py CARBON TREE PORT STATE PROMETHEUS KILLS ARGUMENT...

After some ends the machine was started anew: another boot, and its counter at 0. Prints what was found, a line each: "WHAT:
good" or "WHAT: why it is not".
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

carbon, tree, port, state, prometheus, kills = *sys.argv[1:6], int(sys.argv[6])
options = sys.argv[7:]
POWER_W, FACTOR = 200, 0.36
url = f"http://127.0.0.1:{port}/metrics"
COUNTERS = {"package": r'carbon_energy_joules_total\{domain="package-0"[^}]*\}',
            "kilograms": r"carbon_emissions_kilograms_total\{[^}]*\}",
            "group": r'carbon_cgroup_energy_joules_total\{cgroup="/job"[^}]*\}',
            "CPU time": r'carbon_cgroup_cpu_seconds_total\{cgroup="/job"[^}]*\}'}
found = {}


def say(what, good, why=""):
    if not good:
        found.setdefault(what, str(why))
    else:
        found.setdefault(what, None)


class Machine(threading.Thread):
    """One counter of energy and one group, which always has more CPU time than there is, and so all of the energy."""

    def __init__(self):
        super().__init__(daemon=True)
        self.lock = threading.Lock()
        self.energy = os.open(f"{tree}/sys/class/powercap/intel-rapl:0/energy_uj", os.O_WRONLY)
        self.cpu = os.open(f"{tree}/sys/fs/cgroup/job/cpu.stat", os.O_WRONLY)
        self.used_uj, self.boot_uj, self.cpu_s = 0, 0, 0
        self.begun, self.running = time.monotonic(), True

    def put(self):
        self.cpu_s += 1000
        os.pwrite(self.cpu, b"usage_usec %020d\n" % (self.cpu_s * 10**6), 0)
        os.pwrite(self.energy, b"%020d\n" % (self.used_uj - self.boot_uj), 0)

    def run(self):
        while self.running:
            with self.lock:
                self.used_uj = int((time.monotonic() - self.begun) * POWER_W * 1e6)
                self.put()
            time.sleep(0.005)

    def used_j(self):
        with self.lock:
            return self.used_uj / 1e6

    def boot(self):
        with self.lock:
            with open(f"{tree}/proc/sys/kernel/random/boot_id", "w") as file:
                file.write("%032x\n" % random.getrandbits(128))
            self.boot_uj = self.used_uj
            self.put()


def scrape():
    text = urllib.request.urlopen(url, timeout=60).read().decode()
    return {name: float(line[1]) for name, sample in COUNTERS.items()
            if (line := re.search(rf"^{sample} (\S+)$", text, re.M))}


def start():
    server = subprocess.Popen([carbon, "serve", "--root", tree, "--listen", f"127.0.0.1:{port}", "--state", state, *options],
                              stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        if line.startswith("carbon: listening at"):
            return server
    sys.exit("carbon serve does not start")


def query(what, **arguments):
    answer = urllib.request.urlopen(f"{prometheus}/api/v1/query?" +
                                    urllib.parse.urlencode({"query": what, **arguments}), timeout=60)
    return json.load(answer)["data"]["result"]


def samples(what):
    result = query(f"{what}[1d]")
    return [(when, float(value)) for when, value in result[0]["values"]] if result else []


def await_prometheus(what, holds):
    patience = time.monotonic() + 300
    while not ((points := samples(what)) and holds(points[-1][1])):
        if time.monotonic() > patience:
            sys.exit(f"Prometheus does not see {what} as it is: {points[-3:]}")
        time.sleep(0.1)


def increase(what):
    """Between its first and its last sample: nothing is there for Prometheus to extrapolate."""
    points = samples(what)
    first, last = points[0][0], points[-1][0]
    return float(query(f"increase({what}[{round((last - first) * 1000)}ms])", time=f"{last:.3f}")[0]["value"][1])


def collections():
    text = urllib.request.urlopen(url, timeout=60).read().decode()
    return int(re.search(r"^carbon_collections_total (\d+)$", text, re.M)[1])


def await_rest():
    """Two collections after nothing moves any more, which have all of it."""
    wanted = collections() + 2
    while collections() < wanted:
        time.sleep(0.05)
    return scrape()


def not_back(told, answer, where):
    for name, value in answer.items():
        say(f"{name} never goes back", value >= told.get(name, 0), f"{told.get(name)} to {value} {where}")
        told[name] = value


package = 'carbon_energy_joules_total{domain="package-0"}'
kilograms = "carbon_emissions_kilograms_total"
group = 'carbon_cgroup_energy_joules_total{cgroup="/job"}'
machine = Machine()
machine.put()
server = start()
await_prometheus(package, lambda value: value == 0)
machine.begun = time.monotonic()
machine.start()
told, missing_j, down_j, boots, late_s = {}, 0.0, 0.0, 0, []
for kill in range(kills):
    until = time.monotonic() + random.uniform(0, 1.5)
    while time.monotonic() < until:
        not_back(told, scrape(), f"before kill {kill}")
        time.sleep(random.uniform(0, 0.05))
    server.send_signal(signal.SIGKILL)
    killed, killed_j = time.time(), machine.used_j()
    server.wait()
    server.stderr.close()
    with open(state) as file:
        kept = json.load(file)
    kept_j = (int(kept["domains"][0]["raw_uj"]) + machine.boot_uj) / 1e6
    time.sleep(random.uniform(0, 0.3))
    rebooted = random.random() < 0.3
    if rebooted:
        machine.boot()
    boots += rebooted
    server = start()
    answer = scrape()
    now_j = machine.used_j()
    not_back(told, answer, f"after kill {kill}")
    missing_j += now_j - kept_j if rebooted else 0
    down_j += now_j - kept_j
    late_s.append((killed_j - kept_j) / POWER_W)
machine.running = False
machine.join()
used_j = machine.used_j()
last = await_rest()
not_back(told, last, "at the end")
for what, name in ((package, "package"), (kilograms, "kilograms"), (group, "group")):
    await_prometheus(what, lambda value: value == last[name])
server.terminate()
server.wait()
figures = {name: increase(what) for name, what in (("package", package), ("kilograms", kilograms), ("group", group))}
print(f"{kills} kills, {boots} of them with another boot; {used_j:.3f} J were used, and the last collection before a kill was "
      f"{sum(late_s) / len(late_s):.3f} s old, {max(late_s):.3f} s at most")
print(f"increase(): {figures['package']:.3f} J of which {missing_j:.3f} J may be missing; of the group {figures['group']:.3f} J, "
      f"{down_j:.3f} J may; {figures['kilograms']:.6g} kg")
for name, most, may_miss in (("package", used_j, missing_j), ("kilograms", used_j / 3.6e6 * FACTOR, missing_j / 3.6e6 * FACTOR),
                             ("group", used_j, None)):
    say(f"increase() of {name} is not above the truth", figures[name] <= most * (1 + 1e-9), f"{figures[name]} of {most}")
    if may_miss is not None:
        say(f"increase() of {name} misses no more than it may", figures[name] >= (most - may_miss) * (1 - 1e-9),
            f"{figures[name]} of {most}, {may_miss}")
# A hundredth: what the counter went by between the two looks of a collection, where the group then lay idle for the next.
say("the group's total misses no more than it may", last["group"] >= (used_j - down_j) * 0.99,
    f"{last['group']} of {used_j}, {down_j}")
for what in (package, kilograms, group):
    say(f"no resets of {what.split('{')[0]}", float(query(f"resets({what}[1d])")[0]["value"][1]) == 0, "there are")
for what, why in found.items():
    print(f"{what}: {why or 'good'}")
