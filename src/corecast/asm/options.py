"""What the user asks for: which part of a file, and how to read it."""

from __future__ import annotations

from corecast.asm.code import Isa
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import Literal
from corecast.pattern import lazy_pattern

Range = tuple[int, int]
_NUMBER = r"((?:0[xX])?[0-9a-fA-F]{1,16})"
_RANGE = lazy_pattern(rf"\s*{_NUMBER}\s*(?:[-:]\s*{_NUMBER}\s*)?")


@dataclass(frozen=True)
class RegionOptions:
    """Choice of regions; at most one of `lines`, `marker`, `address` is used, in this order."""

    isa: Isa | None = None
    """None: told from the text or the file."""
    syntax: Literal["auto", "att", "intel"] = "auto"
    """Of x86 text; "auto" decides by the text."""
    loop: str = "auto"
    """ "auto": markers where there are any, else every innermost loop; "all": every innermost loop; a number: that one
    of them, from 1."""
    lines: tuple[Range, ...] = ()
    """Lines of the text, first and last; together they are one region."""
    function: str | None = None
    """Name of a function, mangled or not; None: no choice by function."""
    marker: str | None = None
    """Name of a marked region."""
    address: tuple[Range, ...] = ()
    """Addresses in an object file: from the first up to, without, the second; each range is a region."""
    mode: Literal["loop", "unroll"] | None = None
    """Overrides whether a region repeats through a branch."""
    share: tuple[int, int] = (0, 1)
    """(K, N): of a file that is read in parts, the Kth share of N, counting from 0; for several processes."""


def parse_lines(text: str) -> tuple[Range, ...]:
    """`A-B,C-D` or `A` to line ranges.

    Raises:
        InputError: not such a list.
    """
    ranges = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or not match[1].isdigit() or (match[2] is not None and not match[2].isdigit()):
            raise InputError(f"'{text}' is not a list of lines such as 10-24,30-41")
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1 or last < first:
            raise InputError(f"the lines {part.strip()} are not in order")
        ranges.append((first, last))
    return tuple(ranges)


def parse_addresses(text: str) -> tuple[Range, ...]:
    """`A-B,C-D` to address ranges, hexadecimal with or without 0x; B itself is not included.

    Raises:
        InputError: not such a list.
    """
    ranges = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or match[2] is None:
            raise InputError(f"'{text}' is not a list of addresses such as 0x401130-0x401158")
        first, last = int(match[1], 16), int(match[2], 16)
        if last <= first:
            raise InputError(f"the addresses {part.strip()} are not in order")
        ranges.append((first, last))
    return tuple(ranges)
