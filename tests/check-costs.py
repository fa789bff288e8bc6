#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a start and a sample cost, in instructions (callgrind), and memory and size of the program, against tests/costs.tsv:
within 5 %, or the numbers there are to be changed by who changed the cost (check-costs.py --update). Instructions depend on
the compiler, so it looks at what gcc 12 made on x86-64 with -O2 alone. No time is measured: a busy machine changes nothing.

Run in a build folder."""
import os
import platform
import re
import subprocess
import sys
import tempfile

TOLERANCE = 0.05
here = os.path.dirname(os.path.abspath(__file__))
table = os.path.join(here, "costs.tsv")
environment = {**os.environ, "CARBON_DATA": os.path.join(here, "..", "data"), "LC_ALL": "C"}


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(77)


def made(variable):
    return re.search(rf"^{variable} = *(.*)$", open("Makefile").read(), re.M)[1]


def checked_here():
    compiler = made("CC").split()[-1]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    if platform.machine() != "x86_64" or not re.search(r"\(Debian 12\S*\) 12\.", version) or "clang" in version:
        skip(f"the numbers are those of Debian 12's gcc on x86-64, not of {version.splitlines()[0] if version else compiler}")
    if made("CFLAGS").split() != ["-g", "-O2"] and made("CFLAGS").split() != ["-O2", "-g"]:
        skip(f"the numbers are those of -O2 -g, not of {made('CFLAGS')}")
    if subprocess.run(["valgrind", "--version"], capture_output=True).returncode != 0:
        skip("no valgrind")


def tree(folder):
    """Two packages, each with its memory: four domains of powercap."""
    zones = "sys/class/powercap"
    for package in range(2):
        for path, name in (f"intel-rapl:{package}", f"package-{package}"), (f"intel-rapl:{package}:0", "dram"):
            os.makedirs(f"{folder}/{zones}/{path}")
            for file, content in ("name", name), ("energy_uj", 1000000), ("max_energy_range_uj", 262143328850):
                with open(f"{folder}/{zones}/{path}/{file}", "w") as out:
                    print(content, file=out)
    os.makedirs(folder + "/proc")
    for file, content in ("stat", "cpu 1 0 1 1000 0 0 0 0 0 0\n"), ("meminfo", "MemTotal: 8000000 kB\n"), ("cpuinfo", "processor : 0\n"):
        with open(f"{folder}/proc/{file}", "w") as out:
            out.write(content)


def instructions(*arguments):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./carbon", *arguments],
                         capture_output=True, text=True, env=environment)
    # the program's own; those of its children until their exec are fewer
    counts = re.findall(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not counts:
        sys.exit(f"carbon {' '.join(arguments)} under callgrind: status {run.returncode}\n{run.stderr}")
    return max(map(int, counts))


def a_sample(root, folder):
    """By the difference of a short and a long run, over the samples that each wrote."""
    costs = []
    for seconds in "0.5", "2.5":
        file = f"{folder}/{seconds}.csv"
        cost = instructions("measure", "--no-ledger", "--baseline", "0", "--root", root, "--interval", "0.01",
                            "--samples", file, "--", "sleep", seconds)
        costs.append((cost, sum(1 for _ in open(file)) - 1))
    (short, few), (long, many) = costs
    return (long - short) / (many - few)


def own_memory_bytes(root):
    """As the job sees it, without the pages of files, of which the kernel maps more where more are in its cache."""
    run = subprocess.run(["./carbon", "measure", "--no-ledger", "--baseline", "0", "--root", root, "--zone", "FR", "--",
                          "sh", "-c", "cat /proc/$PPID/status"], capture_output=True, text=True, env=environment)
    return int(re.search(r"^RssAnon:\s*(\d+) kB$", run.stdout, re.M)[1]) * 1024


def size_bytes(file):
    numbers = subprocess.run(["size", file], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
    return int(numbers[0]) + int(numbers[1])


def main():
    checked_here()
    with tempfile.TemporaryDirectory() as folder:
        tree(folder + "/machine")
        start = ("measure", "--no-ledger", "--baseline", "0", "--root", folder + "/machine", "--zone", "FR", "--", "true")
        costs = {
            "instructions of carbon --version": instructions("--version"),
            "instructions of a start, four powercap domains, a zone": instructions(*start),
            "instructions of a sample of four powercap domains, written as CSV": a_sample(folder + "/machine", folder),
            "memory of its own of carbon measure while a job runs, bytes": own_memory_bytes(folder + "/machine"),
            "size of the program's code and data, bytes": size_bytes("carbon"),
        }
        if os.path.exists(".libs/libcarbon.so"):
            costs["size of libcarbon's code and data, bytes"] = size_bytes(".libs/libcarbon.so")
    if sys.argv[1:] == ["--update"]:
        with open(table, "w") as out:
            for name, cost in costs.items():
                print(name, round(cost), sep="\t", file=out)
        return 0
    known = dict(line.rstrip("\n").split("\t") for line in open(table))
    failed = [name for name in known if name in costs and abs(costs[name] / int(known[name]) - 1) > TOLERANCE]
    failed += sorted(set(costs) - set(known))
    for name, cost in costs.items():
        print(f"{name}: {cost:.0f}, {known.get(name, 'nothing')} known{' FAILED' if name in failed else ''}")
    if failed:
        print("costs have changed by more than 5 %: mend them, or say why in the commit that has check-costs.py --update")
    return 1 if failed else 0


sys.exit(main())
