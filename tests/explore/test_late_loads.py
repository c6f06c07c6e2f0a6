"""Loads of which some are late: lines are drawn for, the same ones each time."""

from __future__ import annotations

from typing import Any

import pytest

from corecast.asm import Kernel
from corecast.errors import InputError, MachineModelError
from corecast.machine import load_machine, variant
from corecast.simulate import simulate_kernel

CHASE = "a:\nldr x0, [x0]\ncbnz x0, a"
"""Each load waits for the one before: its mean latency is the loop's."""


def cycles(text: str, late: list[dict[str, Any]], **settings: Any) -> float:
    machine = variant(load_machine("gem5_sve"), {"loads.late": late, **settings})
    return simulate_kernel(Kernel.from_text(text, isa="aarch64"), machine).cycles_per_iteration


def stream(step: int) -> str:
    return f"a:\nldr d1, [x1]\nfadd d0, d0, d1\nadd x1, x1, #{step}\nsubs x2, x2, #1\nb.ne a"


def test_a_chain_of_loads_takes_their_mean() -> None:
    assert cycles(CHASE, []) == 5
    assert cycles(CHASE, [{"share": 1, "cycles": 20}]) == 25
    assert cycles(CHASE, [{"share": 0.25, "cycles": 40}, {"share": 0.1, "cycles": 100}]) == pytest.approx(25, rel=0.02)


def test_the_same_lines_are_late_each_time() -> None:
    late = [{"share": 0.3, "cycles": 30}]
    assert cycles(CHASE, late) == cycles(CHASE, late)


def test_a_line_is_late_once() -> None:
    """Eight doubles a line: a small window waits for one of eight loads; 64 bytes apart each has a line of its own."""
    late = [{"share": 1, "cycles": 400}]
    near, far = (cycles(stream(step), late, **{"reorder_buffer.entries": 8}) for step in (8, 64))
    assert far > 3 * near


def test_few_late_loads_are_hidden_and_a_small_window_shows_them() -> None:
    late = [{"share": 0.05, "cycles": 60}]
    assert cycles(stream(64), []) == 2
    wide = cycles(stream(64), late)
    narrow = cycles(stream(64), late, **{"reorder_buffer.entries": 24})
    assert 2 <= wide < narrow


def test_streams_are_told_apart_by_their_register() -> None:
    assert cycles(CHASE, [{"base": "x0", "share": 1, "cycles": 10}]) == 15
    assert cycles(CHASE, [{"base": "x1", "share": 1, "cycles": 10}]) == 5
    assert cycles(CHASE, [{"share": 1, "cycles": 30}, {"base": "x0", "share": 1, "cycles": 10}]) == 15


def test_a_gather_waits_for_its_slowest_lane() -> None:
    text = "a:\nld1d {z0.d}, p0/z, [x1, z0.d, lsl #3]\nsubs x2, x2, #1\nb.ne a"
    late = [{"share": 0.5, "cycles": 100}]
    taken = {bits: cycles(text, late, vector_length_bits=bits) for bits in (128, 512)}
    none = {bits: cycles(text, [], vector_length_bits=bits) for bits in (128, 512)}
    assert taken[128] - none[128] == pytest.approx(75, rel=0.05)  # one lane of two: 3 of 4
    assert taken[512] - none[512] == pytest.approx(100, rel=0.05)


def test_an_updated_address_does_not_wait_for_the_data() -> None:
    late = [{"share": 1, "cycles": 300}]
    assert cycles("a:\nldr x1, [x0], #64\nsubs x2, x2, #1\nb.ne a", late, **{"reorder_buffer.entries": 4096}) < 20


@pytest.mark.parametrize(
    "late",
    [
        [{"share": 2, "cycles": 3}],
        [{"share": 0.5}],
        [{"share": 0.7, "cycles": 3}, {"share": 0.7, "cycles": 4}],
        [{"share": 0.7, "cycles": 3, "base": "nowhere"}],
        [3],
    ],
)
def test_what_cannot_be_is_refused(late: list[Any]) -> None:
    with pytest.raises((InputError, MachineModelError), match=r"loads\.late"):
        cycles(CHASE, late)
