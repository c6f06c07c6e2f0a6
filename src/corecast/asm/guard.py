"""Text that would kill or stall the process inside LLVM's parsers, made harmless before they see it.

LLVM 22 divides without looking at the divisor: by zero in expressions of Intel syntax, and the lowest 64-bit number by
-1 in any expression; either ends the process with a signal. The operator of such a division is replaced by `?`, which
the parser refuses, so that the line becomes an unknown instruction with a message.
"""

from __future__ import annotations

from corecast.asm.scan import has_signed_operand
from corecast.pattern import lazy_pattern

_OPERATOR = r"(?:(?<![/*])/(?![/*])|%|\bmod\b)"
_SAFE_DIVISOR = r"[1-9][0-9]*\b|0x0*[1-9a-f]|\(\s*[1-9][0-9]*(?:\s*[*+]\s*[1-9][0-9]*)*\s*\)"
_REGISTER = (
    r"(?<=%)(?:[re]?[a-d]x|[a-d][lh]|[re]?[sd]i|[re]?[sb]p|[sd]il|[sb]pl|r\d+|[re]ip|[xyzt]?mm\d|k\d|st|[c-gs]s)"
)
_RISKY_INTEL = lazy_pattern(rf"(?i){_OPERATOR}(?!{_REGISTER})(?!\s*(?:{_SAFE_DIVISOR}))")
_RISKY = lazy_pattern(rf"(?i){_OPERATOR}(?=[\s(+]*[-~!])")
LONG_LINE = 1000
"""Lines up to this length need no look."""
MAX_LINE = 20_000
MAX_NESTING = 300
_NESTED = lazy_pattern(rf"[-+~!\s]{{{MAX_NESTING},}}\S")


def excess(line: str) -> str:
    """Why the parsers would take for ever, or the whole stack, to read a long line; "" where they do not."""
    if len(line) > MAX_LINE:
        return f"the line has {len(line)} characters, more than {MAX_LINE}: left out"
    code = line.split("#", 1)[0].split("//", 1)[0]
    if code.count("(") + code.count("[") > MAX_NESTING or _NESTED.search(code.strip()):
        return f"expressions nested more than {MAX_NESTING} deep: left out"
    return ""


def harmless(text: str, intel: bool) -> str:
    """The text with dangerous divisions made illegal; `intel`: some of it is read in Intel syntax."""
    if intel and ("/" in text or "%" in text or "mod" in text or "MOD" in text):
        return _RISKY_INTEL.sub("?", text)
    if ("/" in text or "%" in text) and has_signed_operand(text):
        return _RISKY.sub("?", text)
    return text
