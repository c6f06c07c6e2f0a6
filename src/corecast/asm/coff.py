"""COFF objects and PE executables of Windows: the tables that decoding needs.

Layout and constants: Microsoft's "PE Format" specification.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from corecast.asm.code import Isa
from corecast.asm.image import GCC_LTO, CodeImage, FunctionSymbol, Relocation, SectionCollector, ordered
from corecast.dataclass import dataclass
from corecast.errors import CorecastError, ObjectFileError

_MACHINES: dict[int, Isa] = {0x8664: "x86", 0xAA64: "aarch64", 0xA641: "aarch64"}
_OTHER_MACHINES = {0x014C: "32-bit x86", 0x01C0: "32-bit Arm", 0x01C4: "32-bit Arm", 0x0200: "Itanium"}
_HEADER = struct.Struct("<HHIIIHH")
_BIG_HEADER = struct.Struct("<HHHHI16s16xIII")
_BIG_CLASS = bytes.fromhex("c7a1bad1eebaa94baf20faf66aa4dcb8")
_SECTION = struct.Struct("<8sIIIIIIHHI")
_SYMBOL, _BIG_SYMBOL = struct.Struct("<8sIhHBB"), struct.Struct("<8sIiHBB")
_RELOCATION = struct.Struct("<IIH")
_PE32_PLUS = 0x20B
_FIRST_DIRECTORY = 112
_MOST_IMAGE_SECTIONS = 96
_Extent = tuple[int, int, int, int]
"""Section number, address, size, offset in the file."""
_CODE, _MANY_RELOCATIONS = 0x20000020, 0x01000000
_EXTERNAL, _STATIC, _FUNCTION = 2, 3, 2
_BRANCH_TYPES: dict[Isa, frozenset[int]] = {"x86": frozenset({4}), "aarch64": frozenset({3, 0xF, 0x10})}
"""Relocation types of branches: REL32; BRANCH26, BRANCH19, BRANCH14."""


@dataclass(frozen=True)
class _Layout:
    """Where the tables are."""

    machine: int
    sections: int
    section_table: int
    symbols: int
    symbol_table: int
    big: bool = False
    image_base: int | None = None
    """None for object files."""
    exports: int = 0
    """Address of a library's table of names, counted from `image_base`; 0 where there is none."""


def is_coff(content: bytes) -> bool:
    """Whether bytes look like a COFF object: they have no magic number, so that the fields must fit the file."""
    if content[:4] == b"\0\0\xff\xff":
        return content[12:28] == _BIG_CLASS
    if len(content) < _HEADER.size:
        return False
    machine, sections, _, symbol_table, symbols, optional, _ = _HEADER.unpack_from(content)
    if (machine not in _MACHINES and machine not in _OTHER_MACHINES) or optional:
        return False
    tables_end = max(_HEADER.size + sections * _SECTION.size, symbol_table + symbols * _SYMBOL.size)
    return bool(tables_end <= len(content) and (symbols == 0 or symbol_table > 0))


def read_coff(content: bytes, file: str) -> CodeImage:
    """Read the tables of a COFF object or a PE executable.

    Raises:
        ObjectFileError: neither, damaged, or for another machine.
    """
    try:
        return _read(content, file)
    except CorecastError:
        raise
    except (struct.error, IndexError):
        raise ObjectFileError("damaged COFF file: a table lies outside the file (truncated?)", file) from None
    except ValueError as error:
        raise ObjectFileError(f"damaged COFF file: {error}", file) from None


def _read(content: bytes, file: str) -> CodeImage:
    layout = _layout(content, file)
    isa = _MACHINES.get(layout.machine)
    if isa is None:
        name = _OTHER_MACHINES.get(layout.machine, f"machine {layout.machine:#x}")
        raise ObjectFileError(f"{name} code: only x86-64 and AArch64 are read from COFF files", file)
    if layout.section_table + layout.sections * _SECTION.size > len(content):
        raise ObjectFileError("damaged COFF file: the section headers lie outside the file (truncated?)", file)
    record = _BIG_SYMBOL if layout.big else _SYMBOL
    strings = layout.symbol_table + layout.symbols * record.size if layout.symbol_table else len(content)
    if strings > len(content):
        raise ObjectFileError("damaged COFF file: the symbol table lies outside the file (truncated?)", file)
    base = layout.image_base
    found = SectionCollector(content, file, "COFF")
    extents: list[_Extent] = []
    relocations: dict[int, dict[int, Relocation]] = {}
    bases = [0]
    lto = False
    for index in range(1, layout.sections + 1):
        header = _SECTION.unpack_from(content, layout.section_table + (index - 1) * _SECTION.size)
        raw_name, virtual_size, virtual_address, size, offset, relocation_table, _, count, _, flags = header
        bases.append(virtual_address + (base or 0))
        name = _section_name(raw_name, content, strings)
        lto = lto or name.startswith(".gnu.lto_")
        extents.append((index, virtual_address, size, offset))
        if not flags & _CODE or not size or not offset:
            continue
        if base is not None and virtual_size:
            size = min(size, virtual_size)
        found.add(index, name, bases[index], (offset, size))
        if base is None:
            table = (relocation_table, count, bool(flags & _MANY_RELOCATIONS))
            relocations[index] = _relocations(content, table, isa)
    if lto and not found.sections:
        raise ObjectFileError(GCC_LTO, file)
    functions, symbols = _symbols(content, layout, record, bases, set(found.sections))
    if not functions and layout.exports:
        functions = _exports(content, layout, extents[:_MOST_IMAGE_SECTIONS], set(found.sections))
    return CodeImage(isa, base is None, found.sections, functions, {}, relocations, symbols, content, "COFF")


