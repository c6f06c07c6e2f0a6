"""Folders of temporary files that do not stay behind, even of processes that were killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "corecast-collect-"
_LOCK = ".lock"


@contextmanager
def workspace() -> Iterator[Path]:
    """A folder for the time of the `with` block. Those whose owners were killed are removed."""
    _remove_orphans()
    lock, path = _locked()
    folder = path.with_suffix("")
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        _remove(path)
        os.close(lock)


def _locked() -> tuple[int, Path]:
    """A new file beside the folder-to-be, locked as long as its owner lives: there is no folder without one."""
    while True:
        lock, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_LOCK)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink:
            return lock, Path(name)
        os.close(lock)  # another process has taken it for an orphan


def _remove(path: Path) -> None:
    """The folder first: as long as it is there, so is its lock."""
    shutil.rmtree(path.with_suffix(""), ignore_errors=True)
    path.unlink(missing_ok=True)


def _remove_orphans() -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*{_LOCK}"):
        try:
            lock = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue  # somebody else's, or gone
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path)
        except OSError:
            pass  # its owner lives
        finally:
            os.close(lock)
