# SPDX-License-Identifier: MIT
from logging import Logger
from types import TracebackType
from typing import Any, Callable, Dict, List, Literal, Optional, Tuple, Type, TypeVar, Union, overload

__version__: str

_Basis = Literal["lifecycle", "direct", "none"]
_Scope = Literal["compute", "platform", "machine"]
_Function = TypeVar("_Function", bound=Callable[..., Any])


class CarbonError(Exception):
    what: str
    why: str
    fix: str
    kind: Literal["none", "usage", "absent", "denied", "bad data", "system"]
    notice: str


class Energy:
    """Figures of one piece; None where a figure is unknown. The unit is in the name: _j joules, _s seconds."""
    seconds: Optional[float]
    joules: Optional[float]
    idle_j: Optional[float]
    net_j: Optional[float]
    low_j: Optional[float]
    high_j: Optional[float]
    resolution_j: Optional[float]
    kwh: Optional[float]
    kgco2eq: Optional[float]
    net_kgco2eq: Optional[float]
    own_j: Optional[float]
    own_low_j: Optional[float]
    own_high_j: Optional[float]
    own_kgco2eq: Optional[float]
    own_method: str
    cpu_s: Optional[float]
    at_least_j: Optional[float]
    known_s: Optional[float]
    unknown_s: Optional[float]
    unknown_why: str
    components: Dict[str, Optional[float]]
    components_at_least: Dict[str, Optional[float]]
    quality: str
    doubts: Tuple[str, ...]
    facts: Dict[str, Any]
    def to_dict(self) -> Dict[str, Any]: ...


class Measurement(Energy):
    label: Optional[str]
    failed: bool
    peak_memory_bytes: Optional[int]
    @property
    def energy(self) -> Energy: ...
    def start(self) -> Measurement: ...
    def stop(self, failed: bool = ...) -> Measurement: ...
    def __enter__(self) -> Measurement: ...
    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None: ...
    async def __aenter__(self) -> Measurement: ...
    async def __aexit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                        traceback: Optional[TracebackType]) -> None: ...
    def __call__(self, function: _Function) -> _Function: ...


class Mark: ...


class Meter:
    facts: Dict[str, Any]
    def __init__(self, zone: Optional[str] = ..., *, year: Optional[int] = ..., basis: Optional[_Basis] = ...,
                 kgco2eq_per_kwh: Optional[float] = ..., pue: Optional[float] = ..., scope: _Scope = ...,
                 source: Optional[str] = ..., require_measured: bool = ..., keep_alive: bool = ...,
                 root: Optional[str] = ..., sample_interval: Optional[float] = ...,
                 sample_readings: Optional[int] = ...) -> None: ...
    @staticmethod
    def stamp() -> int: ...
    def between_stamps(self, start_ns: int, end_ns: int) -> Energy: ...
    def now(self) -> Mark: ...
    def between(self, start: Mark, end: Mark) -> Energy: ...
    def since(self, start: Mark) -> Energy: ...
    def baseline(self, seconds: float) -> None: ...
    def set_idle(self, start: Mark, end: Mark) -> None: ...
    @property
    def idle_w(self) -> Optional[float]: ...
    @property
    def notices(self) -> List[CarbonError]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Meter: ...
    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None: ...


@overload
def measure(function: _Function, /) -> _Function: ...
@overload
def measure(function: Optional[str] = ..., /, *, label: Optional[str] = ..., meter: Optional[Meter] = ...,
            log: Union[None, bool, Logger] = ..., memory: bool = ..., on_end: Optional[Callable[[Measurement], object]] = ...,
            zone: Optional[str] = ..., year: Optional[int] = ..., basis: Optional[_Basis] = ...,
            kgco2eq_per_kwh: Optional[float] = ..., pue: Optional[float] = ..., scope: _Scope = ...,
            source: Optional[str] = ..., require_measured: bool = ..., keep_alive: bool = ...,
            root: Optional[str] = ...) -> Measurement: ...
