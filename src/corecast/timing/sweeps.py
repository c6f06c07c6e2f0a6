"""Sweeps over blocks on several cores: every block is visited again, some time later, until its verdict is settled."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, Queue

from corecast.dataclass import dataclass, field, replace
from corecast.timing.journal import Journal, Key
from corecast.timing.timer import BlockTimer, Interrupted
from corecast.timing.verdict import Verdict
from corecast.timing.visits import settle

_SHARED = 0.05
"""A core whose witness once took so much less, relatively, had been shared; alone it varies by half a per cent."""
_WAIT_SECONDS = 0.2
_MOST_SWEEPS = 12
"""Visits that turn out to be void are made again, but not for ever."""


@dataclass
class Sweeps:
    """Visits to blocks, all of which go to the journal."""

    team: Sequence[BlockTimer]
    """One a core."""
    journal: Journal
    apart_seconds: float
    """Between two visits to a block, at least."""
    problems: list[str] = field(default_factory=list)
    """Messages of measurements that failed."""

    def run(self, keys: Sequence[Key], told: Callable[[int, int], None]) -> None:
        """Visits blocks until all are settled.

        Args:
            keys: the blocks.
            told: called after every visit with how many there were, and how many there will be, as far as is known.
        """
        done = 0
        for sweep in range(_MOST_SWEEPS):
            open_keys = [key for key in keys if self.verdict(key) is None]
            if not open_keys:
                return
            expected = sum(1 if self.journal.visits.get(key) else 2 for key in open_keys)
            self._sweep(_order(open_keys, sweep), lambda count: told(done + count, done + expected))  # noqa: B023
            done += len(open_keys)

    def verdict(self, key: Key) -> Verdict | None:
        """What the visits so far say. None: it takes another one."""
        return settle_alone(self.journal.visits.get(key, ()), min_witness(self.team))

    def _sweep(self, keys: Sequence[Key], told: Callable[[int], None]) -> None:
        todo: Queue[tuple[float, Key]] = Queue()
        now, here = time.time(), time.monotonic()
        for key in keys:
            last = max((visit.seconds for visit in self.journal.visits.get(key, ())), default=0.0)
            # Visits of earlier runs have the time of day, which may have been set since: never wait longer than once.
            todo.put((here + min(self.apart_seconds, last + self.apart_seconds - now), key))
        results: Queue[tuple[Key, Verdict, str] | BaseException] = Queue()
        stop = threading.Event()
        workers = [threading.Thread(target=_run, args=(timer, todo, results, stop), daemon=True) for timer in self.team]
        try:
            for worker in workers:
                worker.start()
            for count in range(1, len(keys) + 1):
                found = results.get()
                if isinstance(found, BaseException):
                    raise found
                key, verdict, problem = found
                if problem:
                    self.problems.append(problem)
                self.journal.add(key, verdict)
                told(count)
        finally:
            stop.set()
            for worker in workers:
                worker.join()


def min_witness(team: Sequence[BlockTimer]) -> float:
    """What a core that nobody shares takes for the witness, as far as is known by now."""
    return max((timer.clock.witness for timer in team), default=0.0)


def settle_alone(visits: Sequence[Verdict], witness: float) -> Verdict | None:
    """As settle(), without visits made while no core was known to be as fast as it is known to be by now: a neighbour
    that was busy from the start passes for a slower core, until it pauses."""
    most = witness * (1 + _SHARED) if witness else float("inf")
    return settle([visit for visit in visits if visit.witness <= most])


def _order(keys: Sequence[Key], sweep: int) -> list[Key]:
    """Another one in every sweep, for what disturbs may come in a rhythm; but each half by itself, so that much time
    lies between two visits."""
    if sweep == 0:
        return list(keys)
    chance = random.Random(sweep)
    halves = [list(keys[: len(keys) // 2]), list(keys[len(keys) // 2 :])]
    for half in halves:
        chance.shuffle(half)
    return halves[0] + halves[1]


def _run(
    timer: BlockTimer,
    todo: Queue[tuple[float, Key]],
    results: Queue[tuple[Key, Verdict, str] | BaseException],
    stop: threading.Event,
) -> None:
    """One core's thread. It runs on its core, so that what it computes disturbs no other one."""
    try:
        if timer.runner.is_here:
            os.sched_setaffinity(0, {timer.cpu})
        while not stop.is_set():
            try:
                due, key = todo.get_nowait()
            except Empty:
                return
            if stop.wait(max(0.0, due - time.monotonic())):
                return
            try:
                results.put((key, replace(timer.time(key.code, key.place), seconds=time.time()), ""))
            except Interrupted:
                # An interrupt reaches the block's process as well: it is measured anew, unless we are to stop.
                todo.put((0.0, key))
                stop.wait(_WAIT_SECONDS)
            except Exception as error:  # of one block: the others can still be timed
                problem = f"{key.code.hex()}: {type(error).__name__}: {error}"
                results.put((key, Verdict(reason="failed", seconds=time.time()), problem))
    except BaseException as error:
        results.put(error)
