"""What is found of a form: its throughput and latencies, with what they were measured by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corecast.dataclass import dataclass, field
from corecast.measure.isa.forms import Values
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.record.interval import Interval
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.core import Outcome, Timing

Tried = tuple[tuple[TimedKernel, Outcome], ...]
"""Kernels, and what timing them gave."""


@dataclass(frozen=True)
class Throughput:
    """Reciprocal throughput in cycles, with what it was measured by."""

    cycles: Interval | None
    """Cycles per instruction; None: no value, see `rejection`."""
    instances: int = 0
    """How many different instances the kernel has."""
    broken: tuple[str, ...] = ()
    """Operands whose dependencies helpers break."""
    kernels: Tried = ()
    """All that was timed for it."""
    rejection: Rejection | None = None
    """Why there is no value; None where there is one."""


@dataclass(frozen=True)
class Latency:
    """Latency of an operand pair in cycles, with what it was measured by."""

    source: str
    """The operand that is read: its number from 1, "flags", "addr", "mem", or the name of an implicit register."""
    target: str
    """The operand that is written, likewise."""
    cycles: Interval | None
    """From source to target; None: no value, see `rejection`."""
    method: str = ""
    """ "direct", "cross" or "linked" (docs/measuring-reference.md)."""
    helpers: tuple[tuple[str, Interval], ...] = ()
    """Instructions that lead back to the source, and what they take."""
    kernels: Tried = ()
    """All that was timed for it."""
    rejection: Rejection | None = None
    """Why there is no value; None where there is one."""

    @property
    def chain(self) -> tuple[TimedKernel, Timing]:
        """What the cycles come from, where there are any."""
        kernel, outcome = self.kernels[0]
        assert isinstance(outcome, Timing)
        return kernel, outcome


@dataclass(frozen=True)
class FormMeasurement:
    """What was measured of an instruction form."""

    form: str
    """Its key (docs/form-keys.md)."""
    throughput: Throughput
    """Reciprocal throughput."""
    latencies: tuple[Latency, ...]
    """One for each pair of an operand that is read and one that is written."""
    others: Mapping[Values, FormMeasurement] = field(default_factory=dict)
    """The same with operands that hold something else, of a form whose time may depend on it."""

    @classmethod
    def impossible(cls, form: str, why: Rejection) -> FormMeasurement:
        """Of a form that no kernel can be made of."""
        return cls(form, Throughput(None, rejection=why), ())

    @property
    def illegal(self) -> bool:
        """Whether the core does not have it, as its throughput's kernel shows."""
        outcomes = [outcome for _, outcome in self.throughput.kernels]
        return any(isinstance(each, Rejection) and each.reason is Reason.ILLEGAL for each in outcomes)

    @property
    def timings(self) -> Iterator[Timing]:
        """Those that have to be stable: with operands that are rare in code, a core's time may vary."""
        tried = (self.throughput.kernels, *(latency.kernels for latency in self.latencies))
        yield from (outcome for kernels in tried for _, outcome in kernels if isinstance(outcome, Timing))
        if "slow" in self.others:
            yield from self.others["slow"].timings

    @property
    def stable(self) -> bool:
        """Whether all timings are stable."""
        return all(timing.stable for timing in self.timings)

    @property
    def has_value(self) -> bool:
        """Whether there is a throughput or a latency."""
        return self.throughput.cycles is not None or any(each.cycles is not None for each in self.latencies)


@dataclass(frozen=True)
class Equation:
    """Unknowns, how often each is part of the sum, and the sum."""

    terms: Mapping[str, int]
    """How often each unknown is part of the sum."""
    cycles: float
    """The sum."""
    what: str = ""
    """For messages: the code."""
