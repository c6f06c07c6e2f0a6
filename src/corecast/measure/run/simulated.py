"""A simulated core in place of the host: what is inferred from timings can be compared with the model's own answers.

Its clock readings go the way of real ones. Noise is what a shared machine does to them: a clock that drifts against the
core's, readings that scatter, interrupts.
"""

from __future__ import annotations

import random
from pathlib import Path

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field
from corecast.hints import TYPE_CHECKING
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.core import Outcome, Timing
from corecast.measure.thresholds import (
    SIMULATED_BATCHES,
    SIMULATED_LEAST_CORRECTION,
    SIMULATED_LONG_SPAN,
    SIMULATED_MOST_COPIES,
    SIMULATED_MOST_CORRECTION,
    SIMULATED_OVERHEAD_CYCLES,
    SIMULATED_REFERENCE_CYCLES,
    SIMULATED_SAMPLES,
    SIMULATED_TICKS_PER_CYCLE,
    SIMULATED_UNROLLED_BYTES,
)

if TYPE_CHECKING:
    from corecast.machine import Machine


FENCES = Path(__file__).with_name("fences.tsv")


@dataclass(frozen=True)
class Noise:
    """How readings of the clock scatter; without noise they are exact."""

    readings: float = 0.0
    """Standard deviation, relative."""
    drift: float = 0.0
    """Standard deviation of the steps of the clock's rate from sample to sample, relative."""
    interrupts: float = 0.0
    """Probability that one comes within a run."""
    seed: int = 1
    """Of the random numbers; the same seed gives the same readings."""

    INTERRUPT_CYCLES = 8_000
    """Core cycles that an interrupt takes."""


@dataclass(frozen=True)
class SimulatedCore:
    """A machine model behind the interface of a core."""

    machine: Machine
    """The model."""
    noise: Noise = Noise()
    """What happens to readings of the clock."""
    count_uops: bool = False
    """Cycles of code whose time does not repeat are an estimate; uops make it exact where no chain is what takes the
    time, so that renaming does not run ahead."""
    _random: random.Random = field(init=False, repr=False, compare=False)
    _model: _core.Machine = field(init=False, repr=False, compare=False)
    """The model's, which knows fences, too."""

    def __post_init__(self) -> None:
        from corecast.machine.loader import build

        object.__setattr__(self, "_random", random.Random(self.noise.seed))
        made = build(self.machine.info, dict(self.machine.pipeline), (*self.machine.tables, FENCES))
        object.__setattr__(self, "_model", made.core)

    @property
    def isa(self) -> Isa:
        """Instruction set of the model."""
        return self.machine.isa

    @property
    def name(self) -> str:
        """For records: `simulated` and the model's name."""
        return f"simulated {self.machine.name}"

    @property
    def clock(self) -> str:
        """For records: `simulated`."""
        return "simulated"

    def time(self, kernel: TimedKernel) -> Outcome:
        """Simulate the kernel's two loops, and take the timing from their readings as on a host."""
        copies = _copies(kernel)
        estimator = _core.Estimator()
        cycles = []  # of one iteration of the shorter and of the longer loop
        for count in copies:
            found = self._simulate(kernel, count)
            if isinstance(found, Rejection):
                return found
            cycles.append(found)
        if kernel.is_loop:
            cycles[1] *= 2  # of twice as many iterations
        iterations = max(1, round(SIMULATED_REFERENCE_CYCLES / cycles[0]))
        executions = float(iterations * copies[0])
        while estimator.estimate.batches < SIMULATED_BATCHES and not estimator.estimate.stable:
            estimator.add(
                self._readings(cycles[0] * iterations, cycles[1] * iterations), SIMULATED_REFERENCE_CYCLES, executions
            )
        return Timing.of_estimate(estimator.estimate, copies, iterations)

    def _simulate(self, kernel: TimedKernel, copies: int) -> float | Rejection:
        """Cycles of one iteration of the loop around `copies` copies."""
        listing = _core.disassemble(kernel.isa, kernel.setting + kernel.code * copies)
        if listing.problems:
            return Rejection(Reason.ASSEMBLER, listing.problems[0].message)
        instructions = list(listing.instructions[1 if kernel.setting else 0 :])
        instructions += instruction_set(kernel.isa).closing(instructions, kernel.counter, kernel.keeps_flags)
        for instruction in instructions:
            if missing := self._model.lacks(instruction):
                return Rejection(Reason.LACKS, f"{missing}, which {self.name}")
        found = _core.simulate(self._model, instructions, "loop")
        if found.unknown:
            return Rejection(Reason.NO_DATA, f"{found.unknown} instructions that {self.name}")
        if found.periodic or not self.count_uops:
            return found.cycles_per_iteration
        found = _core.simulate(self._model, instructions, "loop", span=SIMULATED_LONG_SPAN)
        return found.cycles_per_iteration * self._whole_iterations(instructions, found)

    def _whole_iterations(self, instructions: list[_core.Instruction], found: _core.Simulation) -> float:
        """An estimate counts whole iterations in cycles that need not be whole ones: uops give their number."""
        renamed = found.counters.get("renamed_fused_uops", 0.0)
        uops = _core.analyze(self._model, instructions, "loop").frontend.fused_uops
        share = uops / renamed if renamed > 0 else 1.0
        return share if SIMULATED_LEAST_CORRECTION < abs(share - 1) < SIMULATED_MOST_CORRECTION else 1.0

    def _readings(self, short: float, long: float) -> list[tuple[int, int, int, int, int, int, int]]:
        """A batch of samples of runs that take these cycles."""
        rate = SIMULATED_TICKS_PER_CYCLE
        runs = (
            SIMULATED_REFERENCE_CYCLES,
            2 * SIMULATED_REFERENCE_CYCLES,
            short,
            long,
            SIMULATED_REFERENCE_CYCLES,
            2 * SIMULATED_REFERENCE_CYCLES,
        )
        if not (self.noise.readings or self.noise.drift or self.noise.interrupts):
            before, before2, first, second, after, after2 = (
                round((run + SIMULATED_OVERHEAD_CYCLES) * rate) for run in runs
            )
            return [(before, before2, first, second, after, after2, 0)] * SIMULATED_SAMPLES
        samples = []
        for _ in range(SIMULATED_SAMPLES):
            rate *= 1 + self.noise.drift * self._random.gauss(0, 1)
            before, before2, first, second, after, after2 = (self._reading(run, rate) for run in runs)
            samples.append((before, before2, first, second, after, after2, 0))
        return samples

    def _reading(self, cycles: float, rate: float) -> int:
        cycles += SIMULATED_OVERHEAD_CYCLES
        if self._random.random() < self.noise.interrupts:
            cycles += Noise.INTERRUPT_CYCLES
        return round(cycles * rate * (1 + self.noise.readings * self._random.gauss(0, 1)))


def _copies(kernel: TimedKernel) -> tuple[int, int]:
    """Unroll factors, chosen as the runner does."""
    if kernel.is_loop:
        return 1, 1
    short = kernel.copies or min(max(SIMULATED_UNROLLED_BYTES // len(kernel.code), 1), SIMULATED_MOST_COPIES)
    return short, 2 * short
