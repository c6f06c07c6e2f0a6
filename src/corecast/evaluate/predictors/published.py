"""Predictions of another tool, read from a CSV file: `hex` (or `file`, for kernels) and the cycles."""

from __future__ import annotations

from math import isfinite

from corecast.errors import InputError
from corecast.evaluate.cases import Answers
from corecast.files.csv_records import open_rows
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.evaluate.cases import Cases

_CYCLES = ("predicted_cycles", "prediction", "cycles")


class Published:
    """A tool's answers by code or file name; a case that the file has not is an error."""

    def __init__(self, name: str, file: str) -> None:
        if not name or not file:
            raise InputError(f"predictions of another tool are NAME=FILE.csv, not '{name}={file}'")
        self.name = name
        self.description = f"read from {file}"
        self._file = file

    def blocks(self, cases: Cases) -> Answers:
        return self._answers(cases, "hex")

    def kernels(self, cases: Cases) -> Answers:
        return self._answers(cases, "file")

    def _answers(self, cases: Cases, key: str) -> Answers:
        known = self._read(key)
        answers = Answers()
        for name in cases.names:
            cycles, status = known.get(name, (None, "error: not in the file"))
            answers.add(cycles, status)
        return answers

    def _read(self, key: str) -> dict[str, tuple[float | None, str]]:
        with open_rows(self._file) as (columns, rows):
            value = next((name for name in _CYCLES if name in columns), None)
            if key not in columns or value is None:
                raise InputError(f"needs the columns {key} and predicted_cycles", self._file, 1)
            named = (dict(zip(columns, cells, strict=True)) for _, cells in rows)
            return {row[key]: _answer(row[value], row.get("status") or "ok") for row in named if row[key]}


def _answer(text: str | None, status: str) -> tuple[float | None, str]:
    try:
        cycles = float(text or "")
    except ValueError:
        return None, status if status.startswith("error") else "error: no number"
    if not isfinite(cycles):
        return None, "error: no number"
    return cycles, status if status in ("ok", "bound", "unknown") else "error: " + status.removeprefix("error: ")
