# SPDX-License-Identifier: MIT
"""The highest resident memory of this process in a piece of its time: VmHWM, which the kernel keeps.

Writing 5 to /proc/self/clear_refs has the kernel begin anew. What it had said until then belongs to all pieces that are
open, so that pieces nest and overlap.
"""
import os
import threading

_lock = threading.Lock()
_open_peaks = set()


def high_water_bytes():
    """None: the kernel does not say."""
    try:
        with open("/proc/self/status", "rb") as status:
            for line in status:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _begin_anew():
    try:
        with open("/proc/self/clear_refs", "wb", buffering=0) as file:
            file.write(b"5")
    except OSError:
        return False
    return True


class Peak:
    """From start() to stop(), in bytes. Where the kernel may not begin anew, only a peak above all before it is known."""

    def __init__(self):
        self._known, self._before, self._highest = False, None, 0

    def start(self):
        with _lock:
            self._before = high_water_bytes()
            for peak in _open_peaks:
                peak._highest = max(peak._highest, self._before or 0)
            self._known = _begin_anew()
            _open_peaks.add(self)

    def stop(self):
        with _lock:
            _open_peaks.discard(self)
            now = high_water_bytes()
        if now is None or self._before is None:
            return None
        highest = max(self._highest, now)
        return highest if self._known or highest > self._before else None


def _in_child():
    global _lock
    _lock = threading.Lock()
    _open_peaks.clear()


os.register_at_fork(after_in_child=_in_child)
