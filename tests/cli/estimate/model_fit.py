# SPDX-License-Identifier: MIT
"""The model of a server's power, fitted to published results: medians by processor and by microarchitecture.

docs/METHOD.md has the formulas. `model_fit.py RESULTS FOLDER` writes the fitted tables of data/emission_factors into
FOLDER; validation.py holds the shipped ones against it, and fits without a processor or a result to judge the program.
"""
import csv
import os
import statistics
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../data/emission_factors")
BASE_W = {"server": (20, 40), "client": (0, 10)}  # of a node, idle and at full load
STEPS = range(11)  # tenths of load
SOURCE = "SPEC_FIT_2026"


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else None


class Result:
    """One published result as the model sees it."""

    def __init__(self, row, cpu, kind):
        self.key, self.kind, self.microarchitecture = row["match_key"], kind, cpu["microarchitecture"]
        self.year = int(row["published"][-4:])
        self.nodes, self.sockets = float(row["nodes"]), float(row["chips"])
        self.tdp_w = float(cpu["tdp_watts"])
        self.w = [number(row["w_idle"])] + [number(row[f"w_{i}0"]) for i in STEPS[1:]]
        memory_gb = number(row["memory_gb"])
        self.memory_gb = memory_gb / self.sockets if memory_gb else None
        self.idle_w = (self.w[0] - BASE_W[kind][0] * self.nodes) / self.sockets
        self.full_w = (self.w[10] - BASE_W[kind][1] * self.nodes) / self.sockets
        whole = all(w is not None for w in self.w)
        self.way = [(w - self.w[0]) / (self.w[10] - self.w[0]) for w in self.w] if whole else None


def read_results(path):
    """Those whose processor the tables know."""
    cpus = {row["match_key"]: row for row in read(os.path.join(DATA, "cpu_power.csv"))}
    kinds = {row["match_key"]: row["class"] for row in read(os.path.join(DATA, "server_cpu.csv"))}
    return [Result(row, cpus[row["match_key"]], kinds[row["match_key"]]) for row in read(path)
            if row["match_key"] in kinds and row["w_idle"]]


def by_cpu(results, figure):
    """The median of each processor."""
    cpus = {}
    for result in results:
        value = figure(result)
        if value is not None:
            cpus.setdefault(result.key, []).append(value)
    return [statistics.median(values) for values in cpus.values()]


def way_of(results, each):
    """The middle curve, a list of shares from idle to full load, or None; each: of a list of results."""
    steps = [each(results, lambda r, i=i: r.way and r.way[i]) for i in STEPS]
    return [statistics.median(step) for step in steps] if steps[5] else None


def fit_generation(results):
    """A microarchitecture or a group: every processor counts once."""
    memory = [r.memory_gb for r in results if r.memory_gb]
    return {"idle_w": statistics.median(by_cpu(results, lambda r: r.idle_w)),
            "full_w_per_tdp": statistics.median(by_cpu(results, lambda r: r.full_w / r.tdp_w)),
            "way": way_of(results, by_cpu), "memory_gb": statistics.median(memory) if memory else 1}


def fit_cpu(results):
    """A processor: every result counts once."""
    memory = [r.memory_gb for r in results if r.memory_gb]
    return {"idle_w": statistics.median(r.idle_w for r in results),
            "full_w": statistics.median(r.full_w for r in results),
            "way": way_of(results, lambda all_of, figure: [v for v in map(figure, all_of) if v is not None]),
            "memory_gb": statistics.median(memory) if memory else 1, "memory_most_gb": max(memory, default=1)}


def groups():
    """The groups of cpu_generations.csv: which microarchitectures each stands for."""
    return {row["microarchitecture"]: row["stands_for"].split(";")
            for row in read(os.path.join(DATA, "cpu_generations.csv")) if row["microarchitecture"].startswith("(")}


def members(results, name, kind, stands_for):
    """The results of a row of cpu_generations.csv."""
    return [r for r in results if r.kind == kind and
            (name == "(any)" or r.microarchitecture == name or r.microarchitecture in stands_for)]


WAY = [f"c_{i}0" for i in STEPS[1:10]]
GENERATION = ["microarchitecture", "class", "n_results", "n_cpus", "year_min", "year_max", "idle_w_per_socket",
              "full_w_per_tdp"] + WAY + ["n_curves", "memory_gb_per_socket", "stands_for", "source_id", "notes"]
CPU = ["match_key", "class", "n_results", "idle_w_per_socket", "idle_min", "idle_max", "full_w_per_socket", "full_min",
       "full_max"] + WAY + ["n_curves", "memory_gb_per_socket", "memory_gb_most", "year_min", "year_max", "source_id", "notes"]


def way_fields(way):
    return {name: f"{share:.3f}" if way else "" for name, share in zip(WAY, (way or STEPS)[1:10])}


def generation_row(name, kind, results, fit, way, stands_for):
    curves = [r for r in results if r.way]
    return {"microarchitecture": name, "class": kind, "n_results": len(results), "n_cpus": len({r.key for r in results}),
            "year_min": min(r.year for r in results), "year_max": max(r.year for r in results),
            "idle_w_per_socket": f"{fit['idle_w']:.1f}", "full_w_per_tdp": f"{fit['full_w_per_tdp']:.3f}",
            **way_fields(way), "n_curves": len(curves), "memory_gb_per_socket": f"{fit['memory_gb']:g}",
            "stands_for": ";".join(stands_for), "source_id": SOURCE,
            "notes": "" if curves else "no curve is published of it: the shape of its neighbours"}


def generation_rows(results):
    """cpu_generations.csv: microarchitectures, then groups."""
    known, rows = groups(), []
    wide = {kind: fit_generation(members(results, "(any)", kind, [])) for kind in BASE_W}
    for names in (sorted({r.microarchitecture for r in results}), known):
        for name in names:
            for kind in BASE_W:
                mine = members(results, name, kind, known.get(name, []))
                if not mine:
                    continue
                around = [r for g, stands in known.items() if name in stands
                          for r in members(results, g, kind, stands)]
                fit, near = fit_generation(mine), fit_generation(around or mine)
                rows.append(generation_row(name, kind, mine, fit, fit["way"] or near["way"] or wide[kind]["way"],
                                           known.get(name, [])))
    return rows


def cpu_rows(results):
    """server_cpu.csv."""
    rows = []
    for key in sorted({r.key for r in results}):
        mine = [r for r in results if r.key == key]
        fit, idle, full = fit_cpu(mine), [r.idle_w for r in mine], [r.full_w for r in mine]
        rows.append({"match_key": key, "class": mine[0].kind, "n_results": len(mine),
                     "idle_w_per_socket": f"{fit['idle_w']:.1f}", "idle_min": f"{min(idle):.1f}",
                     "idle_max": f"{max(idle):.1f}", "full_w_per_socket": f"{fit['full_w']:.1f}",
                     "full_min": f"{min(full):.1f}", "full_max": f"{max(full):.1f}", **way_fields(fit["way"]),
                     "n_curves": len([r for r in mine if r.way]), "memory_gb_per_socket": f"{fit['memory_gb']:g}",
                     "memory_gb_most": f"{fit['memory_most_gb']:g}", "year_min": min(r.year for r in mine),
                     "year_max": max(r.year for r in mine), "source_id": SOURCE, "notes": ""})
    return rows


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main():
    results = read_results(sys.argv[1])
    write(os.path.join(sys.argv[2], "cpu_generations.csv"), GENERATION, generation_rows(results))
    write(os.path.join(sys.argv[2], "server_cpu.csv"), CPU, cpu_rows(results))


if __name__ == "__main__":
    main()
