# SPDX-License-Identifier: MIT
# Compares what `carbon sources --json` says of a recorded machine with its expected.json: the machine laid out flat
# and as the kernel nests its zones; as this user, and where modes.tsv protects a counter and this is root, as one who
# may not read it too.
import json
import os
import shutil
import subprocess

import machines.kinds as kinds
from lay_tree import lay_tree

COMPONENTS = {"package": "package", "core": "cores", "uncore": "uncore", "dram": "memory", "psys": "platform"}
# What a sensor's whole is: the machine, not the board's counter.
SENSORS = {"platform": "machine", "core": "cores", "rail": "rail", "package": "package"}
KINDS = {
    "powercap": "sys/class/powercap/",
    "perf": "sys/bus/event_source/",
    "hwmon": "sys/class/hwmon/",
    "hwmon-energy": "sys/class/hwmon/",
    "hwmon-vi": "sys/class/hwmon/",
    "iio": "sys/bus/iio/devices/",
    "battery": "sys/class/power_supply/",
    "cray": "sys/cray/pm_counters/",
}
ORDINARY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
OTHER_ROOT = ["unshare", "-Ur"]


class Checks:
    """Counts what was checked of one machine or trace, and keeps what failed."""

    def __init__(self, name):
        self.name = name
        self.way = ""
        self.done = 0
        self.failures = []
        self.remarks = []

    def equal(self, what, expected, got):
        self.done += 1
        if expected != got:
            self.failures.append(f"{self.way}{what}: expected {expected}, got {got}")

    def remark(self, what):
        if what not in self.remarks:
            self.remarks.append(what)


def is_ours(path):
    return any(path.startswith(folder) for folder in KINDS.values())


def place(path):
    """A battery is its directory, whichever file of it is named."""
    return "/".join(path.split("/")[:4]) if path.startswith(KINDS["battery"]) else path


def check_counter(checks, source, domains):
    """One counter of expected.json: a zone is one domain, an event one per package."""
    path = source["path"]
    if not domains:
        checks.equal(f"{path} is not listed, so it should not count", False, source["counted_in_total"])
        return
    checks.equal(f"{path} counts", source["counted_in_total"], any(domain["would_count"] for domain in domains))
    for domain in domains:
        names = COMPONENTS if source["kind"] in ("powercap", "perf") else SENSORS
        if source["kind"] == "battery":
            names = {"battery": "machine"}
        checks.equal(f"{path} component", names.get(source["level"], domain["component"]), domain["component"])
        checks.equal(f"{path} has a reason", True, bool(domain["reason"]))
        if source["kind"] == "powercap" and domain["component"] != "platform":
            checks.equal(f"{path} package", source["socket"], domain["package"])
        if "max_energy_range_uj" in source:
            reach = source["max_energy_range_uj"]
            checks.equal(f"{path} wraps at", reach + round(reach / (2**32 - 1)), domain["wraps_at_uj"])


def domains_by_path(result):
    domains = {}
    for source in result["sources"]:
        if source["quality"] != "modelled":
            for domain in source["domains"]:
                domains.setdefault(domain["path"], []).append(domain)
    return domains


def check_alternative(checks, expected, result, domains):
    """What covers the whole machine beside a total of components; the board's counter will do."""
    path, wanted = result["whole_machine"], expected.get("whole_machine_alternative")
    if not wanted:
        machine = any(domain["component"] == "machine" for domain in domains.get(path, []))
        checks.equal("nothing beside the total covers the machine", False, machine)
    elif is_ours(wanted):
        checks.equal("beside the total", place(wanted), path)


def check_denied(checks, result, domains):
    counted = [path for path, of_path in domains.items() if any(domain["counted"] for domain in of_path)]
    checks.equal("counted without permission", [], counted)
    denied = [source for source in result["sources"] if source["state"] == "denied"]
    checks.equal("denied, with a reason and a fix", True, any(source["why"] and source["fix"] for source in denied))
    for path, of_path in domains.items():
        for domain in of_path:
            if domain["would_count"]:
                told = domain["what"] and path in domain["what"] and domain["why"] and domain["fix"]
                checks.equal(f"{path} is denied, by name, with a reason and a fix", True, bool(told))


