"""The fewest ports that sets of known sizes and overlaps can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corecast.dataclass import dataclass
from corecast.measure.thresholds import ARRANGE_MOST_ARRANGEMENTS, ARRANGE_MOST_PORTS


@dataclass(frozen=True)
class Overlap:
    """Ports that two sets share, at least and at most."""

    least: int
    most: int


Arrangement = tuple[frozenset[int], ...]
"""Ports of each set. Ports that lie in the same sets are alike, so that each arrangement stands for all that differ in
the ports' numbers only."""


def arrangements(sizes: Sequence[int], overlaps: Mapping[tuple[int, int], Overlap]) -> list[Arrangement]:
    """All arrangements with the fewest ports, as far as they are few; none where the overlaps contradict each other.

    Args:
        sizes: ports of each set.
        overlaps: of the sets at two places, the first before the second; what is not there is not known.
    """
    for ports in range(max(sizes, default=0), min(ARRANGE_MOST_PORTS, sum(sizes)) + 1):
        found: list[Arrangement] = []
        for arrangement in _extend((), ports, sizes, overlaps):
            found.append(arrangement)
            if len(found) == ARRANGE_MOST_ARRANGEMENTS:
                break
        if found:
            return found
    return []


def _extend(
    begun: Arrangement, ports: int, sizes: Sequence[int], overlaps: Mapping[tuple[int, int], Overlap]
) -> Iterator[Arrangement]:
    place = len(begun)
    if place == len(sizes):
        if len(frozenset().union(*begun)) == ports:
            yield begun
        return
    cells: dict[tuple[bool, ...], list[int]] = {}
    for port in range(ports):
        cells.setdefault(tuple(port in other for other in begun), []).append(port)
    bounds = [overlaps.get((other, place), Overlap(0, sizes[place])) for other in range(place)]
    for taken in _shares(list(cells.items()), sizes[place], bounds):
        new = frozenset(taken)
        if new not in begun:
            yield from _extend((*begun, new), ports, sizes, overlaps)


def _shares(
    cells: Sequence[tuple[tuple[bool, ...], list[int]]], size: int, bounds: Sequence[Overlap]
) -> Iterator[list[int]]:
    """Ways to take so many ports from cells of like ports, with so many of each earlier set."""
    if size == 0 or not cells:
        if size == 0 and all(bound.least <= 0 for bound in bounds):
            yield []
        return
    (members, ports), rest = cells[0], cells[1:]
    for count in range(min(len(ports), size) + 1):
        left = [
            Overlap(bound.least - count, bound.most - count) if inside else bound
            for bound, inside in zip(bounds, members, strict=True)
        ]
        if any(bound.most < 0 for bound in left):
            break
        for others in _shares(rest, size - count, left):
            yield [*ports[:count], *others]
