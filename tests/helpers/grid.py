#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# A server that answers as the services of live grid data document it, and with every fault that they may have.
"""grid.py LOG PORTS [CERTIFICATE]

Listens on two ports of 127.0.0.1 (the second with TLS where there is a certificate), which PORTS names. Each request is a
line of LOG: "PORT PATH key=... login=... bearer=...". The first part of a path is the case, the rest is the service's:
/good/intensity/FROM/TO. The second port stands for another server that a redirect leads to.
"""
import base64
import datetime
import email.utils
import gzip
import http.server
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse

import grid_mix

UTC = datetime.timezone.utc
lock = threading.Lock()
counts = {}


def instant(text):
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        text += "T00:00Z"
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)


def z(when):
    return when.strftime("%Y-%m-%dT%H:%MZ")


def steps(start, end, minutes):
    while start < end:
        yield start
        start += datetime.timedelta(minutes=minutes)


def grams(when):
    """A value that tells its time: 100 g at midnight UTC, one more each five minutes, and the day's number."""
    return 100 + when.day + (when.hour * 60 + when.minute) // 5


def around(when, case, zone=None):
    """What a case like "valley-1764340200" has at a time, the number being the half hour of its present: 300 g, or 100
    from three hours on until five; "zones" has 200 g in DK1. None: it is not known."""
    shape, present = case.split("-")
    hours = (when.timestamp() - int(present)) / 3600
    if shape == "short" and hours >= 4:
        return None
    if shape == "zones":
        return 200 if zone == "DK1" else 300
    if shape == "flat" or not 3 <= hours < 5:
        return 300
    return None if shape == "gap" else 100


def is_around(case):
    return re.fullmatch(r"(valley|flat|zones|gap|short|unsure)-\d+", case)


def neso_around(when, case):
    """Past forecasts are 10 g off, or 200."""
    value = around(when, case)
    if when.timestamp() >= int(case.split("-")[1]):
        return {"forecast": value, "actual": None}
    off = 200 if case.startswith("unsure") else 10
    return {"forecast": value + (off if when.minute else -off), "actual": value}


def neso(path, case):
    match = re.match(r"(/regional)?/intensity/([^/]+)/([^/]+)(?:/(regionid|postcode)/(.+))?$", path)
    regional, start, end, kind, place = match.groups()
    # the half hour that ends at the start is told, too
    rows = []
    for when in steps(instant(start) - datetime.timedelta(minutes=30), instant(end), 30):
        intensity = {"forecast": grams(when) + 1, "index": "moderate"}
        if is_around(case):
            intensity = neso_around(when, case)
        elif not regional:
            intensity["actual"] = None if case == "nulls" and when.hour >= 6 else grams(when)
        if case == "nulls" and when.hour == 7:
            intensity["forecast"] = None
        row = {"from": z(when), "to": z(when + datetime.timedelta(minutes=30)), "intensity": intensity}
        if case == "unordered":
            rows.insert(0, row)
            rows.insert(0, row)
        elif case == "contradiction" and when.hour == 3:
            rows += [row, json.loads(json.dumps(row).replace('"actual": ', '"actual": 1'))]
        else:
            rows.append(row)
    if case == "words":
        rows[5]["intensity"]["actual"] = "263"
    if case == "negative":
        rows[5]["intensity"]["actual"] = -5
    if not regional:
        return {"data": rows}
    region = {"regionid": int(place) if kind == "regionid" else 12, "shortname": "x", "data": rows}
    return {"data": [region] if case == "list" else region}


def ahead(when):
    """How far Berlin, Paris and Copenhagen are ahead of UTC: summer time is between the last Sundays, 01:00 UTC."""
    changes = []
    for month in 3, 10:
        last = datetime.datetime(when.year, month, 31, 1, tzinfo=UTC)
        changes.append(last - datetime.timedelta(days=last.isoweekday() % 7))
    return datetime.timedelta(hours=2 if changes[0] <= when < changes[1] else 1)


def local_midnight(day):
    """When a day of those countries begins; clocks are never changed at that hour."""
    return instant(day) - ahead(instant(day) - datetime.timedelta(hours=2))


def energy_charts(query, case):
    # days of the country, of which the last counts in full
    start = local_midnight(query["start"][0])
    after = instant(query["end"][0]) + datetime.timedelta(days=1)
    end = local_midnight(after.strftime("%Y-%m-%d"))
    seconds, actual, forecast = [], [], []
    for when in steps(start, end, 15):
        late = case == "nulls" and when.hour >= 6
        seconds.append(int(when.timestamp()))
        if is_around(case):
            actual.append(around(when, case))
            forecast.append(None)
            continue
        actual.append(None if late else grams(when) + 0.5)
        forecast.append(grams(when) + 2 if late else None)
    if case == "short":
        actual.pop()
    return {"unix_seconds": seconds, "co2eq": actual, "co2eq_forecast": forecast, "deprecated": False}


