"""The rate of a loop of plain instructions by its size: as long as a cache of decoded instructions holds it, decoders
have nothing to do; where it does not, they show.

Such a cache has lines with a fixed number of uops, and a line covers a fixed number of bytes of code: instructions of
several lengths are tried, of which the shortest may need more lines than they fill.
"""

from __future__ import annotations

from collections.abc import Callable

from corecast.dataclass import dataclass
from corecast.measure.thresholds import (
    FOOTPRINT_LARGE,
    FOOTPRINT_MOST_BYTES,
    FOOTPRINT_NEAR,
    FOOTPRINT_SMALL,
    FOOTPRINT_STEP,
)


@dataclass(frozen=True)
class Footprint:
    """What loops of one instruction showed."""

    held: int
    """The most instructions at the rate of small loops."""
    bounded: bool
    """Whether larger ones are slower: else `held` is what was tried."""
    inside: float
    """Instructions per cycle of small loops."""
    outside: float
    """Of what large ones are larger by."""
    curve: tuple[tuple[int, float], ...]
    """Cycles per iteration by instructions."""


def footprint(cycles: Callable[[int], float], length_bytes: int) -> Footprint:
    """
    Args:
        cycles: per iteration of a loop of so many instructions.
        length_bytes: of one.
    """
    seen: dict[int, float] = {}

    def rate(count: int) -> float:
        if count not in seen:
            seen[count] = cycles(count)
        return count / seen[count]

    most = FOOTPRINT_MOST_BYTES // length_bytes
    inside, outside = max(rate(count) for count in FOOTPRINT_SMALL), rate(most)
    if outside < inside * (1 - FOOTPRINT_STEP):
        large = round(FOOTPRINT_LARGE * most)
        rate(large)
        outside = (most - large) / (seen[most] - seen[large])
    else:
        return Footprint(most, False, inside, outside, tuple(sorted(seen.items())))
    held, over = max(FOOTPRINT_SMALL), most
    while over - held > FOOTPRINT_NEAR:
        middle = (held + over) // 2
        # At the edge all lines are evicted in turn before they are needed again: the rate falls within few lines.
        if rate(middle) >= inside * (1 - FOOTPRINT_STEP):
            held = middle
        else:
            over = middle
    return Footprint(held, True, inside, outside, tuple(sorted(seen.items())))
