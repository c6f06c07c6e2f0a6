"""How far a command has come, on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from corecast.hints import ParamSpec

P = ParamSpec("P")

_REFRESH_SECONDS = 0.5
_ERASE = "\r\x1b[K"


@contextmanager
def progress_line(text: Callable[P, str], refresh_seconds: float = _REFRESH_SECONDS) -> Iterator[Callable[P, None]]:
    """A line, on a terminal only, that is written anew at most so often and is gone at the end.

    Args:
        text: what the line says; it is asked only where the line is written.
        refresh_seconds: between two writings.
    """
    if not sys.stderr.isatty():
        yield _nothing
        return
    shown = start = time.monotonic()

    def show(*args: P.args, **kwargs: P.kwargs) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= refresh_seconds:
            shown = now
            print(f"{_ERASE}{text(*args, **kwargs)} ", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown != start:
            print(_ERASE, end="", file=sys.stderr, flush=True)


def _nothing(*args: object, **kwargs: object) -> None:
    """No terminal: nobody watches."""
