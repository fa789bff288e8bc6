#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# A smart plug and a board's controller (Redfish), and every fault that they may have.
"""plug.py PORT_FILE

Listens on a free port of 127.0.0.1, which PORT_FILE names then. The plug tells 55 W; of the controller's chassis, for
carbon:watt, Bay tells nothing, Old 57 W and New 59 W. /asked tells how often its list of chassis was asked for.
"""
import http.server
import json
import os
import sys
import threading

from answering import Answering

never = threading.Event()
asked = []
CHASSIS = "/redfish/v1/Chassis"


def link(path):
    return {"@odata.id": path}


REDFISH = {
    CHASSIS: {"Members": [link(f"{CHASSIS}/{name}") for name in ("Bay", "Off", "Old", "New")]},
    f"{CHASSIS}/Bay": {"Id": "Bay"},
    f"{CHASSIS}/Off": {"Id": "Off", "Power": link(f"{CHASSIS}/Off/Power")},
    f"{CHASSIS}/Off/Power": {"PowerControl": [{"PowerConsumedWatts": None}]},
    f"{CHASSIS}/Old": {"Id": "Old", "Power": link(f"{CHASSIS}/Old/Power")},
    f"{CHASSIS}/Old/Power": {"PowerControl": [{"PowerConsumedWatts": 57, "PowerCapacityWatts": 800}]},
    f"{CHASSIS}/New": {"Id": "New", "EnvironmentMetrics": link(f"{CHASSIS}/New/EnvironmentMetrics"),
                       "Power": link(f"{CHASSIS}/New/Power")},
    f"{CHASSIS}/New/EnvironmentMetrics": {"PowerWatts": {"Reading": 59.0}, "EnergykWh": {"Reading": 12.5}},
    f"{CHASSIS}/New/Power": {"PowerControl": [{"PowerConsumedWatts": 1}]},
}
PLUG = json.dumps({"id": 0, "apower": 55.0, "aenergy": {"total": 1000.5}, "meters": [{"power": 55}]}).encode()
ANSWERS = {
    "plug": (200, PLUG),
    "state": (200, b'{"entity_id":"sensor.wall","state":"55.0"}'),
    "garbage": (200, b"<html>hello</html>\n"),
    "error": (500, b"55\n"),
}


class Plug(Answering):
    def do_GET(self):
        name = self.path.split("/")[1].split("?")[0]
        if name in ANSWERS:
            self.answer(*ANSWERS[name])
        elif name == "hang":
            never.wait()
        elif name == "locked":
            # "Basic carbon:watt", "Bearer key" or an own header, as their base64 says it
            if self.headers["Authorization"] in ("Basic Y2FyYm9uOndhdHQ=", "Bearer key") or self.headers["X-Key"] == "key":
                self.answer(200, PLUG)
            else:
                self.answer(401, b"")
        elif name == "asked":
            self.answer(200, json.dumps(len(asked)).encode())
        elif self.path in REDFISH:
            asked.extend([1] if self.path == CHASSIS else [])
            if self.headers["Authorization"] == "Basic Y2FyYm9uOndhdHQ=":
                self.answer(200, json.dumps(REDFISH[self.path]).encode())
            else:
                self.answer(401, b"")
        else:
            self.answer(404, b"")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Plug)
server.daemon_threads = True
with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
    print(server.server_address[1], file=file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
