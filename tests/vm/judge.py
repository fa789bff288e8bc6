# SPDX-License-Identifier: MIT
# judge.py OUT: whether what guest.sh left in OUT is right: each energy against the kernel's own counters and against
# the power that was set, each refusal with its reason.
import json
import os
import re
import sys

OUT = sys.argv[1]
# What guest.sh sets for package 0; package n draws n + 1 times as much.
STEADY_W = {"package": 20, "cores": 10, "uncore": 1, "memory": 4, "platform": 30}
NET_W = {"package": 20, "cores": 10, "uncore": 0, "memory": 5, "platform": 20}
# The kernel's powercap driver takes 15.3 uJ for the 2^-16 J of a server's memory.
POWERCAP_MEMORY = 15.3 / (2**-16 * 1e6)
IDLE_W = {"package": 10, "cores": 5, "uncore": 1, "memory": 2, "platform": 20}
REGISTER = {"package": "0x611", "memory": "0x619", "cores": "0x639"}
UNIT_J = {"package": 2**-14, "memory": 2**-16, "cores": 2**-14}
checks = failures = 0


def check(what, good, *seen):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED", what, *seen, sep="\n   ")


def text(name):
    with open(f"{OUT}/{name}") as file:
        return file.read()


def record(name):
    return json.loads(text(name + ".json"))


def counters(name):
    return {key: int(value) for key, value in (line.split() for line in text(name).splitlines())}


def rate(domain):
    return POWERCAP_MEMORY if (domain["source"], domain["component"]) == ("powercap", "memory") else 1


def near(is_, should, part=0.01):
    return is_ is not None and abs(is_ - should) <= part * abs(should)


def told(what, name, status, *patterns):
    """The exit status, and each pattern in the messages."""
    good = text(name + ".status").strip() == str(status)
    check(f"{what}: status {status}", good, text(name + ".status"), text(name + ".err"))
    for pattern in patterns:
        check(f"{what}: says {pattern}", re.search(pattern, text(name + ".err")), text(name + ".err"))
    return good


def domains(name, source):
    """Each readable domain of the source: number, description, times as much as package 0."""
    found = [(i, d) for i, d in enumerate(record(name)["domains"]) if d["source"] == source and not d["problem"]]
    for component in ("package", "memory"):
        check(f"{name}: {component} of both packages counts",
              sorted(d["package"] for _, d in found if d["component"] == component and d["counted"]) == [0, 1], found)
    for i, d in found:
        times = d["package"] + 1 if d["package"] is not None else None
        yield i, d, times


def run_uj(name):
    return record(name)["windows"]["runs"][0]["energy_uj"]


def steady(name, source):
    if not told(name, name, 0):
        return
    r = record(name)
    check(f"{name}: measured", r["quality"] == "measured", r["quality"])
    for i, d, times in domains(name, source):
        if d["component"] == "platform":
            continue
        for run in r["windows"]["runs"] + r["windows"]["baselines"]:
            should = STEADY_W[d["component"]] * times * run["duration_s"] * 1e6 * rate(d)
            check(f"{name}: {d['name']} is power x time", near(run["energy_uj"][i], should),
                  run["energy_uj"][i], should)
        check(f"{name}: {d['name']} at rest", near(d["idle_w"], STEADY_W[d["component"]] * times * rate(d)),
              d["idle_w"])
    total = 3 * (STEADY_W["package"] + STEADY_W["memory"]) * r["duration_s"]["mean"]
    check(f"{name}: the total is both packages with their memory", near(r["gross_j"]["mean"], total),
          r["gross_j"]["mean"], total)
    check(f"{name}: nothing above rest", abs(r["net_j"]["mean"]) <= 0.01 * total, r["net_j"]["mean"])


