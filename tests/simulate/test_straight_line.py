"""Parameters of straight-line code that no shipped model has, and that calibration tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate.draft import Draft
from corecast.machine import load_machine
from corecast.machine.types import Machine
from corecast.prediction import predict
from corecast.timing.verdict import Mode


def cycles(code: str, machine: Machine, mode: Mode) -> float:
    return predict([code], machine, mode, "simulate", 1).cycles[0]


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("48890500100000", 0.5, 1.0),  # mov qword ptr [rip + 4096], rax
        ("833d0010000000", 0.5, 1.0),  # cmp dword ptr [rip + 4096], 0
        ("390500100000", 0.5, 0.5),  # cmp dword ptr [rip + 4096], eax
        ("488906", 0.5, 0.5),  # mov qword ptr [rsi], rax
    ],
)
def test_addresses_relative_to_the_instruction_may_need_the_complex_decoder(
    code: str, before: float, after: float, tmp_path: Path
) -> None:
    machine = load_machine("granite_rapids")
    changed = Draft(machine, {"decode.relative_is_complex": False}).machine(tmp_path)
    assert cycles(code, changed, "unroll") == pytest.approx(before, abs=0.05)
    assert cycles(code, machine, "unroll") == pytest.approx(after, abs=0.05)
