"""Mach-O objects, executables and universal files of Apple's systems: the tables that decoding needs.

Layout and constants: the system headers mach-o/loader.h, mach-o/nlist.h, mach-o/reloc.h and mach-o/fat.h.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from corecast.asm.code import Isa
from corecast.asm.image import CodeImage, CodeSection, FunctionSymbol, Relocation, SectionCollector, ordered
from corecast.errors import CorecastError, ObjectFileError
from corecast.hints import Any
from corecast.pattern import lazy_pattern

THIN, FAT, FAT_64 = b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"
OTHERS = (b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf")
"""32-bit or big-endian files."""
MOST_SLICES = 40
"""More are a Java class file, which begins with the same bytes."""
_MACHINES: dict[int, Isa] = {0x01000007: "x86", 0x0100000C: "aarch64"}
_HEADER = struct.Struct("<4sIIIIIII")
_COMMAND = struct.Struct("<II")
_SEGMENT_HEAD = struct.Struct("<II16sQQQQiiII")
_SECTION = struct.Struct("<16s16sQQIIIIIIII")
_SYMBOL_TABLE = struct.Struct("<IIIIII")
_SYMBOL = struct.Struct("<IBBHQ")
_DATA_ENTRY = struct.Struct("<IHH")
_RELOCATION = struct.Struct("<iI")
_SEGMENT_64, _SYMTAB, _DATA_IN_CODE = 0x19, 0x2, 0x29
_OBJECT = 1
_INSTRUCTIONS, _TYPE, _STUBS = 0x80000400, 0xFF, 0x8
_STAB, _KIND, _IN_SECTION = 0xE0, 0x0E, 0x0E
_BRANCH, _ADDEND = 2, 10
"""X86_64_RELOC_BRANCH and ARM64_RELOC_BRANCH26 have one number; ARM64_RELOC_ADDEND."""
_LOCAL = lazy_pattern(r"L|l(?:tmp\d+$|_)")


def slices(content: bytes, file: str) -> list[tuple[Isa | None, bytes]]:
    """Instruction set (None: another one) and content of each part of a universal file.

    Raises:
        ObjectFileError: a damaged file, or a Java class file.
    """
    wide = content.startswith(FAT_64)
    entry = struct.Struct(">IIQQII" if wide else ">IIIII")
    (count,) = struct.unpack_from(">I", content, 4) if len(content) >= 8 else (0,)
    if count > MOST_SLICES:
        raise ObjectFileError("this is a Java class file: it holds no machine code", file)
    if 8 + count * entry.size > len(content):
        raise ObjectFileError("damaged Mach-O file: the table of its parts lies outside the file (truncated?)", file)
    found: list[tuple[Isa | None, bytes]] = []
    for number in range(count):
        machine, _, offset, size, *_ = entry.unpack_from(content, 8 + number * entry.size)
        found.append((_MACHINES.get(machine), content[offset : offset + size]))
    return found


def read_macho(content: bytes, file: str, isa: Isa | None = None) -> CodeImage:
    """Read the tables of a Mach-O file, of a universal one the part for `isa` (None: the first that can be read).

    Raises:
        ObjectFileError: not Mach-O, damaged, or for another machine.
    """
    try:
        if content.startswith((FAT, FAT_64)):
            return _read(_slice(content, file, isa), file)
        return _read(content, file)
    except CorecastError:
        raise
    except (struct.error, IndexError):
        raise ObjectFileError("damaged Mach-O file: a table lies outside the file (truncated?)", file) from None
    except ValueError as error:
        raise ObjectFileError(f"damaged Mach-O file: {error}", file) from None


def _slice(content: bytes, file: str, isa: Isa | None) -> bytes:
    found = slices(content, file)
    fitting = [part for machine, part in found if machine is not None and isa in (None, machine)]
    if not fitting:
        known = ", ".join(str(machine) for machine, _ in found if machine is not None) or "no code that can be read"
        raise ObjectFileError(f"the universal file has {known}" + (f", not {isa}" if isa is not None else ""), file)
    return fitting[0]


def _read(content: bytes, file: str) -> CodeImage:
    if not content.startswith(THIN):
        raise ObjectFileError("32-bit or big-endian Mach-O code: only x86-64 and AArch64 are read", file)
    _, machine, _, kind, count, size, _, _ = _HEADER.unpack_from(content)
    isa = _MACHINES.get(machine)
    if isa is None:
        raise ObjectFileError(f"Mach-O code for machine {machine:#x}: only x86-64 and AArch64 are read", file)
    if _HEADER.size + size > len(content):
        raise ObjectFileError("damaged Mach-O file: the load commands lie outside the file (truncated?)", file)
    relocatable = kind == _OBJECT
    found = SectionCollector(content, file, "Mach-O")
    relocations: dict[int, dict[int, Relocation]] = {}
    table: tuple[int, int, int, int] | None = None
    data: list[tuple[int, int]] = []
    offsets: dict[int, int] = {}
    number = 0
    for command, start, length in _commands(content, count, size, file):
        if command == _SEGMENT_64:
            for header in _sections(content, start, length):
                number += 1
                name, _, address, extent, offset, _, first, entries, flags, *_ = header
                if not flags & _INSTRUCTIONS or flags & _TYPE == _STUBS or not extent:
                    continue
                found.add(number, _text(name), address, (offset, extent))
                offsets[number] = offset
                if relocatable:
                    relocations[number] = _relocations(content, first, entries, address)
        elif command == _SYMTAB:
            table = _SYMBOL_TABLE.unpack_from(content, start)[2:]
        elif command == _DATA_IN_CODE:
            place, extent = struct.unpack_from("<II", content, start + 8)
            data += _data_in_code(content[place : place + extent])
    functions, symbols = ([], []) if table is None else _symbols(content, table, found.sections)
    mapping = _mapping(data, offsets, found.sections)
    return CodeImage(isa, relocatable, found.sections, functions, mapping, relocations, symbols, content, "Mach-O")


def _commands(content: bytes, count: int, size: int, file: str) -> Iterator[tuple[int, int, int]]:
    """(command, offset, size) of each load command."""
    start, end = _HEADER.size, _HEADER.size + size
    for _ in range(count):
        if start + _COMMAND.size > end:
            break
        command, length = _COMMAND.unpack_from(content, start)
        if length < _COMMAND.size or start + length > end:
            raise ObjectFileError("damaged Mach-O file: a load command of impossible length", file)
        yield command, start, length
        start += length


def _sections(content: bytes, start: int, length: int) -> Iterator[tuple[Any, ...]]:
    if length < _SEGMENT_HEAD.size:
        return
    count = _SEGMENT_HEAD.unpack_from(content, start)[9]
    fitting = (length - _SEGMENT_HEAD.size) // _SECTION.size
    for number in range(min(count, fitting)):
        yield _SECTION.unpack_from(content, start + _SEGMENT_HEAD.size + number * _SECTION.size)


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


def _symbols(
    content: bytes, table: tuple[int, int, int, int], sections: Mapping[int, CodeSection]
) -> tuple[list[FunctionSymbol], list[tuple[int, int]]]:
    first, count, strings_at, strings_size = table
    strings = content[strings_at : strings_at + strings_size]
    records = content[first : first + count * _SYMBOL.size]
    functions = []
    places = []
    for name_at, kind, section, _, value in _SYMBOL.iter_unpack(records[: len(records) - len(records) % _SYMBOL.size]):
        inside = not kind & _STAB and kind & _KIND == _IN_SECTION
        places.append((section if inside else 0, value))
        if not inside or section not in sections:
            continue
        end = strings.find(b"\0", name_at)
        name = strings[name_at : end if end >= 0 else len(strings)].decode("utf-8", "replace")
        if name and not _LOCAL.match(name):
            functions.append(FunctionSymbol(name.removeprefix("_"), value, 0, section))
    return ordered(functions), places


def _relocations(content: bytes, first: int, count: int, base: int) -> dict[int, Relocation]:
    """Relocations of branches to symbols, by address."""
    records = content[first : first + count * _RELOCATION.size]
    found: dict[int, Relocation] = {}
    addend: int | None = None
    for address, word in _RELOCATION.iter_unpack(records[: len(records) - len(records) % _RELOCATION.size]):
        symbol, external, kind = word & 0xFFFFFF, word >> 27 & 1, word >> 28
        if kind == _ADDEND:
            addend = symbol - ((symbol & 0x800000) << 1)
            continue
        if kind == _BRANCH and external:
            found[base + address] = Relocation(symbol, addend)
        addend = None
    return found


def _data_in_code(records: bytes) -> list[tuple[int, int]]:
    """(offset in the file, size) of data between instructions."""
    whole = records[: len(records) - len(records) % _DATA_ENTRY.size]
    return [(offset, size) for offset, size, _ in _DATA_ENTRY.iter_unpack(whole)]


def _mapping(
    data: Sequence[tuple[int, int]], offsets: Mapping[int, int], sections: Mapping[int, CodeSection]
) -> dict[int, list[tuple[int, bool]]]:
    mapping: dict[int, list[tuple[int, bool]]] = {}
    for index, section in sections.items():
        inside = sorted((at, size) for at, size in data if 0 <= at - offsets[index] < len(section.data))
        for at, size in inside:
            address = section.address + at - offsets[index]
            mapping.setdefault(index, []).extend([(address, False), (address + size, True)])
    return mapping
