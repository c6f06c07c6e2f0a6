"""Running a foreign program under limits: CPU time, memory, size of files, no network, all of its children ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from corecast.dataclass import dataclass
from corecast.hints import Any

_PR_SET_PDEATHSIG = 1
_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "RUSTUP_HOME", "CARGO_HOME", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Environment variables that compilers need; nothing else is handed on."""


@dataclass(frozen=True)
class Limits:
    """What a program may use."""

    seconds: float = 10.0
    """Wall-clock time; CPU time, rounded up, too."""
    memory_bytes: int = 2 << 30
    """Address space of each process."""
    file_bytes: int = 32 << 20
    """Of each file that it writes."""
    output_bytes: int = 256 << 10
    """Of its messages; the rest is dropped."""
    processes: int = 64
    """Of the user at the same time; without effect for root."""


def run_limited(
    arguments: Sequence[str],
    folder: str | os.PathLike[str],
    limits: Limits,
    started: Callable[[int], None] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program in `folder`; its output and messages together are `stdout`.

    It gets a process group that is killed when the program ends or its time is over, `folder` for temporary files, and
    on Linux no network where the kernel allows that. `started` is called with the number of the process group, so that
    another process can end it if this one is killed.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: its time is over.
    """
    output = os.path.join(folder, ".messages")
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["TMPDIR"] = str(folder)
    with open(output, "wb+") as messages:
        process = subprocess.Popen(
            list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=messages,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            **_isolation(limits),
        )
        try:
            if started is not None:
                started(process.pid)
            code = process.wait(limits.seconds)
        finally:
            end_group(process)
        messages.seek(0)
        return subprocess.CompletedProcess(list(arguments), code, messages.read(limits.output_bytes))


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and all that it started in its process group, and wait for it."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _isolation(limits: Limits) -> Mapping[str, Any]:
    if os.name != "posix":
        return {}
    return {"start_new_session": True, "preexec_fn": _preparation(limits)}


def _preparation(limits: Limits) -> Callable[[], None]:
    """What the child does before it becomes the program. Everything is imported beforehand: a child must not import."""
    import ctypes
    import math
    import resource

    library = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    unshare, prctl = getattr(library, "unshare", None), getattr(library, "prctl", None)
    seconds = math.ceil(limits.seconds)
    amounts = [
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CORE, 0),
    ]
    if hasattr(resource, "RLIMIT_NPROC"):
        amounts.append((resource.RLIMIT_NPROC, _processes_now() + limits.processes))
    user, group = os.getuid(), os.getgid()

    def prepare() -> None:
        if prctl is not None:
            prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        for kind, amount in amounts:
            _, hard = resource.getrlimit(kind)
            bounded = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
            with suppress(OSError, ValueError):
                resource.setrlimit(kind, (bounded, bounded))
        if unshare is None or unshare(_CLONE_NEWNET) == 0:
            return
        if unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0:  # without privileges: a user namespace first
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{user} {user} 1"),
                ("gid_map", f"{group} {group} 1"),
            ):
                with suppress(OSError), open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                    file.write(text)

    return prepare


def _processes_now() -> int:
    """Processes of this user, which the limit counts, too."""
    user = os.getuid()
    count = 0
    try:
        with os.scandir("/proc") as entries:
            for entry in entries:
                if entry.name.isdigit():
                    with suppress(OSError):
                        count += entry.stat().st_uid == user and len(os.listdir(f"/proc/{entry.name}/task"))
    except OSError:
        return 4096
    return count
