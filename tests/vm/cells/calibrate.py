# SPDX-License-Identifier: MIT
# A cell of carbon calibrate: the power that was set while no load was there, and while one was.
import csv

from cells.machine import cell, near

IDLE_W = {"package": 10, "memory": 2}
LOADED_W = {"package": 30, "memory": 7}


@cell("calibrate: idle, and what loads add")
def profile(m):
    if m.name != "client":
        return False
    m.told("calibrate", 0)
    with open(f"{m.out}/calibrate.csv", newline="") as file:
        rows = list(csv.reader(file))
    head = next(i for i, row in enumerate(rows) if row[0] == "load")
    steps = [dict(zip(rows[head], row)) for row in rows[head + 1:]]
    sockets = sum(range(1, m.packages + 1))
    for part in IDLE_W:
        if part not in m.domains["powercap"]:
            m.check(f"calibrate: no {part}", all(not step[f"{part}_w"] for step in steps), steps)
            continue
        rate = m.rate("powercap", part)
        idle_w = float(steps[0][f"{part}_w"])
        m.check(f"calibrate: {part} idle", near(idle_w, IDLE_W[part] * sockets * rate, 0.05), idle_w)
        for step in steps[1:]:
            added_w = float(step[f"{part}_w"]) - idle_w
            m.check(f"calibrate: {part}, {step['load']} {step['busy_cpus']}",
                    near(added_w, (LOADED_W[part] - IDLE_W[part]) * sockets * rate, 0.05, float(step[f"{part}_spread_w"])),
                    added_w)


@cell("a model by the machine profile")
def by_profile(m):
    if m.name != "client":
        return False
    m.told("by-profile", 0)
    r = m.record("by-profile")
    m.check("by-profile: the record names it", r["machine_profile"]["how"] == "meter", r["machine_profile"])
    package = next(d for d in r["domains"] if d["component"] == "package" and d["source"] == "model")
    w = package["gross_j"]["mean"] / r["duration_s"]["mean"]
    sockets = sum(range(1, m.packages + 1)) * m.rate("powercap", "package")
    m.check("by-profile: between idle and loaded",
            0.95 * IDLE_W["package"] * sockets <= w <= 1.05 * LOADED_W["package"] * sockets, w)
