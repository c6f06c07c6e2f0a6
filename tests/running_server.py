"""A server as users start it, and requests to it."""

from __future__ import annotations

import http.client
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

LOOP = "".join(f"{line}\n" for line in (".L1:", " vmulpd (%rsi,%rax), %ymm1, %ymm2", " addq $32, %rax", " jne .L1"))


@dataclass(frozen=True)
class Running:
    """A server that accepts connections."""

    address: str
    process: subprocess.Popen[str]
    folder: Path
    """The temporary folder of the server and all that it starts."""

    @property
    def port(self) -> int:
        port = urlsplit(self.address).port
        assert port is not None
        return port

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None,
        whole_path: bool = False,
    ) -> tuple[int, dict[str, str], bytes]:  # fmt: skip
        """Status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            place = path if whole_path else urlsplit(self.address).path + path
            connection.request(method, place, body, dict(headers or {}))
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()

    def post(self, name: str, **fields: Any) -> tuple[int, Any]:
        """Status and document of an answer of the API."""
        status, _, body = self.ask("POST", f"api/v1/{name}", json.dumps(fields).encode())
        return status, json.loads(body)

    def processes(self) -> list[int]:
        """Everything that runs below the server."""
        return descendants(self.process.pid)

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(20)


def descendants(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, task.read_text(encoding="ascii").split()):
            found += [child, *descendants(child)]
    return found


def runs(process: int) -> bool:
    try:
        state = (
            Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
        )
    except OSError:
        return False
    return state not in "ZX"


def wait_until_gone(processes: Sequence[int], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not any(map(runs, processes)):
            return True
        time.sleep(0.05)
    return False


@contextmanager
def running(folder: Path, *options: str, browser: str = "") -> Iterator[Running]:
    """`corecast serve`, on a free port; it is ended when the block is left. `browser`: what opens the page."""
    quiet = [] if browser else ["--no-browser"]
    process = subprocess.Popen(
        [sys.executable, "-m", "corecast", "serve", *quiet, "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder), "BROWSER": browser},
    )
    try:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 60)[0], "the server does not start"
        yield Running(process.stdout.readline().strip(), process, folder)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout is not None:
            process.stdout.close()
