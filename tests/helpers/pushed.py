#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# What collector.py was sent.
"""pushed.py LOG EXPRESSION

Evaluates a Python expression over what LOG has: `pushes` (its lines), `bad` (what was refused, and why), `cases`,
`every(NAME)` (of each push in order the points of a metric,
each {"value", "start", "time", its attributes}), `last(NAME)` (those of the last push), `resource` (of the last push),
`kinds` (of all pushes: name to (unit, "gauge", "sum" or "level")).
"""
import json
import sys

try:
    with open(sys.argv[1], encoding="utf-8") as file:
        pushes = [json.loads(line) for line in file if line.endswith("\n")]
except FileNotFoundError:
    pushes = []


def attributes(items):
    return {item["key"]: next(iter(item["value"].values())) for item in items}


def metrics(push):
    for one in push["document"]["resourceMetrics"]:
        for scope in one["scopeMetrics"]:
            yield from scope["metrics"]


def points(push, name):
    return [{"value": item["asDouble"], "start": int(item.get("startTimeUnixNano", 0)), "time": int(item["timeUnixNano"]),
             **attributes(item["attributes"])}
            for metric in metrics(push) if metric["name"] == name
            for item in metric.get("sum", metric.get("gauge"))["dataPoints"]]


def every(name):
    return [points(push, name) for push in pushes if "document" in push]


def kind(metric):
    return metric["unit"], "gauge" if "gauge" in metric else "sum" if metric["sum"].get("isMonotonic") else "level"


good = [push for push in pushes if "document" in push]
print(eval(sys.argv[2], {  # an expression of the test's own
    "pushes": pushes, "bad": [push["bad"] for push in pushes if "bad" in push], "every": every,
    "last": lambda name: points(good[-1], name), "cases": [push["case"] for push in pushes],
    "resource": attributes(good[-1]["document"]["resourceMetrics"][0]["resource"]["attributes"]) if good else {},
    "kinds": {metric["name"]: kind(metric) for push in good for metric in metrics(push)}}))
