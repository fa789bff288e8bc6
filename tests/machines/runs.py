# SPDX-License-Identifier: MIT
# What `carbon measure` says of a laid-out machine whose counters a job moves by known numbers.
import glob
import json
import os
import shutil
import subprocess
import sys

import machines.kinds as kinds
from compare_machines import is_ours, perf_is_denied, reader_without_rights, works
from lay_tree import lay_tree

PLAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "play.py")
SECONDS = 0.3
PERF = "sys/bus/event_source/"
# Uneven, and no sum of some is another's: a wrong choice of domains gives a wrong total.
LEAST_UJ = 10007
# Where a part is to be above its whole; that begins at 10 J. A sensor beside the counters goes on at the power that was
# recorded.
ABOVE_COUNTER_UJ = {"package": 12000000, "dram": 3000000, "psys": 5000000}
ABOVE_SENSOR_UJ = {"package": 100000000}
# By so much two meters are apart, or a mirror and what it mirrors move.
APART_UJ = 100000000
# What should move by itself: no part of another.
WHOLES = ("package", "dram", "psys")
SENSOR_ERROR = 0.005


def number_in(path):
    with open(path, encoding="utf-8") as file:
        return int(file.read().split()[0])


def text_in(path):
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def counters(dest):
    """The counters of a laid-out machine that this user may read: the path that expected.json has, to the file and
    the microjoules of one count."""
    found = {}
    for file in sorted(glob.glob(f"{dest}/sys/class/powercap/*/energy_uj")):
        found[os.path.relpath(os.path.dirname(file), dest)] = (file, 1)
    for file in sorted(glob.glob(f"{dest}/sys/class/hwmon/hwmon*/energy*_input")):
        found[os.path.relpath(file, dest)] = (file, 1)
    for file in sorted(glob.glob(f"{dest}/sys/bus/iio/devices/*/in_energy*_raw")):
        # the class has joules; this driver, microjoules
        per_scale = 1 if text_in(f"{os.path.dirname(file)}/name").startswith("pac19") else 1e6
        found[os.path.relpath(file, dest)] = (file, float(text_in(file.replace("_raw", "_scale"))) * per_scale)
    for file in sorted(glob.glob(f"{dest}/sys/cray/pm_counters/*energy")):
        found[os.path.relpath(file, dest)] = (file, 1e6)
    return {path: of for path, of in found.items() if os.access(of[0], os.R_OK)}


def modulus_of(file):
    """A counter has 2^32 states; its range is the last of them."""
    try:
        reach = number_in(os.path.join(os.path.dirname(file), "max_energy_range_uj"))
    except OSError:
        return 1 << 64
    return reach + max(1, round(reach / (2**32 - 1)))


def level_of(file):
    name = os.path.join(os.path.dirname(file), "name")
    text = text_in(name) if os.path.exists(name) else ""
    return text.split("-")[0]


