#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# A job that moves the counters of a laid-out machine by a plan.
"""play.py PLAN

Each line of PLAN is SECONDS PATH WHAT, in order of time; the seconds count from the start of the job. WHAT is a
number (written in place and in one width, since a reader keeps the file open), `empty`, `remove`, `swap NUMBER`
(another file takes its place), `end` (nothing: the job lasts until then), or a word to write instead of a number.
"""
import os
import sys
import time


def write(path, text):
    descriptor = os.open(path, os.O_WRONLY)
    os.pwrite(descriptor, text, 0)
    os.ftruncate(descriptor, len(text))
    os.close(descriptor)


def do(path, what):
    word = what.split()[0]
    if word.isdigit():
        write(path, b"%020d\n" % int(word))
    elif word == "empty":
        os.truncate(path, 0)
    elif word == "remove":
        os.remove(path)
    elif word == "swap":
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(f"{int(what.split()[1]):020d}\n")
        os.rename(path + ".new", path)
    elif word != "end":
        write(path, word.encode() + b"\n")


def main(plan):
    start = time.monotonic()
    with open(plan, encoding="utf-8") as lines:
        steps = [line.split(None, 2) for line in lines if line.strip()]
    for seconds, path, what in steps:
        wait = float(seconds) - (time.monotonic() - start)
        if wait > 0:
            time.sleep(wait)
        do(path, what)


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
