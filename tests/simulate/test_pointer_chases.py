"""Loads beyond the first-level cache: a pointer chase takes their latency on every core, with every method."""

from __future__ import annotations

import pytest

from corecast.analysis import analyze_kernel
from corecast.analysis.work.memory import latency_settings, levels_of, load_latencies
from corecast.asm import Kernel
from corecast.machine import Machine, list_machines, load_machine, variant
from corecast.simulate import simulate_kernel

CORES = sorted(info.name for info in list_machines())
LOOPS = {
    "x86": "a:\n{}\ndec %rcx\njne a",
    "aarch64": "a:\n{}\nsubs x9, x9, #1\nb.ne a",
    "riscv64": "a:\n{}\naddi a5, a5, -1\nbnez a5, a",
}
CHASES = {
    "x86": ("mov (%rax), %rax", "mov 8(%rax), %rax", "mov 4096(%rax), %rax", "movslq (%rax), %rax"),
    "aarch64": ("ldr x0, [x0]", "ldr x0, [x0, #8]", "ldr x0, [x1, x0]", "ldp x0, x3, [x0]"),
    "riscv64": ("ld a0, 0(a0)", "ld a0, 8(a0)"),
}
THROUGH_AN_ADDITION = {
    "x86": "mov (%rax), %rax\nadd $8, %rax",
    "aarch64": "ldr x0, [x0]\nadd x0, x0, #8",
    "riscv64": "ld a0, 0(a0)\naddi a0, a0, 8",
}
UPDATE_OF_MEMORY = {
    "x86": "mov (%rax), %rbx\nadd $8, %rbx\nmov %rbx, (%rax)",
    "aarch64": "ldr x1, [x0]\nadd x1, x1, #8\nstr x1, [x0]",
    "riscv64": "ld a1, 0(a0)\naddi a1, a1, 8\nsd a1, 0(a0)",
}
BASE = {"x86": "rax", "aarch64": "x0", "riscv64": "a0"}


def cycles(body: str, machine: Machine, *memory: str) -> tuple[float, float]:
    """By the bounds and simulated."""
    kernel = Kernel.from_text(LOOPS[machine.isa].format(body), isa=machine.isa)
    late = variant(machine, latency_settings(load_latencies(memory, machine)))
    return analyze_kernel(kernel, late).dependencies.bound, simulate_kernel(kernel, late).cycles_per_iteration


@pytest.mark.parametrize("cpu", CORES)
def test_a_pure_chase_takes_the_latency_given(cpu: str) -> None:
    machine = load_machine(cpu)
    for chase in CHASES[machine.isa]:
        for given in (20, 100, 1000):
            bounded, simulated = cycles(chase, machine, str(given))
            assert given <= bounded <= given + 1, chase
            assert given <= simulated <= given + 1, chase


@pytest.mark.parametrize("cpu", CORES)
def test_so_does_a_chase_by_its_register_or_by_shares(cpu: str) -> None:
    machine = load_machine(cpu)
    near = cycles(CHASES[machine.isa][0], machine)
    for chase in CHASES[machine.isa][:2]:
        assert cycles(chase, machine, f"{BASE[machine.isa]}=100") == pytest.approx((100, 100))
        shared = cycles(chase, machine, "l1:0.5,100:0.5")
        assert shared[0] == pytest.approx((near[0] + 100) / 2)
        assert shared[1] == pytest.approx((near[1] + 100) / 2, rel=0.02)


@pytest.mark.parametrize("cpu", CORES)
def test_work_on_the_pointer_comes_on_top(cpu: str) -> None:
    """An addition of a constant costs at most its cycle; renamers may join it to the load."""
    machine = load_machine(cpu)
    for found in cycles(THROUGH_AN_ADDITION[machine.isa], machine, "100"):
        assert 100 <= found <= 102


@pytest.mark.parametrize("cpu", CORES)
def test_data_that_a_store_left_do_not_come_from_afar(cpu: str) -> None:
    machine = load_machine(cpu)
    for found in cycles(UPDATE_OF_MEMORY[machine.isa], machine, "1000"):
        assert found < 100


@pytest.mark.parametrize("cpu", CORES)
def test_levels_lie_behind_each_other(cpu: str) -> None:
    machine = load_machine(cpu)
    chase = CHASES[machine.isa][0]
    found = [cycles(chase, machine, name) for name in ("l1", *levels_of(machine))]
    for each in zip(*found, strict=True):
        assert list(each) == sorted(set(each))
