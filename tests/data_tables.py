# SPDX-License-Identifier: MIT
"""The tables of data/emission_factors, and what is found wrong with them."""
import csv
import functools
import os

SOURCE = os.path.join(os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..")))
DATA = os.path.join(SOURCE, "data", "emission_factors")
GRID = ["grid_intensity.csv", "share-alike/grid_intensity_odbl.csv"]
FUELS = ["coal", "gas", "oil", "nuclear", "hydro", "wind", "solar", "bioenergy", "other_renewables"]

faults = []
checks = [0]


def expect(true, where, what):
    checks[0] += 1
    if not true:
        faults.append(f"{where}: {what}")


def number(text):
    try:
        return float(int(text, 16)) if text.startswith("0x") else float(text)
    except ValueError:
        return float("nan")


def read(name):
    path = os.path.join(DATA, name)
    with open(path, "rb") as file:
        raw = file.read()
    text = raw.decode("utf-8")
    expect(not text.startswith("\ufeff"), name, "starts with a byte-order mark")
    expect(b"\r" not in raw, name, "has a carriage return; the line ends are LF")
    expect(text.endswith("\n"), name, "does not end with a line end")
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    expect(len(rows) == text.count("\n"), name, "a field holds a line break")
    header = rows[0]
    expect(len(set(header)) == len(header), name, "two columns have one name")
    table = []
    for line, row in enumerate(rows[1:], 2):
        where = f"{name}:{line}"
        expect(len(row) == len(header), where, f"{len(row)} fields, {len(header)} columns")
        expect(all(field == field.strip() for field in row), where, "a field starts or ends with a blank")
        expect(name not in GRID or all(len(field.encode()) < 160 for field in row), where, "too long to be kept")
        record = dict(zip(header, row))
        record["where"] = where
        table.append(record)
    expect(len(table) > 0, name, "is empty")
    return header, table


@functools.lru_cache
def read_code():
    """All of src/, to see which tables and sources it knows."""
    text = []
    for folder, _, files in os.walk(os.path.join(SOURCE, "src")):
        for name in files:
            if name.endswith(".c"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text.append(file.read())
    return "".join(text)
