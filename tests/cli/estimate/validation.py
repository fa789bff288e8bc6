# SPDX-License-Identifier: MIT
"""The program's model of a machine against published results that it has not seen.

validation.py RESULTS WATTS FOLDER: fits the model without a processor (each in turn), without its microarchitecture, and
without one result, puts every such fit into tables of its own below FOLDER, asks the program (WATTS) once for all, and
prints the table of docs/METHOD.md. It fails where a bound does not hold.
"""
import csv
import os
import statistics
import subprocess
import sys

import model_fit

LOADS = [0, 1, 5, 10]  # tenths
# The most that the median error may be, in percent, and which share of the results a range must hold.
MOST_ERROR = {"unknown": {0: 18, 5: 12, 10: 10}, "known": {0: 13, 5: 8, 10: 6}}
LEAST_HELD, MOST_HELD = 91, 99
MOST_WIDTH = 2.0  # at full load
NAMES = {"known": "with results of its own (without the one)", "unknown": "without any (without the processor)",
         "neighbour": "of a kind without any (without the microarchitecture)"}


class Tables:
    """Tables in which every fit is a processor of its own."""

    def __init__(self):
        self.cpus, self.generations, self.results = [], [], []

    def add_cpu(self, name, case, microarchitecture):
        self.cpus.append({"vendor": "V", "model": name, "match_key": name, "tdp_watts": case.tdp_w, "conflict": 0,
                          "microarchitecture": microarchitecture, "n_sources": 1, "source_id": "S",
                          "segment": "server" if case.kind == "server" else "desktop"})

    def add_generation(self, name, case, fitted, way, stands_for):
        self.generations.append(model_fit.generation_row(name, case.kind, fitted, model_fit.fit_generation(fitted), way,
                                                         stands_for))

    def add_results(self, name, fitted):
        row = model_fit.cpu_rows(fitted)[0]
        row["match_key"] = name
        self.results.append(row)

    def write(self, folder):
        data = os.path.join(folder, "emission_factors")
        os.makedirs(data)
        for name in ("power_rules", "memory_modules", "cpu_cloud", "cpuid_uarch", "cpu_profiles", "board_power"):
            os.symlink(os.path.abspath(os.path.join(model_fit.DATA, f"{name}.csv")), os.path.join(data, f"{name}.csv"))
        with open(os.path.join(model_fit.DATA, "cpu_power.csv"), newline="", encoding="utf-8") as file:
            columns = next(csv.reader(file))
        model_fit.write(os.path.join(data, "cpu_power.csv"), columns, self.cpus)
        model_fit.write(os.path.join(data, "cpu_generations.csv"), model_fit.GENERATION, self.generations)
        model_fit.write(os.path.join(data, "server_cpu.csv"), model_fit.CPU, self.results)


class Fits:
    """What is fitted without what is to be judged."""

    def __init__(self, results):
        self.results = results
        self.group_of = {kind: name for name, kinds in model_fit.groups().items() for kind in kinds}

    def around(self, case, others):
        """Those of the group, else all of the class."""
        group = self.group_of.get(case.microarchitecture)
        near = [r for r in others if self.group_of.get(r.microarchitecture) == group]
        return near or others

    def add(self, tables, name, kind, case):
        others = [r for r in self.results if r.kind == case.kind and r.key != case.key]
        mine = [r for r in others if r.microarchitecture == case.microarchitecture]
        if kind == "neighbour":
            others, mine = [r for r in others if r.microarchitecture != case.microarchitecture], []
        near = self.around(case, others)
        fitted = mine or near
        way = model_fit.fit_generation(fitted)["way"] or model_fit.fit_generation(near)["way"] or \
            model_fit.fit_generation(others)["way"]
        if mine:
            tables.add_generation(name, case, mine, way, [])
        else:
            tables.add_generation(f"({name})", case, near, way, [name])
        tables.add_cpu(name, case, name)
        if kind == "known":
            tables.add_results(name, [r for r in self.results if r.key == case.key and r is not case])


