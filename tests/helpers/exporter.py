#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# A server that answers as exporters of energy do, and with every fault that they may have.
"""exporter.py PORT_FILE

Listens on a free port of 127.0.0.1, which PORT_FILE names then. Each time that /metrics (or /chunked/metrics) is asked,
the counters are 10 J and 1 J further, whatever the time.
"""
import http.server
import os
import sys
import threading

from answering import Answering

lock = threading.Lock()
asked = {}


def text_of(path):
    with lock:
        count = asked[path] = asked.get(path, 0) + 1
    labels = 'pod_name="web",container_namespace="shop",container_name="nginx"'
    return "".join(
        f'kepler_container_{part}_joules_total{{{labels},mode="dynamic"}} {first + step * count}\n'
        for part, first, step in (("package", 100, 10), ("dram", 50, 1))
    ).encode()


class Exporter(Answering):
    def do_GET(self):
        name = self.path.split("/")[1]
        if name == "metrics":
            self.answer(200, text_of(self.path))
        elif name == "chunked":
            body = text_of(self.path)
            parts = [body[i:i + 7] for i in range(0, len(body), 7)]
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
            self.answer(200, chunks, [("Transfer-Encoding", "chunked")])
        elif name == "html":
            self.answer(200, b"<html>\nno metrics here\n</html>\n")
        elif name == "empty":
            self.answer(200, b"")
        elif name == "cut":
            self.close_connection = True
            self.answer(200, text_of(self.path)[:-4], [("Connection", "close")])
        elif name == "locked":
            # "Basic carbon:watt" or "Bearer key", as their base64 says it
            if self.headers["Authorization"] in ("Basic Y2FyYm9uOndhdHQ=", "Bearer key"):
                self.answer(200, text_of(self.path))
            else:
                self.answer(401, (self.headers["Authorization"] or "nothing").encode())
        elif name == "moved":
            self.answer(302, b"", [("Location", "/metrics"), ("Content-Length", "0")])
        elif name == "endless":
            self.close_connection = True
            self.answer(200, b"", [("Connection", "close")])
            try:
                while True:
                    self.wfile.write(b"a 1\n" * 65536)
            except OSError:
                pass
        else:
            self.answer(404, b"404 page not found\n")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exporter)
with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
    print(server.server_address[1], file=file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
