"""What is found of a form: its throughput and latencies, with what they were measured by."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.measure.core import Timing
from corecast.measure.interval import Interval
from corecast.measure.kernels import TimedKernel


@dataclass(frozen=True)
class Throughput:
    """Reciprocal throughput in cycles, with what it was measured by."""

    cycles: Interval | None
    instances: int = 0
    broken: tuple[str, ...] = ()
    kernels: tuple[tuple[TimedKernel, Timing], ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Latency:
    """Latency of an operand pair in cycles, with what it was measured by."""

    source: str
    target: str
    cycles: Interval | None
    method: str = ""
    helpers: tuple[tuple[str, Interval], ...] = ()
    kernels: tuple[tuple[TimedKernel, Timing], ...] = ()
    error: str = ""
