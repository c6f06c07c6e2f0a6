"""Chains at the front end's pace.

Cores rename far ahead of a chain, and some choose ports by what waits for them then: of several micro-ops that are
ready at once the chain's comes second now and then, which adds a fraction of a cycle. Instructions that do nothing
take slots of the front end, so that the chain's are renamed hardly before they are due. No chain takes less than its
latencies: of several paces the one counts that gives a whole number.

Some results are there now sooner, now later (flags of logic for `cmov`, on Redwood Cove). Where two paces in succession
give the same whole number, but a greater one, the chain takes that at most, and the latency is what lies between.
"""

from __future__ import annotations

from corecast import _core
from corecast.dataclass import replace
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Latency
from corecast.measure.rejection import Rejection
from corecast.measure.run.core import Core
from corecast.measure.thresholds import INTERVAL_WHOLE, LONGER_EXECUTED, PACED_PACES

NOTHING = "nop"
"""In every instruction set."""


def paced(core: Core, latency: Latency) -> Latency:
    """The latency where no other micro-ops are in the chain's way, if that is a whole number of cycles and less; the
    interval to the whole number that it keeps to where it is slower."""
    cycles = latency.cycles
    if cycles is None or not cycles.exact or cycles.whole or cycles.high < LONGER_EXECUTED:
        return latency
    kernel, usual = latency.chain
    instances = 2 if latency.method == "cross" else 1
    before: Interval | None = None
    for pace in PACED_PACES:
        slower = with_nothing(kernel, round(pace * usual.cycles))
        timing = core.time(slower)
        if isinstance(timing, Rejection) or timing.cycles > usual.cycles + instances:
            break  # the front end takes longer than the chain
        drop = (usual.cycles - timing.cycles) / instances
        found = Interval(max(0.0, cycles.low - drop), cycles.high - drop)
        if drop > 0 and found.whole and found.high >= LONGER_EXECUTED:
            return replace(latency, cycles=found, kernels=((slower, timing), *latency.kernels))
        if drop < 0 and found.whole and before is not None and abs(found.high - before.high) <= INTERVAL_WHOLE:
            upper = Interval(cycles.low, found.high)
            return replace(latency, cycles=upper, kernels=((slower, timing), *latency.kernels))
        before = found
    return latency


def with_nothing(kernel: TimedKernel, count: int) -> TimedKernel:
    """The same code with instructions added that do nothing."""
    nothing = _core.assemble(kernel.isa, NOTHING).instructions[0]
    return replace(
        kernel,
        code=kernel.code + nothing.bytes * count,
        texts=(*kernel.texts, *[nothing.text] * count),
        lengths=(*kernel.lengths, *[nothing.length_bytes] * count),
    )
