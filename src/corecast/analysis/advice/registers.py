"""Registers by the names that texts use: renaming one, and finding some that a loop leaves free."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from corecast import _core
from corecast.analysis.advice.links import in_text
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm.code import Isa

_LEGACY = {
    "rax": ("rax", "eax", "ax", "al"),
    "rbx": ("rbx", "ebx", "bx", "bl"),
    "rcx": ("rcx", "ecx", "cx", "cl"),
    "rdx": ("rdx", "edx", "dx", "dl"),
    "rsi": ("rsi", "esi", "si", "sil"),
    "rdi": ("rdi", "edi", "di", "dil"),
    "rbp": ("rbp", "ebp", "bp", "bpl"),
    **{f"r{n}": (f"r{n}", f"r{n}d", f"r{n}w", f"r{n}b") for n in range(8, 16)},
}
_GENERAL = {
    "x86": tuple(_LEGACY),
    "aarch64": tuple(f"x{n}" for n in range(30) if n not in (18, 29)),
    "riscv64": (*(f"a{n}" for n in range(8)), *(f"t{n}" for n in range(7)), *(f"s{n}" for n in range(12))),
}
"""Without the stack pointer and those that systems keep for themselves."""
_FLOATS = (*(f"fa{n}" for n in range(8)), *(f"ft{n}" for n in range(12)), *(f"fs{n}" for n in range(12)))


def rename(text: str, isa: Isa, old: int, new: int) -> str:
    """A text with one register in place of another one, at each of its widths."""
    pattern, names = _pattern(isa, old), names_of(isa, new)
    return pattern.sub(lambda found: names[names_of(isa, old).index(found[0])], text)


def uses_by_name(instruction: _core.Instruction, register: int) -> bool:
    """Whether every use of a register in an instruction stands in its text, so that it may be another one."""
    return all(
        in_text(operand) or operand.name in ("addr", "index", "mask")
        for operand in instruction.operands
        if any(use.reg == register for use in operand.registers)
    )


def free_registers(instructions: Sequence[_core.Instruction], isa: Isa, like: int) -> list[int]:
    """Registers of the kind of `like` that a loop does not touch, in groups as large as those that `like` leads."""
    used = {use.reg for each in instructions for operand in each.operands for use in operand.registers}
    used |= {reg for each in instructions for access in each.memory for reg in (access.base, access.index)}
    names = _kind(isa, _core.register_name(isa, like), {_core.register_name(isa, reg) for reg in used})
    numbers = [_core.register_number(isa, name) for name in names]
    size = _group(instructions, like)
    groups = [numbers[place : place + size] for place in range(0, len(numbers), size)]
    return [group[0] for group in groups if not used.intersection(group)]


def _group(instructions: Sequence[_core.Instruction], register: int) -> int:
    """How many registers RISC-V's vectors take together where this one is the first."""
    return max(
        len(operand.registers)
        for each in instructions
        for operand in each.operands
        if any(use.reg == register for use in operand.registers)
    )


def _kind(isa: Isa, name: str, used: set[str]) -> tuple[str, ...]:
    if name in _GENERAL[isa]:
        return _GENERAL[isa]
    if isa == "riscv64":
        return tuple(f"v{n}" for n in range(32)) if name.startswith("v") else _FLOATS if name in _FLOATS else ()
    if isa == "aarch64":
        return tuple(f"z{n}" for n in range(32)) if name.startswith("z") else ()
    if not name.startswith("zmm"):
        return ()
    # Sixteen more have names in AVX-512's encoding alone, and code that does not use it may be meant for any core.
    evex = any(re.fullmatch(r"k\d|zmm(1[6-9]|[23]\d)", other) for other in used)
    return tuple(f"zmm{n}" for n in range(32 if evex else 16))


@lru_cache(maxsize=128)
def names_of(isa: Isa, register: int) -> tuple[str, ...]:
    name = _core.register_name(isa, register)
    if isa == "x86":
        return _LEGACY.get(name, (name, f"y{name[1:]}", f"x{name[1:]}"))
    if isa == "aarch64":
        kinds = "xw" if name[0] == "x" else "zvqdshb"
        return tuple(f"{kind}{name[1:]}" for kind in kinds)
    return (name,)


@lru_cache(maxsize=128)
def _pattern(isa: Isa, register: int) -> re.Pattern[str]:
    return re.compile(r"(?<![\w.])(?:" + "|".join(names_of(isa, register)) + r")(?!\w)")
