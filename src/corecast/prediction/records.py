"""Records of a CSV file as the predictor takes them, and as they are written back.

Rows are passed on byte by byte: whatever other columns hold (quotes, spaces, any encoding) stays the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from corecast.dataclass import dataclass, field
from corecast.files.csv_records import COMMA, QUOTE, fields_of, quoted, raw_cells
from corecast.files.tables import require_columns
from corecast.isa.spelling import spellings

_LINE_BYTES = 64
"""Of the first-level cache, as `register_step` counts."""


@dataclass(frozen=True)
class Header:
    """The first record: which columns there are."""

    line: bytes
    columns: int
    code: int
    address: int | None
    isa: int | None = None
    register_step: int | None = None
    before: int | None = None
    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, record: bytes, file: str) -> Header:
        """Raises InputError where no column, or more than one, is called hex."""
        names = [name.strip().lower().decode("utf-8", "replace") for name in fields_of(record)]
        require_columns(names, ("hex",), file)
        address, isa, step, before = [
            names.index(name) if name in names else None for name in ("address", "isa", "register_step", "code_before")
        ]
        return cls(record, len(names), names.index("hex"), address, isa, step, before, tuple(names))


@dataclass(frozen=True)
class Rows:
    """Records as the predictor takes them."""

    kept: Sequence[bytes]
    """What is written back; each with as many cells as the header."""
    blocks: Sequence[bytes | None]
    addresses: Sequence[bytes] | None
    register_steps: Sequence[int] | None = None
    codes_before: Sequence[bytes] | None = None
    """Both as `corecast.predict` takes them."""
    foreign: int = 0
    """Rows with code of another instruction set: they have no block."""
    faults: dict[int, str] = field(default_factory=dict)
    """By place, why there is no block where the row itself tells."""


def foreign_fault(isa: str) -> str:
    """Of a row whose column `isa` names another instruction set than the core's."""
    return f"code of another instruction set: {isa}"


def read_step(text: str) -> int:
    """A cell of the column `register_step`; empty: 0, all registers point to starts of lines.

    Raises:
        ValueError: it is no step; with the message.
    """
    text = text.strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and int(text) < _LINE_BYTES):
        raise ValueError(f"register_step must be a whole number from 0 to {_LINE_BYTES - 1}, not '{text[:40]}'")
    return int(text)


def split(records: Sequence[bytes], header: Header, isa: str) -> Rows:
    """A record with too few cells gets empty ones; one with too many is an error and keeps them in its last cell. So is
    one whose column `isa` names another instruction set than `isa`."""
    if header.columns == 1:
        text = b"\n".join(records)
        if COMMA not in text and QUOTE not in text:
            return Rows(records, records, None)
    own = {name.encode() for name in spellings(isa)}
    kept: list[bytes] = []
    blocks: list[bytes | None] = []
    addresses: list[bytes] = []
    steps: list[int] = []
    before: list[bytes] = []
    foreign = 0
    faults: dict[int, str] = {}
    for place, record in enumerate(records):
        cells = fields_of(record)
        count = len(cells)
        if count == header.columns:
            kept.append(record)
        elif count < header.columns:
            kept.append(record + b"," * (header.columns - count))
        else:
            raw = raw_cells(record)
            last = quoted(b",".join(raw[header.columns - 1 :]))
            kept.append(b",".join([*raw[: header.columns - 1], last]))
            faults[place] = f"{count} cells in a table of {header.columns} columns"
        known = count <= header.columns and header.code < count
        if known and header.isa is not None and header.isa < count and cells[header.isa].strip().lower() not in own:
            known = False
            foreign += 1
            faults[place] = foreign_fault(cells[header.isa].strip().decode("utf-8", "replace"))
        if header.register_step is not None:
            cell = cells[header.register_step] if known and header.register_step < count else b""
            try:
                steps.append(read_step(cell.decode("utf-8", "replace")))
            except ValueError as error:
                steps.append(0)
                known = False
                faults[place] = str(error)
        blocks.append(cells[header.code] if known else None)
        if header.address is not None:
            addresses.append(cells[header.address] if header.address < count else b"")
        if header.before is not None:
            before.append(cells[header.before] if header.before < count else b"")
    return Rows(
        kept,
        blocks,
        addresses if header.address is not None else None,
        steps if header.register_step is not None else None,
        before if header.before is not None else None,
        foreign,
        faults,
    )
