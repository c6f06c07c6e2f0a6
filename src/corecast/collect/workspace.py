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
_LOCK = "lock"


@contextmanager
def workspace() -> Iterator[Path]:
    """A folder for the time of the `with` block. Those whose owners were killed are removed."""
    _remove_orphans()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _remove_orphans() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue  # somebody else's, or about to be locked
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # its owner lives
        finally:
            os.close(lock)
