"""An analysis: the page of `--format html`, a row a region, and a bar for each region's cycles."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import RegionResult
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.fragment import block, frame
from corecast.report.html import render_html
from corecast.report.stalls import headline_words
from corecast.report.unknowns import value_words
from corecast.report.wording import plural, region_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 560
_COLOUR = "#2563eb"


def html(result: AnalysisResult) -> str:
    """One line that is readable where frames are not shown, and the page."""
    return block(heading(result), frame(render_html(result), _HEIGHT))


def heading(result: AnalysisResult) -> str:
    """The forecast of a single region, or how many regions there are."""
    if len(result.regions) != 1:
        return f"{plural(len(result.regions), 'region')} on {result.cpu_title}"
    region = result.regions[0]
    words = "no forecast" if region.withheld else f"{value_words(region)} cycles per iteration"
    bound = "" if region.withheld else f", bound by {headline_words(region)}"
    return f"{region_name(region) or 'region'} on {result.cpu_title}: {words}{bound}"


def table(result: AnalysisResult) -> dict[str, list[Any]]:
    rows = [_row(region) for region in result.regions]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else _COLUMNS)}


_COLUMNS = ("region", "file", "first_line", "last_line", "cycles_per_iteration")


def _row(region: RegionResult) -> dict[str, Any]:
    cycles, interval = region.cycles_per_iteration, region.interval
    known = cycles is not None
    count = region.coverage.instructions
    return {
        "region": region_name(region),
        "file": region.source.file,
        "first_line": region.source.first_line,
        "last_line": region.source.last_line,
        "cycles_per_iteration": cycles,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "is_lower_bound": known and bool(region.uncounted),
        "bottleneck": region.prediction.bottleneck if known else "",
        "detail": region.prediction.detail if known else "",
        "method": region.prediction.method,
        "instructions": count,
        "unknown": region.coverage.unknown,
        "instructions_per_cycle": count / cycles if cycles else None,
        "port_bound": region.ports.bound,
        "frontend_bound": region.frontend.bound,
        "dependency_bound": region.dependencies.bound,
        "critical_path": region.dependencies.critical_path.cycles,
    }


def draw(result: AnalysisResult, axes: Axes) -> None:
    """A bar per region, with its interval where there is one; the bottleneck beside it."""
    regions = [region for region in result.regions if not region.withheld]
    if not regions:
        raise InputError("nothing to plot: no region has a forecast")
    places = range(len(regions))
    cycles = [region.prediction.cycles_per_iteration for region in regions]
    axes.barh(places, cycles, color=_COLOUR, xerr=_whiskers(regions), capsize=3)
    names = [f"{region_name(region) or 'region'}\n{headline_words(region)}" for region in regions]
    axes.set_yticks(places, names, fontsize="small")
    axes.invert_yaxis()
    axes.set_xlabel("cycles per iteration")
    axes.set_title(result.cpu_title)


def _whiskers(regions: Sequence[RegionResult]) -> list[list[float]]:
    """Below and above the forecast; 0 where there is no interval."""
    lows, highs = [], []
    for region in regions:
        cycles, interval = region.prediction.cycles_per_iteration, region.interval
        lows.append(0.0 if interval is None else max(0.0, cycles - interval.low))
        highs.append(0.0 if interval is None else max(0.0, interval.high - cycles))
    return [lows, highs]
