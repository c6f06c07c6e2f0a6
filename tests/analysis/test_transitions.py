"""SSE code without VEX while upper halves of vector registers hold data: a warning where the cost is known."""

from __future__ import annotations

import pytest

import corecast

MIXED = ".L: vpaddd %ymm1, %ymm2, %ymm3\n paddd %xmm4, %xmm5\n dec %rcx\n jnz .L\n"
LATER = ".L: paddd %xmm4, %xmm5\n vpaddd %ymm1, %ymm2, %ymm3\n dec %rcx\n jnz .L\n"
CLEARED = ".L: vpaddd %ymm1, %ymm2, %ymm3\n vzeroupper\n paddd %xmm4, %xmm5\n dec %rcx\n jnz .L\n"
NARROW = ".L: vpaddd %xmm1, %xmm2, %xmm3\n paddd %xmm4, %xmm5\n dec %rcx\n jnz .L\n"


def warned(text: str, cpu: str) -> list[str]:
    (region,) = corecast.analyze(text, cpu=cpu).regions
    return [warning for warning in region.warnings if "without VEX" in warning]


@pytest.mark.parametrize("text", [MIXED, LATER], ids=["in order", "around the loop"])
def test_a_change_is_warned_of_with_its_cost(text: str) -> None:
    (warning,) = warned(text, "granite_rapids")
    assert "paddd" in warning
    assert "195 cycles" in warning
    assert "70 cycles" in warned(text, "broadwell")[0]


@pytest.mark.parametrize("text", [CLEARED, NARROW], ids=["cleared", "never filled"])
def test_nothing_to_warn_of(text: str) -> None:
    assert warned(text, "granite_rapids") == []


@pytest.mark.parametrize("cpu", ["skylake", "zen4"])
def test_cores_where_the_cost_is_not_known_or_none(cpu: str) -> None:
    assert warned(MIXED, cpu) == []
