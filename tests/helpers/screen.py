#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""carbon top on a terminal of its own: screen.py END COMMAND...

Runs the command until its screen was drawn twice, then ends it: END is q, INT, TERM, HUP, QUIT (typed or sent), stop (Ctrl-Z, what a
shell would find, then on, then q), keys (all of them, then q), size (made smaller, then q), close (the terminal is gone), wait (it
ends by itself). Says "ended STATUS", and what is not as it was before.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

ENTER, LEAVE = b"\033[?1049h\033[?25l", b"\033[?25h\033[?1049l"
DRAWN = b"\033[H"


class Screen:
    def __init__(self, command):
        master, slave = pty.openpty()
        self.resize(slave, 100, 30)
        self.fd, self.slave, self.out = master, slave, b""
        self.modes = termios.tcgetattr(slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(master)
            os.login_tty(slave) if hasattr(os, "login_tty") else self.login(slave)
            os.environ["TERM"] = "xterm"
            os.execv(command[0], command)

    @staticmethod
    def login(slave):
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for fd in range(3):
            os.dup2(slave, fd)

    @staticmethod
    def resize(fd, columns, lines):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self):
        if not select.select([self.fd], [], [], 0.05)[0]:
            return
        try:
            self.out += os.read(self.fd, 65536)
        except OSError:
            pass

    def until(self, condition, what):
        deadline = time.monotonic() + 120
        while not condition():
            self.read()
            if time.monotonic() > deadline:
                print("in two minutes it did not come:", what)
                os.kill(self.pid, signal.SIGKILL)
                sys.exit(1)

    def drawn(self, more=1):
        so_far = self.out.count(DRAWN)
        self.until(lambda: self.out.count(DRAWN) >= so_far + more, "a screen")

    def type(self, keys):
        os.write(self.fd, keys)

    def state(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]

    def is_as_before(self):
        if termios.tcgetattr(self.slave) != self.modes:
            print("the terminal's modes are not as they were")
        if self.out.count(ENTER) != self.out.count(LEAVE):
            print("the screen was not given back")


def stop(screen):
    screen.type(b"\x1a")
    screen.until(lambda: screen.state() == "T", "it stops")
    screen.read()
    screen.is_as_before()
    os.kill(screen.pid, signal.SIGCONT)
    screen.until(lambda: screen.out.count(ENTER) == 2, "its screen again")
    screen.drawn()
    screen.type(b"q")


def all_keys(screen):
    for keys, shown in ((b"u", b"USER"), (b"c", b"CGROUP"), (b"o", b"CONTAINER"), (b"d", b"POD"), (b"j", b"SLURM JOB"), (b"p", b"PID"),
                        (b"J", b"energyv"), (b"N", b"PROCESSv"), (b"r", b"PROCESS^"), (b"/work", b"filter: work_"),
                        (b"\r", b"only 'work'"), (b"\033", b"q quit"), (b"\033[B\033[6~\033[F\033[H", b"q quit")):
        at = len(screen.out)
        screen.type(keys)
        screen.until(lambda at=at, shown=shown: shown in screen.out[at:], shown)
    screen.type(b"q")


def resized(screen):
    at = len(screen.out)
    screen.resize(screen.fd, 40, 12)
    screen.until(lambda: DRAWN in screen.out[at:], "a smaller screen")
    screen.drawn()
    frame = screen.out.rpartition(DRAWN)[2].decode(errors="replace")
    lines = [line.replace("\033[K", "").replace("\033[J", "") for line in frame.split("\r\n")]
    if len(lines) > 12 or any(len(line) >= 40 for line in lines if "\033" not in line):
        print("it does not fit:", lines)
    screen.type(b"q")


def main(end, *command):
    screen = Screen(command)
    screen.until(lambda: screen.out.count(DRAWN) >= 2, "its screen, twice")
    if termios.tcgetattr(screen.slave)[3] & termios.ECHO:
        print("keys are echoed")
    if end in ("INT", "QUIT"):
        screen.type(b"\x03" if end == "INT" else b"\x1c")
    elif end in ("TERM", "HUP"):
        os.kill(screen.pid, getattr(signal, "SIG" + end))
    elif end == "close":
        os.close(screen.slave)
        os.close(screen.fd)
    elif end != "wait":
        {"q": lambda it: it.type(b"q"), "stop": stop, "keys": all_keys, "size": resized}[end](screen)
    if end == "close":
        status = os.waitpid(screen.pid, 0)[1]
    else:
        ended = []
        screen.until(lambda: ended or ended.extend(filter(lambda found: found[0], [os.waitpid(screen.pid, os.WNOHANG)])) or ended, "its end")
        status = ended[0][1]
        screen.read()
        screen.is_as_before()
    print("ended", os.waitstatus_to_exitcode(status))


main(*sys.argv[1:])
