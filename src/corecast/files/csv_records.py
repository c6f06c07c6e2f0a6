"""The one reader of CSV files with blocks, for all verbs: complete records out of chunks of bytes, as they come.

Lines end in LF, CR LF, or in CR where the first line does. Cells with commas, line ends or quotes stand within quotes,
which are doubled inside; any other quote is a character like others. A mark in front (BOM) is left out. Nothing else
about a cell matters here: not its length, and not its encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from corecast.errors import InputError
from corecast.files.reading import Rereadable, open_bytes

CHUNK_BYTES = 1 << 18
MOST_QUOTED_LINES = 100
"""That a cell may span: what opens a longer one is a stray quote."""
COMMA, QUOTE = b',"'
"""As numbers: Python looks for these in bytes at once; for bytes in bytes it makes an error first, and drops it."""
_BOM = b"\xef\xbb\xbf"


def chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """What a stream's `read1` gives until it ends: of a pipe what is there already."""
    while chunk := read(CHUNK_BYTES):
        yield chunk


def batches(parts: Iterable[bytes], file: str) -> Iterator[list[bytes]]:
    """Records without their line ends, some from each chunk; empty lines at the end are none.

    Args:
        parts: the file's content.
        file: its name, for messages.

    Raises:
        InputError: a quote is never closed; with the line where it stands.
    """
    waiting: list[bytes] = []
    blank = 0
    line = 1
    for part in _unix_lines(parts):
        end = part.rfind(b"\n")
        if end < 0:
            waiting.append(part)
            continue
        text = b"".join([*waiting, part[:end]])
        lines = text.split(b"\n")
        records, unfinished = _join(lines, line, file) if QUOTE in text else (_without_returns(lines), [])
        line += len(lines) - len(unfinished)
        waiting = [b"\n".join([*unfinished, b""]), part[end + 1 :]]
        filled = len(records)
        while filled and not records[filled - 1]:
            filled -= 1
        if filled:
            yield [b""] * blank + records[:filled]
            blank = 0
        blank += len(records) - filled
    rest = b"".join(waiting).rstrip(b"\r\n")
    if rest:
        records, unfinished = _join(rest.split(b"\n"), line, file)
        if unfinished:
            raise _unclosed(unfinished[0], file, line + len(rest.split(b"\n")) - len(unfinished))
        yield [b""] * blank + records


def _unix_lines(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The content without a mark in front; where the first line ends in CR alone, lines end in LF instead."""
    iterator = iter(parts)
    start = b""
    for part in iterator:
        start += part
        if b"\n" in start or b"\r" in start[:-1]:
            break
    start = start.removeprefix(_BOM)
    first = start.find(b"\r")
    if first < 0 or 0 <= start.find(b"\n") < first or start[first + 1 : first + 2] == b"\n":
        if start:
            yield start
        yield from iterator
        return
    for part in chain((start,), iterator):
        yield part.replace(b"\r", b"\n")


def _join(lines: list[bytes], first: int, file: str) -> tuple[list[bytes], list[bytes]]:
    """Joins lines within quotes; beside them the lines of a record that has not ended yet."""
    records: list[bytes] = []
    at = 0
    while at < len(lines):
        record = lines[at]
        end = at + 1
        if QUOTE in record and _split(record)[1]:
            while end < len(lines) and end - at < MOST_QUOTED_LINES and _split(record)[1]:
                record += b"\n" + lines[end]
                end += 1
            if _split(record)[1]:
                if end - at < MOST_QUOTED_LINES:
                    return _without_returns(records), lines[at:]
                raise _unclosed(record, file, first + at)
        records.append(record)
        at = end
    return _without_returns(records), []


def _without_returns(records: list[bytes]) -> list[bytes]:
    return [record.removesuffix(b"\r") for record in records]


def _unclosed(record: bytes, file: str, line: int) -> InputError:
    """`line`: where the record starts; the quote that is open may stand in a later one."""
    cells, _ = _split(record)
    return InputError(
        "a cell starts with a quote that is not closed: close it, or put the cell in quotes and double those inside",
        file,
        line + sum(cell.count(b"\n") for cell in cells),
    )


def raw_cells(record: bytes) -> list[bytes]:
    """The cells as they are written."""
    return _split(record)[0]


def _split(record: bytes) -> tuple[list[bytes], bool]:
    """The cells as they are written, and whether another one follows whose quote is not closed."""
    cells: list[bytes] = []
    open_cell = b""
    for piece in record.split(b","):
        cell = open_cell + b"," + piece if open_cell else piece
        if cell.startswith(b'"') and cell.count(b'"') % 2:
            open_cell = cell
        else:
            cells.append(cell)
            open_cell = b""
    return cells, bool(open_cell)


def fields_of(record: bytes) -> list[bytes]:
    """The cells of a record, without quotes."""
    if QUOTE not in record:
        return record.split(b",")
    return [_unquoted(cell) for cell in raw_cells(record)]


def quoted(cell: bytes) -> bytes:
    return b'"' + cell.replace(b'"', b'""') + b'"'


def _unquoted(cell: bytes) -> bytes:
    whole = len(cell) > 1 and cell.startswith(b'"') and cell.endswith(b'"')
    return cell[1:-1].replace(b'""', b'"') if whole else cell


@contextmanager
def open_records(
    source: str | Path | Rereadable, errors: str = "surrogateescape"
) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """The records of a file as text, with the line that each starts in.

    Args:
        source: the file.
        errors: what becomes of bytes that are not UTF-8.

    Raises:
        InputError: it cannot be opened, or a quote is never closed.
    """
    path = source.path if isinstance(source, Rereadable) else str(source)
    with source.open() if isinstance(source, Rereadable) else open_bytes(source) as stream:
        yield _numbered(batches(chunks(stream.read), path), errors)


@contextmanager
def open_rows(path: str | Path) -> Iterator[tuple[list[str], Iterator[tuple[int, list[str]]]]]:
    """The names of a file's columns, and its rows with the line that each starts in, each of as many cells. Missing
    cells are empty; empty lines are not rows.

    Raises:
        InputError: it cannot be opened, a quote is never closed, or a row has more cells than there are columns.
    """
    with open_records(path, "backslashreplace") as records:
        _, names = next(records, (1, []))
        columns = [name.strip() for name in names]
        yield columns, _filled(records, len(columns), str(path))


def _filled(records: Iterable[tuple[int, list[str]]], count: int, file: str) -> Iterator[tuple[int, list[str]]]:
    for line, cells in records:
        if len(cells) > count:
            raise InputError(f"{len(cells)} cells, but there are {count} columns", file, line)
        if cells != [""]:
            yield line, cells + [""] * (count - len(cells))


def _numbered(groups: Iterable[list[bytes]], errors: str) -> Iterator[tuple[int, list[str]]]:
    line = 1
    for records in groups:
        for record in records:
            yield line, [cell.decode("utf-8", errors) for cell in fields_of(record)]
            line += 1 + record.count(b"\n")
