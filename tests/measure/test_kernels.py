"""Regions of code become kernels that can be timed."""

from __future__ import annotations

import pytest

from corecast import Kernel
from corecast.asm.code import Isa
from corecast.errors import InputError, SyntaxProblem
from corecast.measure import TimedKernel, timed_kernel
from corecast.measure.isa.x86.instruction_set import GENERAL


def kernel(text: str) -> TimedKernel:
    return timed_kernel(Kernel.from_text(text, isa="x86"))


def test_straight_line_code_is_unrolled() -> None:
    made = kernel("imul %rbx, %rax\nadd %rcx, %rdx\n")
    assert (made.is_loop, made.code.hex(), made.lengths) == (False, "480fafc34801ca", (4, 3))
    assert made.notes == ()


def test_the_comparison_of_a_loop_goes_with_its_branch() -> None:
    made = kernel(".L1:\n add $8, %rax\n cmp %rax, %rsi\n jne .L1\n")
    assert made.is_loop
    assert made.texts == ("add rax, 8",)
    assert "cmp rsi, rax; jne" in made.notes[0]


def test_a_comparison_with_memory_stays() -> None:
    assert kernel(".L1:\n cmp (%rdi), %rax\n jne .L1\n").texts == ("cmp rax, qword ptr [rdi]",)


@pytest.mark.parametrize("decrement", ["dec %r9", "sub $1, %r9"])
def test_a_loop_that_counts_down_is_timed_as_it_is(decrement: str) -> None:
    made = kernel(f".L1:\n add %rsi, %rax\n {decrement}\n jnz .L1\n")
    assert (made.texts, made.counter, made.notes) == (("add rax, rsi",), 9, ())


def test_a_counter_that_the_body_uses_is_no_counter() -> None:
    made = kernel(".L1:\n add %r9, %rax\n dec %r9\n jnz .L1\n")
    assert made.texts == ("add rax, r9", "dec r9")
    assert made.counter != 9


def test_the_counter_is_a_register_that_the_code_leaves_alone() -> None:
    assert kernel("add %rsi, %rax\n").counter == 15
    assert kernel("add (%r15), %r14d\nadd %r13b, %r12b\n").counter == 11
    everything = "\n".join(f"inc %{name}" for name in GENERAL if name != "rsp")
    assert kernel(everything).counter == -1


def test_memory_holds_pointers_where_pointers_are_loaded() -> None:
    assert kernel("mov (%rax), %rax\n").values.pointers
    assert not kernel("vmovsd (%rax), %xmm1\n").values.pointers
    assert not kernel("mov %rbx, (%rax)\n").values.pointers


@pytest.mark.parametrize(("register", "width"), [("xmm", 16), ("ymm", 32), ("zmm", 64)])
def test_vector_registers_are_as_wide_as_the_code_uses(register: str, width: int) -> None:
    text = f"vaddps %{register}1, %{register}2, %{register}3\nvaddps %xmm1, %xmm2, %xmm3\n"
    assert kernel(text).values.vector_bytes == width


def test_an_instruction_is_found_by_its_offset() -> None:
    made = kernel("imul %rbx, %rax\nadd %rcx, %rdx\n")
    assert [made.instruction_at(offset) for offset in (-1, 0, 3, 4, 6, 7)] == [None, 0, 0, 1, 1, None]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("add %rax, %rbx\njne .L2\nnop\n.L2: nop\n", "branches inside"),
        ("call f\nnop\n", "branches inside"),
        (".L1:\n cmp %rax, %rsi\n jne .L1\n", "no instruction to time"),
    ],
)
def test_what_cannot_be_timed_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        kernel(text)


def test_a_line_that_cannot_be_read_is_told() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        kernel("nop\nnop\nnop\nfrobnicate %rax\n")
    assert caught.value.line == 4


@pytest.mark.parametrize(
    ("isa", "text", "counter"),
    [
        ("aarch64", ".L1:\n fadd d0, d0, d1\n subs x3, x3, #1\n b.ne .L1\n", 3),
        ("aarch64", ".L1:\n fadd d0, d0, d1\n add x1, x1, #8\n cmp x1, x2\n b.ne .L1\n", 28),
        ("riscv64", ".L1:\n fadd.d fa0, fa0, fa1\n addi a5, a5, -1\n bnez a5, .L1\n", 15),
        ("riscv64", ".L1:\n fadd.d fa0, fa0, fa1\n addi t6, t6, 8\n bne t6, a2, .L1\n", 30),
    ],
)
def test_loops_of_other_instruction_sets(isa: Isa, text: str, counter: int) -> None:
    made = timed_kernel(Kernel.from_text(text, isa=isa))
    assert made.is_loop
    assert made.texts[0].startswith("fadd")
    assert made.counter == counter


def test_data_relative_to_the_instruction_lies_where_every_copy_finds_it() -> None:
    made = kernel("movl x(%rip), %eax\n subl $1, %eax\n movl %eax, x(%rip)\n movl x+8(%rip), %ecx\n addl $5, y(%rip)\n")
    first, stored, further, other = made.relatives
    assert made.code[first.field : first.end] == bytes(4)
    assert (first.field, first.end, stored.end) == (2, 6, 15)
    assert stored.target == first.target
    assert further.target == first.target + 8
    assert other.target - first.target > 64
    assert (other.field, other.end) == (23, 28)
    assert made.notes == ()


def test_a_displacement_is_told_from_an_immediate_of_the_same_number() -> None:
    """movl $100, 100(%rip), and one whose operation code looks like one that is followed by a displacement."""
    made = timed_kernel(Kernel.from_hex("c70564000000640000008305640000006490"))
    assert [(each.field, each.end) for each in made.relatives] == [(2, 10), (12, 17)]
    decoded = timed_kernel(Kernel.from_hex("8b056400000089055e000000"))
    load, store = decoded.relatives
    assert load.target == store.target


def test_symbols_without_a_place_count_as_0() -> None:
    assert "count as 0" in kernel("movl x, %eax\n").notes[0]
