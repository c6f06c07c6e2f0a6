"""Markers around the code to analyze."""

from __future__ import annotations

import pytest
from hypothesis import given

import asm_strategies
from corecast.asm import RegionOptions, regions_of_text
from corecast.asm.markers import find_byte_markers
from corecast.errors import CorecastError, MarkerError

BODY = ".L2:\n\taddq $1, %rax\n\tcmpq %rax, %rbx\n\tjne .L2\n"


def marked(text: str, **options: str) -> list[tuple[str, list[str]]]:
    kernels = regions_of_text(text, "a.s", RegionOptions(**options))  # type: ignore[arg-type]
    return [(kernel.name, [instruction.mnemonic for instruction in kernel.instructions]) for kernel in kernels]


def test_osaca_comments() -> None:
    text = f"\tincq %rcx\n# OSACA-BEGIN\n{BODY}# OSACA-END\n\tret\n"
    assert marked(text) == [("marked region (lines 4-6)", ["add", "cmp", "jne"])]


@pytest.mark.parametrize("sign", ["//", "#", "/*", "  // "])
def test_comment_signs(sign: str) -> None:
    text = f"nop\n{sign} OSACA-BEGIN */\nadd x0, x1, x2\n{sign} osaca-end\nret"
    assert marked(text, isa="aarch64")[0][1] == ["add"]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("movl $111, %ebx\n.byte 100,103,144", "movl $222, %ebx\n.byte 100,103,144"),
        ("movl $111, %ebx\n.byte 0x64\n.byte 0x67\n.byte 0x90", "movl $222, %ebx\n.byte 0x64, 0x67, 0x90"),
        ("movl $111, %ebx; .byte 100; .byte 103,144", "mov $222, %ebx; .byte 100,103,144"),
        (".byte 0xbb,0x6f,0,0,0,0x64,0x67,0x90", ".byte 0xbb,0xde,0,0,0,0x64,0x67,0x90"),
        (".byte 0x0f, 0x0b\nmovl $111, %ebx\n.byte 100,103,144", "movl $222, %ebx\n.byte 100,103,144,0x0f,0x0b"),
        ("movq $111, %rbx\n.byte 100,103,144", "movq $222, %rbx\n.byte 100,103,144"),
    ],
)
def test_iaca_bytes_in_text(start: str, end: str) -> None:
    ((_, mnemonics),) = marked(f"incq %rcx\n{start}\n{BODY}{end}\nret\n")
    assert mnemonics == ["add", "cmp", "jne"]


def test_iaca_bytes_in_intel_syntax() -> None:
    text = ".intel_syntax noprefix\nmov ebx, 111\n.byte 100,103,144\nadd rax, 1\nmov ebx, 222\n.byte 100,103,144\nret"
    assert marked(text)[0][1] == ["add"]


@pytest.mark.parametrize("register", ["x1", "w1"])
def test_osaca_bytes_on_aarch64(register: str) -> None:
    mark = "mov {}, #{}\n.byte 213,3,32,31\n"
    text = "ldr x0, [x1]\n" + mark.format(register, 111) + "add x0, x0, x1\n" + mark.format(register, 222) + "ret\n"
    assert marked(text)[0][1] == ["add"]


def test_osaca_bytes_on_riscv() -> None:
    text = "ld a0, 0(a2)\nli a1,111\n.byte 19,0,0,0\naddi a0, a0, 1\nli a1,222\n.byte 19,0,0,0\nret\n"
    assert marked(text)[0][1] == ["addi"]


def test_other_numbers_and_bytes_are_no_markers() -> None:
    text = "movl $112, %ebx\n.byte 100,103,144\naddq $1, %rax\nmovl $222, %ebx\n.byte 1,2,3\n"
    assert len(marked(text)[0][1]) == 3


def test_several_marked_regions_in_order() -> None:
    text = "# OSACA-BEGIN\nincq %rax\n# OSACA-END\n# OSACA-BEGIN\ndecq %rax\n# OSACA-END\n"
    assert [mnemonics for _, mnemonics in marked(text)] == [["inc"], ["dec"]]


def test_mca_regions_nest_and_overlap_by_name() -> None:
    text = (
        "# LLVM-MCA-BEGIN outer\nincq %rax\n# LLVM-MCA-BEGIN inner part\ndecq %rax\n# LLVM-MCA-END outer\nnegq %rax\n"
        "# LLVM-MCA-END inner part\nret\n"
    )
    assert marked(text) == [("outer", ["inc", "dec"]), ("inner part", ["dec", "neg"])]


def test_an_mca_end_without_name_closes_the_only_open_region() -> None:
    assert marked("# LLVM-MCA-BEGIN a\nincq %rax\n# LLVM-MCA-END\n") == [("a", ["inc"])]


def test_repeated_names_are_numbered() -> None:
    one = "# LLVM-MCA-BEGIN a\nincq %rax\n# LLVM-MCA-END a\n"
    assert [name for name, _ in marked(one + one)] == ["a", "a #2"]


def test_a_region_is_chosen_by_name() -> None:
    text = "# LLVM-MCA-BEGIN a\nincq %rax\n# LLVM-MCA-END a\n# LLVM-MCA-BEGIN b\ndecq %rax\n# LLVM-MCA-END b\n"
    assert marked(text, marker="b") == [("b", ["dec"])]
    with pytest.raises(MarkerError, match=r"no marked region 'c'; there are 'a', 'b'"):
        marked(text, marker="c")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# OSACA-BEGIN\nincq %rax\n", 1),
        ("incq %rax\n# OSACA-END\n", 2),
        ("# OSACA-BEGIN\nincq %rax\n# OSACA-BEGIN\nincq %rax\n# OSACA-END\n", 3),
        ("incq %rax\n# OSACA-BEGIN\n# OSACA-END\n", 2),
        ("# LLVM-MCA-BEGIN a\nincq %rax\n# LLVM-MCA-END b\n", 3),
        ("# LLVM-MCA-BEGIN a\n# LLVM-MCA-BEGIN b\nincq %rax\n# LLVM-MCA-END\n", 4),
        ("# LLVM-MCA-BEGIN a\nincq %rax\n# LLVM-MCA-BEGIN a\n", 3),
        ("movl $111, %ebx\n.byte 100,103,144\nincq %rax\n", 2),
        ("incq %rax\nmovl $222, %ebx\n.byte 100,103,144\n", 3),
    ],
)
def test_wrong_nesting_names_file_and_line(text: str, line: int) -> None:
    with pytest.raises(MarkerError) as caught:
        marked(text)
    assert str(caught.value).startswith(f"a.s:{line}: ")


def test_wrong_markers_do_not_hinder_another_choice() -> None:
    assert marked("# OSACA-BEGIN\nincq %rax\ndecq %rax\n", loop="all")[0][1] == ["inc", "dec"]


def test_words_that_only_begin_like_markers_are_none() -> None:
    assert len(marked("# OSACA-BEGINNING\nincq %rax\n# see LLVM-MCA-BEGIN\n")[0][1]) == 1


def test_markers_in_encoded_code() -> None:
    start, end = bytes.fromhex("bb6f000000646790"), bytes.fromhex("bbde000000646790")
    assert find_byte_markers("x86", b"\x90" + start + b"\x90\x90" + end) == [(1, 9, True), (11, 19, False)]


@given(asm_strategies.texts)
def test_any_text_is_marked_or_refused(text: str) -> None:
    try:
        kernels = regions_of_text(text, "f.s", RegionOptions(isa="x86"))
    except CorecastError:
        return
    assert all(kernel.instructions for kernel in kernels)
