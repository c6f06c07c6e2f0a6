"""Lines of disassemblers' output: what objdump, llvm-objdump, `perf annotate`, gdb and dumpbin print, line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from corecast.asm.clean import split_lines
from corecast.asm.code import Isa
from corecast.asm.detect import LISTING_HEAD
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.pattern import lazy_pattern

HEAD_LINES = 200
"""Lines, blank ones not counted, in which a listing is recognized."""
FEWEST_BARE = 3
"""Instructions of a listing that nothing else introduces."""
MAX_GAP = 16
"""Bytes from one instruction to the next in such a listing."""
SHORT_NUMBER = 4
"""Characters up to the colon; disassemblers put blanks before short addresses."""

_COLOURS = lazy_pattern(r"\x1b\[[0-9;]*[mK]")
_FORMAT = lazy_pattern(r"(?i)^.*:\s+file format (\S+.*?)\s*$")
_SECTION = lazy_pattern(r"^(?:\s*:?\s*(?:\d+\s+)?)Disassembly of (?:section|function)\b")
_DUMPBIN = lazy_pattern(r"^Dump of file ")
_GDB = lazy_pattern(r"^\s*Dump of assembler code for function (.*?):\s*$")
_GDB_RANGE = lazy_pattern(r"^\s*Dump of assembler code from 0x")
_GDB_PART = lazy_pattern(r"^\s*Address range 0x[0-9a-f]+ to 0x[0-9a-f]+:\s*$")
_PERF = lazy_pattern(r"^\s*Percent\s*[|│].*(?:Source code|Disassembly)")
_PERF_SHORT = lazy_pattern(r"^\s*Percent\s*(?:│.*)?$")
_HEADER = lazy_pattern(r"^\s*(?:\d+\s+)?([0-9a-fA-F]{8,16}) <(.*)>( \(File Offset: 0x[0-9a-fA-F]+\))?:\s*$")
_OPERAND_LABEL = lazy_pattern(r"^<([^<>]+)>:\s*$")
_PERCENT = lazy_pattern(r"^\s*(?:\d+\.\d+\s+)*:\s+")
_UNIT = lazy_pattern(r"^\s*(?:=>)?\s*(?:0x)?([0-9a-fA-F]+)(?:\s+<(.*?)>)?:(?=\s)")
_LOCAL_TARGET = lazy_pattern(r"\s\d+[bf]\s*$")
_BYTES = lazy_pattern(
    r"\s*((?:[0-9a-fA-F]{2} )*[0-9a-fA-F]{2}(?=\s)|[0-9a-fA-F]{8}(?=\s)|[0-9a-fA-F]{4}(?= +\t))(?:\s*\t|\s{2,}|\s*$)"
)
_RELOCATION = lazy_pattern(
    r"^\s*([0-9a-fA-F]+):\s+(R_[A-Z0-9_]+|IMAGE_REL_\w+|ARM64_RELOC_\w+|X86_64_RELOC_\w+)\s*(.*)$"
)
_FORMATS: tuple[tuple[str, Isa], ...] = (
    *((name, "x86") for name in ("elf64-x86-64", "pe-x86-64", "pei-x86-64", "coff-x86-64", "mach-o-x86-64")),
    *((name, "x86") for name in ("mach-o 64-bit x86-64", "elf64-k1om")),
    *((name, "aarch64") for name in ("elf64-littleaarch64", "elf64-aarch64", "mach-o arm64", "mach-o-arm64")),
    *((name, "aarch64") for name in ("coff-arm64", "pe-aarch64-little", "pei-aarch64-little")),
    *((name, "riscv64") for name in ("elf64-littleriscv", "elf64-riscv")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unit:
    """One instruction of a listing; an address counts within its section."""

    section: int
    address: int
    line: int
    text: str
    code: bytes


@dataclass
class ListingLines:
    """What the lines of a listing say."""

    kind: str
    """The program that wrote it, for messages."""
    isa: Isa | None
    count: int
    """Lines."""
    units: list[Unit] = field(default_factory=list)
    symbols: list[tuple[int, int, str, int]] = field(default_factory=list)
    """(section, address, name, line) of each heading."""
    operand_labels: dict[tuple[int, str], int] = field(default_factory=dict)
    """Address of (heading's number, name) of the labels that `--symbolize-operands` writes."""
    scopes: list[int] = field(default_factory=list)
    """For each unit the number of headings before it."""
    relocations: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Type and symbol of the first relocation of a unit, by its number."""


def listing_kind(text: str) -> str:
    """Which program's disassembly a text is, "" where it is none."""
    head = [line for line in split_lines(text[:LISTING_HEAD]) if line.strip()][:HEAD_LINES]
    if any(map(_PERF_SHORT.match, head[:4])) and any("event" in line for line in head[:4]):
        return "perf annotate's short output"
    instructions = any(map(_UNIT.match, head))
    for pattern, kind, whole in (
        (_FORMAT, "objdump output", True),
        (_PERF, "perf annotate output", True),
        (_GDB, "a gdb listing", True),
        (_GDB_RANGE, "a gdb listing", True),
        (_DUMPBIN, "dumpbin output", True),
        (_SECTION, "objdump output", False),
        (_HEADER, "objdump output", False),
    ):
        if (whole or instructions) and any(map(pattern.match, head)):
            return kind
    return "a disassembly" if _is_bare(head) else ""


def _bare_unit(line: str) -> re.Match[str] | None:
    """An instruction behind its address; a short number alone is a local label of assembly text."""
    unit = _UNIT.match(line)
    if unit is None or not line[unit.end() :].strip() or _LOCAL_TARGET.search(line):
        return None
    return unit if unit.end() > SHORT_NUMBER or _BYTES.match(line, unit.end()) else None


def _is_bare(head: Sequence[str]) -> bool:
    """Whether lines are mostly instructions behind addresses that rise as those of code do."""
    units = [match for line in head if (match := _bare_unit(line)) is not None]
    if len(units) < FEWEST_BARE or 4 * len(units) < 3 * len(head):
        return False
    addresses = [int(match[1], 16) for match in units]
    near = sum(0 < after - before <= MAX_GAP for before, after in pairwise(addresses))
    return 10 * near >= 9 * (len(addresses) - 1)


def read_lines(text: str, kind: str, file: str) -> ListingLines:
    """Sort the lines of a listing.

    Raises:
        InputError: an instruction set or a layout that is not read.
    """
    if kind == "perf annotate's short output":
        raise InputError("this is perf annotate output without addresses: write it with `perf annotate --stdio`", file)
    if "\x1b" in text:
        text = _COLOURS.sub("", text)
    lines = split_lines(text)
    reader = _Reader(ListingLines(kind, None, len(lines)), file)
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            reader.read(number, line)
    if not reader.found.units:
        raise InputError(f"this is {kind} without instructions: give the object file itself", file)
    return reader.found


class _Reader:
    """State between the lines: section, heading, the percent column of perf."""

    def __init__(self, found: ListingLines, file: str) -> None:
        self.found = found
        self.file = file
        self.section = 0
        self.perf = "perf" in found.kind

    def read(self, number: int, line: str) -> None:
        found = self.found
        if self.perf and (percent := _PERCENT.match(line)) is not None:
            line = line[percent.end() :]
        unit = _UNIT.match(line)
        if unit is not None:
            self._unit(number, line, unit)
        elif (header := _HEADER.match(line)) is not None:
            address = int(header[1], 16)
            self._go_back(address, number)
            found.symbols.append((self.section, address, header[2], number))
        elif (label := _OPERAND_LABEL.match(line)) is not None:
            # The label belongs to the next instruction, whose address is not known yet.
            found.operand_labels[(len(found.symbols), label[1])] = len(found.units)
        elif "file format" in line and (given := _FORMAT.match(line)) is not None:
            self._format(given[1], number)
        elif _SECTION.match(line) or _GDB_RANGE.match(line) or _GDB_PART.match(line):
            self.section += 1
        elif (function := _GDB.match(line)) is not None:
            self.section += 1
            found.symbols.append((self.section, -1, function[1], number))

    def _unit(self, number: int, line: str, match: re.Match[str]) -> None:
        found = self.found
        rest = line[match.end() :]
        address = int(match[1], 16)
        if "R_" in rest or "RELOC" in rest or "IMAGE_REL" in rest:
            relocation = _RELOCATION.match(line)
            if relocation is not None:
                if found.units:
                    found.relocations.setdefault(len(found.units) - 1, (relocation[2], relocation[3]))
                return
        code = b""
        given = _BYTES.match(rest)
        if given is not None:
            code = _code(given[1])
            rest = rest[given.end() :]
        rest = rest.strip()
        if not rest:
            self._continue(address, code)
            return
        self._go_back(address, number)
        symbol = match[2]
        if symbol and "+" not in symbol:  # gdb's x/i names only the first instruction like this
            found.symbols.append((self.section, address, symbol, number))
        found.units.append(Unit(self.section, address, number, rest, code))
        found.scopes.append(len(found.symbols))

    def _continue(self, address: int, code: bytes) -> None:
        """More bytes of a long instruction."""
        if not code or not self.found.units:
            return
        last = self.found.units[-1]
        if last.code and last.section == self.section and last.address + len(last.code) == address:
            joined = Unit(last.section, last.address, last.line, last.text, last.code + code)
            self.found.units[-1] = joined

    def _go_back(self, address: int, number: int) -> None:
        """Addresses that begin anew belong to another section or file."""
        if self.found.units and address < self.found.units[-1].address:
            last = self.found.units[-1].section
            if self.found.kind == "a gdb listing" and last == self.section:
                raise InputError(
                    f"the addresses go back to {address:#x}: write the listing with `disassemble /s`, not `/m`",
                    self.file,
                    number,
                )
            self.section = max(self.section, last + 1)

    def _format(self, name: str, number: int) -> None:
        isa = dict(_FORMATS).get(name.lower())
        if isa is None or self.found.isa not in (None, isa):
            what = f"code of {name}" if isa is None else "code of several instruction sets"
            raise InputError(
                f"this is {self.found.kind} for {what}: only x86-64, AArch64 and RV64 are read", self.file, number
            )
        self.found.isa = isa
        self.section += 1


def _code(digits: str) -> bytes:
    """The bytes of `48 85 c9`, or of little-endian words such as `f100047f` and `2341 0017`."""
    words = digits.split()
    return b"".join(bytes.fromhex(word)[::-1] for word in words)
