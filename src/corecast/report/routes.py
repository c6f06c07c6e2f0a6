"""Curves of a dependency graph's arrows, in pixels, around the nodes and not through them."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.dataclass import dataclass
from corecast.report.graph import Arrow
from corecast.report.layout import Layout

NODE_HEIGHT = 24
ROW_PITCH = 66
COLUMN_GAP = 36
MARGIN = 16
_LANE = 9
_SPREAD = 12
_GUTTER = 12
_CORNER = 6


@dataclass(frozen=True)
class Grid:
    """Pixels of the layout's rows and columns."""

    layout: Layout
    node_width: int

    def left(self, node: int) -> int:
        return MARGIN + self.layout.places[node][1] * (self.node_width + COLUMN_GAP)

    def top(self, node: int) -> int:
        return MARGIN + _GUTTER + self.layout.places[node][0] * ROW_PITCH

    @property
    def side(self) -> int:
        """Where the lanes of loop-carried arrows begin."""
        return MARGIN + self.layout.columns * (self.node_width + COLUMN_GAP) - COLUMN_GAP // 2

    @property
    def height(self) -> int:
        return 2 * MARGIN + 2 * _GUTTER + max(0, self.layout.rows - 1) * ROW_PITCH + NODE_HEIGHT


@dataclass(frozen=True)
class Route:
    arrow: Arrow
    path: str
    """SVG path data."""
    label_place: tuple[float, float]


def route(arrows: Sequence[Arrow], grid: Grid) -> tuple[tuple[Route, ...], int]:
    """A route for each arrow, and the width that the picture needs."""
    lanes = _lanes(arrows, grid)
    starts = _ends(arrows, grid, outgoing=True)
    ends = _ends(arrows, grid, outgoing=False)
    routes = []
    for number, arrow in enumerate(arrows):
        if arrow.producer == arrow.consumer:
            routes.append(_self_loop(arrow, grid))
        elif number in lanes:
            routes.append(_around(arrow, grid, (starts[number], ends[number]), lanes[number]))
        else:
            routes.append(_down(arrow, grid, (starts[number], ends[number])))
    width = grid.side + MARGIN + _LANE * (1 + max(lanes.values(), default=-1))
    return tuple(routes), width


def _goes_down(arrow: Arrow, grid: Grid) -> bool:
    return arrow.distance == 0 and grid.top(arrow.consumer) > grid.top(arrow.producer)


def _ends(arrows: Sequence[Arrow], grid: Grid, outgoing: bool) -> dict[int, float]:
    """x of every arrow's start (or end), spread over the node's edge by where the other end lies.

    Arrows that leave a node for the side share one start.
    """
    at_node: dict[int, dict[tuple[bool, int, int], list[int]]] = {}
    for number, arrow in enumerate(arrows):
        if arrow.producer == arrow.consumer:
            continue
        node, far = (arrow.producer, arrow.consumer) if outgoing else (arrow.consumer, arrow.producer)
        down = _goes_down(arrow, grid)
        slot = (True, 0, 0) if outgoing and not down else (not down, grid.left(far), number)
        at_node.setdefault(node, {}).setdefault(slot, []).append(number)
    places: dict[int, float] = {}
    for node, slots in at_node.items():
        step = min(_SPREAD, (grid.node_width - 2 * _CORNER) / len(slots))
        for position, slot in enumerate(sorted(slots)):
            x = grid.left(node) + grid.node_width / 2 + (position - (len(slots) - 1) / 2) * step
            places.update(dict.fromkeys(slots[slot], x))
    return places


def _lanes(arrows: Sequence[Arrow], grid: Grid) -> dict[int, int]:
    """Lanes at the side for arrows that go up: one for all arrows of a producer, short ones innermost."""
    spans: dict[int, tuple[int, int]] = {}
    for arrow in arrows:
        if arrow.producer != arrow.consumer and not _goes_down(arrow, grid):
            low, high = sorted((grid.top(arrow.producer), grid.top(arrow.consumer)))
            known = spans.get(arrow.producer, (low, high))
            spans[arrow.producer] = (min(low, known[0]), max(high, known[1]))
    taken: list[list[tuple[int, int]]] = []
    lane_of: dict[int, int] = {}
    for producer, (low, high) in sorted(spans.items(), key=lambda item: (item[1][1] - item[1][0], item[0])):
        fits = (all(high + ROW_PITCH <= a or b + ROW_PITCH <= low for a, b in others) for others in taken)
        lane = next((number for number, free in enumerate(fits) if free), len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        lane_of[producer] = lane
    return {
        number: lane_of[arrow.producer]
        for number, arrow in enumerate(arrows)
        if arrow.producer in lane_of and arrow.producer != arrow.consumer and not _goes_down(arrow, grid)
    }


def _down(arrow: Arrow, grid: Grid, ends: tuple[float, float]) -> Route:
    """A curve to a lower row; where rows lie between, it runs down in the gap beside the producer's column."""
    x1, x2 = ends
    y1, y2 = grid.top(arrow.producer) + NODE_HEIGHT, grid.top(arrow.consumer)
    bend = (ROW_PITCH - NODE_HEIGHT) / 2
    label = (x2 + 4, y2 - 8)
    if y2 - y1 < ROW_PITCH:
        return Route(arrow, f"M{x1:g} {y1}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2}", label)
    jitter = (arrow.producer % 5 - 2) * 4
    right = x2 >= x1 or grid.layout.places[arrow.producer][1] == 0
    gap = grid.left(arrow.producer) + (grid.node_width + COLUMN_GAP / 2 if right else -COLUMN_GAP / 2) + jitter
    top, bottom = y1 + 2 * bend, y2 - 2 * bend
    path = (
        f"M{x1:g} {y1}C{x1:g} {y1 + bend:g} {gap:g} {y1 + bend / 2:g} {gap:g} {top:g}"
        f"L{gap:g} {bottom:g}C{gap:g} {y2 - bend / 2:g} {x2:g} {y2 - bend:g} {x2:g} {y2}"
    )
    return Route(arrow, path, label)


def _around(arrow: Arrow, grid: Grid, ends: tuple[float, float], lane: int) -> Route:
    """Down into the gutter, to the lane at the side, up (or down), back above the consumer and into its top."""
    x1, x2 = ends
    jitter = arrow.producer % 4 * 2
    start, low = grid.top(arrow.producer) + NODE_HEIGHT, grid.top(arrow.producer) + NODE_HEIGHT + _GUTTER + jitter
    high, end = grid.top(arrow.consumer) - _GUTTER - jitter, grid.top(arrow.consumer)
    x = grid.side + (lane + 1) * _LANE
    turn = -_CORNER if high < low else _CORNER
    path = (
        f"M{x1:g} {start}L{x1:g} {low - _CORNER}Q{x1:g} {low} {x1 + _CORNER:g} {low}"
        f"L{x - _CORNER:g} {low}Q{x} {low} {x} {low + turn}"
        f"L{x} {high - turn}Q{x} {high} {x - _CORNER:g} {high}"
        f"L{x2 + _CORNER:g} {high}Q{x2:g} {high} {x2:g} {high + _CORNER}L{x2:g} {end}"
    )
    return Route(arrow, path, (x2 + 8, high - 3))


def _self_loop(arrow: Arrow, grid: Grid) -> Route:
    x, y = grid.left(arrow.producer) + grid.node_width, grid.top(arrow.producer) + NODE_HEIGHT / 2
    path = f"M{x} {y + 7:g}C{x + 18} {y + 15:g} {x + 18} {y - 15:g} {x} {y - 7:g}"
    return Route(arrow, path, (x + 4, y - 13))
