"""Loads that meet in the banks of the first-level cache: bounds and simulation agree with what was timed."""

from __future__ import annotations

import pytest

from corecast import Kernel, _core
from corecast.errors import MachineModelError
from corecast.machine import Machine, load_machine, variant


def cycles(machine: Machine, text: str) -> tuple[float, float]:
    """Bound and simulated cycles of unrolled lines."""
    instructions = list(Kernel.from_text(text, isa="x86").instructions)
    bound = max(_core.analyze(machine.core, instructions, "unroll").bounds.values())
    return bound, _core.simulate(machine.core, instructions, "unroll").cycles_per_iteration


def loads(mnemonic: str, registers: tuple[str, ...], offsets: tuple[int, ...]) -> str:
    return "\n".join(f"{mnemonic} {at}(%rsi), %{name}" for name, at in zip(registers, offsets, strict=True))


QUADWORDS = ("rax", "rcx", "rdx")
DOUBLEWORDS = ("eax", "ecx", "edx")
BYTES = ("eax", "ecx", "edx")


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (loads("movq", QUADWORDS, (0, 0x40, 0x80)), 1.5),
        (loads("movq", QUADWORDS, (0, 0x40, 0x88)), 1.0),
        (loads("movl", DOUBLEWORDS, (0, 4, 0x40)), 1.0),
        (loads("movl", DOUBLEWORDS, (0, 0, 0x40)), 1.5),
        (loads("movzbl", BYTES, (0, 1, 2)), 1.5),
        (loads("movzbl", BYTES, (0, 1, 4)), 1.0),
        ("vmovdqu (%rsi), %xmm0\nvmovdqu 16(%rsi), %xmm1\nvmovdqu 32(%rsi), %xmm2", 1.0),
        ("movq (%rsi), %rax\nmovq 64(%rdi), %rcx\nmovq 128(%rbx), %rdx", 1.5),
    ],
)
def test_a_bank_serves_two_loads_a_cycle(text: str, measured: float) -> None:
    assert cycles(load_machine("granite_rapids"), text) == pytest.approx((measured, measured), abs=0.01)


def test_loads_that_advance_find_other_banks_in_other_iterations() -> None:
    machine = load_machine("granite_rapids")
    stepping = loads("movq", QUADWORDS, (0, 0x40, 0x80)) + "\nlea {step}(%rsi), %rsi"
    assert cycles(machine, stepping.format(step=8)) == pytest.approx((1.0, 1.0), abs=0.02)
    assert cycles(machine, stepping.format(step=64)) == pytest.approx((1.5, 1.5), abs=0.02)


def test_a_misaligned_load_reads_both_banks() -> None:
    machine = load_machine("granite_rapids")
    assert cycles(machine, loads("movl", DOUBLEWORDS, (2, 0x40, 0x84)))[1] == pytest.approx(1.0, abs=0.01)
    assert cycles(machine, loads("movl", DOUBLEWORDS, (2, 0x40, 0x80)))[1] == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize(("key", "value", "expected"), [("bank_reads", 1, 3.0), ("bank_bytes", 0, 1.0)])
def test_what_a_bank_serves_is_the_models_figure(key: str, value: int, expected: float) -> None:
    machine = variant(load_machine("granite_rapids"), {f"loads.{key}": value})
    text = loads("movq", QUADWORDS, (0, 0x40, 0x80))
    assert cycles(machine, text) == pytest.approx((expected, expected), abs=0.01)


@pytest.mark.parametrize("cpu", ["zen4", "a64fx"])
def test_late_binding_and_other_policies_know_banks(cpu: str) -> None:
    """Two ports of loads and banks of one read: half as many."""
    machine = variant(load_machine(cpu), {"loads.bank_bytes": 4, "loads.bank_reads": 1})
    text = "ldr x1, [x2]\nldr x3, [x2, 64]" if cpu == "a64fx" else "movq (%rsi), %rax\nmovq 64(%rsi), %rcx"
    instructions = list(Kernel.from_text(text, isa="aarch64" if cpu == "a64fx" else "x86").instructions)
    simulated = _core.simulate(machine.core, instructions, "unroll").cycles_per_iteration
    assert simulated == pytest.approx(2.0, abs=0.01)


def test_a_bank_that_serves_nothing_is_refused() -> None:
    with pytest.raises(MachineModelError, match=r"loads\.bank_reads"):
        variant(load_machine("granite_rapids"), {"loads.bank_reads": 0})
