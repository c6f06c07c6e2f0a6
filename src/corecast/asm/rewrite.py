"""Other spellings of lines that the assembler refuses.

Compilers and people write a little more than LLVM's parsers read. These rewrites are tried only on a line that failed,
and a spelling is kept only if it parses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from corecast.asm.code import Isa
from corecast.pattern import lazy_pattern

_OFFSET_FLAT = lazy_pattern(r"(?i)\b(offset)\s+flat:")
_SHORT = lazy_pattern(r"(?i)^(\s*(?:\w+:)?\s*(?:j\w+|loop\w*)\s+)short\s+(?:ptr\s+)?")
_BRACKETED_POINTER = lazy_pattern(r"(?i)\[\s*((?:\w*word|byte)\s+ptr)\s+([^\[\]]*(?:\[[^\]]*\])?)\s*\]")
_MOVSX_DWORD = lazy_pattern(r"(?i)^(\s*)movsx(\s+r\w+\s*,\s*(?:dword\s+ptr\b|e(?:[abcd]x|[sd]i|[sb]p)\b|r\d+d\b))")
_OWORD = lazy_pattern(r"(?i)\boword\s+ptr\b")
_REAL_POINTER = lazy_pattern(r"(?i)\breal(4|8|10)\s+ptr\b")
_MASM_HEX = lazy_pattern(r"(?i)(?<![\w.$])([0-9][0-9a-f]*)h\b")
_KEYWORD = (
    r"(?:offset|ptr|short|length|size|type|byte|word|and|or|not|xor|mod|shl|shr|eq|ne|lt|le|gt|ge|"
    r"[re]?[abcd]x|[abcd][lh]|[re]?[sd]i|[re]?[sb]p|[sd]il|[sb]pl|[cdefgs]s|st|r\d+[dwb]?|[xyz]?mm\d+|k\d)"
)
_KEYWORD_SYMBOL = lazy_pattern(
    rf"(?i)(?<![\w.\"])(?:(?<=\[rip \+ ){_KEYWORD}(?=\s*[\]+-])|{_KEYWORD}(?=(?:[+-]\d+)?\[rip\b|@))"
)
_GATHER = lazy_pattern(r"(?i)^(.*?\bv(?:p?gather|p?scatter)(?:pf[01])?[dq](p?[sdq]))(\s.*?)\b[xyz]mmword(\s+ptr\b.*)$")
_EMPTY_INDEX = lazy_pattern(r"(?i)\[\s*\+?\s*0\s*\+\s*")


def _names(*names: str) -> re.Pattern[str]:
    return lazy_pattern(rf"(?<![\w.$])(?:{'|'.join(names)})\b")


_REGISTERS: dict[Isa, re.Pattern[str]] = {
    "x86": _names(
        r"%?(?:[RE]?[ABCD]X|[ABCD][LH]|[RE]?[SD]I|[RE]?[SB]P|[SD]IL|[SB]PL|R\d+[DWB]?|RIP|[XYZ]MM\d+|MM\d|K\d|ST)",
        r"%?[CDEFGS]S",
    ),
    "aarch64": _names(
        r"[XWBHSDQVZP]\d+(?:\.\d*[BHSDQ]|/[MZ])?|W?SP|[XW]ZR|LS[LR]|ASR|ROR|[SU]XT[BHWX]|MUL|VL",
        r"EQ|NE|[CH]S|LO|MI|PL|V[SC]|HI|L[SET]|G[ET]|AL|P(?:LD|ST|LI)L[123](?:KEEP|STRM)",
    ),
    "riscv64": _names(
        r"X\d+|F\d+|V\d+|[AST]\d+|F[AST]\d+|ZERO|RA|SP|GP|TP|FP|V0\.T",
        r"E(?:8|16|32|64)|MF?[1248]|[TM][AU]|R(?:NE|TZ|DN|UP|MM)",
    ),
}
_MNEMONIC = lazy_pattern(r"^(\s*(?:[\w.$]+:)?\s*)((?:(?:LOCK|REPN?[EZ]?)\s+)?[A-Z][\w.]*)")
_TRAILING_COMMENT: dict[Isa, re.Pattern[str]] = {
    "x86": lazy_pattern(r"(?:;|//|--|!|\|).*$"),
    "aarch64": lazy_pattern(r"(?:;|@|//|--|!\s|#\s*[A-Za-z<].*).*$"),
    "riscv64": lazy_pattern(r"(?:;|//|--|@|!).*$"),
}


def alternatives(line: str, isa: Isa, syntax: str) -> Iterator[str]:
    """Other spellings of a refused line, the most faithful first; none equals the line itself."""
    seen = {line}
    steps: list[Callable[[str], str]] = [
        lambda text: _lower_case(text, isa),
        lambda text: _TRAILING_COMMENT[isa].sub("", text).rstrip(),
    ]
    if isa == "x86" and syntax == "intel":
        steps = [_gcc_intel, _quote_keywords, *steps]
    current = line
    for step in steps:
        current = step(current)
        if current not in seen and current.strip():
            seen.add(current)
            yield current


def _gcc_intel(line: str) -> str:
    line = _OFFSET_FLAT.sub(r"\1 ", line)
    line = _SHORT.sub(r"\1", line)
    line = _BRACKETED_POINTER.sub(_unbracket, line)
    line = _MOVSX_DWORD.sub(r"\1movsxd\2", line)
    line = _OWORD.sub("xmmword ptr", line)
    line = _REAL_POINTER.sub(lambda match: {"4": "dword", "8": "qword", "10": "tbyte"}[match[1]] + " ptr", line)
    line = _GATHER.sub(_element_pointer, line)
    return _MASM_HEX.sub(lambda match: hex(int(match[1], 16)), line)


def _element_pointer(match: re.Match[str]) -> str:
    """clang gives the memory of gathers and scatters the width of the vector, LLVM 22 reads only that of an element."""
    word = "dword" if match[2].lower() in ("ps", "d") else "qword"
    return f"{match[1]}{match[3]}{word}{match[4]}"


def _unbracket(match: re.Match[str]) -> str:
    inside = _EMPTY_INDEX.sub("[", match[2])
    return f"{match[1]} {inside}" if "[" in inside else f"{match[1]} [{inside}]"


def _quote_keywords(line: str) -> str:
    """A C name that is also an operator or register of Intel syntax: quoted, it is a symbol."""
    return _KEYWORD_SYMBOL.sub(r'"\g<0>"', line)


def _lower_case(line: str, isa: Isa) -> str:
    line = _MNEMONIC.sub(lambda match: match[1] + match[2].lower(), line)
    return _REGISTERS[isa].sub(lambda match: match[0].lower(), line)
