"""The result of an exploration as text, CSV and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

from corecast.explore.figures import FIGURES, best, figure, front
from corecast.files.tables import csv_text
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.advice import steps
from corecast.report.columns import fold_names

if TYPE_CHECKING:
    from corecast.explore.formula import Formula
    from corecast.explore.points import PointResult
    from corecast.explore.results import Exploration

SCHEMA = "corecast-exploration/1"
BOTTLENECKS = {
    "ports": "ports",
    "frontend": "front end",
    "dependency": "dependencies",
    "unit": "unit",
    "activity": "wide vectors",
    "memory": "memory",
}
RENAME_CYCLES = ("rename.idleCycles", "rename.blockedCycles", "rename.runCycles", "rename.unblockCycles")


def to_text(exploration: Exploration, objective: str, cost: Formula | None = None, rows: int = 60) -> str:
    """A table a kernel, with at most `rows` rows, the best point, and the front against the cost."""
    lines = [f"{exploration.machine.title}: {len(exploration.points)} points"]
    for kernel in exploration.kernels:
        points = exploration.of_kernel(kernel)
        lines += ["", kernel]
        lines += _table(exploration, points[:rows])
        if len(points) > rows:
            lines.append(f"... and {len(points) - rows} more: --format csv or json has them all")
        found = best(exploration, kernel, objective)
        if found is not None and len(points) > 1:
            lines.append(f"best {objective}: {_named(exploration, found, objective)}")
        lines += _advice(exploration, kernel)
        if cost is not None:
            lines.append(f"no other point is better and cheaper ({cost.text}):")
            for point in front(exploration, kernel, objective, cost):
                paid = cost.value(exploration.machine, point.settings)
                lines.append(f"  cost {paid:g}: {_named(exploration, point, objective)}")
    return "\n".join(lines) + "\n"


def _advice(exploration: Exploration, kernel: str) -> Iterator[str]:
    for each in exploration.advice:
        if each.point.kernel == kernel:
            sentences = " ".join(steps(each.region))
            lead = f"faster at {_settings(each.point)}: "
            yield from textwrap.wrap(lead + sentences, 120, subsequent_indent="  ", break_on_hyphens=False)


def to_csv(exploration: Exploration) -> str:
    """A row a point."""
    columns = point_columns(exploration)
    rows = zip(*columns.values(), strict=True)
    return csv_text(list(columns), ([_cell(value) for value in row] for row in rows))


def point_columns(exploration: Exploration) -> dict[str, list[object]]:
    """A value a point in each column; None where a point has none.

    Columns: the kernel, the keys that are swept, all figures, counters of rename, the share of each stall, cycles that
    micro-ops waited for their unit, and what is wrong where a point has no figures.
    """
    points = exploration.points
    busy = sorted({name for point in points for name in point.busy_events()} - {"fuBusy"})
    causes = sorted({cause for point in points for cause in point.stall_shares()})
    columns: dict[str, list[object]] = {"kernel": [point.kernel for point in points]}
    for key in _keys(exploration):
        columns[key] = [point.settings.get(key) for point in points]
    for name in FIGURES:
        columns[name] = [figure(exploration, point, name) for point in points]
    columns["elements_per_iteration"] = [point.elements or None for point in points]
    columns["bottleneck"] = [point.bottleneck for point in points]
    columns["detail"] = [point.detail for point in points]
    for name in RENAME_CYCLES:
        columns[name] = [(point.counters or {}).get(name) for point in points]
    for cause in causes:
        columns[f"stall_share:{cause}"] = [
            None if point.error else point.stall_shares().get(cause, 0.0) for point in points
        ]
    for name in busy:
        columns[name] = [None if point.error else point.busy_events().get(name, 0.0) for point in points]
    columns["error"] = [point.error for point in points]
    return columns


def to_json(exploration: Exploration, objective: str, version: str, cost: Formula | None = None) -> str:
    """The document of schema "corecast-exploration/1" (docs/exploring.md)."""
    places = {id(point): place for place, point in enumerate(exploration.points)}
    kernels = []
    for kernel in exploration.kernels:
        found = best(exploration, kernel, objective)
        entry: dict[str, Any] = {"name": kernel, "best": None if found is None else places[id(found)]}
        entry["advice"] = [
            {"point": places[id(each.point)], **each.region.advice.to_dict()}
            for each in exploration.advice
            if each.point.kernel == kernel and each.region.advice is not None
        ]
        if cost is not None:
            entry["front"] = [places[id(point)] for point in front(exploration, kernel, objective, cost)]
        kernels.append(entry)
    document = {
        "schema": SCHEMA,
        "version": version,
        "cpu": exploration.machine.name,
        "objective": objective,
        "cost": None if cost is None else cost.text,
        "sweeps": {sweep.key: list(sweep.values) for sweep in exploration.sweeps},
        "kernels": kernels,
        "points": [_entry(exploration, point, cost) for point in exploration.points],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _entry(exploration: Exploration, point: PointResult, cost: Formula | None) -> dict[str, Any]:
    if point.error:
        return {"kernel": point.kernel, "settings": dict(point.settings), "error": point.error}
    entry: dict[str, Any] = {
        "kernel": point.kernel,
        "settings": dict(point.settings),
        **{name: figure(exploration, point, name) for name in FIGURES},
        "elements_per_iteration": point.elements or None,
        "bottleneck": point.bottleneck,
        "detail": point.detail,
        "stall_shares": point.stall_shares(),
        "counters": dict(point.counters or {}),
    }
    if cost is not None:
        entry["cost"] = cost.value(exploration.machine, point.settings)
    return entry


def _keys(exploration: Exploration) -> list[str]:
    """Every key that some point sets, in the order of their first use."""
    return list(dict.fromkeys(key for point in exploration.points for key in point.settings))


def _table(exploration: Exploration, points: Sequence[PointResult]) -> Iterator[str]:
    keys = list(dict.fromkeys(key for point in points for key in point.settings))
    names = [name for name in FIGURES if any(figure(exploration, point, name) is not None for point in points)]
    rows = [[*keys, *(FIGURES[name] for name in names), "bottleneck", "largest stall"]]
    for point in points:
        settings = [str(point.settings.get(key, "")) for key in keys]
        if point.error:
            rows.append([*settings, f"error: {point.error}"])
            continue
        values = [_short(figure(exploration, point, name)) for name in names]
        rows.append([*settings, *values, _bottleneck(point), _largest_stall(point)])
    full = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(len(row[column]) for row in full) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            text.rjust(width) if column < len(keys) + len(names) else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=False))
        ]
        yield "  ".join(cells).rstrip()


def _named(exploration: Exploration, point: PointResult, objective: str) -> str:
    return f"{_short(figure(exploration, point, objective))} at {_settings(point)}"


def _settings(point: PointResult) -> str:
    return " ".join(f"{key}={value}" for key, value in point.settings.items()) or "the core as it is"


def _bottleneck(point: PointResult) -> str:
    words = BOTTLENECKS.get(point.bottleneck, point.bottleneck)
    detail = point.detail
    if point.bottleneck == "ports":
        detail = ", ".join(fold_names(tuple(name for name in detail.split(", ") if name)))
    return f"{words} ({detail})" if detail else words


def _largest_stall(point: PointResult) -> str:
    for cause, share in point.stall_shares().items():
        return f"{100 * share:.0f} % {cause.replace('_', ' ')}"
    return "none"


def _short(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if value >= 1 or value == 0 else f"{value:.3f}"


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value
