"""Loops found from control flow."""

from __future__ import annotations

import pytest

from corecast.asm.loops import Loop, find_loops
from corecast.asm.text import read_text


def loops(text: str) -> list[Loop]:
    return find_loops(read_text(text, isa="x86", syntax="att"))


def mnemonics(text: str) -> list[str]:
    code = read_text(text, isa="x86", syntax="att")
    (loop,) = find_loops(code)
    return [code.instructions[index].mnemonic for index in loop.indices]


def test_a_simple_loop() -> None:
    (loop,) = loops("main:\nnop\n.L3:\nincq %rax\njne .L3\nret\n")
    assert (loop.function, loop.indices, loop.warnings) == ("main", (1, 2), ())
    assert loop.label is not None
    assert loop.label.name == ".L3"


def test_only_the_inner_loop_of_a_nest_is_taken() -> None:
    assert mnemonics(".L1:\nxorl %eax, %eax\n.L2:\nincq %rax\njne .L2\ndecq %rbx\njne .L1\nret") == ["inc", "jne"]


def test_nested_loops_with_one_header_give_the_inner_one() -> None:
    assert mnemonics(".L1:\nincq %rax\njne .L1\ndecq %rbx\njne .L1\nret") == ["inc", "jne"]


def test_loops_one_after_the_other() -> None:
    found = loops(".L1:\nincq %rax\njne .L1\n.L2:\ndecq %rbx\njne .L2\n")
    assert [loop.indices for loop in found] == [(0, 1), (2, 3)]


def test_forward_branches_inside_are_not_taken_and_told() -> None:
    text = ".L1:\ntestq %rax, %rax\nje .L2\nincq %rcx\n.L2:\ndecq %rbx\njne .L1\nret"
    assert mnemonics(text) == ["test", "je", "inc", "dec", "jne"]
    assert loops(text)[0].warnings == ("assumed not taken: 1 branch inside the loop (line 3)",)


def test_an_exit_in_the_middle_stays_in_the_body() -> None:
    assert mnemonics(".L1:\nincq %rax\nje .L9\ndecq %rbx\njmp .L1\n.L9:\nret") == ["inc", "je", "dec", "jmp"]


def test_a_loop_entered_at_its_condition_begins_at_its_lowest_line() -> None:
    text = "jmp .L2\n.L1:\nincq %rax\n.L2:\ncmpq %rax, %rbx\njne .L1\nret"
    assert mnemonics(text) == ["inc", "cmp", "jne"]


def test_cold_code_out_of_line_is_left_out() -> None:
    text = ".L1:\ntestq %rax, %rax\nje .L5\n.L2:\ndecq %rbx\njne .L1\nret\n.L5:\ndivq %rcx\njmp .L2\n"
    assert mnemonics(text) == ["test", "je", "dec", "jne"]
    assert "1 basic block of the loop" in loops(text)[0].warnings[1]


def test_jumps_inside_are_followed() -> None:
    text = ".L1:\nincq %rax\njmp .L3\n.L2:\nret\n.L3:\ndecq %rbx\njne .L1\njmp .L2\n"
    assert mnemonics(text) == ["inc", "jmp", "dec", "jne"]


def test_a_shortcut_back_to_the_top_does_not_hide_the_body() -> None:
    """A `continue` that gcc places above the header."""
    text = (
        "jmp .L5\n.L4:\nincq %rdx\ncmpq %rdx, %rcx\nje .L9\n.L5:\nmovq (%rsi), %rax\ntestq %rax, %rax\nje .L4\n"
        "imulq %rax, %rax\nincq %rdx\ncmpq %rdx, %rcx\njne .L5\n.L9:\nret\n"
    )
    assert mnemonics(text) == ["mov", "test", "je", "imul", "inc", "cmp", "jne"]


def test_calls_are_told() -> None:
    (loop,) = loops(".L1:\ncall f\njne .L1\n")
    assert loop.warnings == ("the loop calls functions (line 2): what they cost is not included",)


def test_a_jump_to_another_function_is_no_loop() -> None:
    assert loops(".type f, @function\n.type g, @function\nf:\nincq %rax\nret\ng:\ndecq %rax\njmp f\n") == []


def test_tail_recursion_to_the_own_start_is_a_loop() -> None:
    (loop,) = loops("f:\nincq %rax\nje .L9\njmp f\n.L9:\nret\n")
    assert loop.indices == (0, 1, 2)


def test_a_loop_through_a_jump_table_takes_one_of_its_cases() -> None:
    text = (
        ".L1:\nmovl (%rdi), %eax\njmp *.L9(,%rax,8)\n.L2:\nincq %rcx\njmp .L4\n.L3:\ndecq %rcx\n.L4:\naddq $4, %rdi\n"
        "jne .L1\nret\n.section .rodata\n.L9: .quad .L2, .L3\n"
    )
    (loop,) = loops(text)
    assert loop.indices == (0, 1, 2, 3, 5, 6)
    assert loop.warnings == (
        "assumed one target of 1 computed jump (line 3)",
        "skipped 1 basic block of the loop, off the main path",
    )


