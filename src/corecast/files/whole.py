"""Files that are written whole or not at all, and those that grow by whole lines."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_END, FileIO
from pathlib import Path
from typing import BinaryIO

_TAIL_BYTES = 1 << 20


def write_whole(path: str | Path, text: str) -> None:
    """UTF-8 text, with the folders that lead to it.

    Raises:
        OSError: it cannot be written; the old content of the file is still there then.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(text.encode())


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Writes beside a file and renames when the `with` block ends: readers see the old file or the new one, never a
    part. After an exception the old one is still there.

    Raises:
        OSError: it cannot be written; with its name.
    """
    import tempfile

    target = os.path.realpath(path)  # what a link points to is replaced, not the link
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".corecast-", dir=os.path.dirname(target))
    except OSError as error:  # which tells the name of what was to be beside it
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with naming(path):
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fchmod(stream.fileno(), _mode(target))
            os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Errors of the system tell this file where they tell none."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _mode(path: str) -> int:
    """Permissions of the file that is replaced, else what the process gives to new files."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def drop_torn_line(stream: BinaryIO | FileIO) -> None:
    """Cuts off what a writer that was killed left behind the last whole line, and goes to the end."""
    start = stream.seek(0, SEEK_END)
    while start > 0:
        start = max(0, start - _TAIL_BYTES)
        stream.seek(start)
        whole = (stream.read(_TAIL_BYTES) or b"").rfind(b"\n") + 1
        if whole or start == 0:
            stream.truncate(start + whole)
            break
    stream.seek(0, SEEK_END)
