#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Makes the first inputs of the fuzz targets from recorded machines.
"""corpus.py DEST TREES...

TREES are folders of machines, each with sys/ and proc/. DEST/TARGET gets the inputs of each target, DEST/TARGET.dict the
words that libFuzzer puts in (names of files are compared by the kernel, where it cannot see what would match).
"""
import hashlib
import json
import os
import re
import struct
import sys

import conversations

MOST_BYTES = 16384
# Process and thread, time, CPU: what each record of perf has.
PERF_ID = struct.pack("<IIQII", 5, 5, 1, 0, 0)
UNREAD = re.compile(r"/(constraint_|\.keep-empty-dir$|uevent$)")
TICKS = "cpu  100 1 50 9000 20 1 2 3 4 5\ncpu0 50 1 25 4500 10 0 1 1 2 2\nintr 1\n"
PERF_EVENTS = ["energy-pkg", "energy-cores", "energy-core", "energy-ram", "energy-gpu", "energy-psys"]
OS_RELEASE = b"NAME=\"Debian\"\nID=debian\nVERSION_ID='12'\n# no\nX\n\0000123456789abcdef0123456789abcdef\n"
WORDS = ["intel-rapl:0", "intel-rapl-mmio:0", "package-0", "package-0-die-1", "psys-0", "dram", "core", "uncore",
         "GenuineIntel", "AuthenticAMD", "hypervisor", "event=0x02", "config:0-7", "Joules", "4294967295",
         "18446744073709551615", "2147483648", "-1", "0-4095", "power1_input", "energy1_input", "power1_average",
         "2.3283064365386962890625e-10", "cpu_hz", "model name\t: "]


PIPELINE_WORDS = ["steps:", "operators:", "- name: ", "run: [x]", "container: {image: i}", "requests:", "requests: {}",
                  "input: [{from: ", "output: [{name: ", "path: /", "import: {path: f.yaml", "args: {", "parameters:",
                  "${{", "}}", "${{ A }}", "cpu: 1", "memory: 2", "timeout: ", "\r\n", "\n  ", "\n- ", ": ", ", ", "# ", "? ",
                  "|\n", ">-\n", "---", "...", "%YAML 1.1", "null", "~", "''", '"', "&a", "*a", "!!str", "<<", "\t"]

INDICATOR_WORDS = ["NaN", "Infinity", "-Infinity", "null", "true", "false", '"component":"x"', '"name":"y"', '"@parameters":{}',
                   '"@result":{}', '"overall_score":1', '"usage":{', '"stdout":', '"exit_code":0', "\\u0000", "\\ud83d", "1e-320"]


def read_machine(folder):
    """Path to content, of what may be read; a link that leads nowhere is "@path" to its target."""
    files = {}
    for above in ("proc", "sys"):
        for place, folders, names in os.walk(os.path.join(folder, above)):
            for name in names + folders:
                path = os.path.join(place, name)
                short = os.path.relpath(path, folder)
                if os.path.islink(path):
                    if not os.path.exists(path):
                        files["@" + short] = b"nowhere"
                elif os.path.isfile(path) and not UNREAD.search("/" + short):
                    with open(path, "rb") as file:
                        files[short] = file.read()
                elif os.path.isdir(path) and not os.listdir(path):
                    files[short + "/"] = b""
    return files


def machines(folders):
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            files = read_machine(os.path.join(folder, name)) if os.path.isdir(os.path.join(folder, name)) else {}
            if files:
                yield files


def records(files):
    """What matters most first, for an input ends somewhere."""
    order = sorted(files, key=lambda path: ("/cpu/cpu" in path, len(path), path))
    data = b""
    for path in order:
        more = path.encode() + b"\0" + files[path].replace(b"\0", b"")[:4096] + b"\0"
        if len(data) + len(more) < MOST_BYTES - 2048:
            data += more
    return data


def later(files, add):
    """The counters of another moment."""
    counters = {}
    for path, content in files.items():
        if re.search(r"/(energy_uj|energy\d+_input|power\d+_(input|average))$", path) and content.strip().isdigit():
            counters[path] = b"%d\n" % max(0, int(content) + add)
    return b"\0\0" + records(counters) if counters else b""


def of_trees(files):
    first = records(files)
    yield first
    if "proc/stat" not in files:
        yield first + b"proc/stat\0" + TICKS.encode() + b"\0"
    moments = first + later(files, 1500000) + later(files, -10**12)
    if len(moments) < MOST_BYTES:
        yield moments


def of_perf(files):
    folder = "sys/bus/event_source/devices/"
    for pmu in {path[len(folder):].split("/")[0] for path in files if path.startswith(folder)}:
        for number, event in enumerate(PERF_EVENTS):
            at = folder + pmu + "/events/" + event
            if at in files:
                names = [folder + pmu + "/" + name for name in ("type", "cpumask", "format/event", "format/umask")]
                texts = [files.get(name, b"") for name in names + [at, at + ".unit", at + ".scale"]]
                counts = struct.pack("<5Q", 0, 1 << 32, 3 << 32, 1 << 31, 2**64 - 1)
                yield bytes([number, 9]) + b"\0".join(texts) + b"\0" + counts


