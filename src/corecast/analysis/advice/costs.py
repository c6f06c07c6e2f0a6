"""Cycles of changed code, by the method and under the options that gave the forecast of the loop as it is."""

from __future__ import annotations

from corecast import _core
from corecast.analysis.kernels import assumed_aliasing
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.results import LoopMode
    from corecast.analysis.work.memory import DataPlaces
    from corecast.asm import Kernel
    from corecast.machine import Machine
    from corecast.machine.method import Method


@dataclass(frozen=True)
class Cost:
    """Cycles of one iteration of some code, and what binds: a name of `Prediction.bounds`, "unit" or "memory"."""

    cycles: float
    bound: str


class Costs:
    """Asks the native core about code that does the same work as a kernel."""

    def __init__(self, kernel: Kernel, places: DataPlaces, method: Method, options: AnalyzeOptions) -> None:
        self._method = method
        self._options = options
        self._mode: LoopMode = options.mode or ("loop" if kernel.is_loop else "unroll")
        # Pairs hold for changed code as they are: only accumulators and sums get other registers, and pointers that are
        # equal at the start of every iteration are equal at the start of every second one, too.
        self._aliasing = assumed_aliasing(kernel, places.machine, options)
        self.machine = places.machine
        bandwidth = places.bandwidth
        self.memory_cycles = bandwidth.cycles(kernel, self.machine.core.vector_bits) if bandwidth is not None else 0.0
        """What the bandwidth allows an iteration."""

    def of(
        self, instructions: Sequence[_core.Instruction], iterations: int = 1, machine: Machine | None = None
    ) -> Cost:
        """Cycles of code that does the work of `iterations`; its alignment has no effects."""
        core = (machine or self.machine).core
        unknown, mode = self._options.unknown, self._mode
        if self._method == "simulate":
            simulated = _core.simulate(core, instructions, mode, None, unknown, aliasing=self._aliasing)
            found = Cost(simulated.cycles_per_iteration, simulated.bottleneck)
        else:
            analysis = self._analysis(core, instructions)
            found = Cost(analysis.cycles_per_iteration, analysis.bottleneck)
        moved = self.memory_cycles * iterations
        return found if found.cycles >= moved else Cost(moved, "memory")

    def bounds_of(self, instructions: Sequence[_core.Instruction]) -> float:
        """The highest of the static bounds, whichever method the forecast is made by."""
        return self._analysis(self.machine.core, instructions).cycles_per_iteration

    def _analysis(self, core: _core.Machine, instructions: Sequence[_core.Instruction]) -> _core.Analysis:
        options = self._options
        uniform = options.ports == "uniform"
        return _core.analyze(core, instructions, self._mode, options.unknown, None, uniform, self._aliasing)
