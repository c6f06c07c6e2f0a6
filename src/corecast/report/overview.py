"""One line a region: what `analyze --summary` writes, and what a report of several regions begins with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from corecast.analysis.results import RegionResult
from corecast.dataclass import dataclass
from corecast.pattern import lazy_pattern
from corecast.report.headline import cause_words, remedy_words, short_method
from corecast.report.style import TextStyle
from corecast.report.unknowns import value_words
from corecast.report.wording import (
    interval_words,
    percent,
    place,
    plural,
    printable,
    region_name,
    short_cycles,
    uops_of,
)

_ARGUMENTS = lazy_pattern(r"\([^()]*\)|(?<=\w)<[^<>]*>")
_LEAST_NAME = 16
_USUAL_CAUSE = 30


@dataclass(frozen=True)
class OverviewColumn:
    heading: str
    help: str
    cell: Callable[[RegionResult], str]
    left: bool = False


def _lines(region: RegionResult) -> str:
    """ "22-29", "0x40-0x55": of `place`, without the file."""
    return place(region)[len(region.source.file) :].lstrip(":") or "-"


def _rate(region: RegionResult, amount: float) -> str:
    value = region.prediction.cycles_per_iteration
    return "" if region.withheld or region.uncounted or value <= 0 else f"{amount / value:.2f}"


def _cause(region: RegionResult) -> str:
    unknown = region.coverage.unknown
    note = f"{percent(unknown, region.coverage.instructions)} unknown" if unknown else ""
    words = "" if region.withheld else cause_words(region)
    return ", ".join(part for part in (words, note) if part)


COLUMNS: dict[str, OverviewColumn] = {
    "region": OverviewColumn("region", "function and label, or its offset", region_name, left=True),
    "file": OverviewColumn(
        "file", "the file", lambda region: printable(os.path.basename(region.source.file)), left=True
    ),
    "lines": OverviewColumn("lines", "lines of the assembly text, or addresses", _lines, left=True),
    "instructions": OverviewColumn("instructions", "of an iteration", lambda region: str(region.coverage.instructions)),
    "cycles": OverviewColumn("cycles", "of an iteration", value_words),
    "interval": OverviewColumn("interval", "nine of ten loops like this one measured in it", interval_words, left=True),
    "method": OverviewColumn("method", "simulated or static bounds", short_method, left=True),
    "ipc": OverviewColumn("IPC", "instructions per cycle", lambda region: _rate(region, region.coverage.instructions)),
    "uops": OverviewColumn("uops", "micro-ops of an iteration", lambda region: short_cycles(uops_of(region))),
    "cause": OverviewColumn("cause", "what limits the forecast", _cause, left=True),
    "remedy": OverviewColumn(
        "remedy",
        "the change that helps most, with the cycles of an iteration afterwards",
        lambda region: remedy_words(region, reassociation=False) or "none",
        left=True,
    ),
}
ALIASES = {"bottleneck": "cause", "place": "lines", "name": "region"}
DEFAULT_COLUMNS = ("region", "file", "lines", "cycles", "interval", "method", "cause", "remedy")
"""`file` and `method` only where they differ, `remedy` only where there is one."""
_GIVE_WAY = ("lines", "interval")
"""Columns left out of a narrow overview, in this order; `lines` where the names differ."""


def overview_lines(regions: Sequence[RegionResult], style: TextStyle, chosen: Sequence[str] = ()) -> Iterator[str]:
    """Heading and one line a region, never cut: its last cells run over where the terminal is narrow."""
    cells = {name: [COLUMNS[name].cell(region) for region in regions] for name in chosen or DEFAULT_COLUMNS}
    alike = []
    if not chosen:
        alike = [name for name in ("file", "method") if len(set(cells[name])) == 1]
        alike += ["remedy"] if set(cells["remedy"]) == {"none"} else []
        cells = {name: column for name, column in cells.items() if name not in alike and any(column)}
    yield _title(regions, alike)
    if not chosen:
        cells = _fitting(cells, style)
    widths = {name: _width(name, column) for name, column in cells.items()}
    yield style.paint(_row({name: COLUMNS[name].heading for name in cells}, widths), "bold")
    for number in range(len(regions)):
        yield _row({name: column[number] for name, column in cells.items()}, widths)


def _width(name: str, column: Sequence[str]) -> int:
    """Of a column. Few long causes push the remedy of their row aside, not that of every row."""
    width = max(len(COLUMNS[name].heading), *map(len, column))
    return min(width, _USUAL_CAUSE) if name == "cause" else width


def _title(regions: Sequence[RegionResult], alike: Sequence[str]) -> str:
    """ "3 regions of a.s, cycles per iteration, simulated": what all of them have in common."""
    words = plural(len(regions), "region")
    if "file" in alike:
        words += f" of {printable(regions[0].source.file)}"
    words += ", cycles per iteration"
    words += f", {short_method(regions[0])}" if "method" in alike else ""
    return words + (", remedies: none" if "remedy" in alike else "")


def _row(cells: dict[str, str], widths: dict[str, int]) -> str:
    parts = [
        text.ljust(widths[name]) if COLUMNS[name].left else text.rjust(widths[name]) for name, text in cells.items()
    ]
    return "  ".join(parts).rstrip()


def _bare(name: str) -> str:
    """A name without parameters and template arguments: `toplev::main+0x60`."""
    shorter = name
    while (less := _ARGUMENTS.sub("", shorter)) != shorter:
        shorter = less
    return shorter or name


def _fitting(cells: dict[str, list[str]], style: TextStyle) -> dict[str, list[str]]:
    """The columns that fit: names are shortened, then some columns left out."""

    def room() -> int:
        used = sum(_width(name, column) + 2 for name, column in cells.items())
        return style.width - used + 2

    cells = dict(cells)
    names = cells["region"]
    distinct = len(set(names)) == len(names)
    if room() < 0:
        cells["region"] = [_bare(name) for name in names]
    widest = max(map(len, cells["region"]))
    if room() < 0 and widest > _LEAST_NAME:
        width = max(_LEAST_NAME, widest + room())
        cells["region"] = [style.shorten(name, width) for name in cells["region"]]
    if distinct and len(set(cells["region"])) < len(names):
        cells["region"] = names
    for name in _GIVE_WAY:
        if room() < 0 and (name != "lines" or distinct):
            cells.pop(name, None)
    return cells