def of_proc(files):
    def text(path):
        return files.get(path, b"").replace(b"\0", b"")

    yield b"m" + b"\0".join(text(path) for path in (
        "proc/cpuinfo", "proc/stat", "proc/self/mountinfo", "proc/self/cgroup", "proc/meminfo", "proc/version",
        "sys/devices/system/cpu/online", "sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name",
        "sys/devices/system/cpu/cpu0/topology/physical_package_id",
        "sys/devices/system/cpu/cpu0/topology/package_cpus_list",
        "sys/devices/system/cpu/cpu0/topology/thread_siblings_list"))[:8192]
    yield b"m" + b"\0".join(text(path)[:512] for path in ("proc/cpuinfo",) + ("",) * 11) + b"3\0Unified\00016384K\0000-3\0" + OS_RELEASE
    for path, content in files.items():
        name = os.path.basename(path)
        if re.fullmatch(r"proc/\d+/stat", path):
            yield b"p" + content
        elif path == "proc/stat":
            yield b"t" + content[:4096]
        elif name in ("cpumask", "online", "package_cpus_list"):
            yield b"l" + content.strip()
        elif path.startswith("proc/self/"):
            yield b"s" + content[:4096]
        elif name == "cpu.stat":
            near = os.path.dirname(path) + "/"
            yield b"u" + b"\0".join(text(near + other) for other in ("cpu.stat", "memory.peak", "io.stat"))
        elif name == "cgroup.procs":
            yield b"a" + content[:512] + b"\0" + b"1\n"


def index():
    """An index of one small table, by src/base/table_index.h: its slot is the same for every field, and half of them are free."""
    rows = [[b"zone", b"name", b"notes"], [b"FR", b"France", b""], [b"DE", b"Germany", b""]]
    begin = 24 + 4 * 10
    places, text = [], b""
    for line, fields in enumerate(rows, 1):
        places.append(begin + len(text))
        text += struct.pack("<I", line) + b"".join(field + b"\0" for field in fields)
    slots = begin + len(text)
    of_field = {b"FR": places[1], b"DE": places[2]}
    table = b"".join(struct.pack("<III", place + 4, number, 1) for number, place in enumerate(of_field.values())) + bytes(24)
    postings = slots + len(table)
    name = postings + 8
    end = b"".join(struct.pack("<I", place) for place in of_field.values()) + b"zones.csv\0\0"
    numbers = struct.pack("<10I", name, 100, 0, 0, 3, begin, 3, slots, 4, postings)
    whole = numbers + text + table + end
    return b"carbon tables 1\n" + struct.pack("<II", 24 + len(whole), 1) + whole


def code():
    """A program of one function, "f" at 0x40, by elf(5)."""
    names, strings = b"\0.text\0.symtab\0.strtab\0.shstrtab\0", b"\0f\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1040, 0x20)
    parts, at = [], 0x40
    for content in (bytes(32), symbols, strings, names):
        parts.append((at, content))
        at += len(content) + -len(content) % 8
    body = b"".join(content + bytes(-len(content) % 8) for _, content in parts)
    headers = bytes(64) + b"".join(struct.pack("<IIQQQQIIQQ", name, kind, flags, address, offset, len(content), link, info, 8, size)
                                   for (name, kind, flags, address, link, info, size), (offset, content) in zip((
                                       (1, 1, 6, 0x1040, 0, 0, 0), (7, 2, 0, 0, 3, 1, 24), (15, 3, 0, 0, 0, 0, 0),
                                       (23, 3, 0, 0, 0, 0, 0)), parts))
    segments = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x1000, 0x1000, at, at, 0x1000)
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0x1040, at + len(headers), at, 0, 64, 56, 1, 64, 5, 4)
    return head + body + headers + segments


SPREAD = {"mean": 2.5, "deviation": 0.5, "min": 2, "max": 3, "count": 2}
WINDOW = {"started_at": "2026-01-01T00:00:00.000Z", "duration_s": 1.5, "energy_uj": [1000, None]}
STATE = {"schema": "carbon.exporter-state/1", "begun_s": "1", "boot_id": "b", "emissions": {
    "scope": "compute", "factor_kgco2eq_per_kwh": 0.1, "pue": 1, "base_kgco2eq": 2, "base_uj": "3", "kgco2eq": 4, "counted_uj": "7"},
    "idle_w": {"package": 5}, "domains": [{"source": "powercap", "domain": "package-0", "path": "intel-rapl:0", "total_uj": "7",
    "raw_uj": "1000000", "boottime_ns": "1", "asleep_ns": "0", "gaps": "1", "unknown_ns": {"reset": "9"}}],
    "groups": [{"kind": "container", "id": "a", "engine": "docker", "user": "1000", "title": "t", "named": True, "cpu_ns": "1",
    "kgco2eq": 1, "own_kgco2eq": 1, "energy_j": {"package": 1}, "own_j": {"package": 0.5}}]}
PROFILE = {"schema": "carbon.profile/1", "energy": {"own_j": 10}, "sampling": {"samples": 100}, "functions": [
    {"name": "f", "library": "l", "own_j": 6, "own_samples": 60}, {"name": "g", "library": "", "own_j": 4, "own_samples": 40}]}
