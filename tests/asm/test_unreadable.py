"""Text that is not an instruction is an error that explains itself."""

from __future__ import annotations

import pytest

from corecast import analyze
from corecast.analysis import AnalyzeOptions
from corecast.asm import RegionOptions, regions_of_text
from corecast.errors import SyntaxProblem
from toy_machines import toy

LOOP = ".L1:\n\taddq $1, %rax\n{}\n\tjne .L1\n"


def refused(line: str) -> str:
    with pytest.raises(SyntaxProblem) as caught:
        analyze(LOOP.format(line), toy("toy_x86"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("vfmaddd231pd %ymm0, %ymm1, %ymm2", "'vfmaddd231pd' is not an x86 instruction (did you mean 'vfmadd231pd'?)"),
        ("frobnicate %rax", "'frobnicate' is not an x86 instruction"),
        ("lock frobnicate %rax", "'frobnicate' is not an x86 instruction"),
        ("Disassembly of section .text", "'Disassembly' is not an x86 instruction"),
        ("vaddpd %eax, %ymm0, %ymm1", "no form of 'vaddpd' takes these operands: 'vaddpd %eax, %ymm0, %ymm1'"),
        ("addq %rax", "no form of 'addq' takes these operands: 'addq %rax' (too few operands"),
    ],
)
def test_the_message_says_what_is_wrong(line: str, message: str) -> None:
    assert message in refused(line)
    assert refused(line).startswith("<text>:3: ")
    assert refused(line).endswith("; --unknown skip leaves it out")


@pytest.mark.parametrize(
    ("text", "name"), [("fmlaa v0.2d, v1.2d, v2.2d", "an AArch64"), ("vfmacd.vv v8, v9, v10", "a RISC-V")]
)
def test_every_instruction_set_has_its_name(text: str, name: str) -> None:
    from corecast.asm.unreadable import unreadable_error

    isa = "aarch64" if "AArch64" in name else "riscv64"
    good = "add x0, x0, x1" if isa == "aarch64" else "add a0, a0, a1"
    (kernel,) = regions_of_text(f"{good}\n{text}\n", "a.s", RegionOptions(isa=isa))  # type: ignore[arg-type]
    message = str(unreadable_error(kernel.unreadable, kernel.isa, "a.s"))
    assert message.startswith(f"a.s:2: '{text.split()[0]}' is not {name} instruction (did you mean '")


def test_all_lines_of_all_regions_are_named_up_to_a_limit() -> None:
    text = "".join(f".L{i}:\n\taddq $1, %rax\n\tfrob{i} %rax\n\tjne .L{i}\n" for i in range(14))
    with pytest.raises(SyntaxProblem) as caught:
        analyze(text, toy("toy_x86"))
    assert str(caught.value).startswith("<text>:3: 'frob0' ")
    assert "line 39: 'frob9' " in str(caught.value)
    assert "'frob10'" not in str(caught.value)
    assert "; and 4 more; --unknown skip leaves them out" in str(caught.value)


def test_skipping_is_said_first_and_the_rest_is_analyzed() -> None:
    result = analyze(LOOP.format("\tfrobnicate %rax"), toy("toy_x86"), AnalyzeOptions(unknown="skip"))
    assert result.warnings[0] == (
        "left out 1 line that is not an instruction, so the cycles are those of the rest: <text>:3: 'frobnicate %rax'"
    )
    assert result.to_dict()["warnings"][0] == result.warnings[0]
    assert result.regions[0].coverage.unknown == 1


@pytest.mark.parametrize("line", ["frobnicate %rax", "some words of prose"])
def test_lines_outside_the_regions_are_a_warning(line: str) -> None:
    result = analyze(LOOP.format("") + f"{line}\n", toy("toy_x86"))
    assert f"outside the analyzed code could not be read (first: <text>:5: '{line}')" in "".join(
        result.regions[0].warnings
    )


def test_undecodable_bytes_are_an_error_too() -> None:
    with pytest.raises(SyntaxProblem, match="cannot decode byte 06 at offset 3"):
        analyze("4801d806", toy("toy_x86"))
    result = analyze("4801d806", toy("toy_x86"), AnalyzeOptions(unknown="skip"))
    assert "cannot decode byte 06" in result.warnings[0]
