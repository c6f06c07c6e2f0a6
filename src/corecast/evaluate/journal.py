"""Answers so far, kept beside the report while an evaluation runs: a run that was killed resumes from them.

A line holds the answers of one predictor for one part of the cases, under a hash of everything that they depend on, so
that nothing is taken over from another question. The file goes when the report is written.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from hashlib import sha256
from math import isnan, nan
from pathlib import Path

from corecast.errors import InputError
from corecast.evaluate.cases import Answers
from corecast.files.lines import LineFile, read_object
from corecast.hints import Any

FILE = "corecast-evaluation.part"
SCHEMA_START = "corecast-evaluation-journal/"
SCHEMA = SCHEMA_START + "1"


class Journal:
    """With no folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        """
        Raises:
            InputError: the file is something else, damaged, or another evaluation is writing it.
            OSError: it cannot be read or written.
        """
        self._known: dict[str, Answers] = {}
        self._file: LineFile | None = None
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE
        self._file = LineFile(path, SCHEMA_START, "journal of an evaluation")
        try:
            self._resume(self._file, str(path))
        except BaseException:
            self._file.close()
            raise

    def _resume(self, file: LineFile, path: str) -> None:
        number = 0
        for number, line in file.lines():
            entry = read_object(line, "line of an evaluation", path, number)
            if number == 1:
                if entry.get("schema") != SCHEMA:
                    raise InputError(f"is of {entry.get('schema')}, not {SCHEMA}: remove it", path, 1)
                continue
            try:
                self._known[_text(entry["key"])] = _answers(entry)
            except (KeyError, TypeError, ValueError):
                raise InputError("not an answer: remove this line to ask again", path, number) from None
        if number == 0:
            file.add(json.dumps({"schema": SCHEMA}) + "\n")

    def read(self, key: str, count: int) -> Answers | None:
        """The answers kept under `key`; None where there are none, or not `count`."""
        kept = self._known.get(key)
        return kept if kept is not None and len(kept.cycles) == count else None

    def write(self, key: str, answers: Answers) -> None:
        if self._file is None:
            return
        self._known[key] = answers
        columns = {"cycles": answers.cycles, "lows": answers.lows, "highs": answers.highs}
        numbers = {name: [None if isnan(value) else value for value in column] for name, column in columns.items()}
        self._file.add(json.dumps({"key": key, **numbers, "statuses": answers.statuses}) + "\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def finish(self) -> None:
        """The report is there: nothing is needed any more."""
        if self._file is not None:
            self._file.remove()


def _answers(entry: dict[str, Any]) -> Answers:
    """Raises KeyError, TypeError or ValueError where it holds none."""
    cycles = _numbers(entry["cycles"])
    lows, highs = (_numbers(entry.get(name, [])) for name in ("lows", "highs"))
    statuses = [_text(status) for status in entry["statuses"]]
    if len(cycles) != len(statuses):
        raise ValueError("not as many statuses as answers")
    return Answers(cycles, statuses, lows, highs)


def _numbers(values: list[float | None]) -> array[float]:
    return array("d", (nan if value is None else value for value in values))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def key_of(*parts: str | Sequence[str]) -> str:
    """A name for what these texts identify."""
    digest = sha256()
    for part in parts:
        texts = [part] if isinstance(part, str) else part
        for text in texts:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(b"\1")
    return digest.hexdigest()[:32]
