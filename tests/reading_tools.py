"""What the tests of reading share: one instruction, and its operands in a short notation."""

from __future__ import annotations

from collections.abc import Iterator

from corecast import _core
from corecast.asm.code import Isa


def one(isa: Isa, text: str, syntax: str = "intel") -> _core.Instruction:
    """Return the only instruction of `text`, which must be legal."""
    listing = _core.assemble(isa, text + "\n", syntax if isa == "x86" else "")
    assert not listing.problems, f"{text}: {listing.problems[0].message}"
    assert len(listing.instructions) == 1, f"{text}: {listing.instructions}"
    assert not listing.instructions[0].unknown
    return listing.instructions[0]


def many(isa: Isa, text: str, syntax: str = "intel") -> list[_core.Instruction]:
    """Return all instructions of `text`, which must be legal."""
    listing = _core.assemble(isa, text.strip() + "\n", syntax if isa == "x86" else "")
    assert not listing.problems, listing.problems[0].message
    return listing.instructions


def table(text: str) -> list[tuple[str, str]]:
    """Return the rows of a table `left -> right`."""
    return [(left.strip(), right.strip()) for left, right in (row.rsplit("->", 1) for row in text.strip().splitlines())]


def _access(read: bool, write: bool) -> str:
    return ("r" if read else "") + ("w" if write else "") or "-"


def operands(isa: Isa, instruction: _core.Instruction) -> list[str]:
    """Return the register operands: `1=rax:rw`, `2=rcx.low8:r`, `addr=rdi:r`; implicit: `~rsp:rw`, `~flags=cf:w`."""
    return list(_operands(isa, instruction))


def _operands(isa: Isa, instruction: _core.Instruction) -> Iterator[str]:
    for operand in instruction.operands:
        if not operand.registers:
            continue
        groups: dict[str, list[str]] = {}
        for use in operand.registers:
            part = "" if use.part == "full" else f".{use.part}"
            groups.setdefault(_access(use.read, use.write), []).append(_core.register_name(isa, use.reg) + part)
        uses = ";".join(f"{','.join(names)}:{access}" for access, names in groups.items())
        named = operand.id < 128
        yield ("~" if operand.implicit else "") + (f"{operand.name}={uses}" if named else uses)


def accesses(isa: Isa, instruction: _core.Instruction) -> list[str]:
    """Return the memory accesses: `r8[rdi+rcx*8-4]`, `w16[x0+16]!pre`, `r4[rip foo]`, `r?[x0+vz1*8]`."""
    found = []
    for access in instruction.memory:
        parts = [_core.register_name(isa, access.base)] if access.base else []
        if access.pc_relative:
            parts.append("rip")
        if access.index:
            vector = "v" if access.vector_index else ""
            parts.append(f"{vector}{_core.register_name(isa, access.index)}*{access.scale}")
        place = "+".join(parts)
        place += f"{access.displacement:+d}" if access.displacement else ""
        place += f" {access.symbol}" if access.symbol else ""
        segment = f"{_core.register_name(isa, access.segment)}:" if access.segment else ""
        after = "" if access.write_back == "none" else f"!{access.write_back}"
        width = str(access.width_bytes or "?")
        found.append(f"{_access(access.read, access.write)}{width}[{segment}{place}]{after}")
    return found


def values(isa: Isa, instruction: _core.Instruction) -> dict[str, str]:
    """Return the known values of written registers: {"rax": "rdi+8*rcx-4"}, constants alone as "5"."""
    found = {}
    for value in instruction.affine:
        text = ""
        for term in value.terms:
            sign = "-" if term.coefficient < 0 else "+"
            factor = "" if abs(term.coefficient) == 1 else f"{abs(term.coefficient)}*"
            text += f"{sign}{factor}{_core.register_name(isa, term.reg)}"
        text += f"{value.constant:+d}" if value.constant or not text else ""
        found[_core.register_name(isa, value.reg)] = text.removeprefix("+")
    return found
