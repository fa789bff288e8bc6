#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# A server that answers as the HTTP API of Prometheus documents it, from files and from cases, with every fault it may have.
"""prometheus.py LOG PORTS FILES [CERTIFICATE [AUTHORITY]]

Listens on two ports of 127.0.0.1 (the second with TLS where there is a certificate, and for those alone that show one of
this authority) and one of 127.0.0.2, which PORTS names. Each request is a line of LOG: "PORT METHOD PATH key=... QUERY".
The first part of a path is the case: /good/api/v1/query. FILES is a folder
of answers; the series of all of them are what this server knows, with which it answers the few forms of queries that
carbon asks: selectors, with a range or without, under last_over_time and count by.
"""
import base64
import glob
import http.server
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse

lock = threading.Lock()
counts = {}
MATCHER = re.compile(r'\s*(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*,?')
SELECTOR = re.compile(r'(\w*)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\}(?:\[(\d+)(ms|s)\])?')


def read_series(folder):
    """Every series of the matrices and vectors of a folder, each once."""
    known = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        data = json.load(open(path))["data"]
        if data["resultType"] == "matrix":
            for item in data["result"]:
                known[json.dumps(item["metric"], sort_keys=True)] = item
    return list(known.values())


def matches(labels, name, matchers):
    if name and labels.get("__name__") != name:
        return False
    for label, operator, value in MATCHER.findall(matchers):
        value = value.replace('\\"', '"').replace("\\\\", "\\")
        has = labels.get(label, "")
        good = re.fullmatch(value, has) is not None if "~" in operator else has == value
        if good == operator.startswith("!"):
            return False
    return True


def evaluate(series, query, now):
    """The answer's type and result."""
    name, matchers, length, unit = SELECTOR.search(query).groups()
    length = (int(length) / (1000 if unit == "ms" else 1)) if length else 300
    found = []
    for item in series:
        if not matches(item["metric"], name, matchers):
            continue
        values = [pair for pair in item["values"] if now - length <= pair[0] <= now]
        if values:
            found.append({"metric": item["metric"], "values": values})
    by = re.match(r"count by \(([^)]*)\)", query)
    if by:
        groups = {}
        for item in found:
            labels = {key: item["metric"][key] for key in by.group(1).split(",") if key in item["metric"]}
            key = json.dumps(labels, sort_keys=True)
            groups[key] = groups.get(key, 0) + 1
        return "vector", [{"metric": json.loads(key), "value": [now, str(n)]} for key, n in groups.items()]
    if "[" in query.split("}")[-1]:
        return "matrix", found
    return "vector", [{"metric": item["metric"], "value": item["values"][-1]} for item in found]


def steps(series, query, start, end, step):
    name, matchers, _, _ = SELECTOR.search(query).groups()
    found = []
    for item in series:
        if not matches(item["metric"], name, matchers):
            continue
        values = []
        for i in range(int((end - start) / step + 1e-9) + 1):
            at = start + i * step
            past = [pair for pair in item["values"] if at - 300 < pair[0] <= at]
            if past:
                values.append([at, past[-1][1]])
        if values:
            found.append({"metric": item["metric"], "values": values})
    return found


def success(kind, result, **more):
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}, **more})


def error(kind, text):
    return json.dumps({"status": "error", "errorType": kind, "error": text})


CPU = [{"metric": {"namespace": "ns", "pod": "web-1", "container": "app"}, "value": [1, "0.191"]},
       {"metric": {"namespace": "ns", "pod": "web-1", "container": "side"}, "value": [1, "0.0100001"]}]
CPU_SUM = [{"metric": {"namespace": "ns", "pod": "web-1"}, "value": [1, "0.1995"]}]
GIB = 1 << 30
MEMORY = [{"metric": {"namespace": "ns", "pod": "web-1", "container": "app"}, "value": [1, str(int(0.07 * GIB))]},
          {"metric": {"namespace": "ns", "pod": "web-1", "container": "side"}, "value": [1, str(GIB)]},
          {"metric": {"namespace": "ns", "pod": "short", "container": "job"}, "value": [1, "1e6"]}]
MEMORY_SUM = [{"metric": {"namespace": "ns", "pod": "web-1"}, "value": [1, "1.1e9"]}]
PODS = [{"metric": {"namespace": "ns", "pod": "web-1"}, "value": [1, "2"]},
        {"metric": {"namespace": "ns", "pod": "short"}, "value": [1, "1"]},
        {"metric": {"namespace": "other", "pod": "db-0"}, "value": [1, "1"]}]


