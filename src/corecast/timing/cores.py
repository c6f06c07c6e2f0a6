"""Which cores of this machine to time on: idle ones that do not disturb each other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corecast.measure.run.host import require_cores

_LOOK_SECONDS = 0.5
_BUSY_SHARE = 0.5
_SLOWER = 1.2
"""A core that runs so much slower while another one works shares its execution units with it."""


def choose_cores(wanted: Sequence[int] | None) -> list[int]:
    """The cores asked for, or one idle processor of each physical core; the least busy one where none is idle.

    Raises:
        InputError: a core that does not exist, or that this process may not use.
    """
    if wanted is not None:
        require_cores(wanted)
        return list(dict.fromkeys(wanted))
    allowed = sorted(os.sched_getaffinity(0))
    busy = _busy_shares()
    found: list[int] = []
    taken: set[int] = set()
    for core in sorted(allowed, key=lambda core: busy.get(core, 0.0)):
        if core in taken or (found and busy.get(core, 0.0) > _BUSY_SHARE):
            continue
        found.append(core)
        taken |= _siblings(core)
    return sorted(found)


def independent(cores: Sequence[int], speed: Callable[[int], float]) -> list[int]:
    """Those cores whose speed does not depend on what the others do; the system does not always tell.

    Args:
        cores: candidates; the first one stays in any case.
        speed: how long a piece of work takes on a core that needs all of it.
    """
    alone = {core: speed(core) for core in cores}
    found = list(cores[:1])
    for core in cores[1:]:
        with ThreadPoolExecutor(len(found) + 1) as pool:
            times = list(pool.map(speed, [*found, core]))
        if all(taken <= alone[each] * _SLOWER for each, taken in zip([*found, core], times, strict=True)):
            found.append(core)
    return found


def _siblings(core: int) -> set[int]:
    """Processors of the same physical core, as the system tells them: `0-1,4`."""
    path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        text = path.read_text(encoding="ascii").strip()
        spans = [part.split("-") for part in text.split(",")]
        return {core for span in spans for core in range(int(span[0]), int(span[-1]) + 1)}
    except (OSError, ValueError):
        return {core}


def _busy_shares() -> dict[int, float]:
    first = _ticks()
    time.sleep(_LOOK_SECONDS)
    shares = {}
    for core, (busy, total) in _ticks().items():
        before = first.get(core, (0, 0))
        shares[core] = (busy - before[0]) / max(1, total - before[1])
    return shares


def _ticks() -> dict[int, tuple[int, int]]:
    """Busy and all ticks of each core so far."""
    found = {}
    try:
        lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return {}
    for line in lines:
        cells = line.split()
        if cells and cells[0].startswith("cpu") and cells[0] != "cpu":
            ticks = list(map(int, cells[1:9]))
            idle = ticks[3] + ticks[4]
            found[int(cells[0][3:])] = (sum(ticks) - idle, sum(ticks))
    return found
