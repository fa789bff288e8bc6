#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""waited.py FILE COMMAND...: runs it; into FILE goes its CPU time in seconds by wait4, with what the waiting took itself."""
import os
import resource
import sys

pid = os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
used = os.wait4(pid, 0)[2]
own = resource.getrusage(resource.RUSAGE_SELF)
with open(sys.argv[1], "w", encoding="ascii") as file:
    file.write(str(sum(u.ru_utime + u.ru_stime for u in (used, own))))
