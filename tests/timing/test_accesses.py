"""Which blocks' accesses to memory would spoil a measurement. Traces are taken on this machine."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from corecast import _core
from corecast.timing.accesses import Reach, judge
from corecast.timing.blocks import PreparedBlock, prepare
from corecast.timing.timer import BlockTimer
from corecast.timing.verdict import Rejected

pytestmark = pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")


def block(text: str) -> PreparedBlock:
    code = b"".join(each.bytes for each in _core.assemble("x86", text, "intel").instructions)
    return prepare(code, 0, "unroll")


LINES, SAME = -2, -1
"""Start values: registers that hold the start of a line each; all the same."""


def reason(text: str, candidate: int = LINES) -> str:
    """Why a block is rejected with one set of start values, "" where it is not."""
    try:
        prepared = block(text)
        BlockTimer(-1, "unroll")._trace(prepared, prepared.candidates()[candidate])
    except Rejected as rejected:
        return rejected.reason
    return ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mov rax, [rbx]", ""),
        ("mov rax, [rbx+56]", ""),
        ("mov rax, [rbx+60]", "unaligned"),
        ("vmovups ymm0, [rbx+40]", "unaligned"),
        ("vmovaps ymm0, [rbx+4]", "unaligned"),
        ("mov rax, [rbx+0x6fe]", "page_split"),
        ("mov rax, [rbx]; add rbx, 8", ""),
        ("mov rax, [rbx]; add rbx, 4", "unaligned"),
        ("mov rax, [0]", "memory"),
        ("mov rax, [rbx*8]", ""),
        ("shl rbx, 40; mov rax, [rbx]", "memory"),
        ("mov rax, gs:[0x28]", "memory"),
        ("movabs rbx, 0x8000000000000000; mov rax, fs:[rbx]", "memory"),
        ("mov rcx, [rdi]; mov rax, gs:[0]", "memory"),
        ("ud2", "system"),
        ("int3", "system"),
        ("vpgatherdd ymm0, [rax+ymm1*4], ymm2", "gather"),
        ("lea rax, [rip]; mov rbx, [rip+64]", ""),
    ],
)
def test_what_is_rejected(text: str, expected: str) -> None:
    assert reason(text) == expected


def test_divisions_have_dividends_that_fit() -> None:
    assert reason("div rcx", candidate=0) == ""
    assert reason("mov rcx, 0; div rcx", candidate=0) == "division"


def test_registers_lie_at_several_places_of_a_line() -> None:
    """Else all accesses would share the cache's banks. Accesses stay aligned."""
    assert reason("mov rax, [rbx]; mov rcx, [rsi]; mov rdx, [rdi]", candidate=0) == ""
    places = [_places(text) for text in ("mov rax, [rbx]", "vmovaps ymm0, [rbx]", "vmovaps zmm0, [rbx]")]
    assert places == [set(range(0, 64, 8)), {0, 32}, {0}]


def _places(text: str) -> set[int]:
    """Offsets within a line that general registers start with."""
    prepared = block(f"{text}; add rax, rsi")
    steps = _core.trace_block(prepared.timed(prepared.candidates()[0], "unroll"), 1, 1).steps
    registers = struct.unpack_from("<16Q", steps, 8)
    stack, counter = 4, 15
    return {value % 64 for number, value in enumerate(registers) if number not in (stack, counter)}


def test_a_store_that_is_read_again_is_no_reason() -> None:
    assert reason("mov [rsp+8], rax; mov rbx, [rsp+8]") == ""
    assert reason("push rax; pop rbx") == ""
    assert reason("add qword ptr [rdi], 1") == ""


def test_a_load_of_a_part_that_was_stored_is_one() -> None:
    assert reason("mov [rsp+8], rax; mov bl, [rsp+9]") == ""
    assert reason("mov [rsp+8], al; mov rbx, [rsp+8]") == "forwarding"


