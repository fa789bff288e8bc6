#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Planted faults: whether the unit tests of a subject notice when its code is wrong.
"""mutants.py [--seed N] [--drawn N] [--drawn-only] -- COMPILE... -- LINK... LIBRARIES

`make mutants` gives the last two. Each mutant is one changed place of one C file: those of mutants.tsv, each with the
tests named there, then some drawn by a seed, with the tests that reach the changed file by the fewest calls. A mutant
is compiled in a folder of its own and linked in front of the library, so that neither tree nor build is touched.
Found: a test that passes otherwise fails, and fails again. The status is 0 with 30 of 30 and 9 of 10 found.
"""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutations

SOURCE = os.environ.get("srcdir", ".")
LEAST_PLANTED, LEAST_DRAWN = 30 / 30, 9 / 10
SKIPPED = 77
AT_ONCE = len(os.sched_getaffinity(0))
MOST_TESTS = 16  # of one drawn mutant
# Linked against the shared library, which a mutant does not reach; or at work for seconds, not at arithmetic.
ELSEWHERE = ("test_library", "test_library_keeper", "test_perf", "test_simulation", "test_bound", "test_ledger_file")


class Broken(Exception):
    """The run itself cannot be done; said in one line."""


def end_session(session):
    """Ends what this session has left: check puts each test into a process group of its own."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                words = file.read().rpartition(")")[2].split()
            if int(words[3]) == session and words[0] != "Z":
                os.kill(int(path.split("/")[2]), signal.SIGKILL)
        except OSError:
            pass  # it has ended


class Bench:
    """Compiles, links and runs in a scratch folder."""

    def __init__(self, compile_words, link_words, scratch):
        self.compile_words, self.scratch = compile_words, scratch
        at = link_words.index("-o")
        self.link_words = link_words[:at + 1] + ["TEST", "OBJECT.o"] + link_words[at + 2:]
        self.sessions = set()  # of what is running
        self.alone_s, self.statuses = {}, {}  # of a test on the unchanged code

    def run(self, words, limit_s=None):
        """Status and what was said; a status of None: it did not end."""
        # not through a pipe, which a process that is left behind would hold open
        with tempfile.TemporaryFile(dir=self.scratch) as out:
            with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                  start_new_session=True) as process:
                self.sessions.add(process.pid)
                try:
                    status = process.wait(limit_s)
                except subprocess.TimeoutExpired:
                    status = None
                finally:
                    end_session(process.pid)
                    self.sessions.discard(process.pid)
            out.seek(0)
            return status, out.read().decode(errors="replace")

    def stop(self, *_):
        """At a signal: nothing of ours is left."""
        for session in list(self.sessions):
            end_session(session)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os._exit(143)

    def compile(self, text, source, folder):
        """The object of this text in place of this file, and its code as assembly; None: it is no C."""
        path = os.path.join(folder, os.path.basename(source))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        words = [word for word in self.compile_words if word not in ("ccache", "-Werror")] + ["-w", "-g0"]
        if self.run(words + ["-S", "-o", path + ".s", path])[0] != 0:
            return None
        if self.run(words + ["-c", "-o", path + ".o", path + ".s"])[0] != 0:
            return None
        with open(path + ".s", encoding="utf-8") as file:
            return path + ".o", file.read()

    def link(self, test, objects, folder):
        program, words = os.path.join(folder, test), []
        for word in self.link_words:
            words += objects + glob.glob(f"tests/unit/*/{test}.o") if word == "OBJECT.o" else [word]
        words = [os.path.abspath(program) if word.endswith("TEST") else word for word in words]
        status, said = self.run(words + ["-Wl,-s"])
        if status == 0:
            return program
        raise Broken(f"{test} cannot be linked:\n{said}")

    def fails(self, test, program):
        # a loop without an end is found as well; check has a limit of its own for each test
        return self.run([program], 60 + 20 * self.alone_s[test])[0] != 0

    def baseline(self, test):
        """The unchanged code passes."""
        begun, program = time.monotonic(), self.link(test, [], self.scratch)
        status, said = self.run([program])
        os.unlink(program)
        self.alone_s[test], self.statuses[test] = time.monotonic() - begun, status
        if status not in (0, SKIPPED):
            raise Broken(f"{test} fails on the unchanged code:\n{said}")

    def judge(self, mutant, tests):
        """'found', 'LIVED' or 'not built', and by which test."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            built = self.compile(mutant.text, mutant.source, folder)
            if not built:
                return "not built", ""
            for test in tests:
                program = self.link(test, [built[0]], folder)
                if self.fails(test, program) and self.fails(test, program):
                    return "found", test
                os.unlink(program)
        return "LIVED", ""


