# SPDX-License-Identifier: MIT
"""slope.py RECORD: watts of one CPU that gets busy, between the powers that the record names of the idle and the full
package and memory."""
import json
import re
import sys

record = json.load(open(sys.argv[1]))


def watts(number, unit):
    return float(number) * {"W": 1, "mW": 1e-3, "kW": 1e3, "µW": 1e-6}[unit]


found = [
    re.search(r"([\d.]+) (\S*W) idle to ([\d.]+) (\S*W) busy", notice["what"])
    for notice in record["notices"]
    if notice["what"].startswith("the power of ")
]
print(sum(watts(what[3], what[4]) - watts(what[1], what[2]) for what in found) / record["machine"]["cpus_online"])
