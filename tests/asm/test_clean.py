"""The first pass over text."""

from __future__ import annotations

import pytest
from hypothesis import given

import asm_strategies
from corecast.asm.clean import clean, split_lines
from corecast.errors import InputError


def cleaned(text: str) -> list[str]:
    return clean(text).lines


@given(asm_strategies.texts)
def test_lines_keep_their_numbers(text: str) -> None:
    try:
        result = clean(text)
    except InputError:
        return
    assert len(result.lines) == len(split_lines(text))


def test_debug_and_symbol_directives_are_blanked() -> None:
    text = '\t.file "a.c"\n\t.globl f\nf:\n\t.cfi_startproc\n\tret\n\t.size f, .-f\n\t.ident "x"\n'
    assert cleaned(text) == ["", "", "f:", "", "\tret", "", "", ""]


def test_data_sections_are_blanked_with_their_labels() -> None:
    text = '.text\nnop\n.section .rodata,"a"\n.LC0:\n.quad 1\n.section .text.f,"ax",@progbits\nnop'
    assert cleaned(text) == ["", "nop", "", "", "", "", "nop"]


def test_pushed_sections_come_back() -> None:
    text = '.pushsection .debug_x,"",@progbits\n.long 1\n.popsection\nnop\n.data\n.long 2\n.previous\nret'
    assert cleaned(text) == ["", "", "", "nop", "", "", "", "ret"]


def test_mach_o_text_section_is_code() -> None:
    text = ".section __TEXT,__text,regular,pure_instructions\nnop\n.section __TEXT,__cstring\n.byte 1"
    assert cleaned(text) == ["", "nop", "", ""]


def test_data_between_instructions_stays() -> None:
    assert cleaned("nop\n.byte 100,103,144\n") == ["nop", ".byte 100,103,144", ""]


def test_macro_bodies_stay_in_data_sections() -> None:
    text = ".data\n.macro m r\nadd \\r, \\r\n.L\\@:\n.endm\n.text\nm rax"
    assert cleaned(text) == ["", ".macro m r", "add \\r, \\r", ".L\\@:", ".endm", "", "m rax"]


@pytest.mark.parametrize("comment", ["# x", "// x", "; x", "  # x", "@ x"])
def test_comment_lines_are_blanked(comment: str) -> None:
    assert cleaned(comment) == [""]


def test_block_comments_keep_lines_but_not_directives() -> None:
    assert cleaned("nop /* a\n.set x, 1\n*/ nop\nret") == ["nop  ", "", " nop", "ret"]


def test_a_comment_sign_inside_a_line_comment_opens_nothing() -> None:
    assert cleaned("nop # see a/*.c\nret # b*/")[1] == "ret # b*/"


def test_labels_before_dropped_directives_stay() -> None:
    assert cleaned("f: .cfi_startproc\n.L1: # note\n.L2: nop")[:2] == ["f: ", ".L1:"]


def test_function_names_come_from_type_directives() -> None:
    text = ".type f, @function\n.type g,%function\n.type d, @object\n.type h, STT_FUNC"
    assert clean(text).functions == {"f", "g", "h"}


def test_source_positions_follow_loc() -> None:
    text = '.file 1 "dir" "a.c"\n.loc 1 7 3\nnop\nnop\n.loc 1 0\nnop\n'
    positions = clean(text).positions
    assert [positions.at(line) for line in (1, 3, 4, 6)] == ["", "a.c:7", "a.c:7", ""]


def test_icc_comments_give_source_positions() -> None:
    text = '.file "t.c"\n..B1.1:\n nop #4.12\n nop\n ret #5.1\n'
    positions = clean(text).positions
    assert [positions.at(line) for line in (3, 4, 5)] == ["t.c:4", "", "t.c:5"]


@pytest.mark.parametrize("count", ["2000000000", "0x7fffffff", "(1<<40)", "1000*1000*1000"])
def test_endless_repetition_is_refused(count: str) -> None:
    with pytest.raises(InputError, match="repeats more than") as caught:
        clean(f"nop\n.rept {count}\nnop\n.endr", "a.s")
    assert caught.value.line == 2


def test_nested_repetition_is_multiplied() -> None:
    with pytest.raises(InputError):
        clean(".rept 5000\n.rept 5000\nnop\n.endr\n.endr")
    clean(".rept 50\n.rept 50\nnop\n.endr\n.endr")


def test_included_files_are_not_read() -> None:
    result = clean('.include "/etc/passwd"\n.incbin "x"')
    assert result.lines == ["", ""]
    assert [line for line, _ in result.problems] == [1, 2]
