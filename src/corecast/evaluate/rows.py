"""Rows of a table as text, from CSV or Parquet, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corecast.errors import InputError
from corecast.files.csv_records import open_rows as csv_rows
from corecast.files.reading import open_bytes
from corecast.hints import Any
from corecast.prediction.arrow import import_parquet, is_parquet

_BATCH = 8192
Row = dict[str, str]


@contextmanager
def open_rows(file: str | Path) -> Iterator[tuple[list[str], Iterator[tuple[int, Row]]]]:
    """Column names, and rows with the line that each starts in (Parquet: counted as if it were CSV).

    Raises:
        InputError: no such file, or one that is not what its name says.
    """
    opened = _parquet(file) if is_parquet(file) else _csv(file)
    with opened as found:
        yield found


@contextmanager
def _csv(file: str | Path) -> Iterator[tuple[list[str], Iterator[tuple[int, Row]]]]:
    with csv_rows(file) as (names, rows):
        columns = [_column(name) for name in names]
        yield columns, ((line, dict(zip(columns, cells, strict=True))) for line, cells in rows)


@contextmanager
def _parquet(file: str | Path) -> Iterator[tuple[list[str], Iterator[tuple[int, Row]]]]:
    parquet = import_parquet()
    with open_bytes(file) as stream:
        try:
            reader = parquet.ParquetFile(stream)
        except (ValueError, OSError) as error:  # Arrow's errors are both
            raise InputError(f"is not a Parquet file: {error}", str(file)) from None
        columns = [_column(name) for name in reader.schema_arrow.names]
        yield columns, _parquet_rows(reader, columns)


def _parquet_rows(reader: Any, columns: list[str]) -> Iterator[tuple[int, Row]]:
    line = 1
    for batch in reader.iter_batches(batch_size=_BATCH):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            line += 1
            texts = ("" if value is None else value if isinstance(value, str) else str(value) for value in values)
            yield line, dict(zip(columns, texts, strict=True))


def _column(name: str) -> str:
    """Case does not matter but in the names of tools."""
    name = name.strip()
    low = name.lower()
    return "predicted_" + name[len("predicted_") :] if low.startswith("predicted_") else low