RECORD = {
    "schema": "carbon.record/1", "id": "00000000-0000-4000-8000-000000000000", "command": ["job", "-x"], "label": "A",
    "started_at": "2026-01-01T00:00:00.000Z", "ended_at": None, "complete": True, "interrupted": False,
    "recorded_tree": False, "scope": "compute", "sources": ["powercap"], "quality": "measured", "verdict": "more",
    "machine": {"cpu_model": "CPU", "cpus_online": 4}, "duration_s": SPREAD, "gross_j": SPREAD, "net_j": SPREAD,
    "net_interval_j": {"low": 1, "high": 4}, "pue": {"value": 1, "quality": "default"},
    "hours_per_year": {"value": 8760, "quality": "default"},
    "factor": {"kgco2eq_per_kwh": 0.05, "quality": "given", "basis": "lifecycle", "zone": "FR", "year": 2024},
    "domains": [{"name": "package-0", "source": "powercap", "counted": True, "problem": None},
                {"name": "psys", "source": "perf", "counted": False, "problem": {"what": "x"}}],
    "windows": {"baselines": [WINDOW],
                "runs": [dict(WINDOW, warmup=False, counted=True, ended=True, gross_j=2, idle_j=1, net_j=1,
                              phases=[{"name": "load", "at_s": 0, "duration_s": 1}]),
                         dict(WINDOW, warmup=False, ended=True, gross_j=3, idle_j=1, net_j=2)]},
    "notices": [{"what": "a", "why": None, "fix": "b"}],
}
BATCH_RUN = {"loop": 1, "started_at": "2026-01-01T00:00:00.000Z", "duration_s": 1.5, "gross_j": 5, "idle_j": 2, "net_j": 3,
             "own_j": 3, "own_method": "net", "exit_status": 0, "cut_short": False, "counted": True}
BATCH = {
    "schema": "carbon.batch/1", "complete": False, "started_at": "2026-01-01T00:00:00.000Z", "ended_at": "2026-01-01T00:00:09.000Z",
    "scope": "compute", "recorded_tree": False, "sources": ["powercap"], "machine": {"cpu_model": "CPU", "cpus_online": 4},
    "loops": 3, "warmups": 0, "baseline_s": 1, "order": "interleaved", "seed": None, "resumed": [
        {"interrupted_at": "2026-01-01T00:00:01.000Z", "resumed_at": None, "runs_before": 1}], "modules": [
        {"name": "one", "command": "x", "cpus": None, "quality": "measured", "gross_w": 3, "verdict": "no_baseline",
         "runs": [BATCH_RUN, dict(BATCH_RUN, loop=2, exit_status=1, counted=False)]},
        {"name": "two", "command": "x", "cpus": None, "quality": "measured", "constant": True, "runs": [
            dict(BATCH_RUN, cut_short=True, counted=False)]}]}


def whole_record():
    """One that carbon wrote, whose figures come out again; as far as an input has room for it."""
    with open(os.path.join(os.path.dirname(__file__), "../records/minor-0.json"), encoding="utf-8") as file:
        record = json.load(file)
    del record["provenance"]
    return json.dumps(record, separators=(",", ":")).encode()


SACCT = (b"JobID|JobIDRaw|State|ExitCode|Submit|Start|End|ElapsedRaw|NNodes|NodeList|NCPUS|TotalCPU|MaxRSS|AllocTRES|"
         b"ConsumedEnergyRaw|TRESUsageInTot|Partition|Account|Cluster|JobName\n801_3|804|FAILED|1:0|2026-02-01T11:00:00|"
         b"2026-02-01T12:00:00|2026-02-01T13:00:00|3600|1|g1|4|1-00:00:00|4096K|cpu=4,gres/gpu:a100=2,mem=8192M,node=1|"
         b"18446744073709551615|cpu=08:00:00,energy=5|gpu|lab|alpha|a|b\n")


