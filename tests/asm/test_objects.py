"""ELF files."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corecast.asm import Kernel, RegionOptions, read_regions
from corecast.asm.objects import read_object
from corecast.errors import CorecastError, InputError, MarkerError, ObjectFileError

DATA = Path(__file__).resolve().parent.parent / "data" / "asm"
OBJECTS = {"gcc12_x86.o": "x86", "gcc12_aarch64.o": "aarch64", "gcc12_riscv.o": "riscv64"}


@pytest.mark.parametrize("file", OBJECTS)
def test_the_loops_of_all_functions_are_found(file: str) -> None:
    kernels = read_regions(DATA / file)
    assert [kernel.name.split("+")[0] for kernel in kernels] == ["daxpy", "nested", "widen", "states", "calls"]
    assert {kernel.isa for kernel in kernels} == {OBJECTS[file]}
    assert not any(instruction.unknown for kernel in kernels for instruction in kernel.instructions)


def test_loops_know_what_lies_in_front_of_them_in_their_block() -> None:
    for kernel in read_regions(DATA / "gcc12_x86.o"):
        start = kernel.instructions[0].address
        places = [(each.address, each.address + each.length_bytes) for each in kernel.before]
        ends = [end for _, end in places]
        assert bool(places) == (start % 64 != 0)
        assert [first for first, _ in places[1:]] + [start] * bool(places) == ends
        assert all(first // 64 == start // 64 for first, _ in places)
    assert not any(kernel.before for kernel in read_regions(DATA / "gcc12_aarch64.o"))


@pytest.mark.parametrize("file", OBJECTS)
def test_debug_information_gives_source_lines(file: str) -> None:
    (kernel,) = read_regions(DATA / file, RegionOptions(function="widen"))
    assert set(kernel.source_lines) <= {"sample.c:21", "sample.c:22"}
    assert "sample.c:22" in kernel.source_lines


@pytest.mark.parametrize(("text", "file"), [("gcc12_att_debug.s", "gcc12_x86.o"), ("gcc12_riscv.s", "gcc12_riscv.o")])
def test_an_object_has_the_same_loop_as_its_text(text: str, file: str) -> None:
    for function in ("daxpy", "nested"):
        (of_text,) = read_regions(DATA / text, RegionOptions(function=function))
        (of_object,) = read_regions(DATA / file, RegionOptions(function=function))
        assert [i.mnemonic for i in of_text.instructions] == [i.mnemonic for i in of_object.instructions]


def test_the_kernel_knows_where_it_is() -> None:
    kernel = Kernel.from_object(DATA / "gcc12_aarch64.o", RegionOptions(function="daxpy"))
    assert kernel.name == "daxpy+0x10 (0x10-0x2c)"
    assert (kernel.first_line, kernel.last_line, kernel.origin) == (1, len(kernel), "object")
    assert kernel.instructions[0].address == 0x10


def test_addresses_choose_a_region() -> None:
    kernel = Kernel.from_object(DATA / "gcc12_aarch64.o", RegionOptions(address=((0x10, 0x18),)))
    assert len(kernel) == 2
    with pytest.raises(InputError, match="no code at 0x999000-0x999100"):
        read_regions(DATA / "gcc12_aarch64.o", RegionOptions(address=((0x999000, 0x999100),)))


def test_lines_cannot_be_chosen_in_an_object() -> None:
    with pytest.raises(InputError, match="only be chosen in text"):
        read_regions(DATA / "gcc12_x86.o", RegionOptions(lines=((1, 5),)))


def test_an_unknown_function_is_told() -> None:
    with pytest.raises(MarkerError, match="no function 'none'; found: nested"):
        read_regions(DATA / "gcc12_x86.o", RegionOptions(function="none"))


def test_another_instruction_set_than_asked_for_is_refused() -> None:
    with pytest.raises(ObjectFileError, match="x86 code, not aarch64"):
        read_regions(DATA / "gcc12_x86.o", RegionOptions(isa="aarch64"))


def patched(position: int, value: bytes) -> bytes:
    content = bytearray((DATA / "gcc12_x86.o").read_bytes())
    content[position : position + len(value)] = value
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (patched(18, b"\x28\x00"), "64-bit little-endian code for machine ARM"),
        (patched(4, b"\x01"), "32-bit"),
        (patched(40, b"\xff\xff\xff\x00"), "outside the file"),
        ((DATA / "gcc12_x86.o").read_bytes()[:900], "damaged ELF file"),
        (b"\x7fELF", "damaged ELF file"),
        (b"hello", "not an object file"),
    ],
)
def test_foreign_and_damaged_files_give_one_message(content: bytes, message: str) -> None:
    with pytest.raises(ObjectFileError, match=message) as caught:
        read_object(content, None, "a.o")
    assert str(caught.value).startswith("a.o: ")
    assert "\n" not in str(caught.value)


@settings(max_examples=60)
@given(st.data())
def test_damage_anywhere_gives_code_or_one_of_our_errors(data: st.DataObject) -> None:
    content = bytearray((DATA / data.draw(st.sampled_from(sorted(OBJECTS)))).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        # Headers, tables and names matter more than code: they are at both ends of the file.
        position = data.draw(st.one_of(st.integers(0, 63), st.integers(0, len(content) - 1)))
        content[position] = data.draw(st.sampled_from([0, 1, 2, 4, 0x40, 0x7F, 0x80, 0xFF]))
    content = content[: data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))]
    with suppress(CorecastError):
        code = read_object(bytes(content), None, "a.o")
        assert code.source_line(0) is not None
