"""Timings that the core's width does not allow."""

from __future__ import annotations

import pytest

from corecast.asm import Kernel
from corecast.timing.widths import is_too_fast


@pytest.mark.parametrize(
    ("code", "cycles", "too_fast"),
    [
        ("4801d84801d94801da4801db", 0.5, True),
        ("4801d84801d94801da4801db", 0.66, False),
        ("4801d84801d94801da4801db90909090", 0.66, False),
        ("488b034801c8488b134801ca", 0.34, False),
        ("488b034801c8488b134801ca", 0.2, True),
    ],
)
def test_fewer_cycles_than_slots_are_wrong(code: str, cycles: float, too_fast: bool) -> None:
    assert is_too_fast(cycles, Kernel.from_hex(code).instructions, 6) == too_fast


def test_a_core_without_a_model_has_no_width() -> None:
    assert not is_too_fast(0.01, Kernel.from_hex("4801d8").instructions, 0.0)
