"""Parquet in, Parquet out: predictions as columns beside those that are there, with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from corecast.errors import InputError
from corecast.files.tables import refuse_columns, require_columns
from corecast.hints import Any, BinaryIO
from corecast.isa.spelling import spellings
from corecast.prediction.arrow import import_arrow, import_parquet
from corecast.prediction.batches import Answered, Asker
from corecast.prediction.records import Rows, foreign_fault, read_step
from corecast.prediction.stream import REASON_COLUMN, TableOptions, Tally, new_columns, reasons_of

_BATCH_ROWS = 4096
_TEXTS = ("bottleneck", "status", REASON_COLUMN)


def predict_parquet(
    source: BinaryIO,
    sink: BinaryIO,
    asker: Asker,
    options: TableOptions,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Copies a table with a column `hex` (and perhaps `address`) and adds new_columns() and a reason.

    Raises:
        InputError: no Parquet file, or no column hex; pyarrow is not installed.
    """
    arrow, parquet = import_arrow(), import_parquet()
    try:
        reader = parquet.ParquetFile(source)
    except (ValueError, OSError) as error:  # Arrow's errors are both
        raise InputError(f"is not a Parquet file: {error}", options.file) from None
    names = [name.strip().lower() for name in reader.schema_arrow.names]
    require_columns(names, ("hex",), options.file, line=None)
    answered = new_columns(options.bounds)
    added = [*answered, REASON_COLUMN]
    refuse_columns(names, added, options.file, line=None)
    fields = [arrow.field(name, arrow.string() if name in _TEXTS else arrow.float64()) for name in added]
    schema = arrow.schema([*reader.schema_arrow, *fields])
    tally = Tally()
    pending: deque[tuple[Any, Rows, Callable[[], Answered]]] = deque()

    def write_first(writer: Any) -> None:
        batch, rows, wait = pending.popleft()
        found = wait()
        reasons = reasons_of(rows, found)
        columns = _columns(found.endings, answered)
        columns.append([reasons.get(place) for place in range(len(found.endings))])
        arrays = [arrow.array(values, field.type) for values, field in zip(columns, fields, strict=True)]
        writer.write_table(arrow.table([*batch.columns, *arrays], schema=schema))
        tally.add(found, rows.foreign)
        if progress is not None:
            progress(tally.rows)

    with parquet.ParquetWriter(sink, schema) as writer:
        for batch in reader.iter_batches(batch_size=_BATCH_ROWS):
            rows = _rows(batch, names, options.isa)
            pending.append((batch, rows, asker.start(rows)))
            if len(pending) >= asker.window:
                write_first(writer)
        while pending:
            write_first(writer)
    return tally


def _rows(batch: Any, names: list[str], isa: str) -> Rows:
    blocks = [None if value is None else str(value).encode() for value in batch.column(names.index("hex")).to_pylist()]
    addresses = _texts(batch, names, "address")
    foreign = 0
    faults: dict[int, str] = {}
    steps: list[int] | None = None
    if "register_step" in names:
        steps = [0] * len(blocks)
        for place, value in enumerate(batch.column(names.index("register_step")).to_pylist()):
            try:
                steps[place] = read_step("" if value is None else str(value))
            except ValueError as error:
                blocks[place] = None
                faults[place] = str(error)
    if "isa" in names:
        own = spellings(isa)
        for place, value in enumerate(batch.column(names.index("isa")).to_pylist()):
            if value is not None and str(value).strip().lower() not in own:
                blocks[place] = None
                foreign += 1
                faults[place] = foreign_fault(str(value).strip())
    before = _texts(batch, names, "code_before")
    return Rows([b""] * len(blocks), blocks, addresses, steps, before, foreign, faults)


def _texts(batch: Any, names: list[str], name: str) -> list[bytes] | None:
    """A column's cells as CSV has them; None where there is no such column."""
    if name not in names:
        return None
    return [b"" if value is None else str(value).encode() for value in batch.column(names.index(name)).to_pylist()]


def _columns(endings: list[bytes], names: list[str]) -> list[list[object]]:
    """The texts that CSV rows end with, as values: what is empty is null."""
    columns: list[list[object]] = [[] for _ in names]
    for ending in endings:
        for name, text, column in zip(names, ending.decode().split(",")[1:], columns, strict=True):
            column.append(text if name in _TEXTS and text else float(text) if text else None)
    return columns
