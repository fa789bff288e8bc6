# SPDX-License-Identifier: MIT
# What a careful program tells of a machine (warnings_expected), and where carbon tells it: in `carbon sources` what can
# be seen in a moment, in the notices of a measurement what takes movement.
import os
import re

WITHOUT_READING = {
    "energy_uj not readable (EACCES)",
    "energy_uj not readable (EACCES) although uid is 0",
}


def texts_of(error):
    return " ".join(filter(None, (error["what"], error["why"], error["fix"])))


def texts_of_source(result, name):
    return " ".join(texts_of(source) for source in result["sources"] if source["name"] == name)


def notices(result):
    return "\n".join(texts_of(notice) for notice in result["notices"])


def domains(result):
    return [domain for source in result["sources"] for domain in source["domains"] if source["quality"] != "modelled"]


def denied(result):
    """Every counter that would count names its file, the cause and a step."""
    told = [domain for domain in domains(result) if domain["would_count"]]
    return told and all(
        domain["state"] == "denied"
        and f"{domain['path']}/energy_uj" in domain["what"]
        and "permission denied" in domain["why"]
        and domain["fix"]
        for domain in told
    )


def denied_to_root(result):
    """Only root can be looked at as root of a user namespace."""
    said = texts_of_source(result, "powercap")
    return denied(result) and ("although this is root" in said or os.geteuid() != 0)


def refused(source, *texts):
    def told(result):
        said = texts_of_source(result, source)
        return all(text in said for text in texts)

    return told


def reasons(count, text):
    def told(result):
        of_that = [domain for domain in domains(result) if text in domain["reason"]]
        return len(of_that) >= count and not any(domain["would_count"] for domain in of_that)

    return told


def virtual(result):
    """Figures of a guest are marked; where there are none, that is why."""
    counted = [domain for domain in domains(result) if domain["would_count"]]
    return result["machine"]["guest"] and (
        all(domain["quality"] == "virtual" for domain in counted)
        if counted
        else "virtual machine" in texts_of_source(result, "powercap")
    )


def not_its_own(result):
    """One notice for all counters of a guest that are not its own; none of them counts."""
    told = [notice for notice in result["notices"] if "seen in this virtual machine and not counted" in notice["what"]]
    return (
        len(told) == 1
        and "--source" in told[0]["fix"]
        and result["machine"]["guest"]
        and not any(domain["would_count"] for domain in domains(result))
    )


def no_memory(result):
    return "memory (dram) energy is not in the total" in notices(result)


STANDING = {
    "energy_uj not readable (EACCES)": denied,
    "energy_uj not readable (EACCES) although uid is 0": denied_to_root,
    "no memory (dram) energy": no_memory,
    "no memory (dram) energy on this machine": no_memory,
    "four listed perf events never move": reasons(4, "AMD has no such counter"),
    "powercap masked in this container": refused("powercap", "masked", "no energy counter"),
    "no energy counter exposed by the kernel": refused("powercap", "no energy counter", "does not know this CPU"),
    "the kernel is older than the processor": refused("powercap", "newer than this kernel", "newer kernel"),
    "power meter returns its error value": refused("hwmon", "holds an error value"),
    "virtual machine": virtual,
    "counters of a virtual machine that are not its own": not_its_own,
    "counter does not move": reasons(1, "a guest's counter that"),
}

MOVING = {
    "sum of the components above the whole-machine meter": r"the components \(.* J\) are above machine",
    "if psys gains less than package + dram over the window: platform counter not trustworthy": (
        r"the components \(.* J\) are above psys .* not to be trusted"
    ),
    "power sensors are sampled, not counted": r"is a sensor of power, read every .* power x time",
}


def check_standing(checks, warning, result, may_read):
    if warning in MOVING or (warning in WITHOUT_READING and may_read):
        return
    told = STANDING.get(warning)
    checks.equal(f"the warning '{warning}' is understood by this test", True, told is not None)
    if told:
        checks.equal(f"the warning '{warning}'", True, bool(told(result)))


def check_moving(checks, warning, record):
    if warning in MOVING:
        said = notices(record)
        checks.equal(f"the warning '{warning}' in {said!r}", True, bool(re.search(MOVING[warning], said)))
