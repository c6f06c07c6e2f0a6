"""What CPUID answers, as text: the lines of `cpuid --raw`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corecast.machine.recognize.seen import Leaf

_LEAF = re.compile(
    r"\s*0x([0-9a-f]{1,8})\s+0x([0-9a-f]{1,8})\s*:\s*"
    + r"\s+".join(rf"{name}=0x([0-9a-f]{{1,8}})" for name in ("eax", "ebx", "ecx", "edx"))
    + r"\s*",
    re.IGNORECASE | re.ASCII,
)
_FIRST = (0, 0)
"""The leaf with which a core begins."""


def leaf_text(leaf: Leaf) -> str:
    """A line of `parse_leaves`."""
    names = ("eax", "ebx", "ecx", "edx")
    registers = " ".join(f"{name}=0x{value:08x}" for name, value in zip(names, leaf[2:], strict=True))
    return f"0x{leaf[0]:08x} 0x{leaf[1]:02x}: {registers}"


def parse_leaves(text: str) -> tuple[Leaf, ...]:
    """The answers of CPUID as `cpuid --raw` prints them; other lines are passed over. Of several cores the first."""
    found: dict[tuple[int, int], Leaf] = {}
    for leaf in _leaves(text):
        if leaf[:2] == _FIRST and leaf[:2] in found:
            break
        found.setdefault(leaf[:2], leaf)
    return tuple(found.values())


def _leaves(text: str) -> Iterator[Leaf]:
    for line in text.splitlines():
        match = _LEAF.fullmatch(line)
        if match is not None:
            leaf, subleaf, eax, ebx, ecx, edx = (int(digits, 16) for digits in match.groups())
            yield leaf, subleaf, eax, ebx, ecx, edx