def check_guest(checks, expected, result, domains):
    """A machine whose expected.json does not say that it is a guest may be one with counters of its own."""
    if expected.get("guest", "virtual-machine" in kinds.expected_of(expected)):
        checks.equal("a virtual machine", True, result["machine"]["guest"])
    if result["machine"]["guest"]:
        counted = [domain for of_path in domains.values() for domain in of_path if domain["would_count"]]
        checks.equal("what a guest counts is virtual", [], [of["path"] for of in counted if of["quality"] != "virtual"])


def check_result(checks, expected, result, may_read):
    """False: the expected total needs kinds of sources that carbon has not got."""
    domains = domains_by_path(result)
    total = expected["total"]["sum_of"]
    counted = sorted(path for path, of_path in domains.items() if any(domain["would_count"] for domain in of_path))
    checks.equal("what makes up the total", sorted(map(place, filter(is_ours, total))), counted)
    for source in expected["sources"]:
        if source["kind"] in KINDS:
            check_counter(checks, source, domains.get(place(source["path"]), []))
    check_alternative(checks, expected, result, domains)
    known = {place(source["path"]) for source in expected["sources"]}
    if set(domains) - known:
        checks.remark(f"not in expected.json: {' '.join(sorted(set(domains) - known))}")
    check_guest(checks, expected, result, domains)
    status = expected["status"]
    if may_read and status in ("permission", "incomplete"):
        status = "ok"
    if status == "permission":
        check_denied(checks, result, domains)
    if status == "incomplete":
        checks.equal("a notice of what is left out", True, "left-out" in kinds.of_notices(result))
    others = not all(map(is_ours, total))
    checks.equal("status", "none" if others else status, result["status"])
    return not others


def look(checks, program, dest):
    run = subprocess.run([*program, "sources", "--root", dest, "--json", "-"], capture_output=True, text=True)
    checks.equal("exit status", 0, run.returncode)
    checks.equal("standard error", "", run.stderr)
    return json.loads(run.stdout) if run.returncode == 0 else None


def perf_is_denied(result):
    """Only where a recorded PMU is a software one are its events opened."""
    return any(source["name"] == "perf" and source["state"] == "denied" for source in result["sources"])


def reader_without_rights(tree):
    """Who may not read what is protected: an ordinary user; for files of a user that is none here, even the
    root of another user namespace."""
    modes = os.path.join(tree, "modes.tsv")
    if os.geteuid() != 0 or not os.path.exists(modes):
        return None
    with open(modes, encoding="utf-8") as file:
        text = file.read()
    return None if "energy_uj" not in text else OTHER_ROOT if "nobody:" in text else ORDINARY


def works(program):
    run = subprocess.run([*program, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run.returncode == 0


def check_machine(checks, carbon, dest, tree, expected):
    """What CARBON says to this user, or None, and the kinds of notice of each look; what is missing is a remark."""
    reader = reader_without_rights(tree)
    said, looks = None, []
    for layout in ("flat", "nested"):
        checks.way = f"{layout}: "
        shutil.rmtree(dest, ignore_errors=True)
        lay_tree(tree, dest, layout == "nested")
        result = look(checks, [carbon], dest)
        if result and perf_is_denied(result):
            checks.remark("not checked: perf events are denied here")
        elif result:
            said = result
            looks.append((kinds.of_sources(result), os.geteuid() == 0))
            if not check_result(checks, expected, result, os.geteuid() == 0):
                counted = {source["kind"] for source in expected["sources"] if source["counted_in_total"]}
                checks.remark(f"not in the total yet: {', '.join(sorted(counted - set(KINDS)))}")
        if reader and works([*reader, carbon]):
            checks.way = f"{layout} by {reader[0]}: "
            result = look(checks, [*reader, carbon], dest)
            if result:
                looks.append((kinds.of_sources(result), False))
                check_result(checks, expected, result, False)
        elif reader:
            checks.remark(f"not checked without rights: {reader[0]} cannot run carbon here")
    return said, looks
