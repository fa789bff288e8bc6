#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""counters.py write N SECONDS: OpenMetrics on standard output, of N nodes that Kepler tells of, each scraped at intervals of
its own, from 1 to 120 s, for so long.
counters.py check CARBON URL N SECONDS WINDOWS: as many windows are asked of carbon, whole and in three pieces, and each is
held against what the counters say at its edges."""
import json, math, random, subprocess, sys

BEGIN = 1_700_000_000


def drawn_j(node, time_s):
    """Node 7 draws 107 W, and up to a tenth more or less by turns of an hour."""
    watts, turn = 100 + node, 3600.0
    return watts * time_s + 0.1 * watts * turn / (2 * math.pi) * (1 - math.cos(2 * math.pi * time_s / turn))


def write(nodes, seconds):
    print("# TYPE kepler_node_package_joules counter")
    for node in range(nodes):
        chance = random.Random(node)
        interval = 1 + 119 * node / max(1, nodes - 1)
        time_s = interval * chance.random()
        while time_s < seconds:
            labels = f'exported_instance="n{node}",instance="10.0.0.{node}:9102",mode="dynamic",package="0"'
            print(f"kepler_node_package_joules_total{{{labels}}} {drawn_j(node, time_s):.6f} {BEGIN + time_s:.3f}")
            time_s += interval * chance.uniform(0.95, 1.05)
    print("# EOF")


def ask(carbon, url, from_s, to_s):
    run = subprocess.run([carbon, "prometheus", "energy", "--url", url, "--from", f"{BEGIN + from_s:.3f}", "--to",
                          f"{BEGIN + to_s:.3f}", "--zone", "FR", "--json", "-"], capture_output=True, check=True)
    rows = json.loads(run.stdout)["rows"]
    return {row["node"]: row for row in rows if row["level"] == "node"}


def check(carbon, url, nodes, seconds, windows):
    chance, worst, faults, tried = random.Random(19), 0.0, 0, 0
    while tried < windows:
        length = chance.uniform(600, seconds / 2)
        from_s = chance.uniform(300, seconds - length - 300)
        cuts = sorted(round(cut, 3) for cut in (from_s, *(chance.uniform(from_s, from_s + length) for _ in range(2)), from_s + length))
        whole = ask(carbon, url, cuts[0], cuts[-1])
        pieces = [ask(carbon, url, a, b) for a, b in zip(cuts, cuts[1:]) if b - a > 0.01]
        for node in range(nodes):
            true_j = drawn_j(node, cuts[-1]) - drawn_j(node, cuts[0])
            row = whole[f"n{node}"]
            told_j, bounds = row["sum"]["joules"], (row["sum"]["at_least_joules"], row["sum"]["at_most_joules"])
            sum_j = math.fsum(piece[f"n{node}"]["sum"]["joules"] for piece in pieces)
            apart = abs(told_j - true_j) / true_j
            worst = max(worst, apart)
            tried += 1
            if apart > 1e-3 or abs(sum_j - told_j) > 1e-9 * told_j + 1e-6 or not bounds[0] <= true_j <= bounds[1] or \
                    row["covered"] < 1 - 1e-9:
                faults += 1
                print(f"n{node} {cuts}: {told_j} J told, {sum_j} J in pieces, {true_j} J drawn, {bounds}, covered {row['covered']}")
    print(f"{tried} windows, {faults} faults, at most {100 * worst:.4f} % apart")


if sys.argv[1] == "write":
    write(int(sys.argv[2]), float(sys.argv[3]))
else:
    check(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6]))
