"""What was timed on a Zen 3 (EPYC 7003), and what the shipped model says of it."""

from __future__ import annotations

import pytest

from block_strategies import simulated
from corecast.prediction.engine import Mode


def cycles(text: str, mode: Mode, address: int = 0) -> float:
    return simulated("zen3", text, mode, address)


@pytest.mark.parametrize(
    ("register", "updates", "measured"),
    [
        ("rsi", 24, 24.15),
        ("rsi", 28, 212.6),
        ("rbp", 28, 212.6),
        ("rsp", 28, 28.1),
        ("rsp", 64, 64.0),
        ("rsi", 64, 479),
    ],
)
def test_only_24_updates_are_predicted_and_more_known_by_the_stack_pointer(
    register: str, updates: int, measured: float
) -> None:
    text = updates * f"add dword ptr [{register} + 8], 1\n"
    assert cycles(text, "loop") == pytest.approx(measured, rel=0.09)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("add qword ptr [r11], 1\n", 7.98),
        ("add qword ptr [rsp + 8], 1\n", 1.0),
        ("add qword ptr [rbp], 1\ntest rax, rax\n", 6.3),
    ],
)
def test_nothing_is_predicted_in_straight_line_code(text: str, measured: float) -> None:
    assert cycles(text, "unroll") == pytest.approx(measured, rel=0.13)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("nop dword ptr [rax + rax + 512]\n", 0.5),
        ("mov qword ptr [rsp + 64], 0\n", 1.0),
        ("mov dword ptr [r12 + 16], 32\n", 1.0),
        ("movabs rax, 305419896305\n", 1.0),
    ],
)
def test_instructions_of_more_than_eight_bytes_are_for_the_first_decoder(text: str, measured: float) -> None:
    assert cycles(text, "unroll") == pytest.approx(measured, abs=0.01)


@pytest.mark.parametrize(("place", "measured"), [("rax + 8", 1.0), ("rax + 32", 2.0), ("rcx", 2.0), ("rax + 64", 2.0)])
def test_two_stores_are_written_together_only_into_one_block(place: str, measured: float) -> None:
    text = f"mov qword ptr [rax], rdi\nmov qword ptr [{place}], rdi\n"
    assert cycles(text, "unroll") == pytest.approx(measured, abs=0.03)


@pytest.mark.parametrize(("count", "measured"), [(8, 2.0), (10, 2.0), (12, 2.17), (16, 3.0), (20, 4.0), (26, 4.5)])
def test_entries_of_the_op_cache_end_with_the_line(count: int, measured: float) -> None:
    text = "".join(f"xor r{8 + place % 6}d, r{8 + place % 6}d\n" for place in range(count))
    assert cycles(text, "loop") == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (
            "mov rax, rcx\nmovabs rdx, 755578637259143235\nshr rax, 5\nmul rdx\nshr rdx, 7\nimul rdx, rdx, 100000\n",
            2.12,
        ),
        (
            "mov eax, [rsp + 136]\nmov edi, [rsp + 136]\nsar eax, 31\nxor edi, eax\nsub edi, eax\nmovsxd rdi, edi\n"
            "shl rdi, 4\nimul rdi, rbp\n",
            2.97,
        ),
    ],
)
def test_multiplications_keep_their_unit_for_a_cycle_and_the_way_out_of_results(text: str, measured: float) -> None:
    assert cycles(text, "unroll") == pytest.approx(measured, rel=0.07)
