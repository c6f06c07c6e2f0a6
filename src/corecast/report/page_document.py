"""What the page shows: the document of schema "corecast/1", and beside each region the words that all reports share.

The page's scripts draw from it and compute nothing: sentences, rounding, folded columns and the places of the graph
come from here, so that page, terminal and JSON cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import RegionResult
from corecast.analysis.simulated import StallShare, Timeline
from corecast.analysis.work.mix import vector_words
from corecast.hints import TYPE_CHECKING, Any, cast
from corecast.report.advice import advice
from corecast.report.columns import ColumnSet, fold_columns
from corecast.report.graph import arrows
from corecast.report.layout import lay_out
from corecast.report.markup import allowed
from corecast.report.roofline import roofline
from corecast.report.routes import NODE_HEIGHT, Grid, route
from corecast.report.stalls import headline_words, method_words, ranked_reasons, reason_words
from corecast.report.timeline import rename_letter
from corecast.report.unknowns import (
    alternative_lines,
    dependence_words,
    unknown_headline,
    value_words,
    withheld_words,
)
from corecast.report.wording import (
    MARKS,
    bound_words,
    interval_words,
    marks_of,
    path_cells,
    percent_of,
    place,
    plural,
    region_name,
    row_name,
    row_noun,
    short_cycles,
    time_words,
    upper_words,
)

if TYPE_CHECKING:
    from corecast.asm.code import Isa

_DIGITS = 6
_MANY_COLUMNS = 10
"""Above this many ports, equal columns are folded, so that no column has to be scrolled to."""
_CHARACTER = 6.7
"""Width of a character of a node in pixels: monospace of 11 pixels."""
_NODE_TEXT = 34
_MOST_NODES = 400
"""Of a graph that is drawn: a larger one cannot be read."""


def page_document(result: AnalysisResult, sources: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The document of a result with `title`, `facts`, and `view` in each region.

    Args:
        result: what it is about.
        sources: texts of files that instructions were made of, by name; of lines that are in none the page shows only
            the place.
    """
    lines = {name: text.splitlines() for name, text in (sources or {}).items()}
    document = result.to_dict()
    for region, entry in zip(result.regions, document["regions"], strict=True):
        vectors = vector_words((row.form for row in region.instructions), cast("Isa", result.isa))
        entry["view"] = {**_view(region, result.cpu), "vectors": vectors, "source": _source(region, lines)}
    document["title"] = f"{_files(result)} on {result.cpu_title}"
    document["facts"] = f"model {result.cpu}, {result.isa}; corecast {result.version}".rstrip()
    document["messages"] = [f"Not analyzed: {failure}" for failure in result.failures]
    found: dict[str, Any] = _plain(document)
    return found


def _source(region: RegionResult, lines: Mapping[str, list[str]]) -> dict[str, str]:
    """The lines of the source that instructions were made of, by place (file:line)."""
    found = {}
    for where in dict.fromkeys(row.source_line for row in region.instructions):
        name, _, number = where.rpartition(":")
        if name in lines and number.isdecimal() and 0 < int(number) <= len(lines[name]):
            found[where] = lines[name][int(number) - 1].strip()
    return found


def _files(result: AnalysisResult) -> str:
    sources = [region.source for region in result.regions] + [failure.source for failure in result.failures]
    return ", ".join(dict.fromkeys(source.file for source in sources)) or "nothing"


