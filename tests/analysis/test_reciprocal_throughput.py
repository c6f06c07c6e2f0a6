"""The reciprocal throughput of an instruction alone: measured, else what its ports and units take."""

from __future__ import annotations

from pathlib import Path

import corecast
from corecast.analysis import AnalyzeOptions
from corecast.machine import load_machine

MY_CORE = Path(__file__).resolve().parents[2] / "examples" / "my_core"


def alone(code: str) -> list[float | None]:
    result = corecast.analyze(code, load_machine(MY_CORE), AnalyzeOptions(unknown="skip"))
    return [row.reciprocal_throughput_cycles for row in result.regions[0].instructions]


def test_ports_and_units_give_it_where_nobody_measured() -> None:
    code = ".L1:\nvmovupd (%rdi), %ymm0\nvmovupd %ymm0, (%rsi)\naddq $8, %rdi\ncmpq %rdi, %rsi\njne .L1\n"
    # Two load ports; one store port, beside a load port for the address; two for arithmetic; one for branches.
    assert alone(code) == [0.5, 1.0, 0.5, 0.5, 1.0]


def test_a_busy_unit_counts() -> None:
    assert alone(".L1:\nvdivpd %ymm1, %ymm2, %ymm3\naddq $8, %rdi\njne .L1\n") == [8.0, 0.5, 1.0]


def test_nothing_is_known_of_unknown_instructions() -> None:
    assert alone(".L1:\npopcntq %rax, %rbx\naddq $8, %rdi\njne .L1\n")[0] is None
