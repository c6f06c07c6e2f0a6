"""What is found of a form: its throughput and latencies, with what they were measured by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corecast.dataclass import dataclass, field
from corecast.measure.isa.forms import Values
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.record.interval import Interval
from corecast.measure.run.core import Timing

ILLEGAL = "SIGILL"
"""The signal of code that the core does not have."""


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


@dataclass(frozen=True)
class FormMeasurement:
    form: str
    throughput: Throughput
    latencies: tuple[Latency, ...]
    others: Mapping[Values, FormMeasurement] = field(default_factory=dict)
    """The same with operands that hold something else, of a form whose time may depend on it."""

    @classmethod
    def impossible(cls, form: str, why: str) -> FormMeasurement:
        """Of a form that no kernel can be made of."""
        return cls(form, Throughput(None, error=why), ())

    @property
    def illegal(self) -> bool:
        """Whether the core does not have it, as its throughput's kernel shows."""
        failures = [timing.failure for _, timing in self.throughput.kernels if timing.failure is not None]
        return any(failure.signal == ILLEGAL for failure in failures)

    @property
    def timings(self) -> Iterator[Timing]:
        """Those that have to be stable: with operands that are rare in code, a core's time may vary."""
        for _, timing in self.throughput.kernels:
            yield timing
        for latency in self.latencies:
            for _, timing in latency.kernels:
                yield timing
        if "slow" in self.others:
            yield from self.others["slow"].timings

    @property
    def stable(self) -> bool:
        return all(timing.stable for timing in self.timings if timing.ok)

    @property
    def has_value(self) -> bool:
        return self.throughput.cycles is not None or any(each.cycles is not None for each in self.latencies)


@dataclass(frozen=True)
class Equation:
    """Unknowns, how often each is part of the sum, and the sum."""

    terms: Mapping[str, int]
    cycles: float
    what: str = ""
    """For messages: the code."""
