# SPDX-License-Identifier: MIT
# Cells of who may read: each refusal with its reason and its fix, what helps, and what the job is left with.
import re

from cells.machine import STEADY_W, cell

NOBODY = "65534"


@cell("an ordinary user is refused by powercap")
def powercap(m):
    m.told("refused-powercap", 125, r"/sys/class/powercap/", r"(?i)permission denied", r"fix: .")
    m.check("what is refused is not run", not m.has("ran"))
    m.check("sources: powercap is denied", re.search(r"(?m)^powercap\s+denied", m.text("sources-user.out")),
            m.text("sources-user.out"))


@cell("an ordinary user is refused by perf")
def perf(m):
    m.told("refused-perf", 125, r"perf_event_paranoid is [23]", r"CAP_PERFMON", r"fix: .")
    m.told("refused-measured", 125, r"(?i)denied|paranoid", r"fix: .")
    m.check("what is refused is not run", not m.has("ran"))
    m.check("sources: perf is denied", re.search(r"(?m)^perf\s+denied", m.text("sources-user.out")),
            m.text("sources-user.out"))


@cell("an ordinary user gets a model")
def modelled(m):
    m.told("modelled", 0)
    r = m.record("modelled")
    m.check("modelled: the quality says so", r["quality"] == "modelled", r["quality"])
    m.check("modelled: with a figure", (r["gross_j"]["mean"] or 0) > 0, r["gross_j"])


def measured(m, name, source):
    """The job ran, and its energy is the counters': of all of them once, and of no model. How exact they are is for the
    cells of energy."""
    m.told(name, 0)
    r = m.record(name)
    m.check(f"{name}: measured", r["quality"] == "measured" and r["sources"] == [source], r["quality"], r["sources"])
    m.total_is(name, STEADY_W, 0.1)


def dropped(m, name):
    """What the job said of itself: nobody, of no other group, without capabilities and without carbon's files."""
    lines = m.text(name + ".out").splitlines()
    status = dict(re.findall(r"(?m)^(\w+):\s+(\w+)$", m.text(name + ".out")))
    fds = re.findall(r"(?m)(\d+) -> (.*)$", m.text(name + ".out"))
    m.check(f"{name}: the job told", len(lines) > 6 and len(status) == 4 and len(fds) > 2, lines)
    if not m.expect["drop"]:
        return
    m.check(f"{name}: the job is the user's", lines[:3] == [NOBODY] * 3, lines[:3])
    for kind in ("CapPrm", "CapEff", "CapAmb"):
        m.check(f"{name}: the job has no {kind}", int(status[kind], 16) == 0, status[kind])
    own = [fd for fd, file in fds if not re.fullmatch(r"/proc/\d+/fd", file)]
    m.check(f"{name}: the job has 0, 1, 2 and ls its folder", own == ["0", "1", "2"] and len(fds) == 4, fds)


@cell("under sudo the job is the user's")
def sudo(m):
    if not m.has("sudo.status"):
        return False
    measured(m, "sudo", "powercap")
    dropped(m, "sudo")
    return True


@cell("as root for SUDO_UID, too")
def sudo_environment(m):
    measured(m, "sudo-environment", "powercap")
    dropped(m, "sudo-environment")


@cell("CAP_PERFMON of the file, not of the job")
def perfmon(m):
    if not m.has("perfmon.status"):
        return False
    m.told("perfmon-paranoid", 125, r"perf_event_paranoid is 3; .* 2 or less and CAP_PERFMON")
    measured(m, "perfmon", "perf")
    dropped(m, "perfmon")
    return True


@cell("CAP_PERFMON by inheritance")
def ambient(m):
    measured(m, "ambient", "perf")


@cell("the group of the udev rule measures")
def granted(m):
    m.check("carbon sources --grant prints", m.text("grant.status") == "0\n", m.text("grant.err"))
    m.check("grant: its commands work", m.text("grant.done") == "0\n", m.text("grant.sh"), m.text("grant.err"))
    files = m.text("grant.ls").splitlines()
    m.check("grant: every counter is the group's", files and all(re.match(r"-r--r----- 1 root energy ", f) for f in files),
            files, m.text("grant.how"))
    measured(m, "granted", "powercap")
    m.told("not-granted", 125, r"(?i)permission denied")
    m.check("who is not in the group is refused", not m.has("ran"))
