"""Programs that a test interrupts."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence


def start(command: Sequence[str], **options: object) -> subprocess.Popen[bytes]:
    """Starts a program that heeds interrupts and hangups: a test run in the background may have been told to ignore
    them, and its children would inherit that."""
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    }
    try:
        return subprocess.Popen(command, **options)  # type: ignore[call-overload,no-any-return]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
