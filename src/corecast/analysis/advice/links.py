"""What a single instruction does to a running value: which ones combine it with something, and by which operation.

Only operations that are associative and commutative count. Subtraction adds what it takes away, so the running value
has to be what it is taken from; so does a fused multiply-add whose addend is the running value. Saturating arithmetic
is left out: it depends on the order.
"""

from __future__ import annotations

import re
from functools import lru_cache

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm.code import Isa

Kind = Literal["add", "multiply", "min", "max", "and", "or", "xor"]
_NAMED = 64
"""Operands from this number on are named: addresses, flags, masks. Those below stand in the text."""


@dataclass(frozen=True)
class Link:
    """An instruction that combines a running value with something that does not depend on it."""

    kind: Kind
    element: str
    """Type of the elements and their number: all links of a reduction agree."""
    bits: int
    """Of the register, that the operation reads."""
    is_float: bool
    destination: int
    """The register that holds the running value afterwards."""


@dataclass(frozen=True)
class _Rule:
    kind: Kind
    mnemonics: str
    at: Literal["any", "first", "second", "last"]
    """Which operand the running value may be. first: the destination, or the first source of three operands."""
    is_float: bool = False


_RULES: dict[str, tuple[_Rule, ...]] = {
    "x86": (
        _Rule("add", r"v?add[sp][sdh]", "any", True),
        _Rule("add", r"v?sub[sp][sdh]", "first", True),
        _Rule("add", r"vfn?madd231[sp][sdh]|vdpbf16ps|vdpphps", "first", True),
        _Rule("add", r"vfn?madd132[sp][sdh]", "second", True),
        _Rule("add", r"vfn?madd213[sp][sdh]", "last", True),
        _Rule("add", r"add|v?padd[bwdq]", "any"),
        _Rule("add", r"sub|adc|sbb|v?psub[bwdq]|vpdp(bus|wss|bss|bsu|buu|wsu|wus|wuu)d|vpmadd52[lh]uq", "first"),
        _Rule("multiply", r"v?mul[sp][sdh]", "any", True),
        _Rule("multiply", r"imul|v?pmull[wdq]", "any"),
        _Rule("min", r"v?min[sp][sdh]", "any", True),
        _Rule("max", r"v?max[sp][sdh]", "any", True),
        _Rule("min", r"v?pminu[bwdq]|v?pmins[bwdq]", "any"),
        _Rule("max", r"v?pmaxu[bwdq]|v?pmaxs[bwdq]", "any"),
        _Rule("and", r"and|v?pand[dq]?|v?andp[sd]", "any"),
        _Rule("or", r"or|v?por[dq]?|v?orp[sd]", "any"),
        _Rule("xor", r"xor|v?pxor[dq]?|v?xorp[sd]", "any"),
    ),
    "aarch64": (
        _Rule("add", r"fadd", "any", True),
        _Rule("add", r"fsub|fmla|fmls|bfdot|bfmmla|fmmla", "first", True),
        _Rule("add", r"fmadd|fmsub", "last", True),
        _Rule("add", r"add|adc", "any"),
        _Rule(
            "add",
            r"sub|cinc|incp|ml[as]|[su]ml[as]l2?|[su]ml[as]l[bt]|[su]dot|usdot|[su]aba|[su]abal2?|[su]adalp"
            r"|[su](add|sub)w2?|(us|s|u)mmla",
            "first",
        ),
        _Rule("add", r"madd|msub|[su]m(add|sub)l", "last"),
        _Rule("multiply", r"fmul", "any", True),
        _Rule("multiply", r"mul", "any"),
        _Rule("min", r"fmin(nm)?", "any", True),
        _Rule("max", r"fmax(nm)?", "any", True),
        _Rule("min", r"[su]min", "any"),
        _Rule("max", r"[su]max", "any"),
        _Rule("and", r"and", "any"),
        _Rule("or", r"orr", "any"),
        _Rule("xor", r"eor|eor3", "any"),
    ),
    "riscv64": (
        _Rule("add", r"fadd\.[hsd]|vfadd\.v[vf]", "any", True),
        _Rule("add", r"fsub\.[hsd]|vfsub\.v[vf]|vf(w?macc|nmsac)\.v[vf]", "first", True),
        _Rule("add", r"fmadd\.[hsd]|fnmsub\.[hsd]|vf(w)?redusum\.vs", "last", True),
        _Rule("add", r"addw?|vadd\.v[vx]", "any"),
        _Rule("add", r"subw?|vsub\.v[vx]|v(w\w*)?macc\w*\.v[vx]|vnmsac\.v[vx]|vw(add|sub)u?\.w[vx]", "first"),
        _Rule("add", r"sh[123]add|add\.uw|sh[123]add\.uw|v(w)?redsumu?\.vs", "last"),
        _Rule("multiply", r"fmul\.[hsd]|vfmul\.v[vf]", "any", True),
        _Rule("multiply", r"mulw?|vmul\.v[vx]", "any"),
        _Rule("min", r"fmin\.[hsd]|vfmin\.v[vf]", "any", True),
        _Rule("max", r"fmax\.[hsd]|vfmax\.v[vf]", "any", True),
        _Rule("min", r"v?minu?(\.v[vx])?", "any"),
        _Rule("max", r"v?maxu?(\.v[vx])?", "any"),
        _Rule("and", r"v?and(\.v[vx])?", "any"),
        _Rule("or", r"v?or(\.v[vx])?", "any"),
        _Rule("xor", r"v?xor(\.v[vx])?", "any"),
    ),
}
_MOVES = {
    "x86": r"mov|v?mov(apd|aps|upd|ups|dqa|dqu|q)|vmovdq[au](8|16|32|64)",
    "aarch64": r"mov|fmov",
    "riscv64": r"mv|fmv\.[sd]|vmv\d?r?\.v",
}
_WIDTHS = {"r8": 8, "r16": 16, "r32": 32, "r64": 64, "xmm": 128, "ymm": 256, "zmm": 512}
_WIDTHS |= {"b": 8, "h": 16, "s": 32, "w": 32, "d": 64, "x": 64}
_WHOLE = 1 << 16
_SCALARS = {"ss": 32, "sd": 64, "sh": 16}
_TERNARY: dict[str, Kind] = {"150": "xor", "254": "or", "128": "and"}
"""vpternlog's numbers for the operations on three operands."""


