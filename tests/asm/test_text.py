"""Assembly text to code."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given

import asm_strategies
from corecast.asm import Kernel
from corecast.asm.text import read_text
from corecast.errors import CorecastError, InputError, SyntaxProblem

DATA = Path(__file__).resolve().parent.parent / "data" / "asm"


def texts(source: str, **options: str) -> list[str]:
    return [instruction.text for instruction in read_text(source, **options).instructions]  # type: ignore[arg-type]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.s")), ids=lambda path: path.name)
def test_every_line_of_a_compiler_output_is_read(path: Path) -> None:
    code = read_text(path.read_text(), path.name)
    assert not code.problems
    assert not any(instruction.unknown for instruction in code.instructions)
    expected = (
        "aarch64" if "aarch64" in path.name else "riscv64" if "rvv" in path.name or "riscv" in path.name else "x86"
    )
    assert code.isa == expected


def test_instructions_know_their_lines() -> None:
    code = read_text("# head\n\n\taddq %rax, %rbx\n\n.L1:\n\tjne .L1\n")
    assert [instruction.line for instruction in code.instructions] == [3, 6]
    assert code.targets == [-1, 1]


def test_windows_line_ends_and_tabs_change_nothing() -> None:
    text = "\taddq\t%rax,%rbx\r\n.L1:\r\n\tjne\t.L1\r\n"
    assert [i.line for i in read_text(text).instructions] == [1, 3]


@pytest.mark.parametrize(
    ("text", "isa"),
    [
        ("addq %rax, %rbx", "x86"),
        ("add rax, rbx", "x86"),
        ("vmovupd ymm0, [rdi]", "x86"),
        ("add x0, x1, x2", "aarch64"),
        ("ldr q0, [x1, #16]!", "aarch64"),
        ("fmla z1.d, p0/m, z2.d, z0.d", "aarch64"),
        ("fld fa0, 0(a0)", "riscv64"),
        ("vfmacc.vv v8, v16, v24\naddi a0, a0, 8", "riscv64"),
        ("add x5, x6, x7\nlw x5, 8(x6)", "riscv64"),
        ('.attribute 5, "rv64gc"\nnop', "riscv64"),
        (".arch armv8.2-a\nnop", "aarch64"),
    ],
)
def test_the_instruction_set_is_told_from_the_text(text: str, isa: str) -> None:
    assert read_text(text).isa == isa


def test_an_instruction_set_that_nothing_tells_must_be_named() -> None:
    with pytest.raises(InputError, match="cannot be determined"):
        read_text("nop\nnop")
    assert len(read_text("nop\nnop", isa="riscv64").instructions) == 2


def test_code_of_another_instruction_set_is_named() -> None:
    with pytest.raises(InputError, match="the code is x86, not aarch64: choose another core"):
        read_text("vaddpd ymm0, ymm1, [rsi+rax*8]\nadd rax, 4", isa="aarch64")
    with pytest.raises(InputError, match="no line is a legal aarch64 instruction"):
        read_text("hello world, this is a text\nof two lines", isa="aarch64")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("addq %rax, %rbx", "add rbx, rax"),
        ("add rbx, rax", "add rbx, rax"),
        ("mov eax, DWORD PTR [rdi+rcx*4]", "mov eax, dword ptr [rdi + 4*rcx]"),
    ],
)
def test_the_dialect_is_found(text: str, expected: str) -> None:
    assert texts(text) == [expected]


def test_the_dialect_may_switch() -> None:
    text = ".intel_syntax noprefix\nadd rax, 1\n.att_syntax\naddq $2, %rax\n.intel_syntax noprefix\nadd rax, 3"
    assert texts(text) == ["add rax, 1", "add rax, 2", "add rax, 3"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mov rax, OFFSET FLAT:table", "mov rax, offset table"),
        ("jmp SHORT .L1", "jmp .L1"),
        ("movsx rax, ecx", "movsxd rax, ecx"),
        ("movsx rax, DWORD PTR [rdi]", "movsxd rax, dword ptr [rdi]"),
        ("call [QWORD PTR 16[rax]]", "call qword ptr [rax + 16]"),
        ("jmp [QWORD PTR .L4[0+rax*8]]", "jmp qword ptr [8*rax + .L4]"),
        ("mov eax, 16[rax]", "mov eax, dword ptr [rax + 16]"),
        ("mov eax, DWORD PTR gs[rip+48]", 'mov eax, dword ptr [rip + "gs"+48]'),
        ("vaddpd zmm0, zmm1, QWORD PTR [rax]{1to8}", "vaddpd zmm0, zmm1, qword ptr [rax]{1to8}"),
        ("lock cmpxchg16b OWORD PTR [rdi]", "lock cmpxchg16b xmmword ptr [rdi]"),
        ("mov eax, 0ffh", "mov eax, 255"),
        ("ADD RAX, QWORD PTR [RBX]", "add rax, qword ptr [rbx]"),
        ("add rax, rbx ; add them", "add rax, rbx"),
    ],
)
def test_intel_spellings_that_only_gcc_or_masm_write(line: str, expected: str) -> None:
    code = read_text(f".intel_syntax noprefix\n.L1:\n{line}\n")
    assert not code.problems
    # The printed form of symbols may change with LLVM; the memory operand and the mnemonic may not.
    assert [i.text.replace('"', "").split()[0] for i in code.instructions] == [expected.split()[0]]
    if "table" not in expected and "L" not in expected and "gs" not in expected:
        assert code.instructions[0].text == expected


@pytest.mark.parametrize(
    "line",
    [
        "vgatherdpd ymm6 {k1}, ymmword ptr [rdi + 8*xmm4]",
        "vgatherqps xmm2 {k1}, xmmword ptr [rsi + 4*ymm0]",
        "vgatherdps zmm2 {k1}, zmmword ptr [rsi + 4*zmm0]",
        "vpgatherdd ymm0, ymmword ptr [rax + 4*ymm1], ymm2",
        "vpgatherqq zmm1 {k1}, zmmword ptr [rdi + zmm4]",
        "vscatterdpd ymmword ptr [rdi + 8*xmm4] {k1}, ymm0",
        "vpscatterqd ymmword ptr [rdi + 4*zmm4] {k1}, ymm0",
    ],
)
def test_gathers_and_scatters_of_clang_in_intel_syntax(line: str) -> None:
    code = read_text(f".intel_syntax noprefix\n{line}\n")
    assert not code.problems
    assert code.instructions[0].mnemonic == line.split()[0]


@pytest.mark.parametrize(
    ("text", "isa"),
    [
        ("ADD X0, X1, X2\nFMLA V0.2D, V1.2D, V2.2D\nB.NE .L1", "aarch64"),
        ("VADDPD %YMM0, %YMM1, %YMM2\nADDQ $8, %RAX", "x86"),
        ("FADD.D FA0, FA1, FA2\nADDI A0, A0, 8", "riscv64"),
    ],
)
def test_upper_case_is_read(text: str, isa: str) -> None:
    code = read_text(text)
    assert code.isa == isa
    assert not code.problems


@pytest.mark.parametrize(
    "text",
    [
        "leaq x@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall __tls_get_addr@PLT\n"
        "movq y@GOTPCREL(%rip), %rax\nmovl %fs:z@tpoff, %eax",
        "adrp x0, :got:x\nldr x0, [x0, #:got_lo12:x]\nadd x1, x1, :tprel_hi12:t\n.tlsdesccall x\nblr x1",
        "lui a5, %tprel_hi(t)\nadd a5, a5, tp, %tprel_add(t)\nlw a0, %tprel_lo(t)(a5)\n.L0:\nauipc a0, %pcrel_hi(g)\n"
        "addi a0, a0, %pcrel_lo(.L0)\ncall f@plt\nla.tls.ie a1, t",
    ],
)
def test_relocated_symbols_are_read(text: str) -> None:
    assert not read_text(text).problems


def test_macros_and_repetitions_are_expanded() -> None:
    assert texts(".macro twice r\naddq \\r, \\r\naddq \\r, \\r\n.endm\ntwice %rax\n.rept 2\nincq %rbx\n.endr") == [
        "add rax, rax",
        "add rax, rax",
        "inc rbx",
        "inc rbx",
    ]


def test_inline_assembly_blocks_are_read() -> None:
    code = read_text('#APP\n# 5 "a.c" 1\n\tnop; nop\n1:\tjmp 1b\n# 0 "" 2\n#NO_APP\n\taddq $1, %rax\n')
    assert len(code.instructions) == 4
    assert code.targets == [-1, -1, 2, -1]
    assert code.labels[0].name == "1"


def test_local_numbers_go_to_the_nearest_label() -> None:
    code = read_text("1:\naddq $1, %rax\njne 1b\n1:\njne 1b\njmp 1f\n1:\nret")
    assert code.targets == [-1, 0, 2, 4, -1]


def test_repeated_labels_mean_the_nearest() -> None:
    code = read_text(2 * "f:\n.L3:\nincq %rax\njne .L3\n")
    assert code.targets == [-1, 0, -1, 2]


def test_an_illegal_line_stays_as_an_unknown_instruction_with_its_message() -> None:
    code = read_text("addq %rax, %rbx\nfrobnicate %rax\naddq %rax, %rbx\n", "a.s")
    assert [instruction.unknown for instruction in code.instructions] == [False, True, False]
    assert code.problems[0][0] == 2
    assert "frobnicate" in code.problems[0][1]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", '\t.file "a.c"\n\t.data\n\t.long 5\n', ".L1:\n"])
def test_a_text_without_instructions_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no instructions"):
        read_text(text, isa="x86")


def test_a_text_in_which_nothing_is_legal_is_refused_with_the_first_problem() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read_text("\nhello world\nthis is prose, not code\n", "a.txt", isa="x86")
    assert str(caught.value).startswith("a.txt:2: ")
    assert "hello world" in str(caught.value)


@given(asm_strategies.texts)
def test_any_text_gives_code_or_one_of_our_errors(text: str) -> None:
    try:
        code = read_text(text, "f.s")
    except CorecastError:
        return
    assert code.instructions
    assert len(code.targets) == len(code.instructions)


@given(asm_strategies.texts, asm_strategies.isas)
def test_any_text_is_safe_as_any_instruction_set(text: str, isa: str) -> None:
    with suppress(CorecastError):
        read_text(text, "f.s", isa)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "width"), [("stg x0, [x1]", 16), ("stzg x0, [x1], #16", 16), ("st2g x0, [x1]", 32)])
def test_stores_of_memory_tags_are_as_wide_as_what_they_tag(text: str, width: int) -> None:
    (instruction,) = Kernel.from_text(text + "\n", isa="aarch64").instructions
    assert [access.width_bytes for access in instruction.memory] == [width]
