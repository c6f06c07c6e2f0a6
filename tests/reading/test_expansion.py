"""Macros, repetitions and inclusion: lines of the invocation, a measure for expansion, no file read."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.asm.code import ISAS, Isa

NOP = {"x86": "nop", "aarch64": "nop", "riscv64": "nop"}


def test_expanded_code_stands_on_the_line_of_its_invocation() -> None:
    """Nested macros count from the outermost invocation; repetitions from their directive."""
    source = """nop
.macro inner x
add rax, \\x
.endm
.macro outer
inner 3
nop
.endm
outer
.rept 2
dec rcx
.endr
.irp r, rax, rbx
push \\r
.endr
inner 2
ret
"""
    code = _core.assemble("x86", source, "intel").instructions
    assert [(i.line, i.text) for i in code] == [
        (1, "nop"),
        (9, "add rax, 3"),
        (9, "nop"),
        (10, "dec rcx"),
        (10, "dec rcx"),
        (13, "push rax"),
        (13, "push rbx"),
        (16, "add rax, 2"),
        (17, "ret"),
    ]


def test_problems_in_macros_stand_on_the_line_of_the_invocation() -> None:
    """An illegal line in a macro is reported where the macro is used."""
    listing = _core.assemble("x86", ".macro m\nbad \nnop\n.endm\nnop\nm\nm\n", "intel")
    assert [problem.line for problem in listing.problems] == [6, 7]
    assert [(i.line, i.unknown) for i in listing.instructions] == [
        (5, False),
        (6, True),
        (6, False),
        (7, True),
        (7, False),
    ]


@pytest.mark.parametrize("directive", [".include", ".incbin", ".INCLUDE", ".IncBin"])
@pytest.mark.parametrize("isa", ISAS)
def test_no_file_is_read(directive: str, isa: Isa, tmp_path: Path) -> None:
    """Assembly text cannot make the reader open a file, not even with a macro that puts the directive together."""
    secret = tmp_path / "secret.s"
    secret.write_text("ret\nret\n")
    direct = f'{directive} "{secret}"\n'
    pieced = f'.macro m x\n{directive[:4]}\\x "{secret}"\n.endm\nm {directive[4:]}\n'
    for source in (direct, pieced):
        listing = _core.assemble(isa, f"nop\n{source}nop\n", "")
        assert len(listing.instructions) == 2
        assert listing.data == []
        assert any("is not followed" in problem.message for problem in listing.problems)


BOMBS = {
    "count": ".rept 1000000000\nnop\n.endr\n",
    "uppercase": ".REPT 1000000000\nnop\n.ENDR\n",
    "symbol": ".set n, 1000*1000*1000\n.rept n\nnop\n.endr\n",
    "argument": ".macro m n\n.rept \\n\nnop\n.endr\n.endm\nm 1000000000\n",
    "nested": ".rept 1000\n" * 5 + "nop\n" + ".endr\n" * 5,
    "empty": ".rept 100\n" * 9 + ".endr\n" * 9,
    "macros": "".join(
        f".macro m{n}\n" + (f"m{n - 1}\n" * 50 if n else "nop\n") + ".endm\n" for n in range(12)
    ) + "m11\n",
    "no instruction": "".join(
        f".macro m{n}\n" + (f"m{n - 1}\n" * 50 if n else "\n") + ".endm\n" for n in range(12)
    ) + "m11\n",
    "list": ".irp x, " + ",".join("a" * 1000) + "\n" + "# " + "x" * 100_000 + "\n.endr\n",
    "characters": ".irpc x, " + "a" * 10_000 + "\n" + "# " + "x" * 100_000 + "\n.endr\n",
    "recursion": ".macro m\nnop\nm\n.endm\nm\n",
    "overflow": ".rept 0x7fffffffffffffff\nnop\n.endr\n",
}  # fmt: skip


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS.keys())
def test_expansion_has_a_measure(source: str) -> None:
    """What would expand to gigabytes is a problem, and what was read before stays."""
    listing = _core.assemble("x86", f"inc rax\n{source}dec rax\n", "intel")
    assert listing.instructions[0].text == "inc rax"
    assert len(listing.instructions) <= 1_000_000
    assert any(
        "expand" in problem.message or "levels deep" in problem.message or "instructions" in problem.message
        for problem in listing.problems
    )


@pytest.mark.parametrize("isa", ISAS)
def test_usual_repetition_stays(isa: Isa) -> None:
    """Ten thousand turns, nested ones and uppercase directives are read."""
    listing = _core.assemble(isa, ".REPT 100\n.rept 100\nnop\n.endr\n.endr\n.Rep 2\nnop\n.endr\n", "")
    assert len(listing.instructions) == 10_002
    assert listing.problems == []


def test_negative_and_unknown_counts_are_problems_at_most() -> None:
    """What cannot be counted gives a message."""
    for count in ("-1", "x", "", "1/0"):
        listing = _core.assemble("aarch64", f"nop\n.rept {count}\nnop\n.endr\nnop\n")
        assert len(listing.instructions) >= 1
