"""A timeline: a row a micro-op, and its way through the core as bars."""

from __future__ import annotations

from corecast.analysis.simulated import Timeline, TimelineUop
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.fragment import block
from corecast.report.fragment import table as html_table
from corecast.report.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PHASES = (
    ("waits to execute", "renamed", "dispatched", "#f2a33c"),
    ("executes", "dispatched", "completed", "#2563eb"),
    ("waits to retire", "completed", "retired", "#c9ced6"),
)
"""Words, the event that begins it, the one that ends it, and the colour."""
_NAMES = (
    *("iteration", "instruction", "uop", "port", "eliminated", "delivered", "renamed", "ready", "dispatched"),
    *("completed", "retired", "waited", "from_iteration", "from_instruction", "resource"),
)


def html(result: Timeline) -> str:
    columns = table(result)
    heading = f"{plural(len(result.uops), 'micro-op')} from iteration {result.first_iteration} on"
    return block(heading, html_table(list(columns), zip(*columns.values(), strict=True)))


def table(result: Timeline) -> dict[str, list[Any]]:
    return {name: [getattr(uop, name) for uop in result.uops] for name in _NAMES}


def draw(result: Timeline, axes: Axes) -> None:
    """A bar per micro-op in program order, from rename to retirement."""
    for words, start, end, colour in _PHASES:
        begins = [getattr(uop, start) for uop in result.uops]
        lengths = [max(0, getattr(uop, end) - begin) for uop, begin in zip(result.uops, begins, strict=True)]
        axes.barh(range(len(result.uops)), lengths, left=begins, color=colour, label=words)
    axes.set_yticks(range(len(result.uops)), [_name(uop) for uop in result.uops], fontsize="xx-small")
    axes.invert_yaxis()
    axes.set_xlabel("cycle")
    axes.set_ylabel("iteration:instruction  port")
    axes.legend(fontsize="small")


def _name(uop: TimelineUop) -> str:
    return f"{uop.iteration}:{uop.instruction}  {uop.port}"
