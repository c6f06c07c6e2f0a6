"""The columns that the table of the text report can have: names for `--columns`, headings, cells."""

from __future__ import annotations

import os

from corecast.analysis.results import InstructionResult, RegionResult
from corecast.dataclass import dataclass
from corecast.hints import Callable, Mapping
from corecast.report.wording import cell, path_cells, printable, row_name, short_cycles

_STATUS = {"known": "", "derived": "derived", "unknown": "unknown"}


@dataclass(frozen=True)
class TableColumn:
    """One entry of `--columns`."""

    heading: str
    help: str
    group: str
    """Columns of one group stand together, with a bar between groups."""
    cell: Callable[[RegionResult, InstructionResult], str]
    total: Callable[[RegionResult], str] = lambda region: ""
    left: bool = False
    """Text, which begins at the left; figures end at the right."""


def _stalled(region: RegionResult, row: InstructionResult) -> str:
    shares = region.simulated.stalls_by_instruction if region.simulated is not None else ()
    return cell(shares[row.index]) if row.index < len(shares) else ""


def _figure(value: float | None) -> str:
    return "?" if value is None else short_cycles(value)


def _known(row: InstructionResult, value: float | None) -> str:
    """A value of a row's form; nothing is known of unknown ones."""
    return "?" if row.status == "unknown" and not row.matched_form else _figure(value)


def _chain_total(region: RegionResult) -> str:
    chains = region.dependencies.loop_carried
    return short_cycles(chains[0].cycles) if chains else ""


def _place(region: RegionResult, row: InstructionResult) -> str:
    return printable(os.path.basename(row.source_line))


PORTS = "ports"
LINE = "line"
SOURCE = "source"
CODE = "code"
TEXT = "text"
_NO_CELL = ""
COLUMNS: dict[str, TableColumn] = {
    LINE: TableColumn(
        "", "line of the assembly text, or address", "line", lambda region, row: row_name(region, row.index)
    ),
    PORTS: TableColumn("", "cycles at each port and unit, a column each", "ports", lambda region, row: _NO_CELL),
    "cp": TableColumn(
        "CP",
        "cycles on the critical path",
        "paths",
        lambda region, row: path_cells(region, row.index)[0],
        lambda region: short_cycles(region.dependencies.critical_path.cycles),
    ),
    "lcd": TableColumn(
        "LCD",
        "cycles on the slowest loop-carried dependency",
        "paths",
        lambda region, row: path_cells(region, row.index)[1],
        _chain_total,
    ),
    "uops": TableColumn(
        "uops",
        "micro-ops that rename moves (fused ones count once)",
        "figures",
        lambda region, row: _known(row, row.uops),
        lambda region: short_cycles(region.frontend.fused_uops),
    ),
    "latency": TableColumn(
        "lat",
        "largest latency of an operand pair, in cycles",
        "figures",
        lambda region, row: _known(row, row.latency_cycles),
    ),
    "rthroughput": TableColumn(
        "rthru",
        "reciprocal throughput in cycles, of the instruction alone (`throughput` means the same)",
        "figures",
        lambda region, row: _known(row, row.reciprocal_throughput_cycles),
    ),
    "stalls": TableColumn(
        "stalls", "cycles per iteration lost to the instruction, where the loop is simulated", "figures", _stalled
    ),
    "marks": TableColumn("", "letters that the legend explains", "text", lambda region, row: _NO_CELL, left=True),
    "data": TableColumn(
        "data",
        "how sure the figures are, or that they are derived or unknown",
        "text",
        lambda region, row: _STATUS[row.status] or row.confidence,
        left=True,
    ),
    "form": TableColumn(
        "form",
        "instruction form whose figures count",
        "text",
        lambda region, row: row.matched_form or row.form,
        left=True,
    ),
    SOURCE: TableColumn(
        "source", "file and line of the source, by debug information or `.loc`", "text", _place, left=True
    ),
    CODE: TableColumn(
        "code", "text of that source line, where the file can be read", "text", lambda region, row: _NO_CELL, left=True
    ),
    TEXT: TableColumn("instruction", "the instruction", "text", lambda region, row: printable(row.text), left=True),
}
ALIASES = {"throughput": "rthroughput", "instruction": TEXT, "address": LINE}
DEFAULT_COLUMNS = (LINE, PORTS, "cp", "lcd", "marks", SOURCE, TEXT)
"""`source` only where something has one."""


def source_texts(region: RegionResult, sources: Mapping[str, str]) -> tuple[str, ...]:
    """The line of source text of each instruction, "" where it is that of the instruction above, or unknown."""
    lines = {name: text.split("\n") for name, text in sources.items()}
    texts = []
    before = ""
    for row in region.instructions:
        file, _, number = row.source_line.rpartition(":")
        known = lines.get(file, ())
        place = int(number) if number.isdecimal() else 0
        texts.append(printable(known[place - 1]) if row.source_line != before and 0 < place <= len(known) else "")
        before = row.source_line
    return tuple(texts)
