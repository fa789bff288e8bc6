# SPDX-License-Identifier: MIT
"""A machine of one package and its memory whose counters move only when a test moves them."""
import os
import shutil
import tempfile
import unittest

ZONE = "sys/class/powercap/intel-rapl:0"


class Tree:
    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="carbon-python.")
        self.put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nflags\t\t: fpu")
        for zone, name in ((ZONE, "package-0"), (ZONE + ":0", "dram")):
            self.put(zone + "/name", name)
            self.put(zone + "/max_energy_range_uj", 262143328850)
            self.put(zone + "/energy_uj", 0)
        self.package_uj = 0

    def put(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def add(self, joules, zone=ZONE):
        """To the package's counter."""
        path = os.path.join(self.path, zone, "energy_uj")
        with open(path, "r+", encoding="utf-8") as file:
            value = int(file.read()) + round(joules * 1e6)
            file.seek(0)
            file.write(f"{value}\n")

    def step(self, joules):
        """Likewise, with no moment in which a thread that reads meanwhile would find the file empty."""
        self.package_uj += round(joules * 1e6)
        with open(os.path.join(self.path, ZONE, "energy_uj"), "r+", encoding="utf-8") as file:
            file.write(f"{self.package_uj:018d}\n")

    def remove(self):
        shutil.rmtree(self.path)


class OnTree(unittest.TestCase):
    """Each test has a tree of its own, and the options of measure() for it."""

    def setUp(self):
        self.tree = Tree()
        self.options = {"root": self.tree.path, "zone": "FR"}

    def tearDown(self):
        self.tree.remove()