def gains_of(dest, more):
    gains = {}
    for number, (path, (file, unit_uj)) in enumerate(counters(dest).items()):
        gain_uj = (LEAST_UJ << number % 12) + more.get(level_of(file), 0)
        gains[path] = round(max(1, gain_uj // unit_uj) * unit_uj)
    return gains


def measure(program, dest, record, job, *options):
    """The exit status, what was said, and the record or None."""
    if os.path.exists(record):
        os.remove(record)
    command = [*program, "measure", "--root", dest, "--baseline", "0", "--json", record, *options, "--", *job]
    run = subprocess.run(command, capture_output=True, text=True)
    if not os.path.exists(record):
        return run.returncode, run.stderr, None
    with open(record, encoding="utf-8") as file:
        return run.returncode, run.stderr, json.load(file)


def move(carbon, dest, gains, seconds):
    """Moves each counter by its gain while carbon measures."""
    plan, record = dest + ".plan", dest + ".json"
    files = counters(dest)
    with open(plan, "w", encoding="utf-8") as out:
        for path, gain_uj in gains.items():
            file, unit_uj = files[path]
            value = (number_in(file) + round(gain_uj / unit_uj)) % modulus_of(file)
            out.write(f"{seconds / 2} {file} {value}\n")
        out.write(f"{seconds} - end\n")
    return measure([carbon], dest, record, [sys.executable, "-B", PLAY, plan])


def of_domain(record, path):
    return [domain for domain in record["domains"] if domain["path"] == path]


def check_refused(checks, program, dest, who):
    """Where nothing can be measured: the job is not run, and there is no figure."""
    ran, record = dest + ".ran", dest + ".json"
    status, said, result = measure(program, dest, record, ["touch", ran], "--require-measured")
    checks.equal(f"refused {who}: status", 125, status)
    checks.equal(f"refused {who}: no record", None, result)
    checks.equal(f"refused {who}: the job is not run", False, os.path.exists(ran))
    checks.equal(f"refused {who}: cause", True, "carbon: " in said and "   why: " in said)


def check_joules(checks, what, expected_uj, gross_j, slack_uj):
    got_uj = gross_j and round(gross_j * 1e6)
    close = None not in (expected_uj, got_uj) and abs(expected_uj - got_uj) <= slack_uj
    checks.equal(what, expected_uj, expected_uj if close else got_uj)


def provoke(dest, expected):
    """Gains by which a machine shows what takes movement of those kinds that it is to bring."""
    wanted = kinds.expected_of(expected)
    beside = expected.get("whole_machine_alternative") or ""
    above = ABOVE_SENSOR_UJ if beside.startswith("sys/class/hwmon/") else ABOVE_COUNTER_UJ
    gains = gains_of(dest, above if "part-above-whole" in wanted else {})
    files = counters(dest)
    packages = [path for path in gains if level_of(files[path][0]) == "package"]
    if "sockets-differ" in wanted:
        gains[packages[0]] += APART_UJ
    if "mirror" in wanted:
        alike = {path: number_in(files[path][0]) for path in gains}
        for path in gains:
            if list(alike.values()).count(alike[path]) > 1:
                gains[path] = LEAST_UJ + APART_UJ
    if "not-moving" in wanted:
        still = {of["path"] for of in expected["sources"] if not of["counted_in_total"] and of["level"] in WHOLES}
        gains.update({path: 0 for path in still & set(gains)})
    return gains


def check_counters(checks, carbon, dest, expected):
    gains = provoke(dest, expected)
    # counts that are no whole microjoules are cut at both ends
    slack_uj = sum(unit_uj != 1 for _, unit_uj in counters(dest).values())
    total = expected["total"]["sum_of"]
    sensors_w = sum(watts_of(dest, path) for path in total if path not in gains and "/powercap/" not in path)
    status, said, record = move(carbon, dest, gains, SECONDS)
    checks.equal("measuring: status", 0, status)
    if not record:
        checks.equal("measuring: a record", "", said)
        return None, set()
    for path in gains.keys() & set(total):
        for domain in of_domain(record, path):
            check_joules(checks, f"{path}: uJ", gains.get(path), domain["gross_j"]["mean"], slack_uj)
    gross_j = record["gross_j"]["mean"]
    sensors_uj = sensors_w * record["duration_s"]["mean"] * 1e6
    expected_uj = round(sum(gains.get(path, 0) for path in total) + sensors_uj)
    check_joules(checks, "total, uJ", expected_uj, gross_j, slack_uj + SENSOR_ERROR * sensors_uj)
    return (f"{gross_j:.6f} J" if gross_j else None), kinds.of_record(record)


def watts_of(dest, path):
    """By the files of a sensor, µW, or mV × mA; in IIO mW."""
    file = os.path.join(dest, path)
    folder, name = os.path.split(file)
    if "/iio:device" in path:
        return number_in(file) / 1e3
    if name.startswith("in"):
        return number_in(file) * number_in(os.path.join(folder, name.replace("in", "curr", 1))) / 1e6
    return number_in(file) / 1e6


def check_sensors(checks, carbon, dest, expected, seconds):
    expected_w = sum(watts_of(dest, path) for path in expected["total"]["sum_of"])
    if "check_w" in expected:
        checks.equal("the files say what the origin says", round(expected["check_w"], 3), round(expected_w, 3))
    status, said, record = measure([carbon], dest, dest + ".json", ["sleep", str(seconds)])
    checks.equal("measuring: status", 0, status)
    if not record or record["gross_j"]["mean"] is None:
        checks.equal("measuring: a record", "", said)
        return None, set()
    mean_w = record["gross_j"]["mean"] / record["duration_s"]["mean"]
    checks.equal(f"mean power ({mean_w:.3f} W) is {expected_w:.3f} W", True, abs(mean_w / expected_w - 1) < SENSOR_ERROR)
    return f"{mean_w:.3f} W", kinds.of_record(record)


def check_power(checks, carbon, dest, expected):
    """Powers that the origin reports, of the total and of the whole machine beside it."""
    for load, power in expected["power_check_w"].items():
        seconds = 1
        gains = gains_of(dest, {})
        gains[expected["total"]["sum_of"][0]] = round(power["total"] * 1e6 * seconds)
        gains[expected["whole_machine_alternative"]] = round(power["platform"] * 1e6 * seconds)
        record = move(carbon, dest, gains, seconds)[2]
        if not record:
            checks.equal(f"{load}: a record", True, False)
            continue
        duration_s = record["duration_s"]["mean"]
        whole = [domain for domain in record["domains"] if domain["name"] == record["whole_machine"]["name"]][0]
        checks.equal(f"{load}: total, W", power["total"], round(record["gross_w"] * duration_s / seconds, 6))
        checks.equal(f"{load}: platform, W", power["platform"], round(whole["gross_j"]["mean"] / seconds, 6))


def check_machine(checks, carbon, dest, tree, expected, said, quick):
    """Returns what was measured, in words, and the kinds of notice that this brought."""
    total = expected["total"]["sum_of"]
    reader = reader_without_rights(tree)
    checks.way = ""
    if not all(map(is_ours, total)):
        return "-", set()
    shutil.rmtree(dest, ignore_errors=True)
    lay_tree(tree, dest, False)
    if reader and works([*reader, carbon]):
        check_refused(checks, [*reader, carbon], dest, f"to {reader[0]}")
    if perf_is_denied(said):
        return "-", set()
    if total and all(path.startswith(PERF) for path in total) and not said["measurable"]:
        check_refused(checks, [carbon], dest, "of perf events")
        if "check_j" in expected:
            checks.remark(f"{expected['check_j']['total_j']} J: arithmetic, in test_counter")
        return "would count", set()
    if not said["measurable"] or not total:
        check_refused(checks, [carbon], dest, "")
        return "none", set()
    if all(path.startswith(PERF) for path in total):
        return "see perf.sh", set()
    files = counters(dest)
    if not any(path in files for path in total):
        return check_sensors(checks, carbon, dest, expected, 0.4 if quick else 1)
    measured, found = check_counters(checks, carbon, dest, expected)
    if "power_check_w" in expected and not quick:
        check_power(checks, carbon, dest, expected)
    return measured, found
