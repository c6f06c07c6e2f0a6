"""Reading CSV as it comes: complete records out of chunks of bytes, each kept as it was written.

Rows are passed on byte by byte, so that whatever stands in other columns (quotes, spaces, any encoding) stays the same,
but for quotes that nothing closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from corecast.files.tables import require_columns

CHUNK_BYTES = 1 << 18
_MOST_QUOTED_LINES = 100
_BOM = b"\xef\xbb\xbf"


def chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """What a stream's `read1` gives until it ends: of a pipe what is there already."""
    while chunk := read(CHUNK_BYTES):
        yield chunk


def batches(parts: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Records without their line ends, some from each chunk; empty lines at the end are none.

    A quoted cell may span lines. A quote that nothing closes within 100 lines is a character like others.
    """
    waiting: list[bytes] = []
    blank = 0
    for part in parts:
        end = part.rfind(b"\n")
        if end < 0:
            waiting.append(part)
            continue
        lines = b"".join([*waiting, part[:end]]).split(b"\n")
        records, unfinished = _join(lines)
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
        yield [b""] * blank + _join(rest.split(b"\n"), final=True)[0]


def _join(lines: list[bytes], final: bool = False) -> tuple[list[bytes], list[bytes]]:
    """Joins lines within quotes; beside them the lines of a record that has not ended yet."""
    records: list[bytes] = []
    at = 0
    while at < len(lines):
        record = lines[at]
        end = at + 1
        if b'"' in record and _cells(record)[1]:
            while end < len(lines) and end - at < _MOST_QUOTED_LINES and _cells(record)[1]:
                record += b"\n" + lines[end]
                end += 1
            if _cells(record)[1]:
                if not final and end - at < _MOST_QUOTED_LINES:
                    return records, lines[at:]
                record = lines[at]
                end = at + 1
        records.append(record.removesuffix(b"\r"))
        at = end
    return records, []


def _cells(record: bytes) -> tuple[list[bytes], bool]:
    """The cells as they are written, and whether the last one has a quote that is not closed."""
    cells: list[bytes] = []
    open_cell = b""
    for piece in record.split(b","):
        cell = open_cell + b"," + piece if open_cell else piece
        if cell.startswith(b'"') and cell.count(b'"') % 2:
            open_cell = cell
        else:
            cells.append(cell)
            open_cell = b""
    return (cells + open_cell.split(b","), True) if open_cell else (cells, False)


def _closed(record: bytes) -> bytes:
    """The record, cells with a quote that is not closed in quotes of their own: other readers would read on."""
    if b'"' not in record:
        return record
    cells, unclosed = _cells(record)
    if not unclosed:
        return record
    return b",".join(_quoted(cell) if cell.startswith(b'"') and cell.count(b'"') % 2 else cell for cell in cells)


def _quoted(cell: bytes) -> bytes:
    return b'"' + cell.replace(b'"', b'""') + b'"'


def fields_of(record: bytes) -> list[bytes]:
    """The cells of a record, without quotes."""
    if b'"' not in record:
        return record.split(b",")
    return [_unquoted(cell) for cell in _cells(record)[0]]


def _unquoted(cell: bytes) -> bytes:
    whole = len(cell) > 1 and cell.startswith(b'"') and cell.endswith(b'"')
    return cell[1:-1].replace(b'""', b'"') if whole else cell


@dataclass(frozen=True)
class Header:
    """The first record: which columns there are."""

    line: bytes
    columns: int
    code: int
    address: int | None
    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, record: bytes, file: str) -> Header:
        """Raises InputError where no column, or more than one, is called hex."""
        record = _closed(record.removeprefix(_BOM))
        names = [name.strip().lower().decode("utf-8", "replace") for name in fields_of(record)]
        require_columns(names, ("hex",), file)
        address = names.index("address") if "address" in names else None
        return cls(record, len(names), names.index("hex"), address, tuple(names))


@dataclass(frozen=True)
class Rows:
    """Records as the predictor takes them."""

    kept: Sequence[bytes]
    """What is written back; each with as many cells as the header."""
    blocks: Sequence[bytes | None]
    addresses: Sequence[bytes] | None


def split(records: Sequence[bytes], header: Header) -> Rows:
    """A record with too few cells gets empty ones; one with too many is an error and keeps them in its last cell."""
    if header.columns == 1 and not any(b"," in record or b'"' in record for record in records):
        return Rows(records, records, None)
    kept: list[bytes] = []
    blocks: list[bytes | None] = []
    addresses: list[bytes] = []
    for record in map(_closed, records):
        cells = fields_of(record)
        count = len(cells)
        if count == header.columns:
            kept.append(record)
        elif count < header.columns:
            kept.append(record + b"," * (header.columns - count))
        else:
            raw = _cells(record)[0]
            last = _quoted(b",".join(raw[header.columns - 1 :]))
            kept.append(b",".join([*raw[: header.columns - 1], last]))
        whole = count <= header.columns
        blocks.append(cells[header.code] if whole and header.code < count else None)
        if header.address is not None:
            addresses.append(cells[header.address] if header.address < count else b"")
    return Rows(kept, blocks, addresses if header.address is not None else None)