def benchmarks():
    """What the tools wrote, each in a file; and Criterion's folder."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "benchmarks")
    folder = b"d"
    for above, folders, names in sorted(os.walk(top)):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(above, name), "rb") as file:
                text = file.read()
            yield b"f" + text
            if above != top:
                folder += os.path.relpath(os.path.join(above, name), top).encode() + b"\0" + text + b"\0"
    yield folder


SAMPLES = (b"timestamp,time_s,phase,run,package-0_uj,dram-0_uj\n2026-01-01T00:00:00.000Z,0,baseline,1,0,0\n"
           b"2026-01-01T00:00:01.000Z,1,baseline,1,1000000,\n2026-01-01T00:00:02.000Z,2,run,1,5000000,7\n")
MADE = {
    "fuzz_answer": conversations.MADE,
    "fuzz_proc": [
        b"t" + TICKS.encode(), b"l0-3,8,10-4095", b"p12 (a (b) c) S 1 12 12 0\0" + b"13 (x) Z 12 0",
        b"g0::/user.slice/a\n\0" + b"30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n",
        b"g0::/a/b\n\0" + b"30 24 0:26 /a /mnt/my\\040groups rw - cgroup2 cgroup2 rw\n",
        b"g4:cpu,memory:/a\n\0" + b"30 24 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory\n",
        b"u\0\0\0some avg10=0.00 avg60=3.60 avg300=9.03 total=595\n\0" + b"100\n\0" + b"60\n\0" + b"20\n\0"
        + b"254:0 Read 4096\n254:0 Write 0\nTotal 4096\n",
        b"uusage_usec 100\nuser_usec 60\nsystem_usec 40\n\0" + b"4096\n\0" + b"254:0 rbytes=1 wbytes=2 rios=0\n",
        b"a1\n\0" + b"1\n2\n\0" + b"3\n",
        b"nInter-|   Receive |  Transmit\n face |bytes\n    lo: 5 1 0 0 0 0 0 0 5 1\n  eth0: 1296 16 0 0 0 0 0 0 77 1\n", b"sMemTotal: 5 kB\n", b"m",
    ],
    "fuzz_counter": [
        b"\0" + struct.pack("<QI", 65532610987 + 15, 7) + bytes(range(0, 250, 7)),
        b"\0" + struct.pack("<QI", 262143328850 + 61, 0) + bytes(range(200)),
        b"\1\1" + bytes(range(10, 230, 20)) + bytes(range(255)), b"\1" + bytes(100) + bytes(range(255)),
    ],
    "fuzz_text": [struct.pack("<d", number) + text for number, text in (
        (312.0, b"    Instantaneous power reading:   312 Watts\n    Power reading state is:  activated\n\0x"),
        (1.0, b"Current Power                        : 164 Watts\nPower Measurement : Active\n\0x"),
        (2.0, b"power_meter\0Grace Power Socket 1\0amd_energy\0Esocket0\0xe\0card\0ina3221\0VDD_IN"),
        (0.1, b"8h/d x 250\0" + b"0-3,8\0" + b"1e3\0" + b"50%"), (9.996e-6, b"-2.5\0" + b"2000h"),
        (1e15, b"Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz\0" + b"AMD EPYC 7742 64-Core Processor"),
        (5e-324, "11th Gen Intel® Core™ i7-1165G7\0it's µ\0\x1b[0m".encode()), (float("nan"), b"\xff\xc3\0" + b"a=b"),
        (599.96, b"Intel Core i7 CPU M 620\0" + b"Intel Core 2 Quad Q9550"), (-1e300, b"18446744073709551616"))],
    "fuzz_csv": [
        b"ra,b\n1,2\n", b"r\xef\xbb\xbfa,\"b \"\r\n\"x\"\"y\",\"two\nlines\"\r\n\n", b"ra\n\n1\n", b"r\"a\nb",
        b"wFR,\0zone,year\nFR,2020\nDE,2021\nFR,2022",
        b"istart,end,gco2eq_per_kwh,kind\n2026-01-01T00:00Z,2026-01-01T00:30Z,56,actual\n"
        b"2026-01-01T00:00Z,2026-01-01T00:30Z,60,forecast\n1767227400,1767229200,,\n",
        b"idatetime,zone,kgco2eq_per_kwh\n2026-01-01,FR,0.05\n2026-01-01T01:00+01:00,FR,5e-2\n2026-01-01T02:00,FR,1\n",
        b"fzone,year,kgco2eq_per_kwh,basis,source_id,rank,scope\nFR,2024,0.05,lifecycle,MINE,1,production\n"
        b"X-1,2023,1e-3,direct,MINE,,\n",
        b"e\xef\xbb\xbftimestamp,project_name,duration,emissions,energy_consumed,country_name,country_iso_code,region,on_cloud,"
        b"cloud_provider,cloud_region\n2021-06-29T10:00:10,p,2,0.001,0.0035,France,FRA,,N,,\n2022-03-12T10:00:10,p,r1,2,0.001,"
        b"0.5,10,20,5,0.001,0.002,0.0005,0.0035,France,FRA,,,,Linux,3.9,8,c,,,,,16,machine,N\n",
        b"etimestamp,run_id,duration,emissions,energy_consumed,pue,cpu_energy\n2024-05-31T10:00:10,a,10,0.001,0.01,1.5,0.004\n"
        b"2024-05-31T10:00:20,a,20,0.003,0.03,1.5,\n2024-05-31T10:00:20,a,20,0.003,0.03,1.5,\n",
        b"l[codecarbon INFO @ 23:59:50] [setup] RAM Tracking...\n[codecarbon INFO @ 23:59:50]   CPU model: c\n"
        b"[codecarbon INFO @ 23:59:50] Energy consumed for all CPUs : 0.000400 kWh. Total CPU Power : 100.0 W\n"
        b"[codecarbon INFO @ 00:00:50] 0.000500 kWh of electricity used since the beginning.\n",
        b"mcarbon machine profile,1\nmade_at,2026-11-30T01:02:03.000Z\ncarbon_version,1\nhow,meter\nmeter,m\nbusy,no\n"
        b"cpu_vendor,v\ncpu_model,c\nboard,\ncpu_family,6\ncpu_number,94\ncpu_stepping,-1\nsockets,1\ncores,2\nthreads,2\n"
        b"memory_bytes,8589934592\nguest,yes\nhost_threads,8\nload,busy_cpus,package_w,package_spread_w,memory_w,"
        b"memory_spread_w,machine_w,machine_spread_w,gpu_w,gpu_spread_w\nidle,0,20,0.2,2,,,,,\ncpu,1,30,0.5,2,,,,,\n"
        b"cpu,8,70,1,2,,,,,\nmemory,8,60,1,8,0.2,,,,\n",
    ],
    "fuzz_index": [field + b"\0" + index() for field in (b"FR", b"DE", b"none", b"1", b"")],
    "fuzz_kept": [
        b"s" + json.dumps(STATE).encode(), b's{"schema": "carbon.exporter-state/2"}', b"s", b"s{",
        b"s" + json.dumps({**STATE, "emissions": {"scope": "compute", "kgco2eq": -1, "base_kgco2eq": 1e308}}).encode(),
        b"d" + json.dumps(PROFILE).encode() + b"\f" + json.dumps(PROFILE).encode(), b"d{\f", b"p" + json.dumps(RECORD).encode(),
        b'p{"schema": "carbon.batch/1", "modules": [{"name": "a", "net_j": {"mean": 1}}]}', b"m" + json.dumps(RECORD).encode(),
        b"ptimestamp,time_s,phase,run,package-0_uj\n2026-01-01T00:00:00.000Z,0,run,1,0\n2026-01-01T00:00:01.000Z,1,run,1,9000000\n",
        b"z\x78\xbb\x00\x00\x00\x01\x4b\x4c\x04", b"z",
        b"kcarbon live cache 1\nurl https://x/\nscope GB direct 0\nrange 0 1\nretrieved 1\nvalid 2\nbody 2 638e9b07b4f4dd1f\n\n{}",
        b"o\0a.0.b\0" + b'{"a": [{"b": 1.5}]}', b"o\0\0" + b"12.5", b"o\x01\0x",
        b"yffffffff81000000 T _text\nffffffff81000010 t do_one\t[mod]\nffffffffa0000000 d x\n",
        b"tabcdef012345\tdocker\tweb", b"tab\tpodman", b"n_ZN3foo3barEv", b"n_RNvC6_123foo3bar",
        b'i{"script": "#!/bin/sh\\ntrue", "batch_size": 2, "identifier": "x", "run": {"requests": {"cpu": "1"}}, "environment": []}',
    ],
    "fuzz_result": [
        b"j" + json.dumps(RECORD).encode(), b"j" + json.dumps({"schema": "carbon.record/2"}).encode(), b"j{", b"j",
        b"s" + SAMPLES,
        b"b[batch]\nloops = 3\npue = 1.2\n[one]\ncommand = true &&\n  false\nitems = 10\ncpus = 0\n[two]\ncommand=x ; no\n",
        b"ctimestamp,time_s,phase,run,package-0_uj\n2026-01-01T00:00:00.000Z,1.5,baseline,1,0\n"
        b"2026-01-01T00:00:05.000Z,5,run,1,1\n2026-01-01T00:00:07.000Z,7.25,run,1,\n"
        b"2026-01-01T00:00:09.000Z,9.000000001,run,1,9000001\n2026-01-01T00:00:15.000Z,15,run,1,25000001\n",
        b"m\x07load\ncompute \r\n\n\xff\x00x\n",
        b"e" + json.dumps(BATCH).encode(), b"e" + json.dumps(dict(BATCH, complete=True)).encode(),
        b"e" + json.dumps(dict(BATCH, loops=4)).encode(),
        b"dload=memory seconds=5.001 threads=2 streamed_bytes=123456789 note=no",
    ],
    "fuzz_safety": [
        b"i00000000-0000-4000-8000-000000000000", b"i../package", b"ia.b_c", b"p^(epoch) [0-9]+\0epoch 12",
        b"p((a{1,50}){1,5}|[[:alpha:]]*b)?$\0aaab", b"p\\bx\\>\\w+\0a xyz",
        b"wtls_server_config:\n  cert_file: c.pem\n  key_file: k.pem\n  client_auth_type: RequireAndVerifyClientCert\n"
        b"  client_ca_file: c.pem\n  min_version: TLS13\nbasic_auth_users:\n"
        b"  prom: $2b$10$XKX/UrhYOd0SaI1PjTVtv.hHex1d/eFA2W5hbHvpp2OWJg3ZriAga\n",
        b"rname: m\ncontainer: c{model}\nfetch: [get, '{model}']\nrun: [./run, '{n}', '{input}', \"{output}{n}\"]\nclose: [true]\n",
        b"wbasic_auth_users: {}\nhttp_server_config: {http2: true}\n",
        b"s" + SACCT,
        b"nlogin1,n[001-004,7]\0n3,n[2-9]", b"n(null)\0", b"g/system.slice/docker-" + b"0" * 64 + b".scope",
        b"g/kubepods.slice/kubepods-pod1a2b3c4d_0000_4000_8000_00000000000a.slice:cri-containerd:" + b"a" * 64,
        b"g/slurm/uid_1000/job_42", b"g/" + b"x" * 300, b'ta,b\r\n=1+1,"@x ""y"""\n-1.5e-05,-x,+.5\n"\n,"',
    ],
    "fuzz_live": [
        b'\0\0{"data":[{"from":"2026-01-20T12:00Z","to":"2026-01-20T12:30Z","intensity":{"forecast":266,"actual":null}}]}',
        b'\1\0{"unix_seconds":[1768910400,1768911300],"co2eq":[491.5,null],"co2eq_forecast":[null,505.0]}',
        b'\2\1[{"date_heure":"2026-01-20T12:00:00+00:00","taux_co2":31},{"date_heure":"2026-01-20T13:15:00+01:00"}]',
        b'\3\0{"total":1,"records":[{"Minutes5UTC":"2026-01-20T12:00:00","PriceArea":"DK1","CO2Emission":93.0}]}',
        b'\4\0{"zone":"DE","data":[{"carbonIntensity":216,"datetime":"2026-01-20T12:00:00.000Z","isEstimated":false}]}',
        b'\5\0{"data":[{"point_time":"2026-01-20T12:00:00+00:00","value":870.0}],"meta":{"data_point_period_seconds":300,'
        b'"region":"CAISO_NORTH","signal_type":"co2_moer","units":"lbs_co2_per_mwh"}}',
        b'\6\0<Document xmlns="x"><DocBody><DailyData><Day>2026-01-20</Day><HourlyData><Hour>1</Hour><FuelTotal><Fuel>GAS</Fuel>'
        b'<EnergyValue><Output>5</Output></EnergyValue></FuelTotal></HourlyData></DailyData></DocBody></Document>',
        b'\7\0{"Data":"2026-01-20T09:00:00-03:00","sul":{"geracao":{"hidraulica":1,"termica":2,"nuclear":0,"eolica":3,"solar":-1}}}',
        b'\10\0[{"location":"eastus","time":"2026-01-20T12:00:11.5092741+00:00","rating":70,"duration":"00:05:00"}]',
        b'\10\1[{"forecastData":[{"timestamp":"2026-01-20T14:00:00+00:00","duration":10,"value":532.02}]}]',
        b'\11\0{"zone":"DE","data":[{"carbonIntensity":216,"datetime":"2026-01-20T12:00Z","temporalGranularity":"hourly"}]}',
        b'\12\0{"response":{"total":"1","data":[{"period":"2026-01-20T12","respondent":"US48","fueltype":"NG","value":"73",'
        b'"value-units":"megawatthours"}]}}',
        b'\13\0{"data":[{"metric":"energy","unit":"MWh","interval":"5m","results":[{"columns":{"region":"NSW1","fueltech":'
        b'"hydro"},"data":[["2026-01-20T12:00:00Z",5]]}]}]}',
        b'\14\0<GL_MarketDocument><TimeSeries><inBiddingZone_Domain.mRID>10Y1001A1001A82H</inBiddingZone_Domain.mRID>'
        b'<quantity_Measure_Unit.name>MAW</quantity_Measure_Unit.name><curveType>A03</curveType><MktPSRType><psrType>B04'
        b'</psrType></MktPSRType><Period><timeInterval><start>2026-01-20T00:00Z</start><end>2026-01-20T06:00Z</end>'
        b'</timeInterval><resolution>PT15M</resolution><Point><position>1</position><quantity>5</quantity></Point></Period>'
        b'</TimeSeries></GL_MarketDocument>',
    ],
    "fuzz_command": [
        kind + text for kinds, text in (
            (b"rvscwgkmpd", json.dumps(RECORD).encode()), (b"rvscwm", whole_record()), (b"ds", SAMPLES), (b"a", SACCT), (b"gk", b'{"component":"x","name":"y","@parameters":{},"@result":{"rate":2}}'),
            (b"x", b'node_rapl_package_joules_total{path="intel-rapl:0"} 65000 0\nnode_rapl_package_joules_total{path="intel-rapl:0"} 65500 10000\n'),
            (b"r", b"timestamp,project_name,duration,emissions,energy_consumed,country_name,country_iso_code,region,on_cloud,cloud_provider,"
                   b"cloud_region\n2026-06-29T10:00:10,p,2,0.001,0.0035,France,FRA,,N,,\n")) for kind in (bytes([one]) for one in kinds)
    ],
    "fuzz_container": [
        b'\0{"read":"0001-01-01T00:00:00Z","cpu_stats":{"cpu_usage":{"total_usage":0}},"memory_stats":{}}',
        b'\2{"cpu_stats":{"cpu_usage":{"total_usage":3.0881377e+14,"percpu_usage":[1,2],"usage_in_usermode":5},'
        b'"system_cpu_usage":1866790000000,"online_cpus":2},"precpu_stats":{"cpu_usage":{"total_usage":7},'
        b'"system_cpu_usage":1866780000000},"memory_stats":{"usage":372736,"max_usage":4087808,'
        b'"limit":18446744073709551615,"stats":{"inactive_file":5,"total_inactive_file":7}},'
        b'"networks":{"eth0":{"rx_bytes":1,"tx_bytes":2}},"blkio_stats":{"io_service_bytes_recursive":'
        b'[{"op":"Read","value":4096},{"op":"write"}]}}{"memory_stats":{"usage":null}}',
        b'\1{"message":"No such container: nosuch"}\0\1\0\0\0\0\0\0\4out\n\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\3err',
        b"\7\0\1\0\0\0\0\1\0\0" + b"x" * 300, b"\3\0\3\0\0\0\0\0\0\1x",
    ],
    "fuzz_prometheus": [
        b'{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"kepler_pod_cpu_joules_total",'
        b'"pod_name":"p","zone":"dram"},"values":[[1,"1"],[2.5,"2e3"],[3,"NaN"]]}]}}\0{"status":"success","data":{"resultType":'
        b'"matrix","result":[{"metric":{"__name__":"kepler_pod_cpu_joules_total","pod_name":"p","zone":"dram"},"values":'
        b'[[3,"4"],[4,"+Inf"],[5,"7"]]}]}}',
        b'{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"b"},"value":[5,"0.19"]}]},"warnings":'
        b'["w"],"infos":["i"],"isPartial":true}\0{"status":"success","data":{"resultType":"scalar","result":[5,"2"]}}',
        b'{"status":"error","errorType":"bad_data","error":"parse error"}\0<html>\0{"status":"success","data":{"resultType":'
        b'"vector","result":[{"metric":{},"histogram":[1,{}]}]}}',
    ],
    "fuzz_profile": [
        b"m1000 10 one\n1010 8 two\n1010 8 again\nxyz\n-5 3 no\nffffffffffffff00 ffffffffffffffff far\n2000 0 empty\n3000 10 \n",
        b"e" + code(),
        # perf_event_open(2): a name by execve, a mapping, a child, a sample of three frames in it, what was lost, an end
        b"r" + b"".join(struct.pack("<IHH", kind, misc, 8 + len(body)) + body for kind, misc, body in (
            (3, 1 << 13, struct.pack("<II8s", 5, 5, b"job") + PERF_ID),
            (10, 2, struct.pack("<IIQQQIIQQII16s", 5, 5, 0x1000, 0x2000, 0, 8, 1, 7, 0, 5, 2, b"/usr/bin/job") + PERF_ID),
            (7, 0, struct.pack("<IIIIQ", 6, 5, 6, 5, 1) + PERF_ID),
            (9, 2, struct.pack("<Q", 0x1010) + PERF_ID + struct.pack("<QQQQQ", 4, 2 ** 64 - 512, 0x1010, 0x1020, 0x9000)),
            (2, 0, struct.pack("<QQ", 1, 3) + PERF_ID),
            (4, 0, struct.pack("<IIIIQ", 6, 5, 6, 5, 2) + PERF_ID))),
        # registers, a rule (CFA = sp + 16, the return address at CFA - 8), and a stack of a few words
        b"u" + struct.pack("<17Q", 1, *[0x7ffe0000] * 16) + struct.pack("<BBBxBBBxi", 1, 0, 16, 2, 7, 0, 16) +
        struct.pack("<BBBxi", 1, 0, 0, 0) * 16 + struct.pack("<BBBxi", 3, 255, 0, -8) + struct.pack("<9Q", *[0x7ffe0010, 0x5000] * 4, 0),
        b"r" + struct.pack("<IHH", 9, 2, 8 + 8 + 24 + 8 + 8 + 136 + 8 + 16 + 8) + struct.pack("<Q", 0x1010) + PERF_ID +
        struct.pack("<QQ", 0, 2) + struct.pack("<17Q", *range(17)) + struct.pack("<QQQQ", 16, 0x1010, 0x1020, 16),
    ],
    "fuzz_otlp": [
        b'\0{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"old"}}', b'\0{"partialSuccess":{"rejectedDataPoints":1e300}}',
        b"\1service.name=a,b=x%2Cy, c = d", b"\2" + b"0::/docker-" + b"0123456789abcdef" * 4 + b".scope",
        b"\3https://collector.example:4318/otlp/", b'\4a"\\\n\xff\xc3\xbc', b"\5# keys\nauthorization: Bearer x\nx-a:b\n",
    ],
    "fuzz_exposition": [
        b'# TYPE a counter\na{b="c\\"\\n\\\\",d=""} 1e3 1702462599500\n{"x.y","l 1"="v"} NaN\n', b"a_total 1 2.5 # {t=\"x\"} 0.5 1\n# EOF\n",
        b'kepler_container_package_joules_total{pod_name="p",container_namespace="n",mode="idle"} 5\n'
        b'node_rapl_package_joules_total{path="intel-rapl:0"} 65000 0\nnode_rapl_package_joules_total{path="intel-rapl:0"} 65500 10000\n\f'
        b'kepler_container_package_joules_total{mode="idle",pod_name="p",container_namespace="n"} 4\n'
        b'node_rapl_package_joules_total{path="intel-rapl:0"} 467 20000\nnode_rapl_package_joules_total{path="intel-rapl:0"} 967 30000\n',
        b'kepler_pod_cpu_joules_total{pod_id="1",pod_name="p",zone="package-0"} 1\nscaph_host_power_microwatts +Inf\n'
        b'kepler_pod_energy_stat{pod_name="p",pod_total_energy_in_pkg_millijoule="17"} 1\n\f'
        b'kepler_container_cpu_joules_total{pod_id="1",container_id="c",zone="dram"} 2\ncarbon_energy_joules_total{component="gpu",counted="yes"} 3\n',
    ],
    "fuzz_benchmark": list(benchmarks()) + [
        b"f[]", b"f{}", b'f{"results": [{"command": "a", "times": [-1, 1e999], "mean": 0, "stddev": -1, "parameters": {"a": {}}}]}',
        b'f[{"benchmark": "a", "primaryMetric": {"score": 1e-320, "scoreUnit": "ops/day", "rawData": [[0]]}, "threads": -1}]'],
    "fuzz_contract": [struct.pack("<IId", first, days, 0.25) + text for first, days, text in (
        (20260301, 27, b"[GO-2026-77]\nshare = 0.6\ng_per_kwh = 0\nfrom = 2026-01-01\nuntil = 2026-12-31\n"),
        (20240229, 0, b"[a]\nshare=0.7\ng_per_kwh=84.879\nfrom=2024-02-29\nuntil=2024-02-29\n"
                      b"[b]\nshare=0.3\ng_per_kwh=1e1\nfrom=2023-01-01\nuntil=2025-12-31\n"),
        (20250601, 1, b"; two that never hold on one day\n[a]\nshare = 1\ng_per_kwh = 10\nfrom = 2025-01-01\n"
                      b"until = 2025-05-31\n[b]\nshare = 1\ng_per_kwh = 20\nfrom = 2025-06-01\nuntil = 2026-05-31\n"),
        (0, 0, b"[a]\nshare = 0.8\ng_per_kwh = 1\nfrom = 2025-01-01\nuntil = 2025-12-31\n"
               b"[b]\nshare = 0.8\ng_per_kwh = 1\nfrom = 2025-12-31\nuntil = 2026-12-31\n"),
        (0, 0, b"[a]\nshare = 0.5\n"), (0, 0, b"share = 0.5\n"), (0, 0, b"[a]\nuntil = 2025-02-29\n"), (0, 0, b""))],
    "fuzz_pipeline": [
        b"\0api-version: 0.4.0\nname: demo\noperators:\n- name: reader\n  variables:\n    TRACE: 2\n  container:\n"
        b"    image: demo/op\n    tag: 0.8.1\n    command: [\"sh\", '-c', exit 3]\n  input:\n  - path: /input\n  output:\n"
        b"  - path: /out\n    name: seg\n- name: writer\n  container: {image: a, tag: b}\n  input: [{from: reader, name: seg,"
        b" path: /in}]\n  requests: {gpu: 1, cpu: 2} # c\n  timeout: 1m30s\n  allow-failure: yes\n  models: [{name: m}]\n",
        b"T=1\0N=x\0\0parameters: {T: ~, N: 7}\r\nsteps:\r\n- name: s${{N}}\r\n  run: [./x, -${{ t }}, \"${{N}}${{N}}\"]\r\n"
        b"  requests:\r\n  env: {A: \xc3\xa9}\r\n- {name: b, run: [y], cpus: 0-3, dir: /tmp}\r\n",
        b"X=1\0\0\xef\xbb\xbfsteps:\n- name: a\n  import: {path: f.yaml, args: {X: '1'}}\nparameters: {X: ~}\n",
        b"\0steps:\n- name: a\n  run: [x]\n  input: [{from: b}]\n- name: b\n  run: [y]\n  input: [{from: a}]\n",
        b"\0steps: [{name: a, run: [x], requests: {}}, {\"name\": b, run: [\n x], requests: {memory: 256\n}}]\n",
        b"\0a: &x |\n  t\nb: *x\n<<: !!map {c: >-\n  d}\n---\n", b"\0" + b"[" * 70, b"\0\tx: \xee\x80\x80 \"\\uE001\"\n",
    ],
    "fuzz_indicator": [
        b'{"component":"x","name":"PiX","@parameters":{"reps":1},"@result":{"rate":2.50,"n":[NaN,-Infinity,1e-320]}}\n',
        b'{\n  "framework": "caf\\u00e9 \\ud83d\\ude80",\n  "name": "",\n  "@parameters": {},\n  "@result": {"a": null}\n}',
        b'{"exit_code":0,"stdout":{"name":"x"},"usage":{"ru_utime":1,"ru_stime":0.5},"script_sha256":""}',
        b'{"a":1,"\\u0061":2}', b"{} {}", b"DTYPE set\n", b"[1,-0.5e+3,true", b"\xef\xbb\xbf{}", b'["\xff"]', b" ", b"[" * 300,
        b'{"overall_score":Infinity,"@energy":{},"usage":[]}',
    ],
    "fuzz_config": [
        b"\x05zone = FR\n[measure]\nruns = 3\n; no\n\0" + b"--json\0" + b"x.json\0" + b"--runs=2\0" + b"--\0" + b"true",
        b"\x04quiet = yes\ninterval = 0.5\n\0" + b"-z\0" + b"DE\0" + b"--duty\0" + b"8h/d x 250\0" + b"--pue\0" + b"1.2",
        b"\x00" + b"[sources]\nscope=machine\n\0", b"\1\0--help", b"\2\0--source\0perf", b"\3\0DIR", b"\6\0--zon\0FR",
        b"\4\0--cpus\0" + b"0-3\0" + b"--baseline\0" + b"5\0" + b"--\0" + b"sleep\0" + b"1",
    ],
}


