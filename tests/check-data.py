#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The tables of data/emission_factors keep the rules that their README states."""
import os
import re
import sys

from data_factors import check_factors
from data_tables import DATA, FUELS, GRID, checks, expect, faults, number, read, read_code

GRID_HEADER = ["zone", "zone_name", "zone_type", "alpha3", "year", "kgco2eq_per_kwh", "basis", "scope", "td_losses",
               "method", "gases", "rank", "source_id", "notes"]
MOST_KG = 1.5  # no grid emits more for a kilowatt-hour
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
    "fuel_intensity.csv": ["fuel", "technology", "basis", "source_id"],
    "embodied.csv": ["category", "item", "per", "source_id"],
    "wires.csv": ["zone"],
    "zone_aliases.csv": ["alias"],
    "gpu_power.csv": ["model", "source_id"],
    "cpu_generations.csv": ["microarchitecture", "class"],
    "server_cpu.csv": ["match_key"],
    "power_rules.csv": ["rule", "class"],
    "memory_modules.csv": ["item", "generation", "per"],
    "board_power.csv": ["board", "soc", "source_id"],
    "cloud_instances.csv": ["provider", "instance_type"],
    "cpu_cloud.csv": ["match_key"],
    "cloud_dmi.csv": ["provider", "field", "value"],
    "cpuid_uarch.csv": ["vendor_id", "cpu_family", "model_min", "model_max", "stepping_min", "stepping_max"],
}
# What the numbers of each table may be: column, least, most; empty is unknown, unless the column must be there.
RANGES = {
    "energy_mix.csv": [("generation_twh", 0, 40000, False)],
    "residual_mix.csv": [("production_mix_kgco2_per_kwh", 0, MOST_KG, False), ("untracked_fraction", 0, 1, False)],
    "cloud_regions.csv": [("wue_l_per_kwh", 0, 10, False), ("cfe_fraction_hourly", 0, 1, False),
                          ("cfe_fraction_annual", 0, 1, False), ("market_kgco2eq_per_kwh", 0, MOST_KG, False)],
    "pue.csv": [("pue", 1, 3, True)],
    "fuel_intensity.csv": [("min_kgco2eq_per_kwh", -2, 3, False), ("median_kgco2eq_per_kwh", -2, 3, False),
                           ("max_kgco2eq_per_kwh", -2, 3, False)],
    "embodied.csv": [("kgco2eq_manufacturing", 0, 50000, True), ("kgco2eq_min", 0, 50000, False),
                     ("kgco2eq_max", 0, 50000, False), ("lifetime_years", 0.5, 50, False)],
    "equivalents.csv": [("kgco2eq_per_unit", 0, 10000, True)],
    "wires.csv": [("wire", 0, 1, True)],
    "zone_aliases.csv": [],
    "gpu_power.csv": [("tdp_watts", 1, 2000, True), ("idle_watts", 0, 500, False)],
    "cpu_generations.csv": [("idle_w_per_socket", 1, 200, True), ("full_w_per_tdp", 0.1, 3, True),
                            ("memory_gb_per_socket", 1, 4096, True)]
                           + [(f"c_{i}0", 0.01, 0.99, True) for i in range(1, 10)],
    "server_cpu.csv": [("idle_w_per_socket", 1, 300, True), ("full_w_per_socket", 1, 1000, True),
                       ("memory_gb_per_socket", 1, 8192, True), ("memory_gb_most", 1, 8192, True)]
                      + [(f"c_{i}0", 0, 1, False) for i in range(1, 10)],
    "power_rules.csv": [("low", 0, 100, False), ("value", 0, 100, True), ("high", 0, 100, False)],
    "memory_modules.csv": [("watts_idle", 0, 20, False), ("watts_full", 0, 20, False)],
    "board_power.csv": [("w_idle", 0.1, 1000, False), ("w_stress", 0.5, 2000, False), ("w_hpl", 0.5, 2000, False)],
    "cloud_instances.csv": [("vcpus", 0.1, 2000, True), ("memory_gib", 0.1, 40000, True),
                            ("host_threads", 1, 4096, False), ("family_max_vcpus", 0.1, 4096, True)],
    "cpu_cloud.csv": [("tdp_watts", 1, 1000, False), ("cores_per_socket", 1, 1024, False),
                      ("threads_per_socket", 1, 2048, False)],
    "cloud_dmi.csv": [],
    "cpu_power.csv": [("tdp_watts", 0.1, 1000, True), ("cores", 1, 1024, False), ("threads", 1, 4096, False)],
    "cpuid_uarch.csv": [("cpu_family", 0, 1000, True), ("model_min", 0, 65535, True), ("model_max", 0, 65535, True),
                        ("stepping_min", 0, 15, False), ("stepping_max", 0, 15, False)],
}
# Of one row, never falling.
ORDERED = {
    "fuel_intensity.csv": ["min_kgco2eq_per_kwh", "median_kgco2eq_per_kwh", "max_kgco2eq_per_kwh"],
    "cpu_generations.csv": ["c_10", "c_20", "c_30", "c_40", "c_50", "c_60", "c_70", "c_80", "c_90"],
    "server_cpu.csv": ["idle_min", "idle_w_per_socket", "idle_max"],
    "power_rules.csv": ["low", "value", "high"],
    "memory_modules.csv": ["watts_idle_min", "watts_idle", "watts_idle_max"],
    "embodied.csv": ["kgco2eq_min", "kgco2eq_manufacturing", "kgco2eq_max"],
    "cpuid_uarch.csv": ["model_min", "model_max"],
}
# Tables whose rows are about things, not about years.
TIMELESS = ["zones.csv", "zone_aliases.csv", "cpuid_uarch.csv", "sources.csv", "cloud_dmi.csv"]
# Rank 2 without a row of rank 1: shown beside the others, and never used.
SHOWN_ALONE = {("EMBER_US_2026", "2024"), ("ECCC_NIR_2022", "CA-PE"), ("DERIVED_MIX_AR5", "CA-PE")}
WITHOUT_SOURCE = ["zones.csv", "sources.csv"]
ZONE = re.compile(r"[A-Z]{2}|[A-Z]{2}-[A-Z0-9]{1,3}|EGRID:[A-Z]{4}|GRID:CN-[A-Z]+|EM:[A-Z]{2}-[A-Z0-9-]+|"
                  r"WORLD|EU27|G7|G20|OECD|ASEAN|[A-Z]+(-[A-Z]+)?")