def odre(query, dataset, case):
    start, end = re.search(r"date'([^']+)' TO date'([^']+)'\[", query["where"][0]).groups()
    rows = []
    for when in steps(instant(start), instant(end), 15):
        value = grams(when)
        if dataset == "eco2mix-national-cons-def" and when.minute % 30:
            value = None
        if case == "nulls" and when.hour >= 6:
            value = 0 if when.hour >= 12 else None
        text = when.isoformat()
        if case == "local":
            # what a service gives that does not mind timezone=UTC
            text = when.astimezone(datetime.timezone(ahead(when))).isoformat()
        rows.append({"date_heure": text, "taux_co2": value})
        if case == "local" and ahead(when) > ahead(when - datetime.timedelta(hours=1)):
            # the hour that is missing in spring, as an empty one of a day of 24
            missing = datetime.timezone(ahead(when - datetime.timedelta(hours=1)))
            rows.append({"date_heure": when.astimezone(missing).isoformat(), "taux_co2": None})
    if case == "total":
        return {"total_count": len(rows) + 1, "results": rows}
    return rows


def energidata(query, dataset, case):
    area = json.loads(query["filter"][0])["PriceArea"][0]
    # start and end are Danish time
    now = datetime.datetime.now(UTC)
    rows = []
    for when in steps(local_midnight(query["start"][0]), local_midnight(query["end"][0]), 5):
        if dataset == "CO2Emis" and when > now:
            break
        danish = when + ahead(when)
        rows.append({"Minutes5UTC": when.strftime("%Y-%m-%dT%H:%M:%S"),
                     "Minutes5DK": danish.strftime("%Y-%m-%dT%H:%M:%S"), "PriceArea": area,
                     "CO2Emission": around(when, case, area) if is_around(case) else
                     None if case == "nulls" and when.hour == 6 else float(grams(when))})
    total = len(rows) + (1 if case == "total" else 0)
    return {"total": total, "limit": 100000, "dataset": dataset, "records": rows}


def electricity_maps(path, query, case):
    zone, basis = query["zone"][0], query["emissionFactorType"][0]
    if path.endswith("/forecast"):
        now = datetime.datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
        hours = steps(now, now + datetime.timedelta(hours=int(query["horizonHours"][0])), 60)
        return {"zone": zone, "forecast": [{"carbonIntensity": grams(when) + 3, "datetime":
                when.strftime("%Y-%m-%dT%H:%M:%S.000Z")} for when in hours], "updatedAt": z(now)}
    granularity = query["temporalGranularity"][0]
    minutes = {"hourly": 60, "15_minutes": 15, "5_minutes": 5}[granularity]
    rows = [{"zone": zone, "carbonIntensity": None if case == "nulls" and when.hour == 6 else
             0 if case == "zeros" and when.hour == 6 else grams(when),
             "datetime": when.strftime("%Y-%m-%dT%H:%M:%S.000Z"), "emissionFactorType": basis,
             "isEstimated": when.hour % 2 == 1, "temporalGranularity": "hourly" if case == "steps" else granularity}
            for when in steps(instant(query["start"][0]), instant(query["end"][0]), minutes)]
    return {"zone": "XX" if case == "zone" else zone, "data": rows}


def watttime(path, query, case):
    now = datetime.datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    if path.endswith("/forecast"):
        start, end = now, now + datetime.timedelta(hours=int(query["horizon_hours"][0]))
    else:
        start, end = instant(query["start"][0]), instant(query["end"][0]) + datetime.timedelta(minutes=5)
    rows = [{"point_time": when.isoformat(), "value": 870.0} for when in steps(start, end, 5)]
    return {"data": rows, "meta": {"data_point_period_seconds": 300, "region": query["region"][0], "warnings": [],
                                   "signal_type": "co2_moer",
                                   "units": "percentile" if case == "units" else "lbs_co2_per_mwh"}}


