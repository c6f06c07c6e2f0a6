"""The files that code comes from: their bytes, functions and source lines by address."""

from __future__ import annotations

import struct
from bisect import bisect_right
from pathlib import Path

from corecast.asm.binaries import read_image
from corecast.asm.dwarf import LineTable
from corecast.asm.image import CodeImage, CodeSection, FunctionSymbol
from corecast.errors import CorecastError

_HEADER = struct.Struct("<32xQ16xH6x")
"""Of ELF: where the program headers are, and how many."""
_SEGMENT = struct.Struct("<IIQQQQ")
_PT_LOAD, _PF_X, _PAGE = 1, 1, 4096


class ModuleFile:
    """One ELF file."""

    def __init__(self, image: CodeImage) -> None:
        self.image = image
        self._sections = sorted(image.sections.values(), key=lambda section: section.address)
        self._starts = [section.address for section in self._sections]
        self._functions: dict[int, list[FunctionSymbol]] = {}
        """By section; ordered by address."""
        for symbol in image.functions:
            self._functions.setdefault(symbol.section, []).append(symbol)
        self._lines = LineTable(image)

    def code(self, address: int, size: int) -> bytes:
        section = self._section(address)
        return b"" if section is None else section.data[address - section.address :][:size]

    def place(self, address: int, section: CodeSection | None = None) -> tuple[str, str]:
        """Function and source line, each "" where the file does not say. `section` is needed for an object that is not
        linked: there all sections begin at 0."""
        section = section or self._section(address)
        if section is None:
            return "", ""
        return self._function(section, address), self._lines.at(section.index, address)

    def address_of(self, offset: int) -> int:
        """Address of what lies at an offset in the file, as its headers place executable code."""
        header = _HEADER.unpack_from(self.image.content)
        for index in range(header[1]):
            kind, flags, start, address, _, size = _SEGMENT.unpack_from(self.image.content, header[0] + index * 56)
            if kind == _PT_LOAD and flags & _PF_X and start - start % _PAGE <= offset < start + size:
                return int(address + offset - start)
        return offset

    def _section(self, address: int) -> CodeSection | None:
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= self._sections[index].end:
            return None
        return self._sections[index]

    def _function(self, section: CodeSection, address: int) -> str:
        functions = self._functions.get(section.index, [])
        index = bisect_right(functions, address, key=lambda symbol: symbol.address) - 1
        # Of several names for one place the first in the order of the file.
        while index > 0 and functions[index - 1].address == functions[index].address:
            index -= 1
        if index < 0:
            return ""
        symbol = functions[index]
        return symbol.name if symbol.size == 0 or address < symbol.address + symbol.size else ""


def open_module(path: str) -> ModuleFile | None:
    """A module's file, None where there is none that can be read."""
    try:
        return ModuleFile(read_image(Path(path).read_bytes(), path))
    except (OSError, ValueError, CorecastError):
        return None
