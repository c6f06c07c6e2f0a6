"""CSV in, CSV out: predictions beside the rows they are for, with bounded memory."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from corecast.bulk.records import Header, Rows, batches, chunks, split
from corecast.errors import InputError

if TYPE_CHECKING:
    from corecast import _core

_BATCH_ROWS = 4096


@dataclass
class Tally:
    """How many rows were written, by status."""

    rows: int = 0
    unknown: int = 0
    error: int = 0

    def add(self, found: _core.BulkResults) -> None:
        self.rows += len(found)
        self.unknown += found.count("unknown")
        self.error += found.count("error")


@dataclass(frozen=True)
class CsvOptions:
    file: str = "<stdin>"
    """Name of the input for messages."""
    bounds: bool = False
    """Whether each bound gets a column."""
    overlap: bool = False
    """Read and write in one thread while another predicts."""


def predict_csv(
    source: BinaryIO,
    sink: BinaryIO,
    predictor: _core.BulkPredictor,
    options: CsvOptions | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Copies a CSV with a column `hex` and adds predicted_cycles, bottleneck and status to each row.

    Args:
        source: its rows are read as they come, so a pipe gets its answers while it is open.
        sink: where the rows go, in their order.
        predictor: what predicts.
        options: names and columns.
        progress: called now and then with the number of rows written.

    Raises:
        InputError: there is no header with a column hex.
    """
    options = options or CsvOptions()
    read = getattr(source, "read1", source.read)
    groups = batches(chunks(read))
    first = next(groups, None)
    if first is None:
        raise InputError("the file is empty: its first line must name the columns, one of them hex", options.file)
    header = Header.read(first[0], options.file)
    sink.write(header.line + _new_columns(options.bounds) + b"\n")
    sink.flush()
    tally = Tally()

    def write(rows: Rows, found: _core.BulkResults) -> None:
        endings = found.endings(options.bounds)
        sink.write(b"\n".join([kept + ending for kept, ending in zip(rows.kept, endings, strict=True)]) + b"\n")
        tally.add(found)
        if progress is not None:
            progress(tally.rows)

    def run(rows: Rows) -> _core.BulkResults:
        return predictor.predict(rows.blocks, rows.addresses, True)

    pending: tuple[Rows, Future[_core.BulkResults]] | None = None
    with ThreadPoolExecutor(1) if options.overlap else nullcontext() as pool:
        for records in _portions(first[1:], groups):
            rows = split(records, header)
            if pool is None:
                write(rows, run(rows))
            else:
                following = pool.submit(run, rows)
                if pending is not None:
                    write(pending[0], pending[1].result())
                pending = (rows, following)
            if not _more_is_ready(source):  # whoever feeds a pipe may wait for the answer
                if pending is not None:
                    write(pending[0], pending[1].result())
                    pending = None
                sink.flush()
        if pending is not None:
            write(pending[0], pending[1].result())
    sink.flush()
    return tally


def _portions(first: list[bytes], groups: Iterator[list[bytes]]) -> Iterator[list[bytes]]:
    yield from _cut(first)
    for group in groups:
        yield from _cut(group)


def _cut(group: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(group), _BATCH_ROWS):
        yield group[start : start + _BATCH_ROWS]


def _new_columns(bounds: bool) -> bytes:
    names = ["predicted_cycles", "bottleneck", "status"]
    if bounds:
        from corecast import _core

        names += [f"{name}_cycles" for name in _core.bulk_bounds()] + ["cycles_without_bottleneck"]
    return "".join(f",{name}" for name in names).encode()


def _more_is_ready(source: BinaryIO) -> bool:
    """Whether reading on would not wait; streams that are no files never do."""
    try:
        return bool(select.select([source.fileno()], [], [], 0)[0])
    except (OSError, ValueError, AttributeError):
        return True
