"""The fewest cycles in which this machine's core can take a block in: a timing below them is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from corecast import _core

_FREE = ("nop", "endbr64", "endbr32")
"""Some cores fuse them with the instruction in front."""
_MARGIN = 0.95
"""Of the least: timings may be that much too low."""


@cache
def host_width() -> float:
    """Micro-ops a cycle that the core's rename stage takes, as its model says; 0: there is no model."""
    from corecast.machine.host import host_machine
    from corecast.machine.loader import load_machine

    name = host_machine()
    return load_machine(name).core.rename_width if name is not None else 0.0


def is_too_fast(cycles: float, instructions: Sequence[_core.Instruction], width: float) -> bool:
    """Whether the block would need more slots of the rename stage than there are. A move and the instruction behind it,
    which some cores fuse, count as one."""
    slots, fusible = 0, False
    for each in instructions:
        if each.mnemonic.startswith(_FREE):
            continue
        if fusible:
            fusible = False
            continue
        fusible = each.mnemonic.startswith("mov")
        slots += 1
    return width > 0 and cycles < _MARGIN * slots / width
