"""The rows of a file of blocks, read as they come."""

from __future__ import annotations

from collections.abc import Iterator

from corecast.asm.hexcode import read_hex
from corecast.dataclass import dataclass
from corecast.errors import SyntaxProblem
from corecast.files.csv_records import open_records
from corecast.files.reading import Rereadable
from corecast.files.tables import require_columns
from corecast.isa.spelling import spellings
from corecast.timing.blocks import LINE_BYTES
from corecast.timing.journal import Key

NEW_COLUMNS = ("cycles", "spread", "rejected", "mode", "register_step")


@dataclass(frozen=True)
class Row:
    cells: list[str]
    """As many as there are columns that are kept."""
    key: Key | None
    problem: str = ""
    """A reason why there is no key."""
    isa_unsaid: bool = False
    """Whether the row does not name its instruction set."""


class BlockFile:
    """A CSV file with a column `hex`, optionally `address` and `isa`."""

    def __init__(self, path: str, isa: str, rows_isa: str | None = None) -> None:
        """Opens a file.

        Args:
            path: of it.
            isa: of this machine.
            rows_isa: the instruction set of rows that do not name one; None: this machine's.

        Raises:
            InputError: no such file, or no column hex.
        """
        self.path = path
        self._source = Rereadable(path)
        self._isa = isa
        self._rows_isa = isa if rows_isa is None else rows_isa
        with open_records(self._source) as records:
            _, names = next(records, (1, []))
        low = [name.strip().lower() for name in names]
        require_columns(low, ("hex",), path)
        self._count = len(names)
        self._kept = [index for index, name in enumerate(low) if name not in NEW_COLUMNS]
        self.columns = [names[index] for index in self._kept]
        self._at = {name: low.index(name) for name in ("hex", "address", "isa") if name in low}

    def rows(self) -> Iterator[Row]:
        """All rows but the first, in their order."""
        with open_records(self._source) as records:
            next(records, None)
            for _, cells in records:
                yield self._row(cells)

    def _row(self, cells: list[str]) -> Row:
        whole = len(cells) <= self._count
        cells = cells[: self._count] + [""] * (self._count - len(cells))
        kept = [cells[index] for index in self._kept]
        if not whole:
            return Row(kept, None, "row")
        found = {name: cells[index].strip() for name, index in self._at.items()}
        if (found.get("isa", "").lower() or self._rows_isa) not in spellings(self._isa):
            return Row(kept, None, "foreign")
        try:
            place = int(found.get("address") or "0", 0) % LINE_BYTES
        except ValueError:
            return Row(kept, None, "row")
        try:
            return Row(kept, Key(read_hex(found["hex"]), place), "", not found.get("isa"))
        except SyntaxProblem:
            return Row(kept, None, "hex")
