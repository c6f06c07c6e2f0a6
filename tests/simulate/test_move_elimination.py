"""Moves that rename does, as long as it has slots for their copies (pipeline facts IN-95 to IN-98)."""

from __future__ import annotations

import pytest

from block_strategies import assembled, looped
from corecast import _core, predict
from corecast.errors import MachineModelError
from corecast.machine import load_machine, variant

FREED = "move_elimination.general_slot_freed"


def cycles(code: str, mode: str, freed: str) -> float:
    machine = variant(load_machine("skylake_x"), {FREED: freed})
    return float(predict([code], machine, mode, "simulate").cycles[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "mode", "one_left", "all_overwritten"),
    [
        # Measured on a Skylake-SP: 1.359, 2.501, 4.535 and 2.748.
        ("4c89e04829d84883f8014889c3", "loop", 1.36, 1.48),
        ("89c183e10729c848d3eb83f80f4889dd89c3", "loop", 2.50, 3.16),
        ("4d89d64c8b55b84939d24c89e14c89f74c0f4fd24b8d0452498d34c64889f2", "loop", 4.50, 4.00),
        ("89c789c148c1e81066c1ef084189c466c1e8084189fd89c53dfd3f0000", "unroll", 2.75, 2.75),
    ],
)
def test_a_slot_is_free_when_one_name_is_left(code: str, mode: str, one_left: float, all_overwritten: float) -> None:
    assert cycles(code, mode, "one_left") == pytest.approx(one_left, rel=0.02)
    assert cycles(code, mode, "all_overwritten") == pytest.approx(all_overwritten, rel=0.02)


def test_a_wrong_value_is_named() -> None:
    with pytest.raises(MachineModelError, match="must be all_overwritten, one_left or one_left_in_idle_cycle"):
        variant(load_machine("skylake_x"), {FREED: "never"})


PAIRS = {
    "a divider": (["movapd xmm2, xmm0", "divsd xmm2, xmm1"], 4.0),
    "ports": (["movaps xmm1, xmm0", "mulps xmm1, xmm2", "movaps xmm3, xmm0", "mulps xmm3, xmm2"], 1.05),
    "a chain": (["movaps xmm1, xmm0", "mulps xmm1, xmm2", "movaps xmm0, xmm1"], 3.0),
    "a chain through the move": (["mov rax, rbx", "add rax, rcx", "imul rbx, rax"], 4.0),
    "slots": (["mov rax, rbx", "shl rax, 3", "mov rdx, rbx", "shl rdx, 3"], 1.5),
}


@pytest.mark.parametrize(("lines", "cycles"), PAIRS.values(), ids=PAIRS.keys())
def test_an_operation_that_shares_the_slot_of_a_move_is_executed(lines: list[str], cycles: float) -> None:
    """Timed on a Granite Rapids as loops: 4.00, 1.05, 2.98, 4.00, 1.49."""
    found = _core.simulate(load_machine("granite_rapids").core, assembled("x86", looped("x86", lines)), "loop")
    assert found.cycles_per_iteration == pytest.approx(cycles, abs=0.01)


def test_copies_are_joined_as_they_come_from_the_loop_buffer_only() -> None:
    """200 such pairs in a loop took 0.35 cycles a pair, 768 after each other 0.36: two slots of six."""
    pairs = [line for i in range(8) for line in (f"mov r{8 + i % 7}, rbx", f"add r{8 + i % 7}, rcx")]
    core = load_machine("granite_rapids").core
    loop, copies = (
        _core.simulate(core, assembled("x86", lines), mode).cycles_per_iteration
        for lines, mode in ((looped("x86", pairs), "loop"), (pairs, "unroll"))
    )
    assert loop == pytest.approx(1.8, abs=0.05)  # measured: 1.80
    assert copies >= 16 / 6
