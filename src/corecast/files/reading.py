"""Opening what the user named."""

from __future__ import annotations

import os
from pathlib import Path

from corecast.errors import InputError
from corecast.hints import BinaryIO, TextIO


class Rereadable:
    """A file that can be opened again and again: of what can be read only once, as a pipe, a temporary copy is kept as
    long as this object."""

    def __init__(self, path: str | Path) -> None:
        """
        Raises:
            InputError: it cannot be opened. OSError: there is no place for the copy.
        """
        self.path = str(path)
        self._copy = None
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            import shutil
            import tempfile

            self._copy = tempfile.NamedTemporaryFile(prefix="corecast-input-")  # noqa: SIM115
            with open_bytes(path) as stream:
                shutil.copyfileobj(stream, self._copy)
            self._copy.flush()

    def open(self) -> BinaryIO:
        """
        Raises:
            InputError: it cannot be opened.
        """
        return open_bytes(self.path if self._copy is None else self._copy.name)


def open_bytes(path: str | Path) -> BinaryIO:
    """
    Raises:
        InputError: it cannot be opened; with its name.
    """
    try:
        return open(path, "rb")
    except OSError as error:
        raise _cannot_open(path, error) from None


def open_table(path: str | Path, errors: str = "strict") -> TextIO:
    """UTF-8, with or without a mark in front, for a reader of CSV: line ends stay as they are.

    Raises:
        InputError: it cannot be opened; with its name.
    """
    try:
        return open(path, encoding="utf-8-sig", errors=errors, newline="")
    except OSError as error:
        raise _cannot_open(path, error) from None


def _cannot_open(path: str | Path, error: OSError) -> InputError:
    return InputError(error.strerror or "cannot be read", str(path))
