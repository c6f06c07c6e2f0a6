"""What was timed on a Zen 5 (EPYC 9005), and what the shipped model says of it."""

from __future__ import annotations

import pytest

from block_strategies import simulated
from corecast.machine import load_machine
from corecast.prediction import predict
from corecast.prediction.engine import Mode


def cycles(text: str, mode: Mode, address: int = 0) -> float:
    return simulated("zen5", text, mode, address)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("nop\n", 0.25),
        ("add eax, ecx\nadd edx, ecx\nadd ebx, ecx\nadd esi, ecx\n", 1.0),
        ("nop word ptr cs:[rax + rax + 512]\n", 0.63),
        ("mov dword ptr [rsp + 640], 77\n", 1.0),
        ("lea rax, [rip + 10000]\n", 0.44),
    ],
)
def test_one_cluster_of_decoders_serves_a_thread(text: str, measured: float) -> None:
    assert cycles(text, "unroll") == pytest.approx(measured, abs=0.01)


@pytest.mark.parametrize(
    ("nops", "address", "measured"),
    [
        (5, 0, 1.0), (7, 0, 1.0), (10, 0, 1.375), (11, 0, 1.5), (12, 0, 3.0), (14, 0, 3.0), (20, 0, 4.0), (27, 0, 4.0),
        (6, 32, 1.0), (7, 32, 2.0), (11, 32, 2.0), (16, 32, 2.125), (24, 32, 3.125),
        (5, 44, 1.0), (7, 44, 1.0), (11, 44, 1.5), (11, 60, 1.5),
        (5, 36, 1.0), (6, 36, 2.0), (9, 24, 2.0),
    ],
)  # fmt: skip
def test_the_op_cache_is_read_by_lines_and_goes_on_after_at_most_six(nops: int, address: int, measured: float) -> None:
    """NOPs of four bytes, and the loop's `dec` and `jnz`: a place each."""
    code = nops * "0f1f4000"
    found = predict([code], load_machine("zen5"), "loop", "simulate", addresses=[address])
    assert float(found.cycles[0]) == pytest.approx(measured, abs=0.01)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("or byte ptr [rbx + 108], 8\n", 1.0),
        ("add word ptr [rax], 1\n", 1.0),
        ("add dword ptr [rip + 65409], 1\n", 1.02),
        ("mov [rsi], rax\nadd rax, [rsi]\n", 1.0),
        ("mov [rsi], rax\nmov eax, [rsi]\n", 1.0),
        ("mov [rsi], rax\nmovsx rax, byte ptr [rsi]\n", 1.0),
        ("mov [rsi], ax\nmovzx eax, word ptr [rsi]\n", 7.0),
        ("movups [rsi], xmm0\nmovups xmm0, [rsi]\n", 9.0),
        ("mov rax, [rsp + 56]\nmov rax, [rax]\nmov [rsp + 104], rax\nadd rsp, 48\n", 4.03),
        (64 * "add dword ptr [rsi + 8], 1\n", 64.0),
    ],
)
def test_stored_data_is_renamed_whatever_the_width_but_for_zero_extension(text: str, measured: float) -> None:
    assert cycles(text, "loop") == pytest.approx(measured, rel=0.03)


