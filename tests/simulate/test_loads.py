"""Loads whose address takes longer, or that keep a part of their register: bounds and simulation agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import Kernel, _core
from corecast.machine import Machine, load_machine
from rewritten_machines import Row, rewritten

ADDRESSES = [  # of a load whose result is the next one's base
    ("movq (%rax), %rax", 0),
    ("movq 4096(%rax), %rax", 0),
    ("movq (%rbx,%rax), %rax", 0),
    ("movq (%rax,%rbx,4), %rax", 1),
    ("movq (%rbx,%rax,2), %rax", 1),
    ("movq (,%rax,8), %rax", 1),
    ("movq 16(%rbx,%rax), %rax", 1),
    ("addq (%rbx,%rax,8), %rax", 1),
    ("movslq (%rbx,%rax,4), %rax", 1),
]
WITHOUT_EXTRA = {"addq": 5, "movslq": 5}


def cycles(machine: Machine, text: str) -> tuple[float, float]:
    """Bound and simulated cycles of a loop around some lines."""
    kernel = Kernel.from_text(f".L: {text}\n decq %r15\n jne .L\n", isa="x86")
    instructions = list(kernel.instructions)
    bound = max(_core.analyze(machine.core, instructions, "loop").bounds.values())
    return bound, _core.simulate(machine.core, instructions, "loop").cycles_per_iteration


@pytest.mark.parametrize(("load", "extra"), ADDRESSES, ids=[load for load, _ in ADDRESSES])
@pytest.mark.parametrize("cpu", ["zen1", "zen2", "zen3", "zen4", "zen5"])
def test_scaled_and_three_part_addresses_take_amds_cores_a_cycle_longer(cpu: str, load: str, extra: int) -> None:
    """Timed on a Zen 4: 4.00 and 5.00 cycles, 5.00 and 6.00 of movslq."""
    expected = WITHOUT_EXTRA.get(load.split()[0], 4) + extra
    assert cycles(load_machine(cpu), load) == pytest.approx((expected, expected), abs=0.02)


@pytest.mark.parametrize(
    ("address", "measured"), [("(%rax)", 11), ("(%rbx,%rax)", 11), ("(%rbx,%rax,4)", 12), ("16(%rbx,%rax)", 12)]
)
def test_vector_loads_do_so_too(address: str, measured: float) -> None:
    text = f"vmovups {address}, %ymm0\n vmovq %xmm0, %rcx\n andl $0, %ecx\n addq %rcx, %rax"
    assert cycles(load_machine("zen4"), text) == pytest.approx((measured, measured), abs=0.02)


def test_other_cores_loads_depend_on_no_such_thing() -> None:
    machine = load_machine("ice_lake")
    assert cycles(machine, "movq (%rbx,%rax,2), %rax") == cycles(machine, "movq (%rbx,%rax), %rax")


def test_what_is_updated_in_memory_waits_for_its_address() -> None:
    """The address comes from the sum that the instruction before stored: load, add, and the slow address."""
    machine = load_machine("zen4")
    plain, _ = cycles(machine, "addq $1, (%rax,%rbx)\n movq (%rax,%rbx), %rax")
    scaled, _ = cycles(machine, "addq $1, (%rax,%rbx,2)\n movq (%rax,%rbx,2), %rax")
    assert scaled == plain + 1


@pytest.mark.parametrize("cpu", ["zen2", "zen4", "zen5"])
def test_a_load_does_not_wait_for_the_register_that_it_merges_with(cpu: str) -> None:
    """`mov al, [rsi]` keeps the rest of rax: timed on a Zen 4, 2.00 cycles a turn."""
    bound, simulated = cycles(load_machine(cpu), "movb (%rsi), %al\n addb %al, %ah\n incq %rsi")
    assert bound == pytest.approx(2)
    assert simulated == pytest.approx(2, abs=0.02)


def test_an_index_that_is_not_there_takes_no_time(tmp_path: Path) -> None:
    def slow_index(row: Row) -> None:
        if row["form"] == "add r64, m64":
            row["latency"] += ";index->1:30"

    machine = rewritten("zen4", tmp_path, slow_index, {})
    assert cycles(machine, "addq (%rax), %rax") == pytest.approx((5, 5), abs=0.02)
    assert cycles(machine, "addq (%rbx,%rax), %rax") == pytest.approx((30, 30), abs=0.02)


RENAMED = [  # timed on a Zen 4
    ("movq %rax, (%rsi)\n movq (%rsi), %rax\n addq $1, %rax", 1.0),
    ("movq %rax, (%rsi)\n movl (%rsi), %eax\n addl $1, %eax", 1.0),
    ("movq %rax, (%rsi)\n shlxq %rbx, (%rsi), %rax", 1.0),
    ("movq %rax, (%rsi,%rdi)\n addq (%rsi,%rdi), %rax", 1.0),
    ("movq %rax, (%rsi,%rdi)\n movslq (%rsi,%rdi), %rax", 1.0),
    ("movl x(%rip), %eax\n subl $1, %eax\n movl %eax, x(%rip)", 1.0),
    ("movl 34(%rip), %eax\n subl $1, %eax\n movl %eax, 25(%rip)", 1.0),
    ("addl $1, x(%rip)\n addl $1, x(%rip)", 2.0),
    ("movl (%rsi), %eax\n subl $1, %eax\n movl %eax, (%rsi)", 1.0),
    ("movq %rdi, %rsi\n addl $1, (%rsi)", 1.0),  # known by the instruction, not by the register
    ("movq %rax, (%rsi)\n movq %rsi, %rdi\n movq (%rdi), %rax", 1.0),
]


@pytest.mark.parametrize(("text", "measured"), RENAMED, ids=[text for text, _ in RENAMED])
def test_what_zen4_renames_in_memory(text: str, measured: float) -> None:
    machine = load_machine("zen4")
    assert cycles(machine, text) == pytest.approx((measured, measured), abs=0.02)


FORWARDED = [  # timed on a Zen 4
    ("addl $1, x(%rip)", 6.2),  # of the instruction's own store
    ("addl $1, x(%rip)\n addl $1, y(%rip)", 6.7),
    ("movq %rax, 8(%rsp)\n addq 8(%rsp), %rax", 7.9),
    ("movq %rax, (%rsi)\n orq (%rsi), %rax", 7.9),
    ("movq %rax, (%rsi)\n popcntq (%rsi), %rax", 7.6),
    ("movq %rax, (%rsi)\n movq 4(%rsi), %rax", 0.0),  # it does not hold all of it
    ("movq %rax, (%rsi)\n movl 4(%rsi), %eax\n addl $1, %eax", 7.7),
    ("movq %rax, (%rsi)\n movzwl (%rsi), %eax\n addl $1, %eax", 7.7),
]


@pytest.mark.parametrize(("text", "measured"), FORWARDED, ids=[text for text, _ in FORWARDED])
def test_what_zen4_forwards(text: str, measured: float) -> None:
    """The model's forwarding is Zen 3's 6 cycles; here it takes up to a cycle more."""
    for each in cycles(load_machine("zen4"), text):
        assert each == pytest.approx(max(measured, 6.5), abs=1.0)


WORK = [  # forwarded data, and what the row has beyond a load
    ("zen4", "vmovups %zmm0, (%rsi)\n vmovdqu64 (%rsi), %zmm0", 9 + 1),
    ("zen4", "vmovups %ymm0, (%rsi)\n vmovups (%rsi), %ymm0", 9),
    ("golden_cove", "vmovups %ymm0, (%rsi)\n vmovups (%rsi), %ymm0", 5 + 1),
    ("zen4", "vmovups %xmm0, (%rsi)\n vpdpwssd (%rsi), %xmm1, %xmm0", 9 + 4),  # of unknown ports
    # a row without a load's port
    ("golden_cove", "invvpid (%rsi), %rax\n cmovbq %rbx, %rcx\n andq $0, %rcx\n addq %rcx, %rsi", 100 + 3),
]


@pytest.mark.parametrize(("cpu", "text", "expected"), WORK, ids=[text for _, text, _ in WORK])
def test_what_is_done_with_loaded_data_takes_as_long_as_the_row_says(cpu: str, text: str, expected: float) -> None:
    assert cycles(load_machine(cpu), text) == pytest.approx((expected, expected), abs=0.02)


@pytest.mark.parametrize(
    ("text", "copies", "measured"),  # timed on a Zen 4
    [
        ("movq %rdi, %rsi\n addl $1, (%rsi)", 24, 1.0),
        ("movq %rdi, %rsi\n addl $1, (%rsi)", 28, 6.9),
        ("movq %rdi, %rsi\n addl $1, (%rsi)", 40, 7.2),
        ("addl $1, (%rsi)", 40, 1.0),  # nobody writes the register
        ("movq %rax, (%rsi)\n movq %rdi, %rsi\n movq (%rsi), %rax", 40, 6.6),
        ("movq %rax, (%rsi)\n movq %rsi, %rdi\n movq (%rdi), %rax", 40, 6.9),
        ("xchgl (%rsi), %eax", 1, 8.0),
    ],
)
def test_zen4_learns_few_pairs_of_stores_and_loads(text: str, copies: int, measured: float) -> None:
    """The model's forwarding is Zen 3's 6 cycles; here it takes up to a cycle more."""
    for each in cycles(load_machine("zen4"), "\n ".join([text] * copies)):
        assert each / copies == pytest.approx(measured, abs=0.02 if measured == 1 else 1.2)


def test_other_cores_rename_whatever_they_load() -> None:
    bound, simulated = cycles(load_machine("ice_lake"), "movq %rax, (%rsi)\n addq (%rsi), %rax")
    assert (bound, simulated) == pytest.approx((1.0, 1.0), abs=0.1)
