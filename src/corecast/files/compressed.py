"""Text files that may be compressed, by the end of their name."""

from __future__ import annotations

import gzip
import lzma
import zlib
from pathlib import Path

from corecast.hints import TextIO, cast

BROKEN = (gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError)
"""What reading a damaged file raises."""


def present(path: Path) -> Path:
    """The file, or where there is none the one with `.gz` behind its name: wheels have form tables so."""
    packed = path.with_name(f"{path.name}.gz")
    return packed if not path.exists() and packed.exists() else path


def read_bytes(path: Path) -> bytes:
    """What a file contains, unpacked where its name ends in `.gz`. Raises OSError where it cannot be read."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def open_text(path: Path, newline: str | None = None) -> TextIO:
    """A text file for reading: `.gz` with gzip, `.xz` with LZMA, others as they are.

    Raises:
        OSError: it cannot be opened. Reading raises one of `BROKEN` where it is not what its name says.
    """
    if path.suffix == ".gz":
        return cast(TextIO, gzip.open(path, "rt", encoding="utf-8", newline=newline))
    if path.suffix == ".xz":
        return cast(TextIO, lzma.open(path, "rt", encoding="utf-8", newline=newline))
    return path.open(encoding="utf-8", newline=newline)
