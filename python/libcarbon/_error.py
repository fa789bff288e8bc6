# SPDX-License-Identifier: MIT
"""What failed, why, and how to mend it."""

KINDS = ("none", "usage", "absent", "denied", "bad data", "system")


class CarbonError(Exception):
    """what failed, why, and a fix; kind is one of usage, absent, denied, bad data, system. Of a notice, notice is what
    sort of doubt it is: "no-memory", "stand-in", ... as carbon(1) lists them; else ""."""

    def __init__(self, what, why="", fix="", kind="usage"):
        super().__init__(what, why, fix, kind)
        self.what, self.why, self.fix, self.kind, self.notice = what, why, fix, kind, ""

    def __str__(self):
        return self.what + (f": {self.why}" if self.why else "") + (f" (try: {self.fix})" if self.fix else "")