def word(instruction: _core.Instruction) -> str:
    """The mnemonic as the text spells it: some are printed as an alias."""
    text = instruction.text
    return text[: text.find(" ")] if " " in text else text


def in_text(operand: _core.Operand) -> bool:
    """Whether an operand is one that the text lists, not an address, flag or mask."""
    return operand.id < _NAMED


def link_of(instruction: _core.Instruction, register: int, isa: Isa) -> Link | None:
    """What an instruction does to the running value in a register; None where it is not a link."""
    if any(access.write for access in instruction.memory):
        return None
    if isa == "x86" and instruction.mnemonic == "lea":
        return _sum_by_address(instruction, register)
    operands = [operand for operand in instruction.operands if in_text(operand)]
    reads = [place for place, operand in enumerate(operands) if _reads(operand, register)]
    if any(_reads(operand, register) for operand in instruction.operands if not in_text(operand)):
        return None
    rule = _rule(word(instruction), isa)
    if rule is None or not operands or not _may_be(instruction, rule, operands, reads, isa):
        return None
    written = [use.reg for use in operands[0].registers if use.write]
    if not written or (_merges(instruction, isa) and register not in written):
        return None
    kind = rule.kind if rule.mnemonics != "vpternlog" else _TERNARY.get(instruction.text.rpartition(",")[2].strip())
    if kind is None:
        return None
    element, bits = _element(instruction, rule, isa)
    return Link(kind, element, bits, rule.is_float, written[0])


