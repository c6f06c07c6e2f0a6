"""The table of the text report: line, ports as columns, CP and LCD, instruction; as OSACA's users know it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from corecast.analysis.results import InstructionResult, RegionResult
from corecast.dataclass import dataclass
from corecast.report.columns import ColumnSet, fold_columns
from corecast.report.folding import fold
from corecast.report.style import TextStyle
from corecast.report.wording import MARKS, cell, marks_of, path_cells, printable, row_name, row_noun, short_cycles

_TEXT_WIDTH = 32
"""Columns that folding wants to leave for the instruction; longer text runs over or is cut."""


@dataclass(frozen=True)
class _Layout:
    columns: ColumnSet
    widths: tuple[int, ...]
    name_width: int
    path_width: int
    mark_width: int
    source_width: int

    def text_start(self) -> int:
        """Column where the instruction text starts."""
        ports = sum(width + 1 for width in self.widths) + 1
        source = self.source_width + 2 if self.source_width else 0
        return self.name_width + 2 + ports + 2 + 2 * (self.path_width + 1) + 2 + self.mark_width + 1 + source


def table_lines(region: RegionResult, style: TextStyle) -> Iterator[str]:
    """The table with heading, totals and the legend of what it uses."""
    layout = _fit(region, style)
    marks = marks_of(region)
    yield "Port pressure in cycles per iteration" + (", uniform shares" if region.ports.mode == "uniform" else "")
    if style.cut and layout.text_start() + min(_longest_text(region), _TEXT_WIDTH) > style.width:
        yield from _narrow_lines(region, layout, marks, style)
    else:
        yield from _wide_lines(region, layout, marks, style)
    yield from _legend(layout.columns, marks, style)


def _wide_lines(region: RegionResult, layout: _Layout, marks: tuple[str, ...], style: TextStyle) -> Iterator[str]:
    names = [column.label for column in layout.columns.columns]
    noun = row_noun(region)
    source = "source".ljust(layout.source_width) + "  " if layout.source_width else ""
    heading = _line(layout, noun, names, "CP", "LCD", " " * (layout.mark_width + 1) + source + "instruction")
    yield style.paint(heading, "bold")
    yield "-" * min(max(layout.text_start() + _longest_text(region), len(heading)), style.width)
    for row, letters in zip(region.instructions, marks, strict=True):
        yield _row(region, row, letters, layout, style)
    yield from _totals(region, layout, style)


def _fit(region: RegionResult, style: TextStyle) -> _Layout:
    """The layout with all used ports where that leaves room for the text, else with equal ports folded."""
    wanted = min(_longest_text(region), _TEXT_WIDTH)
    plain = _layout(region, merge_equal=False)
    if plain.text_start() + wanted <= style.width:
        return plain
    return _layout(region, merge_equal=True)


def _layout(region: RegionResult, merge_equal: bool) -> _Layout:
    columns = fold_columns(region.ports, merge_equal)
    widths = []
    for column in columns.columns:
        cells = [cell(column.value(cells)) for cells in region.ports.per_instruction]
        cells += [cell(column.value(region.ports.totals)), column.label]
        widths.append(max(4, *map(len, cells)))
    names = [row_name(region, row.index) for row in region.instructions] + [row_noun(region)]
    paths = [text for row in region.instructions for text in path_cells(region, row.index)]
    paths.append(short_cycles(region.dependencies.critical_path.cycles))
    sources = [_source(row) for row in region.instructions]
    return _Layout(
        columns=columns,
        widths=tuple(widths),
        name_width=max(5, *map(len, names)),
        path_width=max(5, *map(len, paths)),
        mark_width=max(1, *map(len, marks_of(region))) if region.instructions else 1,
        source_width=min(24, max(6, *map(len, sources))) if any(sources) else 0,
    )


def _line(layout: _Layout, name: str, cells: list[str], path: str, carried: str, rest: str) -> str:
    ports = " ".join(text.rjust(width) for text, width in zip(cells, layout.widths, strict=True))
    paths = f"{path:>{layout.path_width}} {carried:>{layout.path_width}}"
    return f"{name:>{layout.name_width}} | {ports} | {paths} | {rest}".rstrip()


def _row(region: RegionResult, row: InstructionResult, letters: str, layout: _Layout, style: TextStyle) -> str:
    cells = [cell(column.value(region.ports.per_instruction[row.index])) for column in layout.columns.columns]
    path, carried = path_cells(region, row.index)
    source = _source(row)[-layout.source_width :].ljust(layout.source_width) + "  " if layout.source_width else ""
    text = style.shorten(printable(row.text), style.width - layout.text_start())
    rest = f"{letters:<{layout.mark_width}} {source}{text}"
    line = _line(layout, row_name(region, row.index), cells, path, carried, rest)
    if row.status == "unknown":
        return style.paint(line, "red")
    return style.paint(line, "magenta") if carried else line


def _narrow_lines(region: RegionResult, layout: _Layout, marks: tuple[str, ...], style: TextStyle) -> Iterator[str]:
    """Where a row of all ports leaves no room for the instruction: below each instruction the ports that it uses."""

    def line(name: str, path: str, carried: str, rest: str) -> str:
        return f"{name:>{layout.name_width}} | {path:>{layout.path_width}} {carried:>{layout.path_width}} | {rest}"

    def ports(name: str, cells: tuple[float, ...], colour: str) -> Iterator[str]:
        used = [(column.label, cell(column.value(cells))) for column in layout.columns.columns]
        words = [f"{'p' * label[0].isdigit()}{label}\N{NO-BREAK SPACE}{text}" for label, text in used if text]
        lead = [line(each, "", "", blank + "  ") for each in (name, "")]
        for each in fold("  ".join(words), style.width, *lead) if words else ():
            yield style.paint(each.replace("\N{NO-BREAK SPACE}", " "), colour)

    blank = " " * (layout.mark_width + 1)
    room = style.width - len(line("", "", "", blank))
    yield style.paint(line(row_noun(region), "CP", "LCD", f"{blank}instruction, and the ports it uses"), "bold")
    yield "-" * style.width
    for row, letters in zip(region.instructions, marks, strict=True):
        path, carried = path_cells(region, row.index)
        text = style.shorten(printable(row.text), room)
        first = line(row_name(region, row.index), path, carried, f"{letters:<{layout.mark_width}} {text}")
        colours = ["red"] if row.status == "unknown" else ["magenta"] if carried else []
        yield style.paint(first.rstrip(), *colours)
        yield from ports("", region.ports.per_instruction[row.index], "dim")
    yield from ports("sum", region.ports.totals, "bold")


def _totals(region: RegionResult, layout: _Layout, style: TextStyle) -> Iterator[str]:
    cells = [cell(column.value(region.ports.totals)) for column in layout.columns.columns]
    path = short_cycles(region.dependencies.critical_path.cycles)
    chains = region.dependencies.loop_carried
    carried = short_cycles(chains[0].cycles) if chains else ""
    yield style.paint(_line(layout, "", cells, path, carried, ""), "bold")


def _legend(columns: ColumnSet, marks: tuple[str, ...], style: TextStyle) -> Iterator[str]:
    used = {letter for letters in marks for letter in letters}
    notes = [f"{letter}: {words}" for letter, words in MARKS.items() if letter in used]
    if columns.folded:
        notes.append("folded columns (as 0-3): the cycles of each of these ports")
    if columns.unused:
        notes.append("not used: " + ", ".join(columns.unused))
    yield from (style.paint(f"  {note}", "dim") for note in notes)


def _source(row: InstructionResult) -> str:
    """Basename and line of the high-level source."""
    return printable(os.path.basename(row.source_line))


def _longest_text(region: RegionResult) -> int:
    return max((len(printable(row.text)) for row in region.instructions), default=0)
