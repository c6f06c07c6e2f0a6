"""Which loop-carried chains are sums (or products, maxima, ...): what adds to them may do so in any order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corecast import _core

if TYPE_CHECKING:
    from corecast.analysis.results import DependencyPath, RegionResult
    from corecast.asm.code import Isa

_ANY_OPERAND = {
    "x86": r"v?(add|mul|min|max)[sp][sdh]|v?p(add|and|or|xor)[bwdq]?|v?p(min|max)[su][bwdq]|v?pmull[dwq]"
    r"|v?(and|or|xor)p[sd]|add|imul|and|or|xor",
    "aarch64": r"f?(add|mul|max|min)|f(max|min)nm|[su](max|min)|and|orr|eor",
    "riscv64": r"f(add|mul|min|max)\.[hsd]|addw?|mulw?|and|or|xor|v(add|mul|and|or|xor|minu?|maxu?)\.v[vx]"
    r"|vf(add|mul|min|max)\.v[vf]",
}
"""The sum is any one operand."""
_FIRST_OPERAND = {
    "x86": r"v?sub[sp][sdh]|v?psub[bwdq]|sub|vfn?madd231[sp][sdh]|vpdp\w+|vpmadd52[lh]uq",
    "aarch64": r"f?(sub|mla|mls)|[su]m(la|ls)l2?|[su](dot|aba|abal2?|adalp)|[su](add|sub)w2?"
    r"|usdot|bfdot|bfmmla|[su]mmla|fmmla",
    "riscv64": r"fsub\.[hsd]|subw?|v(sub|macc|nmsac)\.v[vx]|vf(sub|macc|nmsac)\.v[vf]|vw\w*macc\w*\.v[vxf]",
}
"""It is what the others are added to or taken from: the destination, or the first source of three operands."""
_LAST_OPERAND = {
    "x86": r"(?!)",
    "aarch64": r"f?m(add|sub)|[su]m(add|sub)l",
    "riscv64": r"fmadd\.[hsd]|fnmsub\.[hsd]",
}


def is_sum(chain: DependencyPath, region: RegionResult, instructions: tuple[_core.Instruction, ...], isa: Isa) -> bool:
    """Whether all links of a chain add to what the chain hands on; floating point then rounds in another order."""
    links = set(chain.instructions)
    if chain.distance != 1 or any(region.instructions[place].status == "unknown" for place in links):
        return False
    edges = [edge for edge in region.dependencies.edges if edge.producer in links and edge.consumer in links]
    if any(edge.kind != "register" for edge in edges):
        return False
    received = {edge.consumer: edge.location for edge in edges}
    return len(edges) == len(links) == len(received) and all(
        _adds(instructions[place], _core.register_number(isa, location), isa) for place, location in received.items()
    )


def _adds(instruction: _core.Instruction, register: int, isa: Isa) -> bool:
    """Whether an instruction adds something to a register."""
    if any(access.write for access in instruction.memory):
        return False
    operands = [operand for operand in instruction.operands if not operand.implicit]
    reads = [
        place
        for place, operand in enumerate(operands)
        if any(use.read and use.reg == register for use in operand.registers)
    ]
    if len(reads) != 1:
        return False
    if re.fullmatch(_ANY_OPERAND[isa], instruction.mnemonic):
        return True
    if re.fullmatch(_LAST_OPERAND[isa], instruction.mnemonic):
        return reads[0] == len(operands) - 1
    if not re.fullmatch(_FIRST_OPERAND[isa], instruction.mnemonic):
        return False
    replaced = any(use.read for use in operands[0].registers)
    return reads[0] == (0 if replaced else 1)
