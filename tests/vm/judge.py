# SPDX-License-Identifier: MIT
# judge.py MACHINES OUT: whether what guest.sh left in OUT for each machine is right, as a matrix of cells.
import sys
import traceback

from cells import energy, faults, rights, calibrate, own  # noqa: F401  their cells, in this order
from cells.machine import CELLS, Machine

# 1 where carbon finds a domain again that came back, 0 where it only tells the gap.
EXPECT_REFOUND = 1
# 1 where the job is run with the rights of who called sudo, and never with those of the program's file.
EXPECT_DROP = 1


def judge(machine, function):
    machine.problems = []
    try:
        if function(machine) is False and not machine.problems:
            return "–"
    except Exception:  # a file that is not there, a field that is not as it should be
        machine.problems.append(traceback.format_exc())
    return "FAILED" if machine.problems else "ok"


def main(table, out):
    expect = {"refound": EXPECT_REFOUND, "drop": EXPECT_DROP}
    with open(table) as file:
        machines = [Machine(line, out, expect) for line in file if line.strip() and not line.startswith("#")]
    results = []
    for title, function in CELLS:
        row = []
        for machine in machines:
            row.append(judge(machine, function))
            for problem in machine.problems:
                print(f"FAILED {machine.name}, {title}: {problem}")
        results.append(row)
    print(f"{'':42}", *(f"{machine.name:8}" for machine in machines))
    for (title, _), row in zip(CELLS, results):
        print(f"{title:42}", *(f"{result:8}" for result in row))
    for note in sorted({machine.text("grant.how") for machine in machines if machine.has("grant.how")}):
        print(f"the udev rule: {note}", end="")
    flat = sum(results, [])
    print("Testsuite summary of the kernel's matrix")
    print("# PASS:", flat.count("ok"))
    print("# FAIL:", flat.count("FAILED"))
    return flat.count("FAILED") > 0 or "ok" not in flat


sys.exit(main(*sys.argv[1:]))
