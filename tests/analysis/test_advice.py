"""Advice says what more accumulators and other ports bring, and the analysis of the changed code agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.analysis import AnalyzeOptions, analyze_kernel
from corecast.analysis.advice.equivalents import equivalents
from corecast.analysis.advice.reductions import Line, find_reductions
from corecast.analysis.advice.types import Advice
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


DOT = """.L3: vmovsd xmm1, [rdi+rax*8]
vfmadd231sd xmm0, xmm1, [rsi+rax*8]
inc rax
cmp rdx, rax
jne .L3"""


def dot(
    options: AnalyzeOptions | None = None, settings: dict[str, int] | None = None, cpu: str = "skylake_x"
) -> Advice:
    machine = variant(load_machine(cpu), settings or {})
    found = analyze_region(loop(DOT, "x86"), machine, options).advice
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("options", "settings", "gain"),
    [
        (None, {}, 4.0),
        (AnalyzeOptions(memory=("300",)), {}, 1.0),  # the reorder buffer binds: several bring nothing
        (None, {"reorder_buffer.entries": 16}, 1.5),
    ],
)
def test_gains_are_those_of_the_changed_code_under_the_same_options(
    options: AnalyzeOptions | None, settings: dict[str, int], gain: float
) -> None:
    found = dot(options, settings).accumulators
    assert (1.0 if found is None else found.gain) == pytest.approx(gain, abs=0.1)


@pytest.mark.parametrize("cpu", ["skylake_x", "zen4"])
def test_what_bandwidth_limits_gets_no_advice(cpu: str) -> None:
    options = AnalyzeOptions(bandwidth=("5GB/s",), clock="2.5GHz")
    assert not dot(options, cpu=cpu)


def test_what_gains_nothing_is_no_advice() -> None:
    found = dot(AnalyzeOptions(memory=("300",)), cpu="zen4").accumulators
    assert found is None or found.gain >= 1.02


def test_floating_point_is_announced_and_integers_are_exact() -> None:
    products = "a:\nimul rax, [rsi]\nadd rsi, 8\ncmp rsi, rdx\njne a"
    found = advice(loop(products, "x86"), load_machine("skylake_x")).accumulators
    assert found is not None
    assert (found.operations, found.reassociates) == (("multiply",), False)
    floats = dot().accumulators
    assert floats is not None
    assert floats.reassociates


def test_copies_are_as_many_as_there_are_registers() -> None:
    """15 of 16 registers are taken: one more accumulator fits."""
    used = "".join(f"vaddsd xmm{n}, xmm{n}, [rsi+{8 * n}]\n" for n in range(15))
    text = f"a:\n{used}add rsi, 120\ncmp rsi, rdx\njne a"
    machine = variant(load_machine("skylake_x"), {"latency:vaddsd*": 40})
    assert advice(loop(text, "x86"), machine).accumulators is None  # 15 reductions would need 15
    wide = text.replace("xmm14", "xmm16")  # AVX-512 names sixteen more
    found = advice(loop(wide, "x86"), machine).accumulators
    assert found is not None
    assert found.unroll == 2


@pytest.mark.parametrize(
    "body",
    [
        "vaddsd xmm0, xmm0, [rsi]\nvmovsd [rdi], xmm0",  # stored
        "vaddsd xmm0, xmm0, [rsi]\nvaddsd xmm2, xmm2, xmm0",  # summed
        "vaddsd xmm0, xmm0, [rsi]\nvucomisd xmm0, xmm3\nja b",  # compared
        "add rax, [rsi]\nmov rcx, [r8+rax*8]",  # an address
        "vaddsd xmm0, xmm0, [rsi]\nvmulsd xmm0, xmm0, xmm4",  # two kinds
        "paddd xmm0, [rsi]\npaddq xmm0, [rdi]",  # two widths
        "paddusb xmm0, [rsi]",  # saturates
        "add eax, [rsi]\nadd rax, [rdi]",  # carries get lost
        "lea rax, [rax+2*rax]\nadd rax, [rsi]",
        "vfmadd213sd xmm0, xmm0, [rsi]",
        "vaddsd xmm0, xmm1, xmm0\nvmovapd xmm5, xmm0\nvaddsd xmm0, xmm0, [rsi]\nvmovsd [rdi], xmm5",
    ],
)
def test_running_values_that_are_used_otherwise_are_no_reductions(body: str) -> None:
    kernel = loop(f"a:\n{body}\nadd rsi, 8\nadd rdi, 8\ncmp rsi, rdx\njne a\nb:\nret", "x86")
    found = find_reductions(Line(kernel.instructions, "x86", "ja b" in body, kernel.read_behind))
    carried = {_core.register_name("x86", each.register) for each in found}
    assert carried <= {"zmm2"}  # the sum of sums itself may be split; its operand may not


@pytest.mark.parametrize(
    ("body", "isa", "kind"),
    [
        ("mov ecx, [rsi]\ncmp eax, ecx\ncmovl eax, ecx", "x86", "max"),
        ("mov ecx, [rsi]\ncmp ecx, eax\ncmovb eax, ecx", "x86", "min"),
        ("mov ecx, [rsi]\ncmp eax, ecx\ncmovge eax, ecx", "x86", "min"),
        ("vmovupd ymm1, [rsi]\nvcmpltpd ymm2, ymm0, ymm1\nvblendvpd ymm0, ymm0, ymm1, ymm2", "x86", "max"),
        ("movdqa xmm1, [rsi]\nmovdqa xmm2, xmm1\npcmpgtd xmm2, xmm0\npand xmm1, xmm2\npandn xmm2, xmm0\n"
         "movdqa xmm0, xmm2\npor xmm0, xmm1", "x86", "max"),
        ("ldr d1, [x1]\nfcmp d1, d0\nfcsel d0, d1, d0, gt", "aarch64", "max"),
        ("ldr x2, [x1]\ncmp x2, x0\ncsel x0, x2, x0, lo", "aarch64", "min"),
        ("ldr q1, [x1]\ncmgt v2.2d, v1.2d, v0.2d\nbit v0.16b, v1.16b, v2.16b", "aarch64", "max"),
        ("ldr q1, [x1]\nfcmgt v2.2d, v0.2d, v1.2d\nbif v0.16b, v1.16b, v2.16b", "aarch64", "max"),
    ],
)  # fmt: skip
def test_compare_and_select_is_a_minimum_or_a_maximum(body: str, isa: Isa, kind: str) -> None:
    end = "add rsi, 8\ncmp rsi, rdx\njne a" if isa == "x86" else "add x1, x1, #8\nsubs x9, x9, #1\nb.ne a"
    kernel = loop(f"a:\n{body}\n{end}", isa)
    assert [each.kind for each in find_reductions(Line(kernel.instructions, isa, False))] == [kind]


def test_a_select_by_another_comparison_is_none() -> None:
    for body in ("mov ecx, [rsi]\ncmp eax, [rdi]\ncmovl eax, ecx", "mov ecx, [rsi]\ncmp eax, ecx\ncmovne eax, ecx"):
        kernel = loop(f"a:\n{body}\nadd rsi, 8\ncmp rsi, rdx\njne a", "x86")
        assert find_reductions(Line(kernel.instructions, "x86", False)) == ()


GAUSS_SEIDEL = """a:
addsd xmm0, [rdi+rax*8+8]
addsd xmm0, [rsi+rax*8]
addsd xmm0, [rdx+rax*8]
mulsd xmm0, xmm1
movsd [rdi+rax*8], xmm0
inc rax
cmp rcx, rax
jne a"""


def test_operands_that_do_not_belong_to_a_recurrence_are_combined_first() -> None:
    found = advice(loop(GAUSS_SEIDEL, "x86"), load_machine("skylake_x"))
    assert found.accumulators is None
    assert found.regrouped is not None
    assert (found.regrouped.cycles, found.regrouped.instructions) == (8, (0, 1, 2))
    assert found.regrouped.gain == pytest.approx(2)


def test_compensated_sums_keep_their_order() -> None:
    kahan = """a:
