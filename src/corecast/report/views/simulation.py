"""A simulation: where its cycles go, as a table and as bars."""

from __future__ import annotations

from corecast.analysis.simulated import SimulationResult
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.fragment import block
from corecast.report.fragment import table as html_table
from corecast.report.stalls import exactness, simulated_words
from corecast.report.wording import bound_words, cycles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FULL = "full group renamed"


def html(result: SimulationResult) -> str:
    heading = (
        f"{cycles(result.cycles_per_iteration)} cycles per iteration, bound by {simulated_words(result)} "
        f"({exactness(result)})"
    )
    columns = table(result)
    return block(heading, html_table(list(columns), zip(*columns.values(), strict=True)))


def table(result: SimulationResult) -> dict[str, list[Any]]:
    shares = result.ranked_stalls
    names = ("cycles", "cause", "full", "instruction", "waiting", "resource")
    return {name: [getattr(share, name) for share in shares] for name in names}


def draw(result: SimulationResult, axes: Axes) -> None:
    """A bar per cause, largest first; they add up to the cycles of an iteration."""
    shares = sorted(((value, name) for name, value in result.stalls.items() if value > 0), reverse=True)
    names = [FULL if name == "none" else bound_words(name) for _, name in shares]
    axes.barh(range(len(shares)), [value for value, _ in shares], color="#2563eb")
    axes.set_yticks(range(len(shares)), names)
    axes.invert_yaxis()
    axes.set_xlabel("cycles per iteration")
    axes.set_title(f"{cycles(result.cycles_per_iteration)} cycles, by what rename waited for")
