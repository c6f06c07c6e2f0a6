"""Charts on matplotlib's axes: the same data that `charts` draws as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.hints import TYPE_CHECKING
from corecast.report.charts import Chart, HeatMap, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_chart(plan: Chart | HeatMap, axes: Axes) -> None:
    """Draws lines, points or cells, with titles, scales and a legend."""
    named = plan.axes
    axes.set_title(named.title)
    axes.set_xlabel(named.x)
    axes.set_ylabel(named.y)
    if isinstance(plan, HeatMap):
        _draw_cells(plan, axes)
        return
    for each in plan.series:
        _draw_series(each, axes)
    if named.x_names:
        axes.set_xticks(range(len(named.x_names)), list(named.x_names))
    elif named.x_logarithmic:
        axes.set_xscale("log", base=2)
    if named.y_logarithmic:
        axes.set_yscale("log", base=2)
    elif any(each.points for each in plan.series):
        axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")


def _draw_series(series: Series, axes: Axes) -> None:
    across, up = [x for x, _ in series.points], [y for _, y in series.points]
    axes.plot(across, up, "o-" if series.joined else "o", label=series.name, markersize=4)


def _draw_cells(plan: HeatMap, axes: Axes) -> None:
    empty = float("nan")
    cells = [[empty if value is None else value for value in row] for row in plan.cells]
    axes.imshow(cells, aspect="auto", cmap="Blues")
    values = [value for row in plan.cells for value in row if value is not None]
    middle = (min(values, default=0.0) + max(values, default=0.0)) / 2
    _names(axes.set_xticks, plan.columns)
    _names(axes.set_yticks, plan.rows)
    for down, row in enumerate(plan.cells):
        for right, value in enumerate(row):
            if value is not None:
                colour = "white" if value > middle else "black"
                axes.annotate(f"{value:.3g}", (right, down), color=colour, ha="center", va="center", fontsize="small")


def _names(set_ticks: object, names: Sequence[str]) -> None:
    assert callable(set_ticks)
    set_ticks(range(len(names)), list(names))
