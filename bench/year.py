# SPDX-License-Identifier: MIT
# carbon restate over a long time series: time and memory, beside `wc -l` over the same file.
#   year.py CARBON FOLDER SAMPLES
# Takes FOLDER/run.json, a record of one short run, and makes it one of SAMPLES seconds, with its series.
import json
import os
import resource
import subprocess
import sys
import time
from datetime import datetime, timedelta

carbon, folder, samples = sys.argv[1], sys.argv[2], int(sys.argv[3])
record = json.load(open(f"{folder}/run.json"))
run = record["windows"]["runs"][0]
names = [d["name"] for d in record["domains"]]
watts = [40 + 3 * i for i in range(len(names))]
start = datetime(2026, 1, 1)
seconds_of_hour = ["%02d:%02d" % divmod(s, 60) for s in range(3600)]
form = "%s%s.000Z,%d.5,run,1" + ",%d000000" * len(names) + "\n"
for domain in record["domains"]:
    domain["moved"] = True

with open(f"{folder}/series.csv", "w") as out:
    out.write("timestamp,time_s,phase,run," + ",".join(name + "_uj" for name in names) + "\n")
    for hour in range(0, samples + 1, 3600):
        date = (start + timedelta(seconds=hour)).strftime("%Y-%m-%dT%H:")
        out.write("".join([form % (date, seconds_of_hour[s - hour], s, *[w * s for w in watts])
                           for s in range(hour, min(hour + 3600, samples + 1))]))
run.update(started_at="2026-01-01T00:00:00.000Z", duration_s=samples, energy_uj=[w * samples * 1000000 for w in watts])
json.dump(record, open(f"{folder}/year.json", "w"))
with open(f"{folder}/grid.csv", "w") as out:
    out.write("start,gco2eq_per_kwh\n")
    for hour in range(samples // 3600 + 1):
        out.write("%sZ,%d\n" % ((start + timedelta(hours=hour)).isoformat(), 100 + hour % 24 * 10))


def seconds(*command):
    before = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - before


size = os.path.getsize(f"{folder}/series.csv")
floor = min(seconds("wc", "-l", f"{folder}/series.csv") for _ in range(2))
own = min(seconds(carbon, "restate", f"{folder}/year.json", "--samples", f"{folder}/series.csv", "--with",
                  f"{folder}/grid.csv", "--json", f"{folder}/hourly.json") for _ in range(2))
peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
result = json.load(open(f"{folder}/hourly.json"))
counted = [d["counted"] for d in record["domains"]]
exact = sum(w for w, c in zip(watts, counted) if c) / 1000 / 3600 * sum(
    (100 + (s // 3600) % 24 * 10) * (min(s + 3600, samples) - s) for s in range(0, samples, 3600)) / 1000
off = abs(result["emissions"]["gross"]["kgco2eq"] / exact - 1)
print(f"{samples} samples, {size / 1e6:.0f} MB        {own:7.2f} s     (target 10 s for 31.5 million)")
print(f"  carbon / wc -l                      {own / floor:7.2f}       ({samples / own / 1e6:.1f} million samples a second)")
print(f"  resident at most                    {peak_kib / 1024:7.1f} MiB   (of this script's children)")
print(f"  kgCO2eq off the sum by hand         {off:7.1e}")
