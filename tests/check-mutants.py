#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each row of tests/mutants.tsv still applies: its place is in its file once, and its tests are there.

`make mutants` would say so at the first row that does not, minutes after it was begun."""
import glob
import os
import sys

sys.dont_write_bytecode = True  # the source may be read-only
import mutants


def faults(rows):
    found = []
    for row in rows:
        try:
            mutants.planted([row])
        except mutants.Broken as broken:
            found.append(str(broken))
        found += [f"{row[0]}: its test '{test}' is not there" for test in row[3].split()
                  if not glob.glob(os.path.join(mutants.SOURCE, "tests", "unit", "*", test + ".c"))]
    return found


rows = mutants.read_table()
# The rule has teeth: a place that is gone, one that comes twice, a test that is gone.
path, old, new, tests = rows[0]
for broken in ([path, "no such place", new, tests], [path, ";", new, tests], [path, old, new, "test_no_such"]):
    if len(faults([broken])) != 1:
        sys.exit(f"of what was planted this was not found: {broken}")
found = faults(rows)
print("\n".join(found) or f"{len(rows)} planted faults apply")
sys.exit(1 if found else 0)