def test_registers_that_happen_to_be_equal() -> None:
    """With places of their own they do not meet; two pointers from memory, which is the same everywhere, do."""
    assert reason("mov [rsi], rax; mov rbx, [rdi]") == ""
    assert reason("mov [rsi], rax; mov rbx, [rdi]", candidate=SAME) == "aliasing"
    assert reason("mov rcx, [rsi]; mov rdx, [rdi]; mov [rcx], rax; mov rbx, [rdx]") == "aliasing"
    assert reason("mov rcx, rsi; mov [rcx+8], rax; mov rbx, [rsi+8]", candidate=SAME) == "", "one value, two names"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/maps")
def test_data_lie_beside_the_heap() -> None:
    """Python's own memory would be read in place of them, where Python is not position-independent."""
    base, step, stack, pages = _core.block_data_places()
    rows = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    heaps = [tuple(int(end, 16) for end in row[0].split("-")) for row in rows if row[-1] == "[heap]"]
    for address in (*(base + number * step for number in range(16)), stack, pages, _core.measuring_data_address):
        assert not any(begin <= address < end for begin, end in heaps)


def test_the_same_place_of_another_page() -> None:
    assert reason("mov [rsi], rax; mov rbx, [rsi+4096]") == "", "the distance is the program's own"
    assert reason("mov [rsi], rax; mov rbx, [rdi-0x100]") == "aliasing"


def test_addresses_that_move_are_told() -> None:
    prepared = block("mov rax, [rbx]; add rbx, 64")
    trace = _core.trace_block(prepared.timed(prepared.candidates()[0], "unroll"), 8, 100)
    assert judge(prepared, trace.steps).drift_bytes == 64


def test_how_long_addresses_that_move_keep_to_the_cache() -> None:
    assert Reach(frozenset({(0x10000, 0), (0x20000, 0)})).fits(1 << 20)
    walk = Reach(frozenset({(0x10000, 64), (0x10008, 64)}))
    assert walk.drift_bytes == 64
    assert walk.fits(6 * 64), "six pages: as many ways of every set"
    assert not walk.fits(6 * 64 + 1)
    assert walk.fits(10 * 64, ways=12)
    assert not walk.fits(10 * 64 + 1, ways=12)
    assert not Reach(frozenset({(0x10000 + 0x10000 * i, 0) for i in range(6)} | {(0x80000, -64)})).fits(64)
    assert Reach(frozenset({(0x10000, 4096 + 512)})).fits(32), "a page each, in eight sets by turns"
    assert not Reach(frozenset({(0x10000, 4096 + 512)})).fits(33)


@pytest.mark.parametrize(
    ("text", "turns"), [("pop rax", 1024), ("add rbx, 256; mov rax, [rbx]", 32), ("add rbx, 4096; mov rax, [rbx]", 0)]
)
def test_loops_whose_addresses_move_start_again(text: str, turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    timed: list[_core.TimedBlock] = []

    def remember(_: BlockTimer, _block: PreparedBlock, run: _core.TimedBlock, known: bool = True) -> _core.Measurement:
        timed.append(run)
        raise Rejected("unstable")

    monkeypatch.setattr(BlockTimer, "_measure", remember)
    verdict = BlockTimer(-1, "loop").time(block(text).code, 0)
    if turns:
        assert (timed[0].most_iterations, timed[0].drains) == (turns, True)
    else:
        assert verdict.reason == "memory"


def test_relative_addresses_keep_their_place_in_a_line() -> None:
    code = bytes.fromhex("488b0539000000")  # mov rax, [rip+0x39]: from address 0 to 0x40
    (relative,) = prepare(code, 0, "unroll").relatives
    assert relative.target % 64 == 0
    assert prepare(code, 4, "unroll").relatives[0].target % 64 == 4


def test_code_that_no_first_level_cache_holds() -> None:
    with pytest.raises(Rejected) as rejected:
        prepare(b"\x90" * 1_000_000, 0, "loop")
    assert rejected.value.reason == "size"
