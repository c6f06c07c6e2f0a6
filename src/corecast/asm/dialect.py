"""Guesses from the text: the instruction set, and for x86 the syntax."""

from __future__ import annotations

from itertools import islice

from corecast.asm.clean import CleanText
from corecast.asm.code import Isa
from corecast.asm.scan import count_att, count_intel
from corecast.hints import TYPE_CHECKING, Iterator
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    import re

SAMPLE_LINES = 4000
"""Lines of code that a guess looks at."""

_NAMED = (
    "al ah ax eax rax bl bh bx ebx rbx cl ch cx ecx rcx dl dh dx edx rdx sil si esi rsi dil di edi rdi bpl bp ebp rbp "
    "spl sp esp rsp rip st"
)
_NUMBERED = {"xmm": 32, "ymm": 32, "zmm": 32, "mm": 8, "k": 8}
_X86_REGISTERS = frozenset(
    {
        *_NAMED.split(),
        *(f"{name}{number}" for name, numbers in _NUMBERED.items() for number in range(numbers)),
        *(f"r{number}{part}" for number in range(8, 32) for part in ("", "d", "w", "b")),
    }
)
_WIDTHS = frozenset(f"{prefix}{unit}" for prefix in ("", *"dqoxyzt", "xmm", "ymm", "zmm") for unit in ("word", "byte"))
_AARCH64 = lazy_pattern(
    r"\[(?:x\d+|sp)\b|\b[vz]\d+\.\d*[bhsdq]\b|\b[xw]zr\b|\bp\d+/[zm]\b|#:?\w+:|#-?\d|\b[wqbh]\d+\b|\bb\.(?:[ehnlgmvac]\w)\b",
)
_RISCV = lazy_pattern(
    r"\((?:sp|gp|tp|ra|zero|x\d+|[ast]\d+)\)|\bf?[at]\d+\b|\bfs\d+\b|\bvset[i]?vli?\b|%pcrel_\w+|\b(?:zero|ra)\b",
)
_EITHER = lazy_pattern(r"\b[xsd]\d+\b")
_DIRECTIVES: tuple[tuple[re.Pattern[str], Isa], ...] = (
    (lazy_pattern(r"(?i)\.attribute\b|rv(?:32|64)[ig]"), "riscv64"),
    (lazy_pattern(r"(?i)\.(?:arch|cpu)\s+\.?(?:armv|cortex|neoverse|generic|a64fx|thunderx|tsv|apple)"), "aarch64"),
    (lazy_pattern(r"(?i)\.arch\s+\.?(?:x86|i[3-6]86|corei7|znver|generic64)"), "x86"),
)


def _sample(lines: Iterator[str]) -> str:
    return "\n".join(islice((line for line in lines if line), SAMPLE_LINES)).lower()


def _count_att(sample: str) -> int:
    """Registers as AT&T syntax spells them."""
    return count_att(sample, _X86_REGISTERS)


def _count_intel(sample: str) -> int:
    """Registers and widths of memory operands as Intel syntax spells them; a label is neither."""
    return count_intel(sample, _X86_REGISTERS, _WIDTHS)


def guess_isa(text: CleanText) -> Isa | None:
    """The instruction set that most registers and operands of the text belong to; None where nothing tells."""
    if text.switches:
        return "x86"
    for hint in text.isa_hints:
        for pattern, isa in _DIRECTIVES:
            if pattern.search(hint):
                return isa
    sample = _sample(iter(text.lines))
    att = _count_att(sample)
    counts: dict[Isa, int] = {
        "x86": 2 * att if att else _count_intel(sample),
        "aarch64": len(_AARCH64.findall(sample)),
        "riscv64": len(_RISCV.findall(sample)),
    }
    best = max(counts, key=lambda isa: counts[isa])
    if counts[best] == 0:
        # Register names that two instruction sets share: memory operands would have told, so this is arithmetic only.
        return "aarch64" if _EITHER.search(sample) else None
    if sum(count == counts[best] for count in counts.values()) > 1:
        return None
    return best


def guess_x86_syntax(text: CleanText) -> str:
    """ "att" or "intel" for the lines before the first syntax directive."""
    first = text.switches[0][0] - 1 if text.switches else len(text.lines)
    sample = _sample(islice(text.lines, first))
    return "intel" if _count_intel(sample) > _count_att(sample) else "att"
