# SPDX-License-Identifier: MIT
"""No impossible factor: what a figure may be beside others, what may stand in for what, and what was worked out."""
import re

from data_tables import FUELS, GRID, expect, number, read_code

# Tables whose rows are of the year of their publication or of one before it.
YEARLY = GRID + ["energy_mix.csv", "residual_mix.csv", "cloud_regions.csv", "pue.csv", "equivalents.csv", "wires.csv"]
STAND_IN_MOST = 1.5  # a figure that stands in is that near to a better one, or its wire says that it is not
OLD_YEARS = 5
# What AR5 gives for each fuel beside its combustion; of oil nothing, for no sourced split is known.
TECHNOLOGIES = {"coal": "pulverised coal", "gas": "combined cycle", "nuclear": "nuclear", "hydro": "hydropower",
                "wind": "onshore", "bioenergy": "dedicated biomass"}


def check_read(tables):
    """Every table is read by the program."""
    code = read_code()
    for name in tables:
        expect(f'{name}"' in code, name, "no code reads it")


def latest_rows(table, rank="1"):
    latest = {}
    for row in table:
        key = (row["zone"], row["basis"])
        if row["rank"] == rank and (key not in latest or row["year"] > latest[key]["year"]):
            latest[key] = row
    return latest


def check_bases(tables):
    """What is burnt is a part of the lifecycle's; where two publishers say otherwise the row says so."""
    for name in GRID:
        rows = {(row["zone"], row["year"], row["basis"]): row for row in tables[name][1] if row["rank"] == "1"}
        for (zone, year, basis), row in rows.items():
            lifecycle = rows.get((zone, year, "lifecycle"))
            if basis == "direct" and lifecycle:
                above = number(row["kgco2eq_per_kwh"]) > number(lifecycle["kgco2eq_per_kwh"])
                expect(above == ("above the lifecycle" in row["notes"]) or name != GRID[0], row["where"],
                       "is above the lifecycle figure" if above else "is not above the lifecycle figure")
            if basis == "lifecycle" and row["source_id"].startswith("DERIVED"):
                direct = rows.get((zone, year, "direct"))
                expect(not direct or number(direct["kgco2eq_per_kwh"]) <= number(row["kgco2eq_per_kwh"]) or
                       "above the lifecycle" in direct["notes"], row["where"], "is below its own direct figure")


def check_age(tables):
    newest = max(number(row["year"]) for row in tables[GRID[0]][1])
    for row in latest_rows(tables[GRID[0]][1]).values():
        expect(newest - number(row["year"]) < OLD_YEARS or row["notes"], row["where"],
               f"is the latest of {row['zone']}, {newest - number(row['year']):g} years old, and does not say why")


def check_stand_ins(tables, zones):
    """One zone stands in for another along a wire; without one an island on oil does, or the world."""
    wires = {row["zone"]: row for row in tables["wires.csv"][1]}
    own, better = latest_rows(tables[GRID[0]][1]), latest_rows(tables[GRID[1]][1])
    for zone, row in wires.items():
        expect(zone in zones and row["stand_in"] in zones, row["where"], "zone")
        expect(zones.get(zone, {}).get("fallback_zone") == row["stand_in"], row["where"], "zones.csv has another")
        expect((row["wire"] == "1") == (row["stand_in"] not in ("ISLAND-DIESEL", "WORLD")), row["where"],
               "a zone stands in without a wire, or an island or the world along one")
        expect((row["wire"] == "0") == (row["kind"] in ("none", "partly")), row["where"], f"kind {row['kind']}")
    for code, zone in zones.items():
        expect(zone["fallback_zone"] in ("", "WORLD") or code in wires, zone["where"], "stands on no wire")
        used = code
        while used and (used, "lifecycle") not in own:
            used = zones[used]["fallback_zone"] if used in zones else ""
        if used == code or not used:
            continue
        value = number(own[used, "lifecycle"]["kgco2eq_per_kwh"])
        # its own direct figure is the least that it can be; with one, a figure can be worked out
        expect((code, "direct") not in own, zone["where"], f"{used} stands in where there is a direct figure")
        if (code, "lifecycle") in better and "share-alike" not in wires.get(code, {}).get("notes", ""):
            ratio = value / number(better[code, "lifecycle"]["kgco2eq_per_kwh"])
            expect(1 / STAND_IN_MOST <= ratio <= STAND_IN_MOST, zone["where"],
                   f"the figure of {used} is {ratio:.2f} times a better one")


