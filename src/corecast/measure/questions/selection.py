"""Which forms to ask for, and in which order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corecast import _core
from corecast.asm.code import Isa
from corecast.measure.isa.x86.x87 import is_x87


def all_forms(isa: Isa, x87: bool = False) -> list[str]:
    """Keys of the forms that LLVM knows and that can be made, in the order of measuring. Whether the core has them
    shows when they are executed."""
    keys = dict.fromkeys(form.form for form in _core.enumerate_forms(isa))
    return in_rounds(key for key in keys if x87 or isa != "x86" or not is_x87(key))


def in_rounds(keys: Iterable[str]) -> list[str]:
    """One form of each mnemonic, the plainest, then a second of each, and so on."""
    groups: dict[str, list[str]] = {}
    for key in keys:
        groups.setdefault(key.split(" ")[0], []).append(key)
    ranked = [
        (place, mnemonic, key)
        for mnemonic, group in groups.items()
        for place, key in enumerate(sorted(group, key=_plainness))
    ]
    return [key for _, _, key in sorted(ranked)]


def _plainness(key: str) -> tuple[int, int, str]:
    oddities = key.count("{") + ("bcst" in key) + ("lock" in key or "rep" in key) + len(re.findall(r"\bm\d", key))
    widths = {"r64": 0, "xmm": 0, "ymm": 1, "r32": 1, "zmm": 2, "r16": 3, "r8": 3}
    width = max((rank for name, rank in widths.items() if re.search(rf"\b{name}\b", key)), default=0)
    return oddities, width, key
