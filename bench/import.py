#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `import carbon` and a first measured piece cost a Python program: medians, beside a Python that does nothing.

import.py BUILD SOURCE TREE
"""
import os
import statistics
import subprocess
import sys
import time

build, source, tree = sys.argv[1:]
environment = {**os.environ, "CARBON_LIBRARY": build + "/.libs/libcarbon.so.1", "PYTHONPATH": source + "/python"}
programs = {
    "python": "pass",
    "python, import carbon": "import carbon",
    "python, a first piece": f"import carbon\nwith carbon.measure(root={tree!r}, zone='FR'): pass",
}


def ms(program):
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    return (time.monotonic() - begun) * 1e3


rounds = [[ms(program) for program in programs.values()] for _ in range(21)]
medians = [statistics.median(column) for column in zip(*rounds)]
for name, median in zip(programs, medians):
    print(f"{name:37} {median:7.1f} ms   {median - medians[0]:+.1f} ms" + ("   (target < 30)" if "import" in name else ""))

piece = subprocess.run([sys.executable, "-c", f"""
import carbon, time
meter = carbon.Meter(root={tree!r}, zone='FR')
begun = time.perf_counter()
for _ in range(10000):
    with carbon.measure(meter=meter): pass
print((time.perf_counter() - begun) * 100)
"""], env=environment, check=True, capture_output=True, text=True)
print(f"{'a piece of ten thousand':37} {float(piece.stdout):7.1f} us")
