"""Peers that are Python programs: asked about one block a run, without the start of a process for each.

Some children run the program many times over (served_child.py). One that does not answer in time is ended, and so is
one that crashes; a new one takes its place, and the block's answer is an error that says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from corecast.dataclass import dataclass
from corecast.evaluate.cases import Answers
from corecast.evaluate.predictors.text import Answer, answers_of

_CHILD = Path(__file__).with_name("served_child.py")
_FIRST_SECONDS = 600.0
"""More time for a child's first answer: it loads the tool."""
_CHUNK = 1 << 16
_SHOWN = 120


@dataclass(frozen=True)
class Said:
    """What one run of the program gave."""

    code: int
    output: str
    error: str

    def problem(self) -> str:
        words = " ".join(self.error.split())[:_SHOWN] or f"exit code {self.code}"
        return f"error: {words}"


class Served:
    """Children that run one program, as many as there are threads."""

    def __init__(self, command: Sequence[str], jobs: int, seconds: float) -> None:
        """`command`: the interpreter and the program; `seconds`: how long one block may take."""
        self._children = [_Child([command[0], str(_CHILD), command[1]], seconds) for _ in range(jobs)]

    def answers(
        self, count: int, ask: Callable[[int, Path], Sequence[str] | Answer], read: Callable[[Said], Answer]
    ) -> Answers:
        """One answer for each of `count` places.

        Args:
            count: of places.
            ask: the arguments for a place, with files in a folder that goes at the end; or what the answer is without
                a run.
            read: the answer out of what a run said.
        """
        found: list[Answer] = [(None, "")] * count
        requests: list[tuple[int, Sequence[str]]] = []

        def take(place: int, said: Said | Answer) -> None:
            found[place] = said if isinstance(said, tuple) else read(said)

        with tempfile.TemporaryDirectory(prefix="corecast-peer-") as folder:
            for place in range(count):
                asked = ask(place, Path(folder))
                if isinstance(asked, tuple):
                    found[place] = asked
                else:
                    requests.append((place, asked))
            self._run(requests, take)
        return answers_of(found)

    def _run(self, requests: Iterable[tuple[int, Sequence[str]]], take: Callable[[int, Said | Answer], None]) -> None:
        """Runs the program with each list of arguments; `take` gets its number with what was said, in any order."""
        waiting: SimpleQueue[tuple[int, Sequence[str]]] = SimpleQueue()
        for request in requests:
            waiting.put(request)

        failures: list[BaseException] = []

        def work(child: _Child) -> None:
            try:
                while True:
                    place, arguments = waiting.get_nowait()
                    take(place, child.ask(arguments))
            except Empty:
                pass
            except BaseException as error:
                failures.append(error)

        threads = [Thread(target=work, args=(child,)) for child in self._children]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]


class _Child:
    def __init__(self, command: list[str], seconds: float) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[..., _Child] | None = None

    def ask(self, arguments: Sequence[str]) -> Said | Answer:
        first = self._process is None
        process = self._process or self._start()
        assert process.stdin is not None
        limit = self._seconds + (_FIRST_SECONDS if first else 0)
        try:
            process.stdin.write(json.dumps(list(arguments)).encode() + b"\n")
            process.stdin.flush()
            line = _read_line(process, limit)
        except TimeoutError:
            self.stop()
            return None, f"error: no answer within {limit:.0f} s"
        except BrokenPipeError:
            line = b""
        if not line:
            code = process.wait()
            self.stop()
            return None, f"error: crash ({f'signal {-code}' if code < 0 else f'exit code {code}'})"
        return Said(**json.loads(line))

    def stop(self) -> None:
        if self._end is not None:
            self._end()
        self._process = None

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that the run that it has forked can be ended with it
        )
        self._process = process
        self._end = weakref.finalize(self, _finish, process)
        return process


def _finish(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()


def _read_line(process: subprocess.Popen[bytes], seconds: float) -> bytes:
    """A line, or b"" where the process ended.

    Raises:
        TimeoutError: none came in time.
    """
    assert process.stdout is not None
    until = time.monotonic() + seconds
    parts: list[bytes] = []
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not parts or not parts[-1].endswith(b"\n"):
            if not selector.select(max(0.0, until - time.monotonic())):
                raise TimeoutError
            part = os.read(process.stdout.fileno(), _CHUNK)
            if not part:
                return b""
            parts.append(part)
    return b"".join(parts)
