# SPDX-License-Identifier: MIT
"""libcarbon through ctypes: carbon.h once more, and the library itself, loaded when it is first used."""
import os
from ctypes import CDLL, POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, \
    c_uint64, c_void_p, sizeof

from ._error import KINDS, CarbonError

SONAME = "libcarbon.so.1"
COMPONENTS = 8


class Options(Structure):
    _fields_ = [("zone", c_char_p), ("year", c_int), ("basis", c_int), ("kgco2eq_per_kwh", c_double),
                ("pue", c_double), ("scope", c_int), ("source", c_char_p), ("require_measured", c_int),
                ("keep_alive", c_int), ("root", c_char_p), ("sample_interval_s", c_double),
                ("sample_readings", c_size_t)]


class Error(Structure):
    _fields_ = [("kind", c_int), ("what", c_char * 256), ("why", c_char * 256), ("fix", c_char * 320)]

    def exception(self):
        kind = KINDS[self.kind] if 0 <= self.kind < len(KINDS) else "system"
        return CarbonError(text(self.what), text(self.why), text(self.fix), kind)


class Mark(Structure):
    _fields_ = [("time_ns", c_uint64), ("opened_ns", c_uint64), ("energy_uj", c_uint64 * 6),
                ("cpu_ns", c_uint64), ("load", c_uint32), ("process", c_uint32), ("faults", c_uint32 * COMPONENTS), ("unwatched_ns", c_uint64), ("resets", c_uint32),
                ("lost", c_uint32), ("gaps", c_uint32), ("unread", c_uint32), ("unknown_ns", c_uint64),
                ("hole", c_uint32), ("load_ms", c_uint32)]


class Used(Structure):
    _fields_ = [("seconds", c_double), ("joules", c_double), ("idle_j", c_double), ("net_j", c_double),
                ("low_j", c_double), ("high_j", c_double), ("resolution_j", c_double), ("kwh", c_double),
                ("kgco2eq", c_double), ("net_kgco2eq", c_double), ("component_j", c_double * COMPONENTS),
                ("quality", c_int), ("doubts", c_uint), ("reserved", c_uint64 * 4)]


class Bound(Structure):
    _fields_ = [("seconds", c_double), ("known_s", c_double), ("unknown_s", c_double), ("at_least_j", c_double),
                ("component_at_least_j", c_double * COMPONENTS), ("why", c_char_p)]


class Own(Structure):
    _fields_ = [("seconds", c_double), ("cpu_s", c_double), ("joules", c_double), ("low_j", c_double),
                ("high_j", c_double), ("kwh", c_double), ("kgco2eq", c_double), ("method", c_char_p)]


class Facts(Structure):
    _fields_ = [("kgco2eq_per_kwh", c_double), ("pue", c_double), ("factor_quality", c_int), ("factor_year", c_int),
                ("zone", c_char_p), ("zone_name", c_char_p), ("basis", c_char_p), ("factor_source", c_char_p),
                ("scope", c_char_p), ("sources", c_char_p), ("quality", c_int), ("components", c_uint),
                ("incomplete", c_int), ("keep_alive_ns", c_uint64), ("update_ns", c_uint64),
                ("sample_ns", c_uint64)]


def text(value):
    return (value or b"").decode("utf-8", "replace")


def _files():
    """Where it may be: as told, in this package, where this package was installed with it, where the system looks."""
    named = os.environ.get("CARBON_LIBRARY")
    if named:
        return [named]
    packed = os.path.join(os.path.dirname(os.path.abspath(__file__)), SONAME)
    if os.path.exists(packed):
        return [packed]
    try:
        from ._build import LIBDIR
    except ImportError:
        return [SONAME]
    return [os.path.join(LIBDIR, SONAME), SONAME]


def _open():
    failures = []
    for file in _files():
        try:
            return CDLL(file)
        except OSError as error:
            failures.append(str(error))
    raise CarbonError(f"cannot load {SONAME}", failures[0], "install libcarbon, or set CARBON_LIBRARY to its file",
                      "absent")


def _declare(library):
    for name, result, *arguments in (
        ("carbon_version", c_char_p),
        ("carbon_open_sized", c_void_p, POINTER(Options), c_size_t, POINTER(Error)),
        ("carbon_now", Mark, c_void_p),
        ("carbon_between_sized", None, c_void_p, POINTER(Mark), POINTER(Mark), POINTER(Used), c_size_t),
        ("carbon_bound_between_sized", None, c_void_p, POINTER(Mark), POINTER(Mark), POINTER(Bound), c_size_t),
        ("carbon_own_between_sized", None, c_void_p, POINTER(Mark), POINTER(Mark), POINTER(Own), c_size_t),
        ("carbon_between_stamps_sized", None, c_void_p, c_uint64, c_uint64, POINTER(Used), c_size_t),
        ("carbon_baseline", c_int, c_void_p, c_double, POINTER(Error)),
        ("carbon_set_idle", c_int, c_void_p, POINTER(Mark), POINTER(Mark), POINTER(Error)),
        ("carbon_idle_w", c_double, c_void_p),
        ("carbon_about", POINTER(Facts), c_void_p),
        ("carbon_notice", POINTER(Error), c_void_p, c_size_t),
        ("carbon_notice_kind", c_char_p, c_void_p, c_size_t),
        ("carbon_quality_name", c_char_p, c_int),
        ("carbon_component_name", c_char_p, c_int),
        ("carbon_doubt_text", c_char_p, c_uint),
        ("carbon_close", None, c_void_p),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_loaded = None


def library():
    """Two threads that come at once load the same library twice, which is once."""
    global _loaded
    if _loaded is None:
        _loaded = _declare(_open())
    return _loaded


def version():
    return text(library().carbon_version())


def open_meter(options):
    error = Error()
    meter = library().carbon_open_sized(byref(options), sizeof(options), byref(error))
    if not meter:
        raise error.exception()
    return meter


def between(meter, start, end):
    used = Used()
    library().carbon_between_sized(meter, byref(start), byref(end), byref(used), sizeof(used))
    return used


def between_stamps(meter, start_ns, end_ns):
    used = Used()
    library().carbon_between_stamps_sized(meter, start_ns, end_ns, byref(used), sizeof(used))
    return used


def bound_of_stamps(used):
    """What is certain of them, even without a figure."""
    nan = float("nan")
    return Bound(used.seconds, nan, nan, used.low_j, (c_double * COMPONENTS)(*[nan] * COMPONENTS))


def own_unknown():
    return Own(*[float("nan")] * 7, b"unknown")


def bound_between(meter, start, end):
    bound = Bound()
    library().carbon_bound_between_sized(meter, byref(start), byref(end), byref(bound), sizeof(bound))
    return bound


def own_between(meter, start, end):
    own = Own()
    library().carbon_own_between_sized(meter, byref(start), byref(end), byref(own), sizeof(own))
    return own
