"""What was timed on a Granite Rapids and is a rule or a parameter of its pipeline: bounds and simulation agree."""

from __future__ import annotations

import pytest

from corecast import Kernel, _core
from corecast.machine import load_machine

LOOP = "\n dec %r15\n jne .L"


def cycles(text: str, mode: str) -> tuple[float, float]:
    """Bound and simulated cycles."""
    machine = load_machine("granite_rapids")
    kernel = Kernel.from_text(f".L: {text}{LOOP}" if mode == "loop" else text, isa="x86")
    instructions = list(kernel.instructions)
    bound = max(_core.analyze(machine.core, instructions, mode).bounds.values())
    return bound, _core.simulate(machine.core, instructions, mode).cycles_per_iteration


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("addsd %xmm1, %xmm0", 2),
        ("vaddsd %xmm1, %xmm0, %xmm0\n vsubsd %xmm2, %xmm0, %xmm0", 4),
        ("mulsd %xmm1, %xmm0\n addsd %xmm1, %xmm0", 6),
        ("mulsd %xmm1, %xmm0", 3),
        ("movapd %xmm3, %xmm1\n subsd %xmm2, %xmm1\n mulsd %xmm1, %xmm0", 4),
        ("addpd %xmm1, %xmm0\n andpd %xmm2, %xmm0", 4),
        ("vaddps %ymm1, %ymm0, %ymm0\n vminps %ymm2, %ymm0, %ymm0", 7),
    ],
)
def test_additions_hand_on_sooner_to_each_other(text: str, measured: float) -> None:
    assert cycles(text, "loop") == pytest.approx((measured, measured), abs=0.01)


def test_ports_by_slot_hold_up_chains_that_need_all_of_them() -> None:
    """Measured 2.94 and 1.29 in compiled loops (pipeline facts IN-113): two ports have no cycle to lose."""
    chains = "\n".join(f"vaddpd {32 * n}(%rsi,%rcx,8), %ymm{n}, %ymm{n}" for n in range(4))
    bound, simulated = cycles(f"{chains}\n add $16, %rcx", "loop")
    assert bound == pytest.approx(2, abs=0.01)
    assert simulated == pytest.approx(2.94, abs=0.15)
    assert cycles("vaddpd %ymm4, %ymm0, %ymm0\n vaddpd %ymm4, %ymm1, %ymm1", "loop")[1] == pytest.approx(2, abs=0.01)


def test_a_pair_that_is_no_branch_does_not_end_a_group_of_the_decoders() -> None:
    assert cycles("mov (%rdi), %eax\n add %edx, %eax\n cmp $4, %eax", "unroll")[1] == pytest.approx(0.5, abs=0.02)


def test_a_store_of_512_bits_is_one_store() -> None:
    text = "vmulpd (%rax), %zmm2, %zmm1\n vmovupd %zmm1, 64(%rax)"
    bound, simulated = cycles(text, "loop")
    assert bound == pytest.approx(1.0, abs=0.01)
    assert simulated == pytest.approx(1.0, abs=0.02)


def test_half_a_register_extracted_leaves_port_1_open() -> None:
    text = "vextractf64x4 $1, %zmm0, %ymm1\n" + "\n".join(f"vaddpd %ymm2, %ymm2, %ymm{n}" for n in range(4, 8))
    assert cycles(text, "loop")[1] < 3
    assert cycles(text + "\n vpaddd %zmm8, %zmm8, %zmm9", "loop")[1] > 4


def test_gathers_behind_each_other_come_from_the_uop_cache() -> None:
    gather = "kxnorb %k0, %k0, %k1\n vxorpd %xmm{n}, %xmm{n}, %xmm{n}\n vgatherdpd (%rdx,%ymm9,8), %zmm{n} {{%k1}}"
    text = "\n".join(gather.format(n=n) for n in range(1, 5))
    assert cycles(text, "loop")[1] == pytest.approx(17.2, rel=0.1)


def test_what_goes_on_in_the_next_line_is_read_twice() -> None:
    text = (
        "\n".join(f"vmovupd {at + 48}(%rsi), %ymm{n}" for n, at in enumerate((0, 64, 128))) + "\n lea 192(%rsi), %rsi"
    )
    bound, simulated = cycles(text, "loop")
    assert bound == pytest.approx(2.0, abs=0.01)
    assert simulated >= 2.0


def test_indexed_addresses_do_not_change_where_an_extension_runs() -> None:
    text = "\n".join(f"vpmovsxdq {16 * n}(%rsi,%rax), %ymm{n}" for n in range(4))
    assert cycles(text, "loop") == pytest.approx((4.0, 4.0), abs=0.05)


@pytest.mark.parametrize(("constant", "measured"), [(8, 0.5), (200, 0.53), (-900, 0.53), (968, 0.53)])
def test_rename_adds_constants_that_are_encoded_in_four_bytes(constant: int, measured: float) -> None:
    assert cycles(f"addq ${constant}, %rcx\n cmpq %rdi, %rcx", "unroll")[1] == pytest.approx(measured, abs=0.26)


def test_longer_constants_are_added_by_a_port() -> None:
    """Measured 1.33: comparisons hold up a third of the additions, which the simulation does not find."""
    assert 1 <= cycles("addq $1000, %rcx\n cmpq %rdi, %rcx", "unroll")[1] + 0.01 <= 1.6
