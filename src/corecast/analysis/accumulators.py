"""Sums whose latency a loop waits for, and what it takes to hide it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from corecast import _core
from corecast.analysis.advice import Accumulators, Unrolled
from corecast.analysis.kernels import prepare_kernel
from corecast.analysis.strides import steps_of
from corecast.analysis.sums import is_sum

if TYPE_CHECKING:
    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.results import RegionResult
    from corecast.asm import Kernel
    from corecast.machine import Machine

_LISTED = (2, 4, 8)
_MOST_COPIES = 64
_MOST_INSTRUCTIONS = 4000
_TIE = 1e-6
_FLAGS = ("cf", "pf", "af", "zf", "sf", "of", "nzcv")


def accumulators_for(
    region: RegionResult, kernel: Kernel, machine: Machine, options: AnalyzeOptions
) -> Accumulators | None:
    """What several sums would bring where one sum's latency binds; None where the slowest chain is no sum."""
    mode, instructions, _ = prepare_kernel(kernel, machine, options)
    chains = region.dependencies.loop_carried
    if mode != "loop" or not chains or not is_sum(chains[0], region, instructions, kernel.isa):
        return None
    first = chains[0]
    own = tuple(dict.fromkeys(first.instructions))
    issue = _busiest(region, own)
    if issue <= 0:
        return None
    loop = _Loop(region, kernel, machine, options, instructions)
    unroll = loop.copies_to_hide(first.cycles)
    if unroll < 2:
        return None
    times = sorted({unroll, *(each for each in _LISTED if loop.fits(each))})
    return Accumulators(
        instructions=own,
        latency_cycles=first.cycles,
        issue_cycles=issue,
        to_fill_units=math.ceil(first.cycles / issue - _TIE),
        unroll=unroll,
        unrolled=tuple(loop.unrolled(each) for each in times),
    )


class _Loop:
    """A loop that may be unrolled."""

    def __init__(
        self,
        region: RegionResult,
        kernel: Kernel,
        machine: Machine,
        options: AnalyzeOptions,
        instructions: tuple[_core.Instruction, ...],
    ) -> None:
        self._machine = machine
        self._options = options
        self._instructions = instructions
        control = _control(kernel, instructions)
        self._body = tuple(each for place, each in enumerate(instructions) if place not in control)
        chains = region.dependencies.loop_carried
        sums = [chain for chain in chains if is_sum(chain, region, instructions, kernel.isa)]
        others = [chain for chain in chains if chain not in sums]
        self._sums = max(chain.cycles for chain in sums)
        self._counting = max((c.cycles for c in others if set(c.instructions) <= control), default=0.0)
        self._recurrences = max((c.cycles for c in others if not set(c.instructions) <= control), default=0.0)

    def fits(self, times: int) -> bool:
        return len(self._body) * times <= _MOST_INSTRUCTIONS

    def copies_to_hide(self, latency: float) -> int:
        """The fewest copies with which something else takes as long; 0 where none are enough."""
        for times in range(2, _MOST_COPIES + 1):
            if not self.fits(times):
                return 0
            if max(self._bounds(times).values()) >= latency - _TIE:
                return times
        return 0

    def unrolled(self, times: int) -> Unrolled:
        bounds = self._bounds(times)
        bounds["dependency"] = max(bounds["dependency"], self._sums)
        bound = max(bounds, key=lambda name: bounds[name])
        return Unrolled(times, bounds[bound], bounds[bound] / times, bound)

    def _bounds(self, times: int) -> dict[str, float]:
        """Without the sums: they have a register each."""
        found = _core.analyze(
            self._machine.core,
            [*self._body * (times - 1), *self._instructions],
            "loop",
            self._options.unknown,
            None,
            self._options.ports == "uniform",
        )
        bounds = dict(found.bounds)
        bounds["dependency"] = max(self._counting, self._recurrences * times)
        return bounds


def _busiest(region: RegionResult, places: Iterable[int]) -> float:
    """Cycles in which the ports could start some instructions, each on all ports that it may use."""
    pressure = region.uniform_ports
    columns = zip(*(pressure.per_instruction[place] for place in places), strict=True)
    return max((sum(column) for column in columns), default=0.0)


def _control(kernel: Kernel, instructions: tuple[_core.Instruction, ...]) -> set[int]:
    """What a longer iteration needs once: the branch, comparisons for it, and what moves counters and addresses on."""
    steps = steps_of(kernel)
    flags = {number for name in _FLAGS if (number := _core.register_number(kernel.isa, name))}
    wanted = {reg for each in instructions if each.branch == "none" for reg in _registers(each, written=False)}
    control = set()
    for place, instruction in enumerate(instructions):
        written = _registers(instruction, written=True)
        counts = bool(written) and all(
            reg not in wanted if reg in flags else steps.get(reg) is not None for reg in written
        )
        if instruction.branch != "none" or (counts and not instruction.memory):
            control.add(place)
    return control


def _registers(instruction: _core.Instruction, written: bool) -> set[int]:
    uses = (use for operand in instruction.operands for use in operand.registers)
    return {use.reg for use in uses if (use.write if written else use.read)}
