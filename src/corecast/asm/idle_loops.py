"""Cycles in the control flow that are not worth an analysis: waiting for nothing, growing or probing the stack."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.asm.code import Code, Function
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast import _core

_STACK_POINTER = {"x86": "rsp", "aarch64": "sp", "riscv64": "sp"}
PAGE_BYTES = 4096
"""Stack probes touch every page; no other loop moves the stack pointer so far."""


def is_idle(code: Code, function: Function, indices: Sequence[int]) -> bool:
    """Whether the iteration `indices` is not a loop that a programmer or compiler meant as one."""
    return _only_jumps(code, indices) or _probes_stack(code, indices) or _grows_stack(code, function, indices)


def _only_jumps(code: Code, indices: Sequence[int]) -> bool:
    """`jmp .`, or a call that does not return with a jump behind it: there is no way out, and nothing is computed."""
    instructions = [code.instructions[index] for index in indices]
    return all(
        instruction.branch in ("unconditional", "call") or instruction.form.startswith("nop")
        for instruction in instructions
    )


def _probes_stack(code: Code, indices: Sequence[int]) -> bool:
    """`sub rsp, 4096; or qword ptr [rsp], 0; cmp rsp, r11; jne`: touches each page of a large frame."""
    stack = _stack_pointer(code)
    moved = 0
    for index in indices:
        instruction = code.instructions[index]
        if instruction.branch == "call" or any(access.base != stack or access.index for access in instruction.memory):
            return False
        for value in instruction.affine:
            if value.reg == stack:
                moved += value.constant if _offset_of(value, {stack}) else 0
    return abs(moved) >= PAGE_BYTES


def _grows_stack(code: Code, function: Function, indices: Sequence[int]) -> bool:
    """A function that compares the stack pointer with a limit first, calls for more stack and starts anew (Go)."""
    if indices[0] != function.first or not any(code.instructions[index].branch == "call" for index in indices):
        return False
    derived = {_stack_pointer(code)}
    for index in indices:
        instruction = code.instructions[index]
        if instruction.branch == "call":
            return False
        compares = instruction.branch == "conditional" or instruction.mnemonic in ("cmp", "subs")
        read = {use.reg for operand in instruction.operands for use in operand.registers if use.read}
        if compares and read & derived:
            return True
        derived |= {value.reg for value in instruction.affine if _offset_of(value, derived)}
    return False


def _offset_of(value: _core.AffineValue, registers: set[int]) -> bool:
    return len(value.terms) == 1 and value.terms[0].reg in registers and value.terms[0].coefficient == 1


def _stack_pointer(code: Code) -> int:
    from corecast import _core

    return _core.register_number(code.isa, _STACK_POINTER[code.isa])