@pytest.mark.parametrize(
    ("mode", "text", "measured"),
    [
        ("loop", "paddd xmm0, xmm1\n", 2.0),
        ("loop", "paddd xmm0, xmm1\nnop\nnop\nnop\nnop\n", 2.0),
        ("loop", "paddd xmm0, xmm1\n" + 5 * "nop\n", 1.0),
        ("loop", "paddd xmm0, xmm1\n" + 8 * "nop\n", 1.25),
        ("loop", 2 * "paddd xmm0, xmm1\n" + 8 * "nop\n", 4.0),
        ("loop", 2 * "paddd xmm0, xmm1\n" + 10 * "nop\n", 3.0),
        ("loop", "maxps xmm0, xmm1\n" + 6 * "nop\n", 2.0),
        ("unroll", "paddd xmm0, xmm1\n", 2.0),
        ("unroll", "paddd xmm0, xmm1\nnop\nnop\nnop\n", 1.0),
        ("unroll", "vpmaxsd xmm0, xmm0, xmm1\nnop\nnop\nnop\nnop\n", 1.25),
    ],
)
def test_those_who_wait_for_a_vector_of_one_cycle_have_it_in_two(mode: Mode, text: str, measured: float) -> None:
    assert cycles(text, mode) == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("vpmaxsd xmm1, xmm2, xmm3\n" + 4 * "nop\n" + "vpaddd xmm0, xmm0, xmm1\n", 1.0),
        ("vpmaxsd xmm1, xmm2, xmm3\n" + 3 * "nop\n" + "vpaddd xmm0, xmm0, xmm1\n", 2.0),
        ("vpaddd zmm0, zmm0, zmm1\nvpaddd zmm2, zmm2, zmm1\n" + 3 * "nop\n", 2.0),
        ("vpaddd zmm0, zmm0, zmm1\nvpaddd zmm2, zmm2, zmm1\n" + 4 * "nop\n", 1.0),
        ("vpaddd xmm0, xmm0, [rsi]\nvpaddd xmm2, xmm2, [rsi]\n", 2.0),
        ("vpslld xmm0, xmm0, 3\n", 2.0),
        ("vmovups xmm0, [rsi]\nvpaddd xmm0, xmm0, xmm1\nvmovups [rsi], xmm0\n", 11.0),
        ("vmovd eax, xmm0\nvmovd xmm0, eax\nvpaddd xmm0, xmm0, xmm1\n", 9.0),
        ("vpaddd xmm0, xmm0, xmm1\nvpmulld xmm3, xmm2, xmm4\n" + 4 * "nop\n", 2.0),
        ("vpaddd xmm0, xmm0, xmm1\nvpaddd xmm3, xmm2, xmm4\n" + 4 * "nop\n", 1.0),
    ],
)
def test_a_vector_of_one_cycle_comes_late_where_24_younger_operations_wait(text: str, measured: float) -> None:
    assert cycles(text, "loop") == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (4 * "vpsrldq xmm3, xmm2, 8\nvpshufb xmm7, xmm8, xmm9\n", 4.0),
        (4 * "vpsrldq xmm3, xmm2, 8\nvaddps xmm7, xmm8, xmm9\n", 2.82),
        (4 * "vpcmpgtq xmm3, xmm2, xmm4\nvpshufb xmm7, xmm8, xmm9\n", 2.0),
        (4 * "vrcp14ps zmm3, zmm2\nvpshufb xmm7, xmm8, xmm9\n", 4.0),
        (4 * "vcvtdq2ps zmm3, zmm2\nvmulps xmm7, xmm8, xmm9\n", 2.0),
        (4 * "vshufi32x4 zmm3, zmm2, zmm4, 27\nvpshufb xmm7, xmm8, xmm9\n", 4.0),
        (4 * "vpcmpeqd k2, zmm2, zmm4\nvpshufb xmm7, xmm8, xmm9\n", 4.0),
        (2 * "vpermd ymm3, ymm2, ymm4\n" + 5 * "nop\n", 1.0),
        (2 * "vcvtqq2pd zmm3, zmm2\n" + 5 * "nop\n", 1.0),
        ("vmovd xmm3, eax\nvmovups [rsi], xmm5\nvmovups [rsi], xmm5\n", 1.0),
        ("vmovd xmm3, eax\nvmovd r8d, xmm7\n", 1.0),
        ("vcvtsi2sd xmm3, xmm4, rax\nvmovd xmm5, ecx\n", 2.0),
        ("vcvtsi2sd xmm3, xmm4, rax\nvaddps xmm5, xmm6, xmm7\nvaddps xmm5, xmm6, xmm7\n", 1.5),
    ],
)
def test_vector_pipes_that_conflicts_showed(text: str, measured: float) -> None:
    assert cycles(text, "loop") == pytest.approx(measured, rel=0.06)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("addsd xmm0, xmm1\n", 2.0),
        ("addsd xmm0, xmm1\nmulsd xmm0, xmm1\n", 6.0),
        ("addsd xmm0, xmm1\nminsd xmm0, xmm1\n", 5.0),
        ("addsd xmm0, xmm1\nmovsd [rsi], xmm0\nmovsd xmm0, [rsi]\n", 12.0),
        ("movq rax, xmm0\nmovq xmm0, rax\n", 9.0),
        ("mov [rsi], rax\nmovq xmm0, qword ptr [rsi]\nmovq rax, xmm0\n", 12.0),
    ],
)
def test_chains_of_vectors(text: str, measured: float) -> None:
    assert cycles(text, "loop") == pytest.approx(measured, abs=0.05)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (9 * "rorx rax, rdi, 3\n", 3.33),
        (9 * "tzcnt rax, rsi\n", 3.33),
        (9 * "lea rax, [rip + 100]\n", 3.33),
        (9 * "imul rax, rsi, 5\n", 3.0),
        (9 * "lea rax, [rsi + 4*rdi]\n", 1.67),
        (7 * "movsx rax, sil\n" + "mov [rdi], rcx\n", 1.5),
        (5 * "movsx rax, sil\n" + "push rcx\npush rcx\n", 1.33),
        (4 * "movsx rax, sil\n" + "add qword ptr [rdi], 5\n", 1.0),
    ],
)
def test_alus_of_shifts_branches_multiplications_and_stores(text: str, measured: float) -> None:
    """Timed: as here, or up to 3 % more."""
    assert cycles(text, "loop") == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("vgvg...", 1.0), ("ggvv...", 1.5), ("gvvg...", 1.5), (".gvvg..", 1.5), ("gvvg", 1.33), ("ggvvv..", 2.0),
        ("vvv.gg.", 2.0), ("vvvg...", 1.5), ("vvv....", 1.5), ("vvvv...", 2.0), ("vggg...", 1.0), ("gggg", 1.0),
        ("GG", 1.0), ("ggGG", 1.0), ("gggGG", 1.25), ("vvvvGGGG", 2.89),
    ],
)  # fmt: skip
def test_addresses_get_their_units_by_turns_and_general_ones_hold_vectors_up(text: str, measured: float) -> None:
    """Vector loads, general loads and stores, NOPs."""
    kinds = {"v": "movups xmm1, [rsi + 16]\n", "g": "mov rax, [rsi + 32]\n", "G": "mov [rdi], rcx\n", ".": "nop\n"}
    assert cycles("".join(kinds[each] for each in text), "loop") == pytest.approx(measured, rel=0.13)


