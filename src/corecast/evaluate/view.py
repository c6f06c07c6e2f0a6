"""An evaluation in notebooks: the page of `--format html`, a row a case, and predictions over measurements."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.evaluate.page import to_html
from corecast.evaluate.results import Evaluation
from corecast.evaluate.summary import title_of
from corecast.evaluate.tables import prediction_columns, prediction_rows
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.fragment import block, frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 700
_WORST = 5


def html(result: Evaluation) -> str:
    from corecast import __version__

    errors = "; ".join(f"{tool.name} {tool.metrics.mape:.1%}" for tool in result.tools if tool.metrics.scored)
    heading = f"{title_of(result)}: mean error {errors}" if errors else title_of(result)
    return block(heading, frame(to_html(result, _WORST, __version__), _HEIGHT))


def table(result: Evaluation) -> dict[str, list[Any]]:
    names = prediction_columns(result)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for row in prediction_rows(result):
        for name, value in zip(names, row, strict=True):
            columns[name].append(value)
    return columns


def draw(result: Evaluation, axes: Axes) -> None:
    """A point a case and predictor; above the line: predicted too slow."""
    told = [tool for tool in result.tools if tool.metrics.scored]
    if not told:
        raise InputError("nothing to plot: no predictor has an answer")
    measured = result.cases.measured
    for tool in told:
        places = [place for place in range(len(measured)) if tool.answers.counts(place)]
        forecast = [tool.answers.cycles[place] for place in places]
        axes.scatter([measured[place] for place in places], forecast, s=8, label=tool.name)
    ends = [min(measured), max(measured)]
    axes.plot(ends, ends, "--", color="gray", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xlabel("measured cycles")
    axes.set_ylabel("predicted cycles")
    axes.legend(fontsize="small")
