"""Which cores of a machine to time on: idle ones of one kind that do not disturb each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from corecast.errors import InputError
from corecast.machine.recognize.seen import Cache, caches_of_sysfs
from corecast.measure.run.host import require_cores
from corecast.timing.accesses import FEWEST_WAYS
from corecast.timing.runner import Runner, local_runner

Read = Callable[[str], str]
"""The text of a file of the system, by its path."""
_MIDR_KIND = 0xFF00FFF0
"""Implementer and part number."""

_PAGE_KIB = 4
_LOOK_SECONDS = 0.5
_BUSY_SHARE = 0.5
_SLOWER = 1.2
"""A core that runs so much slower while another one works shares its execution units with it."""


def choose_cores(wanted: Sequence[int] | None, runner: Runner | None = None) -> list[int]:
    """The cores asked for, or one idle processor of each physical core; the least busy one where none is idle.

    Where a machine has cores of several kinds (big.LITTLE), only those of the largest capacity are chosen: cycles of
    another kind are those of another core.

    Raises:
        InputError: a core that does not exist, or that may not be used; cores of several kinds.
    """
    runner = runner or local_runner()
    if wanted is not None:
        require_cores(wanted, runner.cores)
        if len(kinds := {kind_of(core, runner.read) for core in wanted}) > 1:
            told = ", ".join(f"{core}: {kind_of(core, runner.read)[1] or 'unknown'}" for core in wanted)
            raise InputError(f"these cores are of {len(kinds)} kinds, whose cycles differ: {told}")
        return list(dict.fromkeys(wanted))
    kind = max((kind_of(core, runner.read) for core in runner.cores), default=(0, ""))
    allowed = [core for core in runner.cores if kind_of(core, runner.read) == kind]
    busy = _busy_shares(runner.read)
    found: list[int] = []
    taken: set[int] = set()
    for core in sorted(allowed, key=lambda core: busy.get(core, 0.0)):
        if core in taken or (found and busy.get(core, 0.0) > _BUSY_SHARE):
            continue
        found.append(core)
        taken |= _siblings(core, runner.read)
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


def kind_of(core: int, read: Read) -> tuple[int, str]:
    """The capacity that Linux gives a core beside the others (the largest has 1024), and AArch64's number of its kind
    without the revision; 0 and "" where the system does not tell."""
    folder = f"/sys/devices/system/cpu/cpu{core}"
    capacity = read(f"{folder}/cpu_capacity").strip()
    try:
        number = int(read(f"{folder}/regs/identification/midr_el1").strip() or "0", 0)
    except ValueError:
        number = 0
    kind = f"{number & _MIDR_KIND:#010x}" if number else ""
    return int(capacity) if capacity.isdecimal() and capacity.isascii() else 0, kind


def caches_of(core: int) -> tuple[Cache, ...]:
    """Those that Linux lists of a core of this machine."""
    return caches_of_sysfs(f"/sys/devices/system/cpu/cpu{core}/cache")


def data_ways(caches: Iterable[Cache]) -> int:
    """Pages of 4 KiB that one place in each of the first-level data cache's pages can hold, `FEWEST_WAYS` where it is
    not known, or has fewer."""
    found = next((each for each in caches if each.level == 1 and each.kind in ("Data", "Unified")), None)
    return FEWEST_WAYS if found is None else max(FEWEST_WAYS, min(found.ways, found.size_kib // _PAGE_KIB))


def _siblings(core: int, read: Read) -> set[int]:
    """Processors of the same physical core, as the system tells them: `0-1,4`."""
    text = read(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list").strip()
    try:
        spans = [part.split("-") for part in text.split(",")]
        return {core for span in spans for core in range(int(span[0]), int(span[-1]) + 1)}
    except ValueError:
        return {core}


def _busy_shares(read: Read) -> dict[int, float]:
    first = _ticks(read)
    time.sleep(_LOOK_SECONDS)
    shares = {}
    for core, (busy, total) in _ticks(read).items():
        before = first.get(core, (0, 0))
        shares[core] = (busy - before[0]) / max(1, total - before[1])
    return shares


def _ticks(read: Read) -> dict[int, tuple[int, int]]:
    """Busy and all ticks of each core so far."""
    found = {}
    for line in read("/proc/stat").splitlines():
        cells = line.split()
        if cells and cells[0].startswith("cpu") and cells[0] != "cpu":
            ticks = list(map(int, cells[1:9]))
            idle = ticks[3] + ticks[4]
            found[int(cells[0][3:])] = (sum(ticks) - idle, sum(ticks))
    return found