@pytest.mark.parametrize(
    ("nops", "measured"), [(5, 1.0), (6, 1.17), (7, 1.34), (8, 1.51), (9, 1.5), (10, 1.67), (11, 3.0)]
)
def test_stores_of_64_bytes_have_two_slots_and_one_place_in_the_op_cache(nops: int, measured: float) -> None:
    assert cycles("vmovups [rdi], zmm9\n" + nops * "nop\n", "loop") == pytest.approx(measured, rel=0.08)


def test_a_store_of_64_bytes_has_one_address() -> None:
    loads = "mov rax, [rsi]\nmov rcx, [rsi + 8]\nmov rdx, [rsi + 16]\n"
    assert cycles(loads + "vmovups [rdi], zmm9\n", "loop") == pytest.approx(1.0)
    assert cycles(loads + "mov rbx, [rsi]\nvmovups [rdi], zmm9\n", "loop") == pytest.approx(1.25)


@pytest.mark.parametrize(("register", "step", "measured"), [("xmm", 16, 1.75), ("ymm", 32, 2.0), ("zmm", 64, 2.49)])
def test_loads_that_cross_a_line_take_their_unit_twice(register: str, step: int, measured: float) -> None:
    loads = "".join(f"vmovups {register}{n}, [rdi + rax + {at}]\n" for n, at in enumerate((0, 8, 24)))
    assert cycles(loads + f"add rax, {step}\n", "loop") == pytest.approx(measured, rel=0.01)


@pytest.mark.parametrize(
    ("before", "behind", "measured"), [(0, 0, 4.0), (3, 0, 4.0), (5, 0, 5.0), (7, 0, 4.75), (9, 0, 5.5), (0, 6, 5.0)]
)
def test_a_chain_of_loads_waits_for_the_unit_that_each_was_given(before: int, behind: int, measured: float) -> None:
    """Loads from the address that the chain hands on could all start beside it, on four units."""
    others = "mov rax, [rdi]\n"
    assert cycles(before * others + "mov rdi, [rdi + 160]\n" + behind * others, "loop") == pytest.approx(
        measured, rel=0.1
    )
