# SPDX-License-Identifier: MIT
# Which kinds of notice carbon brings of a machine, against its kinds_expected: by their codes, never by their words.
# What can be seen in a moment stands in `carbon sources`, beside a source or a domain or among the notices; what takes
# movement, in the notices of a measurement.

# What carbon does not bring yet, as (machine, kind): why. It shrinks: one that is brought all the same is a failure.
OPEN = {}

# Every measurement here is of a recorded machine, and of no zone in particular.
ALWAYS = {"recorded", "stand-in"}


def expected_of(expected):
    return set(expected.get("kinds_expected", []))


def of_rights(expected):
    """What is told to those alone who may not read a meter."""
    return {"denied", "left-out"} if expected["status"] in ("permission", "incomplete") else set()


def of_notices(result):
    return {notice["kind"] for notice in result["notices"]} - ALWAYS


def of_sources(result):
    found = of_notices(result)
    for source in result["sources"]:
        found |= {of["notice"] for of in [source, *source["domains"]] if of["notice"]}
    return found


def of_record(record):
    return of_notices(record) | {refused["notice"] for refused in record["refused"] if refused["notice"]}


def judge(checks, expected, looks, record):
    """looks: what each look brought, and whether it was by one who may read all; record: what measuring brought."""
    for kind in sorted(expected_of(expected)):
        right = [found for found, may_read in looks if not (kind in of_rights(expected) and may_read)]
        if not right:
            checks.remark(f"not checked: {kind}, which this user is not told")
            continue
        brought = kind in record or all(kind in found for found in right)
        reason = OPEN.get((checks.name, kind))
        if reason and brought:
            checks.equal(f"a notice of kind {kind} is brought, and named as one that is not", False, brought)
        elif reason:
            checks.remark(f"not brought yet: {kind} ({reason})")
        else:
            checks.equal(f"a notice of kind {kind}", True, brought)
    others = set().union(record, *(found for found, _ in looks)) - expected_of(expected)
    if others:
        checks.remark(f"also: {' '.join(sorted(others))}")
