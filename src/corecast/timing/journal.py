"""Every visit to a block so far, beside the output: an interrupted run resumes from it."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

from corecast.errors import InputError
from corecast.files.whole import drop_torn_line
from corecast.timing.verdict import REASONS, Verdict

SCHEMA = "corecast-timing/3"


@dataclass(frozen=True)
class Key:
    """What is measured once."""

    code: bytes
    place: int
    """Where it starts within a line of the cache."""


class Journal:
    """A file of one line per visit to a block, behind a line that says what was measured how."""

    def __init__(self, path: Path | None, head: Mapping[str, Any]) -> None:
        """Opens, or makes, the file; None keeps everything in memory.

        Raises:
            InputError: the file is of another machine or mode. OSError: it cannot be read or written.
        """
        self.visits: dict[Key, list[Verdict]] = {}
        self._path = path
        self._stream: BinaryIO | None = None
        if path is None:
            return
        if path.exists() and not path.is_file():
            raise InputError("is no file: remove it, or name another output", str(path))
        self._stream = open(path, "a+b", buffering=0)  # noqa: SIM115
        try:
            self._resume(self._stream, {"schema": SCHEMA, **head})
        except BaseException:
            self.close()
            raise

    def _resume(self, stream: BinaryIO, head: Mapping[str, Any]) -> None:
        drop_torn_line(stream)
        stream.seek(0)
        lines = stream.read().decode("utf-8", "replace").splitlines()
        if not lines:
            self._write(json.dumps(head))
            return
        self._check(lines[0], head)
        for number, cells in enumerate(csv.reader(lines[1:]), start=2):
            self._read(cells, number)

    def add(self, key: Key, verdict: Verdict) -> None:
        """Raises OSError where it cannot be written."""
        self.visits.setdefault(key, []).append(verdict)
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
        )
        self._write(",".join(map(str, cells)))

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    def remove(self) -> None:
        """When everything that it holds is written elsewhere."""
        self.close()
        if self._path is not None:
            os.unlink(self._path)

    def _write(self, line: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(line.encode() + b"\n")
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from None

    def _check(self, line: str, head: Mapping[str, Any]) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise InputError("is no record of timings: remove it, or name another output", str(self._path), 1)
        for name, value in head.items():
            if found.get(name) != value:
                raise InputError(
                    f"holds timings with {name} {found.get(name)}, not {value}: remove it, or name another output",
                    str(self._path),
                    1,
                )

    def _read(self, cells: list[str], line: int) -> None:
        try:
            code, place, cycles, spread, reason, witness, seconds = cells
            if (reason not in REASONS) if reason else not cycles:
                raise ValueError(reason)
            verdict = Verdict(_number(cycles), _number(spread), reason, float(witness), float(seconds))
            self.visits.setdefault(Key(bytes.fromhex(code), int(place)), []).append(verdict)
        except ValueError:
            raise InputError("not a timing", str(self._path), line) from None


def _number(cell: str) -> float | None:
    """Raises ValueError for what no timing is."""
    if not cell:
        return None
    number = float(cell)
    if not isfinite(number) or number < 0:
        raise ValueError(cell)
    return number
