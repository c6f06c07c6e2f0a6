"""Where the pointers of a measured kernel lead, and what is said about its data."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.measure.isa.x86.registers import GENERAL
from corecast.measure.plan.kernels import TimedKernel, of_instructions
from corecast.timing.pointers import DataOptions, value_warnings, with_data

pytestmark = pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")

STREAM = "vmovsd xmm1, [rsi + rax*8]; vaddsd xmm1, xmm1, [rdx + rax*8]; vmovsd [rdi + rax*8], xmm1; add rax, 1"
CHAIN = "vmulsd xmm0, xmm0, xmm1; vaddsd xmm2, xmm0, [rsi + rax*8]; vmovsd [rdi + rax*8 + 8], xmm2; add rax, 1"


def kernel(text: str, *, is_loop: bool = True) -> TimedKernel:
    return of_instructions(tuple(_core.assemble("x86", text, "intel").instructions), "x86", is_loop=is_loop)


def prepared(text: str, *pointers: str, values: tuple[str, ...] = ()) -> tuple[TimedKernel, tuple[str, ...]]:
    return with_data(kernel(text), DataOptions(pointers, values), -1)


def general(found: TimedKernel, name: str) -> int:
    return found.values.general[GENERAL.index(name)]


def test_every_array_has_pages_of_its_own() -> None:
    found, warnings = prepared(STREAM)
    starts = [general(found, name) for name in ("rsi", "rdx", "rdi")]
    assert len({start >> 24 for start in starts}) == 3
    assert len({start % 4096 for start in starts}) == 3
    assert all(start % 64 == 0 for start in starts)
    written = general(found, "rdi") % 4096
    assert all(written < general(found, name) % 4096 for name in ("rsi", "rdx")), "loads do not trail stores"
    assert warnings == ()
    assert found.data_pages > 3
    assert GENERAL.index("rcx") not in found.values.general


def test_data_stays_in_the_cache() -> None:
    found, _ = prepared(STREAM)
    assert 0 < found.most_iterations * 2 * 8 * 3 <= 32 * 1024
    fixed, _ = prepared("mov rax, [rsi]; add rbx, rax")
    assert fixed.most_iterations == 0
    wide, warnings = prepared("add rsi, 65536; mov rax, [rsi]")
    assert wide.most_iterations == 0
    assert "first-level cache" in warnings[0]


def test_straight_line_code_starts_again_too() -> None:
    found, _ = with_data(kernel("mov rax, [rsi]; add rsi, 8", is_loop=False), DataOptions(), -1)
    assert found.copies * found.most_iterations * 2 * 8 <= 32 * 1024


@pytest.mark.parametrize(
    ("pointers", "distance"), [("rdi=rsi", 0), ("rdi=rsi+64", 64), ("rdi=rsi-0x10", -16), ("same", 0)]
)
def test_pointers_are_where_the_user_wants_them(pointers: str, distance: int) -> None:
    found, _ = prepared(CHAIN, pointers)
    assert general(found, "rdi") - general(found, "rsi") == distance


def test_loads_that_meet_stores_are_warned_of() -> None:
    assert prepared(CHAIN)[1] == ()
    assert "another register" in prepared(CHAIN, "rdi=rsi")[1][0]
    assert "another register" in prepared(CHAIN, "rdi=rsi+4096")[1][0], "the same place of another page"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mov rax, [rsi + 60]", "crosses a line"),
        ("mov rax, [rsi + 4092 - 0x400]", "crosses a page"),
        ("mov [rsi], al; mov rax, [rsi]", "takes a part from a store"),
    ],
)
def test_accesses_that_cost_more_are_warned_of(text: str, told: str) -> None:
    assert told in " ".join(prepared(text)[1])


def test_values_are_those_the_user_names() -> None:
    found, _ = prepared(CHAIN, values=("fp64=2.0", "xmm1=0.5", "rcx=-1"))
    assert found.values.vector[0] == 0x4000000000000000
    assert found.values.vector[1] == 0x3FE0000000000000
    assert found.values.memory == 0x4000000000000000
    assert general(found, "rcx") == (1 << 64) - 1
    single, _ = prepared("addss xmm0, xmm1", values=("fp32=1.0",))
    assert single.values.vector[3] == 0x3F8000003F800000


@pytest.mark.parametrize(
    ("pointers", "values"),
    [
        ("rdi", ""),
        ("rdi=eax", ""),
        ("rdi=rsi+x", ""),
        ("", "fp=1"),
        ("", "fp64=one"),
        ("", "xmm77=1"),
        ("", "int=1.5"),
        ("", "rsp=1"),
    ],
)
def test_what_is_no_register_or_number_is_refused(pointers: str, values: str) -> None:
    with pytest.raises(InputError, match=f"--{'pointers' if pointers else 'values'}"):
        prepared(CHAIN, *([pointers] if pointers else []), values=(values,) if values else ())


def test_quotients_that_decay_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """`vdivsd xmm0, xmm0, xmm1` again and again: by 1.5 it ends at subnormal numbers, by what is usual it does not."""
    code = ["measure", "kernel", "--hex", "c5fb5ec1", "--mode", "loop"]
    assert main(code) == 0
    assert "subnormal" not in capsys.readouterr().err
    assert main([*code, "--values", "fp64=1.5"]) == 0
    assert "subnormal" in capsys.readouterr().err
    assert value_warnings({"pinned": True}) == ()


def test_data_is_of_this_machine_only(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["measure", "kernel", "--hex", "c5fb5ec1", "--simulated", "zen4"]
    assert main([*arguments, "--values", "fp64=1.5"]) == 2
    assert "--values are for x86 code on this machine" in capsys.readouterr().err
