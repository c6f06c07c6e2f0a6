"""Every visit to a block so far, beside the output: an interrupted run resumes from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.files.lines import LineFile, read_object
from corecast.hints import Any
from corecast.timing.verdict import REASONS, Verdict

SCHEMA_START = "corecast-timing/"
SCHEMA = SCHEMA_START + "5"


@dataclass(frozen=True)
class Key:
    """What is measured once."""

    code: bytes
    place: int
    """Where it starts within a line of the cache."""


class Journal:
    """A file with one line per visit to a block, after a line that says what was measured and how."""

    def __init__(self, path: Path | None, head: Mapping[str, Any]) -> None:
        """Opens or makes the file, and locks it; None keeps everything in memory.

        Raises:
            InputError: the file is something else, of another machine or mode, damaged, or in use.
            OSError: it cannot be read or written.
        """
        self.visits: dict[Key, list[Verdict]] = {}
        self.path = path
        self._file: LineFile | None = None
        if path is None:
            return
        self._file = LineFile(path, SCHEMA_START, "journal of timings")
        try:
            self._resume(self._file, {"schema": SCHEMA, **head})
        except BaseException:
            self._file.close()
            raise

    def _resume(self, file: LineFile, head: Mapping[str, Any]) -> None:
        number = 0
        for number, line in file.lines():
            text = line.decode("utf-8", "replace")
            if number == 1:
                self._check(line, head)
            else:
                self._read(text.split(","), number)
        if number == 0:
            file.add(json.dumps(head) + "\n")

    def add(self, key: Key, verdict: Verdict) -> None:
        """Raises OSError where it cannot be written."""
        self.visits.setdefault(key, []).append(verdict)
        if self._file is None:
            return
        cycles = "" if verdict.cycles is None else repr(verdict.cycles)
        spread = "" if verdict.spread is None else repr(verdict.spread)
        cells = (
            key.code.hex(),
            key.place,
            cycles,
            spread,
            verdict.reason,
            repr(verdict.witness),
            repr(verdict.seconds),
            "" if verdict.register_step is None else verdict.register_step,
        )
        self._file.add(",".join(map(str, cells)) + "\n")

    def close(self) -> None:
        """What was measured stays in the file; a file without any timing goes."""
        if self._file is not None:
            if self.visits:
                self._file.close()
            else:
                self._file.remove()

    def remove(self) -> None:
        """Once everything that it holds is written elsewhere."""
        if self._file is not None:
            self._file.remove()

    def _check(self, line: bytes, head: Mapping[str, Any]) -> None:
        found = read_object(line, "journal of timings", str(self.path), 1)
        for name, value in head.items():
            if found.get(name) != value:
                raise InputError(
                    f"holds timings with {name} {found.get(name)}, not {value}: remove it, or name another output",
                    str(self.path),
                    1,
                )

    def _read(self, cells: list[str], line: int) -> None:
        try:
            code, place, cycles, spread, reason, witness, seconds, step = cells
            if (reason not in REASONS) if reason else not cycles:
                raise ValueError(reason)
            verdict = Verdict(
                _number(cycles),
                _number(spread),
                reason,
                _finite(witness),
                _finite(seconds),
                int(step) if step else None,
            )
            self.visits.setdefault(Key(bytes.fromhex(code), int(place)), []).append(verdict)
        except ValueError:
            raise InputError(
                "not a timing: remove this line to measure the block again",
                str(self.path),
                line,
            ) from None


def _number(cell: str) -> float | None:
    return _finite(cell) if cell else None


def _finite(cell: str) -> float:
    value = float(cell)
    if not 0 <= value < inf:
        raise ValueError(cell)
    return value
