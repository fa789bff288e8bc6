#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# A collector of OpenTelemetry that takes metrics by OTLP/HTTP in JSON, and is strict: what the published schema does not have is
# refused. With the faults that the specification names, and some that it does not.
"""collector.py LOG PORTS [CERTIFICATE]

Listens on two ports of 127.0.0.1 (the second with TLS where there is a certificate), which PORTS names. Of each request LOG
has a line of JSON: {"case", "status", "headers", "document"}, or {"case", "bad": why}. The first part of a path is the case:

  /good          takes it                      /partial     takes it but for 2 data points
  /busy          503 twice, then takes it      /throttle    429 with Retry-After: 1 once, then takes it
  /down          503 always                    /wrong       400 with a google.rpc.Status
  /denied        401 without "x-key: s3cret"   /elsewhere   307 to another port
  /nonsense      200 with a body that is none  /cut         closes the connection without an answer
  /broken        500

The schema is that of opentelemetry-proto 1.x, opentelemetry/proto/{collector/metrics,metrics,resource,common}/v1/*.proto, in the JSON
encoding of its docs/specification.md: names in lowerCamelCase, enumerations as numbers, 64-bit numbers as texts or numbers.
"""
import http.server
import json
import math
import os
import re
import ssl
import sys
import threading

lock = threading.Lock()
counts = {}
TEXT, NUMBER, BOOL, UINT32, INT64, FIXED64, ENUM = "text", "number", "bool", "uint32", "int64", "fixed64", "enum"
# message: field to its type; "[X]" is repeated
MESSAGES = {
    "ExportMetricsServiceRequest": {"resourceMetrics": "[ResourceMetrics]"},
    "ResourceMetrics": {"resource": "Resource", "scopeMetrics": "[ScopeMetrics]", "schemaUrl": TEXT},
    "Resource": {"attributes": "[KeyValue]", "droppedAttributesCount": UINT32},
    "ScopeMetrics": {"scope": "InstrumentationScope", "metrics": "[Metric]", "schemaUrl": TEXT},
    "InstrumentationScope": {"name": TEXT, "version": TEXT, "attributes": "[KeyValue]", "droppedAttributesCount": UINT32},
    "Metric": {"name": TEXT, "description": TEXT, "unit": TEXT, "gauge": "Gauge", "sum": "Sum", "metadata": "[KeyValue]"},
    "Gauge": {"dataPoints": "[NumberDataPoint]"},
    "Sum": {"dataPoints": "[NumberDataPoint]", "aggregationTemporality": ENUM, "isMonotonic": BOOL},
    "NumberDataPoint": {"attributes": "[KeyValue]", "startTimeUnixNano": FIXED64, "timeUnixNano": FIXED64, "asDouble": NUMBER,
                        "asInt": INT64, "flags": UINT32},
    "KeyValue": {"key": TEXT, "value": "AnyValue"},
    "AnyValue": {"stringValue": TEXT, "boolValue": BOOL, "intValue": INT64, "doubleValue": NUMBER},
}
ONE_OF = {"Metric": {"gauge", "sum"}, "NumberDataPoint": {"asDouble", "asInt"}, "AnyValue": set(MESSAGES["AnyValue"])}
UNITS = r"1|J|W|s|By|g\{CO2eq\}|g\{CO2eq\}/kW\.h|\{[a-z]+\}"


def need(good, why):
    if not good:
        raise ValueError(why)


def integer(value, low, high, where):
    if isinstance(value, str):
        need(re.fullmatch(r"-?\d+", value), f"{where}: {value!r}")
        value = int(value)
    need(isinstance(value, int) and not isinstance(value, bool) and low <= value < high, f"{where}: {value!r}")


def check(value, kind, where):
    if kind.startswith("["):
        need(isinstance(value, list), f"{where} is no list")
        for i, item in enumerate(value):
            check(item, kind[1:-1], f"{where}[{i}]")
    elif kind == TEXT:
        need(isinstance(value, str), f"{where} is no text")
    elif kind == BOOL:
        need(isinstance(value, bool), f"{where} is no truth")
    elif kind == NUMBER:
        need(isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value), f"{where}: {value!r}")
    elif kind == ENUM:
        need(value in (1, 2) and not isinstance(value, bool), f"{where}: {value!r}")
    elif kind in (UINT32, INT64, FIXED64):
        integer(value, -2**63 if kind == INT64 else 0, {UINT32: 2**32, INT64: 2**63, FIXED64: 2**64}[kind], where)
    else:
        message(value, kind, where)


