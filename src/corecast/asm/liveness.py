"""Whether a register's value matters behind a loop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache

from corecast import _core
from corecast.asm.code import NO_TARGET, Code

_RESULTS = {"x86": ("rax", "zmm0"), "aarch64": ("x0", "z0", "p0"), "riscv64": ("a0", "fa0", "v8")}
"""What functions return."""
_MORE_RESULTS = {"x86": ("rdx", "zmm1"), "aarch64": ("x1", "z1", "z2", "z3"), "riscv64": ("a1", "fa1")}
"""What only functions of larger results return, structures and complex numbers."""


def read_behind(code: Code, indices: Collection[int], register: int) -> bool | None:
    """Whether code behind a loop may read a register before it is written; None where not all of that code is there."""
    inside = set(indices)
    name = _core.register_name(code.isa, register)
    seen_all = True
    for index in _reached(code, (place for each in inside for place in _successors(code, each)), register, inside):
        if not 0 <= index < len(code.instructions) or code.instructions[index].branch in ("call", "indirect"):
            seen_all = False
            continue
        instruction = code.instructions[index]
        if instruction.branch != "ret":
            if _effect(instruction, register) == "read":
                return True
        elif name in _RESULTS[code.isa] or (name in _MORE_RESULTS[code.isa] and _is_result(code, index, register)):
            return True
    return False if seen_all else None


def read_behind_anew(
    again: Callable[[int, int], Code], span: tuple[int, int], addresses: tuple[int, ...], register: int
) -> bool | None:
    """The same for code that was dropped and is decoded once more.

    Args:
        again: decodes the code from one address to another.
        span: of the function that the loop stands in.
        addresses: of the loop's instructions.
        register: which.
    """
    code = _decoded_anew(again, span)
    places = {instruction.address: index for index, instruction in enumerate(code.instructions)}
    return read_behind(code, [places[address] for address in addresses if address in places], register)


@lru_cache(maxsize=1)
def _decoded_anew(again: Callable[[int, int], Code], span: tuple[int, int]) -> Code:
    return again(*span)


def _is_result(code: Code, index: int, register: int) -> bool:
    """Whether a function writes a register on every way to a return: otherwise it does not return it."""
    function = code.function_at(index)
    if function is None:
        return True
    ways = _reached(code, [function.first], register, set())
    return not any(0 <= place < len(code.instructions) and code.instructions[place].branch == "ret" for place in ways)


def _reached(code: Code, starts: Iterable[int], register: int, without: set[int]) -> Iterator[int]:
    """Instructions that may follow, up to those that write a register."""
    waiting, seen = list(starts), set(without)
    while waiting:
        index = waiting.pop()
        if index in seen:
            continue
        seen.add(index)
        yield index
        known = 0 <= index < len(code.instructions) and code.instructions[index].branch not in ("call", "indirect")
        if known and _effect(code.instructions[index], register) != "written":
            waiting += _successors(code, index)


def _effect(instruction: _core.Instruction, register: int) -> str:
    uses = [use for operand in instruction.operands for use in operand.registers if use.reg == register]
    if instruction.same_register and instruction.mnemonic.lstrip("v").startswith(("xor", "pxor")):
        return "written" if uses else ""
    if instruction.unknown or any(use.read for use in uses):
        return "read"
    return "written" if any(use.write and use.part in ("full", "low32") for use in uses) else ""


def _successors(code: Code, index: int) -> Iterator[int]:
    kind, target = code.instructions[index].branch, code.targets[index]
    if kind in ("none", "conditional", "call"):
        yield index + 1
    if kind in ("conditional", "unconditional"):
        yield target if target != NO_TARGET else -1
