"""The rate of a loop of plain instructions by its size: as long as a cache of decoded instructions holds it, decoders
have nothing to do; where it does not, they show.

Such a cache has lines of so many uops, and a line belongs to so many bytes of code: instructions of several lengths are
tried, of which the shortest may need more lines than they fill.
"""

from __future__ import annotations

from collections.abc import Callable

from corecast.dataclass import dataclass

SMALL = (256, 512)
"""Instructions that any such cache holds."""
MOST_BYTES = 30 * 1024
"""Of code: within the smallest first-level cache of instructions there is, 32 KiB."""
STEP = 0.07
"""Relative, by which the rate drops at least."""
LARGE = 0.75
"""Of the largest loop: another that keeps decoders busy. Part of both may still be in the cache; what the larger has
more is not."""
NEAR = 16
"""Instructions between which the step is found."""


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

    most = MOST_BYTES // length_bytes
    inside, outside = max(rate(count) for count in SMALL), rate(most)
    if outside < inside * (1 - STEP):
        large = round(LARGE * most)
        rate(large)
        outside = (most - large) / (seen[most] - seen[large])
    else:
        return Footprint(most, False, inside, outside, tuple(sorted(seen.items())))
    held, over = max(SMALL), most
    while over - held > NEAR:
        middle = (held + over) // 2
        # At the edge all lines are evicted in turn before they are needed again: the rate falls within few lines.
        if rate(middle) >= inside * (1 - STEP):
            held = middle
        else:
            over = middle
    return Footprint(held, True, inside, outside, tuple(sorted(seen.items())))
