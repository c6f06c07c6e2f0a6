"""The table of the text report: a row an instruction, ports as columns, as OSACA's users know it.

Where the terminal is narrow, columns make room and the instruction stays whole: ports with equal cycles share a column,
then those with least work are left out and named below, never those that limit the loop. An instruction that is longer
than its column goes on in the next line.
"""

from __future__ import annotations

from corecast.analysis.results import RegionResult
from corecast.dataclass import dataclass
from corecast.hints import Iterator, Mapping, Sequence, cached_property
from corecast.report.blame import binding_resources, blame, loop_carried_rows
from corecast.report.columns import Column, ColumnSet, fold_columns
from corecast.report.folding import fold
from corecast.report.style import TextStyle
from corecast.report.table_columns import (
    CODE,
    COLUMNS,
    DEFAULT_COLUMNS,
    LINE,
    PORTS,
    SOURCE,
    TEXT,
    source_texts,
)
from corecast.report.wording import MARKS, cell, marks_of, row_noun

_LONG_TEXT = 0.55
"""Of the width: longer instructions make no column give way, but go on in the next line."""
_LEAST_TEXT = 20
_LEAST_PORT_WIDTH = 4
"""Of `AGU0,V0-V3`."""
BINDING, BLAMED = "*", ">"
_MISSING = {
    SOURCE: "no source: neither debug information nor .loc says where an instruction comes from",
    CODE: "no code: the source is not known, or cannot be read from here",
}


def _parts(heading: str) -> list[str]:
    """`0`, `1-` and `5` of `0,1-5`."""
    pieces = [piece.split("-") for piece in heading.split(",")]
    return [word + "-" * (at + 1 < len(words)) for words in pieces for at, word in enumerate(words) if word]


@dataclass(frozen=True)
class _GridColumn:
    name: str
    heading: str
    cells: tuple[str, ...]
    total: str
    group: str
    left: bool = False
    binding: bool = False
    work: float = 0.0
    """Of a port's column: its cycles in all."""

    @cached_property
    def heading_lines(self) -> tuple[str, ...]:
        """The heading, ports that share a column below each other."""
        return tuple(_parts(self.heading)) if self.name == PORTS else (self.heading,)

    @cached_property
    def width(self) -> int:
        least = _LEAST_PORT_WIDTH if self.name == PORTS else 1
        return max(least, len(self.total), *map(len, self.heading_lines), *map(len, self.cells))


@dataclass(frozen=True)
class _Grid:
    columns: tuple[_GridColumn, ...]
    ports: ColumnSet
    left_out: tuple[_GridColumn, ...] = ()

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What stands before each column."""
        return tuple(map(self._gap, range(len(self.columns))))

    @cached_property
    def indent(self) -> int:
        """Characters before the last column."""
        return sum(map(len, self.gaps)) + sum(column.width for column in self.columns[:-1])

    @cached_property
    def template(self) -> str:
        """A row without colours, by `%`."""
        cells = [f"%{'-' if column.left else ''}{column.width}s" for column in self.columns[:-1]]
        return "".join(gap + cell for gap, cell in zip(self.gaps, (*cells, "%s"), strict=True))

    def _gap(self, place: int) -> str:
        if not place:
            return ""
        before, here = self.columns[place - 1], self.columns[place]
        if before.group != here.group:
            return " | "
        return "  " if before.left and before.name != "marks" else " "

    def text_width(self, wanted: int) -> int:
        """The table's width where instructions take `wanted` columns."""
        return sum(map(len, self.gaps)) + sum(wanted if each.name == TEXT else each.width for each in self.columns)

    def without(self, column: _GridColumn) -> _Grid:
        rest = tuple(each for each in self.columns if each is not column)
        left_out = (*self.left_out, column) if column.name == PORTS else self.left_out
        return _Grid(rest, self.ports, left_out)