def document(path, query, case):
    mix = grid_mix.document(path, query, case, instant)
    if mix is not None:
        return mix
    if "/intensity/" in path:
        return neso(path, case)
    if path == "/co2eq":
        return energy_charts(query, case)
    if "/catalog/datasets/" in path:
        return odre(query, path.split("/")[6], case)
    if path.startswith("/dataset/"):
        return energidata(query, path.split("/")[2], case)
    if path.startswith("/carbon-intensity/"):
        return electricity_maps(path, query, case)
    if path == "/login":
        return {"token": "token-of-the-day"}
    return watttime(path, query, case)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self):
        login = self.headers.get("Authorization", "")
        bearer = login[7:] if login.startswith("Bearer ") else ""
        login = base64.b64decode(login[6:]).decode() if login.startswith("Basic ") else ""
        with lock:
            counts[self.path] = counts.get(self.path, 0) + 1
            with open(sys.argv[1], "a", encoding="ascii") as log:
                log.write(f"{self.server.server_port} {self.path} key={self.headers.get('auth-token', self.headers.get('x-api-key', ''))} "
                          f"login={login} bearer={bearer}\n")
            return counts[self.path]

    def date_time_string(self, timestamp=None):
        ahead = 7200 if self.path.startswith("/skew/") else 0
        return email.utils.formatdate(time.time() + ahead, usegmt=True)

    def send(self, status, body, headers=(), kind="application/json", length=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        count = self.note()
        parts = urllib.parse.urlsplit(self.path)
        _, case, path = parts.path.split("/", 2)
        path, query = "/" + path, urllib.parse.parse_qs(parts.query)
        try:
            self.answer(case, path, query, count)
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.close_connection = True

    def answer(self, case, path, query, count):
        status = re.fullmatch(r"status(\d+)", case)
        other = self.server.other
        if status:
            # a server that tells what it was told
            login = self.headers.get("Authorization", "")
            if login.startswith("Basic "):
                login = base64.b64decode(login[6:]).decode()
            told = self.headers.get("auth-token", "") or re.split("[ :]", login)[-1]
            message = {"error": {"code": status[1], "message": f"as it says itself \x1b[31m{told}"}}
            self.send(int(status[1]), json.dumps(message).encode())
        elif case == "wait" and count == 1:
            self.send(429, b"{}", [("Retry-After", "1")])
        elif case == "waitdate" and count == 1:
            self.send(429, b"{}", [("Retry-After", email.utils.formatdate(time.time() + 2, usegmt=True))])
        elif case == "waitlong":
            self.send(429, b"{}", [("Retry-After", "3600")])
        elif case == "once500" and count == 1:
            self.send(500, b"oops")
        elif case == "slow":
            time.sleep(20)
        elif case == "drip":
            self.send(200, b"{", length=1000)
            for _ in range(100):
                self.wfile.write(b" ")
                time.sleep(0.2)
        elif case == "html":
            self.send(200, b"<!DOCTYPE html><html><body>Down for maintenance</body></html>", kind="text/html")
        elif case == "empty":
            self.send(200, b"")
        elif case == "nothing":
            self.send(200, b'{"data":[]}')
        elif case == "type":
            self.send(200, b'["data"]')
        elif case == "huge":
            self.send_response(200)
            self.end_headers()
            for _ in range(64):
                self.wfile.write(b" " * 1048576)
        elif case == "bomb":
            self.send(200, gzip.compress(b" " * (64 << 20)), [("Content-Encoding", "gzip")])
        elif case == "away":
            self.send(302, b"", [("Location", f"{other}/good{path}?{urllib.parse.urlencode(query, True)}")])
        elif case == "here":
            self.send(302, b"", [("Location", f"/good{path}?{urllib.parse.urlencode(query, True)}")])
        elif case == "round":
            self.send(302, b"", [("Location", self.path)])
        elif case == "noforecast" and path.endswith("/forecast"):
            self.send(403, b'{"message":"Endpoint not available"}')
        else:
            body = document(path, query, case)
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
            if case == "truncated":
                self.send(200, body[:len(body) // 2], length=len(body))
            elif case == "cut":
                self.send(200, body[:len(body) // 2])
            elif case == "gzip":
                self.send(200, gzip.compress(body), [("Content-Encoding", "gzip")])
            else:
                self.send(200, body)


def main():
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
    ports = [server.server_port for server in servers]
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3])
        servers[1].socket = context.wrap_socket(servers[1].socket, server_side=True)
    scheme = "https" if len(sys.argv) > 3 else "http"
    servers[0].other = f"{scheme}://127.0.0.1:{ports[1]}"
    servers[1].other = f"http://127.0.0.1:{ports[0]}"
    for server in servers:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(sys.argv[2] + ".new", "w", encoding="ascii") as file:
        file.write(" ".join(map(str, ports)))
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    sys.stdin.read()


main()
