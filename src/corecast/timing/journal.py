"""What was measured so far, beside the output: whoever is stopped goes on where it was."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from corecast.errors import InputError
from corecast.files.whole import drop_torn_line
from corecast.timing.verdict import REASONS, Verdict

SCHEMA = "corecast-timing/2"


@dataclass(frozen=True)
class Key:
    """What is measured once."""

    code: bytes
    place: int
    """Where it starts within a line of the cache."""


class Journal:
    """A file of one line a block, behind a line that says what was measured how."""

    def __init__(self, path: Path | None, head: Mapping[str, Any]) -> None:
        """Opens, or makes, the file; None keeps everything in memory.

        Raises:
            InputError: the file is of another machine or mode. OSError: it cannot be read or written.
        """
        self.verdicts: dict[Key, Verdict] = {}
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
        self.verdicts[key] = verdict
        cycles = "" if verdict.cycles is None else repr(verdict.cycles)
        spread = "" if verdict.spread is None else repr(verdict.spread)
        self._write(f"{key.code.hex()},{key.place},{cycles},{spread},{verdict.reason},{verdict.witness!r}")

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
            code, place, cycles, spread, reason, witness = cells
            if reason and reason not in REASONS:
                raise ValueError(reason)
            verdict = Verdict(_number(cycles), _number(spread), reason, float(witness))
            self.verdicts[Key(bytes.fromhex(code), int(place))] = verdict
        except ValueError:
            raise InputError("not a timing", str(self._path), line) from None


def _number(cell: str) -> float | None:
    return float(cell) if cell else None
