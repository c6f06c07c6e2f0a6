"""Form tables of a core whose sibling has most of its rows: what the sibling's model says alike is left to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corecast.machine import Machine, load_machine
from corecast.machine.rows import Row, write_compact

_CORE = re.compile(r"(llvm|instlatx64)\d*:[^+(\t]+")
ABSENT_FILE = "absent.tsv"
ABSENT_NOTE = "Rows of the sibling named by forms_of that do not hold for this core."


@dataclass(frozen=True)
class OwnTables:
    """What remains of a core's tables beside those of its sibling."""

    rows: Mapping[str, Sequence[Row]]
    """By file, in order of precedence; files of which nothing remains are left out."""
    absent: Sequence[str]
    """Keys of the sibling's rows of which the core has none."""

    @property
    def files(self) -> list[str]:
        return [*self.rows, *([ABSENT_FILE] if self.absent else [])]

    def write(self, folder: Path, comments: Mapping[str, Sequence[str]]) -> dict[str, int]:
        """Write the tables into the model's folder, and remove others that lie there; rows by file."""
        notes = {**comments, ABSENT_FILE: [ABSENT_NOTE, *next(iter(comments.values()))[1:]]}
        for file in (folder / "forms").glob("*.tsv"):
            if file.name not in self.files:
                file.unlink()
        tables = {file: write_compact(folder / "forms" / file, notes[file], rows) for file, rows in self.rows.items()}
        if self.absent:
            tables[ABSENT_FILE] = write_compact(folder / "forms" / ABSENT_FILE, notes[ABSENT_FILE], (), self.absent)
        return tables


def own_tables(files: Mapping[str, Collection[Row]], sibling: Path | None, keep: Callable[[str], bool]) -> OwnTables:
    """The rows that count and that the sibling's model does not have alike.

    Args:
        files: all rows of the core by file, in order of precedence.
        sibling: the folder of the sibling's model, written before; None for a core that shares nothing.
    """
    if sibling is None:
        kept_by_file = {file: [row for row in rows if keep(row.form)] for file, rows in files.items()}
        return OwnTables({file: rows for file, rows in kept_by_file.items() if rows}, ())
    machine = load_machine(sibling)
    keys = machine.keys()
    theirs = {form: _comparable(line) for form in keys if (line := row_text(machine, form)) is not None}
    remaining: dict[str, list[Row]] = {}
    seen: set[str] = set()
    for file, rows in files.items():
        own = [row for row in rows if row.form not in seen]
        seen.update(row.form for row in own)
        if kept := [row for row in own if keep(row.form) and theirs.get(row.form) != _comparable(row.to_line())]:
            remaining[file] = kept
    return OwnTables(remaining, sorted(theirs.keys() - seen))


def _comparable(line: str) -> str:
    """A row of which the same was measured on both cores, or LLVM's models say it, is alike: each names its own."""
    return _CORE.sub(r"\1", line)


def row_text(machine: Machine, form: str) -> str | None:
    """The line of a form in the model's tables; None where it has none."""
    found = machine.core.row(form)
    return found[0] if found is not None else None
