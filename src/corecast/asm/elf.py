"""The parts of an ELF file that decoding needs, read once; pyelftools does the headers, tables are unpacked in bulk."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Mapping, Sequence

from corecast.asm.code import Isa
from corecast.asm.image import GCC_LTO, CodeImage, CodeSection, FunctionSymbol, Relocation, SectionCollector, ordered
from corecast.errors import CorecastError, ObjectFileError
from corecast.hints import Any

_MACHINES: dict[str, Isa] = {"EM_X86_64": "x86", "EM_AARCH64": "aarch64", "EM_RISCV": "riscv64"}
_SYMBOL = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QQq")
_FUNCTION_TYPES = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
_SHF_EXECINSTR, _PF_X = 4, 1


def read_elf(content: bytes, file: str) -> CodeImage:
    """Read the tables of an ELF file.

    Raises:
        ObjectFileError: not ELF, damaged, or for another machine.
    """
    if not content.startswith(b"\x7fELF"):
        raise ObjectFileError("this is not an ELF file", file)
    from elftools.elf.elffile import ELFFile

    try:
        return _read(ELFFile(io.BytesIO(content)), content, file)
    except CorecastError:
        raise
    except Exception as error:  # whatever pyelftools stumbles over in a damaged file, of many types
        reason = str(error) or type(error).__name__
        raise ObjectFileError(f"damaged ELF file: {reason}", file) from None


def _read(elf: Any, content: bytes, file: str) -> CodeImage:
    machine = elf["e_machine"]
    isa = _MACHINES.get(machine)
    if isa is None or elf.elfclass != 64 or not elf.little_endian:
        name = str(machine).removeprefix("EM_")
        order = "little" if elf.little_endian else "big"
        raise ObjectFileError(
            f"{elf.elfclass}-bit {order}-endian code for machine {name}: only x86-64, AArch64 and RV64 are read", file
        )
    if elf["e_shnum"] and (elf["e_shentsize"] < 64 or elf["e_shoff"] + elf["e_shnum"] * 64 > len(content)):
        raise ObjectFileError("damaged ELF file: the section headers lie outside the file (truncated?)", file)
    headers = list(elf.iter_sections()) if elf["e_shnum"] else []
    found = SectionCollector(content, file, "ELF")
    for index, section in enumerate(headers):
        if section["sh_flags"] & _SHF_EXECINSTR and section["sh_type"] == "SHT_PROGBITS" and section["sh_size"]:
            found.add(index, section.name, section["sh_addr"], (section["sh_offset"], section["sh_size"]))
    if not headers:
        if elf["e_phnum"] and (elf["e_phentsize"] < 56 or elf["e_phoff"] + elf.num_segments() * 56 > len(content)):
            raise ObjectFileError("damaged ELF file: the program headers lie outside the file (truncated?)", file)
        for index, segment in enumerate(elf.iter_segments()):
            if segment["p_type"] == "PT_LOAD" and segment["p_flags"] & _PF_X:
                start = min(segment["p_offset"], len(content))
                size = min(segment["p_filesz"], len(content) - start)
                found.add(index, f"segment {index}", segment["p_vaddr"], (start, size))
    sections = found.sections
    if not sections and any(section.name.startswith(".gnu.lto_") for section in headers):
        raise ObjectFileError(GCC_LTO, file)
    relocatable = elf["e_type"] == "ET_REL"
    table = next((s for kind in ("SHT_SYMTAB", "SHT_DYNSYM") for s in headers if s["sh_type"] == kind), None)
    functions, mapping, symbols = _symbols(table, headers, content, sections, isa)
    relocations = _relocations(headers, content, sections) if relocatable else {}
    return CodeImage(isa, relocatable, sections, functions, mapping, relocations, symbols, content)


def _slice(section: Any, content: bytes, unit: int) -> bytes:
    """Content of a table, whole entries only."""
    start, size = section["sh_offset"], section["sh_size"]
    size = min(size, max(0, len(content) - start))
    return content[start : start + size - size % unit]


def _symbols(
    table: Any, headers: Sequence[Any], content: bytes, sections: Mapping[int, CodeSection], isa: Isa
) -> tuple[list[FunctionSymbol], dict[int, list[tuple[int, bool]]], list[tuple[int, int]]]:
    functions: list[FunctionSymbol] = []
    mapping: dict[int, list[tuple[int, bool]]] = {}
    places: list[tuple[int, int]] = []
    if table is None:
        return [], mapping, places
    strings = _slice(headers[table["sh_link"]], content, 1)
    for name_at, info, _, section, value, size in _SYMBOL.iter_unpack(_slice(table, content, _SYMBOL.size)):
        places.append((section, value))
        if section not in sections:
            continue
        kind = info & 15
        is_mapping = isa != "x86" and kind == 0 and strings[name_at : name_at + 1] == b"$"
        # Assembly without .type leaves its global labels untyped.
        if not (kind in _FUNCTION_TYPES or is_mapping or (kind == 0 and info >> 4 == 1)):
            continue
        end = strings.find(b"\0", name_at)
        name = strings[name_at : end if end >= 0 else len(strings)].decode("utf-8", "replace")
        if is_mapping:
            mapping.setdefault(section, []).append((value, not name.startswith("$d")))
        elif name:
            functions.append(FunctionSymbol(name, value, size, section))
    for spots in mapping.values():
        spots.sort()
    return ordered(functions), mapping, places


def _relocations(
    headers: Sequence[Any], content: bytes, sections: Mapping[int, CodeSection]
) -> dict[int, dict[int, Relocation]]:
    found: dict[int, dict[int, Relocation]] = {}
    for header in headers:
        if header["sh_type"] == "SHT_RELA" and header["sh_info"] in sections:
            of_section = found.setdefault(header["sh_info"], {})
            for offset, symbol, _, addend in relocation_entries(header, content):
                # A relaxation hint stands at the same place as the relocation proper, behind it.
                of_section.setdefault(offset, Relocation(symbol, addend))
    return found


def relocation_entries(header: Any, content: bytes) -> Iterator[tuple[int, int, int, int]]:
    """(offset, symbol, type, addend) of each entry of a relocation section."""
    for offset, info, addend in _RELA.iter_unpack(_slice(header, content, _RELA.size)):
        yield offset, info >> 32, info & 0xFFFFFFFF, addend
