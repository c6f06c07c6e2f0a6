"""COFF, PE and Mach-O files, static libraries, and objects without machine code."""

from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corecast.asm import RegionOptions, read_regions
from corecast.asm.archive import ARCHIVE
from corecast.asm.code import Code
from corecast.asm.objects import read_object
from corecast.errors import CorecastError, InputError, MarkerError, ObjectFileError

DATA = Path(__file__).resolve().parent.parent / "data" / "asm"
FILES = {
    "clang16_coff_x86.obj": "x86",
    "clang16_coff_aarch64.obj": "aarch64",
    "clang16_macho_x86.o": "x86",
    "clang16_macho_aarch64.o": "aarch64",
}
COFF, MACHO, MACHO_ARM = (
    (DATA / name).read_bytes() for name in ("clang16_coff_x86.obj", "clang16_macho_x86.o", "clang16_macho_aarch64.o")
)
DLL = (DATA / "lld22_x86.dll").read_bytes()


@pytest.mark.parametrize("file", FILES)
def test_loops_and_functions_of_every_format_are_found(file: str) -> None:
    kernels = read_regions(DATA / file)
    assert {kernel.isa for kernel in kernels} == {FILES[file]}
    assert [kernel.name.split("+")[0] for kernel in kernels] == ["dot", "calls", "outer", "inner"]
    assert not any(instruction.unknown for kernel in kernels for instruction in kernel.instructions)
    (dot,) = read_regions(DATA / file, RegionOptions(function="dot"))
    assert dot.instructions[-1].branch == "conditional"
    assert dot.instructions == kernels[0].instructions or len(dot) == len(kernels[0])


def test_the_formats_of_one_source_give_one_loop() -> None:
    loops = [
        [
            instruction.mnemonic
            for instruction in read_regions(DATA / file, RegionOptions(function="inner"))[0].instructions
        ]
        for file in ("clang16_coff_x86.obj", "clang16_macho_x86.o")
    ]
    assert loops[0] == loops[1]


def test_a_library_of_windows_names_its_exports() -> None:
    names = [kernel.name.split(" ")[0] for kernel in read_regions(DATA / "lld22_x86.dll")]
    assert names == ["dot+0x10", "calls+0x20", "outer+0x20", "outer+0x50"]
    (dot,) = read_regions(DATA / "lld22_x86.dll", RegionOptions(function="dot"))
    assert dot.instructions[0].address == 0x180001010


def universal(*parts: tuple[int, bytes]) -> bytes:
    table = struct.pack(">4sI", b"\xca\xfe\xba\xbe", len(parts))
    place = len(table) + 20 * len(parts)
    for machine, content in parts:
        table += struct.pack(">IIIII", machine, 3, place, len(content), 0)
        place += len(content)
    return table + b"".join(content for _, content in parts)


UNIVERSAL = universal((0x01000007, MACHO), (0x0100000C, MACHO_ARM))


@pytest.mark.parametrize("isa", ["x86", "aarch64"])
def test_the_part_for_the_core_is_taken_from_a_universal_file(isa: str) -> None:
    code = read_object(UNIVERSAL, RegionOptions(isa=isa), "a.o")  # type: ignore[arg-type]
    assert code.isa == isa
    assert [function.name for function in code.functions] == ["dot", "calls", "outer", "inner"]


def archive(*members: tuple[str, bytes]) -> bytes:
    content = ARCHIVE
    for name, data in members:
        content += f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    return content


LIBRARY = archive(
    ("/", b"\0\0\0\0"), ("//", b"a_long_member_name.o/\n"), ("/0", MACHO), ("k.obj/", COFF), ("note/", b"x")
)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "lib.a"
    path.write_bytes(LIBRARY)
    return path


def test_the_objects_of_a_static_library_are_read(library: Path) -> None:
    kernels = read_regions(library, RegionOptions(isa="x86"))
    assert [kernel.file for kernel in kernels] == [
        f"{library}({name})" for name in ["a_long_member_name.o"] * 4 + ["k.obj"] * 4
    ]
    (kernel,) = read_regions(f"{library}(k.obj)", RegionOptions(function="dot"))
    assert kernel.file == f"{library}(k.obj)"
    assert len(read_regions(library, RegionOptions(function="dot"))) == 2


