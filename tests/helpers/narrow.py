#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What does not fit a terminal: narrow.py COLUMNS FILE < COMMANDS

Runs each line of standard input by sh on a terminal of so many columns of its own, standard output and error together, and
prints the lines that take more, each behind its command. Characters of East Asian width W and F take two columns, marks set
upon another none, colours none. "!" before a command: it may fail. A word that is longer than the line may stand alone, for a
path or a command line cannot be broken. FILE gets all that was printed.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
import unicodedata

COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LIMIT_S = 120


def columns_of(text):
    return sum(0 if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf")
               else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def on_terminal(command, columns):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", COLUMNS=str(columns))
        os.execv("/bin/sh", ["sh", "-c", command])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    seen, deadline = b"", time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            if not data:
                break
            seen += data
    else:
        os.kill(pid, 9)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(fd)
    return seen.decode("utf-8", "replace"), status


def lines_of(text):
    """What stands on the screen in the end: a line of progress is written over."""
    for line in text.replace("\r\n", "\n").split("\n"):
        yield COLOURS.sub("", line.rpartition("\r")[2])


def is_one_word(line):
    """What cannot be broken: one word alone, or behind a label of one."""
    words = line.split()
    return len(words) == 1 or len(words) == 2 and columns_of(words[1]) > 40


def main(columns, file):
    columns = int(columns)
    with open(file, "w", encoding="utf-8") as out:
        for command in sys.stdin.read().splitlines():
            if not command.strip() or command.startswith("#"):
                continue
            may_fail, command = command.startswith("!"), command.lstrip("!")
            text, status = on_terminal(command, columns)
            out.write(f"$ {command}\n{COLOURS.sub('', text)}\n")
            if status != 0 and not may_fail:
                print(f"{command}: status {status}: {text[-300:]}")
            for line in lines_of(text):
                if columns_of(line) > columns and not is_one_word(line):
                    print(f"{command}: {columns_of(line)}: {line}")


main(*sys.argv[1:])
