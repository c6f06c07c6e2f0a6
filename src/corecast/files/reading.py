"""Opening what the user named."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, TextIO

from corecast.errors import InputError


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
