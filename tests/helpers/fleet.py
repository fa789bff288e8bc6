#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A Prometheus that keeps the counters of a small fleet over two years, worked out when they are asked for.

    fleet.py FOLDER [NODES | kinds | rolling]

writes its port to FOLDER/port and each query to FOLDER/queries, a line each: start, end, step. Without NODES it is the
fleet below; with it, so many nodes alike, of 100 W each; with "kinds" a node of 85 W that several exporters tell of, its
Kepler being renewed in July; with "rolling" four nodes of which each has other exporters: n1 100 W, renewed on 1 July at
10:00; n2 50 W, and a card of 200 W; n3 30 W by node_exporter alone; n4 80 W, by node_exporter while its Kepler was away.

    n1   100 W package and 40 W core within it, from 2024 on; pods web-1 and, from July 2025 on, web-2 use 40 W of it
    n2   50 W package and 10 W dram in 2025; not scraped from 10 to 13 March; its counters begin again at 0 on
         5 May 12:02; pod batch-1 uses 20 W of it
    n3   30 W package from June 2025 on, as the processor counts it: it wraps after 262143.328850 J
"""
import calendar
import http.server
import json
import os
import re
import sys
import urllib.parse

RANGE_J = 262143.328850
folder, which = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""


def at(text):
    year, month, day, hour, minute = (list(map(int, re.split(r"[-T:]", text))) + [0, 0])[:5]
    return calendar.timegm((year, month, day, hour, minute, 0))


BEGIN, YEAR, END = at("2024-01-01"), at("2025-01-01"), at("2026-01-01")
GAP = at("2025-03-10"), at("2025-03-13")
RESET = at("2025-05-05T12:02")


def steady(watts, begin, end=END):
    return lambda t: watts * (t - begin) if begin <= t <= end else None


def second(watts):
    def value(t):
        if not YEAR <= t <= END or GAP[0] < t < GAP[1]:
            return None
        return watts * (t - (RESET if t >= RESET else YEAR))

    return value


def wrapping(watts, begin):
    return lambda t: (watts * (t - begin)) % RANGE_J if begin <= t <= END else None


def cpu(node, zone, value):
    return ("kepler_node_cpu_joules_total", {"node_name": node, "zone": zone, "path": "/sys/" + zone}, value)


def pod(node, namespace, name, value):
    labels = {"node_name": node, "pod_namespace": namespace, "pod_name": name, "pod_id": "id-" + name}
    return ("kepler_pod_cpu_joules_total", dict(labels, zone="package", state="running"), value)


JULY = at("2025-07-01")
FLEET = [
    cpu("n1", "package", steady(100, BEGIN)),
    cpu("n1", "core", steady(40, BEGIN)),
    cpu("n2", "package", second(50)),
    cpu("n2", "dram", second(10)),
    cpu("n3", "package", wrapping(30, at("2025-06-01"))),
    pod("n1", "web", "web-1", steady(40, YEAR, JULY)),
    pod("n1", "web", "web-2", steady(40, JULY)),
    pod("n2", "batch", "batch-1", steady(20, YEAR)),
    ("kube_pod_labels", {"namespace": "web", "pod": "web-1", "label_team": "blue"}, steady(0, YEAR)),
    ("kube_pod_labels", {"namespace": "web", "pod": "web-2", "label_team": "red"}, steady(0, YEAR)),
]


def old(what, watts, end=JULY, **labels):
    return ("kepler_%s_joules_total" % what, dict(labels, instance="n1"), steady(watts, YEAR, end))


def carbon(metric, watts, **labels):
    return ("carbon_%senergy_joules_total" % metric, dict(labels, instance="n1"), steady(watts, YEAR))


POD = {"pod_name": "w-1", "container_namespace": "web", "container_name": "w"}
KINDS = [
    old("node_package", 30, mode="dynamic"),
    old("node_package", 50, mode="idle"),
    old("node_core", 25, mode="dynamic"),
    old("node_dram", 5, mode="dynamic"),
    old("node_platform", 99, mode="dynamic"),
    old("container_package", 20, mode="dynamic", **POD),
    old("container_package", 10, mode="idle", **POD),
    old("container_dram", 2, mode="dynamic", **POD),
    cpu("n1", "package", steady(80, JULY)),
    cpu("n1", "dram", steady(5, JULY)),
    cpu("n1", "psys", steady(99, JULY)),
    pod("n1", "web", "w-1", steady(32, JULY)),
    ("node_rapl_package_joules_total", {"instance": "n1", "index": "0"}, steady(80, YEAR)),
    carbon("", 70, domain="package-0", component="package", source="powercap", quality="measured", counted="yes"),
    carbon("", 60, domain="core", component="core", source="powercap", quality="measured", counted="no"),
    carbon("", 6, domain="dram", component="dram", source="powercap", quality="measured", counted="yes"),
    carbon("pod_", 11, pod_uid="u", pod_name="w-1", namespace="web", component="package"),
    carbon("pod_", 1, pod_uid="u", pod_name="w-1", namespace="web", component="dram"),
    ("scaph_host_energy_microjoules", {"instance": "n1"}, steady(90e6, YEAR)),
]
TEN = at("2025-07-01T10:00")
BACK = at("2025-07-02T12:00")
ROLLING = [
    ("kepler_node_package_joules_total", {"instance": "n1:9102", "mode": "dynamic"}, steady(100, YEAR, TEN)),
    cpu("n1", "package", steady(100, TEN)),
    ("kepler_node_package_joules_total", {"instance": "n2:9102", "mode": "dynamic"}, steady(50, YEAR)),
    ("node_rapl_package_joules_total", {"instance": "n2:9100", "index": "0"}, steady(50, YEAR)),
    ("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", {"Hostname": "n2", "gpu": "0", "UUID": "GPU-1"}, steady(200e3, YEAR)),
    ("node_rapl_package_joules_total", {"instance": "n3:9100", "index": "0"}, steady(30, YEAR)),
    cpu("n4", "package", lambda t: None if TEN < t < BACK else steady(80, YEAR)(t)),
    ("node_rapl_package_joules_total", {"instance": "n4:9100", "index": "0"}, steady(80, TEN, BACK)),
]
if which == "kinds":
    FLEET = KINDS
elif which == "rolling":
    FLEET = ROLLING
elif which:
    FLEET = [cpu("n%d" % i, "package", steady(100, BEGIN)) for i in range(int(which))]


def matching(query):
    """The series of a selector; the functions around it do not matter to labels."""
    name = re.match(r"(?:count\()?(?:last_over_time\()?(\w*)\{(.*?)\}(?:\[|$)", query)
    matchers = re.findall(r'(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"', name.group(2))
    for metric, labels, value in FLEET:
        all_labels = dict(labels, __name__=metric)
        good = not name.group(1) or name.group(1) == metric
        for label, operator, text in matchers:
            there = all_labels.get(label, "")
            same = bool(re.fullmatch(text, there)) if "~" in operator else there == text
            good = good and same == (operator[0] == "=")
        if good:
            yield all_labels, value


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def do_GET(self):
        self.answer(urllib.parse.urlsplit(self.path).query)

    def answer(self, form):
        asked = {key: values[0] for key, values in urllib.parse.parse_qs(form).items()}
        whole = self.path.startswith("/api/v1/query_range")
        result = (self.matrix if whole else self.vector)(asked)
        body = json.dumps(
            {"status": "success", "data": {"resultType": "matrix" if whole else "vector", "result": result}}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @staticmethod
    def matrix(asked):
        start, end, step = float(asked["start"]), float(asked["end"]), float(asked["step"])
        times = [start + step * i for i in range(int((end - start) / step + 1e-9) + 1)]
        with open(os.path.join(folder, "queries"), "a", encoding="ascii") as out:
            print(start, end, step, file=out)
        result = []
        for labels, value in matching(asked["query"]):
            points = [(t, value(t)) for t in times]
            points = [[t, repr(v)] for t, v in points if v is not None]
            if points:
                result.append({"metric": labels, "values": points})
        return result

    @staticmethod
    def vector(asked):
        time = float(asked["time"])
        span = re.search(r"\[(\d+)s\]", asked["query"])
        times = [time - 300 * i for i in range(int(span.group(1)) // 300 + 1 if span else 1)]
        result = []
        for labels, value in matching(asked["query"]):
            values = [v for v in map(value, times) if v is not None]
            if values:
                result.append({"metric": labels, "value": [time, repr(values[0])]})
        if asked["query"].startswith("count(") and result:
            result = [{"metric": {}, "value": [time, str(len(result))]}]
        return result

    def log_message(self, *_):
        pass


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
    with open(os.path.join(folder, "port.new"), "w", encoding="ascii") as port:
        port.write(str(server.server_address[1]))
    os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
    server.serve_forever()
