"""Signals that end a command are handled as Ctrl-C is: temporary files are removed, a message names what is kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from corecast.errors import Terminated

_SIGNALS = (signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


@contextmanager
def ending_signals() -> Iterator[None]:
    """Within the `with` block such a signal raises Terminated. Signals that somebody handles or ignores stay so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _raise)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated(number)
