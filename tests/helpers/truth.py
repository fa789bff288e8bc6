#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds what the commands say of a machine that world.py moved against what was true there.

truth.py TREE FORM FILE READINGS    FORM is one of those at the end of this file. Prints what is wrong, a line each;
    then, behind "judged", how many windows and how many of them have a hole.

What is told never exceeds the truth; where nothing is said to be missing nothing is; what is unknown is no more than what
was planted and two readings around it; known and unknown time are the window; where nothing was planted all is known.
"""
import json
import sys

import world

wrong, judged = [], {"windows": 0, "bounds": 0}


def must(holds, what, *happened):
    if not holds:
        wrong.append("; ".join((what, *happened)))


def check_part(truth, name, start_ns, end_ns, energy_j, unknown_ns, where):
    """One domain in one window; energy_j None: it has no figure."""
    touched, happened = truth.is_touched(name, start_ns, end_ns), truth.happened(name, start_ns, end_ns)
    judged["windows"] += 1
    judged["bounds"] += bool(unknown_ns)
    if energy_j is None:
        must(touched, f"{where}: {name} has no figure, and nothing happened to it")
        return
    most_j, least_j = truth.most_j(name, start_ns, end_ns), truth.least_j(name, start_ns, end_ns)
    must(energy_j <= most_j, f"{where}: {name} has {energy_j} J, and used at most {most_j} J", happened)
    if unknown_ns is None:
        return
    allowed_ns = truth.unknown_ns(name, start_ns - truth.BACKDATED_NS, end_ns)
    must(0 <= unknown_ns <= end_ns - start_ns + truth.SLACK_NS, f"{where}: {name} is unknown for {unknown_ns} ns")
    must(unknown_ns <= allowed_ns, f"{where}: {name} is unknown for {unknown_ns} ns, and may be for {allowed_ns} ns", happened)
    must(touched or not unknown_ns, f"{where}: {name} has a hole, and nothing happened to it", happened)
    if not unknown_ns and not truth.is_frozen(name, start_ns, end_ns):
        must(energy_j >= least_j, f"{where}: {name} has {energy_j} J, used at least {least_j} J, and has no hole", happened)


def check_total(truth, start_ns, end_ns, gross_j, where, whole=True):
    """A figure of all that counts; None: unknown. whole: it is no lower bound."""
    names = list(truth.counters)
    happened = [truth.happened(name, start_ns, end_ns) for name in names]
    judged["windows"] += 1
    if gross_j is None:
        judged["bounds"] += 1
        must(any(truth.is_touched(name, start_ns, end_ns) for name in names),
             f"{where}: no total, and nothing happened")
        return
    most_j = sum(truth.most_j(name, start_ns, end_ns) for name in names)
    least_j = sum(truth.least_j(name, start_ns, end_ns) for name in names)
    must(gross_j <= most_j, f"{where}: {gross_j} J in all, and at most {most_j} J were used", *happened)
    if whole and not any(truth.is_frozen(name, start_ns, end_ns) for name in names):
        must(gross_j >= least_j, f"{where}: {gross_j} J in all, at least {least_j} J were used, and nothing is missing", *happened)


def near(a, b):
    return a is None and b is None or None not in (a, b) and abs(a - b) <= 1e-6 * max(1, abs(b))


def check_mean(told_j, runs, where):
    """Runs with a hole are left out where one of the command has none; where none has, there is no mean."""
    known = [j for j in runs if j is not None]
    must(near(told_j, sum(known) / len(known) if known else None), f"{where}: the mean of {runs} is said to be {told_j}")


def window_of(truth, run):
    start_ns = truth.monotonic(run["started_at"])
    truth.open_window(start_ns)
    return start_ns, start_ns + int(run["duration_s"] * 1e9)


def judge_record(truth, record):
    names = [domain["name"] for domain in record["domains"]]
    counted = [domain["counted"] for domain in record["domains"]]
    at_least = []
    for kind, windows in record["windows"].items():
        for number, window in enumerate(windows):
            where = f"{kind} {number + 1}"
            start_ns, end_ns = window_of(truth, window)
            unknown = {hole["domain"]: int(hole["unknown_s"] * 1e9) for hole in window["holes"]}
            for i, name in enumerate(names):
                uj = window["energy_uj"][i]
                check_part(truth, name, start_ns, end_ns, None if uj is None else uj / 1e6, unknown.get(i, 0), where)
            if kind != "runs":
                continue
            has_hole = any(counted[i] for i in unknown)
            check_total(truth, start_ns, end_ns, window["gross_j"], where, whole=not has_hole)
            must(not (has_hole and window["net_j"] is not None), f"{where}: a net beside a hole")
            if window["counted"]:
                at_least.append(has_hole)
    runs = [run for run in record["windows"]["runs"] if not run["warmup"]]
    all_bounds = all(any(counted[hole["domain"]] for hole in run["holes"]) for run in runs)
    must(any(at_least) == record["at_least"], f"at_least is {record['at_least']}, the runs have {at_least}")
    must(record["at_least"] == all_bounds, "a run with a hole is in the mean beside one without")
    must(not record["at_least"] or record["net_j"]["mean"] is None, "a net of a lower bound")
    must(not record["at_least"] or not record["complete"], "a lower bound that is complete")
    if not record["at_least"]:
        check_mean(record["gross_j"]["mean"], [run["gross_j"] for run in runs if run["counted"]], "the record")


def judge_comparison(truth, comparison):
    for record in comparison["results"]:
        judge_record(truth, record)
        must(not record["at_least"] or all(c["verdict"] == "unknown" for c in comparison["comparisons"]),
             "a verdict on a lower bound")


def judge_items(truth, items):
    for item in items:
        for number, run in enumerate(item["runs"]):
            check_total(truth, *window_of(truth, run), run["gross_j"], f"{item['name']} {number + 1}")
        check_mean(item["gross_j"] and item["gross_j"]["mean"] if isinstance(item["gross_j"], dict) else item["gross_j"],
                   [run["gross_j"] for run in item["runs"]], item["name"])


def judge_rows(truth, rows):
    """Rows between two looks: the middle of each, its energy and its power."""
    clean = not any(counter["faults"] for counter in truth.counters.values())
    for number, row in enumerate(rows):
        judged["windows"] += 1
        judged["bounds"] += not row["energy_j"]
        must(row["energy_j"] or not clean, f"row {number + 1}: no energy, and nothing happened")
        if not row["energy_j"] or float(row["energy_j"]) == 0:
            continue
        energy_j, middle_ns = float(row["energy_j"]), int(float(row["timestamp"]) * 1e9) - truth.realtime_ns
        half_ns = int(energy_j / float(row["power_w"]) * 1e9 / 2)
        check_total(truth, middle_ns - half_ns, middle_ns + half_ns, energy_j, f"row {number + 1}")


def judge_probe(truth, probe):
    """Its runs have no times: of each the power is one that was drawn, or is not known."""
    late_s = max(b - a for counter in truth.counters.values() for a, b in
                 zip(counter["ticks"], counter["ticks"][1:])) / 1e9
    clean = not any(counter["faults"] for counter in truth.counters.values())
    for load in probe["loads"]:
        for run in load["runs"]:
            judged["windows"] += 1
            off = 2 * late_s / run["duration_s"]
            for part, name in (("package", "package-0"), ("memory", "dram-0")):
                gross_w = run["gross_w"][part]
                judged["bounds"] += gross_w is None
                must(gross_w is not None or not clean, f"probe: no power of {name}, and nothing happened to it")
                frozen = any(kind == "freeze" for kind, _, _ in truth.counters[name]["faults"])
                least_w = 0 if frozen else world.LEAST_W * (1 - off)
                must(gross_w is None or least_w <= gross_w <= world.MOST_W * (1 + off),
                     f"probe: {name} is said to draw {gross_w} W")
            must(not clean or None not in (run["net_w"]["package"], run["net_w"]["memory"]), "probe: no net")


def judge_totals(truth, moments):
    """Running totals: of each moment the times before and after it was asked, and energy and unknown time by domain."""
    first = {name: truth.readings[name][0] for name in truth.counters if truth.readings[name]}
    for number, moment in enumerate(moments):
        if "time" in moment:
            moment["before_ns"] = moment["after_ns"] = truth.monotonic(moment["time"])
            first = dict.fromkeys(first, moment["after_ns"] - int(moment["elapsed_s"] * 1e9))
        for name, start_ns in first.items():
            if name not in moment["energy_j"]:
                continue
            energy_j, unknown_ns = moment["energy_j"][name], moment["unknown_ns"].get(name, 0)
            read_ns = [t for t in truth.readings[name] if t <= moment["before_ns"]]
            where = f"at {number + 1}"
            check_part(truth, name, start_ns, moment["after_ns"], energy_j, None, where)
            judged["bounds"] += bool(unknown_ns)
            allowed_ns = truth.unknown_ns(name, start_ns, moment["after_ns"])
            must(unknown_ns <= allowed_ns, f"{where}: {name} is unknown for {unknown_ns}, and may be for {allowed_ns} ns")
            if energy_j is not None and len(read_ns) > 2 and not truth.is_touched(name, start_ns, moment["after_ns"]):
                least_j = truth.least_j(name, start_ns, read_ns[-3])  # the last may not have been told yet
                must(energy_j >= least_j, f"{where}: {name} has {energy_j} J, used {least_j} J, and nothing is missing")
            power_w = moment["power_w"].get(name)
            must(power_w is None or power_w >= 0, f"{where}: {power_w} W")


def judge_pieces(truth, pieces):
    for number, piece in enumerate(pieces):
        start_ns, end_ns = piece["start_ns"], piece["end_ns"]
        where = f"piece {number + 1}"
        names = {"package": "package-0", "memory": "dram-0"}
        for component, joules in piece["components"].items():
            name = names[component]
            touched = truth.is_touched(name, start_ns, end_ns)
            must(joules is not None or touched or not piece["long"], f"{where}: {component} is unknown")
            if joules is not None:
                check_part(truth, name, start_ns, end_ns, joules, None, where)
                must(truth.is_frozen(name, start_ns, end_ns) or joules >= truth.least_j(name, start_ns, end_ns),
                     f"{where}: {component} lacks something, and does not say so", truth.happened(name, start_ns, end_ns))
        check_total(truth, start_ns, end_ns, piece["joules"], where) if piece["joules"] is not None or piece["long"] \
            else None
        if piece["at_least_j"] is not None:
            check_total(truth, start_ns, end_ns, piece["at_least_j"], where, whole=False)
        if piece["known_s"] is not None:
            must(abs(piece["known_s"] + piece["unknown_s"] - piece["seconds"]) < 1e-9, f"{where}: the times do not add up")
            judged["bounds"] += piece["unknown_s"] > 0
            must(piece["joules"] is None or not piece["unknown_s"], f"{where}: joules beside a hole")
            allowed_ns = sum(truth.unknown_ns(name, start_ns - truth.BACKDATED_NS, end_ns) for name in truth.counters)
            must(piece["unknown_s"] * 1e9 <= allowed_ns, f"{where}: unknown for {piece['unknown_s']} s, may be {allowed_ns}")


FORMS = {
    "measure": judge_record,
    "compare": judge_comparison,
    "batch": lambda truth, batch: judge_items(truth, batch["modules"]),
    "pipeline": lambda truth, pipeline: judge_items(truth, pipeline["steps"]),
    "rows": judge_rows,
    "probe": judge_probe,
    "totals": judge_totals,
    "pieces": judge_pieces,
}


def main(tree, form, file, readings):
    with open(file, encoding="utf-8") as text:
        told = json.load(text)
    FORMS[form](world.Truth(tree, readings), told)
    print(*wrong, f"judged {judged['windows']} {judged['bounds']}", sep="\n")


main(*sys.argv[1:])
