"""Chains whose micro-ops get in each other's way take a whole number of cycles at the front end's pace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corecast import load_machine
from corecast.measure import FormMeter, SimulatedCore, TimedKernel, Timing, parse_form
from corecast.measure.judge.forms.paced import with_nothing
from corecast.measure.plan.helpers import helper_kernel
from corecast.measure.run.core import Relay


@pytest.mark.parametrize(
    ("core", "key", "pair", "cycles"),
    [("haswell", "shr r8, cl", ("2", "1"), 1)],
)
def test_micro_ops_that_are_ready_at_once_cost_no_fraction(
    core: str, key: str, pair: tuple[str, str], cycles: int
) -> None:
    found = FormMeter(SimulatedCore(load_machine(core))).measure(parse_form(key), rare=False)
    latency = next(each for each in found.latencies if (each.source, each.target) == pair)
    assert latency.cycles is not None
    assert latency.cycles.high == pytest.approx(cycles, abs=0.05)
    assert latency.kernels[0][0].texts[-1] == "nop"
    assert latency.kernels[1][0].texts[-1] != "nop"  # what it was compared with


def test_nothing_is_added_behind_the_code() -> None:
    kernel = helper_kernel("x86", ["imul rax, rax"])
    slower = with_nothing(kernel, 3)
    assert slower.texts == (*kernel.texts, "nop", "nop", "nop")
    assert slower.code == kernel.code + b"\x90" * 3
    assert sum(slower.lengths) == len(slower.code)


class LateFlags(Relay[SimulatedCore]):
    """`cmov` behind `and` takes a cycle longer where few instructions stand between, but not always."""

    def time(self, kernel: TimedKernel) -> Timing:
        found = self.core.time(kernel)
        texts = [text.split()[0] for text in kernel.texts]
        if "and" not in texts or "cmovb" not in texts:
            return found
        return replace(found, cycles=found.cycles + (1.0 if texts.count("nop") >= 8 else 0.6))


def test_what_takes_longer_at_some_paces_is_a_range() -> None:
    found = FormMeter(LateFlags(SimulatedCore(load_machine("zen4")))).measure(parse_form("and r64, r64"), rare=False)
    latency = next(each for each in found.latencies if (each.source, each.target) == ("1", "flags"))
    assert latency.cycles is not None
    assert (latency.cycles.low, latency.cycles.high) == pytest.approx((1.6, 2.0), abs=0.05)
    assert latency.kernels[0][0].texts[-1] == "nop"
