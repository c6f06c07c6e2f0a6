"""What every text of assembly is searched for, without the regular expressions that say it in one line.

A short loop is analyzed in the time that it takes to import `re` and to compile a few expressions. Each function here
is as one of those; text that is not as usual is left to it.
"""

from __future__ import annotations

from corecast.hints import Iterator
from corecast.pattern import lazy_pattern

_LABEL = lazy_pattern(r'\s*(?:[\w.$@?]+|"[^"\n]*")\s*:(?![:=])')
_TYPE = lazy_pattern(r'(?i)\s*\.type\s+"?([^\s,"]+)"?\s*,?\s*(?:[@%#"]|STT_)(?:function|FUNC|gnu_indirect_function)')
_MARKER = lazy_pattern(r"(?i)(?:[#;@!*]|//|/\*)[ \t]*(LLVM-MCA|OSACA)-(BEGIN|END)(?![\w-])[ \t]*([^\n\r]*)")
_ATT_WORD = lazy_pattern(r"%(\w+)")
_INTEL_WORD = lazy_pattern(r"(?<![%\w.$:])(\w+)(:| ptr\b)?")

_SIGNS = dict.fromkeys(map(ord, "_.$@?"))
"""Of labels, beside letters and digits: for str.translate to take out."""
_WORDLESS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_ATT = {**_WORDLESS, ord("%"): " %"}
"""Words stay, those behind `%` with it."""
_INTEL = {**_ATT, ord("."): " %", ord("$"): " %", ord(":"): ": %"}
"""Words stay, with `%` before those that are none and `:` behind those that it follows."""
_SPACE = " \t\n\r\f\v\x1c\x1d\x1e\x1f"
_FAR = 40
"""Characters between an operator and the sign of its operand."""


def label_end(line: str) -> int | None:
    """Where the label that the line begins with ends, behind its colon."""
    head, colon, rest = line.partition(":")
    name = head.strip()
    if '"' in name:
        match = _LABEL.match(line)
        return None if match is None else match.end()
    if not colon or not name or rest.startswith((":", "=")):
        return None
    plain = name.translate(_SIGNS)
    return len(head) + 1 if not plain or plain.isalnum() else None


def typed_function(line: str) -> str | None:
    """The function that a `.type` names; None where it names something else."""
    words = line.replace(",", " , ").split()
    usual = len(words) == 4 and words[0].lower() == ".type" and words[2] == ","
    if usual and words[1].replace("_", "").replace(".", "").isalnum():
        kind = words[3]
        if kind in ("@function", "%function"):
            return words[1]
        if kind in ("@object", "%object") and "stt_" not in words[1].lower():
            return None
    match = _TYPE.match(line)
    return None if match is None else match[1]


def count_att(sample: str, names: frozenset[str]) -> int:
    """How many of these names stand behind `%`, in text of lower case."""
    if not sample.isascii():
        return sum(word in names for word in _ATT_WORD.findall(sample))
    return sum(word[0] == "%" and word[1:] in names for word in sample.translate(_ATT).split())


def count_intel(sample: str, names: frozenset[str], widths: frozenset[str]) -> int:
    """How many of these names stand by themselves, and are no label, and how many widths before ` ptr`; in text of
    lower case."""
    if not sample.isascii():
        return sum(
            (word in names and behind != ":") or (word in widths and behind == " ptr")
            for word, behind in _INTEL_WORD.findall(sample)
        )
    return sum(map(names.__contains__, sample.translate(_INTEL).split())) + _count_widths(sample, widths)


def _count_widths(sample: str, widths: frozenset[str]) -> int:
    found = 0
    at = sample.find(" ptr")
    while at >= 0:
        words = sample[max(0, at - _FAR) : at].translate(_INTEL)
        behind = sample[at + 4 : at + 5]
        if not words.endswith(" ") and words.split()[-1:] and words.split()[-1] in widths:
            found += not (behind.isalnum() or behind == "_")
        at = sample.find(" ptr", at + 1)
    return found


def has_signed_operand(text: str) -> bool:
    """Whether some `/`, `%` or `mod` may be followed by a sign, with nothing between but space, `(` and `+`."""
    if not text.isascii():
        return True
    for sign in "-~!":
        at = text.find(sign)
        while at >= 0:
            before = text[max(0, at - _FAR) : at].rstrip(_SPACE + "(+")
            if before.endswith(("/", "%")) or before[-3:].lower() == "mod" or (not before and at > _FAR):
                return True
            at = text.find(sign, at + 1)
    return False


def marker_comments(text: str) -> Iterator[tuple[int, str, bool, str]]:
    """Comments that are markers: line, tool in upper case, whether it begins a region, the rest of the line.

    Args:
        text: with no other ends of lines than `\\n`.
    """
    if not text.isascii():
        number, position = 1, 0
        for match in _MARKER.finditer(text):
            number += text.count("\n", position, match.start())
            position = match.start()
            yield number, match[1].upper(), match[2].upper() == "BEGIN", match[3]
        return
    for number, line in enumerate(text.split("\n"), 1):
        upper = line.upper()
        if "OSACA-" in upper or "LLVM-MCA-" in upper:
            yield from ((number, *found) for found in _first_marker(line, upper))


def _first_marker(line: str, upper: str) -> list[tuple[str, bool, str]]:
    """None or one: all behind it is its name."""
    places = sorted((at, tool) for tool in ("LLVM-MCA", "OSACA") for at in _places(upper, tool + "-"))
    for at, tool in places:
        start = at + len(tool) + 1
        kind = "BEGIN" if upper.startswith("BEGIN", start) else "END"
        rest = line[start + len(kind) :]
        comment = line[:at].rstrip(" \t").endswith(("#", ";", "@", "!", "*", "//"))
        if comment and upper.startswith(kind, start) and not (rest[:1].isalnum() or rest.startswith(("_", "-"))):
            return [(tool, kind == "BEGIN", rest.lstrip(" \t"))]
    return []


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)
