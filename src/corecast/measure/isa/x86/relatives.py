"""Data that x86 code addresses relative to the instruction pointer: where it lies while the code is timed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corecast import _core
from corecast.dataclass import dataclass
from corecast.measure.rejection import CannotMeasureError, Reason

_DATA = 0x3000_0000
"""It lies from here on: near enough to all code below 2 GiB."""
_SPAN = 0x0100_0000
_SYMBOL_BYTES = 0x0001_0040
"""From one symbol to the next: in separate pages, and in separate lines where all pages are one."""
_MODRM_MASK, _MODRM_RELATIVE = 0xC7, 0x05
"""Bits of the ModRM byte that say so; the displacement follows it."""


@dataclass(frozen=True)
class Relative:
    """A displacement relative to its instruction, whose target stays the same in every copy of the code."""

    field: int
    """Offset of its four bytes from the start of the code."""
    end: int
    """Of its instruction."""
    target: int


def relatives(instructions: Sequence[_core.Instruction], address: int = 0) -> tuple[Relative, ...]:
    """Every such displacement of code that starts at an address. Symbols, which have no addresses yet, get some.

    Raises:
        CannotMeasureError: an instruction without the displacement that it is said to have.
    """
    found: list[Relative] = []
    symbols: dict[str, int] = {}
    start = 0
    for each in instructions:
        end = start + each.length_bytes
        for access in each.memory:
            if access.pc_relative:
                name, offset = _split(access.symbol)
                home = symbols.setdefault(name, len(symbols) * _SYMBOL_BYTES) if name else address + end
                target = (home + offset + access.displacement) % _SPAN + _DATA
                found.append(Relative(start + _field(each), end, target))
        start = end
    return tuple(dict.fromkeys(found))


def _split(symbol: str) -> tuple[str, int]:
    """ "table+8" -> "table", 8."""
    found = re.fullmatch(r"(.+)([+-]\d+)", symbol)
    return (found[1], int(found[2])) if found else (symbol, 0)


def _field(instruction: _core.Instruction) -> int:
    """Offset of the displacement: an immediate behind it may hold the same number."""
    code = instruction.bytes
    for at in range(1, len(code) - 3):
        number = int.from_bytes(code[at : at + 4], "little", signed=True)
        if code[at - 1] & _MODRM_MASK == _MODRM_RELATIVE and number in _numbers(instruction):
            return at
    raise CannotMeasureError(Reason.DISPLACEMENT, instruction.text)


def _numbers(instruction: _core.Instruction) -> set[int]:
    """What the four bytes may hold: of symbols nothing yet."""
    return {0 if access.symbol else access.displacement for access in instruction.memory if access.pc_relative}