def exact_powercap(name, wraps):
    if not told(name, name, 7):
        return
    before, after, uj = counters(name + ".before"), counters(name + ".after"), run_uj(name)
    for i, d, _ in domains(name, "powercap"):
        should, slack = after[d["path"]] - before[d["path"]], 0
        if wraps:
            # The register's own steps, modulo 2^32; the kernel rounds each counter down to 1 uJ.
            step = 15.3 if d["component"] == "memory" else 61.035
            steps = round(after[d["path"]] / step) - round(before[d["path"]] / step)
            should, slack = steps % 2**32 * step, 2
        check(f"{name}: {d['name']} to the unit", uj[i] is not None and abs(uj[i] - should) <= slack, uj[i], should)
        check(f"{name}: {d['name']} wraps", d["wraps"] == wraps, d["wraps"])
        check(f"{name}: {d['name']} moved", should > 500000, should)
    r = record(name)
    counted = sum(uj[i] for i, d in enumerate(r["domains"]) if d["counted"])
    check(f"{name}: the total adds up", abs(r["gross_j"]["mean"] * 1e6 - counted) < 0.5, r["gross_j"]["mean"], counted)


def exact_perf(name):
    if not told(name, name, 7):
        return
    before, after, uj = counters(name + ".before"), counters(name + ".after"), run_uj(name)
    for i, d, times in domains(name, "perf"):
        register = f"cpu{times - 1}/{REGISTER[d['component']]}"
        should = ((after[register] - before[register]) % 2**32) * UNIT_J[d["component"]] * 1e6
        check(f"{name}: {d['name']} to the unit", uj[i] is not None and abs(uj[i] - should) < 1, uj[i], should)
        check(f"{name}: {d['name']} moved", should > 500000, should)


def net():
    if not told("net", "net", 0):
        return
    begun, ended = map(float, text("net.out").split())
    r = record("net")
    for _, d, times in domains("net", "powercap"):
        if d["component"] == "platform":
            continue
        should = NET_W[d["component"]] * times * (ended - begun) * rate(d)
        idle = IDLE_W[d["component"]] * times * r["duration_s"]["mean"] * rate(d)
        check(f"net: {d['name']}", abs(d["net_j"]["mean"] - should) <= 0.01 * (should + idle),
              d["net_j"]["mean"], should)
        check(f"net: {d['name']} at rest", near(d["idle_j"]["mean"], idle), d["idle_j"]["mean"], idle)
    should = 3 * (NET_W["package"] + NET_W["memory"]) * (ended - begun)
    check("net: the total", near(r["net_j"]["mean"], should), r["net_j"]["mean"], should)


def unreadable():
    if not told("unreadable", "unreadable", 0):
        return
    r = record("unreadable")
    check("a register that fails is unknown, not 0", r["gross_j"]["mean"] is None, r["gross_j"])
    check("and noticed", r["notices"] and r["counted_unknown"] == 4, r["notices"], r["counted_unknown"])


def ordinary_user():
    told("powercap as an ordinary user", "refused-powercap", 125, r"/sys/class/powercap/", r"(?i)permission denied",
         r"fix: .")
    told("perf as an ordinary user", "refused-perf", 125, r"perf_event_paranoid is [23]", r"CAP_PERFMON", r"fix: .")
    told("--require-measured as an ordinary user", "refused-measured", 125, r"(?i)denied|paranoid", r"fix: .")
    check("what is refused is not run", not os.path.exists(f"{OUT}/ran"))
    for what, name, quality in (
        ("what no counter says is modelled", "modelled", "modelled"),
        ("CAP_PERFMON helps", "capable", "measured"),
        ("the group of the counters helps", "grouped", "measured"),
    ):
        if told(what, name, 0):
            check(what, record(name)["quality"] == quality, record(name)["quality"])


def sources():
    check("sources: status 0", text("sources.status") == "0\n" and text("sources-user.status") == "0\n")
    for source in ("powercap", "perf"):
        check(f"sources: {source} is ready", re.search(rf"(?m)^{source}\s+ready", text("sources.out")),
              text("sources.out"))
        check(f"sources: {source} is denied", re.search(rf"(?m)^{source}\s+denied", text("sources-user.out")),
              text("sources-user.out"))


sources()
steady("steady-powercap", "powercap")
steady("steady-perf", "perf")
exact_powercap("exact-powercap", 0)
exact_powercap("wrap-powercap", 1)
exact_perf("exact-perf")
exact_perf("wrap-perf")
net()
unreadable()
ordinary_user()
print(checks, "checks,", failures, "failed")
sys.exit(failures > 0)
