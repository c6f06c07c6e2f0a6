"""Files that are written atomically: readers see the old content or the new one, never a part."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress

from corecast.hints import TYPE_CHECKING, BinaryIO, Iterator

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: str | Path, text: str) -> None:
    """UTF-8 text, with the folders that lead to it.

    Raises:
        OSError: it cannot be written; the old content of the file is still there then, and no new folder.
    """
    from pathlib import Path

    missing = [folder for folder in Path(path).parents if not folder.exists()]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        with replacing(path) as stream:
            stream.write(text.encode())
    except BaseException:
        for folder in missing:
            with suppress(OSError):  # somebody has used it meanwhile
                folder.rmdir()
        raise


@contextmanager
def replacing(path: str | Path, *, dry: bool = False) -> Iterator[BinaryIO]:
    """Writes beside a file and renames when the `with` block ends: readers see the old file or the new one, never a
    part. After an exception the old one is still there.

    Args:
        path: of the file.
        dry: only try: what is written is removed in the end.

    Raises:
        OSError: it cannot be written; with its name.
    """
    target = os.path.realpath(path)  # what a link points to is replaced, not the link
    try:
        descriptor, temporary = _new_file(os.path.dirname(target))
    except OSError as error:  # it names the temporary file
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with naming(path):
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fchmod(stream.fileno(), _mode(target))
            if dry:
                os.unlink(temporary)
            else:
                os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _new_file(folder: str) -> tuple[int, str]:
    """A file that nobody else has, open for writing, and its name: `tempfile` takes long to import."""
    while True:
        path = os.path.join(folder, f".corecast-{os.urandom(8).hex()}")
        with suppress(FileExistsError):
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), path


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Errors of the system that name no file name this one."""
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