def table_lines(region: RegionResult, style: TextStyle) -> Iterator[str]:
    """The table with heading, totals and the legend of what it uses."""
    found = blame(region)
    grid = _fit(region, style, found.rows)
    carried = loop_carried_rows(region)
    if PORTS in (style.columns or DEFAULT_COLUMNS):
        yield "Port pressure in cycles per iteration" + (", uniform shares" if region.ports.mode == "uniform" else "")
    headings = [each.heading_lines for each in grid.columns]
    height = max(map(len, headings), default=1)
    for level in range(height, 0, -1):  # the last lines of all headings are level
        yield from _lines(grid, [each[-level] if level <= len(each) else "" for each in headings], style, ("bold",))
    longest = max((len(cell) for each in grid.columns if each.name == TEXT for cell in each.cells), default=0)
    yield "-" * min(grid.text_width(longest), style.width)
    for row in region.instructions:
        colours = ["red"] if row.status == "unknown" else []
        if not colours and row.index in carried:
            colours = ["magenta"]
        if row.index in found.rows:
            colours.append("bold")
        yield from _lines(grid, [each.cells[row.index] for each in grid.columns], style, tuple(colours))
    if any(each.total for each in grid.columns):
        yield from _lines(grid, [each.total for each in grid.columns], style, ("bold",))
    yield from _legend(region, grid, found.reason if any(each.name == LINE for each in grid.columns) else "", style)


def _grid(region: RegionResult, style: TextStyle, others: Mapping[str, _GridColumn], merge_equal: bool) -> _Grid:
    """The grid with these columns, and ports as wanted: each by itself, or those with equal cycles in one."""
    binding = binding_resources(region)
    ports = fold_columns(region.ports, merge_equal, apart=binding)
    columns: list[_GridColumn] = []
    for name in style.columns or DEFAULT_COLUMNS:
        if name == PORTS:
            columns += [_port_column(region, each, binding) for each in ports.columns]
        elif name in others:
            columns.append(others[name])
    return _Grid(tuple(columns), ports)


def _other_columns(region: RegionResult, style: TextStyle, blamed: frozenset[int]) -> dict[str, _GridColumn]:
    """Those that are not of ports, by name; without those that nothing is known for."""
    columns: dict[str, _GridColumn] = {}
    for name in style.columns or DEFAULT_COLUMNS:
        if name == PORTS:
            continue
        known = COLUMNS[name]
        heading = known.heading
        if name == LINE:
            names = [known.cell(region, row) for row in region.instructions]
            widest = max(map(len, [*names, row_noun(region)]))
            cells = tuple(
                (BLAMED if row.index in blamed else "") + text.rjust(widest)
                for row, text in zip(region.instructions, names, strict=True)
            )
            heading = row_noun(region)
        elif name == "marks":
            cells = marks_of(region)
        elif name == CODE:
            cells = source_texts(region, style.sources)
        else:
            cells = tuple(known.cell(region, row) for row in region.instructions)
        if name in (SOURCE, CODE) and not any(cells):
            continue
        total = known.total(region) if region.instructions else ""
        columns[name] = _GridColumn(name, heading, cells, total, known.group, known.left)
    return columns


def _port_column(region: RegionResult, column: Column, binding: frozenset[str]) -> _GridColumn:
    names = {region.ports.ports[port] for port in column.ports}
    total = column.value(region.ports.totals)
    cycles = [column.value(cells) for cells in region.ports.per_instruction]
    shown = {value: cell(value) for value in set(cycles)}  # few differ
    return _GridColumn(
        PORTS,
        column.label + (BINDING if names & binding else ""),
        tuple([shown[value] for value in cycles]),
        cell(total),
        COLUMNS[PORTS].group,
        binding=bool(names & binding),
        work=total,
    )


def _fit(region: RegionResult, style: TextStyle, blamed: frozenset[int]) -> _Grid:
    """The grid with every port where that leaves room for the instructions, else with less."""
    others = _other_columns(region, style, blamed)
    grid = _grid(region, style, others, merge_equal=False)
    wanted = _wanted(grid, style)
    if grid.text_width(wanted) <= style.width:
        return grid
    grid = _grid(region, style, others, merge_equal=True)
    while grid.text_width(wanted) > style.width:
        column = _least_needed(grid, style)
        if column is None:
            break
        grid = grid.without(column)
    return grid