vmovsd xmm2, [rdi]
add rdi, 8
vsubsd xmm0, xmm2, xmm0
vmovapd xmm2, xmm1
vaddsd xmm1, xmm1, xmm0
vsubsd xmm2, xmm1, xmm2
vsubsd xmm0, xmm2, xmm0
cmp rax, rdi
jne a"""
    assert not advice(loop(kahan, "x86"), load_machine("skylake_x"))


def test_a_carry_that_goes_from_link_to_link_is_no_reduction() -> None:
    kernel = loop("a:\nadc rax, [rsi]\nlea rsi, [rsi+8]\ndec rcx\njne a", "x86")
    assert find_reductions(Line(kernel.instructions, "x86", False)) == ()


def test_what_is_read_behind_the_loop_is_not_split() -> None:
    """The last sum but one is returned."""
    text = "f:\nxorpd xmm0, xmm0\n.L1:\nmovapd xmm1, xmm0\naddsd xmm0, [rdi]\nadd rdi, 8\ncmp rdi, rsi\njne .L1\n"
    used = loop(text + "movapd xmm0, xmm1\nret", "x86")
    assert find_reductions(Line(used.instructions, "x86", False, used.read_behind)) == ()
    unused = loop(text + "xorpd xmm1, xmm1\nret", "x86")
    assert len(find_reductions(Line(unused.instructions, "x86", False, unused.read_behind))) == 1


def test_ways_through_a_loop_that_are_not_in_sight_forbid_advice() -> None:
    way = "mov rcx, [rdi]\ntest rcx, rcx\nje .L3\nimul rax, rcx\n.L2:\nadd rdi, 8\ncmp rdi, rsi\njne .L1\nret"
    kernel = loop(f".L1:\n{way}\n.L3:\nmov [rdx], rax\njmp .L2", "x86")
    assert kernel.skipped_blocks == 1
    assert not advice(kernel, load_machine("skylake_x"))
