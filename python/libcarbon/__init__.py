# SPDX-License-Identifier: MIT
"""Measure the energy and carbon of a piece of a Python program, by libcarbon.

    import libcarbon as carbon

    with carbon.measure(label="training", zone="FR") as m:
        train()
    print(m.joules, "J", m.kgco2eq, "kgCO2eq", m.quality)

    @carbon.measure(zone="FR", log=True)
    def work(): ...

What is measured is the whole machine meanwhile, idle included. What is not known is None and never 0; m.doubts says why.
Nothing but this file is loaded before the first use.
"""

_PLACES = {
    "measure": "_measure",
    "Measurement": "_measure",
    "Meter": "_meter",
    "Energy": "_energy",
    "CarbonError": "_error",
}
__all__ = sorted(_PLACES)


def __getattr__(name):
    from importlib import import_module

    if name == "__version__":
        return import_module("._library", __name__).version()
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module("." + _PLACES[name], __name__), name)
    return value


def __dir__():
    return sorted(list(globals()) + __all__ + ["__version__"])
