"""Mixes as the loops that were timed: which registers and addresses they have."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from accuracy.mixes import loop
from corecast.asm import Kernel
from corecast.machine.types import Isa
from intervals.measured import MeasuredSet


def test_what_is_written_turns_through_the_registers_and_reads_follow() -> None:
    lines = loop(
        "add x1, x13, x14; fmla v1.2d, v20.2d, v21.d[0]; ldr x2, [x19, #16]; fadd s2, s22, s23", "aarch64"
    ).text
    assert lines.splitlines()[2:11] == [
        "add x2, x3, x4",
        "fmla v0.2d, v1.2d, v2.d[0]",
        "ldr x3, [x28, #16]",
        "fadd s1, s2, s3",
        "add x4, x5, x6",
        "fmla v2.2d, v3.2d, v4.d[0]",
        "ldr x5, [x28, #16]",
        "fadd s3, s4, s5",
        "add x6, x7, x8",
    ]


def test_a_loop_has_fifty_instructions_or_more_in_whole_copies() -> None:
    found = loop("add x1, x13, x14; add x2, x15, x16; add x3, x13, x14", "aarch64")
    assert found.copies == 17
    assert len(Kernel.from_text(found.text, isa="aarch64").instructions) == 17 * 3 + 3


def test_x86_accesses_go_to_other_lines_until_a_page_is_full() -> None:
    found = loop("VPADDD ymm1, ymm11, ymmword ptr [r15 + 64]; OR rbx, r13", "x86")
    lines = found.text.splitlines()[3:]
    assert lines[:4] == [
        "vpaddd ymm0, ymm1, ymmword ptr [r14 + 64]",
        "or rbx, rsi",
        "vpaddd ymm1, ymm2, ymmword ptr [r14 + 128]",
        "or rsi, rdi",
    ]
    assert lines[-2:] == ["sub r15, 1", "jnz 1b"]
    many = loop("; ".join(["mov rbx, qword ptr [r15 + 64]"] * 65), "x86").text.splitlines()[3:]
    assert many[62].endswith("[r14 + 4032]")
    assert many[63].endswith("[r14 + 64]")


@pytest.mark.parametrize(
    "instructions",
    [
        (
            "SHLD qword ptr [r15 + 64], r13, 3",
            "VSQRTPD ymm1, ymm14",
            "MOV rcx, 0x1234567812345678",
            "LEA rdx, [r15 + 128]",
            "CMP byte ptr [r15 + 192], 3",
        ),
        (
            "VINSERTF128 ymm1, ymm11, xmmword ptr [r15 + 64], 3",
            "VPBLENDVB ymm2, ymm12, ymm13, ymm14",
            "BSF r8, r12",
            "TEST r13, r14",
            "NOT rbx",
        ),
    ],
)
def test_x86_mixes_stay_legal(instructions: tuple[str, ...]) -> None:
    kernel = Kernel.from_text(loop("; ".join(instructions), "x86").text, isa="x86")
    assert len(kernel.instructions) == 52


@pytest.mark.parametrize(
    ("isa", "mix", "closing"),
    [
        ("aarch64", "add x1, x13, x14; fadd s2, s22, s23", ["cmp", "b"]),
        ("x86", "OR rbx, r13; NOT rbx", ["sub", "jne"]),
    ],
)
def test_a_set_of_mixes_has_the_instructions_that_close_the_loops(
    isa: Isa, mix: str, closing: list[str], tmp_path: Path
) -> None:
    """They were timed, too; encoded blocks of AArch64 are not closed otherwise. Single instructions are left out."""
    single = mix.partition(";")[0]
    (tmp_path / "mixes.csv").write_text(f'n_insn,asm,cycles\n2,"{mix}",2\n1,"{single}",1\n', encoding="utf-8")
    part = MeasuredSet("some_core", "loop", "mixes.csv", text="asm", is_of_mixes=True, own_branches=True)
    (block,) = part.blocks(tmp_path, isa)
    assert block.cycles == 25 * 2
    mnemonics = [each.mnemonic.partition(".")[0] for each in Kernel.from_hex(block.hex, isa).instructions]
    assert mnemonics[-2:] == closing
    cases = part.cases(tmp_path, isa)
    assert (cases.codes, list(cases.measured)) == ([block.hex], [50.0])
