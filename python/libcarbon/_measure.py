# SPDX-License-Identifier: MIT
"""measure(): pieces of a program as `with` blocks and decorated functions."""
from functools import update_wrapper

from ._energy import BOUND, FIGURES, OWN
from ._error import CarbonError
from ._meter import Meter, shared

# Of a function's code, as inspect has them; which costs more to import than all of this.
GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200


def _logger_of(log):
    if log is True:
        from logging import getLogger

        return getLogger("carbon")
    return log


class Measurement:
    """One piece. Its figures are those of Energy, also while it goes on: what was used up to now. label: a name;
    peak_memory_bytes: the highest resident memory of the process in it, with memory=True or log; failed: it ended by an
    exception."""

    def __init__(self, label, meter, options, log=None, memory=False, on_end=None):
        self.label, self.failed, self.peak_memory_bytes = label, False, None
        self._meter, self._options = meter, options
        self._log, self._memory, self._on_end = log, memory or bool(log), on_end
        self._start = self._energy = self._peak = None
        self._running = False

    def start(self):
        if self._running:
            raise CarbonError("this piece is being measured already", "", "make another with carbon.measure()")
        self.failed, self.peak_memory_bytes, self._energy = False, None, None
        meter = self._meter or shared(self._options)
        if self._memory:
            from ._memory import Peak

            self._peak = Peak()
            self._peak.start()
        self._used_meter, self._start = meter, meter.now()
        self._running = True
        return self

    def stop(self, failed=False):
        if not self._running:
            raise CarbonError("this piece is not being measured", "", "use it in a with statement, or start() it")
        self._energy = self._used_meter.since(self._start)
        self._running, self.failed = False, failed
        if self._peak:
            self.peak_memory_bytes, self._peak = self._peak.stop(), None
        if self._log and not failed:
            self._tell(_logger_of(self._log))
        if self._on_end:
            self._on_end(self)
        return self

    def _tell(self, logger):
        peak = self.peak_memory_bytes
        logger.info("Finished %s in %.4f seconds.", self.label or "a piece", self.seconds)
        if peak is None:
            logger.info("Max RAM used is unknown.")
        else:
            logger.info("Max RAM used %.4f GB.", peak / 1e9)
        logger.info("Energy used %s.", self.energy.shown())

    @property
    def energy(self):
        if self._running:
            return self._used_meter.since(self._start)
        if self._energy is None:
            raise CarbonError("nothing has been measured yet", "", "use it in a with statement")
        return self._energy

    def __getattr__(self, name):
        if name in FIGURES or name in BOUND or name in OWN or name in (
                "own_method", "unknown_why", "components", "components_at_least", "quality", "doubts", "facts"):
            return getattr(self.energy, name)
        raise AttributeError(f"'Measurement' has no attribute '{name}'")

    def to_dict(self):
        record = self.energy.to_dict()
        return {"schema": record.pop("schema"), "label": self.label, "failed": self.failed,
                "peak_memory_bytes": self.peak_memory_bytes, **record}

    def __repr__(self):
        if self._energy is None and not self._running:
            return f"<carbon: {self.label or 'a piece'}, not measured yet>"
        return repr(self.energy).replace("<carbon: ", f"<carbon: {self.label}, " if self.label else "<carbon: ", 1)

    def _repr_html_(self):
        from html import escape

        if self._energy is None and not self._running:
            return f"<p>{escape(repr(self))}</p>"
        caption = f"<caption>{escape(self.label)}</caption>" if self.label else ""
        return self.energy._repr_html_().replace("<table>", "<table>" + caption, 1)

    def __getstate__(self):
        """For another process: its figures, as far as they have come, and not what measures them."""
        return {"label": self.label, "failed": self.failed, "peak_memory_bytes": self.peak_memory_bytes,
                "_energy": self.energy if self._running else self._energy, "_running": False, "_meter": None,
                "_options": self._options, "_log": None, "_memory": self._memory, "_on_end": None, "_peak": None}

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *exception):
        self.stop(failed=kind is not None)

    async def __aenter__(self):
        return self.start()

    async def __aexit__(self, kind, *exception):
        self.stop(failed=kind is not None)

    def _another(self, label):
        return Measurement(self.label or label, self._meter, self._options, self._log, self._memory, self._on_end)

    def __call__(self, function):
        """As a decorator: each call is a piece of its own; function.last is the last one that ended, in any thread.
        Coroutines are measured until they return; generators from the first value that is asked for to the last."""
        return _decorate(self, function)


def _decorate(pattern, function):
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    flags = code.co_flags if code else 0
    name = getattr(function, "__qualname__", repr(function))

    def piece():
        return _Kept(pattern._another(name), wrapper)

    if flags & ASYNC_GENERATOR:
        async def wrapper(*args, **named):
            with piece():
                async for value in function(*args, **named):
                    yield value
    elif flags & COROUTINE:
        async def wrapper(*args, **named):
            with piece():
                return await function(*args, **named)
    elif flags & GENERATOR:
        def wrapper(*args, **named):
            with piece():
                return (yield from function(*args, **named))
    else:
        def wrapper(*args, **named):
            with piece():
                return function(*args, **named)
    update_wrapper(wrapper, function)
    wrapper.last = None
    return wrapper


class _Kept:
    """A piece that is the function's last as soon as it has ended."""

    def __init__(self, measurement, wrapper):
        self.measurement, self.wrapper = measurement, wrapper

    def __enter__(self):
        return self.measurement.start()

    def __exit__(self, kind, *exception):
        self.measurement.stop(failed=kind is not None and kind is not GeneratorExit)
        self.wrapper.last = self.measurement


def measure(function=None, /, *, label=None, meter=None, log=None, memory=False, on_end=None, **options):
    """A piece of the program: `with carbon.measure(label="x") as m:`, `@carbon.measure`, `@carbon.measure(zone="FR")`.

    label: a name (of a function: its own). log: True, or a logger, which gets the lines `Finished NAME in 12.3456
    seconds.`, `Max RAM used 1.2345 GB.` and `Energy used 12.3 J, 1.2 mgCO2eq, measured.`. memory: peak_memory_bytes is taken. on_end: called with each piece that has
    ended. meter: a Meter; otherwise one is opened at the first use and shared by all pieces with the same options, which
    are Meter's. It is kept alive by a thread of libcarbon, so that pieces may take hours; keep_alive=False goes without."""
    if isinstance(function, str):
        label, function = function, None
    if meter is not None and options:
        raise CarbonError("a meter has its options already", "", "give them to carbon.Meter")
    if meter is None:
        unknown = set(options) - set(Meter.__init__.__kwdefaults__) - {"zone"}
        if unknown:
            raise TypeError(f"measure() has no option '{min(unknown)}'")
        options.setdefault("keep_alive", True)
    pattern = Measurement(label, meter, options, log, memory, on_end)
    return pattern if function is None else _decorate(pattern, function)
