"""Signals that end a command are handled as Ctrl-C is: temporary files are removed, a message names what is kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from corecast.errors import Terminated
from corecast.hints import NoReturn

_SIGNALS = (signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


@contextmanager
def ending_signals() -> Iterator[None]:
    """Within the `with` block such a signal raises Terminated. Signals that somebody handles or ignores stay so."""
    ours = []
    with suppress(ValueError):  # only the main thread may handle signals
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _raise)
                ours.append(number)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated(number)
