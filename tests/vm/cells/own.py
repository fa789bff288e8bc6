# SPDX-License-Identifier: MIT
# Cells of a job's own energy, whose power was set: by its CPU time, as the kernel counts it.
from cells.machine import cell, near

JOB_W = 20


def own(m, name, *methods):
    """The record, and what the job drew."""
    m.told(name, 0)
    r = m.record(name)
    m.check(f"{name}: its method", r["own_method"] in methods, r["own_method"])
    for run in r["windows"]["runs"]:
        if run["own_j"] is not None:
            m.check(f"{name}: with idle and others it is gross",
                    near(run["own_j"] + run["own_idle_j"] + run["own_others_j"], run["gross_j"], 1e-6), run)
    return r, r["usage"]["cpu_s"]["value"] * JOB_W


def within(m, name, r, truth_j, part):
    """Of what it drew, or that is where own is said to be."""
    own_j = r["own_j"]["mean"]
    m.check(f"{name}: {truth_j:.1f} J", near(own_j, truth_j, part) if own_j is not None else
            (r["own_low_j"] or 0) < truth_j < r["own_high_j"], own_j, r["own_low_j"], r["own_high_j"])


@cell("own: alone")
def alone(m):
    if m.name != "client":
        return False
    r, truth_j = own(m, "own-alone", "net", "share")  # where something else of the machine woke up
    within(m, "own-alone", r, truth_j, 0.05)


@cell("own: beside others that come and go")
def coming(m):
    if m.name != "client":
        return False
    r, truth_j = own(m, "own-coming", "profile", "share", "unknown")
    within(m, "own-coming", r, truth_j, 0.1)


@cell("own: beside others that stay")
def beside(m):
    if m.name != "client":
        return False
    r, truth_j = own(m, "own-beside", "net", "profile", "unknown")  # what is emulated takes time from others, too
    within(m, "own-beside", r, truth_j, 0.1)
