"""The running program: it ends when it likes, when its time is over, or with us."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from corecast.errors import InputError, Terminated

_GRACE_SECONDS = 20.0
"""Between being asked to end and being killed: callgrind writes its counts meanwhile."""
_PR_SET_PDEATHSIG = 1


def run(command: Sequence[str], seconds: float | None) -> tuple[int, bool]:
    """Runs a program with our standard streams. Its exit code (below 0: the signal that ended it), and whether its time
    was over.

    Interrupts from the terminal reach the program as well as us; it decides whether it ends.

    Raises:
        InputError: it cannot be started.
        KeyboardInterrupt: a second interrupt, or the program is gone.
    """
    try:
        child = subprocess.Popen(command, preexec_fn=_end_with_parent if sys.platform == "linux" else None)
    except OSError as error:
        raise InputError(error.strerror or "cannot be started", command[0]) from None
    deadline = None if seconds is None else time.monotonic() + seconds
    interrupted = False
    try:
        while True:
            try:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                return child.wait(left), False
            except subprocess.TimeoutExpired:
                return _end(child), True
            except Terminated:  # it reached us alone
                raise
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()


def _end_with_parent() -> None:
    """In the child: who collects may be killed, and nobody would end the program then."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(child: subprocess.Popen[bytes]) -> int:
    for pid in [child.pid, *_descendants(child.pid)]:
        _signal(pid, signal.SIGTERM)
    try:
        return child.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # it may have ended by itself
        os.kill(pid, number)


def _descendants(ancestor: int) -> list[int]:
    """Processes that a process has started, directly or not."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found: list[int] = []
    waiting = [ancestor]
    while waiting:
        fresh = children.get(waiting.pop(), [])
        found += fresh
        waiting += fresh
    return found
