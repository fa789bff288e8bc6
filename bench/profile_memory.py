#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whether the memory of carbon profile grows with the job's length: profile_memory.py CARBON FUNCTIONS [SECONDS]

At 10000 Hz a minute has as many samples as 100 minutes at 99 Hz: of one function; and of a job that starts processes and threads all
the time, each of which is new to carbon. Resident memory in quarters of the run, as of /proc/PID/status; the largest is VmHWM.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

carbon, functions = sys.argv[1:3]
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 60
jobs = {
    "one function": [functions, "shares", str(seconds)],
    "processes and threads": ["sh", "-c", f'end=$(($(date +%s) + {round(seconds)})); while [ $(date +%s) -lt $end ]; do '
                              f'"{functions}" fork 0.002; "{functions}" threads 0.002; done'],
}


def kib(pid, key):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            return int(re.search(rf"^{key}:\s*(\d+)", status.read(), re.M)[1])
    except (OSError, TypeError):
        return None


for name, job in jobs.items():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        profiled = subprocess.Popen([carbon, "profile", "--no-ledger", "--quiet", "--baseline", "0", "--source", "model", "--frequency",
                                     "10000", "--ring", "1024", "--json", path, "--", *job], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, env={**os.environ, "HOME": folder})
        resident = []
        while profiled.poll() is None:
            resident.append((kib(profiled.pid, "VmRSS"), kib(profiled.pid, "VmHWM")))
            time.sleep(0.5)
        with open(path, encoding="utf-8") as document:
            sampling = json.load(document)["sampling"]
    resident = [each for each in resident if each[0]]
    # the names are found at the end
    run = [each[0] for each in resident[2:-4]]
    quarters = [max(run[i * len(run) // 4:(i + 1) * len(run) // 4] or [0]) for i in range(4)]
    print(f"{name:24} {sampling['samples']:9} samples ({sampling['samples'] / 99 / 3600:.1f} h of a CPU at 99 Hz), "
          f"{sampling['lost_records']} lost: {' '.join(f'{q / 1024:.1f}' for q in quarters)} MiB by quarters, at the end "
          f"{resident[-1][1] / 1024:.1f} MiB")