def words_of(folders):
    """File names and short contents of the machines."""
    words = set(WORDS)
    for files in machines(folders):
        for path, content in files.items():
            words.update(part for part in re.split("/", path) if not re.search(r"\d\d|[^ -~]", part))
            if len(content) < 24 and not re.search(rb"\d\d", content):
                words.add(content.decode("latin-1").strip())
    return sorted(word for word in words if 1 < len(word) < 48)


def write_words(path, words):
    with open(path, "w", encoding="ascii") as file:
        for word in words:
            quoted = "".join(c if c not in "\\\"" and " " <= c <= "~" else "\\x%02x" % ord(c) for c in word)
            file.write('"%s"\n' % quoted)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    dest, folders = arguments[0], arguments[1:]
    inputs = {name: list(made) for name, made in MADE.items()}
    for files in machines(folders):
        for name, make in (("fuzz_tree", of_trees), ("fuzz_perf", of_perf), ("fuzz_proc", of_proc)):
            inputs.setdefault(name, []).extend(make(files))
    words = words_of(folders)
    for name, datas in inputs.items():
        os.makedirs(os.path.join(dest, name), exist_ok=True)
        for data in datas:
            with open(os.path.join(dest, name, hashlib.sha1(data).hexdigest()), "wb") as file:
                file.write(data[:MOST_BYTES])
        write_words(os.path.join(dest, name + ".dict"), words if name in ("fuzz_tree", "fuzz_perf", "fuzz_proc") else
                    PIPELINE_WORDS if name == "fuzz_pipeline" else
                    INDICATOR_WORDS if name == "fuzz_indicator" else
                    ["zone", "yes", "[measure]", "--json", "0-3,8", "1e308", "8h/d x ", "\r\n", '""', "share",
                     "g_per_kwh", "from", "until", "2026-02-28"])
        print("%s: %d inputs" % (name, len(set(datas))))


if __name__ == "__main__":
    main(sys.argv[1:])
