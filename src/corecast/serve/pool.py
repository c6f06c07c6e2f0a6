"""Warm worker processes, each of which does one job at a time and is killed when that takes too long."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

from corecast.errors import CorecastError
from corecast.serve.frames import HEAD, READY, STARTED

JOBS_OF_A_WORKER = 500
"""Requests after which a worker is replaced, which releases memory that it leaked."""
START_SECONDS = 60.0


class Busy(CorecastError):
    """More jobs wait than are worth waiting for."""


class Stopped(CorecastError):
    """The worker was killed or ended before it had an answer."""


class Worker:
    """One process. It is ready as soon as it has said so."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._groups: set[int] = set()
        self.jobs = 0

    @classmethod
    async def start(cls, cpu: str) -> Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "corecast.serve.worker",
            cpu,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if os.environ.get("CORECAST_DEBUG") == "1" else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        worker = cls(process)
        try:
            status, _ = await asyncio.wait_for(worker._frame(), START_SECONDS)
        except BaseException:
            await worker.end()
            raise
        if status != READY:
            await worker.end()
            raise Stopped("a worker said something else than that it is ready")
        return worker

    async def ask(self, payload: bytes, seconds: float) -> tuple[int, bytes]:
        """Status and body of the answer.

        Raises:
            Stopped: it took too long, or the process ended.
        """
        self.jobs += 1
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(HEAD.pack(len(payload), 0) + payload)
            await stdin.drain()
            status, body = await asyncio.wait_for(self._answer(), seconds)
        except asyncio.TimeoutError:
            raise Stopped(f"this takes more than {seconds:.0f} s") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            code = await self._process.wait()
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            raise Stopped(f"the process that analyzes ended ({how}), perhaps for lack of memory") from None
        self._groups.clear()
        return status, body

    async def _answer(self) -> tuple[int, bytes]:
        while True:
            status, body = await self._frame()
            if status != STARTED:
                return status, body
            self._groups.add(int(body))

    async def _frame(self) -> tuple[int, bytes]:
        stdout = self._process.stdout
        assert stdout is not None
        size, status = HEAD.unpack(await stdout.readexactly(HEAD.size))
        return status, await stdout.readexactly(size)

    async def end(self) -> None:
        """Kill the process, and compilers that it has started."""
        for group in (self._process.pid, *self._groups):
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        # Not process.kill(): it may take the exit status from asyncio's watcher, which then complains.
        await self._process.wait()


class Pool:
    """So many workers; one that ended is replaced before somebody asks for it."""

    def __init__(self, size: int, most_waiting: int, cpu: str) -> None:
        self._size = size
        self._most_waiting = most_waiting
        self._cpu = cpu
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._closed = False

    def open(self) -> None:
        """Starts the workers, without waiting for them."""
        for _ in range(self._size):
            self._start_one()

    def _start_one(self) -> None:
        task = asyncio.get_running_loop().create_task(self._started())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _started(self) -> None:
        pause = 0.1
        while not self._closed:
            try:
                worker = await Worker.start(self._cpu)
            except (Stopped, OSError, EOFError, asyncio.TimeoutError):
                await asyncio.sleep(pause)
                pause = min(10.0, 2 * pause)
                continue
            self._workers.add(worker)
            self._idle.put_nowait(worker)
            return

    async def ask(self, payload: bytes, seconds: float) -> tuple[int, bytes]:
        """Status and body of a worker's answer.

        Raises:
            Busy: too many jobs wait.
            Stopped: as `Worker.ask`.
        """
        if self._waiting >= self._most_waiting:
            raise Busy("too many requests at the same time: try again in a moment")
        self._waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self._waiting -= 1
        try:
            found = await worker.ask(payload, seconds)
        except BaseException:
            await self._replace(worker)
            raise
        if worker.jobs >= JOBS_OF_A_WORKER:
            await self._replace(worker)
        else:
            self._idle.put_nowait(worker)
        return found

    async def _replace(self, worker: Worker) -> None:
        self._workers.discard(worker)
        self._start_one()
        await asyncio.shield(worker.end())

    async def close(self) -> None:
        self._closed = True
        for task in tuple(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._workers), return_exceptions=True)
        self._workers.clear()
