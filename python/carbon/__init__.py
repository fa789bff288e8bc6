# SPDX-License-Identifier: MIT
"""libcarbon's Python package by its short name, where no other program's package is called so (Graphite's is)."""
import sys

import libcarbon

sys.modules[__name__] = libcarbon
