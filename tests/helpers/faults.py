#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""System calls that fail, one at a time, under five commands of carbon (strace --inject).

  faults.py CARBON MOST [SECONDS]    so many faults a command and the first of each kind (0: all), within so many seconds each

Each call that carbon makes behind its loader fails once with each error that the kernel may give there, alone and from then
on. Whatever fails: carbon ends by itself and within a minute, what was there before is whole (a file as it was or as it is to be, a
sound ledger that has all its records), and where it says that all went well it has done all, or said what it has not.
What does not hold is printed, a line each, and then for each command how many were tried; status 1 where something was."""
import concurrent.futures
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import time

# Without brk, whose failure is told otherwise than by an error, and without close, which strace would leave undone: the kernel
# closes, whatever it says.
ERRORS = {
    "openat": ("EMFILE", "EACCES", "EIO"), "open": ("EMFILE",), "read": ("EIO",), "pread64": ("EIO",),
    "write": ("ENOSPC", "EIO"), "writev": ("ENOSPC",), "pwrite64": ("ENOSPC", "EIO"), "fsync": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO",), "ftruncate": ("EIO",), "rename": ("EACCES",), "renameat": ("EACCES", "ENOSPC"),
    "renameat2": ("EACCES",), "unlink": ("EACCES",), "unlinkat": ("EACCES",), "mkdir": ("ENOSPC",), "mkdirat": ("ENOSPC",),
    "fcntl": ("EAGAIN", "ENOLCK"), "flock": ("ENOLCK",), "lseek": ("EIO",), "newfstatat": ("EACCES", "EIO"),
    "fstat": ("EIO",), "statx": ("EACCES",), "access": ("EACCES",), "faccessat2": ("EACCES",), "readlink": ("EIO",),
    "getdents64": ("EIO",), "mmap": ("ENOMEM",), "munmap": ("ENOMEM",), "mremap": ("ENOMEM",),
    "pipe2": ("EMFILE",), "dup": ("EMFILE",), "dup2": ("EMFILE",), "dup3": ("EMFILE",), "socket": ("EMFILE",),
    "socketpair": ("EMFILE",), "clone": ("EAGAIN",), "clone3": ("EAGAIN",), "fork": ("EAGAIN",), "vfork": ("EAGAIN",),
    "perf_event_open": ("EMFILE",), "getrandom": ("EAGAIN",), "fchmod": ("EPERM",), "fchown": ("EPERM",),
    "timerfd_create": ("EMFILE",), "signalfd4": ("EMFILE",), "pidfd_open": ("EMFILE",), "prctl": ("EINVAL",),
    "sched_setaffinity": ("EPERM",), "getcwd": ("ENOENT",), "uname": ("EIO",), "sysinfo": ("EIO",),
}
PERSISTS = ("openat", "write", "pwrite64", "fsync", "mmap", "read")
AT_ONCE = 4  # each waits for most of its time
OLD = '{"old": true}\n'


class Command:
    def __init__(self, name, words, kept, result="json", new=1):
        self.name, self.words, self.kept, self.result, self.new = name, words, kept, result, new


COMMANDS = (
    Command("measure", "measure --root {above}/tree -b 0 --ledger l.db --json out.json -- true", 1),
    Command("restate", "restate {above}/record.json --zone DE --ledger l.db --json out.json", 1),
    Command("import", "import --ledger l.db {above}/record.json", 1, None),
    Command("history", "history export out --ledger l.db", 0, "folder"),
    Command("report", "report --ledger l.db --json out.json", 0),
)


def ids(carbon, ledger):
    done = subprocess.run([carbon, "history", "--ledger", ledger, "--csv", "-"], capture_output=True, text=True)
    return None if done.returncode else {row.split(",")[0] for row in done.stdout.splitlines()[1:]}


def lay(folder):
    """What is there before."""
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    shutil.copy("kept.db", f"{folder}/l.db")
    with open(f"{folder}/out.json", "w") as out:
        out.write(OLD)


def traced(carbon, command, folder, options):
    lay(folder)
    words = [carbon] + [word.format(above="..") for word in command.words.split()]
    try:
        return subprocess.run(["strace", "-o", f"../{folder}.log", *options, *words], cwd=folder, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None


def calls_of(carbon, command):
    """(name, which one, error): of those behind the loader."""
    done = traced(carbon, command, "try", [])
    if done is None or done.returncode:
        sys.exit(f"{command.name} fails by itself: {done and done.stderr}")
    counts, begun = {}, {}
    at_main = False
    with open("try.log", errors="replace") as log:
        for line in log:
            at_main |= line.startswith("fcntl(0, F_GETFD")
            name = line.split("(")[0]
            counts[name] = counts.get(name, 0) + 1
            if at_main:
                begun.setdefault(name, counts[name])
    for name, errors in ERRORS.items():
        for number in range(begun.get(name, 1), counts.get(name, 0) + 1 if name in begun else 0):
            for error in errors:
                yield name, str(number), error
                if name in PERSISTS:
                    yield name, f"{number}+", error


def whole(path, old):
    try:
        document = json.load(open(path))
    except (OSError, ValueError) as why:
        return None, f"{path}: {why}"
    return document != json.loads(old), None


def judge(carbon, command, folder, done, before, name):
    """What does not hold; None where all does."""
    if done is None:
        return "it did not end"
    said = done.stderr.decode(errors="replace")
    if done.returncode < 0 or done.returncode > 128:
        return f"status {done.returncode}: {said[-200:]}"
    new, wrong = whole(f"{folder}/out.json", OLD)
    if wrong:
        return wrong
    kept = ids(carbon, f"{folder}/l.db")
    if kept is None or not before <= kept:
        return f"the ledger has {kept and len(kept)} of {len(before)} records"
    files = os.listdir(f"{folder}/out") if os.path.isdir(f"{folder}/out") else []
    for file in files:
        if file.endswith(".json") and whole(f"{folder}/out/{file}", OLD)[1]:
            return f"out/{file} is not whole"
    if done.returncode:
        return None if said or "write" in name else "it failed without a word"
    if command.result == "json" and not new and "carbon:" not in said:
        return "all went well, and there is no result"
    if command.result == "folder" and len(files) != len(before):
        return "all went well, and not all is there"
    if command.kept and len(kept) < len(before) + command.new and not re.search("ledger|l[.]db", said):
        return "all went well, and the ledger has no record of it"
    return None


def try_all(carbon, command, faults, before, until):
    """(tried, that made it fail, what does not hold)"""
    numbers = queue.SimpleQueue()

    def one(fault):
        if time.monotonic() > until:
            return None
        name, number, error = fault
        folder = f"try-{numbers.get()}"
        done = traced(carbon, command, folder, ["-e", f"trace={name}", "-e", f"inject={name}:error={error}:when={number}"])
        wrong = judge(carbon, command, folder, done, before, name)
        numbers.put(int(folder.split("-")[1]))
        return bool(done and done.returncode), wrong and f"{command.name}: {name} {number} {error}: {wrong}"

    for number in range(AT_ONCE):
        numbers.put(number)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = [result for result in pool.map(one, faults) if result]
    return len(found), sum(failed for failed, _ in found), [wrong for _, wrong in found if wrong]


def pick(faults, most):
    """The first of each kind, and others evenly."""
    firsts = {(name, error): number for number, (name, _, error) in reversed(list(enumerate(faults)))}
    step = max(1, len(faults) / most)
    return [faults[i] for i in sorted({*firsts.values(), *(int(i * step) for i in range(int(len(faults) / step)))})]


def main():
    carbon, most = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seconds = float(sys.argv[3]) if sys.argv[3:] and sys.argv[3] else 1e9
    before = ids(carbon, "kept.db")
    bad = False
    for command in COMMANDS:
        faults, until = list(calls_of(carbon, command)), time.monotonic() + seconds
        picked = pick(faults, most) if most else faults
        tried, refused, wrong = try_all(carbon, command, picked, before, until)
        bad |= bool(wrong)
        print(*wrong, f"{command.name}: {tried} of {len(faults)} faults tried, {refused} made it fail", sep="\n", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main())
