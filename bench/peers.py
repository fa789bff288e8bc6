#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""carbon and its peers in one run: what each adds to `true` in CPU time, wall time, memory and instructions, and what an exporter
costs. The commands take turns, so that a busy moment of the machine meets all alike; the load is in the table. A peer that is not
installed is a row that says so.

    peers.py BUILD SOURCE [ROUNDS [JSON]]

Prints the table in Markdown; JSON: a file for the same figures. BENCH_CODECARBON: a Python that has codecarbon."""
import datetime
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BUILD, SOURCE = sys.argv[1:3]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
CARBON = os.path.join(BUILD, "carbon")
TRACK = ("import subprocess, sys; from codecarbon import OfflineEmissionsTracker as T; t = T(country_iso_code='FRA', save_to_file=False, "
         "log_level='critical'); t.start(); subprocess.run(['true']); t.stop()")
MISSING = ["powerstat", "cpu-energy-meter", "scaphandre", "kepler", "alumet-agent"]
PAUSE_S, SCRAPES = 0.05, 40


def lay_tree(folder):
    for number, name in enumerate(["package-0", "core", "uncore", "dram"]):
        zone = f"{folder}/sys/class/powercap/intel-rapl:0" + (f":{number - 1}" if number else "")
        os.makedirs(zone)
        for file, text in ("name", name), ("energy_uj", "123456789"), ("max_energy_range_uj", "262143328850"):
            with open(f"{zone}/{file}", "w", encoding="ascii") as out:
                out.write(text + "\n")
    os.makedirs(f"{folder}/proc")
    with open(f"{folder}/proc/cpuinfo", "w", encoding="ascii") as out:
        out.write("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu\n")


def once(argv):
    """Wall and CPU time in ms of a command with all that it waits for."""
    begun = time.monotonic()
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{argv[0]} ended with {child.returncode}")
    return (time.monotonic() - begun) * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3


def memory(argv):
    """The most of one process of a command in MB; None where GNU time is not installed. Of this program's own children the kernel
    counts its own memory, too."""
    if not shutil.which("time"):
        return None
    said = subprocess.run(["time", "-f", "%M KB", *argv], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    return int(re.search(r"(\d+) KB\n$", said)[1]) / 1e3


def instructions(argv):
    """In millions, of all processes, by callgrind; None where it cannot be had."""
    if not shutil.which("valgrind"):
        return None
    said = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv], capture_output=True, text=True).stderr
    found = re.findall(r"Collected : (\d+)", said)
    return sum(map(int, found)) / 1e6 if found else None


def starts(tree):
    python = os.environ.get("BENCH_CODECARBON") or "python3"
    known = subprocess.run([python, "-c", "import codecarbon"], capture_output=True).returncode == 0
    measure = [CARBON, "measure", "--root", tree, "--baseline", "0", "--zone", "FR", "--quiet"]
    return [("true", ["true"], True),
            ("carbon measure --no-ledger", [*measure, "--no-ledger", "--", "true"], True),
            ("carbon measure, its ledger included", [*measure, "--ledger", f"{tree}/start.db", "--", "true"], True),
            ("floor: cgroup, true, a record of 28 KB on the disk", [os.path.join(BUILD, "bench/floor"), f"{tree}/floor"], True),
            ("perf stat", ["perf", "stat", "true"], shutil.which("perf")),
            ("hyperfine --runs 2 (two starts)", ["hyperfine", "-N", "--runs", "2", "--warmup", "0", "true"], shutil.which("hyperfine")),
            ("CodeCarbon, a tracker in Python", [python, "-c", TRACK], known)]


def measure_starts(tree):
    commands, rows = starts(tree), []
    times = {name: [] for name, _, there in commands if there}
    for turn in range(ROUNDS + 1):  # the first warms the caches
        for name, argv, there in commands:
            if there and (name[:4] != "Code" or turn <= 5):
                result = once(argv)
                times[name] += [result] if turn else []
    floor = [statistics.median(column) for column in zip(*times["true"])]
    for name, argv, there in commands:
        row = {"name": name, "rounds": len(times.get(name, []))}
        if there:
            wall, cpu = (statistics.median(column) for column in zip(*times[name]))
            row |= {"added_wall_ms": wall - floor[0], "added_cpu_ms": cpu - floor[1], "memory_mb": memory(argv),
                    "instructions_m": None if name[:4] == "Code" else instructions(argv)}
        rows.append(row)
    return rows + [{"name": name, "rounds": 0} for name in MISSING]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def cpu_s(pid):
    fields = open(f"/proc/{pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def scrape(port, until=0.0):
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/metrics")
            return len(connection.getresponse().read())
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def exporter(name, argv, port, there):
    row = {"name": name}
    if not there:
        return row
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        size = scrape(port, time.monotonic() + 30)
        before, spent = cpu_s(server.pid), []
        for _ in range(SCRAPES):
            begun = time.monotonic()
            scrape(port)
            spent.append((time.monotonic() - begun) * 1e3)
            time.sleep(PAUSE_S)
        row |= {"scrape_ms": statistics.median(spent), "scrape_cpu_ms": (cpu_s(server.pid) - before) / SCRAPES * 1e3, "bytes": size,
                "memory_mb": int(re.search(r"VmRSS:\s*(\d+)", open(f"/proc/{server.pid}/status", encoding="ascii").read())[1]) / 1e3}
        server.send_signal(signal.SIGTERM)
    return row


def exporters(tree):
    ports, node = [free_port() for _ in range(3)], shutil.which("prometheus-node-exporter")
    listen = f"--web.listen-address=127.0.0.1:{ports[1]}"
    return [exporter("carbon serve", [CARBON, "serve", "--root", tree, "--zone", "FR", "--listen", f"127.0.0.1:{ports[0]}"], ports[0], True),
            exporter("node_exporter, RAPL alone", [str(node), listen, f"--path.sysfs={tree}/sys", "--collector.disable-defaults",
                                                   "--collector.rapl"], ports[1], node),
            exporter("node_exporter, as it comes", [str(node), f"--web.listen-address=127.0.0.1:{ports[2]}"], ports[2], node)]



def table(result):
    perf = next((row.get("added_cpu_ms") for row in result["starts"] if row["name"] == "perf stat"), None)
    print(f"{result['date']}, {result['machine']}; load {result['load_before']} before, {result['load_after']} after; {ROUNDS} rounds\n")
    print("| added to `true` | CPU time, ms | over perf stat's | wall time, ms | memory, MB | instructions, million |\n|---|---|---|---|---|---|")
    for row in result["starts"]:
        if "added_cpu_ms" not in row:
            print(f"| {row['name']} | not installed | | | | |")
            continue
        ratio = f"{row['added_cpu_ms'] / perf:.2f}" if perf else ""
        most, count = ("" if row[key] is None else f"{row[key]:.2f}" for key in ("memory_mb", "instructions_m"))
        print(f"| {row['name']} | {row['added_cpu_ms']:.1f} | {ratio} | {row['added_wall_ms']:.1f} | {most} | {count} |")
    print("\n| a scrape of an exporter | ms | its CPU time, ms | bytes | memory, MB |\n|---|---|---|---|---|")
    for row in result["exporters"]:
        if "bytes" not in row:
            print(f"| {row['name']} | not installed | | | |")
        else:
            print(f"| {row['name']} | {row['scrape_ms']:.2f} | {row['scrape_cpu_ms']:.2f} | {row['bytes']} | {row['memory_mb']:.1f} |")


def main():
    os.environ |= {"CARBON_DATA": os.environ.get("CARBON_DATA") or os.path.join(SOURCE, "data"), "LC_ALL": "C"}
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo", encoding="utf-8").read())
    result = {"date": datetime.date.today().isoformat(), "load_before": "%.1f" % os.getloadavg()[0],
              "machine": f"{model[1] if model else os.uname().machine}, {os.cpu_count()} CPUs, Linux {os.uname().release}"}
    with tempfile.TemporaryDirectory() as tree:
        lay_tree(tree)
        os.environ["HOME"] = tree
        result["starts"] = measure_starts(tree)
        result["exporters"] = exporters(tree)
    result["load_after"] = "%.1f" % os.getloadavg()[0]
    table(result)
    if len(sys.argv) > 4:
        with open(sys.argv[4], "w", encoding="utf-8") as out:
            json.dump(result, out, indent=1)


main()
