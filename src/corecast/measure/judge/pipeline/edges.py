"""Where a buffer is full: the knee of the cycles per iteration over the number of fillers.

Below it the two chains of an iteration run at the same time, above it one after the other. There the cycles go up by
the whole chain of loads: at once where the loads take none of that room, else by one load a filler, as each load that
is done makes room for one filler more.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

from corecast.dataclass import dataclass
from corecast.measure.thresholds import (
    EDGES_BEHIND,
    EDGES_BELOW,
    EDGES_COARSE,
    EDGES_LOADS_BELOW,
    EDGES_MOST_FILLERS,
    EDGES_NEAR,
    EDGES_REACH,
    EDGES_SHARE,
    EDGES_SHARE_OF_LOAD,
    EDGES_SHARE_OF_STEP,
)


@dataclass(frozen=True)
class Edge:
    """A knee, and how it was found."""

    fillers: int
    """The fewest with which the second chain waits for the whole first one."""
    shared: bool
    """The loads of the first chain take room, too."""
    uncertain: int
    """Fillers by which it may be off."""
    curve: tuple[tuple[int, float], ...]
    """Cycles per iteration by fillers."""


def find_edge(cycles: Callable[[int, int], float], load_cycles: float, loads: int, width: int) -> Edge | None:
    """The knee; None where the cycles do not go up.

    Args:
        cycles: per iteration with so many fillers, and so many instructions before all of them.
        load_cycles: of one load of the first chain.
        loads: how many it has.
        width: instructions that are renamed together, all or none, where the rest of such a group in which the second
            chain begins needs room, too: the chain is moved until it needs the least. Else 1.
    """
    seen: dict[int, float] = {}

    def at(count: int) -> float:
        if count not in seen:
            seen[count] = cycles(count, 0)
        return seen[count]

    start = _rise(at, load_cycles * loads)
    if start is None:
        return None
    right = [(count, at(count)) for count in range(start + EDGES_REACH, start + EDGES_REACH + EDGES_BEHIND + 1)]
    slope, offset = _line(right)
    scatter = statistics.median(abs(value - slope * count - offset) for count, value in right)
    tolerance = max(EDGES_SHARE_OF_LOAD * load_cycles, 3 * scatter)

    def level(count: int) -> float:
        """What the cycles would be were they as high as right of it already."""
        return statistics.median(at(each) for each in range(count + 1, count + EDGES_NEAR)) - slope * EDGES_NEAR / 2

    fillers = start
    for count in range(start + EDGES_REACH, start - 1, -1):
        high = level(count)
        if at(count) < high - tolerance and at(max(0, count - EDGES_BELOW)) < high - EDGES_LOADS_BELOW * load_cycles:
            fillers = count + 1
            break

    def least(count: int) -> float:
        return min(cycles(count, pad) for pad in range(width))

    for count in range(fillers, fillers + width - 1):
        if least(count) < least(count + width) - max(EDGES_SHARE_OF_STEP * load_cycles, 3 * scatter):
            fillers = count + 1
    drop = level(fillers) - at(fillers - 3)
    shared = drop < 4 * load_cycles
    uncertain = 0 if tolerance <= load_cycles else round(tolerance / load_cycles) if shared else 1
    return Edge(fillers, shared, uncertain, tuple(sorted(seen.items())))


def _rise(at: Callable[[int], float], chain: float) -> int | None:
    """Fillers with which the cycles begin to go up by the chain."""
    rises: list[tuple[int, float]] = []
    for count in range(0, EDGES_MOST_FILLERS - EDGES_REACH, EDGES_COARSE):
        rises.append((count, at(count + EDGES_REACH) - at(count)))
        usual = statistics.median(rise for _, rise in rises)
        peak, height = max(rises, key=lambda each: each[1])
        if len(rises) > 2 and height - usual > EDGES_SHARE * chain and count >= peak + EDGES_REACH:
            return peak
    return None


def _line(points: list[tuple[int, float]]) -> tuple[float, float]:
    """Slope and offset through most points: by medians, so that single looks that are off do not count."""
    half = len(points) // 2
    slopes = [(high[1] - low[1]) / (high[0] - low[0]) for low, high in zip(points[:half], points[-half:], strict=True)]
    slope = statistics.median(slopes)
    return slope, statistics.median(value - slope * count for count, value in points)