# ISO 3166-1, alpha-2 and alpha-3 of each country. Not in ISO 3166-1: Kosovo, by the code that everybody gives it.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "countries.txt"), encoding="ascii") as pairs:
    COUNTRIES = {pair[:2]: pair[2:] for pair in pairs.read().split()} | {"XK": "XKX"}

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
            used.update((row.get("idle_source_id") or "").split("|"))
    told = " ".join(row["retrieved_from"] + " " + row["notes"] for row in known.values())
    code = read_code()
    for each, row in known.items():
        expect(each in used or f'"{each}"' in code or each in told, row["where"], "nothing has this source")
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


def check_together(tables):
    """Rows that begin alike stand together: the program reads no further once it is past them."""
    for name in GRID + ["residual_mix.csv", "energy_mix.csv", "wires.csv", "sources.csv"]:
        header, table = tables[name]
        seen, last = set(), None
        for row in table:
            first = row[header[0]]
            expect(first == last or first not in seen, row["where"], f"{first} stands in two places")
            seen.add(first)
            last = first


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
            expect(0 < value <= MOST_KG, where, f"{value} kg/kWh; a grid's year is never 0")
            expect(re.fullmatch(r"20[12]\d", row["year"]), where, "year")
            expect(row["basis"] in ("lifecycle", "direct"), where, "basis")
            expect(row["scope"] in ("production", "consumption"), where, "scope")
            expect(row["td_losses"] in ("excluded", "included"), where, "td_losses")
            expect(row["method"] == "location", where, "method")
            expect(row["gases"] in ("co2eq", "co2"), where, "gases")
            expect(row["rank"] in ("1", "2", "3"), where, "rank")
            key = (row["zone"], row["year"], row["basis"])
            shown = (row["source_id"], row["year"]) in SHOWN_ALONE or (row["source_id"], row["zone"]) in SHOWN_ALONE
            first_rank[key] = first_rank.get(key, False) or row["rank"] == "1" or shown
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
        expect(row["kgco2eq_per_kwh"] == "" or 0 <= number(row["kgco2eq_per_kwh"]) <= MOST_KG, row["where"], "intensity")
        place = (row["zone"], row["grid_zone"])
        name = (row["provider"], row["region"])
        expect(places.setdefault(name, place) == place, row["where"], "the region is in two zones")
    for row in tables["residual_mix.csv"][1]:
        expect(row["zone"] in zones, row["where"], f"zone {row['zone']}")
        if row["applicable"] == "1":
            expect(0 < number(row["residual_kgco2_per_kwh"]) <= MOST_KG, row["where"], "residual mix")
        else:
            expect(row["residual_kgco2_per_kwh"] == "", row["where"], "a residual mix where there is none")
    for row in tables["pue.csv"][1]:
        expect(1 <= number(row["pue"]) <= 3, row["where"], "PUE")
    for row in tables["cpu_power.csv"][1]:
        expect(0 < number(row["tdp_watts"]) <= 1000, row["where"], "design power")
    for row in tables["cpu_profiles.csv"][1]:
        expect(row["boundary"] in ("CPU package", "server AC"), row["where"], "boundary")
        expect(row["per"] in ("vcpu", "package", "tdp_fraction"), row["where"], "per")


