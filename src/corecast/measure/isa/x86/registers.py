"""What timing needs to know of x86's instructions and registers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from corecast import _core
from corecast.measure.isa.forms import Kind
from corecast.pattern import lazy_pattern

GENERAL = (
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
)  # fmt: skip
"""By their numbers in encodings."""
COUNTERS = (15, 14, 13, 12, 11, 10, 9, 8, 3, 5, 6, 7, 2, 1, 0)
"""Registers that may count iterations, the best first: few instructions imply them."""
TILES = 8
_JUMP_BYTES = 5
_MMX = lazy_pattern(r"\bmm\d")
_VECTOR = lazy_pattern(r"\b([xyz])mm\d")


@cache
def locations() -> dict[int, tuple[Kind, int]]:
    """Kinds and numbers of registers by their locations; the stack pointer is none of them."""
    found: dict[int, tuple[Kind, int]] = {}
    for number, name in enumerate(GENERAL):
        if name != "rsp":
            found[_core.register_number("x86", name)] = ("general", number)
    vectors: tuple[tuple[Kind, str, int], ...] = (("vector", "zmm", 32), ("mask", "k", 8), ("tile", "tmm", TILES))
    for kind, prefix, count in vectors:
        for number in range(count):
            found[_core.register_number("x86", f"{prefix}{number}")] = (kind, number)
    return found


def vector_base(_instruction: _core.Instruction) -> int:
    return _core.measuring_data_address  # there are no vectors of addresses


def vector_bytes(instruction: _core.Instruction) -> int:
    """Width of the widest vector register that the instruction names."""
    return max(({"x": 16, "y": 32, "z": 64}[kind] for kind in _VECTOR.findall(instruction.text)), default=16)


def names_mmx(instruction: _core.Instruction) -> bool:
    """Whether the instruction names a register of MMX."""
    return _MMX.search(instruction.text) is not None


def writes_flags_only(instruction: _core.Instruction) -> bool:
    """`cmp` and `test` of registers: they macro-fuse with the branch, as what takes their place does."""
    return (
        instruction.mnemonic in ("cmp", "test")
        and not instruction.memory
        and all(not operand.write or operand.name == "flags" for operand in instruction.operands)
    )


def counts_down(instruction: _core.Instruction) -> int | None:
    """The number of the 64-bit register that the instruction decrements."""
    match = re.fullmatch(r"dec (r\w+)|sub (r\w+), 1", instruction.text)
    name = (match[1] or match[2]) if match else ""
    return GENERAL.index(name) if name in GENERAL and name != "rsp" else None


def closing(instructions: Sequence[_core.Instruction], counter: int, keeps_flags: bool) -> list[_core.Instruction]:
    if not keeps_flags:
        return list(_core.closing_branch(instructions))
    # The runner's exchanges of the counter and its `jrcxz` are left out: they are off every chain.
    lea = _core.assemble("x86", f"lea {GENERAL[counter]}, [{GENERAL[counter]} - 1]", "intel").instructions[0].bytes
    address = instructions[-1].address + instructions[-1].length_bytes
    reach = address + len(lea) + _JUMP_BYTES - instructions[0].address
    jump = b"\xe9" + (-reach).to_bytes(4, "little", signed=True)
    return list(_core.disassemble("x86", lea + jump, address=address).instructions)
