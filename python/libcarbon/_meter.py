# SPDX-License-Identifier: MIT
"""A meter of libcarbon, and those that measure() shares."""
import atexit
import os
import threading
import time
from ctypes import byref, c_double

from . import _library
from ._energy import Energy, component_names
from ._error import CarbonError
from ._library import Error, Mark, Options, library, text

SCOPES = ("compute", "platform", "machine")
BASES = ("lifecycle", "direct", "none")


def _number_of(names, name, what):
    if name in names:
        return names.index(name)
    raise CarbonError(f"there is no {what} '{name}'", "", "one of " + ", ".join(names))


def _bytes(value):
    return None if value is None else os.fsencode(value)


class Meter:
    """Opened once; now() is a mark, and between two marks lies an Energy. May be used by many threads, and stays valid in
    a forked process; a pickled one is opened again with the same options.

    zone: "FR", "US-CA", "aws:eu-west-3"; else CARBON_ZONE, else the world's average. year and basis ("lifecycle",
    "direct") of the factor, or kgco2eq_per_kwh: one of your own, of basis "none" until one is named. pue: at least 1.
    scope: "compute", "platform", "machine". source: "powercap", ... require_measured: fail instead of using a model.
    keep_alive: a thread of the library reads often enough that no counter wrap is missed. root: where /sys and /proc
    are read. sample_interval: for stamps, a thread reads all counters at this interval, 0.001 to 10 s, and keeps
    sample_readings of its readings (16384)."""

    def __init__(self, zone=None, *, year=None, basis=None, kgco2eq_per_kwh=None, pue=None, scope="compute",
                 source=None, require_measured=False, keep_alive=False, root=None, sample_interval=None,
                 sample_readings=None):
        self._options = dict(zone=zone, year=year, basis=basis, kgco2eq_per_kwh=kgco2eq_per_kwh, pue=pue, scope=scope,
                             source=source, require_measured=require_measured, keep_alive=keep_alive, root=root,
                             sample_interval=sample_interval, sample_readings=sample_readings)
        default = "lifecycle" if kgco2eq_per_kwh is None else "none"
        if kgco2eq_per_kwh is not None and not kgco2eq_per_kwh > 0:
            raise CarbonError("a factor of one's own is above 0 kgCO2eq/kWh")
        self._handle = None
        self._handle = _library.open_meter(Options(
            zone=_bytes(zone), year=year or 0, basis=_number_of(BASES, basis or default, "basis"),
            kgco2eq_per_kwh=kgco2eq_per_kwh or 0, pue=1 if pue is None else pue or -1,
            scope=_number_of(SCOPES, scope, "scope"), source=_bytes(source), require_measured=bool(require_measured),
            keep_alive=bool(keep_alive), root=_bytes(root),
            sample_interval_s=0 if sample_interval is None else sample_interval or -1,
            sample_readings=0 if sample_readings is None else max(sample_readings, 1)))
        about = library().carbon_about(self._handle).contents
        self._components = component_names(about.components)
        self.facts = {
            "zone": text(about.zone),
            "zone_name": text(about.zone_name),
            "kgco2eq_per_kwh": about.kgco2eq_per_kwh,
            "factor_year": about.factor_year or None,
            "factor_basis": text(about.basis) or None,
            "factor_source": text(about.factor_source),
            "factor_quality": text(library().carbon_quality_name(about.factor_quality)),
            "pue": about.pue,
            "scope": text(about.scope),
            "sources": text(about.sources).split(", "),
            "incomplete": bool(about.incomplete),
            "notices": [str(notice) for notice in self.notices],
        }

    def _open(self):
        if self._handle is None:
            raise CarbonError("the meter is closed", "", "open another")
        return self._handle

    def now(self):
        """A mark: a moment, and the machine's energy until then."""
        return library().carbon_now(self._open())

    def between(self, start, end):
        handle = self._open()
        return Energy(_library.between(handle, start, end), _library.bound_between(handle, start, end),
                      _library.own_between(handle, start, end), self.facts, self._components)

    def since(self, start):
        return self.between(start, self.now())

    #: A stamp: the time alone, in nanoseconds, for loops in which a mark costs too much.
    stamp = staticmethod(time.monotonic_ns)

    def between_stamps(self, start_ns, end_ns):
        """The energy between two stamps, by the readings of the meter's thread: joules is interpolated, and lies between
        low_j and high_j, which are certain. May wait until the next update of the counters. Own energy is unknown: a
        stamp has no CPU time."""
        used = _library.between_stamps(self._open(), start_ns, end_ns)
        return Energy(used, _library.bound_of_stamps(used), _library.own_unknown(), self.facts, self._components)

    def baseline(self, seconds):
        """Measures idle power for this many seconds on the idle machine; idle_j and net_j use it from then on."""
        error = Error()
        if library().carbon_baseline(self._open(), c_double(seconds), byref(error)) != 0:
            raise error.exception()

    def set_idle(self, start, end):
        """Likewise, of the time between two marks."""
        error = Error()
        if library().carbon_set_idle(self._open(), byref(start), byref(end), byref(error)) != 0:
            raise error.exception()

    @property
    def idle_w(self):
        idle_w = library().carbon_idle_w(self._open())
        return None if idle_w != idle_w else idle_w

    @property
    def notices(self):
        """Warnings since its opening, as CarbonErrors that are not raised; the notice of each is its kind."""
        found = []
        while True:
            notice = library().carbon_notice(self._open(), len(found))
            if not notice:
                return found
            doubt = notice.contents.exception()
            doubt.notice = text(library().carbon_notice_kind(self._open(), len(found)))
            found.append(doubt)

    def close(self):
        handle, self._handle = self._handle, None
        if handle:
            library().carbon_close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __reduce__(self):
        return _anew, (self._options,)


def _anew(options):
    return Meter(**options)


_lock = threading.Lock()
_shared = {}


def shared(options):
    """One meter for all pieces with the same options, open until the program ends."""
    key = tuple(sorted(options.items()))
    with _lock:
        if key not in _shared:
            _shared[key] = Meter(**options)
        return _shared[key]


def _close_shared():
    with _lock:
        while _shared:
            _shared.popitem()[1].close()


def _in_child():
    """It has no keep-alive thread: pieces that begin here get meters of their own."""
    global _lock
    _lock = threading.Lock()
    _shared.clear()


atexit.register(_close_shared)
os.register_at_fork(after_in_child=_in_child)
__all__ = ["Meter", "Mark", "shared"]
