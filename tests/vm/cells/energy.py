# SPDX-License-Identifier: MIT
# Cells of counters that are in order: each energy against the kernel's own counters and the power that was set.
import re

from cells.machine import STEADY_W, cell, edges_s, near

NET_W = {"package": 20, "cores": 10, "uncore": 0, "memory": 5, "platform": 20}
IDLE_W = {"package": 10, "cores": 5, "uncore": 1, "memory": 2, "platform": 20}


@cell("sources: what there is")
def sources(m):
    m.check("sources: status 0", m.text("sources.status") == "0\n", m.text("sources.err"))
    for source in ("powercap", "perf"):
        m.check(f"sources: {source} is ready", re.search(rf"(?m)^{source}\s+ready", m.text("sources.out")),
                m.text("sources.out"))


def power_time(m, name, source):
    m.told(name, 0)
    r = m.record(name)
    m.check(f"{name}: measured", r["quality"] == "measured", r["quality"])
    for i, d in m.readable(name, source):
        for window in r["windows"]["runs"] + r["windows"]["baselines"]:
            power_w = m.watts(d, STEADY_W)
            should = power_w * window["duration_s"] * 1e6
            edges_uj = power_w * edges_s(window) * 1e6
            m.check(f"{name}: {source}'s {d['name']} is power x time",
                    near(window["energy_uj"][i], should, 0.005, edges_uj), window["energy_uj"][i], should)
    return r, m.total_is(name, STEADY_W)


@cell("power x time by powercap")
def steady_powercap(m):
    r, total_j = power_time(m, "steady", "powercap")
    m.check("steady: nothing above rest", abs(r["net_j"]["mean"]) <= 0.02 * total_j, r["net_j"]["mean"])


@cell("power x time by perf")
def steady_perf(m):
    power_time(m, "steady", "perf")
    power_time(m, "steady-perf", "perf")


def pairs(m, name, windows=None):
    """What both drivers say of each register in the run, or in these windows together: the domain, and the two energies."""
    windows = windows or [m.run(name)]
    energy_uj = [sum(uj or 0 for uj in all_uj) for all_uj in zip(*(w["energy_uj"] for w in windows))]
    perf = m.readable(name, "perf")
    found = [(a, energy_uj[i], energy_uj[j]) for i, a in m.readable(name, "powercap") for j, b in perf
             if (a["component"], a["package"] or 0) == (b["component"], b["package"] or 0)]
    m.check(f"{name}: a pair for each of perf's domains", len(found) == len(perf) > 0, found)
    return found


@cell("powercap and perf agree")
def agree(m):
    for name in ("exact", "wrap"):
        for domain, first_uj, second_uj in pairs(m, name):
            m.check(f"{name}: {domain['name']} by both", near(first_uj, second_uj, 0.003), first_uj, second_uj)
        m.check(f"{name}: and there is no notice of it", not m.noticed(name, "should agree"), m.record(name)["notices"])


@cell("and where they do not, a notice says so")
def disagree(m):
    for name in ("steady", "net"):  # windows without a hole: others are not held against one another
        if not m.has(name + ".json"):
            continue
        windows = m.record(name)["windows"]
        apart = [abs(second_uj / first_uj - 1)
                 for domain, first_uj, second_uj in pairs(m, name, windows["baselines"] + windows["runs"])
                 if domain["counted"] and first_uj > 10e6]
        if not any(0.0049 < of < 0.0051 for of in apart):
            told = m.noticed(name, "powercap reports .*, perf reports")
            m.check(f"{name}: what is more than 0.5 % apart is noticed, once",
                    len(told) == any(of > 0.005 for of in apart), apart, told)


def exact(m, name, source, wraps):
    """Energies against what the kernel's counters gained, or the register in its own units, modulo 2^32."""
    m.told(name, 7)
    before, after, uj = m.counters(name + ".before"), m.counters(name + ".after"), m.run(name)["energy_uj"]
    for i, d in m.readable(name, source):
        step_uj = m.step_uj(source, d["component"])
        if source == "perf":
            register = f"{d['package'] or 0}/{d['component']}"
            should, slack = (after[register] - before[register]) % 2**32 * step_uj, 1
        elif wraps:
            # the kernel rounds each counter down to 1 uJ
            steps = round(after[d["path"]] / step_uj) - round(before[d["path"]] / step_uj)
            should, slack = steps % 2**32 * step_uj, 2
            m.check(f"{name}: {d['name']} wraps once", d["wraps"] == 1, d["wraps"])
        else:
            should, slack = after[d["path"]] - before[d["path"]], 0
            m.check(f"{name}: {d['name']} does not wrap", d["wraps"] == 0, d["wraps"])
        m.check(f"{name}: {source}'s {d['name']} to the unit", uj[i] is not None and abs(uj[i] - should) <= slack, uj[i],
                should)
        m.check(f"{name}: {d['name']} moved", 500000 < should < 1000e6, should)
    counted_uj = sum(u for u, d in zip(uj, m.record(name)["domains"]) if d["counted"])
    m.check(f"{name}: the total adds up", near(m.record(name)["gross_j"]["mean"] * 1e6, counted_uj, 0, 0.5))


def exact_cell(what, name, source, wraps):
    cell(f"{what} by {source}")(lambda m: exact(m, name, source, wraps))


for by in ("powercap", "perf"):
    exact_cell("to the unit", "exact", by, False)
for by in ("powercap", "perf"):
    exact_cell("every counter wraps,", "wrap", by, True)


@cell("net above baseline")
def net(m):
    m.told("net", 0)
    begun, ended = map(float, m.text("net.out").split())
    r = m.record("net")
    for source in ("powercap", "perf"):
        for _, d in m.readable("net", source):
            should = m.watts(d, NET_W) * (ended - begun)
            idle = m.watts(d, IDLE_W) * r["duration_s"]["mean"]
            m.check(f"net: {source}'s {d['name']}", near(d["net_j"]["mean"], should, 0.02, 0.01 * idle),
                    d["net_j"]["mean"], should)
            m.check(f"net: {source}'s {d['name']} at rest", near(d["idle_j"]["mean"], idle), d["idle_j"]["mean"], idle)
    should = m.total_w("net", NET_W) * (ended - begun)
    m.check("net: the total", near(r["net_j"]["mean"], should, 0.02), r["net_j"]["mean"], should)


@cell("a series is told from idle")
def runs(m):
    m.told("runs", 0)
    times = [tuple(map(float, line.split())) for line in m.text("runs.out").splitlines()]
    r = m.record("runs")
    m.check("runs: three, with two baselines between each two",
            len(r["windows"]["runs"]) == len(times) == 3 and len(r["windows"]["baselines"]) == 6)
    should = m.total_w("runs", NET_W) * sum(ended - begun for begun, ended in times) / 3
    m.check("runs: the mean net", near(r["net_j"]["mean"], should, 0.03), r["net_j"]["mean"], should)
    m.check("runs: more than idle", r["verdict"] == "more" and 0 < r["net_interval_j"]["low"] < r["net_j"]["mean"],
            r["verdict"], r["net_interval_j"])


@cell("one core's counter does not count")
def core(m):
    if not m.amd:
        return False
    for d in m.record("steady")["domains"]:
        if d["component"] == "cores" and d["source"] == "powercap":
            m.check("it is there, is read, and is left out with the reason",
                    not d["counted"] and not d["problem"] and "one core" in d["reason"], d)
            return True
    return m.check("there is one", False)
