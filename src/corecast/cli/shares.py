"""Large programs are analyzed by several processes, each with its share of the file's parts."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from corecast.hints import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from corecast.analysis.analysis_result import AnalysisResult

_LARGE = 8 << 20
"""Bytes of a file from which on several processes are worth their start."""
_START = 4096
"""Bytes that tell an object file."""
_MOST = 32
_Answer = TypeVar("_Answer")


def processes_for(file: str) -> int:
    """How many processes share the work on a file: one per processor for a large file, 1 for others."""
    from corecast.prediction.engine import processors

    try:
        size = os.path.getsize(file)
    except OSError:  # said where the file is read
        return 1
    if size < _LARGE or not hasattr(os, "fork") or not os.path.isfile(file) or not is_object(file):
        return 1
    return max(1, min(processors(), size // (_LARGE // 4), _MOST))


def is_object(file: str) -> bool:
    """Whether the file is an object file, by its first bytes."""
    from corecast.asm.detect import input_kind
    from corecast.errors import ObjectFileError

    try:
        with open(file, "rb") as stream:
            return input_kind(file, stream.read(_START)) == "object"
    except (OSError, ObjectFileError):  # said where it is read
        return False


def in_processes(work: Callable[[int], _Answer], count: int) -> list[_Answer] | None:
    """What `work` gives for each of the numbers below `count`, in their order, each in a process of its own.

    None where one of them fails: only doing the work here shows why.
    """
    import pickle

    sys.stdout.flush()
    sys.stderr.flush()
    children: list[tuple[int, int]] = []
    answers: list[_Answer] = []
    try:
        for number in range(count):
            children.append(_start(work, number))
        while children:
            child, pipe = children[0]
            with os.fdopen(pipe, "rb") as stream:
                content = stream.read()
            children.pop(0)
            _, status = os.waitpid(child, 0)
            if status != 0:
                return None
            answers.append(pickle.loads(content))
    finally:
        for child, pipe in children:  # after a failure, or an interrupt
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                os.close(pipe)
    return answers


def _start(work: Callable[[int], _Answer], number: int) -> tuple[int, int]:
    """A process that does the work of a number and writes the answer to a pipe: its id, and the pipe's other end."""
    import pickle

    source, target = os.pipe()
    child = os.fork()
    if child:
        os.close(target)
        return child, source
    status = 1
    try:
        os.close(source)
        content = pickle.dumps(work(number), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(target, "wb") as stream:
            stream.write(content)
        status = 0
    finally:
        os._exit(status)  # nothing of the parent's is done twice


def merged(shares: Sequence[AnalysisResult]) -> AnalysisResult:
    """The results for the shares of one file on one core as one."""
    from corecast.asm.region_choice import NO_LOOP
    from corecast.dataclass import replace

    regions = [region for share in shares for region in share.regions]
    loops = [each for each in regions if not any(warning.startswith(NO_LOOP) for warning in each.warnings)]
    failures = tuple(dict.fromkeys(failure for share in shares for failure in share.failures))
    return replace(shares[0], regions=tuple(loops or regions), failures=failures)
