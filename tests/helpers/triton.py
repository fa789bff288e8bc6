#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Stands in for Triton: it answers for its health and its models, as either version of its protocol has it, and works for
# who asks it to. Its words are Triton's: --model-repository=DIR --load-model=NAME...; and beside them --http-port=N (8000),
# --protocol=1|2 (2), --ready-file=FILE: it is not ready before that file is there; --pid-file=FILE: its pid goes there.
#
# GET /busy/SECONDS    so much CPU time, then 200
# GET /end/STATUS      it ends with this status
import http.server
import os
import sys
import time


def given(name, otherwise=None):
    values = [word.split("=", 1)[1] for word in sys.argv[1:] if word.startswith("--%s=" % name)]
    return values[-1] if values else otherwise


models = [word.split("=", 1)[1] for word in sys.argv[1:] if word.startswith("--load-model=")]
folder = given("model-repository", given("model-store"))
first = given("protocol", "2") == "1"
ready_file = given("ready-file")
if given("pid-file"):
    with open(given("pid-file"), "w") as file:
        print(os.getpid(), file=file)
print("serves", " ".join(sys.argv[1:]), flush=True)


def is_ready():
    return ready_file is None or os.path.exists(ready_file)


def model_status(name):
    return 200 if is_ready() and (name in models or first) and os.path.isdir(os.path.join(folder, name)) else 400


class Answers(http.server.BaseHTTPRequestHandler):
    def status(self):
        parts = self.path.strip("/").split("/")
        if parts[0] == "busy":
            end = time.process_time() + float(parts[1])
            while time.process_time() < end:
                pass
            return 200
        if self.path == ("/api/health/ready" if first else "/v2/health/ready"):
            return 200 if is_ready() else 503
        if not first and parts[:2] == ["v2", "models"] and parts[3:] == ["ready"]:
            return model_status(parts[2])
        if first and parts[:2] == ["api", "status"]:
            return model_status(parts[2])
        return 404

    def do_GET(self):
        if self.path.startswith("/end/"):
            print("told to end", flush=True)
            os._exit(int(self.path.split("/")[2]))
        self.send_response(self.status())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(given("http-port", "8000"))), Answers).serve_forever()
