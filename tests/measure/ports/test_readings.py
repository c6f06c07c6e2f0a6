"""Mixtures are timed so that what loops do each in its own way does not count."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from corecast.asm.code import Isa
from corecast.measure import Timing
from corecast.measure.judge.ports import Readings
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.plan.ports.mixtures import Part
from corecast.measure.plan.ports.templates import template

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


@dataclass
class Decoding:
    """Decodes one instruction a cycle, unless it is longer than 7 bytes."""

    isa: Isa = "x86"
    name: str = "decoding"
    clock: str = "simulated"

    def time(self, kernel: TimedKernel) -> Timing:
        cycles = sum(1.0 if length < 8 else 0.5 for length in kernel.lengths)
        return Timing(cycles, cycles, cycles, 9, {}, 2, stable=True, ticks_per_cycle=1.0, copies=(1, 2), iterations=9)


def test_mixtures_with_forms_that_decoders_hold_up_are_in_sparse_code() -> None:
    sign, readings = template("cdq", "x86"), Readings(Decoding())
    parts = [Part(sign, 2), Part(LOGIC, 2)]
    assert readings.alone(sign) == 0.5
    assert set(readings.of(parts).kernel.lengths) == {8}


@dataclass
class Canary:
    """The canary takes 10 cycles, but for one time."""

    odd: int
    """Which."""
    cycles: float
    """What it takes then."""
    isa: Isa = "x86"
    name: str = "canary"
    clock: str = "simulated"
    looks: int = 0

    def time(self, kernel: TimedKernel) -> Timing:
        cycles = 1.0
        if len(kernel.texts) > 1:
            self.looks += 1
            cycles = self.cycles if self.looks == self.odd else 10.0
        return Timing(cycles, cycles, cycles, 9, {}, 2, stable=True, ticks_per_cycle=1.0, copies=(1, 2), iterations=9)


@pytest.mark.parametrize(("odd", "cycles", "looks"), [(9, 9.0, 1), (20, 11.0, 2), (0, 0.0, 1)])
def test_a_canary_that_was_too_fast_once_keeps_nobody_waiting(odd: int, cycles: float, looks: int) -> None:
    """Where the canary is slow, the mixture is timed once more."""
    core = Canary(odd, cycles)
    readings = Readings(core)
    readings.watch([Part(LOGIC, 12)])
    parts = [Part(LOGIC, 1)]
    while core.looks < 19:
        readings.again(parts)
    readings.of(parts)
    before = core.looks
    readings.again(parts)
    assert core.looks - before == looks
