"""CSV in, CSV out: predictions beside the rows they are for, with bounded memory."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Iterator

from corecast.dataclass import dataclass
from corecast.files.csv_records import batches, chunks, quoted
from corecast.files.tables import refuse_columns
from corecast.hints import BinaryIO
from corecast.prediction.batches import Answered, Asker
from corecast.prediction.records import Header, Rows, split

_BATCH_ROWS = 4096
REASON_COLUMN = "reason"
"""The last one: why the status is not ok."""
ELEMENT_COLUMNS = ["elements_per_iteration", "cycles_per_element"]


@dataclass
class Tally:
    """How many rows were written, by status."""

    rows: int = 0
    unknown: int = 0
    error: int = 0
    foreign: int = 0
    """Of the errors, those with code of another instruction set than the core's."""
    mitigated: int = 0
    """Those with an instruction that a microcode mitigation slows."""

    def add(self, found: Answered, foreign: int) -> None:
        self.foreign += foreign
        self.rows += len(found.endings)
        self.unknown += found.unknown
        self.mitigated += found.mitigated
        self.error += found.error


@dataclass(frozen=True)
class TableOptions:
    file: str = "<stdin>"
    """Name of the input for messages."""
    isa: str = "x86"
    """Of the core: rows whose column `isa` names another one are errors."""
    bounds: bool = False
    """Whether each bound gets a column."""
    elements: Callable[[bytes], float | None] | None = None
    """Of an iteration of a block, where vectors have a length that the code does not say: two more columns."""


def predict_rows(
    source: BinaryIO,
    sink: BinaryIO,
    asker: Asker,
    options: TableOptions,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Copies a CSV with a column `hex` (and perhaps `address`) and adds new_columns() and a reason to each row.

    Args:
        source: its rows are read as they come, so a pipe gets its answers while it is open.
        sink: where the rows go, in their order.
        asker: who answers.
        options: names and columns.
        progress: called now and then with the number of rows written.

    Raises:
        InputError: there is no header with a column hex, or a quote is never closed.
    """
    read = getattr(source, "read1", source.read)
    groups = batches(chunks(read), options.file)
    first = next(groups, [])
    header = Header.read(first[0] if first else b"", options.file)
    names = [*new_columns(options.bounds), *(ELEMENT_COLUMNS if options.elements is not None else []), REASON_COLUMN]
    refuse_columns(header.names, names, options.file)
    new = "".join(f",{name}" for name in names)
    sink.write(header.line + new.encode() + b"\n")
    sink.flush()
    tally = Tally()
    pending: deque[tuple[Rows, Callable[[], Answered]]] = deque()

    def write_first() -> None:
        rows, wait = pending.popleft()
        found = wait()
        endings = found.endings
        if options.elements is not None:
            endings = [_with_elements(*each, options.elements) for each in zip(rows.blocks, endings, strict=True)]
        cells = [b","] * len(endings)
        for place, reason in reasons_of(rows, found).items():
            cells[place] = b"," + _cell(reason)
        parts = zip(rows.kept, endings, cells, strict=True)
        sink.write(b"\n".join([kept + end + cell for kept, end, cell in parts]) + b"\n")
        tally.add(found, rows.foreign)
        if progress is not None:
            progress(tally.rows)

    for records in _portions(first[1:], groups):
        rows = split(records, header, options.isa)
        pending.append((rows, asker.start(rows)))
        if len(pending) >= asker.window:
            write_first()
        if not _more_is_ready(source):  # whoever feeds a pipe may wait for the answer
            while pending:
                write_first()
            sink.flush()
    while pending:
        write_first()
    sink.flush()
    return tally


def reasons_of(rows: Rows, found: Answered) -> dict[int, str]:
    """By place among the rows, why the status is not ok."""
    return {**found.reasons, **rows.faults}


def _cell(text: str) -> bytes:
    cell = text.encode()
    return quoted(cell) if any(letter in text for letter in ',"\r\n') else cell


def _with_elements(block: bytes | None, ending: bytes, elements: Callable[[bytes], float | None]) -> bytes:
    """Both cells are empty where there is no prediction, or the block has no such vectors."""
    cycles = ending.split(b",")[1]
    count = elements(block) if block and cycles else None
    if not count:
        return ending + b",,"
    return ending + f",{count:g},{float(cycles) / count:.6g}".encode()


def _portions(first: list[bytes], groups: Iterator[list[bytes]]) -> Iterator[list[bytes]]:
    yield from _cut(first)
    for group in groups:
        yield from _cut(group)


def _cut(group: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(group), _BATCH_ROWS):
        yield group[start : start + _BATCH_ROWS]


def new_columns(bounds: bool) -> list[str]:
    """Names of the columns that every answer has."""
    names = ["predicted_cycles", "low", "high", "bottleneck", "status"]
    if bounds:
        from corecast import _core

        names += [f"{name}_cycles" for name in _core.predicted_bounds()] + ["cycles_without_bottleneck"]
    return names


def _more_is_ready(source: BinaryIO) -> bool:
    """Whether reading on would not wait; streams that are not files never do."""
    try:
        return bool(select.select([source.fileno()], [], [], 0)[0])
    except (OSError, ValueError, AttributeError):
        return True
