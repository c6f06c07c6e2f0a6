"""Files of our own that grow line by line: record files, and the journals of runs that can be resumed.

The first line says what the file is. Only a file that is new, empty or ours by that line is changed, and only by one
process at a time.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import time
from collections.abc import Iterator
from io import SEEK_END
from pathlib import Path

from corecast.errors import InputError
from corecast.hints import Any, BinaryIO

_TAIL_BYTES = 1 << 20
_HEAD_BYTES = 256
"""Enough to read the schema, which is the first member of the first line's object."""
_PATIENCE_SECONDS = 3.0
"""How long to wait for another process that is adding a line."""
_PAUSE_SECONDS = 0.05
_HELD = (errno.EWOULDBLOCK, errno.EACCES, errno.ENOENT)
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
"""Errors of file systems that cannot lock."""


class LineFile:
    """A file that is locked while it is open, and that ends in a whole line.

    Args:
        path: made where there is none.
        schema: every first line of such a file starts a JSON object with a key "schema" whose value starts so.
        what: such a file, for messages: "record file".

    Raises:
        InputError: the file is something else, or another process is writing it.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: str | Path, schema: str, what: str) -> None:
        self.path = Path(path)
        if not str(path):
            raise InputError("the name of the output is empty")
        self._stream, self._made = _locked(self.path, what)
        try:
            check_head(self._stream, schema, what, str(path))
            drop_torn_line(self._stream)
        except BaseException:
            self.close()
            raise

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines without their ends, and their numbers."""
        self._stream.seek(0)
        yield from enumerate((self._stream.read() or b"").split(b"\n")[:-1], start=1)

    def add(self, text: str) -> None:
        """Adds whole lines, all or none of them.

        Raises:
            OSError: they cannot be written; with the file's name.
        """
        content = memoryview(text.encode())
        start = self._stream.seek(0, SEEK_END)
        try:
            while content:
                written = self._stream.write(content)
                content = content[written:]
        except OSError as error:
            self._stream.truncate(start)
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def close(self) -> None:
        """A file that was made for nothing is removed."""
        if self._stream.closed:
            return
        if self._made and os.fstat(self._stream.fileno()).st_size == 0:
            self._unlink()
        self._stream.close()

    def remove(self) -> None:
        """Once all that it holds is written elsewhere."""
        if not self._stream.closed:
            self._unlink()
            self._stream.close()

    def _unlink(self) -> None:
        if _is_at(self._stream, self.path):
            os.unlink(self.path)


def _locked(path: Path, what: str) -> tuple[BinaryIO, bool]:
    """The open file, and whether it was made."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        made = not os.path.lexists(path)
        if path.exists() and not path.is_file():
            raise InputError("is not a file: remove it, or name another output", str(path))
        stream = open(path, "a+b", buffering=0)  # noqa: SIM115 (its owner closes it)
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(stream, path):  # else its owner removed it meanwhile
                return stream, made
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return stream, made
            if error.errno not in _HELD:
                stream.close()
                raise
        stream.close()
        if time.monotonic() >= deadline:
            raise InputError(
                f"another corecast process is writing this {what}: wait until it ends, or name another file", str(path)
            )
        time.sleep(_PAUSE_SECONDS)


def _is_at(stream: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def check_head(stream: BinaryIO, schema: str, what: str, path: str) -> None:
    """
    Args:
        stream: where the file is open; it is read from the start.
        schema: how the value of the first line's "schema" starts.
        what: such a file, for messages.
        path: its name.

    Raises:
        InputError: the file is neither empty nor ours.
    """
    stream.seek(0)
    start = stream.read(_HEAD_BYTES)
    if start and re.match(rb'\{\s*"schema"\s*:\s*"' + re.escape(schema.encode()), start) is None:
        raise InputError(f"is not a {what}: remove it, or name another file", path, 1)


def drop_torn_line(stream: BinaryIO) -> None:
    """Cuts off what a writer that was killed left behind the last whole line, and goes to the end. A last line that
    lacks nothing but its end, as editors leave it, gets one.

    Only for files that are known to be ours.
    """
    start = end = stream.seek(0, SEEK_END)
    whole = 0
    while start > 0 and not whole:
        start = max(0, start - _TAIL_BYTES)
        stream.seek(start)
        whole = (stream.read(min(_TAIL_BYTES, end - start)) or b"").rfind(b"\n") + 1
    last = start + whole
    stream.seek(last)
    if last < end:
        if is_object(stream.read(end - last)):
            stream.write(b"\n")
        else:
            stream.truncate(last)
    stream.seek(0, SEEK_END)


def is_object(line: bytes) -> bool:
    """Whether a line is a JSON object with nothing missing."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def read_object(line: bytes, what: str, path: str, number: int) -> dict[str, Any]:
    """The JSON object of a line.

    Raises:
        InputError: it is none; `what` names what it should be.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"not a {what}: {reason}", path, number) from None
    if not isinstance(found, dict):
        raise InputError(f"not a {what}: no JSON object", path, number)
    return found
