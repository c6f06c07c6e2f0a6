"""The fewest cycles in which this machine's core can take a block in: a timing below them is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from corecast import _core

_FREE = ("nop", "endbr64", "endbr32", "c.nop", "hint", "bti")
"""Some cores fuse them with the instruction in front."""
_FUSIBLE = ("mov", "adrp", "lui", "auipc", "aes", "slli")
_MARGIN = 0.95
"""Of the least: timings may be that much too low."""


@cache
def host_width() -> float:
    """Micro-ops a cycle that the core's rename stage takes, as its model says; 0: there is no model."""
    from corecast.machine.host import host_machine
    from corecast.machine.loader import load_machine

    name = host_machine()
    return load_machine(name).core.rename_width if name is not None else 0.0


def width_of(cpuinfo: str) -> float:
    """The same of the core that the text of /proc/cpuinfo describes."""
    from corecast.errors import UnknownCpuError
    from corecast.machine.loader import load_machine
    from corecast.machine.recognize.decide import recognize
    from corecast.machine.recognize.seen import host_of

    found = recognize(host_of(cpuinfo)).choice
    try:
        return load_machine(found.model).core.rename_width if found is not None else 0.0
    except UnknownCpuError:
        return 0.0


def is_too_fast(cycles: float, instructions: Sequence[_core.Instruction], width: float) -> bool:
    """Whether the block would need more slots of the rename stage than there are. A move and the instruction behind it,
    or the upper part of a constant or an address and what is added to it, which some cores fuse, count as one."""
    slots, fusible = 0, False
    for each in instructions:
        if each.mnemonic.startswith(_FREE):
            continue
        if fusible:
            fusible = False
            continue
        fusible = each.mnemonic.startswith(_FUSIBLE)
        slots += 1
    return width > 0 and cycles < _MARGIN * slots / width
