# SPDX-License-Identifier: MIT
"""What was used between two marks, as plain figures: None where it is not known."""
from ._library import COMPONENTS, library, text

FIGURES = ("seconds", "joules", "idle_j", "net_j", "low_j", "high_j", "resolution_j", "kwh", "kgco2eq", "net_kgco2eq")

BOUND = ("at_least_j", "known_s", "unknown_s")

# By what they are called in carbon_own
OWN = {"own_j": "joules", "own_low_j": "low_j", "own_high_j": "high_j", "own_kgco2eq": "kgco2eq", "cpu_s": "cpu_s"}


def _known(value):
    return None if value != value else value


def _shown(value, unit):
    return "unknown" if value is None else f"{value:.4g} {unit}"


def shown_carbon(kgco2eq):
    """For people: in kg, g, mg or µg."""
    if kgco2eq is None:
        return "unknown"
    for unit, kg in ("kg", 1), ("g", 1e-3), ("mg", 1e-6):
        if abs(kgco2eq) >= kg:
            return f"{kgco2eq / kg:.4g} {unit}CO2eq"
    return f"{kgco2eq / 1e-9:.4g} µgCO2eq"


class Energy:
    """seconds, joules (gross: of the whole machine, idle included), idle_j, net_j, low_j and high_j (the range of a
    modelled figure), resolution_j, kwh, kgco2eq (with PUE), net_kgco2eq; own_j, the energy that this process added, by its CPU
    time cpu_s, with own_low_j to own_high_j, own_kgco2eq and own_method ("cpu-time", "net", "unknown"); components, by name in joules; quality;
    doubts, in words; facts, the basis of the figures. Unknown is None. If a part of the time is unknown, joules is None
    and at_least_j a lower bound, over known_s, and components_at_least that by name; unknown_s is the rest, and
    unknown_why the reason."""

    __slots__ = (*FIGURES, *BOUND, *OWN, "own_method", "unknown_why", "components", "components_at_least", "quality", "doubts", "facts")

    def __init__(self, used, bound, own, facts, components):
        for name in FIGURES:
            setattr(self, name, _known(getattr(used, name)))
        for name in BOUND:
            setattr(self, name, _known(getattr(bound, name)))
        for name, member in OWN.items():
            setattr(self, name, _known(getattr(own, member)))
        self.own_method = text(own.method)
        self.unknown_why = text(bound.why)
        self.components = {
            name: _known(used.component_j[i]) for i, name in components.items()
        }
        self.components_at_least = {name: _known(bound.component_at_least_j[i]) for i, name in components.items()}
        self.quality = text(library().carbon_quality_name(used.quality))
        words = (text(library().carbon_doubt_text(1 << bit)) for bit in range(32) if used.doubts & 1 << bit)
        self.doubts = tuple(filter(None, words))
        self.facts = facts

    def to_dict(self):
        """For JSON: docs/piece-schema.json describes it."""
        return {
            "schema": "carbon.piece/1",
            **{name: getattr(self, name) for name in (*FIGURES, *BOUND, *OWN)},
            "own_method": self.own_method,
            "unknown_why": self.unknown_why,
            "components": dict(self.components),
            "components_at_least": dict(self.components_at_least),
            "quality": self.quality,
            "doubts": list(self.doubts),
            "facts": dict(self.facts),
        }

    def _gross(self):
        if self.joules is None and self.at_least_j is not None and self.unknown_s:
            return (f"at least {_shown(self.at_least_j, 'J')}, of {_shown(self.known_s, 's')} of "
                    f"{_shown(self.seconds, 's')}: {self.unknown_why}")
        return _shown(self.joules, "J")

    def shown(self):
        """Energy with its range where it is modelled, emissions, quality: in one line."""
        span = "" if self.joules is None or self.low_j is None else f" (range {self.low_j:.4g} to {self.high_j:.4g} J)"
        return f"{self._gross()}{span}, {shown_carbon(self.kgco2eq)}, {self.quality}"

    def _rows(self):
        facts = self.facts
        yield "time", _shown(self.seconds, "s")
        if self.own_j is not None:
            yield f"energy, own (by {self.own_method})", _shown(self.own_j, "J")
        yield "energy, gross", self._gross()
        if self.low_j is not None:
            yield "range", f"{self.low_j:.4g} to {self.high_j:.4g} J"
        if self.net_j is not None:
            yield "energy, net", _shown(self.net_j, "J")
        for name, joules in self.components.items():
            yield "of it " + name, _shown(joules, "J")
        yield "emissions", shown_carbon(self.kgco2eq)
        yield "quality", self.quality
        yield "factor", (f"{facts['kgco2eq_per_kwh'] * 1000:g} gCO2eq/kWh, {facts['zone_name'] or 'given'}"
                         f"{' ' + str(facts['factor_year']) if facts['factor_year'] else ''}, {facts['factor_basis'] or 'basis not said'}, "
                         f"{facts['factor_source']}; PUE {facts['pue']:g}")
        for doubt in self.doubts:
            yield "doubt", doubt

    def __repr__(self):
        return f"<carbon: {_shown(self.seconds, 's')}, {self.shown()}>"

    def _repr_html_(self):
        from html import escape

        rows = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                       f"<td style='text-align:left'>{escape(value)}</td></tr>" for name, value in self._rows())
        return f"<table>{rows}</table>"


def component_names(mask):
    return {i: text(library().carbon_component_name(i)) for i in range(COMPONENTS) if mask & 1 << i}
