"""What the front end delivers per cycle, in the terms of LLVM's scheduling models.

LLVM knows one width, that of the groups in which llvm-mca dispatches. What else limits the flow of instructions becomes
a unit that each of them takes, with one instance per slot or byte of a cycle.

A loop comes from the micro-op cache. Where that delivers more micro-ops per cycle than rename takes, and no loop buffer
stands in between, a group is what the cache delivers: it ends at a taken branch, so that no cycle serves two
iterations. Rename is a unit then. Unrolled code comes from fetch and the decoders, which are units as well.
"""

from __future__ import annotations

from collections.abc import Mapping

from corecast.dataclass import dataclass
from corecast.machine.types import Machine

RENAME = "Rename"
FETCH = "Fetch"
DECODE = "Decode"
MODES = ("loop", "unroll")


@dataclass(frozen=True)
class FrontEnd:
    group: int | None
    """Micro-ops of a group: LLVM's IssueWidth."""
    units: Mapping[str, int]
    """Units that instructions take, with their number: slots of rename, bytes of fetch, decoders."""
    branches_end_groups: bool = False


def front_end_of(machine: Machine, mode: str, free_branches: bool) -> FrontEnd:
    """The front end for code of a mode, "loop" or "unroll".

    Args:
        free_branches: conditional branches take no slot, as the comparison stands for the pair. llvm-mca puts them into
            a group with a slot left, nevertheless: a full group must have one more.
    """
    rename = _number(machine, "rename.width")
    if mode == "unroll":
        fetch = _number(machine, "fetch.bytes_per_cycle") or _number(machine, "predecode.block_bytes")
        found = {FETCH: fetch, DECODE: _number(machine, "decode.width")}
        return FrontEnd(rename, {name: width for name, width in found.items() if width})
    cache = _number(machine, "uop_cache.width")
    if cache is None or rename is None or cache <= rename or machine.parameter("loop_buffer.enabled"):
        return FrontEnd(rename, {})
    return FrontEnd(cache + free_branches, {RENAME: rename}, branches_end_groups=True)


def _number(machine: Machine, key: str) -> int | None:
    value = machine.parameter(key)
    return int(value) if isinstance(value, int | float) and value > 0 else None
