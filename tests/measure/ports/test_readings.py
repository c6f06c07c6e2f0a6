"""Mixtures are timed so that what loops do each in its own way does not count."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from corecast.asm.code import Isa
from corecast.measure import Timing
from corecast.measure.kernels import TimedKernel
from corecast.measure.ports import Readings
from corecast.measure.ports.mixtures import Part
from corecast.measure.ports.templates import template

LOGIC, ROOT = template("vandnpd xmm, xmm, xmm", "x86"), template("vsqrtpd xmm, xmm", "x86")


@dataclass
class TwoDividers:
    """Four vectors a cycle, of which a root takes two; where a loop has an odd number of roots, one of its iterations
    waits another cycle. Loops of one copy and of two are timed, as the runner does with long code."""

    isa: Isa = "x86"
    name: str = "two dividers"
    clock: str = "simulated"
    timed: list[int] = field(default_factory=list)

    def time(self, kernel: TimedKernel) -> Timing:
        roots = sum(text.startswith("vsqrt") for text in kernel.texts)
        self.timed.append(len(kernel.texts))
        short, long = (
            copies * (len(kernel.texts) + roots) / 4 + (1.0 if copies * roots % 2 else 0.0) for copies in (1, 2)
        )
        cycles = long - short
        return Timing(
            cycles, cycles, cycles, 9, {}, 2, stable=True, ticks_per_cycle=1.0, copies=(1, 2), iterations=9,
            overhead_cycles=short - cycles,
        )  # fmt: skip


def test_a_mixture_that_is_uneven_is_timed_several_times_in_a_row() -> None:
    core = TwoDividers()
    reading = Readings(core).of([Part(LOGIC, 64), Part(ROOT, 1)])
    assert reading.cycles == pytest.approx(66 / 4)  # a loop of one takes 17.5, one of two 33
    assert reading.repeats == 2
    assert core.timed == [65, 130]


def test_a_mixture_that_is_even_is_timed_once() -> None:
    core = TwoDividers()
    reading = Readings(core).of([Part(LOGIC, 64), Part(ROOT, 2)])
    assert (reading.cycles, reading.repeats, core.timed) == (68 / 4, 1, [66])


def test_long_mixtures_are_taken_as_they_are() -> None:
    core = TwoDividers()
    reading = Readings(core).of([Part(LOGIC, 400), Part(ROOT, 1)])
    assert (reading.repeats, core.timed) == (1, [401])
    assert reading.uneven_cycles == pytest.approx(2.0)


def test_another_look_is_one_at_the_same_code() -> None:
    core = TwoDividers()
    readings = Readings(core)
    first = readings.of([Part(LOGIC, 64), Part(ROOT, 1)])
    assert readings.again(first.parts).repeats == 2
    assert core.timed == [65, 130, 130]