def test_nops_that_align_what_stands_behind_a_jump_are_no_part_of_a_loop() -> None:
    """As in an object file, where the assembler has filled the gaps."""
    text = (
        ".L1:\nmovl (%rdi), %eax\njmp *.L9(,%rax,8)\nnopw 0(%rax)\n.L2:\nincq %rcx\njmp .L4\nnop\nnopl (%rax)\n"
        ".L3:\ndecq %rcx\n.L4:\naddq $4, %rdi\njne .L1\nret\n.section .rodata\n.L9: .quad .L2, .L3\n"
    )
    assert mnemonics(text) == ["mov", "jmp", "inc", "jmp", "add", "jne"]
    (loop,) = loops(".L1:\nincq %rax\nje .L2\ndecq %rcx\njmp .L3\nnop\n.L2:\nincq %rdx\n.L3:\naddq $4, %rdi\njne .L1\n")
    assert loop.warnings == (
        "assumed not taken: 1 branch inside the loop (line 3)",
        "skipped 1 basic block of the loop, off the main path",
    )


def test_nops_that_are_branched_to_run() -> None:
    assert mnemonics("jmp .L1\n.L1:\nnop\nincq %rax\njne .L1\n") == ["nop", "inc", "jne"]


def test_local_numbers_close_loops() -> None:
    (loop,) = loops("f:\n1:\nincq %rax\njne 1b\nret\n")
    assert loop.label is not None
    assert loop.label.name == "1"


def test_the_label_that_is_branched_to_names_the_loop() -> None:
    (loop,) = loops("f:\n.LVL5:\n.L3:\n.LBB9:\nincq %rax\njne .L3\n")
    assert loop.label is not None
    assert loop.label.name == ".L3"


def test_irreducible_code_ends_and_says_something() -> None:
    text = "testq %rax, %rax\nje .L2\n.L1:\nincq %rax\n.L2:\ndecq %rbx\nje .L1\ntestq %rcx, %rcx\njne .L2\nret\n"
    assert len(loops(text)) >= 1


def test_deep_nests_of_many_blocks_end() -> None:
    depth = 3000
    text = "".join(f".L{i}:\nincq %rax\n" for i in range(depth))
    text += "".join(f"decq %rbx\njne .L{i}\n" for i in reversed(range(depth)))
    (loop,) = loops(text)
    assert len(loop.indices) == 3


@pytest.mark.parametrize(
    "text",
    [
        "f:\n nop\n.L1: jmp .L1\n",
        "f:\n nop\n.L1: call *%rbx\n jmp .L1\n",
        "f:\n nop\n.L1: jmp .L2\n.L3: jmp .L1\n.L2: nop\n jmp .L3\n",
        # Clang's and GCC's probes of large frames.
        "f:\n leaq -65536(%rsp), %r11\n.L1: subq $4096, %rsp\n orq $0, (%rsp)\n cmpq %r11, %rsp\n jne .L1\n ret\n",
        "f:\n.L1: subq $4096, %rsp\n movq $0, (%rsp)\n cmpq %r11, %rsp\n jne .L1\n ret\n",
        # Rust's __rust_probestack.
        "f:\n.L1: subq $4096, %rsp\n testq %rsp, 8(%rsp)\n subq $4096, %r11\n cmpq $4096, %r11\n ja .L1\n ret\n",
        # Go's prologues.
        "f:\n cmpq 16(%r14), %rsp\n jbe .L1\n addq $1, %rax\n ret\n.L1: call more\n jmp f\n",
        "f:\n leaq -512(%rsp), %r12\n cmpq 16(%r14), %r12\n jbe .L1\n ret\n"
        ".L1: movq %rax, 8(%rsp)\n call more\n movq 8(%rsp), %rax\n jmp f\n",
        # Only a computed jump leads back.
        "f:\n.L1: movzbl (%rdi), %eax\n incq %rdi\n jmp *(%rsi,%rax,8)\n.L2: addq $1, %rbx\n jmp *(%rsi,%rax,8)\n",
    ],
)
def test_what_is_no_loop_is_not_listed(text: str) -> None:
    assert loops(text) == []


@pytest.mark.parametrize(
    "text",
    [
        ".L1: pushq %rax\n decq %rcx\n jne .L1\n",
        ".L1: subq $4096, %rsp\n movq %rax, (%rdi)\n cmpq %r11, %rsp\n jne .L1\n",
        ".L1: jmp .L2\n.L2: jmp .L3\n.L3: jne .L1\n",
        ".L1: pause\n jmp .L1\n",
        "f:\n call g\n cmpq %rax, %rbx\n jne f\n ret\n",
        "f:\n cmpq %rsp, %rdi\n jbe .L1\n addq $1, %rdi\n jmp f\n.L1: ret\n",
    ],
)
def test_what_resembles_them_is_listed(text: str) -> None:
    assert len(loops(text)) == 1


def test_a_way_round_is_found_where_falling_through_leads_nowhere() -> None:
    """The fall-through ends in a computed jump; the branch before it leads back."""
    text = "f:\n.L1: incq %rax\n cmpq %rax, %rbx\n jne .L2\n jmp *%rcx\n.L2: decq %rdx\n jne .L1\n ret\n"
    (loop,) = loops(text)
    assert list(loop.indices[:3]) == [0, 1, 2]
    assert loop.indices[-1] == 5
