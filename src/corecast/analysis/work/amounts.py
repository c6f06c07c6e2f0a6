"""What a loop computes and moves: floating-point operations and bytes of one iteration, for roofline and ECM models."""

from __future__ import annotations

import re

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm import Kernel

_ARM_FLOAT = lazy_pattern(
    r"f(add|sub|subr|mul|mulx|nmul|div|divr|sqrt|abd|max|min|maxnm|minnm|addp|adda|addv|recps|rsqrts)$"
)
_X86_FLOAT = lazy_pattern(r"v?(add|sub|mul|div|sqrt|max|min)([sp][sd])$")
_X86_FUSED = lazy_pattern(r"vfn?m(add|sub)\d{3}([sp][sd])$")
_RISCV_SCALAR = lazy_pattern(r"f(add|sub|mul|div|sqrt|min|max)\.[hsd]$")
_RISCV_FUSED = lazy_pattern(r"fn?m(add|sub)\.[hsd]$")
_RISCV_VECTOR = lazy_pattern(r"vfw?(add|sub|rsub|mul|div|rdiv|sqrt|min|max|redusum|redosum)\.")
_RISCV_VECTOR_FUSED = lazy_pattern(r"vfw?n?m(acc|sac|add|sub)\.")
_ARM_FUSED = lazy_pattern(r"fn?m(la|ls|ad|sb|add|sub)$")
_LANES = lazy_pattern(r"\b[vz]\.(\d*)([bhsdq])\b")
_GROUP = lazy_pattern(r"@m(f?)(\d),e(\d+)")
_BITS = {"b": 8, "h": 16, "s": 32, "d": 64, "q": 128}
_ELEMENT_ACCESS = lazy_pattern(r"(?:ld|st)(?:1r?|nt1|ff1|nf1|[234])(?:s?)([bhwd])")
_ACCESS_BITS = {"b": 8, "h": 16, "w": 32, "d": 64}


@dataclass(frozen=True)
class Work:
    """Of one iteration, all lanes active."""

    flops: float
    """Floating-point operations; a fused multiplication and addition are two."""
    loaded_bytes: float
    stored_bytes: float
    unknown: int
    """Accesses whose width is not known: not among the bytes."""

    @property
    def bytes(self) -> float:
        return self.loaded_bytes + self.stored_bytes

    @property
    def intensity(self) -> float | None:
        """Operations per byte, None where nothing is moved."""
        return self.flops / self.bytes if self.bytes else None


def work_of(kernel: Kernel, vector_bits: float) -> Work:
    """Counts instruction by instruction; what is loaded twice counts twice, as the first-level cache sees it."""
    flops = loaded = stored = 0.0
    unknown = 0
    for instruction in kernel.instructions:
        flops += operations(instruction, vector_bits)
        for access in instruction.memory:
            if not access.read and not access.write:
                continue
            width = access.width_bytes or scalable_bytes(instruction, vector_bits)
            if not width:
                unknown += 1
                continue
            loaded += width if access.read else 0
            stored += width if access.write else 0
    return Work(flops, loaded, stored, unknown)


def operations(instruction: _core.Instruction, vector_bits: float) -> float:
    """Floating-point operations of an instruction."""
    mnemonic = instruction.mnemonic
    form = instruction.form or mnemonic
    if found := _X86_FUSED.match(mnemonic) or _X86_FLOAT.match(mnemonic):
        factor = 2 if _X86_FUSED.match(mnemonic) else 1
        return factor * _x86_lanes(form, found[2])
    if _ARM_FUSED.match(mnemonic):
        return 2 * _arm_lanes(form, vector_bits)
    if _ARM_FLOAT.match(mnemonic):
        return _arm_lanes(form, vector_bits)
    if _RISCV_FUSED.match(mnemonic):
        return 2
    if _RISCV_SCALAR.match(mnemonic):
        return 1
    if _RISCV_VECTOR_FUSED.match(mnemonic):
        return 2 * _group_lanes(form, vector_bits)
    if _RISCV_VECTOR.match(mnemonic):
        return _group_lanes(form, vector_bits)
    return 0


def scalable_bytes(instruction: _core.Instruction, vector_bits: float) -> float:
    """Bytes of an access whose width depends on the vectors' length; 0 where that is not known."""
    form, mnemonic = instruction.form, instruction.mnemonic
    if re.match(r"(ldr|str) z\b|(ldr|str) z,", form):
        return vector_bits / 8
    found = _ELEMENT_ACCESS.match(mnemonic)
    lanes = _LANES.search(form)
    if found and lanes and not lanes[1]:
        width = _ACCESS_BITS[found[1]] / 8
        if mnemonic.startswith("ld1r") and not mnemonic.startswith("ld1rq"):
            return width
        count = vector_bits / _BITS[lanes[2]]
        registers = int(mnemonic[2]) if mnemonic[2] in "234" else 1
        return width * count * registers
    group = _GROUP.search(form)
    if group:
        accessed = re.search(r"(?:e|i)?(\d+)(?:ff)?\.v$", mnemonic)
        lanes_of_group = _group_lanes(form, vector_bits)
        indexed = re.match(r"v[ls][ou]x", mnemonic)
        bits = int(group[3]) if indexed or not accessed else int(accessed[1])
        return lanes_of_group * bits / 8
    return 0


def _x86_lanes(form: str, kind: str) -> float:
    if kind[0] == "s":
        return 1
    bits = 512 if "zmm" in form else 256 if "ymm" in form else 128
    return bits / (32 if kind[1] == "s" else 64)


def _arm_lanes(form: str, vector_bits: float) -> float:
    found = _LANES.search(form)
    if found is None:
        return 1
    return float(found[1]) if found[1] else vector_bits / _BITS[found[2]]


def _group_lanes(form: str, vector_bits: float) -> float:
    found = _GROUP.search(form)
    if found is None:
        return 1
    registers = 1 / int(found[2]) if found[1] else float(found[2])
    return vector_bits * registers / int(found[3])
