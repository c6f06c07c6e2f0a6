"""Results that are written bit by bit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from corecast.cli.output_check import check_target
from corecast.files.atomic import naming, replacing
from corecast.hints import BinaryIO


@contextmanager
def result_stream(target: str | None, inputs: Sequence[str] = ()) -> Iterator[BinaryIO]:
    """A stream of bytes to `target`, or to standard output where that is None or "-".

    A file appears, or is replaced, when the `with` block ends; not where that ends with an exception. Pipes, devices
    and standard output get what is written at once.

    Raises:
        InputError: the target is an input, or a folder.
        OSError: it cannot be written; the old content of a file is still there then.
    """
    if target is None or target == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    check_target(target, inputs)
    if os.path.exists(target) and not os.path.isfile(target):
        with naming(target), open(target, "wb") as stream:
            yield stream
        return
    with replacing(target) as stream:
        yield stream
