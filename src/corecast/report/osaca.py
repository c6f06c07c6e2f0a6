"""A region's result in the shape that readers of OSACA's report know: its tables, and its document.

The columns, written from the tool's output: cycles by port, critical path (CP), loop-carried dependency (LCD). A line
behind the sums gives the forecast, which OSACA leaves to its reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Any
from corecast.report.wording import interval_words

if TYPE_CHECKING:
    from corecast.analysis.results import InstructionResult, PortPressure, RegionResult

_SHOWN = 0.005
"""Cycles, from which on a cell is not empty."""
_TEXT = 30
"""Columns of an instruction in the table of dependencies."""


@dataclass(frozen=True)
class OsacaHead:
    """What the report begins with."""

    version: str
    file: str
    architecture: str
    timestamp: str


def render_osaca(region: RegionResult, head: OsacaHead, fixed: bool, ignore_unknown: bool) -> str:
    """The report of a region. `fixed`: equal shares of the ports; `ignore_unknown`: sums in spite of missing data."""
    ports = region.uniform_ports if fixed else region.ports
    table = _Table(region, ports)
    lines = [
        f"corecast (OSACA's report format) - {head.version}",
        f"Analyzed file:      {head.file}",
        f"Architecture:       {head.architecture}",
        f"Timestamp:          {head.timestamp}",
        "\n",
        " * - Instruction micro-ops not bound to a port",
        " X - No throughput/latency information for this instruction in data file",
        "\n",
        *_titled("Combined Analysis Report"),
        *table.lines(),
        "",
    ]
    missing = len(region.uncounted)
    if missing and not ignore_unknown:
        lines += [
            f"WARNING: The performance data for {missing} instruction{'' if missing == 1 else 's'} is missing.",
            "No final analysis is given; --ignore-unknown runs it anyway.",
        ]
    else:
        lines += [table.sums(), "", forecast_line(region)]
    return (
        "\n".join([*lines, "\n\n", *_titled("Loop-Carried Dependencies Analysis Report"), *_dependencies(region)])
        + "\n"
    )


def forecast_line(region: RegionResult) -> str:
    """The headline in one sentence."""
    cycles = region.cycles_per_iteration
    if cycles is None:
        return "Forecast: none, too many instructions are unknown"
    bound = region.prediction.bottleneck + (f" ({region.prediction.detail})" if region.prediction.detail else "")
    least = "at least " if region.uncounted else ""
    interval = f" ({words})" if (words := interval_words(region)) else ""
    return f"Forecast: {least}{cycles:.2f}{interval} cycles per iteration, bound by {bound}"


def _titled(title: str) -> tuple[str, str]:
    return title, "-" * len(title)


class _Table:
    def __init__(self, region: RegionResult, ports: PortPressure) -> None:
        self._region = region
        self._ports = ports
        self._widths = [max(4, len(name)) for name in ports.ports]

    def lines(self) -> Iterator[str]:
        names = "|".join(f" {name:^{width}} " for name, width in zip(self._ports.ports, self._widths, strict=True))
        head = f"     |{names}||  CP  | LCD  |"
        yield f"{'Port pressure in cycles':^{len(head)}}".rstrip()
        yield head
        yield "-" * len(head)
        for row, used in zip(self._region.instructions, self._ports.per_instruction, strict=True):
            path, carried = _cell(row.on_critical_path), _cell(row.on_loop_carried)
            yield f"{row.line:>4} |{self._cells(used)}|| {path:>4} | {carried:>4} | {_mark(row, used)} {row.text}"

    def _cells(self, cycles: Sequence[float]) -> str:
        parts = zip(cycles, self._widths, strict=True)
        return "|".join(f" {f'{each:.2f}' if each >= _SHOWN else '':>{width}} " for each, width in parts)

    def sums(self) -> str:
        parts = zip(self._ports.totals, self._widths, strict=True)
        cells = " ".join(f" {f'{each:.2f}' if each >= _SHOWN else '':>{width}} " for each, width in parts)
        dependencies = self._region.dependencies
        return f"      {cells}   {dependencies.critical_path.cycles:>4.1f}   {dependencies.bound:>4.1f}"


def _cell(cycles: float) -> str:
    return f"{cycles:.1f}" if cycles >= _SHOWN else ""


def _mark(row: InstructionResult, cycles: Sequence[float]) -> str:
    if row.status == "unknown":
        return "X"
    return "*" if max(cycles, default=0.0) < _SHOWN else " "


def _dependencies(region: RegionResult) -> Iterator[str]:
    rows = region.instructions
    for chain in region.dependencies.loop_carried:
        first = rows[chain.instructions[0]]
        numbers = [rows[each].line for each in chain.instructions]
        yield f"{first.line:>4} | {chain.cycles:>4.1f} | {first.text:<{_TEXT}} | {numbers}"


def osaca_document(region: RegionResult, head: OsacaHead, fixed: bool) -> dict[str, Any]:
    """The report as OSACA's `--yaml-out` has it, without the parser's objects."""
    ports = region.uniform_ports if fixed else region.ports
    named = [dict(zip(ports.ports, used, strict=True)) for used in (*ports.per_instruction, ports.totals)]
    return {
        "Header": {
            "Version": head.version,
            "FileName": head.file,
            "Architecture": head.architecture,
            "Timestamp": head.timestamp,
        },
        "Warnings": list(region.warnings),
        "Kernel": [
            {
                "Line": row.text,
                "LineNumber": row.line,
                "Flags": _flags(row, used),
                "Instruction": row.text.split(None, 1)[0],
                "Latency": row.latency_cycles,
                "LatencyCP": row.on_critical_path,
                "LatencyLCD": row.on_loop_carried,
                "Throughput": max(used, default=0.0),
                "PortPressure": pressure,
            }
            for row, used, pressure in zip(region.instructions, ports.per_instruction, named[:-1], strict=True)
        ],
        "Summary": {
            "PortPressure": named[-1],
            "CriticalPath": region.dependencies.critical_path.cycles,
            "LCD": region.dependencies.bound,
            "Forecast": region.cycles_per_iteration,
        },
        "Target": {"Name": head.architecture, "Ports": list(ports.ports)},
    }


def _flags(row: InstructionResult, cycles: Sequence[float]) -> list[str]:
    return {"X": ["tp_unknown"], "*": ["not_bound"]}.get(_mark(row, cycles), [])
