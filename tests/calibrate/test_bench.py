"""This machine's core as calibration sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from corecast import _core
from corecast.calibrate import HostBench
from corecast.calibrate.code import KINDS, Block
from corecast.timing.verdict import REASONS

pytestmark = pytest.mark.skipif(
    bool(_core.measuring_obstacle()) or _core.measurable_isa() != "x86", reason="this machine cannot be measured"
)


@pytest.fixture
def bench() -> Iterator[HostBench]:
    made = HostBench()
    yield made
    made.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_block_gets_cycles_or_a_reason(bench: HostBench, kind: str) -> None:
    verdict = bench.visit(Block(kind, "488b044e4883c108", "0", ""))  # type: ignore[arg-type]
    assert (verdict.cycles is not None and verdict.cycles > 0) or verdict.reason in REASONS
    assert verdict.seconds > 0


def test_code_that_cannot_be_a_loop_on_arrays_is_rejected(bench: HostBench) -> None:
    assert bench.visit(Block("compiled", "0f05", "0", "")).reason == "system"
    assert bench.visit(Block("compiled", "0f0b", "0", "")).reason == "system"


def test_a_compiled_loop_that_meets_subnormal_numbers_is_rejected(bench: HostBench) -> None:
    """Pairs of single precision at once, moved as numbers of 64 bits: arrays of doubles near 1 hold subnormals then."""
    verdicts = [
        bench.visit(Block("compiled", "f20f100cc20f16c9f20f1014c60f14d20f59d10f58c24883c001", "0", ""))
        for _ in range(3)
    ]
    assert {"subnormal"} & {verdict.reason for verdict in verdicts}


@pytest.mark.parametrize("kind", ["loop", "unroll"])
def test_a_block_tells_where_registers_pointed(bench: HostBench, kind: str) -> None:
    verdict = bench.visit(Block(kind, "488b06", "0", ""))  # type: ignore[arg-type]
    assert verdict.register_step == 8 or verdict.reason
