"""PMEvo's port mapping of an AArch64 core (JSON): port usage by form, inferred from measured mixes.

A key writes the instruction with operand classes, `_` for spaces: `_fmla_((REG:W:F:VEC)).2d,_...`. It is rendered to
assembly and read. Ports are numbers that the inference gave: what they are is for the caller to know. Several micro-ops
of one port set are separate entries.
"""

from __future__ import annotations

import collections
import json
import re
from pathlib import Path

from corecast import _core
from corecast.errors import MachineModelError
from corecast.files.compressed import open_text
from corecast.pattern import lazy_pattern

PortUsage = tuple[tuple[float, tuple[str, ...]], ...]
"""(micro-ops, ports that may take them)."""

_REGISTERS = {"F:VEC": "v", "F:128": "q", "F:64": "d", "F:32": "s", "F:16": "h", "F:8": "b", "G:64": "x", "G:32": "w"}
_OPERAND = lazy_pattern(r"\(\((?:REG:(?:W|R|RW):([FG]:\w+)|(MEM):64|(MIMM):\d+)\)\)")


def port_usages(path: Path) -> dict[str, PortUsage]:
    """Port usage by form key; entries that render to no instruction are left out, the first of a form counts.

    Raises:
        MachineModelError: the file is no such mapping.
    """
    try:
        with open_text(path) as file:
            assignment: dict[str, list[list[str]]] = json.load(file)["assignment"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MachineModelError("not a port mapping: no table named assignment", str(path)) from error
    names = list(assignment)
    listing = _core.assemble("aarch64", "".join(f"{text_of(name)}\n" for name in names))
    if len(listing.instructions) != len(names):
        raise MachineModelError(f"{len(names)} keys read as {len(listing.instructions)} instructions", str(path))
    found: dict[str, PortUsage] = {}
    for name, instruction in zip(names, listing.instructions, strict=True):
        if not instruction.unknown:
            counts = collections.Counter(tuple(sorted(group)) for group in assignment[name])
            found.setdefault(instruction.form, tuple((float(count), group) for group, count in counts.items()))
    return found


def text_of(name: str) -> str:
    """Assembly of a key, with a different register for every operand."""
    number = iter(range(1, 30))

    def operand(match: re.Match[str]) -> str:
        if match[2]:
            return "x19"
        if match[3]:
            return "#16"
        return f"{_REGISTERS[match[1]]}{next(number)}"

    return _OPERAND.sub(operand, name).replace("_", " ").strip()
