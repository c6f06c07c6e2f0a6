"""Predictions of many blocks: a row a block, and a histogram of their cycles."""

from __future__ import annotations

from collections import Counter

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.prediction.blocks import Predictions
from corecast.report.fragment import block
from corecast.report.fragment import table as html_table
from corecast.report.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 40


def html(result: Predictions) -> str:
    statuses = ", ".join(f"{count} {status}" for status, count in Counter(result.statuses).most_common())
    columns = table(result)
    rows = zip(*columns.values(), strict=True)
    return block(f"{plural(len(result), 'block')}: {statuses or 'none'}", html_table(list(columns), rows))


def table(result: Predictions) -> dict[str, list[Any]]:
    return {
        "cycles": list(result.cycles),
        "low": list(result.lows),
        "high": list(result.highs),
        "bottleneck": list(result.bottlenecks),
        "status": list(result.statuses),
        "reason": [result.reasons.get(place, "") for place in range(len(result))],
    }


def draw(result: Predictions, axes: Axes) -> None:
    """How many blocks take how many cycles, by bottleneck."""
    cycles: dict[str, list[float]] = {}
    for value, bottleneck in zip(result.cycles, result.bottlenecks, strict=True):
        if value == value:
            cycles.setdefault(bottleneck, []).append(value)
    if not cycles:
        raise InputError("nothing to plot: no block has a prediction")
    names = sorted(cycles)
    axes.hist([cycles[name] for name in names], bins=_BINS, stacked=True, label=names)
    axes.set_xlabel("cycles per iteration")
    axes.set_ylabel("blocks")
    axes.legend(title="bottleneck", fontsize="small")
