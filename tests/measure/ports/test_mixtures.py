"""Kernels that mix forms: nobody waits for anybody."""

from __future__ import annotations

import pytest

from corecast.errors import InputError
from corecast.measure.plan.ports.mixtures import Part, mixture
from corecast.measure.plan.ports.templates import template


def part(key: str, count: int, targets: int = 1, isa: str = "x86") -> Part:
    return Part(template(key, isa), count, targets)  # type: ignore[arg-type]


def test_parts_are_spread_evenly() -> None:
    kernel = mixture([part("imul r64, r64, i8", 6), part("vaddps xmm, xmm, xmm", 2, 2)])
    names = [text.split()[0] for text in kernel.texts]
    assert names == ["imul", "vaddps", "imul", "imul", "imul", "vaddps", "imul", "imul"] or names.count("vaddps") == 2
    first, second = (index for index, name in enumerate(names) if name == "vaddps")
    assert second - first == 4


def test_nobody_reads_what_another_instance_writes() -> None:
    kernel = mixture([part("vpshufb xmm, xmm, xmm", 4), part("vfmadd231ps xmm, xmm, xmm", 3, 3)])
    operands = [text.replace(",", "").split()[1:] for text in kernel.texts]
    written = {each[0] for each in operands}
    assert not written & {register for each in operands for register in each[1:]}
    assert all(len(set(each)) == 3 for each in operands)


def test_registers_that_a_form_implies_are_nobodys() -> None:
    kernel = mixture([part("shl r64, cl", 2, 2), part("andn r32, r32, r32", 8), part("mul r64", 1)])
    others = " ".join(text for text in kernel.texts if text.startswith("andn"))
    assert not {"eax", "ecx", "edx"} & set(others.replace(",", "").split())


def test_stores_share_a_line_that_nobody_loads() -> None:
    kernel = mixture([part("mov m64, r64", 12), part("mov r32, m32", 4)])
    stores = {displacement(text) for text in kernel.texts if "], " in text}
    loads = {displacement(text) for text in kernel.texts if text.endswith("]")}
    assert stores == set(range(64, 128, 8))
    assert loads == {0, 8, 16, 24}, "some cores take only two loads a cycle from one place"


def displacement(text: str) -> int:
    return int(text.split("+ ")[1].split("]")[0]) if "+" in text else 0


def test_vector_settings_that_exclude_each_other_cannot_be_mixed() -> None:
    one = part("vadd.vv v, v, v @m1,e32", 2, isa="riscv64")
    other = part("vadd.vv v, v, v @m2,e64", 2, isa="riscv64")
    with pytest.raises(InputError, match="exclude"):
        mixture([one, other])
    assert mixture([one, part("fadd.d f, f, f", 2, isa="riscv64")]).setting


def test_a_form_is_described_for_mixing() -> None:
    assert template("adc r64, r64", "x86").carried
    assert not template("cmovb r64, r64", "x86").carried
    assert template("cmovb r64, r64", "x86").reads_fixed
    assert template("setb r8", "x86").rewrites, "the rest of the register is kept"
    assert template("add m64, r64", "x86").depends
    assert template("vmovaps m128, xmm", "x86").stored_kind == "vector"


@pytest.mark.parametrize("key", ["push r64", "jne rel8", "add r64, r64 @same", "nonsense r64"])
def test_what_cannot_be_mixed_is_refused(key: str) -> None:
    with pytest.raises(InputError):
        template(key, "x86")


def test_divisions_do_not_run_to_numbers_that_take_long() -> None:
    """1 / 1 stays what it is; 1.5 / 1.5 / 1.5 ... becomes subnormal."""
    ones = 0x3F80_0000_3F80_0000
    values = mixture([part("divps xmm, xmm", 1), part("vandnps xmm, xmm, xmm", 4)]).values
    assert set(values.vector.values()) == {ones}
    assert len(values.vector) >= 16
    assert values.memory == ones


def test_every_part_gets_registers_before_any_gets_several() -> None:
    """Beside high bytes only few registers can be had, which six conditional moves would have taken."""
    kernel = mixture([part("cmova r32, r32", 16, 6), part("seto r8h", 2, 2)])
    assert {text.split()[1] for text in kernel.texts if text.startswith("seto")} <= {"ah", "bh", "ch", "dh"}
    assert len({text.split()[1] for text in kernel.texts if text.startswith("cmova")}) >= 2
