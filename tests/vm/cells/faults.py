# SPDX-License-Identifier: MIT
# Cells of counters that fail: what was measured is kept, the rest is unknown and told, and nothing is made up.
from cells.machine import STEADY_W, cell, near


def truth_uj(m, name, domain):
    """What a domain used in the whole run."""
    return m.watts(domain, STEADY_W) * m.run(name)["duration_s"] * 1e6


def not_more(m, name, source="powercap"):
    """No domain has more energy than it used. The domains, with that of each."""
    uj, found = m.run(name)["energy_uj"], []
    for i, d in m.readable(name, source):
        truth = truth_uj(m, name, d)
        m.check(f"{name}: {source}'s {d['name']} is not above what was used", uj[i] is None or uj[i] <= 1.01 * truth,
                uj[i], truth)
        found.append((d, uj[i], truth))
    return found


def kept(m, name):
    """The series, read every 0.2 s, has the energy up to the failure."""
    begun, left = map(float, m.text(name + ".out").split())
    for _, d in m.readable(name, "powercap"):
        values = [float(row[d["name"] + "_uj"]) for row in m.series(name)
                  if row["phase"] == "run" and row[d["name"] + "_uj"]]
        seconds = (values[-1] - values[0]) / m.watts(d, STEADY_W) / 1e6
        # it begins before the job does; that it is not above what was used is asked elsewhere
        m.check(f"{name}: the series has {d['name']} up to the failure", seconds > left - begun - 0.4, values,
                left - begun)


@cell("counters that stand still")
def frozen(m):
    m.told("frozen", 0)
    r = m.record("frozen")
    m.check("frozen: no total", r["gross_j"]["mean"] is None, r["gross_j"])
    for d in r["domains"]:
        m.check(f"frozen: {d['source']}'s {d['name']} is unknown, not 0", d["gross_j"]["mean"] is None, d["gross_j"])
        if d["counted"]:
            m.check(f"frozen: {d['name']} is noticed", m.noticed_of("frozen", d, "% is stuck"), r["notices"])


@cell("reads that fail to the end")
def unreadable(m):
    m.told("unreadable", 0)
    r = m.record("unreadable")
    m.check("unreadable: what came before is a lower bound", r["gross_j"]["mean"] > 0 and r["at_least"] and not r["complete"],
            r["gross_j"])
    m.check("unreadable: and the net is unknown", r["net_j"]["mean"] is None, r["net_j"])
    for d in m.counted("unreadable"):
        m.check(f"unreadable: {d['name']} is noticed", m.noticed_of("unreadable", d, "readings of % failed"),
                r["notices"])
    kept(m, "unreadable")


@cell("reads that fail for a while")
def passing(m):
    m.told("passing", 7)
    for d, uj, truth in not_more(m, "passing"):
        # where the reads succeed again just while it is looked for, what came between is left out and told
        lost_s = 1.5 if m.noticed_of("passing", d, "% was not there") else 0
        m.check(f"passing: {d['name']} has all of it, since its counter went on",
                near(uj, truth, 0.01, lost_s * m.watts(d, STEADY_W) * 1e6), uj, truth)
        if d["counted"]:
            m.check(f"passing: {d['name']} is noticed", m.noticed_of("passing", d, "readings of % failed"))


@cell("counters that are set back")
def reset(m):
    m.told("reset", 7)
    for d, uj, truth in not_more(m, "reset") + not_more(m, "reset", "perf"):
        m.check(f"reset: {d['source']}'s {d['name']} loses one interval", near(uj, truth, 0.3), uj, truth)
        if d["counted"]:
            m.check(f"reset: {d['name']} is noticed", m.noticed_of("reset", d, "counter of % was reset"))


@cell("domains that vanish for good")
def gone(m):
    m.told("gone", 7)
    r = m.record("gone")
    for d, uj, _ in not_more(m, "gone"):
        m.check(f"gone: {d['name']} is unknown, not 0", uj != 0, uj)
        if d["counted"]:
            m.check(f"gone: {d['name']} is noticed", m.noticed_of("gone", d, "readings of % failed"), r["notices"])
    kept(m, "gone")


def came_back(m, name, source, chosen):
    """Domains that were away from left to back: no more than the truth, the gap told, and counted again since."""
    m.told(name, 7)
    begun, left, back, ended = map(float, m.text(name + ".out").split())
    for d, uj, truth in not_more(m, name, source):
        if not chosen(d):
            m.check(f"{name}: {source}'s {d['name']} stayed", near(uj, truth), uj, truth)
            continue
        m.check(f"{name}: {source}'s {d['name']} is not 0", uj != 0, uj)
        if d["counted"]:
            m.check(f"{name}: {d['name']} is noticed",
                    m.noticed_of(name, d, "% (failed|was not there|was reset)"), m.record(name)["notices"])
        if m.expect["refound"]:
            # a vanished counter is looked for once a second, and read every 0.2 s
            least = m.watts(d, STEADY_W) * (left - begun - 0.5 + ended - back - 1.5) * 1e6
            most = m.watts(d, STEADY_W) * (m.run(name)["duration_s"] - 0.7 * (back - left)) * 1e6
            m.check(f"{name}: {source}'s {d['name']} counts again", uj is not None and least <= uj <= most, least, uj,
                    most)


@cell("domains that vanish and come back")
def back_again(m):
    came_back(m, "back", "powercap", lambda d: True)


@cell("a package offline and back")
def offline(m):
    if m.packages == 1:
        return False
    for source in ("powercap", "perf"):
        came_back(m, "offline", source, lambda d: d["package"] == 1)
    return True
