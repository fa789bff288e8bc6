#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Asks a web server, as a client of the exporter does; and understands its answer.

ask.py [-i] [-X METHOD] [-H HEADER]... [-u USER:PASSWORD] [--ca FILE] [--cert FILE] [--tls MOST] URL
    prints the body; with -i the status and the headers, in small letters, before it; "failed: WHY" where there is no answer
ask.py --value NAME [--labels TEXT] [--is VALUE | --least NUMBER] ... URL
    prints the values of the samples of carbon_NAME whose labels hold the text; with --is, asks until that is the value,
    with --least, until it is this or more
URL may be http://, https:// or unix:PATH.
"""
import argparse
import base64
import gzip
import http.client
import socket
import ssl
import sys
import time
import urllib.parse


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=20)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def connection(options):
    if options.url.startswith("unix:"):
        return Unix(options.url[5:]), "/metrics"
    url = urllib.parse.urlsplit(options.url)
    if url.scheme != "https":
        return http.client.HTTPConnection(url.hostname, url.port, timeout=20), url.path
    context = ssl.create_default_context(cafile=options.ca)
    if options.cert:
        context.load_cert_chain(options.cert)
    if options.tls:
        context.maximum_version = ssl.TLSVersion[options.tls]
    return http.client.HTTPSConnection(url.hostname, url.port, timeout=20, context=context), url.path


def ask(options):
    server, path = connection(options)
    headers = dict(header.split(": ", 1) for header in options.H)
    if options.u is not None:
        headers["Authorization"] = "Basic " + base64.b64encode(options.u.encode()).decode()
    server.request(options.X, path or "/", headers=headers)
    answer = server.getresponse()
    body = answer.read()
    if answer.getheader("Content-Encoding") == "gzip" and body:
        body = gzip.decompress(body)
    return answer.status, answer.getheaders(), body.decode()


def values(text, name, labels):
    for line in text.splitlines():
        head, _, number = line.rpartition(" ")
        if head.split("{")[0] == "carbon_" + name and labels in head:
            yield number


def wanted(found):
    if options.least is not None:
        return found != "" and float(found) >= options.least
    return options.wanted in (None, found)


parser = argparse.ArgumentParser()
parser.add_argument("-i", action="store_true")
parser.add_argument("-X", default="GET")
parser.add_argument("-H", action="append", default=[])
parser.add_argument("-u")
parser.add_argument("--ca")
parser.add_argument("--cert")
parser.add_argument("--tls")
parser.add_argument("--value")
parser.add_argument("--labels", default="")
parser.add_argument("--is", dest="wanted")
parser.add_argument("--least", type=float)
parser.add_argument("url")
options = parser.parse_args()
try:
    if not options.value:
        status, headers, body = ask(options)
        if options.i:
            print(status)
            for name, value in headers:
                print(f"{name}: {value}".lower())
            print()
        sys.stdout.write(body)
        sys.exit(0)
    patience = time.monotonic() + 300
    while True:
        found = "\n".join(values(ask(options)[2], options.value, options.labels))
        if wanted(found) or time.monotonic() > patience:
            break
        time.sleep(0.05)
    print(found)
except (OSError, http.client.HTTPException) as problem:
    print(f"failed: {type(problem).__name__}")
    sys.exit(1)
