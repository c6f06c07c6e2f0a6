"""What an exploration looks like: lines over a key, a map of two keys, points and front against a cost."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from corecast.errors import InputError
from corecast.explore.figures import FIGURES, figure, front
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.charts import Axes, Chart, HeatMap, Series, svg_of

if TYPE_CHECKING:
    from corecast.explore.formula import Formula
    from corecast.explore.points import PointResult
    from corecast.explore.results import Exploration

PLOTS = ("lines", "heatmap", "pareto", "roofline")
"""Kinds of plots."""
_MOST_SERIES = 12


def draw(exploration: Exploration, kind: str, objective: str, cost: Formula | None = None) -> str:
    """The plot of that kind as SVG.

    Raises:
        InputError: as `plan`.
    """
    return svg_of(plan(exploration, kind, objective, cost))


def plan(exploration: Exploration, kind: str, objective: str, cost: Formula | None = None) -> Chart | HeatMap:
    """What a plot of that kind shows, before it is drawn.

    Args:
        exploration: what was found.
        kind: one of `PLOTS`.
        objective: one of `FIGURES`.
        cost: of a point; "pareto" needs it.

    Raises:
        InputError: no such kind, or the sweep has not the keys that it needs.
    """
    if kind == "lines":
        return _lines(exploration, objective)
    if kind == "heatmap":
        return _heat_map(exploration, objective)
    if kind == "roofline":
        return _roofline(exploration)
    if kind == "pareto":
        if cost is None:
            raise InputError("a Pareto plot needs --cost FORMULA")
        return _pareto(exploration, objective, cost)
    raise InputError(f"there is no plot '{kind}': {', '.join(PLOTS)}")


def _lines(exploration: Exploration, objective: str) -> Chart:
    """Over the first key; a line for each kernel and each combination of the others."""
    key, *others = _swept(exploration, 1)
    series: dict[str, list[tuple[Any, float]]] = {}
    for point in exploration.points:
        value = figure(exploration, point, objective)
        if value is not None:
            series.setdefault(_name(exploration, point, others), []).append((point.settings.get(key), value))
    if len(series) > _MOST_SERIES:
        raise InputError(f"{len(series)} lines are too many to tell apart: sweep fewer values beside {key}")
    values = list(dict.fromkeys(x for line in series.values() for x, _ in line))
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in values)
    doubling = numbers and len(values) > 2 and all(b == 2 * a for a, b in itertools.pairwise(values) if a)
    names = () if numbers else tuple(str(x) for x in values)
    drawn = [
        Series(name, [(float(x) if numbers else float(values.index(x)), y) for x, y in line])
        for name, line in series.items()
    ]
    title = f"{exploration.machine.title}: {_words(objective)}"
    return Chart(Axes(title, key, _words(objective), x_logarithmic=doubling, x_names=names), drawn)


def _heat_map(exploration: Exploration, objective: str) -> HeatMap:
    """The first key across, the second down; of one kernel."""
    across, down, *others = _swept(exploration, 2)
    if others or len(exploration.kernels) > 1:
        raise InputError("a heat map has two keys and one kernel")
    cells: dict[tuple[str, str], float | None] = {}
    for point in exploration.points:
        place = (str(point.settings.get(down, "")), str(point.settings.get(across, "")))
        cells[place] = figure(exploration, point, objective)
    rows = list(dict.fromkeys(row for row, _ in cells))
    columns = list(dict.fromkeys(column for _, column in cells))
    title = f"{exploration.machine.title}, {exploration.kernels[0]}: {_words(objective)}"
    values = [[cells.get((row, column)) for column in columns] for row in rows]
    return HeatMap(Axes(title, across, down), columns, rows, values)


def _pareto(exploration: Exploration, objective: str, cost: Formula) -> Chart:
    def place(point: PointResult) -> tuple[float, float]:
        value = figure(exploration, point, objective)
        return cost.value(exploration.machine, point.settings), value if value is not None else 0.0

    series = []
    for kernel in exploration.kernels:
        points = [p for p in exploration.of_kernel(kernel) if figure(exploration, p, objective) is not None]
        chosen = front(exploration, kernel, objective, cost)
        series.append(Series(f"{kernel}: front", [place(point) for point in chosen]))
        series.append(Series(kernel, [place(point) for point in points if point not in chosen], joined=False))
    title = f"{exploration.machine.title}: {_words(objective)} against cost"
    return Chart(Axes(title, f"cost: {cost.text}", _words(objective)), series)


def _roofline(exploration: Exploration) -> Chart:
    """Operations a cycle over operations a byte, under the bandwidth and under the busiest point's own ceiling."""
    points = [point for point in exploration.points if not point.error and point.flops and point.bytes]
    if not points:
        raise InputError("a roofline needs kernels with floating-point operations and accesses")
    across = [point.flops / point.bytes for point in points]
    least, most = min(across) / 2, max(across) * 2
    series = []
    for kernel in exploration.kernels:
        own = [(p.flops / p.bytes, p.flops_per_cycle) for p in points if p.kernel == kernel]
        series.append(Series(kernel, own, joined=False))
    top = max(point.flops / point.core_cycles for point in points if point.core_cycles)
    series.append(Series("in-core ceiling", [(least, top), (most, top)]))
    bandwidth = exploration.setup.bandwidth
    rate = bandwidth.total if bandwidth is not None else None
    if rate is not None:
        end = min(most, top / rate) if top / rate > least else most
        series.append(Series(f"{rate:.3g} bytes a cycle", [(least, least * rate), (end, end * rate)]))
    axes = Axes(f"{exploration.machine.title}: roofline", "operations a byte", "operations a cycle", True, True)
    return Chart(axes, series)


def _swept(exploration: Exploration, least: int) -> Sequence[str]:
    """Keys that take several values; raises InputError where there are fewer than `least`."""
    keys = list(dict.fromkeys(key for point in exploration.points for key in point.settings))
    several = [key for key in keys if len({str(point.settings.get(key)) for point in exploration.points}) > 1]
    if len(several) < least:
        raise InputError(f"this plot needs {least} keys with several values, and there are {len(several)}")
    return several


def _name(exploration: Exploration, point: PointResult, keys: Sequence[str]) -> str:
    settings = " ".join(f"{key}={point.settings.get(key, '')}" for key in keys)
    if len(exploration.kernels) == 1 and settings:
        return settings
    return f"{point.kernel} {settings}".strip()


def _words(objective: str) -> str:
    return FIGURES.get(objective, objective) if objective.startswith(("cycles", "par", "sp")) else objective
