"""An exploration in notebooks: its plot and table, a row a point, and lines over the first key that is swept."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.explore.plots import plan
from corecast.explore.results import Exploration
from corecast.explore.tables import point_columns
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.charts import svg_of
from corecast.report.fragment import block, picture
from corecast.report.fragment import table as html_table
from corecast.report.plotting import draw_chart
from corecast.report.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OBJECTIVE = "cycles_per_iteration"
_SHOWN = ("bottleneck", "detail", "error")


def html(result: Exploration) -> str:
    """The lines, where the sweep has some, and the columns in which something stands."""
    columns = point_columns(result)
    first = next(iter(columns))
    keys = dict.fromkeys(key for point in result.points for key in point.settings)
    shown = [first, *keys, _OBJECTIVE, "cycles_per_element", "ipc", *_SHOWN]
    filled = [name for name in shown if any(value not in (None, "") for value in columns[name])]
    rows = zip(*(columns[name] for name in filled), strict=True)
    heading = f"{result.machine.title}: {plural(len(result.points), 'point')}"
    return block(heading, _picture(result), html_table(filled, rows))


def _picture(result: Exploration) -> str:
    try:
        return picture(svg_of(plan(result, "lines", _OBJECTIVE)), f"{_OBJECTIVE} over the first key")
    except InputError:  # nothing is swept, or too many lines
        return ""


def table(result: Exploration) -> dict[str, list[Any]]:
    return point_columns(result)


def draw(result: Exploration, axes: Axes, kind: str = "lines", objective: str = _OBJECTIVE) -> None:
    draw_chart(plan(result, kind, objective), axes)