def _layout(content: bytes, file: str) -> _Layout:
    start = 0
    if content.startswith(b"MZ"):
        (start,) = struct.unpack_from("<I", content, 0x3C) if len(content) >= 0x40 else (len(content),)
        if content[start : start + 4] != b"PE\0\0":
            raise ObjectFileError("a DOS program: only 64-bit code is read", file)
        start += 4
    elif content[:4] == b"\0\0\xff\xff":
        _, _, _, machine, _, _, sections, symbol_table, symbols = _BIG_HEADER.unpack_from(content)
        return _Layout(machine, sections, _BIG_HEADER.size, symbols, symbol_table, big=True)
    machine, sections, _, symbol_table, symbols, optional, _ = _HEADER.unpack_from(content, start)
    table = start + _HEADER.size
    base = None
    exports = 0
    if start:
        if machine in _MACHINES and struct.unpack_from("<H", content, table)[0] != _PE32_PLUS:
            raise ObjectFileError("damaged COFF file: a 64-bit machine with a header of another kind", file)
        (base,) = struct.unpack_from("<Q", content, table + 24) if machine in _MACHINES else (0,)
        if optional >= _FIRST_DIRECTORY + 8:
            (exports,) = struct.unpack_from("<I", content, table + _FIRST_DIRECTORY)
    count = symbols if symbol_table else 0
    return _Layout(machine, sections, table + optional, count, symbol_table, False, base, exports)


def _exports(content: bytes, layout: _Layout, extents: Sequence[_Extent], code: set[int]) -> list[FunctionSymbol]:
    """The functions that a library exports by name."""

    def place(address: int) -> tuple[int, int]:
        for index, start, size, offset in extents:
            if start <= address < start + size:
                return index, offset + address - start
        raise ValueError("the table of exports lies outside the sections")

    def table(address: int, kind: str, count: int) -> tuple[int, ...]:
        if count > len(content):
            raise ValueError("the table of exports is longer than the file")
        return struct.unpack_from(f"<{count}{kind}", content, place(address)[1]) if count else ()

    count, addresses_at, names_at, ordinals_at = struct.unpack_from("<IIII", content, place(layout.exports)[1] + 24)
    addresses = table(addresses_at, "I", struct.unpack_from("<I", content, place(layout.exports)[1] + 20)[0])
    functions = []
    for name_at, ordinal in zip(table(names_at, "I", count), table(ordinals_at, "H", count), strict=True):
        address = addresses[ordinal]
        section = next((index for index, start, size, _ in extents if start <= address < start + size), 0)
        if section in code:
            name = _string(content, place(name_at)[1])
            functions.append(FunctionSymbol(name, address + (layout.image_base or 0), 0, section))
    return ordered(functions)


def _section_name(raw: bytes, content: bytes, strings: int) -> str:
    name = raw.rstrip(b"\0")
    if name[:1] == b"/" and name[1:].isdigit():
        return _string(content, strings + int(name[1:]))
    return name.decode("utf-8", "replace")


def _string(content: bytes, place: int) -> str:
    end = content.find(b"\0", place)
    return content[place : end if end >= 0 else len(content)].decode("utf-8", "replace")


def _symbols(
    content: bytes, layout: _Layout, record: struct.Struct, bases: Sequence[int], code: set[int]
) -> tuple[list[FunctionSymbol], list[tuple[int, int]]]:
    functions = []
    places: list[tuple[int, int]] = []
    strings = layout.symbol_table + layout.symbols * record.size
    auxiliary = 0
    for index in range(layout.symbols):
        if auxiliary:
            auxiliary -= 1
            places.append((0, 0))
            continue
        raw, value, section, kind, storage, auxiliary = record.unpack_from(
            content, layout.symbol_table + index * record.size
        )
        address = value + (bases[section] if 0 < section < len(bases) else 0)
        places.append((section, address))
        is_function = kind >> 4 == _FUNCTION or (kind == 0 and storage == _EXTERNAL)
        if section in code and storage in (_EXTERNAL, _STATIC) and is_function:
            long_name = raw[:4] == b"\0\0\0\0"
            name = _string(content, strings + int.from_bytes(raw[4:], "little")) if long_name else _short_name(raw)
            if name:
                functions.append(FunctionSymbol(name, address, 0, section))
    return ordered(functions), places


def _short_name(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


def _relocations(content: bytes, table: tuple[int, int, bool], isa: Isa) -> dict[int, Relocation]:
    """Relocations of branches, by offset in the section."""
    start, count, many = table
    if many and count == 0xFFFF:  # the first entry has the number
        count = min(_RELOCATION.unpack_from(content, start)[0], len(content) // _RELOCATION.size)
    end = min(start + count * _RELOCATION.size, len(content))
    entries = content[start : end - (end - start) % _RELOCATION.size] if start < end else b""
    kinds = _BRANCH_TYPES[isa]
    return {
        address: Relocation(symbol, None) for address, symbol, kind in _RELOCATION.iter_unpack(entries) if kind in kinds
    }
