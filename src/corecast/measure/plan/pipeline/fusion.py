"""Pairs of instructions that decoders may make one uop of, and kernels that show whether they do.

The branch leads to the instruction behind it, and is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast.asm.code import Isa
from corecast.dataclass import dataclass
from corecast.measure.thresholds import FUSION_OTHERS


@dataclass(frozen=True)
class Pair:
    name: str
    first: str
    branch: str

    @property
    def lines(self) -> tuple[str, str]:
        return self.first, self.branch


_NEXT = ".Lnext"
_X86 = (
    ("cmp r64, r64", "cmp r14, rsi", "jb"),
    ("test r64, r64", "test r14, r14", "je"),
    ("add r64, r64", "add rbx, r14", "je"),
    ("sub r64, r64", "sub rbx, 0", "jb"),
    ("and r64, r64", "and rbx, r14", "je"),
    ("inc r64", "inc rbx", "je"),
    ("or r64, r64", "or rbx, r14", "je"),
    ("xor r64, i8", "xor rbx, 1", "je"),
    ("dec r64", "dec rbx", "je"),
    ("cmp r64, i8", "cmp r14, 1", "jb"),
    ("cmp m64, r64", "cmp [rsi], r14", "jb"),
    ("cmp r64, m64", "cmp r14, [rsi]", "jb"),
    ("cmp m64, i8", "cmp qword ptr [rsi], 1", "jb"),
    ("test m64, r64", "test [rsi], r14", "je"),
)
"""Never taken with the values that registers start with: 64-bit data addresses."""
FUSION_PAIRS: Mapping[Isa, tuple[Pair, ...]] = {
    "x86": tuple(Pair(f"{name} with {branch}", first, f"{branch} {_NEXT}") for name, first, branch in _X86),
    "aarch64": (
        Pair("cmp x, x with b.ne", "cmp x14, x14", f"b.ne {_NEXT}"),
        Pair("tst x, x with b.eq", "tst x14, x14", f"b.eq {_NEXT}"),
    ),
    "riscv64": (),
}


def together(pair: Pair, others: Sequence[str]) -> list[str]:
    rest = [others[i % len(others)] for i in range(FUSION_OTHERS)]
    return [*pair.lines, f"{_NEXT}:", *rest]


def apart(pair: Pair, others: Sequence[str]) -> list[str]:
    rest = [others[i % len(others)] for i in range(FUSION_OTHERS)]
    return [pair.first, rest[0], pair.branch, f"{_NEXT}:", *rest[1:]]
