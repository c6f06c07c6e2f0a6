"""Folding of port columns: cores have up to 40 ports and units, a page has 100 columns."""

from __future__ import annotations

from corecast.analysis.results import PortPressure
from corecast.dataclass import dataclass
from corecast.hints import Sequence, Set

_SAME = 0.005
_DIGITS = "0123456789"


@dataclass(frozen=True)
class Column:
    """One column of a report's table: one port, or several that carry the same cycles in every row."""

    label: str
    ports: tuple[int, ...]
    """Indices into `PortPressure.ports`; a cell holds the cycles of each of them, not their sum."""

    def value(self, cells: tuple[float, ...]) -> float:
        return cells[self.ports[0]]


@dataclass(frozen=True)
class ColumnSet:
    columns: tuple[Column, ...]
    unused: tuple[str, ...]
    """Labels of the ports that the region never uses, runs folded."""

    @property
    def folded(self) -> bool:
        return any(len(column.ports) > 1 for column in self.columns)


def fold_columns(pressure: PortPressure, merge_equal: bool, apart: Set[str] = frozenset()) -> ColumnSet:
    """Columns without the ports that carry nothing; with `merge_equal`, equal columns become one.

    Ports of `apart` share columns with each other alone.
    """
    used = [port for port, total in enumerate(pressure.totals) if total >= _SAME]
    taken = set(used)
    unused = tuple(port for port in range(len(pressure.ports)) if port not in taken)
    groups: list[list[int]] = []
    for port in used:
        group = next((g for g in groups if merge_equal and _equal(pressure, g[0], port, apart)), None)
        if group is None:
            groups.append([port])
        else:
            group.append(port)
    columns = tuple(Column(",".join(_runs(pressure.ports, tuple(group))), tuple(group)) for group in groups)
    return ColumnSet(columns, _runs(pressure.ports, unused))


def fold_names(names: Sequence[str]) -> tuple[str, ...]:
    """Port names with runs of numbers folded: V0, V1, V2, B0 -> V0-V2, B0."""
    return _runs(tuple(names), tuple(range(len(names))))


def _equal(pressure: PortPressure, first: int, second: int, apart: Set[str]) -> bool:
    if (pressure.ports[first] in apart) != (pressure.ports[second] in apart):
        return False
    if abs(pressure.totals[first] - pressure.totals[second]) >= _SAME:
        return False
    return all(abs(cells[first] - cells[second]) < _SAME for cells in pressure.per_instruction)


def _runs(names: tuple[str, ...], ports: tuple[int, ...]) -> tuple[str, ...]:
    """Labels for ports, consecutive numbers folded: V0 V1 V2 V3 B0 -> V0-V3, B0."""
    labels: list[str] = []
    start = 0
    while start < len(ports):
        end = start
        while end + 1 < len(ports) and _follows(names[ports[end]], names[ports[end + 1]]):
            end += 1
        first, last = names[ports[start]], names[ports[end]]
        labels += [first, last] if end == start + 1 else [first] if end == start else [f"{first}-{last}"]
        start = end + 1
    return tuple(labels)


def _follows(first: str, second: str) -> bool:
    name = first.rstrip(_DIGITS)
    numbers = first[len(name) :], second[len(name) :]
    return second.rstrip(_DIGITS) == name and all(numbers) and int(numbers[1]) == int(numbers[0]) + 1
