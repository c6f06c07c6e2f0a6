"""Answers so far, kept beside the report while an evaluation runs: one that is killed goes on where it was.

A file holds the answers of one predictor for one part of the cases. Its name is a hash of everything that they depend
on, so that nothing is taken over from another question. The folder goes when the report is written.
"""

from __future__ import annotations

import json
import shutil
from array import array
from collections.abc import Sequence
from hashlib import sha256
from math import isnan, nan
from pathlib import Path

from corecast.evaluate.cases import Answers
from corecast.files.whole import write_whole

FOLDER = ".unfinished"


class Journal:
    """With no folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / FOLDER
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def read(self, key: str, count: int) -> Answers | None:
        """The answers kept under `key`; None where there are none, or not `count`."""
        if self._folder is None:
            return None
        try:
            kept = json.loads((self._folder / key).read_text(encoding="utf-8"))
            cycles = array("d", (nan if value is None else value for value in kept["cycles"]))
            statuses = [str(status) for status in kept["statuses"]]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return Answers(cycles, statuses) if len(cycles) == len(statuses) == count else None

    def write(self, key: str, answers: Answers) -> None:
        if self._folder is None:
            return
        cycles = [None if isnan(value) else value for value in answers.cycles]
        text = json.dumps({"cycles": cycles, "statuses": answers.statuses})
        write_whole(self._folder / key, text)

    def finish(self) -> None:
        """The report is there: nothing is needed any more."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def key_of(*parts: str | Sequence[str]) -> str:
    """A name for what is told by these texts."""
    digest = sha256()
    for part in parts:
        texts = [part] if isinstance(part, str) else part
        for text in texts:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(b"\1")
    return digest.hexdigest()[:32]
