"""The terms of ECM and roofline: one row, and the roofline with the loop as a point."""

from __future__ import annotations

from corecast.analysis.results import Ecm
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.charts import Axes as ChartAxes
from corecast.report.charts import Chart, Series, chart
from corecast.report.fragment import block, picture
from corecast.report.fragment import table as html_table
from corecast.report.plotting import draw_chart
from corecast.report.roofline import roofline

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def html(result: Ecm) -> str:
    columns = table(result)
    plan = plan_of(result)
    drawn = "" if plan is None else picture(chart(plan.axes, plan.series), "roofline")
    heading = f"{result.flops_per_cycle:.2f} operations per cycle, {result.cycles:.2f} cycles per iteration"
    return block(heading, html_table(list(columns), zip(*columns.values(), strict=True)), drawn)


def table(result: Ecm) -> dict[str, list[Any]]:
    return {name: [value] for name, value in result.to_dict().items()}


def draw(result: Ecm, axes: Axes) -> None:
    plan = plan_of(result)
    if plan is None:
        raise InputError("nothing to plot: a roofline needs floating-point operations and accesses")
    draw_chart(plan, axes)


def plan_of(result: Ecm) -> Chart | None:
    """The loop as a point below the ceilings of its own instructions."""
    found = roofline(result)
    if found is None or found["intensity"] is None:
        return None
    across, up = found["intensity"], found["flops_per_cycle"] or 0.0
    least, most = across / 8, across * 8
    series = [Series("this loop", [(across, up)], joined=False)]
    top = found["compute"]
    if top is not None:
        series.append(Series("in-core ceiling", [(least, top), (most, top)]))
    for name, words in (("l1_bytes_per_cycle", "first-level cache"), ("memory_bytes_per_cycle", "memory")):
        rate = found[name]
        if rate is not None:
            end = most if top is None else min(most, max(least, top / rate))
            series.append(Series(words, [(least, least * rate), (end, end * rate)]))
    return Chart(ChartAxes("Roofline", "operations per byte", "operations per cycle", True, True), tuple(series))