def find_source(path):
    """A file by its path, or by its name where it has moved."""
    if os.path.exists(os.path.join(SOURCE, path)):
        return path
    moved = glob.glob(os.path.join(SOURCE, "src", "**", os.path.basename(path)), recursive=True)
    if len(moved) != 1:
        raise Broken(f"{path}: {len(moved)} files have this name")
    return os.path.relpath(moved[0], SOURCE)


def read_source(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def read_table():
    """The rows of mutants.tsv: file, in place of, put, tests."""
    with open(os.path.join(SOURCE, "tests", "mutants.tsv"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")][1:]


def planted(rows):
    """The mutants of these rows, each with its tests."""
    mutants = []
    for path, old, new, tests in rows:
        source = find_source(path)
        old, new, text = old.replace("\\n", "\n"), new.replace("\\n", "\n"), read_source(source)
        if text.count(old) != 1:
            raise Broken(f"{source}: '{old}' stands in it {text.count(old)} times, not once")
        at = text.index(old)
        mutant = mutations.Mutant(source, text.count("\n", 0, at) + 1, old, new, text[:at] + new + text[at + len(old):])
        mutants.append((mutant, tests.split()))
    return mutants


def symbols(paths, undefined):
    """By object (ARCHIVE:MEMBER), the global names that it defines or asks for."""
    found = {}
    option = "--undefined-only" if undefined else "--defined-only"
    said = subprocess.run(["nm", "-A", "-g", option, *paths], check=True, capture_output=True, text=True).stdout
    for line in said.splitlines():
        if " " not in line:  # the name of an archive
            continue
        place, name = line.rsplit(" ", 1)
        found.setdefault(re.split(r":(?=[0-9a-f ]{8})", place)[0].rstrip(":"), set()).add(name)
    return found


class Reach:
    """How many calls lie between a test and a file of the program."""

    def __init__(self, bench):
        archives = [word for word in bench.link_words if word.endswith(".a") and os.path.exists(word)]
        tests = sorted(glob.glob("tests/unit/*/test_*.o"))
        asked, given = symbols(archives, True), symbols(archives, False)
        home = {name: member for member, names in given.items() for name in names}
        self.calls = {m: {home[n] for n in names if n in home} for m, names in asked.items()}
        self.given = given
        self.far = {}
        for path, names in symbols(tests, True).items():
            test = os.path.basename(path).removesuffix(".o")
            far, ring, step = {}, {home[n] for n in names if n in home}, 1
            while ring:
                far.update(dict.fromkeys(ring, step))
                ring = {n for m in ring for n in self.calls.get(m, ()) if n not in far}
                step += 1
            self.far[test] = far

    def tests_of(self, source):
        """The nearest first."""
        stem = os.path.basename(source).removesuffix(".c")
        names = set(re.findall(r"^(?!static)[a-z].*?(\w+)(?:\(|(?: =|\[))", read_source(source), re.M))
        members = [member for member, given in self.given.items() if given & names]
        rank = {test: min((far[m] for m in members if m in far), default=99) for test, far in self.far.items()}
        near = [test for test in rank if rank[test] <= 4 and test not in ELSEWHERE]
        return sorted(near, key=lambda test: (test != "test_" + stem, rank[test], test))[:MOST_TESTS]


def draw(seed, count, bench, reach):
    """Mutants whose code differs from what it was, each with its tests."""
    chance, folder = random.Random(seed), os.path.join(bench.scratch, "drawn")
    os.mkdir(folder)
    files = [find_source(name) for name in mutations.FILES]
    siblings = mutations.siblings(glob.glob(os.path.join(SOURCE, "src", "**", "*.h"), recursive=True))
    places = {path: mutations.places(path, read_source(path), siblings) for path in files}
    drawn, taken, unbuilt = [], set(), 0
    while len(drawn) < count:
        path = chance.choices(files, [len(places[p]) ** 0.5 for p in files])[0]
        kind = chance.choice(sorted({mutant.kind for mutant in places[path]}))
        mutant = chance.choice([m for m in places[path] if m.kind == kind])
        tests = reach.tests_of(path)
        place = (path, mutant.line, mutant.old, mutant.new)
        if place in taken or not tests:
            continue
        taken.add(place)
        before, after = bench.compile(read_source(path), path, folder), bench.compile(mutant.text, path, folder)
        unbuilt += after is None
        # the same code, as the compiler sees it: no fault at all
        if after and before[1] != after[1]:
            drawn.append((mutant, tests))
    return drawn, unbuilt


def tell(rows, bench):
    """Judges and tells a row as soon as it is done; how many were found."""
    counts, lock = {"found": 0, "LIVED": 0, "not built": 0}, threading.Lock()

    def one(row):
        mutant, tests = row
        result, test = bench.judge(mutant, tests)
        with lock:
            counts[result] += 1
            short = [re.sub(r"\s+", " ", text).strip() for text in (mutant.old, mutant.new)]
            print(f"{result:9}  {mutant.source}:{mutant.line}  {short[0]}  ->  {short[1] or '(nothing)'}"
                  f"  [{test or ' '.join(tests)}]", flush=True)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, rows))
    return counts


def main():
    parser = argparse.ArgumentParser(description="Planted faults, and which of them the unit tests find.")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1000000))
    parser.add_argument("--drawn", type=int, default=10)
    parser.add_argument("--drawn-only", action="store_true")
    ours, _, rest = " ".join(shlex.quote(word) for word in sys.argv[1:]).partition("-- ")
    options = parser.parse_args(shlex.split(ours))
    compile_words, _, link_words = rest.partition(" -- ")
    begun, scratch = time.monotonic(), tempfile.mkdtemp(prefix="carbon-mutants.")
    try:
        bench = Bench(shlex.split(compile_words), shlex.split(link_words), scratch)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, bench.stop)
        reach = Reach(bench)
        rows = [] if options.drawn_only else planted(read_table())
        needed = {test for row in rows for test in row[1]}
        if options.drawn:
            needed |= {test for name in mutations.FILES for test in reach.tests_of(find_source(name))}
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(bench.baseline, sorted(needed)))
        print(f"{len(needed)} tests pass on the unchanged code, {list(bench.statuses.values()).count(SKIPPED)} of them skipped "
              f"({time.monotonic() - begun:.0f} s)", flush=True)
        drawn, unbuilt = draw(options.seed, options.drawn, bench, reach)
        of_table = tell(rows, bench)
        of_draw = tell(drawn, bench)
        print(f"{len(rows)} planted: {of_table['found']} found, {of_table['not built']} not built; "
              f"{len(drawn)} drawn (seed {options.seed}): {of_draw['found']} found, {unbuilt} more were no C; "
              f"{time.monotonic() - begun:.0f} s")
    except Broken as broken:
        print(f"mutants: {broken}", file=sys.stderr)
        return 99
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    good = of_table["found"] >= LEAST_PLANTED * len(rows) and of_draw["found"] >= LEAST_DRAWN * len(drawn)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
