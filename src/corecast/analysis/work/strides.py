"""How far a loop's accesses move on in an iteration."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm import Kernel


def steps_of(kernel: Kernel) -> dict[int, float | None]:
    """What an iteration adds to each register that it writes; None where that is not a constant."""
    steps: dict[int, float | None] = {}
    for instruction in kernel.instructions:
        known = {value.reg: value for value in instruction.affine}
        written = {use.reg for operand in instruction.operands for use in operand.registers if use.write}
        for reg in written | set(known):
            value = known.get(reg)
            plain = value is not None and [(term.reg, term.coefficient) for term in value.terms] == [(reg, 1)]
            before = steps.get(reg, 0.0)
            steps[reg] = before + value.constant if plain and value is not None and before is not None else None
    return steps


def longest_stride(kernel: Kernel) -> float | None:
    """Bytes that the fastest of the accesses moves on, either way; None where none moves by a constant."""
    steps = steps_of(kernel)
    longest: float | None = None
    for instruction in kernel.instructions:
        for access in instruction.memory:
            if access.vector_index or not (access.read or access.write):
                continue
            base, index = steps.get(access.base, 0.0), steps.get(access.index, 0.0) if access.index else 0.0
            if base is None or index is None:
                continue
            stride = abs(base + index * access.scale)
            if stride > 0:
                longest = max(longest or 0.0, stride)
    return longest