def _plain(value: Any) -> Any:
    """Rounded figures, null for those that are not finite, and no character that a page must not hold."""
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0 if isfinite(value) else None
    if isinstance(value, str):
        return allowed(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _view(region: RegionResult, cpu: str) -> dict[str, Any]:
    mode = "as a loop" if region.mode == "loop" else "copies after each other"
    view: dict[str, Any] = {
        "name": region_name(region) or "region",
        "place": place(region),
        "facts": f"{place(region)}; {plural(region.coverage.instructions, 'instruction')}, {mode}",
        "noun": row_noun(region),
        "value": value_words(region),
        "unknown": unknown_headline(region),
        "withheld": withheld_words(region, cpu) if region.withheld else "",
    }
    if region.withheld:
        return view
    prediction = region.prediction
    bounds = {**prediction.bounds, **prediction.estimates}
    return view | {
        "bottleneck": headline_words(region),
        "method": method_words(region),
        "interval": interval_words(region),
        "dependence": dependence_words(region, cpu) if region.uncounted else "",
        "alternatives": list(alternative_lines(region)),
        "advice": [] if region.uncounted else list(advice(region)),
        "upper": upper_words(region),
        "rates": _rates(region),
        "roofline": roofline(region.ecm),
        "time": "" if region.clock is None else time_words(region.clock, prediction.cycles_per_iteration),
        "bounds": [
            {"name": name, "words": bound_words(name), "cycles": value, "estimate": name in prediction.estimates}
            for name, value in bounds.items()
        ],
        "reasons": [] if region.simulated is None else _reasons(region),
        "table": _table(region),
        "graph": _graph(region),
        "timeline": _timeline(region),
    }


def _rates(region: RegionResult) -> list[dict[str, str]]:
    """What happens in a cycle, as people quote it."""
    cycles = region.prediction.cycles_per_iteration
    if cycles <= 0:
        return []
    return [
        {"words": "instructions per cycle", "value": f"{len(region.instructions) / cycles:.2f}"},
        {"words": "fused µops per cycle", "value": f"{region.frontend.fused_uops / cycles:.2f}"},
    ]


def _reasons(region: RegionResult) -> list[dict[str, Any]]:
    total = region.simulated.cycles_per_iteration if region.simulated is not None else 0.0
    causes = {reason_words(region, share): share for share in _shares(region)}
    return [
        {
            "cycles": value,
            "percent": percent_of(value, total),
            "words": words,
            "kind": _kind(causes[words]),
            "instruction": causes[words].instruction,
        }
        for value, words in ranked_reasons(region)
    ]


def _shares(region: RegionResult) -> tuple[StallShare, ...]:
    return () if region.simulated is None else region.simulated.ranked_stalls


def _kind(share: StallShare) -> str:
    """What the cycles were lost to, in five groups that a page can tell apart."""
    if share.cause == "none":
        return "full"
    if share.cause in ("operand_latency", "serializing"):
        return "latency"
    if share.cause in ("port_busy", "unit_busy", "activity"):
        return "port"
    if share.cause in ("store_commit", "retire_width"):
        return "retire"
    return "frontend"


def _columns(region: RegionResult) -> ColumnSet:
    columns = fold_columns(region.ports, merge_equal=False)
    return columns if len(columns.columns) <= _MANY_COLUMNS else fold_columns(region.ports, merge_equal=True)


def _table(region: RegionResult) -> dict[str, Any]:
    found = _columns(region)
    marks = marks_of(region)
    names = region.ports.ports
    limiting = set(region.ports.limiting_ports)
    used = {letter for letters in marks for letter in letters}
    chains = region.dependencies.loop_carried
    return {
        "columns": [
            {
                "label": column.label,
                "ports": [names[port] for port in column.ports],
                "total": column.value(region.ports.totals),
                "limiting": any(names[port] in limiting for port in column.ports),
            }
            for column in found.columns
        ],
        "binding": region.prediction.bottleneck == "ports",
        "folded": found.folded,
        "uniform": region.ports.mode == "uniform",
        "unused": list(found.unused),
        "marks": {letter: words for letter, words in MARKS.items() if letter in used},
        "critical": short_cycles(region.dependencies.critical_path.cycles),
        "carried": short_cycles(chains[0].cycles) if chains else "",
        "rows": list(_rows(region, found, marks)),
    }


def _rows(region: RegionResult, found: ColumnSet, marks: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for row, letters in zip(region.instructions, marks, strict=True):
        critical, carried = path_cells(region, row.index)
        yield {
            "name": row_name(region, row.index),
            "text": " ".join(row.text.split()),
            "cells": [column.value(region.ports.per_instruction[row.index]) for column in found.columns],
            "critical": critical,
            "carried": carried,
            "marks": letters,
            "latency": "unknown" if row.latency_cycles is None else short_cycles(row.latency_cycles),
            "uops": short_cycles(row.uops) if row.status != "unknown" or row.matched_form else "unknown",
        }


def _graph(region: RegionResult) -> dict[str, Any] | None:
    """Places of boxes and arrows in pixels; None where there are too many to look at."""
    if len(region.instructions) > _MOST_NODES:
        return None
    found = arrows(region)
    labels = []
    for row in region.instructions:
        text = " ".join(row.text.split())
        short = text if len(text) <= _NODE_TEXT else text[: _NODE_TEXT - 1] + "\N{HORIZONTAL ELLIPSIS}"
        labels.append(f"{row_name(region, row.index)}  {short}")
    width = int(max(map(len, labels), default=4) * _CHARACTER) + 18
    grid = Grid(lay_out(region, found), width)
    routes, total = route(found, grid)
    chains = region.dependencies.loop_carried
    carried = set(chains[0].instructions) if chains else set()
    critical = set(region.dependencies.critical_path.instructions)
    return {
        "width": total,
        "height": grid.height,
        "node_width": width,
        "node_height": NODE_HEIGHT,
        "nodes": [
            {
                "x": grid.left(row.index),
                "y": grid.top(row.index),
                "label": label,
                "critical": row.index in critical,
                "carried": row.index in carried,
            }
            for row, label in zip(region.instructions, labels, strict=True)
        ],
        "arrows": [
            {
                "path": item.path,
                "producer": item.arrow.producer,
                "consumer": item.arrow.consumer,
                "distance": item.arrow.distance,
                "label": short_cycles(item.arrow.cycles) if item.arrow.cycles else "",
                "x": item.label_place[0],
                "y": item.label_place[1],
                "words": item.arrow.label,
                "critical": item.arrow.on_critical_path,
                "carried": item.arrow.on_loop_carried,
            }
            for item in routes
        ],
    }


def _timeline(region: RegionResult) -> dict[str, Any] | None:
    """Words for the cycles of a timeline."""
    timeline = region.simulated.timeline if region.simulated is not None else None
    if timeline is None or not timeline.uops:
        return None
    iterations = len({uop.iteration for uop in timeline.uops})
    words = [_cycle_words(region, timeline, number) for number in range(len(timeline.cycles))]
    known = list(dict.fromkeys(words))
    places = {each: number for number, each in enumerate(known)}
    return {
        "facts": f"{plural(iterations, 'iteration')} from iteration {timeline.first_iteration} on"
        + ("; more were asked for" if timeline.cut else ""),
        "reasons": known,
        "rename": [
            {"held": rename_letter(cycle) != ".", "reason": places[each]}
            for cycle, each in zip(timeline.cycles, words, strict=True)
        ],
    }


def _cycle_words(region: RegionResult, timeline: Timeline, number: int) -> str:
    cycle = timeline.cycles[number]
    return reason_words(region, StallShare(1.0, cycle.cause, cycle.full, cycle.instruction, None, cycle.resource))
