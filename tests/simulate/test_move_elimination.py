"""Moves that rename does, as long as it has slots for their copies (pipeline facts 1.14)."""

from __future__ import annotations

import pytest

from corecast import predict
from corecast.errors import MachineModelError
from corecast.machine import load_machine, variant

FREED = "rename.move_elimination_gpr_slot_freed"


def cycles(code: str, mode: str, freed: str) -> float:
    machine = variant(load_machine("skylake_x"), {FREED: freed})
    return float(predict([code], machine, mode, "simulate").cycles[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "mode", "one_left", "all_overwritten"),
    [
        # Measured on a Skylake-SP: 1.359, 2.501, 4.535 and 2.748.
        ("4c89e04829d84883f8014889c3", "loop", 1.36, 1.58),
        ("89c183e10729c848d3eb83f80f4889dd89c3", "loop", 2.50, 2.99),
        ("4d89d64c8b55b84939d24c89e14c89f74c0f4fd24b8d0452498d34c64889f2", "loop", 4.50, 4.00),
        ("89c789c148c1e81066c1ef084189c466c1e8084189fd89c53dfd3f0000", "unroll", 2.75, 2.91),
    ],
)
def test_a_slot_is_free_when_one_name_is_left(code: str, mode: str, one_left: float, all_overwritten: float) -> None:
    assert cycles(code, mode, "one_left") == pytest.approx(one_left, abs=0.01)
    assert cycles(code, mode, "all_overwritten") == pytest.approx(all_overwritten, abs=0.01)


def test_a_wrong_value_is_named() -> None:
    with pytest.raises(MachineModelError, match="must be all_overwritten, one_left or one_left_without_move"):
        variant(load_machine("skylake_x"), {FREED: "never"})
