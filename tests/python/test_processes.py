# SPDX-License-Identifier: MIT
"""measure() in threads and in processes that are forked or spawned, and what is left of it at the end."""
import multiprocessing
import os
import subprocess
import sys
import threading
import unittest

import carbon
from tree import OnTree, Tree


def worker(options, add_to):
    tree = Tree.__new__(Tree)
    tree.path = add_to
    with carbon.measure(**options) as piece:
        tree.add(1)
    return piece, os.getpid()


def python(program, *arguments, **named):
    return subprocess.run([sys.executable, "-B", *arguments, "-c", program], capture_output=True, text=True, timeout=120,
                          check=False, **named)


class Processes(OnTree):
    def in_pool(self, method):
        with multiprocessing.get_context(method).Pool(2) as pool:
            # one after the other: they share one counter
            answers = [pool.apply(worker, (self.options, self.tree.path)) for _ in range(4)]
        for piece, pid in answers:
            self.assertEqual((piece.joules, piece.quality, piece.facts["zone"]), (1, "measured", "FR"))
            self.assertNotEqual(pid, os.getpid())

    def test_fork(self):
        with carbon.measure(**self.options) as piece:
            self.tree.add(0.5)
            self.in_pool("fork")
        self.assertEqual(piece.joules, 4.5)

    def test_spawn(self):
        self.in_pool("spawn")

    def test_a_piece_that_began_before_the_fork(self):
        with carbon.measure(**self.options) as piece:
            self.tree.add(2)
            child = os.fork()
            if child == 0:
                os._exit(0 if piece.stop().joules == 2 else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.tree.add(1)
        self.assertEqual(piece.joules, 3)

    def test_threads(self):
        failures = []

        @carbon.measure(**self.options)
        def work():
            return None

        def repeat():
            try:
                for _ in range(200):
                    with carbon.measure(memory=True, **self.options) as piece:
                        work()
                    if piece.joules is not None and not 0 <= piece.joules <= 8:
                        failures.append(piece)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=repeat) for _ in range(8)]
        with carbon.measure(**self.options) as whole:
            for thread in threads:
                thread.start()
            for _ in range(8):
                self.tree.add(1)
            for thread in threads:
                thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(whole.joules, 8)

    def test_nothing_is_left_running(self):
        program = f"""
import atexit, os, time
def threads():
    return len(os.listdir('/proc/self/task'))
before = threads()
def last():
    for _ in range(1000):  # the kernel may show a thread that was joined for a moment more
        if threads() > before:
            time.sleep(0.005)
    assert threads() == before, threads()
    print('good')
atexit.register(last)  # is called after carbon's own
import carbon
with carbon.measure(root={self.tree.path!r}, zone='FR'):
    assert threads() == before + 1, threads()
"""
        ended = python(program)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "good\n", ""))

    def test_import_loads_next_to_nothing(self):
        ended = python("import sys; before = set(sys.modules); import carbon; print(*sorted(set(sys.modules) - before))",
                       "-S")
        self.assertEqual((ended.stdout, ended.stderr), ("carbon\n", ""))

    def test_no_library(self):
        ended = python("import carbon\ntry: carbon.Meter()\nexcept carbon.CarbonError as error: print(error.kind, error)",
                       env={**os.environ, "CARBON_LIBRARY": "/nowhere/libcarbon.so"})
        self.assertRegex(ended.stdout, r"^absent cannot load libcarbon.so.1: .*/nowhere.*\(try: install libcarbon")


if __name__ == "__main__":
    sys.exit(unittest.main())
