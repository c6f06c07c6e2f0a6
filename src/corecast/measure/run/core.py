"""What kernels are timed on, and what a timing says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field
from corecast.hints import TYPE_CHECKING, Protocol
from corecast.measure.rejection import Rejection

if TYPE_CHECKING:
    from corecast import _core
    from corecast.measure.plan.kernels import TimedKernel


@dataclass(frozen=True)
class Timing:
    """Cycles of the core for one execution of a kernel."""

    cycles: float
    """Mean of the lowest cluster of samples, per execution."""
    low_cycles: float
    """Lower quartile of the samples that count."""
    high_cycles: float
    """Quartiles of the samples that count."""
    samples: int
    """That count."""
    lost: Mapping[str, int]
    """Samples that do not, by reason: interrupted; unsteady, where the core's clock changed within one."""
    batches: int
    """Processes that took samples."""
    stable: bool
    """Whether the last two batches agree."""
    ticks_per_cycle: float
    """Of the clock, in the batch whose references ran fastest."""
    copies: tuple[int, int]
    """Unroll factors of the two loops whose difference counts; of a loop 1 and 1."""
    iterations: int
    """Of each timed loop."""
    overhead_cycles: float = 0.0
    """What an iteration of the shorter loop took beyond its copies: little, unless each loop settled in its own way."""
    conditions: Mapping[str, bool] = field(default_factory=dict)
    """Whether the process was pinned to a core, had real-time priority, was confined."""

    @classmethod
    def of_estimate(cls, estimate: _core.Estimate, copies: tuple[int, int], iterations: int) -> Timing:
        """The timing that the runner's estimate stands for."""
        return cls(
            cycles=estimate.cycles,
            low_cycles=estimate.low,
            high_cycles=estimate.high,
            samples=estimate.kept,
            lost={"interrupted": estimate.interrupted, "unsteady": estimate.unsteady},
            batches=estimate.batches,
            stable=estimate.stable,
            ticks_per_cycle=estimate.ticks_per_cycle,
            copies=copies,
            iterations=iterations,
            overhead_cycles=estimate.overhead_cycles,
        )


Outcome = Timing | Rejection
"""Of timing a kernel."""


class Core(Protocol):
    """A core that kernels can be timed on."""

    @property
    def isa(self) -> Isa:
        """Instruction set of the core."""

    @property
    def name(self) -> str:
        """For records: the CPU's own name, or the simulated model's."""

    @property
    def clock(self) -> str:
        """What time is read from."""

    def time(self, kernel: TimedKernel) -> Outcome:
        """Never raises for what the kernel does: the rejection tells."""


_Core = TypeVar("_Core", bound=Core)


@dataclass
class Relay(Generic[_Core]):
    """Says what another core says; how it times kernels is up to what is derived from it."""

    core: _Core
    """Who times."""

    @property
    def isa(self) -> Isa:
        """Instruction set of the core."""
        return self.core.isa

    @property
    def name(self) -> str:
        """For records: the core's name."""
        return self.core.name

    @property
    def clock(self) -> str:
        """What time is read from."""
        return self.core.clock