def move_of(instruction: _core.Instruction, register: int, isa: Isa) -> tuple[int, int] | None:
    """(the register that an instruction copies another one to, bits copied); None where it is no plain copy."""
    operands = [operand for operand in instruction.operands if in_text(operand)]
    if instruction.memory or len(operands) != 2 or not re.fullmatch(_MOVES[isa], word(instruction)):
        return None
    if operands[0].read or not _reads(operands[1], register) or "{" in instruction.form:
        return None
    tokens = [token.strip() for token in instruction.form.partition(" ")[2].split(",")]
    if len(tokens) != 2 or tokens[0] != tokens[1]:
        return None
    return operands[0].registers[0].reg, _WIDTHS.get(tokens[0], _WHOLE)


@lru_cache(maxsize=256)
def _rule(name: str, isa: Isa) -> _Rule | None:
    if isa == "x86" and name in ("vpternlogd", "vpternlogq"):
        return _Rule("xor", "vpternlog", "any")
    return next((rule for rule in _RULES[isa] if re.fullmatch(rule.mnemonics, name)), None)


def _reads(operand: _core.Operand, register: int) -> bool:
    return any(use.read and use.reg == register for use in operand.registers)


def _may_be(
    instruction: _core.Instruction, rule: _Rule, operands: list[_core.Operand], reads: list[int], isa: Isa
) -> bool:
    """Whether the running value stands where the operation may have it, and nowhere else."""
    form = instruction.form
    if "/z" in form or "{z}" in form:
        return False
    tied = any(use.read for use in operands[0].registers)
    if len(reads) > 1 and reads[0] == 0 and ("{k}" in form or "@" in form):
        # Lanes that are left out keep the running value; it is the first source, too.
        reads, tied = reads[1:], False
    if len(reads) != 1:
        return False
    place = reads[0]
    shifted = isa == "aarch64" and len(operands) == 4 and operands[3].kind == "imm"
    if rule.at == "any":
        return place == 1 or not shifted
    if rule.at == "first":
        return place == (0 if tied else 1)
    if rule.at == "second":
        return place == 1
    return place == (2 if "@" in form else len(operands) - 1)


def _merges(instruction: _core.Instruction, isa: Isa) -> bool:
    """Whether a mask chooses the lanes that are written."""
    form = instruction.form
    return "{k}" in form if isa == "x86" else "/m" in form if isa == "aarch64" else "v0.t" in instruction.text


def _sum_by_address(instruction: _core.Instruction, register: int) -> Link | None:
    """`lea` adds, where the running value counts once."""
    token = instruction.form.partition(" ")[2].partition(",")[0]
    if token not in ("r32", "r64"):
        return None
    for value in instruction.affine:
        if [term.coefficient for term in value.terms if term.reg == register] == [1]:
            return Link("add", f" {token}", _WIDTHS[token], False, value.reg)
    return None


def _element(instruction: _core.Instruction, rule: _Rule, isa: Isa) -> tuple[str, int]:
    """Type and number of elements, and how many bits they are together."""
    name, form = word(instruction), instruction.form.partition(" ")[2]
    token = form.partition(",")[0].strip().partition("{")[0]
    bits = _WIDTHS.get(token, _WHOLE)
    if rule.kind in ("and", "or", "xor"):
        return f"{token} {form.partition('@')[2]}", bits
    if rule.kind in ("min", "max") or "red" in name:  # signed or not, and how they treat NaN
        prefix = name.removeprefix("v") if isa == "x86" else name
    elif isa == "x86":
        prefix = name[-2:] if rule.is_float else name[-1] if re.match("v?p", name) else ""
    else:
        prefix = name.rpartition(".")[2] if rule.is_float else "w" if name.endswith("w") else ""
        prefix = "" if isa == "aarch64" or "@" in form else prefix
    if isa == "x86" and rule.is_float:
        bits = _SCALARS.get(name[-2:], bits)
    return f"{prefix} {token} {form.partition('@')[2]}", bits
