"""Kernels compiled for SVE and RVV: every core with vectors knows what compilers write for them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from corecast import _core
from corecast.machine import load_machine

KERNELS = Path(__file__).parent.parent / "data" / "machine"
SVE = ("a64fx", "neoverse_n2", "neoverse_v1", "neoverse_v2", "neoverse_v3")
RVV = ("sifive_p670", "sifive_x280", "spacemit_x60")
EARLY_RVV = ("xuantie_c910", "xuantie_c920")
FILES = ("scalable", "ordered")


@cache
def kernels(isa: str, file: str) -> list[_core.Instruction]:
    listing = _core.assemble(isa, (KERNELS / file).read_text(encoding="utf-8"))
    assert listing.problems == []
    return list(listing.instructions)


def vectors(instructions: list[_core.Instruction]) -> int:
    return sum(instruction.form.startswith("v") or " z." in instruction.form for instruction in instructions)


@pytest.mark.parametrize(
    ("isa", "name", "file"),
    [
        *(("aarch64", name, f"kernels_sve_{file}.s") for name in SVE for file in (*FILES, "512")),
        *(("riscv64", name, f"kernels_rvv_{file}.s") for name in RVV for file in (*FILES, "256")),
    ],
)
def test_every_instruction_has_a_cost(isa: str, name: str, file: str) -> None:
    machine, instructions = load_machine(name), kernels(isa, file)
    assert vectors(instructions) > 90
    unknown = [i.form for i in instructions if machine.core.lookup(i)[0] == "unknown"]
    assert unknown == []


@pytest.mark.parametrize("name", EARLY_RVV)
def test_cores_with_version_0_7_1_refuse_the_vsetvli_of_version_1_0(name: str) -> None:
    machine, instructions = load_machine(name), kernels("riscv64", "kernels_rvv_scalable.s")
    (first, *_) = [i for i in instructions if machine.core.lacks(i)]
    assert first.mnemonic == "vsetvli"
    assert machine.core.lacks(first).startswith("V 1.0")
    executed = [i for i in instructions if not machine.core.lacks(i)]
    assert vectors(executed) > 50
    assert [i.form for i in executed if machine.core.lookup(i)[0] == "unknown"] == []
