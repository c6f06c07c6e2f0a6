"""The table as a file, and as a C++ array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from .semantics import COLUMNS, FLAG_LETTERS, Row, format_row, order_key, parse_row

TSV_HEADER = """\
# What x86 instructions do that LLVM's instruction descriptions do not say: single flags, implicit registers and memory.
# Origin: iced-x86 {iced} (facts), LLVM {llvm} (spelling, Intel syntax), tools/x86_semantics/corrections.py (our rules).
# Written by tools/generate_x86_semantics.py; change the rules there, not this file.
# Columns: tools/x86_semantics/semantics.py. Flags: C P A Z S O D. An instruction without a row has no such effects:
# a memory operand that is not printed first is read.
"""
INC_HEADER = """\
// Written by tools/generate_x86_semantics.py from src/corecast/isa/data/x86_semantics.tsv. Do not edit.
// Included by cpp/llvm/x86_semantics.cpp only.
"""
_ACCESS = {"": "unspecified", "none": "none", "r": "read", "w": "write", "rw": "read_write"}
_KIND = {
    "": "none", "zero": "zero", "ones": "ones", "carry": "carry", "flags": "flags", "immediate": "immediate",
}  # fmt: skip


def tsv_text(rows: Iterable[Row], iced: str, llvm: str) -> str:
    """Write the table; `iced` and `llvm` are the versions that its facts come from."""
    lines = ["\t".join(COLUMNS), *(format_row(row) for row in sorted(rows, key=order_key))]
    return TSV_HEADER.format(iced=iced, llvm=llvm) + "\n".join(lines) + "\n"


def read_tsv(path: Path) -> list[Row]:
    """Read the table.

    Raises:
        ValueError: the columns are not the known ones, or a line has the wrong number of cells.
        OSError: the file cannot be read.
    """
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    if lines[0].split("\t") != list(COLUMNS):
        raise ValueError(f"{path}: columns are not {', '.join(COLUMNS)}")
    return [parse_row(line) for line in lines[1:]]


class _Pool:
    """Lists of literals stored once, one after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.items: list[str] = []
        self._known: dict[tuple[str, ...], str] = {(): "{}"}

    def slice(self, items: Sequence[str]) -> str:
        """Return the C++ expression of a list, adding it where it is new."""
        key = tuple(items)
        if key not in self._known:
            self._known[key] = f"{{{self.name} + {len(self.items)}, {len(key)}}}"
            self.items.extend(key)
        return self._known[key]


def _quoted(text: str) -> str:
    return f'"{text}"'


def _mask(letters: str) -> str:
    return str(sum(1 << FLAG_LETTERS.index(letter) for letter in letters))


def _access(name: str) -> str:
    return f"A::{_ACCESS[name]}"


def _memory_entry(entry: str) -> str:
    place, width, access = entry.split(":")
    base, _, index = place.partition("+")
    return f"{{{_quoted(base)}, {_quoted(index)}, {width}, {_access(access)}}}"


def inc_text(rows: Iterable[Row]) -> str:
    """Write the C++ array, ordered like the table."""
    names, memory = _Pool("x86_register_lists"), _Pool("x86_memory_lists")
    entries = []
    for row in sorted(rows, key=order_key):
        semantics = row.semantics
        operands = [*semantics.operand_access, "", ""][:2]
        cells = [
            _quoted(row.mnemonic),
            _quoted(row.pattern()),
            str(row.operand_count()),
            _mask(semantics.flags_read),
            _mask(semantics.flags_written),
            _mask(semantics.flags_conditional),
            _mask(semantics.flags_undefined),
            names.slice([_quoted(name) for name in semantics.implicit_read]),
            names.slice([_quoted(name) for name in semantics.implicit_written]),
            memory.slice([_memory_entry(entry) for entry in semantics.memory]),
            "true" if semantics.memory_printed else "false",
            _access(semantics.memory_first),
            _access(semantics.memory_other),
            "{" + ", ".join(_access(name) for name in operands) + "}",
            str(semantics.x87_top),
            f"S::{_KIND[semantics.same_register]}",
        ]
        entries.append("    {" + ", ".join(cells) + "},")
    name_lines = [f"    {name}," for name in names.items]
    memory_lines = [f"    {entry}," for entry in memory.items]
    return "\n".join(
        [
            INC_HEADER + "using A = Access;",
            "using S = X86SameRegister;",
            "constexpr std::string_view x86_register_lists[] = {",
            *name_lines,
            "};",
            "constexpr X86ImplicitMemory x86_memory_lists[] = {",
            *memory_lines,
            "};",
            "constexpr X86Semantics x86_semantics[] = {",
            *entries,
            "};",
            "",
        ]
    )
