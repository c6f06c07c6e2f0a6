"""Places of a dependency graph's nodes: layers from top to bottom, every edge of one pass goes down.

Invariants: the same region gives the same places; a row holds at most `COLUMNS` nodes; no two nodes share a place.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from corecast.analysis.results import RegionResult
from corecast.dataclass import dataclass
from corecast.report.blame import loop_carried_rows
from corecast.report.graph import Arrow

COLUMNS = 5


@dataclass(frozen=True)
class Layout:
    places: tuple[tuple[int, int], ...]
    """Row and column of every instruction."""
    rows: int
    columns: int


def lay_out(region: RegionResult, arrows: Sequence[Arrow]) -> Layout:
    """Layers by dependency depth, split into rows of at most `COLUMNS`, in program order within a layer."""
    count = len(region.instructions)
    passing = [arrow for arrow in arrows if arrow.distance == 0 and arrow.producer < arrow.consumer]
    layers = _layers(count, passing)
    rows: list[list[int]] = []
    for layer in sorted(set(layers)):
        nodes = [node for node in range(count) if layers[node] == layer]
        rows += [nodes[start : start + COLUMNS] for start in range(0, len(nodes), COLUMNS)]
    columns = max((len(row) for row in rows), default=0)
    marked = loop_carried_rows(region) | set(region.dependencies.critical_path.instructions)
    places = _columns(rows, columns, _wishes(passing, marked), marked)
    return Layout(places, len(rows), columns)


def _layers(count: int, arrows: Sequence[Arrow]) -> list[int]:
    """Depth of each node; what feeds others stands just above its first consumer, not as high as it could."""
    layers = [0] * count
    for arrow in sorted(arrows, key=lambda a: a.consumer):
        layers[arrow.consumer] = max(layers[arrow.consumer], layers[arrow.producer] + 1)
    below: dict[int, int] = {}
    for arrow in sorted(arrows, key=lambda a: -a.producer):
        # Arrows come by producer from the last one: a consumer has its final layer before its producers move.
        layer = layers[arrow.consumer] - 1
        below[arrow.producer] = min(below.get(arrow.producer, layer), layer)
        layers[arrow.producer] = below[arrow.producer]
    alone = set(range(count)) - {node for arrow in arrows for node in (arrow.producer, arrow.consumer)}
    last = max(layers, default=0)
    return [last + 1 if node in alone else layer for node, layer in enumerate(layers)]


def _wishes(arrows: Sequence[Arrow], marked: Set[int]) -> dict[int, list[int]]:
    """Producers under which a node wants to stand: those of the marked paths alone where it has any."""
    wishes: dict[int, list[int]] = {}
    for arrow in arrows:
        wishes.setdefault(arrow.consumer, []).append(arrow.producer)
    for node, producers in wishes.items():
        on_path = [producer for producer in producers if producer in marked]
        if node in marked and on_path:
            wishes[node] = on_path
    return wishes


def _columns(
    rows: list[list[int]], columns: int, wishes: dict[int, list[int]], marked: Set[int]
) -> tuple[tuple[int, int], ...]:
    """A column for every node, from the top row on: as near below its producers as the row's other nodes allow."""
    places: dict[int, tuple[int, int]] = {}
    for number, row in enumerate(rows):
        wanted = {}
        for position, node in enumerate(row):
            above = [places[producer][1] for producer in wishes.get(node, ()) if producer in places]
            wanted[node] = sum(above) / len(above) if above else position * columns / len(row)
        free = list(range(columns))
        # The marked paths choose first, so that they run straight; then those that know where they belong.
        for node in sorted(row, key=lambda n: (n not in marked, n not in wishes, n)):
            column = min(free, key=lambda c: (abs(c - wanted[node]), c))
            free.remove(column)
            places[node] = (number, column)
    return tuple(places[node] for node in sorted(places))
