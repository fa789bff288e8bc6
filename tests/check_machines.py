#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# The real program against every recorded machine and every recorded trace, as a table.
"""check_machines.py [--quick] CARBON WORK FOLDER...

Each FOLDER holds machines (a folder with sys/, proc/ and expected.json each) and, in traces/, recorded counters. Each
machine is laid out in WORK and asked what it has, what of it counts, what a run with known joules adds up to, and what
is told of its doubts; each trace is played into a machine that carbon watches. --quick leaves the long ones out.
"""
import concurrent.futures
import json
import os
import sys

import compare_machines
from compare_machines import Checks
from machines import runs, traces

AT_ONCE = 4  # a run mostly sleeps


def row_of_machine(carbon, work, tree, quick):
    name = os.path.basename(tree)
    checks = Checks(name)
    dest = os.path.join(work, name)
    with open(os.path.join(tree, "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    said = compare_machines.check_machine(checks, carbon, dest, tree, expected)
    total = runs.check_machine(checks, carbon, dest, tree, expected, said, quick) if said else "-"
    sources = [of for of in (said["sources"] if said else []) if of["domains"] and of["quality"] != "modelled"]
    domains = [domain for source in sources for domain in source["domains"]]
    counted = sum(domain["would_count"] for domain in domains)
    cells = [name, " ".join(source["name"] for source in sources) or "-", expected["status"]]
    cells += [f"{counted} of {len(domains)}", total or "-", str(len(expected["warnings_expected"]))]
    return checks, cells


def row_of_trace(carbon, work, trace):
    checks = Checks(trace.name)
    energy = traces.check_trace(checks, carbon, os.path.join(work, trace.name), trace)
    wraps = sum(of["wraps"] for of in trace.expected["domains"].values())
    return checks, [trace.name, f"{trace.duration_s:.0f} s in {trace.seconds:.1f} s", energy, str(wraps)]


def show(title, heads, rows):
    """Returns how many are right."""
    widths = [max(len(line[i]) for line in [heads, *(cells for _, cells in rows)]) for i in range(len(heads))]
    print(f"\n{title}")
    for checks, cells in [(None, heads), *rows]:
        line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths))
        result = "result" if checks is None else "FAILED" if checks.failures else "ok"
        print(f"{line}  {result}{'; ' if checks and checks.remarks else ''}{'; '.join(checks.remarks if checks else [])}")
        for failure in checks.failures if checks else []:
            print(f"    {failure}")
    return sum(not checks.failures for checks, _ in rows)


def check_folder(pool, carbon, work, folder, quick):
    """Returns (right, all) of machines and of traces, and the number of checks."""
    names = sorted(name for name in os.listdir(folder) if os.path.exists(f"{folder}/{name}/expected.json"))
    plays = f"{folder}/traces"
    files = sorted(name for name in os.listdir(plays) if name.endswith(".csv")) if os.path.isdir(plays) else []
    recorded = [traces.Trace(os.path.join(plays, name)) for name in files]
    chosen = [trace for trace in recorded if not quick or trace.seconds <= traces.QUICK_S]
    # the longest first, so that the rest runs beside them
    playing = {t.name: pool.submit(row_of_trace, carbon, work, t) for t in sorted(chosen, key=lambda t: -t.seconds)}
    looking = [pool.submit(row_of_machine, carbon, work, os.path.join(folder, name), quick) for name in names]
    machine_rows = [future.result() for future in looking]
    heads = ["machine", "sources", "status", "counted", "total", "warnings"]
    right = show(f"machines of {folder}", heads, machine_rows)
    trace_rows = [playing[trace.name].result() for trace in chosen]
    played = show("traces", ["trace", "played", "energy", "wraps"], trace_rows) if trace_rows else 0
    if len(chosen) < len(recorded):
        print(f"not played: {len(recorded) - len(chosen)} traces of more than {traces.QUICK_S} s")
    done = sum(checks.done for checks, _ in machine_rows + trace_rows)
    return (right, len(names)), (played, len(chosen)), done


def main(arguments):
    quick = arguments[:1] == ["--quick"]
    carbon, work, *folders = arguments[quick:]
    good = True
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for number, folder in enumerate(folders):
            place = os.path.join(work, f"folder-{number}")
            os.mkdir(place)
            machines, played, done = check_folder(pool, carbon, place, folder, quick)
            print(f"\n{machines[0]} of {machines[1]} machines, {played[0]} of {played[1]} traces, {done} checks")
            good = good and machines[0] == machines[1] > 0 and played[0] == played[1]
    sys.exit(0 if good else 1)


if len(sys.argv) < 4:
    sys.exit(__doc__)
main(sys.argv[1:])
