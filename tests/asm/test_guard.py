"""Text that LLVM's parsers would die of."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

import interruptible
from corecast.asm.guard import harmless
from corecast.asm.text import read_text
from corecast.errors import InputError


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


DOUBLING = {
    "a macro that calls itself twice": ".macro m\nm\nm\n.endm\nm\n",
    "macros that call each other": ".macro a\nb\nb\n.endm\n.macro b\na\na\n.endm\na\n",
    "a counter": ".macro m n\n.if \\n\nm \\n-1\nm \\n-1\n.endif\n.endm\nm 19\n",
    "a counter of altmacro": ".altmacro\n.macro m n\n.if n\nm %(n-1)\nm %(n-1)\n.endif\n.endm\nm 19\n",
    "an argument that doubles": f".macro m a\nm \\a\\a\n.endm\nm {'x' * 1000}\n",
    "an argument in a comment": f".macro m a\nnop # \\a\\a\\a\\a\nm \\a\\a\\a\\a\n.endm\nm {'x' * 1000}\n",
    "a number that doubles": ".macro d n\n.macro d\\n a\nd\\n \\a\\a\n.endm\nd\\n \\n\\n\n.endm\nd 1\n",
    "arguments of repetitions": "".join(
        f".irp x{i + 1}, \\x{i}\\x{i}\n" if i else ".irp x1, abcdefgh\n" for i in range(30)
    )
    + "nop # \\x30\n"
    + ".endr\n" * 30,
    "behind a quoted semicolon": f'.macro m a="x;y"; m \\a\\a\n.endm\nm "{"x" * 1000}"\n',
    "on one line": f".macro m a; m \\a\\a; .endm\nm {'x' * 1000}\n",
    "a repetition in a macro": ".macro m\n.rept 100\nnop\n.endr\nm\nm\n.endm\nm\n",
    "a macro in a repetition": ".macro m\n.irp x,1,2,3\nm\n.endr\n.endm\nm\n",
    "repetitions in repetitions": ".irp x,1,2,3,4,5,6,7,8,9,10\n" * 9 + "nop\n" + ".endr\n" * 9,
}


@pytest.mark.parametrize("text", DOUBLING.values(), ids=DOUBLING)
def test_macros_that_expand_without_end_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expand to more than"):
        read_text(f"{text}.L1:\naddq $1, %rax\njne .L1\n", "m.s")


SHORT = {
    "a repetition": ".rept 900000\nnop\nnop\nnop\nnop\n.endr\n",
    "a repetition in a macro": "nop\n.macro m\n.rept 900000\nnop\n.endr\n.endm\nm\n",
    "a repetition on one line": ".rept 900000; nop; nop; .endr\n",
    "a macro in a repetition": ".macro m\n.rept 1000\nnop\n.endr\n.endm\n.rept 3000\nm\n.endr\n",
    "an argument that holds statements": f'.macro m a\n\\a\n.endm\n.rept 1000\nm "{"nop;" * 1000}"\n.endr\n',
    "data": ".rept 900000\n.byte 0\n.endr\n",
}


@pytest.mark.parametrize("text", SHORT.values(), ids=SHORT)
def test_short_statements_repeated_too_often_are_refused(text: str) -> None:
    last = len(text.splitlines())
    with pytest.raises(InputError, match=rf"^m\.s:[1-{last}]: .*expand to more than 500000 statements$"):
        read_text(text, "m.s", isa="x86")


def test_as_many_statements_as_allowed_are_read() -> None:
    text = ".macro m\n.rept 1000\nnop\nnop\n.endr\n.endm\n.rept 100\nm\n.endr\n"
    assert len(read_text(text, isa="x86").instructions) == 200_000


@pytest.mark.parametrize("assign", [".set {}, {}", ".equ {}, {}", "{} = {}"])
@pytest.mark.parametrize("use", ["addq $a59, %rax", ".if a59\nnop\n.endif", ".rept a59\nnop\n.endr"])
def test_symbols_defined_by_twice_the_one_before_are_refused(assign: str, use: str) -> None:
    chain = "\n".join(assign.format(f"a{i + 1}", f"a{i}+a{i}") for i in range(59))
    with pytest.raises(InputError, match=r"^a.s:\d+: 'a10' stands for an expression of more than 1000 terms$"):
        read_text(f"{chain}\n{use}\n.L1:\naddq $1, %rax\njne .L1\n", "a.s", isa="x86")


@pytest.mark.parametrize(
    ("isa", "chain", "use"),
    [("riscv64", "%lo({0})+%lo({0})", "addi a0, a0, a40"), ("aarch64", ":lo12:{0}+:lo12:{0}", "add x0, x0, a40")],
)
def test_relocated_symbols_end_as_well(isa: str, chain: str, use: str) -> None:
    lines = "\n".join(f".set a{i + 1}, " + chain.format(f"a{i}") for i in range(40))
    assert read_text(f"{lines}\n{use}\nnop\n", isa=isa).instructions  # type: ignore[arg-type]


def test_macros_that_end_are_read() -> None:
    code = read_text(
        ".macro twice op, r:req\n\\op \\r\n\\op \\r\n.endm\n.macro all op\n.irp r, %rax, %rbx\ntwice \\op, \\r\n"
        ".endr\n.endm\nall incq\n.set a, 5\n.set a, a+1\n.set b, a*2\naddq $b, %rax\n"
    )
    assert not code.problems
    assert [each.text for each in code.instructions] == [*["inc rax"] * 2, *["inc rbx"] * 2, "add rax, 12"]
    assert {each.line for each in code.instructions} == {10, 14}


def test_reading_can_be_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "a.s"
    path.write_text(".macro m\n" + "addq $1, %rax\n" * 900 + ".endm\n" + "m\n" * 900)
    program = (
        "import sys; from corecast.asm.text import read_text; t = open(sys.argv[1]).read(); print('go', flush=True)\n"
    )
    program += "while True: read_text(t)"
    child = interruptible.start([sys.executable, "-c", program, str(path)], stdout=-1, stderr=-1)
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in err
