#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a pipeline adds to each of many trivial steps, over a shell that runs the same: steps.py CARBON TREE [STEPS]."""
import os
import subprocess
import sys
import time

carbon, tree, steps = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1000
path = os.path.join(tree, "steps.yaml")
with open(path, "w", encoding="utf-8") as file:
    file.write("steps:\n" + "".join(f'- {{name: s{i}, run: ["/bin/true"]}}\n' for i in range(steps)))


def seconds(*command):
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begun


pipeline = [carbon, "pipeline", "--root", tree, "--baseline", "0", "--quiet"]
ways = {
    "without a ledger": ["--no-ledger"],
    "with a ledger": [],
    "with --json and --metrics-dir": ["--no-ledger", "--json", f"{tree}/steps.json", "--metrics-dir", f"{tree}/metrics"],
}
bare = min(seconds("sh", "-c", f"i=0; while [ $i -lt {steps} ]; do /bin/true; i=$((i+1)); done") for _ in range(3))
print(f"a shell: {bare / steps * 1000:.2f} ms a step")
for name, options in ways.items():
    added = min(seconds(*pipeline, *options, path) for _ in range(3)) - bare
    print(f"{name}: {added / steps * 1000:.2f} ms more a step, {added / bare:.1f} times the shell's own")
