"""Pointers that every iteration loads from the same place, where no store of the code goes, are the same pointer."""

from __future__ import annotations

import pytest

from corecast import Kernel, _core
from corecast.machine import load_machine

CHAIN = "movq 8(%rsp), %rax\n addq $1, (%rax)"


def cycles(cpu: str, text: str, mode: str = "loop") -> tuple[float, float]:
    """Bound and simulated cycles of an iteration."""
    machine = load_machine(cpu)
    isa = machine.isa
    instructions = list(Kernel.from_text(text, isa=isa).instructions)
    bound = max(_core.analyze(machine.core, instructions, mode).bounds.values())
    return bound, _core.simulate(machine.core, instructions, mode).cycles_per_iteration


def loop(body: str) -> str:
    return f".L: {body}\n dec %r15\n jne .L"


@pytest.mark.parametrize("cpu", ["skylake", "haswell", "zen1"])
def test_an_update_through_a_reloaded_pointer_is_a_chain(cpu: str) -> None:
    held = cycles(cpu, loop("addq $1, (%rax)"))
    assert held[0] > 3
    assert cycles(cpu, loop(CHAIN)) == pytest.approx(held, abs=0.01)


@pytest.mark.parametrize("cpu", ["skylake", "haswell"])
def test_pointers_through_pointers_too(cpu: str) -> None:
    body = "movq 8(%rsp), %rax\n movq 16(%rax), %rax\n addq $1, (%rax)"
    held = cycles(cpu, loop("addq $1, (%rax)"))
    assert cycles(cpu, loop(body)) == pytest.approx(held, abs=0.3)  # Skylake: fewer updates are in flight, and wait


def test_two_loads_of_one_place_give_one_pointer() -> None:
    body = "movq 8(%rsp), %rax\n movq %rcx, (%rax)\n movq 8(%rsp), %rdx\n movq (%rdx), %rcx"
    assert cycles("skylake", loop(body))[0] > 3


@pytest.mark.parametrize(
    "change",
    [
        "movq %rbx, 8(%rsp)",
        "movb %bl, 11(%rsp)",
        "addq $8, 8(%rsp)",
        "leaq 8(%rsp), %rsp",
        "vmovups %ymm0, -16(%rsp)",
    ],
    ids=["stored", "a byte of it", "updated", "another place", "among others"],
)
def test_a_pointer_that_changes_is_another_one_each_time(change: str) -> None:
    alone = cycles("skylake", loop(f"movq 8(%rsp), %rax\n {change}"))
    assert cycles("skylake", loop(f"{CHAIN}\n {change}"))[0] == pytest.approx(max(alone[0], 2.0), abs=1.01)
    assert cycles("skylake", loop(CHAIN))[0] > 4


def test_stores_beside_the_pointer_leave_it_alone() -> None:
    changed = cycles("skylake", loop(f"{CHAIN}\n movq %rbx, 16(%rsp)\n movq %rbx, (%rsp)"))
    assert changed[0] > 4


def test_the_instruction_set_does_not_matter() -> None:
    text = ".L: ldr x1, [sp, 8]\n ldr x2, [x1]\n add x2, x2, 1\n str x2, [x1]\n subs x3, x3, 1\n b.ne .L"
    held = ".L: ldr x2, [x1]\n add x2, x2, 1\n str x2, [x1]\n subs x3, x3, 1\n b.ne .L"
    assert cycles("neoverse_n1", text) == pytest.approx(cycles("neoverse_n1", held), abs=0.01)
    assert cycles("neoverse_n1", held)[0] > 3