def check_ranges(tables):
    """Every number of every table is one, and may be what it is."""
    for name, columns in RANGES.items():
        for row in tables[name][1]:
            for column, least, most, needed in columns:
                text = row[column]
                expect(text or not needed, row["where"], f"no {column}")
                expect(not text or least <= number(text) <= most, row["where"], f"{column} {text}")
    for name, columns in ORDERED.items():
        for row in tables[name][1]:
            known = [number(row[column]) for column in columns if row[column]]
            expect(known == sorted(known), row["where"], f"{', '.join(columns)} fall")
    for row in tables["cpu_profiles.csv"][1]:
        steps = [number(row[column]) for column in ["w_idle"] + [f"w_{i}0" for i in range(1, 11)] if row[column]]
        expect(all(0 <= step <= 10000 for step in steps), row["where"], "no power of a machine")
        # measured curves dip by a little between two loads
        expect(all(b >= 0.85 * a for a, b in zip(steps, steps[1:])), row["where"], "its power falls with load")
        curve = [row[column] for column in "abcd"]
        expect(bool(steps) or all(curve), row["where"], "neither points nor a curve")


def check_countries(zones):
    for code, zone in zones.items():
        where, kind = zone["where"], zone["zone_type"]
        if kind == "country":
            expect(COUNTRIES.get(code) == zone["alpha3"], where, f"ISO 3166-1 has no {code} with {zone['alpha3']}")
        elif zone["alpha3"]:
            country = re.search(r"(?:^|:)([A-Z]{2})-", code)
            expect(zone["alpha3"] in COUNTRIES.values(), where, f"ISO 3166-1 has no {zone['alpha3']}")
            expect(not country or COUNTRIES.get(country[1]) == zone["alpha3"], where, "it is in another country")
        else:
            expect(kind == "aggregate" or code.startswith("EM:"), where, "no country")
    missing = set(COUNTRIES) - set(zones)
    expect(not missing, "zones.csv", f"no zone for {sorted(missing)}")


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
    check_together(tables)
    check_sources(tables)
    check_years(tables)
    zones = check_zones(tables)
    check_grid(tables, zones)
    check_factors(tables, zones)
    check_others(tables, zones)
    check_countries(zones)
    check_ranges(tables)
    expect(set(RANGES) | set(GRID) | {"zones.csv", "sources.csv", "cpu_profiles.csv"} == set(tables), "tables",
           "not every table is checked")
    check_readme(tables)
    for fault in faults[:40]:
        print(fault)
    print(f"{checks[0]} checks, {len(faults)} failed")
    sys.exit(1 if faults or checks[0] < 1000 else 0)


main()