def resources(query, case):
    """Fixed peaks, by what is asked; the pod and namespace that are asked for are heeded."""
    if "count_over_time" in query:
        return "vector", [{"metric": {}, "value": [1, "20"]}]
    if query.startswith("count by"):
        result = PODS
    elif "container_cpu_usage_seconds_total" in query:
        if case == "slow" and "[1m]" in query:
            return "vector", []
        result = CPU if "pod,container" in query else CPU_SUM
    else:
        result = MEMORY if "pod,container" in query else MEMORY_SUM
    if query.startswith("count by"):
        return "vector", result
    matchers = SELECTOR.search(query).group(2)
    wanted = ",".join(f'{m[0]}{m[1]}"{m[2]}"' for m in MATCHER.findall(matchers) if m[0] in ("namespace", "pod"))
    return "vector", [item for item in result if matches(item["metric"], "", wanted)]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def give(self, status, body, kind="application/json", headers=(), chunked=False, cut=0):
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers:
            self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body) + cut))
        self.end_headers()
        if chunked:
            for i in range(0, len(body), 1000):
                piece = body[i : i + 1000]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.wfile.write(body)
        if cut:
            self.close_connection = True

    def do_GET(self):
        path, _, text = self.path.partition("?")
        self.answer("GET", path, text)

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        self.answer("POST", self.path, self.rfile.read(length).decode())

    def key(self):
        given = self.headers.get("Authorization", "")
        if given.startswith("Basic "):
            return base64.b64decode(given[6:]).decode()
        return given

    def answer(self, method, path, text):
        parameters = {name: values[0] for name, values in urllib.parse.parse_qs(text).items()}
        query = parameters.get("query", "")
        self.text = text
        case, _, call = path.lstrip("/").partition("/")
        with lock:
            counts[case] = count = counts.get(case, 0) + 1
            with open(self.server.log, "a") as log:
                log.write(f"{self.server.server_address[1]} {method} {path} key={self.key()} {query}\n")
        if not call.startswith("api/v1/"):
            return self.give(404, "404 page not found\n", "text/plain")
        return self.by_case(case, method, call, parameters, query, count)

    def by_case(self, case, method, call, parameters, query, count):
        series = self.server.series
        if case == "bearer" and self.key() != "Bearer token-of-test-1":
            return self.give(401, "Unauthorized\n", "text/plain")
        if case == "basic" and self.key() != "ann:pass word-2":
            return self.give(401, "Unauthorized\n", "text/plain")
        if case == "forbidden":
            return self.give(403, "Forbidden\n", "text/plain")
        if case == "html":
            return self.give(200, "<!doctype html><title>Log in</title>", "text/html")
        if case == "empty":
            return self.give(200, success("vector", []))
        if case == "nothing":
            return self.give(200, "")
        if case == "bad":
            return self.give(400, error("bad_data", "invalid parameter \"query\": parse error"))
        if case == "execution":
            return self.give(422, error("execution", "query processing would load too many samples into memory"))
        if case == "down":
            return self.give(503, error("unavailable", "TSDB not ready"), headers=[("Retry-After", "0")])
        if case == "soon" and count % 2:
            return self.give(503, error("unavailable", "TSDB not ready"), headers=[("Retry-After", "0")])
        if case == "redirect":
            return self.give(302, "", headers=[("Location", f"http://127.0.0.2:{self.server.other}/good/{call}?{self.text}")])
        if case == "gets" and method == "POST":
            return self.give(405, "Method Not Allowed\n", "text/plain")
        if case == "string":
            return self.give(200, json.dumps({"status": "success", "data": {"resultType": "string", "result": [1, "x"]}}))
        if case == "late":
            time.sleep(5)
        if "container_cpu_usage" in query or "container_memory_working" in query:
            kind, result = resources(query, case)
            return self.give(200, success(kind, result))
        now = float(parameters.get("time", 0))
        if call == "api/v1/query_range":
            start, end, step = (float(parameters[name]) for name in ("start", "end", "step"))
            if (end - start) / step > 11000:
                return self.give(422, error("bad_data", "exceeded maximum resolution of 11,000 points per timeseries"))
            kind, result = "matrix", steps(series, query, start, end, step)
        else:
            kind, result = evaluate(series, query, now)
        ranged = kind == "matrix"
        if case == "steps" and ranged and call == "api/v1/query":
            return self.give(400, error("bad_data", "invalid expression type \"range vector\" for instant query"))
        if case == "much" and ranged and float(re.search(r"\[(\d+)ms\]", query).group(1)) > 70000:
            return self.give(422, error("execution", "query processing would load too many samples into memory"))
        if case == "huge" and ranged and float(re.search(r"\[(\d+)ms\]", query).group(1)) > 200000:
            return self.give(200, " " * (33 << 20))
        if case == "nan" and ranged:
            result = [{**item, "values": item["values"][:1] + [[item["values"][0][0] + 0.5, "NaN"]] + item["values"][1:]}
                      for item in result]
        more = {}
        if case == "partial":
            more = {"warnings": ["receive series from store: context deadline exceeded"], "infos": ["a note"]}
        body = success(kind, result, **more)
        if case == "truncated" and ranged:
            return self.give(200, body[: len(body) // 2], cut=len(body) - len(body) // 2)
        if case == "ends" and ranged:
            return self.give(200, body[: len(body) // 2])
        return self.give(200, body, chunked=case == "chunked")


def main():
    log, ports, files = sys.argv[1:4]
    series = read_series(files)
    servers = [http.server.ThreadingHTTPServer((host, 0), Handler) for host in ("127.0.0.1", "127.0.0.1", "127.0.0.2")]
    if len(sys.argv) > 4:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[4])
        if len(sys.argv) > 5:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(sys.argv[5])
        servers[1].socket = context.wrap_socket(servers[1].socket, server_side=True)
    for server in servers:
        server.log, server.series, server.other = log, series, servers[2].server_address[1]
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(ports + ".new", "w", encoding="ascii") as file:
        file.write(" ".join(str(server.server_address[1]) for server in servers) + "\n")
    os.rename(ports + ".new", ports)
    sys.stdin.read()


main()
