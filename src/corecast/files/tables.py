"""Tables as CSV: the columns that must be there, and rows as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from corecast.errors import InputError

_SHOWN = 200


def require_columns(columns: Sequence[str], needed: Sequence[str], file: str, line: int | None = 1) -> None:
    """
    Args:
        columns: the table's.
        needed: those that must be there, each once.
        file: for the message.
        line: that names the columns; None where that is not a line.

    Raises:
        InputError: one of `needed` is missing or there twice.
    """
    if not any(columns):
        wanted = " and ".join(needed)
        raise InputError(f"the file is empty, or its first line: it must name the columns, among them {wanted}", file)
    missing = [name for name in needed if columns.count(name) != 1]
    if missing:
        shown = ", ".join(columns)[:_SHOWN]
        raise InputError(f"one column must be called {' and one '.join(missing)}; the columns are: {shown}", file, line)


def refuse_columns(columns: Sequence[str], added: Sequence[str], file: str, line: int | None = 1) -> None:
    """Raises InputError where a column of `added` is among the table's: it would be there twice."""
    twice = [name for name in added if name in columns]
    if twice:
        raise InputError(f"there is a column {' and one '.join(twice)} already: rename or remove it", file, line)


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with its columns in the first line; lines end in a line feed on every system."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
