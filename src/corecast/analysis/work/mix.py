"""The instruction mix of code: counts by class and by mnemonic."""

from __future__ import annotations

import re
from collections import Counter

from corecast.dataclass import dataclass, field
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corecast import _core
    from corecast.asm.code import Isa

CLASSES = (
    "scalar integer",
    "scalar floating point",
    "branch",
    "scalar load",
    "scalar store",
    "SIMD",
    "SIMD load",
    "SIMD store",
    "scalable",
    "scalable load",
    "scalable store",
    "gather",
    "scatter",
    "structure access",
    "ordered reduction",
    "reduction",
    "predicate",
    "vector length",
    "unknown",
)
"""SIMD: vectors of a length that the code says (NEON, SSE, AVX); scalable: SVE and RISC-V's vectors."""

_ORDERED = lazy_pattern(r"fadda|vfw?redosum\.vs")
_REDUCTIONS = lazy_pattern(r"(f|s|u)?(add|max|min|maxnm|minnm|addl)v|(and|or|eor)v|v(f|w|fw)?red\w*\.vs|vwredsumu?\.vs")
_LENGTH = lazy_pattern(
    r"(cnt|inc|dec|sqinc|uqinc|sqdec|uqdec)[bhwdp]|rdvl|addvl|addpl|vsetv?li?|vsetivli|while\w+|ctermeq|ctermne"
)
_STRUCTURE = lazy_pattern(r"(ld|st)[234][bhwdrq]?\w?|v[ls](s|[ou]x)?seg\d\w*\.v")
_SCALAR_X86 = lazy_pattern(r"v?\w+?(ss|sd)|v?cvt\w+|v?u?comis[sd]")


@dataclass
class Mix:
    """How often instructions stand in code, or are executed."""

    classes: Counter[str] = field(default_factory=Counter)
    mnemonics: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return sum(self.classes.values())

    def add(self, instructions: Iterable[_core.Instruction], isa: Isa, times: int = 1) -> None:
        for instruction in instructions:
            kind = class_of(instruction, isa)
            self.classes[kind] += times
            self.mnemonics[instruction.mnemonic if kind != "unknown" else "?"] += times


def class_of(instruction: _core.Instruction, isa: Isa) -> str:
    """One of CLASSES."""
    if instruction.unknown:
        return "unknown"
    if instruction.branch != "none":
        return "branch"
    reads = any(access.read for access in instruction.memory)
    writes = any(access.write for access in instruction.memory)
    vector = any(access.vector_index for access in instruction.memory) or re.match(r"v[ls][ou]x", instruction.mnemonic)
    if vector:
        return "scatter" if writes else "gather"
    if _STRUCTURE.fullmatch(instruction.mnemonic):
        return "structure access"
    width = _width(instruction, isa)
    if reads or writes:
        prefix = "" if width in ("scalable", "SIMD") else "scalar"
        # An operation that reads memory besides (x86) counts as what it computes.
        if not _is_plain_access(instruction, isa):
            return _operation(instruction, isa, width)
        return f"{prefix or width} {'store' if writes else 'load'}"
    return _operation(instruction, isa, width)


def vector_words(forms: Iterable[str], isa: Isa) -> str:
    """The widest vectors that instructions of these forms work on: "512 bits", "scalable", or "" for none."""
    widest = 0
    for form in forms:
        mnemonic, _, operands = form.partition(" ")
        width = _width_of(mnemonic, operands, isa)
        if width == "scalable":
            return width
        if width == "SIMD":
            widest = max(widest, 512 if "zmm" in operands else 256 if "ymm" in operands else 128)
    return f"{widest} bits" if widest else ""


def _operation(instruction: _core.Instruction, isa: Isa, width: str) -> str:
    mnemonic = instruction.mnemonic
    if _ORDERED.fullmatch(mnemonic):
        return "ordered reduction"
    if _REDUCTIONS.fullmatch(mnemonic):
        return "reduction"
    if isa != "x86" and _LENGTH.fullmatch(mnemonic):
        return "vector length"
    if width == "predicate":
        return "predicate"
    if width in ("SIMD", "scalable"):
        return width
    return "scalar floating point" if width == "float" else "scalar integer"


def _width(instruction: _core.Instruction, isa: Isa) -> str:
    return _width_of(instruction.mnemonic, instruction.form.partition(" ")[2], isa)


def _width_of(mnemonic: str, operands: str, isa: Isa) -> str:
    """SIMD, scalable, predicate, float or integer, by the operands."""
    if isa == "x86":
        if re.search(r"\b[xyz]mm", operands):
            scalar = _SCALAR_X86.fullmatch(mnemonic) and "ymm" not in operands and "zmm" not in operands
            return "float" if scalar else "SIMD"
        return "predicate" if re.match(r"k(\W|$)", operands) else "float" if "st" in operands.split(", ") else "integer"
    if isa == "riscv64":
        if re.search(r"(^|[ ,])v(,|$| )", operands) or mnemonic.startswith("v"):
            mask = re.match(r"vm(and|or|xor|nand|nor|xnor|andn|orn|sbf|sif|sof)|vcpop|vfirst", mnemonic)
            return "predicate" if mask else "scalable"
        return "float" if re.search(r"(^|[ ,])f(,|$| )", operands) else "integer"
    if re.search(r"\bz(\.|\b)", operands):
        return "scalable"
    if re.match(r"\{?p[./\b]?", operands) and not operands.startswith(("pc", "prf")):
        return "predicate"
    if re.search(r"\bv\.|\bq\b", operands):
        return "SIMD"
    return "float" if re.match(r"[dshb](,|$)", operands) else "integer"


def _is_plain_access(instruction: _core.Instruction, isa: Isa) -> bool:
    if isa != "x86":
        return True
    return instruction.mnemonic.startswith(("mov", "vmov", "push", "pop", "lddqu", "vlddqu", "vbroadcast"))
