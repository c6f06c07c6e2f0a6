"""Zen 4's op cache and dispatch, as loops on an EPYC 9004 take them: entries, constants, NOPs."""

from __future__ import annotations

from pathlib import Path

import pytest

import corecast
from corecast import _core
from corecast.errors import MachineModelError
from corecast.machine import load_machine, variant

MOVES = ("89c8", "89ca", "89ce")  # mov eax, ecx; mov edx, ecx; mov esi, ecx: renamed away
WIDE = ("bb78563412", "bd78563412", "bf78563412", "8b842410020000", "8b942410020000", "8bb42410020000")


def moves(count: int) -> str:
    return "".join(MOVES[number % 3] for number in range(count))


def wide(count: int) -> str:
    """Three immediates and three displacements of 32 bits."""
    return "".join(WIDE[:count])


def predicted(code: str, address: int = 0) -> tuple[float, float]:
    """Simulated and bound, of the loop that `dec; jnz` closes."""
    simulated = corecast.predict([code], "zen4", mode="loop", method="simulate", addresses=[address])
    bound = corecast.predict([code], "zen4", mode="loop", method="bounds", addresses=[address])
    return float(simulated.cycles[0]), float(bound.cycles[0])


@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        (moves(8), 1.5),  # nine macro-ops are one entry, ten are two
        (moves(9), 2.0),
        (moves(5) + wide(3), 1.5),  # nine go with three wide constants
        (moves(4) + wide(4), 2.0),
        (moves(3) + wide(4), 4 / 3),  # eight with four
        (moves(2) + wide(5), 2.0),
        (moves(1) + wide(5), 7 / 6),  # seven with all that go into an entry
        (wide(6), 7 / 6),
        ("8b442410" * 3 + "83f978" * 2 + moves(3), 1.5),  # six constants of a byte with the branch's go with nine
        ("8b442410" * 3 + "83f978" * 3 + moves(2), 2.0),
    ],
)
def test_an_entry_holds_macro_ops_and_constants(code: str, cycles: float) -> None:
    assert predicted(code) == pytest.approx((cycles, cycles), abs=0.02)


@pytest.mark.parametrize(
    ("count", "address", "cycles"),
    [
        (11, 60, 2.0),  # two in the first line, ten in the second
        (16, 60, 17 / 6),
        (4, 60, 2.0),  # each line takes a cycle
    ],
)
def test_entries_go_on_from_line_to_line(count: int, address: int, cycles: float) -> None:
    assert predicted(moves(count), address) == pytest.approx((cycles, cycles), abs=0.02)


@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        ("837c241078" * 3, 4 / 3),  # cmp dword ptr [rsp + 16], 120: two constants each, six are passed on a cycle
        ("833c2478" * 4, 5 / 3),  # cmp dword ptr [rsp], 120: relative to the stack pointer
        ("837c241078" * 4, 2.0),  # nine constants with the branch's are two entries
    ],
)
def test_constants_limit_what_is_renamed(code: str, cycles: float) -> None:
    simulated, bound = predicted(code)
    assert simulated == pytest.approx(cycles, abs=0.02)
    assert cycles - 0.2 < bound <= cycles + 0.001


@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        ("90" * 12, 7 / 6),  # pairs
        ("90" + moves(3) * 1 + moves(4), 1.5),  # the move behind takes a slot of its own
        (moves(1) + "90" + moves(6), 4 / 3),
        ("660fefc090" * 5, 2.0),  # pxor xmm0, xmm0: not behind vectors
    ],
)
def test_a_nop_takes_no_slot_behind_general_instructions(code: str, cycles: float) -> None:
    assert predicted(code) == pytest.approx((cycles, cycles), abs=0.02)


def test_a_nop_in_a_slot_leaves_the_ports_alone() -> None:
    machine = load_machine("zen4")
    code = _core.disassemble("x86", bytes.fromhex("01d89001d990")).instructions  # add eax, ebx; nop; add ecx, ebx; nop
    analysis = _core.analyze(machine.core, code, "loop")
    assert [each.fused_second for each in analysis.instructions] == [False, True, False, True]
    assert analysis.frontend.fused_uops == 2
    assert sum(sum(each) for each in analysis.balanced.pressure) == pytest.approx(2)
    alone = variant(machine, {"rules": [rule for rule in machine.pipeline["rules"] if rule["effect"] != "absorb"]})
    assert _core.analyze(alone.core, code, "loop").frontend.fused_uops == 4


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rules.0.effect", "ful", "rules.0.effect must be fuse, absorb, delay, rename_memory or supply_cost"),
        ("uop_cache.entry_limits", [{"uops": 9}], "entry_limits.0.constants is missing"),
        (
            "uop_cache.entry_limits",
            [{"uops": 9, "constants": 6, "wide_constants": 3}, {"uops": 8, "constants": 8, "wide_constants": 4}],
            "in ascending order",
        ),
        ("rename.constants_per_cycle", 0, "constants_per_cycle must be a number above 0"),
    ],
)
def test_wrong_values_are_named(tmp_path: Path, key: str, value: object, message: str) -> None:
    with pytest.raises(MachineModelError, match=message):
        variant(load_machine("zen4"), {key: value})


@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        ("b801000000" * 4, 1.25),  # four moves of an immediate, and dec with jnz: four ALUs
        ("480f42c3480f42cb" + "ba01000000", 1.5),  # two cmovc, a move: the pair runs where cmovc does
        ("480f42c3480f42cb480f42d3", 2.0),
        ("0f92c0" + "b901000000" * 2, 1.0),
        ("83c00183c10183c201", 1.0),  # chains that keep all ALUs busy do so
    ],
)
def test_a_pair_that_writes_a_register_needs_an_alu(code: str, cycles: float) -> None:
    assert predicted(code) == pytest.approx((cycles, cycles), abs=0.02)


@pytest.mark.parametrize(
    ("load", "cycles"),
    [
        ("48635500", 1.25),  # movsxd rdx, [rbp]
        ("0fbe5500", 1.25),  # movsx edx, byte ptr [rbp]
        ("8a5500", 1.25),  # mov dl, [rbp]: the rest of the register stays
        ("0fb65500", 1.0),  # movzx edx, byte ptr [rbp]
        ("8b5500", 1.0),
    ],
)
def test_loads_that_extend_or_merge_take_an_alu(load: str, cycles: float) -> None:
    assert predicted("b801000000" * 3 + load) == pytest.approx((cycles, cycles), abs=0.02)


@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        ("4883ec084c89ca4c89d14c89df4c89e6", 1.2),  # sub rsp, 8; four moves: two slots, which are not divided
        ("4883eb084c89ca4c89d14c89df4c89e6", 1.0),  # sub rbx, 8
        ("53488b4424084c89ca4c89d14c89df4c89e64c89e5", 4 / 3),  # push rbx; mov rax, [rsp + 8]; five moves: eight slots
        ("50488d642408", 1.0),  # push rax; lea rsp, [rsp + 8]
        ("504883ec08", 2.0),  # push rax; sub rsp, 8
        ("5b5d5e5f41584159", 2.0),  # six pops
        ("53555657", 2.0),  # four pushes
    ],
)
def test_the_stack_pointer(code: str, cycles: float) -> None:
    """As measured; the bound does not know of slots that are left empty."""
    simulated, bound = predicted(code)
    assert simulated == pytest.approx(cycles, rel=0.03)
    assert bound <= simulated + 0.001
    assert bound == pytest.approx(cycles, rel=0.03)