def fuel_extras(tables):
    """What a kWh of each fuel emits beside its combustion, by the medians of AR5."""
    medians = {}
    for row in tables["fuel_intensity.csv"][1]:
        if row["source_id"] == "IPCC_AR5_A3" and row["median_kgco2eq_per_kwh"]:
            medians[row["fuel"], row["technology"], row["basis"]] = number(row["median_kgco2eq_per_kwh"])
    extras = {fuel: medians[fuel, name, "lifecycle"] - medians.get((fuel, name, "direct"), 0)
              for fuel, name in TECHNOLOGIES.items()}
    # between utility and rooftop; geothermal for what is left
    return extras | {"oil": 0, "solar": 0.045, "other_renewables": medians["geothermal", "geothermal", "lifecycle"]}


def check_derived(tables):
    """What carbon has worked out is what its inputs give."""
    extras = fuel_extras(tables)
    mixes = {(row["zone"], row["year"]): row for row in tables["energy_mix.csv"][1]}
    direct = {(row["zone"], row["year"]): number(row["kgco2eq_per_kwh"]) for row in tables[GRID[0]][1]
              if row["basis"] == "direct" and row["rank"] == "1"}
    done = 0
    for row in tables[GRID[0]][1]:
        own, value = direct.get((row["zone"], row["year"])), number(row["kgco2eq_per_kwh"])
        if row["source_id"] in ("DERIVED_DIRECT_UPSTREAM", "DERIVED_EGRID2022_UPSTREAM"):
            where = re.search(r"fuels of (?:([A-Z-]+) )?(\d{4})", row["notes"])
            mix = where and mixes.get((where[1] or row["zone"], where[2]))
            expect(bool(mix) and own is not None, row["where"], "its inputs are not there")
            if mix and own is not None:
                extra = sum(number(mix[fuel] or "0") * extras[fuel] for fuel in FUELS)
                expect(abs(own + extra - value) < 2e-4, row["where"], f"{own} + {extra:.4f} is not {value}")
                done += 1
        if row["source_id"] == "DERIVED_AU_2025_RATIO":
            expect(own is not None and abs(own * 1.2 - value) < 1e-6, row["where"], f"1.2 x {own} is not {value}")
    expect(done > 300, GRID[0], "hardly anything is worked out")


def check_aliases(tables, zones):
    """A name means one zone, here and in zones.csv."""
    spellings = {}
    for code, zone in zones.items():
        for text in [code, *zone["aliases"].split(";"), zone["alpha3"] if zone["zone_type"] == "country" else ""]:
            spellings[text.lower()] = code
    for code, zone in zones.items():
        spellings.setdefault(zone["zone_name"].lower(), code)
    regions = {row["provider"] + ":" + row["region"] for row in tables["cloud_regions.csv"][1]}
    seen = set()
    for row in tables["zone_aliases.csv"][1]:
        where, alias = row["where"], row["alias"].lower()
        expect(alias not in seen, where, f"{row['alias']} is there twice")
        seen.add(alias)
        expect(row["zone"] in zones or row["zone"] in regions, where, f"{row['zone']} is no zone and no cloud region")
        expect(spellings.get(alias, row["zone"]) == row["zone"], where, f"zones.csv takes it as {spellings.get(alias)}")
        expect(row["grid_zone"] == "" or row["grid_zone"] in zones, where, f"zone {row['grid_zone']}")
        expect(len(row["kind"]) < 32 and len(row["notes"].encode()) < 160, where, "is too long to be kept")


def check_yearly(tables):
    """No figure is of a time after its source."""
    published = {row["id"]: number(row["year"]) for row in tables["sources.csv"][1]}
    newest = max(published.values())
    for name in YEARLY:
        for row in tables[name][1]:
            last = max((published.get(each, newest) for each in row["source_id"].split("|")), default=newest)
            expect(row["year"] == "" or number(row["year"]) <= last, row["where"],
                   f"is of {row['year']}, and its source of {last:g}")


def check_factors(tables, zones):
    check_yearly(tables)
    check_bases(tables)
    check_age(tables)
    check_stand_ins(tables, zones)
    check_derived(tables)
    check_aliases(tables, zones)
    check_read(tables)
