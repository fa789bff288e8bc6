#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The tables of data/emission_factors keep the rules that their README states."""
import csv
import os
import re
import sys

SOURCE = os.path.join(os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..")))
DATA = os.path.join(SOURCE, "data", "emission_factors")
GRID = ["grid_intensity.csv", "share-alike/grid_intensity_odbl.csv"]
GRID_HEADER = ["zone", "zone_name", "zone_type", "alpha3", "year", "kgco2eq_per_kwh", "basis", "scope", "td_losses",
               "method", "gases", "rank", "source_id", "notes"]
FUELS = ["coal", "gas", "oil", "nuclear", "hydro", "wind", "solar", "bioenergy", "other_renewables"]
# What is one row in each table; the others are lists of figures for one thing.
KEYS = {
    "grid_intensity.csv": ["zone", "year", "basis", "rank"],
    "share-alike/grid_intensity_odbl.csv": ["zone", "year", "basis", "rank"],
    "zones.csv": ["zone"],
    "energy_mix.csv": ["zone", "year"],
    "residual_mix.csv": ["zone", "year"],
    "cloud_regions.csv": ["provider", "region", "year"],
    "sources.csv": ["id"],
    "cpu_power.csv": ["match_key"],
    "cpu_profiles.csv": ["profile_id"],
    "equivalents.csv": ["name"],
    "pue.csv": ["entity", "entity_type", "scope", "year"],
}
# Tables whose rows are about things, not about years.
TIMELESS = ["zones.csv", "cpuid_uarch.csv", "sources.csv"]
WITHOUT_SOURCE = ["zones.csv", "sources.csv"]
ZONE = re.compile(r"[A-Z]{2}|[A-Z]{2}-[A-Z0-9]{1,3}|EGRID:[A-Z]{4}|GRID:CN-[A-Z]+|EM:[A-Z]{2}-[A-Z0-9-]+|"
                  r"WORLD|EU27|G7|G20|OECD|ASEAN|[A-Z]+(-[A-Z]+)?")

faults = []
checks = 0


def expect(true, where, what):
    global checks
    checks += 1
    if not true:
        faults.append(f"{where}: {what}")


def number(text):
    try:
        return float(text)
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


def check_sources(tables):
    known = {row["id"]: row for row in tables["sources.csv"][1]}
    used = set()
    for row in known.values():
        expect(re.fullmatch(r"[A-Z0-9_]+", row["id"]), row["where"], "an id has capitals, digits and _ alone")
        expect(row["title"] and row["publisher"] and row["licence"], row["where"], "no title, publisher or licence")
        expect(re.fullmatch(r"(19|20)\d\d", row["year"]), row["where"], "no year")
        expect(row["redistributable"] in ("yes", "share-alike", "unclear"), row["where"], "may it be passed on?")
    for name, (header, table) in tables.items():
        if name in WITHOUT_SOURCE:
            continue
        expect("source_id" in header, name, "has no source_id")
        for row in table:
            ids = row["source_id"].split("|")
            used.update(ids)
            expect(all(each in known for each in ids), row["where"], f"unknown source {row['source_id']}")
            share_alike = any(known.get(each, {}).get("redistributable") == "share-alike" for each in ids)
            expect(share_alike == name.startswith("share-alike/"), row["where"],
                   "is in the wrong folder for its licence")
    with open(os.path.join(DATA, "LICENCES.md"), encoding="utf-8") as file:
        licences = file.read()
    for row in known.values():
        if row["redistributable"] == "unclear":
            expect(f"`{row['id']}`" in licences, row["where"], "is unclear, and LICENCES.md does not say so")
    expect(len(used) > 50, "sources.csv", "hardly used")


def check_years(tables):
    for name, (header, table) in tables.items():
        if name in TIMELESS:
            continue
        column = "year" if "year" in header else "year_max"
        expect(column in header, name, "has no year")
        for row in table:
            expect(row[column] == "" or 1990 <= number(row[column]) <= 2035, row["where"], f"year {row[column]}")


def check_keys(tables):
    for name, columns in KEYS.items():
        seen = {}
        for row in tables[name][1]:
            key = tuple(row[column] for column in columns)
            expect(key not in seen, row["where"], f"repeats {seen.get(key)}")
            seen[key] = row["where"]


def check_grid(tables, zones):
    for name in GRID:
        header, table = tables[name]
        expect(header == GRID_HEADER, name, "columns")
        first_rank = {}
        for row in table:
            where, zone = row["where"], zones.get(row["zone"])
            value = number(row["kgco2eq_per_kwh"])
            expect(zone is not None, where, f"zone {row['zone']} is not in zones.csv")
            if zone:
                expect(row["zone_type"] == zone["zone_type"] and row["alpha3"] == zone["alpha3"], where,
                       "type or alpha-3 code differs from zones.csv")
            expect(0 <= value <= 1.6, where, f"{value} kg/kWh")
            expect(value > 0 or row["basis"] == "direct", where, "a lifecycle figure of 0")
            expect(re.fullmatch(r"20[12]\d", row["year"]), where, "year")
            expect(row["basis"] in ("lifecycle", "direct"), where, "basis")
            expect(row["scope"] in ("production", "consumption"), where, "scope")
            expect(row["td_losses"] in ("excluded", "included"), where, "td_losses")
            expect(row["method"] == "location", where, "method")
            expect(row["gases"] in ("co2eq", "co2"), where, "gases")
            expect(row["rank"] in ("1", "2", "3"), where, "rank")
            key = (row["zone"], row["year"], row["basis"])
            first_rank[key] = first_rank.get(key, False) or row["rank"] == "1"
        for key, found in first_rank.items():
            expect(found, name, f"{key} has no row of rank 1")


def check_zones(tables):
    table = tables["zones.csv"][1]
    zones = {row["zone"]: row for row in table}
    spellings = {}
    for row in table:
        where = row["where"]
        expect(ZONE.fullmatch(row["zone"]), where, f"code {row['zone']}")
        expect(len(row["zone"]) < 24 and len(row["zone_name"].encode()) < 80, where, "is too long to be kept")
        expect(row["alpha3"] == "" or re.fullmatch(r"[A-Z]{3}", row["alpha3"]), where, "alpha-3 code")
        expect(row["zone_name"] != "", where, "no name")
        chain = [row["zone"]]
        while chain[-1] in zones and zones[chain[-1]]["fallback_zone"] and len(chain) < 8:
            chain.append(zones[chain[-1]]["fallback_zone"])
        expect(chain[-1] == "WORLD", where, f"the chain {chain} does not end at WORLD")
        codes = [row["zone"]] + [alias for alias in row["aliases"].split(";") if alias]
        if row["zone_type"] == "country":
            codes.append(row["alpha3"])
        for code in codes:
            expect(code.lower() not in spellings, where, f"{code} means {spellings.get(code.lower())} too")
            spellings[code.lower()] = row["zone"]
    for row in table:
        meant = spellings.get(row["zone_name"].lower(), row["zone"])
        expect(meant == row["zone"], row["where"], f"the name {row['zone_name']} is a code or alias of {meant}")
    for column, name in (("in_grid_intensity", GRID[0]), ("in_grid_intensity_odbl", GRID[1])):
        there = {row["zone"] for row in tables[name][1]}
        for row in table:
            expect(row[column] == str(int(row["zone"] in there)), row["where"], column)
    return zones


def check_others(tables, zones):
    for row in tables["energy_mix.csv"][1]:
        total = sum(number(row[fuel] or "0") for fuel in FUELS)
        expect(0.98 <= total <= 1.02, row["where"], f"the shares add up to {total}")
        expect(all(0 <= number(row[fuel] or "0") <= 1 for fuel in FUELS), row["where"], "a share is none")
        expect(row["zone"] in zones, row["where"], f"zone {row['zone']}")
    places = {}
    for row in tables["cloud_regions.csv"][1]:
        expect(row["zone"] in zones and row["grid_zone"] in zones, row["where"], "zone")
        expect(row["region"] == row["region"].lower(), row["where"], "the region has capitals")
        expect(row["pue"] == "" or 1 <= number(row["pue"]) <= 3, row["where"], "PUE")
        expect(row["kgco2eq_per_kwh"] == "" or 0 <= number(row["kgco2eq_per_kwh"]) <= 1.6, row["where"], "intensity")
        place = (row["zone"], row["grid_zone"])
        name = (row["provider"], row["region"])
        expect(places.setdefault(name, place) == place, row["where"], "the region is in two zones")
    for row in tables["residual_mix.csv"][1]:
        expect(row["zone"] in zones, row["where"], f"zone {row['zone']}")
        if row["applicable"] == "1":
            expect(0 < number(row["residual_kgco2_per_kwh"]) <= 1.6, row["where"], "residual mix")
        else:
            expect(row["residual_kgco2_per_kwh"] == "", row["where"], "a residual mix where there is none")
    for row in tables["pue.csv"][1]:
        expect(1 <= number(row["pue"]) <= 3, row["where"], "PUE")
    for row in tables["cpu_power.csv"][1]:
        expect(0 < number(row["tdp_watts"]) <= 1000, row["where"], "design power")
    for row in tables["cpu_profiles.csv"][1]:
        expect(row["boundary"] in ("CPU package", "server AC"), row["where"], "boundary")
        expect(row["per"] in ("vcpu", "package", "tdp_fraction"), row["where"], "per")


def check_readme(tables):
    """The counts that the README gives are those of the tables."""
    with open(os.path.join(DATA, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    for names, counts in re.findall(r"^\| (`[^|]*\.csv`) \| ([\d, ]+) \|", readme, re.M):
        for name, count in zip(re.findall(r"`([^`]*)`", names), counts.split(",")):
            expect(len(tables[name][1]) == int(count), "README.md", f"{name} has {len(tables[name][1])} rows")
    for name in tables:
        expect(f"`{name}`" in readme, "README.md", f"does not tell of {name}")


def main():
    names = [os.path.relpath(os.path.join(folder, file), DATA) for folder, _, files in os.walk(DATA)
             for file in files if file.endswith(".csv")]
    tables = {name: read(name) for name in sorted(names)}
    check_keys(tables)
    check_sources(tables)
    check_years(tables)
    zones = check_zones(tables)
    check_grid(tables, zones)
    check_others(tables, zones)
    check_readme(tables)
    for fault in faults[:40]:
        print(fault)
    print(f"{checks} checks, {len(faults)} failed")
    sys.exit(1 if faults or checks < 1000 else 0)


main()