def message(value, kind, where):
    need(isinstance(value, dict), f"{where} is no {kind}")
    for key, item in value.items():
        need(key in MESSAGES[kind], f"{where} has {key!r}, which {kind} has not")
        check(item, MESSAGES[kind][key], f"{where}.{key}")
    if kind in ONE_OF:
        need(len(ONE_OF[kind] & set(value)) == 1, f"{where} has not exactly one of {sorted(ONE_OF[kind])}")
    if kind in ("Resource", "NumberDataPoint", "InstrumentationScope"):
        keys = [item["key"] for item in value.get("attributes", [])]
        need(all(keys) and len(set(keys)) == len(keys), f"{where}: keys of attributes are not unique: {keys}")
    if kind == "Metric":
        need(re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]{0,254}", value.get("name", "")), f"{where}: name {value.get('name')!r}")
        need(re.fullmatch(UNITS, value.get("unit", "")), f"{where}: unit {value.get('unit')!r}")


# Beyond the schema: the data model (docs/data-model.md) and the conventions for hardware.
def semantics(document):
    for resource in document["resourceMetrics"]:
        known = {item["key"] for item in resource["resource"]["attributes"]}
        need({"service.name", "service.instance.id", "host.name"} <= known, f"the resource lacks service or host: {sorted(known)}")
        names = [metric["name"] for scope in resource["scopeMetrics"] for metric in scope["metrics"]]
        need(len(set(names)) == len(names), f"a metric comes twice: {names}")
        for scope in resource["scopeMetrics"]:
            for metric in scope["metrics"]:
                points(metric)


def points(metric):
    name, total = metric["name"], metric.get("sum")
    items = (total or metric["gauge"])["dataPoints"]
    need(items, f"{name} has no data points")
    if total:
        need(total.get("aggregationTemporality") == 2, f"{name} is not cumulative")
    seen = set()
    for item in items:
        attributes = {one["key"]: next(iter(one["value"].values())) for one in item["attributes"]}
        key = tuple(sorted(attributes.items()))
        need(key not in seen, f"{name} has two points of {key}")
        seen.add(key)
        need(int(item.get("startTimeUnixNano", 0)) <= int(item["timeUnixNano"]), f"{name} begins after its end")
        if total and total.get("isMonotonic"):
            need(item["asDouble"] >= 0, f"{name} is below 0")
        if name.startswith("hw."):
            need("hw.id" in attributes, f"{name} has no hw.id")
            need(name.startswith("hw.host.") or attributes.get("hw.type") in ("cpu", "memory", "gpu"), f"{name}: hw.type")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def give(self, status, body="{}", **headers):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def note(self, **what):
        with lock, open(self.server.log, "a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        case, _, path = self.path[1:].partition("/")
        with lock:
            times = counts[case] = counts.get(case, 0) + 1
        try:
            need(path == "v1/metrics", f"path {self.path}")
            need(self.headers["Content-Type"] == "application/json", f"media type {self.headers['Content-Type']}")
            document = json.loads(body.decode("utf-8"), parse_constant=lambda word: need(False, word))
            check(document, "ExportMetricsServiceRequest", "request")
            semantics(document)
        except (ValueError, KeyError, TypeError) as problem:
            self.note(case=case, bad=f"{type(problem).__name__}: {problem}")
            return self.give(400, json.dumps({"code": 3, "message": str(problem)}))
        return self.answer(case, times, document)

    def answer(self, case, times, document):
        status, body, more = 200, "{}", {}
        if case == "partial":
            body = json.dumps({"partialSuccess": {"rejectedDataPoints": "2", "errorMessage": "two are too old"}})
        elif case == "down" or (case == "busy" and times <= 2):
            status = 503
        elif case == "throttle" and times == 1:
            status, more = 429, {"Retry_After": "1"}
        elif case == "wrong":
            status, body = 400, json.dumps({"code": 3, "message": "no such tenant"})
        elif case == "broken":
            status = 500
        elif case == "denied" and self.headers["x-key"] != "s3cret":
            status = 401
        elif case == "elsewhere":
            status, more = 307, {"Location": f"http://127.0.0.2:{self.server.other}/good/v1/metrics"}
        elif case == "nonsense":
            body = "\0{]"
        self.note(case=case, status=status, headers=dict(self.headers), document=document)
        if case == "cut":
            self.close_connection = True
            return None
        return self.give(status, body, **more)


def main():
    log, ports = sys.argv[1:3]
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3])
        servers[1].socket = context.wrap_socket(servers[1].socket, server_side=True)
    for server in servers:
        server.log, server.other = log, servers[1].server_address[1]
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(ports + ".new", "w", encoding="ascii") as file:
        file.write(" ".join(str(server.server_address[1]) for server in servers) + "\n")
    os.rename(ports + ".new", ports)
    sys.stdin.read()


if len(sys.argv) > 2:
    main()
