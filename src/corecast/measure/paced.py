"""Chains at the front end's pace.

Cores rename far ahead of a chain, and some choose ports by what waits for them then: of several micro-ops that are
ready at once the chain's comes second now and then, which adds a fraction of a cycle. Instructions that do nothing
take slots of the front end, so that the chain's are renamed hardly before they are due. No chain takes less than its
latencies: of several paces the one counts that gives a whole number.
"""

from __future__ import annotations

from dataclasses import replace

from corecast import _core
from corecast.measure.core import Core
from corecast.measure.interval import Interval
from corecast.measure.kernels import TimedKernel
from corecast.measure.longer_chains import EXECUTED, SAME
from corecast.measure.measured import Latency

PACES = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
"""Instructions that do nothing, by cycles of the chain: as many as cores rename."""
NOTHING = "nop"
"""In every instruction set."""


def paced(core: Core, latency: Latency) -> Latency:
    """The latency where no other micro-ops are in the chain's way, if that is a whole number of cycles and less."""
    cycles = latency.cycles
    if cycles is None or not cycles.exact or cycles.whole or cycles.high < EXECUTED:
        return latency
    kernel, usual = latency.kernels[0]
    instances = 2 if latency.method == "cross" else 1
    for pace in PACES:
        slower = with_nothing(kernel, round(pace * usual.cycles))
        timing = core.time(slower)
        if not timing.ok or timing.cycles > usual.cycles * (1 + SAME):
            break  # the front end takes longer than the chain
        drop = (usual.cycles - timing.cycles) / instances
        found = Interval(max(0.0, cycles.low - drop), cycles.high - drop)
        if drop > 0 and found.whole and found.high >= EXECUTED:
            return replace(latency, cycles=found, kernels=((slower, timing), *latency.kernels))
    return latency


def with_nothing(kernel: TimedKernel, count: int) -> TimedKernel:
    """The same code and so many instructions that do nothing."""
    nothing = _core.assemble(kernel.isa, NOTHING).instructions[0]
    return replace(
        kernel,
        code=kernel.code + nothing.bytes * count,
        texts=(*kernel.texts, *[nothing.text] * count),
        lengths=(*kernel.lengths, *[nothing.length_bytes] * count),
    )
