"""What a calibration has done so far: one line a fact, in the folder of the calibration.

The first line says of which machine, with which options. A run that was stopped, killed or interrupted by a reboot
resumes from the rest; each line says how much of the time was spent when it was written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corecast.calibrate.plan import Step
from corecast.errors import InputError
from corecast.files.lines import LineFile, read_object
from corecast.hints import Any

FILE = "calibration.journal"
SCHEMA_START = "corecast-calibration/"
SCHEMA = SCHEMA_START + "1"
STEP_OF: dict[str, Step] = {
    "start": "identify",
    "visit": "validate",
    "revisit": "again",
    "property": "pipeline",
    "experiment": "rules",
    "forms": "forms",
    "done": "fit",
}
"""The step that writes entries of a kind."""
_WHAT = "journal of a calibration"
_WORDS = {
    "version": "corecast {found}, not {wanted}",
    "cpu": "'{found}', not of '{wanted}'",
    "data": "other validation code than this version's",
    "hidden": "--hide {found}, not {wanted}",
    "pipeline_of": "--pipeline-of {found}, not {wanted}",
}


class Journal:
    """The open journal of a folder, which is locked while it is open."""

    def __init__(self, folder: Path, head: Mapping[str, Any]) -> None:
        """Opens or makes the folder and its journal.

        Raises:
            InputError: the folder holds something else, or the calibration of another machine, version or start.
            OSError: it cannot be read or written.
        """
        self.entries: list[dict[str, Any]] = []
        self.spent: Callable[[], float] = lambda: 0.0
        """Seconds, for the lines that are added."""
        self.path = folder / FILE
        _require_ours(folder)
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._file = LineFile(self.path, SCHEMA_START, _WHAT)
        except BaseException:
            if made:
                folder.rmdir()
            raise
        try:
            self._resume({"schema": SCHEMA, **head})
        except BaseException:
            self._file.close()
            raise

    def _resume(self, head: Mapping[str, Any]) -> None:
        number = 0
        for number, line in self._file.lines():
            entry = read_object(line, f"line of a {_WHAT}", str(self.path), number)
            if number == 1:
                self._check(entry, head)
            elif not isinstance(entry.get("kind"), str) or not isinstance(entry.get("spent"), (int, float)):
                raise InputError("no line of a calibration: remove it to repeat that part", str(self.path), number)
            else:
                self.entries.append(entry)
        if number == 0:
            self._file.add(json.dumps(head) + "\n")

    def _check(self, found: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        for key, wanted in head.items():
            if found.get(key) == wanted:
                continue
            words = _WORDS.get(key, "{found}, not {wanted}").format(found=_shown(found.get(key)), wanted=_shown(wanted))
            raise InputError(f"holds a calibration with {words}: name another folder", str(self.path), 1)

    @property
    def spent_before(self) -> dict[Step, float]:
        """Seconds that earlier runs took, by step: what passed before an entry is that of its step."""
        found: dict[Step, float] = {}
        for entry, spent in self._spent():
            step = STEP_OF.get(entry["kind"], "fit")
            found[step] = found.get(step, 0.0) + spent
        return found

    def spent_on_part(self, part: str) -> float:
        """Seconds that earlier runs took for a part of a step."""
        return sum(spent for entry, spent in self._spent() if entry.get("part") == part)

    def _spent(self) -> Iterator[tuple[dict[str, Any], float]]:
        """Each entry, and the seconds that passed before it."""
        last = 0.0
        for entry in self.entries:
            yield entry, max(0.0, entry["spent"] - last)
            last = max(last, float(entry["spent"]))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Entries of a kind, in the order in which they were written."""
        return [entry for entry in self.entries if entry["kind"] == kind]

    def add(self, kind: str, **facts: Any) -> None:
        """Raises OSError where it cannot be written."""
        entry = {"kind": kind, **facts, "spent": round(self.spent(), 3)}
        self._file.add(json.dumps(entry) + "\n")
        self.entries.append(entry)

    def close(self) -> None:
        self._file.close()


def _shown(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "nothing"
    return "nothing" if value is None else str(value)


def _require_ours(folder: Path) -> None:
    """Raises InputError where there are files and no journal: they are somebody's."""
    if folder.exists() and not folder.is_dir():
        raise InputError("is not a folder: name another one", str(folder))
    if folder.is_dir() and not (folder / FILE).exists() and os.listdir(folder):
        raise InputError("is not empty and holds no calibration: name another folder", str(folder))
