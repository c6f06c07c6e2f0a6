"""A region: its part of the page, a row an instruction, and a heat map of its ports."""

from __future__ import annotations

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import RegionResult
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.columns import fold_columns
from corecast.report.views import analysis
from corecast.report.wording import cycles, region_name, row_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TEXT = 40


def html(region: RegionResult) -> str:
    core = region.core_name
    return analysis.html(AnalysisResult(core.name, core.title, core.isa, (region,)))


def table(region: RegionResult) -> dict[str, list[Any]]:
    rows = region.instructions
    stalls = region.simulated.stalls_by_instruction if region.simulated is not None else ()
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) for row in rows]
        for name in ("index", "line", "text", "form", "matched_form", "status", "uops", "latency_cycles")
    }
    columns["on_critical_path"] = [row.on_critical_path for row in rows]
    columns["on_loop_carried"] = [row.on_loop_carried for row in rows]
    if stalls:
        columns["stall_cycles"] = list(stalls)
    for place, port in enumerate(region.ports.ports):
        columns[f"port_{port}"] = [cells[place] for cells in region.ports.per_instruction]
    return columns | {"source": [row.source for row in rows], "note": [row.note for row in rows]}


def draw(region: RegionResult, axes: Axes) -> None:
    """Cycles of each instruction at each port, ports of equal use together; sums below."""
    found = fold_columns(region.ports, merge_equal=True)
    cells = [[column.value(line) for column in found.columns] for line in region.ports.per_instruction]
    sums = [column.value(region.ports.totals) for column in found.columns]
    axes.imshow([*cells, sums], aspect="auto", cmap="Blues", vmin=0.0)
    top = max(sums, default=0.0)
    for down, line in enumerate([*cells, sums]):
        for right, value in enumerate(line):
            if value:
                colour = "white" if value > top / 2 else "black"
                axes.annotate(cycles(value), (right, down), color=colour, ha="center", va="center", fontsize="small")
    axes.set_xticks(range(len(found.columns)), [column.label for column in found.columns])
    texts = [f"{row_name(region, row.index)}  {' '.join(row.text.split())[:_TEXT]}" for row in region.instructions]
    axes.set_yticks(range(len(texts) + 1), [*texts, "sum"], family="monospace", fontsize="small")
    axes.axhline(len(texts) - 0.5, color="gray", linewidth=1)
    axes.set_title(f"{region_name(region) or 'region'}: cycles per iteration by port")
