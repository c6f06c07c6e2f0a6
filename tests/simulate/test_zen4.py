"""Zen 4: loops that were timed on an EPYC 9004, each for one rule (pipeline facts AM-32 to AM-35)."""

from __future__ import annotations

import pytest

import corecast
from corecast import _core
from corecast.machine import load_machine, variant

ADDITIONS = "add r8, 8\nadd r9, 8\nadd r10, 8\n"


def cycles(text: str, settings: dict[str, object] | None = None, method: str = "simulate") -> float:
    listing = _core.assemble("x86", text, "intel")
    assert not listing.problems
    code = "".join(bytes(each.bytes).hex() for each in listing.instructions)
    machine = variant(load_machine("zen4"), settings or {})  # type: ignore[arg-type]
    return float(corecast.predict([code], machine, mode="loop", method=method).cycles[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (ADDITIONS + "lea rdi, [r10 + rbx]\n", 2.0),
        (ADDITIONS + "lea rdi, [r8 + rbx]\n", 1.25),
        ("add r8, 8\nadd r9, 8\nlea rdi, [r9 + rbx]\nadd r10, 8\n", 1.75),
        ("add r8, 8\nadd r9, 8\nlea rdi, [r9 + rbx]\n", 1.0),
        ("add r8, 8\n" + "lea rdi, [r8 + rbx]\n" * 3, 1.75),
        (ADDITIONS + "add r11, 8\n", 1.25),
        ("lea eax, [rbx + rcx]\n" * 5, 1.5),
    ],
)
def test_operations_are_spread_over_schedulers(text: str, measured: float) -> None:
    """An older use of a sum keeps the next addition of the same scheduler waiting; with the loop's `dec` there are five
    operations for four, so that they change schedulers from turn to turn."""
    assert cycles(text) == pytest.approx(measured, abs=0.02)


def test_a_group_waits_for_room_in_all_of_its_schedulers() -> None:
    """24 multiplications wait for a slow value in the only scheduler that has their ALU; behind one more all waits."""
    slow = "vdivsd xmm5, xmm5, xmm6\n" * 8 + "vmovq rax, xmm5\n"
    chain = "vaddsd xmm0, xmm0, xmm1\n" * 30 + "lfence\n"
    room = cycles(slow + "imul ecx, eax, 1\n" * 23 + chain)
    none = cycles(slow + "imul ecx, eax, 1\n" * 26 + chain)
    assert none > room + 50


def test_without_the_rule_any_scheduler_takes_several() -> None:
    text = ADDITIONS + "lea rdi, [r10 + rbx]\n"
    assert cycles(text, {"rename.spread_ports": []}) != pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(
    ("beside", "measured"),
    [("add rbx, 1", 2.0), ("lea ebx, [rsi + 1]", 1.5), ("imul ebx, esi, 3", 1.0), ("nop", 1.0), ("test esi, esi", 1.0)],
)
def test_results_of_vectors_take_the_way_of_one_alu(beside: str, measured: float) -> None:
    text = f"movd eax, xmm0\n{beside}\n"
    assert cycles(text) == pytest.approx(measured, abs=0.03)
    assert cycles(text, {"ports.vector_result_port": "FP0"}) == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("method", ["bounds", "simulate"])
@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("mov [rsi + 28], rax\n", 1.0),
        ("mov [rsi + 28], rax\nmov [rsi + 8], rbx\n", 2.0),
        ("mov [rsi + 28], rax\nmov [rsi + 16], rbx\n", 1.0),
        ("mov [rsi + 28], rax\nmov [rsi + 40], rbx\n", 1.0),
        ("mov [rsi + 28], rax\nmov [rsi + 48], rbx\n", 2.0),
        ("movups [rsi + 24], xmm0\n", 2.0),
        ("movups [rsi + 8], xmm0\nmovups [rsi + 24], xmm0\n", 2.0),
        ("movups [rsi + 24], xmm0\nmov [rsi + 40], rax\n", 2.0),
        ("vmovups [rsi + 16], ymm0\nmov [rsi], rax\n", 2.0),
    ],
)
def test_stores_across_a_border(text: str, measured: float, method: str) -> None:
    assert cycles(text, method=method) == pytest.approx(measured, abs=0.02)
