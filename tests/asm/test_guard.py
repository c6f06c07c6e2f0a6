"""Text that LLVM's parsers would die of."""

from __future__ import annotations

import pytest

from corecast.asm.guard import harmless
from corecast.asm.text import read_text


@pytest.mark.parametrize(
    "line",
    [
        "mov eax, 5/0",
        "mov eax, [rax + 24%0]",
        "mov eax, 5 mod 0",
        "mov eax, 5 / (1-1)",
        "mov eax, (-9223372036854775807-1)/-1",
        "mov eax, 5/z",
    ],
)
def test_divisions_in_intel_syntax_do_no_harm(line: str) -> None:
    code = read_text(f".intel_syntax noprefix\n.set z, 0\nnop\n{line}\n")
    assert [instruction.unknown for instruction in code.instructions] == [False, True]
    assert line in code.problems[0][1]


@pytest.mark.parametrize("isa", ["x86", "aarch64", "riscv64"])
def test_the_one_quotient_that_does_not_fit_does_no_harm(isa: str) -> None:
    code = read_text("nop\n.byte (-9223372036854775807-1)/-1\n", isa=isa)  # type: ignore[arg-type]
    assert code.problems


@pytest.mark.parametrize(
    "text",
    ["mov eax, 64/8", "mov eax, 64/(8*4)", "mov eax, 7 mod 4 // x", "lea rax, [rbx + 16/4] /* a */", "movq %rax, %rbx"],
)
def test_what_is_safe_stays_in_intel_syntax(text: str) -> None:
    assert harmless(text, intel=True) == text


@pytest.mark.parametrize(
    "text", ["ld1d {z0.d}, p0/z, [x0]", "movq %rax, -8(%rsp)", "addi a0, a0, %lo(x)", ".byte 64/(4*N)"]
)
def test_what_is_safe_stays_elsewhere(text: str) -> None:
    assert harmless(text, intel=False) == text


@pytest.mark.parametrize("operand", ["1" * 200_000, "(" * 10_000, "-" * 10_000, "[" * 10_000, "-(" * 5000])
def test_endless_lines_are_left_out_and_told(operand: str) -> None:
    code = read_text(f"nop\nmov eax, {operand}\n", isa="x86")
    assert len(code.instructions) == 1
    assert "left out" in code.problems[0][1]


def test_long_names_are_read() -> None:
    code = read_text(f"call {'_Z' + 'a' * 5000}\n.byte {'-1,' * 700}0\n", isa="x86")
    assert not code.problems