@pytest.mark.parametrize(
    ("member", "options", "message"),
    [
        ("(none.o)", RegionOptions(), "no member 'none.o'"),
        ("", RegionOptions(function="dott"), "no function 'dott'; found: dot, "),
        ("", RegionOptions(loop="2"), "2 objects: to choose one loop, name one as"),
        ("", RegionOptions(address=((0, 16),)), "2 objects: to choose addresses, name one as"),
        ("(note)", RegionOptions(), "no machine code"),
    ],
)
def test_what_a_library_does_not_have_is_an_error(
    library: Path, member: str, options: RegionOptions, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_regions(f"{library}{member}", options)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ((DATA / "gcc12_lto.o").read_bytes(), r"LTO object \(GCC\): it holds no machine code; compile without -flto"),
        (b"BC\xc0\xde" + bytes(20), r"LTO object \(LLVM bitcode\)"),
        (b"\xde\xc0\x17\x0b" + bytes(20), r"LTO object \(LLVM bitcode\)"),
        (archive(("x.o/", b"BC\xc0\xde" + bytes(20))), r"lib.a\(x.o\): this is an LTO object"),
        (b"\xca\xfe\xba\xbe\0\0\0\x37" + bytes(40), "Java class file"),
        (b"\0asm\1\0\0\0", "WebAssembly"),
        (b"!<thin>\n/", "thin archive"),
        (b"MZ" + bytes(80), "DOS program"),
        (COFF[:30], "cannot be determined|neither assembly"),
        (b"\x4c\x01" + COFF[2:], "32-bit x86 code"),
        (DLL[:300], "section headers lie outside"),
        (DLL[:0x600], "is cut off|outside"),
        (MACHO[:60], "load commands lie outside"),
        (MACHO[:4] + b"\x12\0\0\0" + MACHO[8:], "machine 0x12"),
        (b"\xce\xfa\xed\xfe" + MACHO[4:], "32-bit or big-endian"),
        (UNIVERSAL[:20], "outside the file"),
        (universal((0x12, MACHO)), "no code that can be read"),
        (archive(("x.o/", MACHO))[:-9], "cut off"),
        (ARCHIVE + bytes(70), "no member begins at offset 8"),
        (archive(), "no machine code"),
    ],
)
def test_what_cannot_be_read_gives_one_message(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "lib.a"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_regions(path, RegionOptions())
    assert "\n" not in str(caught.value)


def test_a_section_many_times_the_file_is_refused() -> None:
    head = struct.pack("<HHIIIHH", 0x8664, 60, 0, 0, 0, 0, 0)
    section = struct.pack("<8sIIIIIIHHI", b".text", 0, 0, 2000, 20, 0, 0, 0, 0, 0x60000020)
    with pytest.raises(ObjectFileError, match="code sections overlap"):
        read_object(head + section * 60, None, "a.obj")


LOOP = bytes.fromhex("4883c30848ffc97500")  # add rbx, 8; dec rcx; jne: the target comes from a relocation


def coff_with_branch(symbol_value: int, addend: int) -> bytes:
    """A loop whose branch (a near jump) is relocated, as MASM writes it."""
    text = LOOP[:-2] + b"\x0f\x85" + struct.pack("<i", addend)
    head = struct.pack("<HHIIIHH", 0x8664, 1, 0, 60 + len(text) + 10, 1, 0, 0)
    section = struct.pack("<8sIIIIIIHHI", b".text", 0, 0, len(text), 60, 60 + len(text), 0, 1, 0, 0x60000020)
    relocation = struct.pack("<IIH", len(text) - 4, 0, 4)
    return head + section + text + relocation + struct.pack("<8sIhHBB", b"f", symbol_value, 1, 0x20, 2, 0)


def macho_with_branch(symbol_value: int, addend: int) -> bytes:
    """The same for AArch64: add x0, x0, #8; b f."""
    text = struct.pack("<II", 0x91002000, 0x14000000)
    records = struct.pack("<iI", 4, (addend & 0xFFFFFF) | 10 << 28) if addend else b""
    records += struct.pack("<iI", 4, 0 | 1 << 27 | 2 << 28)
    start = 32 + 152 + 24
    section = struct.pack(
        "<16s16sQQIIIIIIII",
        b"__text",
        b"__TEXT",
        0,
        len(text),
        start,
        2,
        start + 8,
        len(records) // 8,
        0x80000400,
        0,
        0,
        0,
    )
    segment = struct.pack("<II16sQQQQiiII", 0x19, 152, b"", 0, 8, start, 8, 7, 7, 1, 0) + section
    symbols_at = start + 8 + len(records)
    table = struct.pack("<IIIIII", 2, 24, symbols_at, 1, symbols_at + 16, 4)
    head = struct.pack("<4sIIIIIII", b"\xcf\xfa\xed\xfe", 0x0100000C, 0, 1, 2, len(segment) + len(table), 0, 0)
    return head + segment + table + text + records + struct.pack("<IBBHQ", 1, 0x0F, 1, 0, symbol_value) + b"\0_f\0"


@pytest.mark.parametrize(
    ("content", "branch", "target"),
    [
        (coff_with_branch(0, 0), 2, 0),
        (coff_with_branch(4, 0), 2, 1),
        (coff_with_branch(0, 4), 2, 1),
        (macho_with_branch(0, 0), 1, 0),
        (macho_with_branch(8, -8), 1, 0),
        (macho_with_branch(0, 4), 1, 1),
    ],
)
def test_branches_that_a_linker_would_resolve_lead_to_their_symbols(content: bytes, branch: int, target: int) -> None:
    assert read_object(content, None, "a.o").targets[branch] == target


def read_all(content: bytes, file: Path) -> list[Code]:
    file.write_bytes(content)
    from corecast.asm.regions import read_codes

    return read_codes(file, RegionOptions())


@settings(max_examples=120)
@given(st.data())
def test_damage_anywhere_gives_code_or_one_of_our_errors(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(data.draw(st.sampled_from([COFF, MACHO, MACHO_ARM, DLL, UNIVERSAL, LIBRARY])))
    for _ in range(data.draw(st.integers(1, 6))):
        position = data.draw(st.one_of(st.integers(0, 400), st.integers(0, len(content) - 1)))
        content[position % len(content)] = data.draw(st.sampled_from([0, 1, 2, 4, 0x40, 0x7F, 0x80, 0xFF]))
    content = content[: data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))]
    with suppress(CorecastError):
        read_all(bytes(content), tmp_path_factory.getbasetemp() / "damaged")


def test_a_missing_function_is_looked_for_in_all_objects(library: Path) -> None:
    with pytest.raises(MarkerError, match=r"lib\.a: no function"):
        read_regions(library, RegionOptions(function="nowhere"))
