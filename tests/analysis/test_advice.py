"""Advice says what more accumulators and other ports bring, and the analysis of the changed code agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.analysis import analyze_kernel
from corecast.analysis.advice import Advice
from corecast.analysis.equivalents import equivalents
from corecast.api import analyze_region
from corecast.asm import Kernel, RegionOptions
from corecast.asm.code import Isa
from corecast.machine import Machine, load_machine, variant

MATVEC = (Path(__file__).resolve().parents[2] / "examples" / "matvec.s").read_text(encoding="utf-8")
"""Listings 7 and 12 of the Kunpeng 920 paper."""


def advice(kernel: Kernel, machine: Machine) -> Advice:
    found = analyze_region(kernel, machine).advice
    assert found is not None
    return found


def loop(text: str, isa: Isa) -> Kernel:
    return Kernel.from_text(text, RegionOptions(isa=isa, syntax="intel" if isa == "x86" else None))


def kunpeng(number: str, ports: str) -> Advice:
    """The paper's machine description binds mla to one unit; measurement found that two can do it."""
    machine = variant(load_machine("tsv110"), {"ports:mla*": ports})
    return advice(Kernel.from_text(MATVEC, RegionOptions(isa="aarch64", loop=number)), machine)


def test_the_kunpeng_papers_first_step_is_eight_accumulators() -> None:
    found = kunpeng("1", "2*FSU1").accumulators
    assert found is not None
    assert (found.latency_cycles, found.issue_cycles, found.to_fill_units) == (8, 2, 4)
    assert {each.times: each.cycles for each in found.unrolled} == {2: 8, 4: 8}
    both = kunpeng("1", "2*F").accumulators
    assert both is not None
    assert both.to_fill_units == 8


def test_the_kunpeng_papers_second_step_is_the_other_unit() -> None:
    found = kunpeng("2", "2*FSU1").balance
    assert found is not None
    assert (found.ports, found.idle_ports) == (("FSU1",), ("FSU2",))
    assert found.shared_cycles == pytest.approx(9, abs=0.5)
    assert kunpeng("2", "2*F").balance is None


def test_an_unrolled_loop_takes_what_was_promised() -> None:
    machine = load_machine("skylake_x")
    body = "vmovupd ymm{t}, [rsi+{d}]\nvfmadd231pd ymm{a}, ymm{t}, [rdi+{d}]\n"
    counting = "add rsi, {s}\nadd rdi, {s}\ncmp rsi, rdx\njne a\n"
    found = advice(loop("a:\n" + body.format(t=15, a=0, d=0) + counting.format(s=32), "x86"), machine).accumulators
    assert found is not None
    assert found.unroll == 4
    for each in found.unrolled:
        copies = "".join(body.format(t=15, a=n, d=32 * n) for n in range(each.times))
        unrolled = loop("a:\n" + copies + counting.format(s=32 * each.times), "x86")
        assert analyze_kernel(unrolled, machine).prediction.cycles_per_iteration == pytest.approx(each.cycles)


def test_several_sums_are_unrolled_together() -> None:
    text = "a:\nldp d4, d5, [x0], #16\nfadd d0, d0, d4\nfadd d1, d1, d5\nsubs x1, x1, #1\nb.ne a"
    found = advice(loop(text, "aarch64"), load_machine("neoverse_n1")).accumulators
    assert found is not None
    assert found.chosen.cycles_per_iteration == pytest.approx(found.chosen.cycles / found.unroll)


@pytest.mark.parametrize(
    ("text", "isa", "cpu"),
    [
        ("a:\nvfmadd213sd xmm0, xmm1, [rsi]\nadd rsi, 8\njnz a", "x86", "skylake_x"),  # Horner's rule
        ("a:\nvdivsd xmm0, xmm0, [rsi]\nadd rsi, 8\njnz a", "x86", "skylake_x"),
        ("a:\nvmulsd xmm0, xmm0, xmm0\nadd rsi, 8\njnz a", "x86", "skylake_x"),
        ("a:\nvsubsd xmm0, xmm1, xmm0\nadd rsi, 8\njnz a", "x86", "skylake_x"),  # changes its sign each time
        ("a:\nmov rax, [rax]\ntest rax, rax\njnz a", "x86", "skylake_x"),
        ("a:\nld1d {z1.d}, p0/z, [x0]\nfadda d0, p0, d0, z1.d\nsubs x1, x1, #1\nb.ne a", "aarch64", "a64fx"),
    ],
)
def test_other_recurrences_are_no_sums(text: str, isa: Isa, cpu: str) -> None:
    assert advice(loop(text, isa), load_machine(cpu)).accumulators is None


def test_an_instruction_that_does_the_same_elsewhere_is_named() -> None:
    text = "a:\n" + "".join(f"vandps ymm{n}, ymm{n}, ymm8\n" for n in range(6)) + "dec rax\njnz a"
    machine = load_machine("haswell")  # and of floats: port 5 alone
    kernel = loop(text, "x86")
    assert analyze_kernel(kernel, machine).prediction.cycles_per_iteration == 6
    found = advice(kernel, machine).balance
    assert found is not None
    assert {each.mnemonic for each in found.exchanges} == {"vpand"}
    rewritten = text.splitlines()
    for each in found.exchanges:
        rewritten[each.instruction + 1] = rewritten[each.instruction + 1].replace("vandps", "vpand")
    after = analyze_kernel(loop("\n".join(rewritten), "x86"), machine).prediction
    assert after.cycles_per_iteration == pytest.approx(found.exchanged_cycles)
    assert after.cycles_per_iteration < 3


def test_equivalents_are_mutual() -> None:
    for name in ("vandps", "pxor", "vunpcklps", "vpermpd"):
        assert equivalents(name)
        assert all(name in equivalents(other) for other in equivalents(name))
    assert equivalents("vaddps") == ()
