#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What carbon serve costs: the time of a scrape, with many groups, and its CPU time and what it writes at the default
resolution; the same where its state is kept on the disk of the build.

serve.py BUILD SOURCE
"""
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time

build, source = sys.argv[1:3]
SCRAPES, WATCHED_S = 2000, 30


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text + "\n")


def lay(tree, groups):
    for zone, name in (("intel-rapl:0", "package-0"), ("intel-rapl:0:0", "dram")):
        folder = f"{tree}/sys/class/powercap/{zone}"
        put(f"{folder}/name", name)
        put(f"{folder}/energy_uj", "%020d" % 1)
        put(f"{folder}/max_energy_range_uj", "262143328850")
    put(f"{tree}/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\n"
        "model name\t: Test CPU\nstepping\t: 3\nflags\t\t: fpu")
    put(f"{tree}/sys/devices/system/cpu/online", "0")
    put(f"{tree}/sys/devices/system/cpu/cpu0/topology/physical_package_id", "0")
    put(f"{tree}/sys/fs/cgroup/cgroup.controllers", "cpu")
    for i in range(groups):
        put(f"{tree}/sys/fs/cgroup/system.slice/docker-{i:064x}.scope/cpu.stat", "usage_usec %020d" % i)


def cpu_s(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def written_bytes(pid):
    return int(re.search(r"^write_bytes: (\d+)", open(f"/proc/{pid}/io").read(), re.M)[1])


def start(tree, *options):
    server = subprocess.Popen([f"{build}/carbon", "serve", "--root", tree, "--listen", "127.0.0.1:0", *options],
                              stderr=subprocess.PIPE, text=True, env={**os.environ, "CARBON_DATA": f"{source}/data"})
    for line in server.stderr:
        if found := re.match(r"carbon: listening at 127.0.0.1:(\d+)", line):
            return server, int(found[1])
    sys.exit("carbon serve does not start")


def scrape(connection):
    began = time.perf_counter()
    connection.request("GET", "/metrics")
    size = len(connection.getresponse().read())
    return time.perf_counter() - began, size


def show(what, groups, options, scrapes=SCRAPES, pause_s=0, unasked="at a resolution of 5 s"):
    with tempfile.TemporaryDirectory() as tree:
        lay(tree, groups)
        server, port = start(tree, *options)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        scrape(connection)
        before = cpu_s(server.pid)
        times = []
        for _ in range(scrapes):
            times.append(scrape(connection))
            time.sleep(pause_s)
        times.sort()
        per_scrape_s = (cpu_s(server.pid) - before) / scrapes
        before, written = cpu_s(server.pid), written_bytes(server.pid)
        time.sleep(WATCHED_S)
        idle = (cpu_s(server.pid) - before) / WATCHED_S
        written = (written_bytes(server.pid) - written) / WATCHED_S
        resident = re.search(r"VmRSS:\s*(\d+)", open(f"/proc/{server.pid}/status").read())[1]
        print(f"{what}: a scrape of {times[0][1] / 1024:.0f} KiB takes {times[scrapes // 2][0] * 1e3:.2f} ms (p99 "
              f"{times[scrapes * 99 // 100][0] * 1e3:.2f} ms), {per_scrape_s * 1e6:.0f} us of carbon's CPU time (target: under "
              f"2 ms, 20 ms of 10,000 groups); unasked, {unasked}, carbon takes {idle * 100:.3f} % of a core and writes "
              f"{written / 1024:.1f} KiB/s; resident "
              f"{int(resident) / 1024:.1f} MiB")
        server.terminate()
        server.wait()


show("two domains", 0, [])
show("and 300 containers", 300, ["--by", "container"])
with tempfile.TemporaryDirectory(dir=build) as folder:
    show("and 300 containers, kept", 300, ["--by", "container", "--state", f"{folder}/state.json"])
show("and 10,000 containers", 10000, ["--by", "container", "--most-groups", "20000", "--resolution", "1"], 50, 0.23,
     "at a resolution of 1 s")
