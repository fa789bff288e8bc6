#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers of tries in docs/RELIABILITY.md, which its tests report as they run ("tried N FAULT" of tests/cli/lib.sh, "unit_tried"
of tests/unit/unit.h): FAULT is how its row begins.

  reliability.py tests             the tests that the table names
  reliability.py sources           rows of which a test that they name reports nothing; tests that report what has no row
  reliability.py compare TRIES     the rows whose number is not what was reported in TRIES (CARBON_TRIES of those tests)
  reliability.py write TRIES       puts what was reported into the table
Status 1 where something is found, or a row was not tried."""
import os
import re
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(TREE, "docs/RELIABILITY.md")
REPORT = re.compile(r"""\b(?:unit_)?tried\b.*?(?:[0-9)}"] |, )["']((?:A|T|C|S|`)[^"'\n]+)["']|tried \$inputs: ([^"\\]+)""")


def rows():
    """(line's number, fault, tests, tries)"""
    for number, line in enumerate(open(TABLE, encoding="utf-8")):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 4 and cells[0] not in ("fault", "---"):
            yield number, cells[0], re.findall(r"`(tests/[^`]+)`", cells[2]), int(cells[3].replace(",", "") or 0)


def row_of(fault, table):
    found = [row for row in table if row[1].startswith(fault)]
    return found[0] if len(found) == 1 else None


def sources(table):
    found = False
    reported = set()
    for folder, _, names in os.walk(os.path.join(TREE, "tests")):
        for name in names:
            path = os.path.join(folder, name)
            if not name.endswith((".sh", ".c")) or name == "lib.sh":
                continue
            for match in REPORT.finditer(open(path, encoding="utf-8", errors="replace").read()):
                fault, place = match.group(1) or match.group(2), os.path.relpath(path, TREE)
                row = row_of(fault, table)
                if row:
                    reported.add((row[0], place))
                if not row or place not in row[2]:
                    print(f"{place}: reports '{fault}', in whose row it is not")
                    found = True
    for number, fault, tests, _ in table:
        for test in tests:
            if (number, test) not in reported:
                print(f"{test}: reports no try of '{fault}'")
                found = True
    return found


def tried(path, table):
    """By the row's line."""
    sums = {row[0]: 0 for row in table}
    for line in open(path, encoding="utf-8"):
        count, fault = line.rstrip("\n").split("\t")
        row = row_of(fault, table)
        if not row:
            sys.exit(f"'{fault}' has no row of its own")
        sums[row[0]] += int(count)
    return sums


def main():
    table = list(rows())
    what = sys.argv[1]
    if what == "tests":
        print(*sorted({re.sub(r"\.c$", "", test) for row in table for test in row[2]}))
        return False
    if what == "sources":
        return sources(table)
    sums = tried(sys.argv[2], table)
    lines = open(TABLE, encoding="utf-8").read().split("\n")
    bad = False
    for number, fault, _, told in table:
        if not sums[number]:
            print(f"not tried: {fault}")
            bad = True
        elif sums[number] != told:
            print(f"{sums[number]:,}, not {told:,}: {fault}")
            bad |= what != "write"
            lines[number] = re.sub(r"\| [0-9,]+ \|$", f"| {sums[number]:,} |", lines[number])
    if what == "write":
        open(TABLE, "w", encoding="utf-8").write("\n".join(lines))
    return bad


if __name__ == "__main__":
    sys.exit(main())