def cases_of(results):
    """(kind, result, the name of its fit): a processor's results share the fits that are made without the processor."""
    cases, numbers = [], {}
    for result in results:
        numbers.setdefault(result.key, len(numbers))
    for i, result in enumerate(results):
        if result.year < 2017:
            continue
        cases += [("unknown", result, f"unknown {numbers[result.key]}"),
                  ("neighbour", result, f"neighbour {numbers[result.key]}")]
        if any(r.key == result.key and r is not result for r in results):
            cases.append(("known", result, f"known {i}"))
    return cases


def ask(program, folder, cases):
    """The program's watts, low and high ends of every case, of all its nodes."""
    lines = []
    for _, result, name in cases:
        packages = result.sockets / result.nodes
        if packages != int(packages):
            sys.exit(f"{result.key}: {packages} sockets a node")
        lines.append(f"{name}\t{int(packages)}\t{(result.memory_gb or 0) * packages}\n")
    out = subprocess.run([program], input="".join(lines), env=dict(os.environ, CARBON_DATA=folder), check=True,
                         stdout=subprocess.PIPE, text=True).stdout.splitlines()
    answers = []
    for (_, result, _), line in zip(cases, out, strict=True):
        watts = [float(field) * result.nodes for field in line.split()]
        answers.append((watts[:11], watts[11:22], watts[22:]))
    return answers


def judge(kind, since, cases, answers):
    """The rows of the table for one kind of fit; each load's (n, median error, share held, middle width)."""
    figures = {}
    for load in LOADS:
        errors, held, widths = [], 0, []
        for (of, result, _), (watts, low, high) in zip(cases, answers):
            true_w = result.w[load]
            if of != kind or result.year < since or true_w is None:
                continue
            errors.append(abs(watts[load] / true_w - 1))
            widths.append(high[load] / low[load])
            held += low[load] <= true_w <= high[load]
        figures[load] = (len(errors), 100 * statistics.median(errors), 100 * held / len(errors),
                         statistics.median(widths))
    return figures


def check(kind, since, figures, faults):
    for load, (_, error, held, width) in figures.items():
        where = f"{kind} since {since} at {load * 10} %"
        if since == 2017 and error > MOST_ERROR.get(kind, {}).get(load, 100):
            faults.append(f"{where}: median error {error:.1f} %")
        if not LEAST_HELD <= held <= MOST_HELD:
            faults.append(f"{where}: {held:.1f} % are in the range")
        if load == 10 and kind != "neighbour" and width > MOST_WIDTH:
            faults.append(f"{where}: the range is {width:.2f} wide")


def main():
    path, program, folder = sys.argv[1:]
    results = model_fit.read_results(path)
    for name, columns, rows in (("cpu_generations.csv", model_fit.GENERATION, model_fit.generation_rows(results)),
                                ("server_cpu.csv", model_fit.CPU, model_fit.cpu_rows(results))):
        shipped = model_fit.read(os.path.join(model_fit.DATA, name))
        if shipped != [{column: str(row[column]) for column in columns} for row in rows]:
            sys.exit(f"{name} is not what is fitted to the results; model_fit.py writes it")
    tables, fits, cases = Tables(), Fits(results), cases_of(results)
    made = set()
    for kind, result, name in cases:
        if name not in made:
            fits.add(tables, name, kind, result)
            made.add(name)
    tables.write(folder)
    answers, faults = ask(program, folder, cases), []
    print("| the processor is | since | load | results | median error | held by the range | its width |")
    print("|---|---|---|---|---|---|---|")
    for kind in ("known", "unknown", "neighbour"):
        for since in (2017, 2021):
            figures = judge(kind, since, cases, answers)
            check(kind, since, figures, faults)
            for load, (count, error, held, width) in figures.items():
                print(f"| {NAMES[kind]} | {since} | {load * 10} % | {count} | {error:.1f} % | {held:.1f} % | {width:.2f} |")
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
