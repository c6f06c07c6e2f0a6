"""Guesses from the text: the instruction set, and for x86 the syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from corecast.asm.clean import CleanText
from corecast.asm.code import Isa
from corecast.pattern import lazy_pattern

SAMPLE_LINES = 4000
"""Lines of code that a guess looks at."""

_X86_NAME = (
    r"(?:[re]?[abcd]x|[abcd][lh]|[re]?[sd]i|[re]?[sb]p|[sd]il|[sb]pl|r(?:8|9|1\d)[dwb]?|rip|"
    r"[xyz]mm\d+|mm[0-7]|k[0-7]|st)"
)
# Of text in lower case: ignoring case makes an expression far slower to compile.
_ATT_REGISTER = lazy_pattern(rf"%{_X86_NAME}\b")
_INTEL_REGISTER = lazy_pattern(rf"(?<![%\w.$:])(?:{_X86_NAME}\b(?!:)|(?:[dqoxyzt]|xmm|ymm|zmm)?(?:word|byte) ptr\b)")
_AARCH64 = lazy_pattern(
    r"\[(?:x\d+|sp)\b|\b[vz]\d+\.\d*[bhsdq]\b|\b[xw]zr\b|\bp\d+/[zm]\b|#:?\w+:|#-?\d|\b[wqbh]\d+\b|\bb\.(?:[ehnlgmvac]\w)\b",
)
_RISCV = lazy_pattern(
    r"\((?:sp|gp|tp|ra|zero|x\d+|[ast]\d+)\)|\bf?[at]\d+\b|\bfs\d+\b|\bvset[i]?vli?\b|%pcrel_\w+|\b(?:zero|ra)\b",
)
_EITHER = lazy_pattern(r"\b[xsd]\d+\b")
_DIRECTIVES: tuple[tuple[re.Pattern[str], Isa], ...] = (
    (lazy_pattern(r"\.attribute\b|rv(?:32|64)[ig]", re.I), "riscv64"),
    (lazy_pattern(r"\.(?:arch|cpu)\s+\.?(?:armv|cortex|neoverse|generic|a64fx|thunderx|tsv|apple)", re.I), "aarch64"),
    (lazy_pattern(r"\.arch\s+\.?(?:x86|i[3-6]86|corei7|znver|generic64)", re.I), "x86"),
)


def _sample(lines: Iterator[str]) -> str:
    return "\n".join(islice((line for line in lines if line), SAMPLE_LINES)).lower()


def guess_isa(text: CleanText) -> Isa | None:
    """The instruction set that most registers and operands of the text belong to; None where nothing tells."""
    if text.switches:
        return "x86"
    for hint in text.isa_hints:
        for pattern, isa in _DIRECTIVES:
            if pattern.search(hint):
                return isa
    sample = _sample(iter(text.lines))
    att = len(_ATT_REGISTER.findall(sample))
    counts: dict[Isa, int] = {
        "x86": 2 * att if att else len(_INTEL_REGISTER.findall(sample)),
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
    att = len(_ATT_REGISTER.findall(sample))
    return "intel" if len(_INTEL_REGISTER.findall(sample)) > att else "att"
