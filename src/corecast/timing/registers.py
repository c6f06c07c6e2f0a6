"""General registers as traces number them, by instruction set."""

from __future__ import annotations

from functools import cache

from corecast import _core
from corecast.asm.code import Isa
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.x86.registers import GENERAL

_AARCH64_STACK, _RISCV_STACK = 31, 2
_RISCV_KEPT = ("gp", "tp")


@cache
def numbers(isa: Isa) -> dict[int, int]:
    """By their locations, the stack pointer among them."""
    if isa == "x86":
        return {_core.register_number("x86", name): number for number, name in enumerate(GENERAL)}
    found = {place: number for place, (kind, number) in instruction_set(isa).locations().items() if kind == "general"}
    stack = _AARCH64_STACK if isa == "aarch64" else _RISCV_STACK
    return found | {_core.register_number(isa, "sp"): stack}


@cache
def kept_by_system(isa: Isa) -> frozenset[int]:
    """Locations of registers that are not the program's own: its runner needs what they hold."""
    return frozenset(_core.register_number(isa, name) for name in _RISCV_KEPT) if isa == "riscv64" else frozenset()
