#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# The real program against every recorded machine and every recorded trace, as a table.
"""check_machines.py [--quick] CARBON WORK FOLDER|TRACE.csv...

A FOLDER holds machines (a folder with sys/, proc/ and expected.json each) and, in traces/, recorded counters. Each
machine is laid out in WORK and asked what it has, what of it counts, what a run with known joules adds up to, and which
kinds of notice it brings; each trace is played into a machine that carbon watches. --quick leaves the long ones out.
"""
import concurrent.futures
import glob
import json
import os
import sys

import compare_machines
from compare_machines import Checks
from machines import kinds, runs, traces

AT_ONCE = 4  # a run mostly sleeps


def row_of_machine(carbon, work, tree, quick):
    name = os.path.basename(tree)
    checks = Checks(name)
    dest = os.path.join(work, name)
    with open(os.path.join(tree, "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    said, looks = compare_machines.check_machine(checks, carbon, dest, tree, expected)
    total, moved = "-", set()
    try:
        if said:
            total, moved = runs.check_machine(checks, carbon, dest, tree, expected, said, quick)
    except (OSError, KeyError, ValueError) as error:
        checks.equal("the test itself", None, repr(error))
    kinds.judge(checks, expected, looks, moved)
    sources = [of for of in (said["sources"] if said else []) if of["domains"] and of["quality"] != "modelled"]
    domains = [domain for source in sources for domain in source["domains"]]
    counted = sum(domain["would_count"] for domain in domains)
    cells = [name, " ".join(source["name"] for source in sources) or "-", expected["status"]]
    cells += [f"{counted} of {len(domains)}", total or "-", " ".join(sorted(kinds.expected_of(expected))) or "-"]
    return checks, cells


def row_of_trace(carbon, work, trace):
    checks = Checks(trace.name)
    energy = traces.check_trace(checks, carbon, os.path.join(work, trace.name), trace)
    wraps = sum(of["wraps"] for of in trace.expected["domains"].values())
    return checks, [trace.name, f"{trace.duration_s:.0f} s in {trace.seconds:.1f} s", energy, str(wraps)]


def show(heads, rows):
    """Returns how many are right."""
    if not rows:
        return 0
    widths = [max(len(line[i]) for line in [heads, *(cells for _, cells in rows)]) for i in range(len(heads))]
    for checks, cells in [(None, heads), *rows]:
        line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths))
        result = "result" if checks is None else "FAILED" if checks.failures else "ok"
        print("; ".join([f"{line}  {result}", *(checks.remarks if checks else [])]))
        for failure in checks.failures if checks else []:
            print(f"    {failure}")
    print()
    return sum(not checks.failures for checks, _ in rows)


def contents(place):
    """The machines and the traces there."""
    if place.endswith(".csv"):
        return [], [place]
    machines = [f"{place}/{name}" for name in sorted(os.listdir(place))]
    return [path for path in machines if os.path.exists(f"{path}/expected.json")], sorted(
        glob.glob(f"{place}/traces/*.csv")
    )


def check_all(pool, carbon, work, places, quick):
    """Returns (right, all) of machines and of traces, and the number of checks."""
    found = [contents(place) for place in places]
    trees = [path for machines, _ in found for path in machines]
    recorded = [traces.Trace(path) for _, files in found for path in files]
    chosen = [trace for trace in recorded if not quick or trace.seconds <= traces.QUICK_S]
    # the longest first, so that the rest runs beside them
    playing = {t.name: pool.submit(row_of_trace, carbon, work, t) for t in sorted(chosen, key=lambda t: -t.seconds)}
    looking = [pool.submit(row_of_machine, carbon, work, tree, quick) for tree in trees]
    machine_rows = [future.result() for future in looking]
    right = show(["machine", "sources", "status", "counted", "total", "notices"], machine_rows)
    trace_rows = [playing[trace.name].result() for trace in chosen]
    played = show(["trace", "played", "energy", "wraps"], trace_rows)
    if len(chosen) < len(recorded):
        print(f"not played: {len(recorded) - len(chosen)} traces of more than {traces.QUICK_S} s")
    done = sum(checks.done for checks, _ in machine_rows + trace_rows)
    return (right, len(trees)), (played, len(chosen)), done


def main(arguments):
    quick = arguments[:1] == ["--quick"]
    carbon, work, *places = arguments[quick:]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        machines, played, done = check_all(pool, carbon, work, places, quick)
    print(f"{machines[0]} of {machines[1]} machines, {played[0]} of {played[1]} traces, {done} checks")
    sys.exit(0 if machines[0] == machines[1] and played[0] == played[1] and done else 1)


if len(sys.argv) < 4:
    sys.exit(__doc__)
main(sys.argv[1:])
