"""What unrolled code takes on a Zen 4, measured on an EPYC 9004 with `corecast time --mode unroll` (2026-11-25)."""

from __future__ import annotations

import pytest

from corecast.machine import load_machine
from corecast.prediction import predict
from corecast.prediction.engine import Method, Mode

_NOPS = {length: "66" * (length - 8) + "0f1f840000000000" for length in range(8, 16)}
_MOVE = "89d8"


@pytest.mark.parametrize("method", ["simulate", "bounds"])
@pytest.mark.parametrize(
    ("code", "measured"),
    [
        (_NOPS[8], 0.50),
        (_NOPS[10], 0.63),
        (_NOPS[11], 1.00),
        (_NOPS[15], 1.00),
        (_NOPS[11] + _MOVE, 1.00),
        (_NOPS[11] + _MOVE + _MOVE, 1.00),
        ("48c7800010000003000000", 1.00),  # mov qword ptr [rax + 4096], 3
        ("48b88877665544332211", 0.63),  # movabs rax, 1234605616436508552
    ],
)
def test_instructions_longer_than_ten_bytes_are_for_the_first_decoder(
    method: Method, code: str, measured: float
) -> None:
    found = predict([code], load_machine("zen4"), "unroll", method)
    assert found.cycles[0] == pytest.approx(measured, abs=0.01)


def test_a_loop_comes_from_the_op_cache_whatever_its_instructions_lengths() -> None:
    found = predict([2 * _NOPS[15]], load_machine("zen4"), "loop", "simulate")
    assert found.cycles[0] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("code", "measured", "mode"),
    [
        ("48ff074889ef", 7.2, "unroll"),  # inc qword ptr [rdi]; mov rdi, rbp
        ("48ff07", 1.0, "unroll"),
        ("48ff074889ef", 1.0, "loop"),
    ],
)
def test_no_copy_knows_the_store_of_another_by_a_register_that_is_written(
    code: str, measured: float, mode: str
) -> None:
    """Each copy's load is an instruction of its own, which nothing has predicted."""
    found = predict([code], load_machine("zen4"), "unroll" if mode == "unroll" else "loop", "simulate")
    assert found.cycles[0] == pytest.approx(measured, abs=0.25)


def relative_pairs(count: int) -> str:
    """Stores and loads of one place (mov [rip + x], rax; mov rax, [rip + x])."""
    code = b""
    for _ in range(count):
        for start in ("488905", "488b05"):
            code += bytes.fromhex(start) + (65536 - len(code) - 7).to_bytes(4, "little", signed=True)
    return code.hex()


@pytest.mark.parametrize(
    ("count", "mode", "measured"), [(1, "loop", 1.01), (24, "loop", 24.35), (30, "loop", 198.0), (4, "unroll", 28.06)]
)
def test_the_store_of_data_relative_to_the_instruction_is_not_known(count: int, mode: Mode, measured: float) -> None:
    """Pipeline facts AM-53."""
    found = predict([relative_pairs(count)], load_machine("zen4"), mode, "simulate")
    assert found.cycles[0] == pytest.approx(measured, rel=0.15)
