"""What timing needs to know of x86's instructions and registers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from corecast import _core

GENERAL = (
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
)  # fmt: skip
"""By their numbers in encodings."""
COUNTERS = (15, 14, 13, 12, 11, 10, 9, 8, 3, 5, 6, 7, 2, 1, 0)
"""Registers that may count iterations, the best first: few instructions imply them."""
_VECTOR = re.compile(r"\b([xyz])mm\d")


@cache
def general_locations() -> dict[int, int]:
    """Numbers of general registers by their locations."""
    return {_core.register_number("x86", name): number for number, name in enumerate(GENERAL)}


def touched(instructions: Sequence[_core.Instruction]) -> set[int]:
    """Locations that the instructions read or write."""
    found = {use.reg for each in instructions for operand in each.operands for use in operand.registers}
    return found | {reg for each in instructions for access in each.memory for reg in (access.base, access.index)}


def free_counter(instructions: Sequence[_core.Instruction]) -> int:
    """Number of a general register that the instructions leave alone, -1 where they use all."""
    used = {general_locations().get(location) for location in touched(instructions)}
    return next((number for number in COUNTERS if number not in used), -1)


def loads_general(instruction: _core.Instruction) -> bool:
    """Whether a general register gets a pointer's worth of bytes from memory."""
    return any(access.read and access.width_bytes == 8 for access in instruction.memory) and any(
        use.write and use.reg in general_locations() for operand in instruction.operands for use in operand.registers
    )


def vector_bytes(instruction: _core.Instruction) -> int:
    """Width of the widest vector register that the instruction names."""
    return max(({"x": 16, "y": 32, "z": 64}[kind] for kind in _VECTOR.findall(instruction.text)), default=16)


def writes_flags_only(instruction: _core.Instruction) -> bool:
    """`cmp` and `test` of registers: they macro-fuse with the branch, as what takes their place does."""
    return (
        instruction.mnemonic in ("cmp", "test")
        and not instruction.memory
        and all(not operand.write or operand.name == "flags" for operand in instruction.operands)
    )


def counts_down(instruction: _core.Instruction, others: Sequence[_core.Instruction]) -> int | None:
    """The number of the 64-bit register that the instruction decrements, where the others leave it alone."""
    match = re.fullmatch(r"dec (r\w+)|sub (r\w+), 1", instruction.text)
    name = (match[1] or match[2]) if match else ""
    if name not in GENERAL or name == "rsp" or _core.register_number("x86", name) in touched(others):
        return None
    return GENERAL.index(name)
