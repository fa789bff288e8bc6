# SPDX-License-Identifier: MIT
"""A command on a terminal of its own: terminal.py KEYS TRIGGER COMMAND...

KEYS, in parts between "+", are typed one after the other: each where the command asks "(y/n)" once more (TRIGGER "asked"), or
once a process has just the words TRIGGER. ^C is Ctrl-C, and ends no line. What it printed comes out, and its status is this one's.
"""
import glob
import os
import pty
import select
import sys
import time


def runs(words):
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                if file.read().rstrip(b"\0").split(b"\0") == words:
                    return True
        except OSError:
            pass  # it has ended
    return False


def main(keys, trigger, *command):
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    left = keys.split("+")
    seen, typed, deadline = b"", 0, time.time() + 60
    while time.time() < deadline:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                data = os.read(fd, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
        if left and (seen.count(b"(y/n)") > typed if trigger == "asked" else runs(trigger.encode().split())):
            key = left.pop(0)
            os.write(fd, b"\x03" if key == "^C" else key.encode() + b"\n")
            typed += 1
    sys.stdout.buffer.write(seen)
    sys.stdout.flush()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main(*sys.argv[1:]))
