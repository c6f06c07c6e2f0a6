"""The loop around a block: encoded blocks are measured, and forecast, as `block; dec REG; jnz block`.

This is how BHive measures blocks as loops (Chen et al., IISWC 2019); the register is one that the block leaves alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corecast import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

# dec r64, in the order in which measurements choose the register.
_DEC = {
    "r15": "49ffcf", "r14": "49ffce", "r13": "49ffcd", "r12": "49ffcc", "r11": "49ffcb", "r10": "49ffca",
    "r9": "49ffc9", "r8": "49ffc8", "rbx": "48ffcb", "rcx": "48ffc9", "rdx": "48ffca", "rax": "48ffc8",
    "rsi": "48ffce", "rdi": "48ffcf", "rbp": "48ffcd",
}  # fmt: skip
_SHORT_REACH = 128
_ADDRESSES = 1 << 64


def closing_branch(instructions: Sequence[_core.Instruction]) -> list[_core.Instruction]:
    """`dec` of a register that an x86 block leaves alone and `jnz` to its start; empty where all are taken."""
    used = {use.reg for instruction in instructions for operand in instruction.operands for use in operand.registers}
    register = next((name for name in _DEC if _core.register_number("x86", name) not in used), None)
    if register is None:
        return []
    start = instructions[0].address
    address = (instructions[-1].address + instructions[-1].length_bytes) % _ADDRESSES
    decrement = bytes.fromhex(_DEC[register])
    back = (address + len(decrement) - start) % _ADDRESSES  # code may run over the end of the address space
    if back + 2 <= _SHORT_REACH:
        branch = b"\x75" + (-(back + 2)).to_bytes(1, "little", signed=True)
    else:
        branch = b"\x0f\x85" + (-(back + 6)).to_bytes(4, "little", signed=True)
    return list(_core.disassemble("x86", decrement + branch, address).instructions)