def _least_needed(grid: _Grid, style: TextStyle) -> _GridColumn | None:
    """The column to leave out next. Columns that the user listed stay; those added to the usual ones stay longest."""
    ports = sorted((each for each in grid.columns if each.name == PORTS), key=lambda each: each.work)
    idle = [each for each in ports if not each.binding and len(ports) > 1]
    usual = _usual_may_go(style)
    source = next((each for each in grid.columns if each.name == SOURCE and usual), None)
    if idle and (source is None or len(idle) > 1):
        return idle[0]
    paths = [each for each in grid.columns if each.name in ("cp", "lcd") and usual and style.columns]
    found = source or (idle[0] if idle else None) or (paths[-1] if paths else None)
    crowded = len(ports) > 1 and grid.text_width(_LEAST_TEXT) > style.width  # too many ports limit the loop
    return found or (ports[-1] if crowded else None)


def _usual_may_go(style: TextStyle) -> bool:
    return not style.columns or set(DEFAULT_COLUMNS) <= set(style.columns)


def _wanted(grid: _Grid, style: TextStyle) -> int:
    """Columns that instructions should have: the longest, but for those that are very long."""
    lengths = [len(cell) for each in grid.columns if each.name == TEXT for cell in each.cells]
    most = round(style.width * _LONG_TEXT)
    return min(most, max([length for length in lengths if length <= most], default=most)) if lengths else 0


def _lines(grid: _Grid, cells: Sequence[str], style: TextStyle, colours: tuple[str, ...]) -> Iterator[str]:
    """A row; further lines where the instruction, in the last column, is longer than what is left."""
    if not cells:
        yield ""
        return
    *before, text = cells
    rest: list[str] = []
    if grid.columns[-1].left:
        room = max(_LEAST_TEXT, style.width - grid.indent)
        if len(text) > room or " ".join(text.split()) != text:
            text, *rest = fold(text, room, "", "  ") or [""]
    else:
        text = text.rjust(grid.columns[-1].width)
    yield _painted(grid, before, text, style, colours) if style.colour else (grid.template % (*before, text)).rstrip()
    if rest:
        lead = grid.template % (("",) * len(cells))
        for text in rest:
            yield style.paint(lead + text, *colours)


def _painted(grid: _Grid, before: Sequence[str], last: str, style: TextStyle, colours: tuple[str, ...]) -> str:
    """A row without blanks at its end; neighbours of one colour are painted together."""
    segments: list[tuple[str, tuple[str, ...]]] = []
    for column, gap, text in zip(grid.columns, grid.gaps, (*before, last), strict=True):
        text = text.ljust(column.width) if column.left else text.rjust(column.width)
        segments += [(gap, colours), (text, ("bold", "yellow") if column.binding and text.strip() else colours)]
    length = len("".join([text for text, _ in segments]).rstrip())
    joined: list[tuple[str, tuple[str, ...]]] = []
    for text, painted in segments:
        text = text[:length]
        length -= len(text)
        if joined and joined[-1][1] == painted:
            joined[-1] = (joined[-1][0] + text, painted)
        elif text:
            joined.append((text, painted))
    return "".join(style.paint(text, *painted) for text, painted in joined)


def _legend(region: RegionResult, grid: _Grid, reason: str, style: TextStyle) -> Iterator[str]:
    used = {letter for letters in marks_of(region) for letter in letters}
    notes = [f"{BINDING}: limits the loop"] if any(each.binding for each in grid.columns) else []
    if reason:
        notes.append(f"{BLAMED}: {reason}")
    if any(each.name == "marks" for each in grid.columns):
        notes += [f"{letter}: {words}" for letter, words in MARKS.items() if letter in used]
    shown = [each for each in grid.columns if each.name == PORTS]
    if any("," in each.heading or "-" in each.heading for each in shown):
        notes.append("ports that share a column (0-3: 0 to 3): the cycles of each of them")
    if grid.left_out:
        others = ", ".join(f"{each.heading} ({each.total})" for each in reversed(grid.left_out))
        notes.append(f"not shown for lack of room: {others}; a wider terminal or COLUMNS=140 shows all")
    for name, words in _MISSING.items():
        if name in style.columns and not (name == SOURCE and _usual_may_go(style)):
            notes += [words] * all(each.name != name for each in grid.columns)
    if grid.ports.unused and (shown or grid.left_out):
        notes.append("not used: " + ", ".join(grid.ports.unused))
    for note in notes:
        for line in fold(note, style.width, "  ", "     "):
            yield style.paint(line, "dim")
