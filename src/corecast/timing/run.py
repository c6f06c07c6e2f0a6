"""All blocks of a file, on several cores, with what was measured so far kept."""

from __future__ import annotations

import csv
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from queue import Empty, Queue
from typing import BinaryIO

from corecast import __version__, _core
from corecast.errors import InputError
from corecast.measure.host import host_name
from corecast.timing.cores import choose_cores, independent
from corecast.timing.journal import Journal, Key
from corecast.timing.rows import NEW_COLUMNS, BlockFile
from corecast.timing.timer import BlockTimer, Interrupted
from corecast.timing.verdict import Mode, Verdict

_DIGITS = 4
_AGAIN = ("disturbed", "unstable")
"""Reasons that another time may not be there: such blocks are tried once more when all others are done."""
_SHARED = 0.05
"""A core whose witness once took so much less, relatively, had been shared; alone it varies by half a per cent."""
_WAIT_SECONDS = 0.2


@dataclass(frozen=True)
class TimingOptions:
    mode: Mode = "unroll"
    cores: Sequence[int] | None = None
    """To run on; None: idle ones."""
    timeout_seconds: float = 2.0
    """For a batch of samples of a block."""


@dataclass
class Tally:
    """What became of the rows."""

    rows: int = 0
    measured: int = 0
    rejected: Counter[str] = field(default_factory=Counter)


class Timing:
    """The blocks of one file."""

    def __init__(self, blocks: BlockFile, journal: Journal) -> None:
        self.blocks = blocks
        self.journal = journal

    def pending(self) -> Iterator[Key]:
        """Blocks that are not measured yet, each once."""
        seen = set(self.journal.verdicts)
        for row in self.blocks.rows():
            if row.key is not None and row.key not in seen:
                seen.add(row.key)
                yield row.key

    def write(self, sink: BinaryIO, mode: Mode) -> Tally:
        """The file's rows with what was measured."""
        tally = Tally()
        text = TextIOWrapper(sink, encoding="utf-8", errors="surrogateescape", newline="", write_through=True)
        try:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow([*self.blocks.columns, *NEW_COLUMNS])
            for row in self.blocks.rows():
                found = self.journal.verdicts[row.key] if row.key is not None else Verdict(reason=row.problem)
                tally.rows += 1
                if found.cycles is None:
                    tally.rejected[found.reason] += 1
                else:
                    tally.measured += 1
                writer.writerow([*row.cells, _text(found.cycles), _text(found.spread), found.reason, mode])
        finally:
            text.detach()
        return tally


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.{_DIGITS}f}"


def open_timing(path: str, journal: Path | None, options: TimingOptions) -> Timing:
    """Raises InputError where the file has no column hex, or the journal is of another machine or mode."""
    head = {"version": __version__, "cpu": host_name(), "mode": options.mode}
    return Timing(BlockFile(path, _core.measurable_isa()), Journal(journal, head))


def time_blocks(
    timing: Timing, options: TimingOptions, progress: Callable[[int, int], None] | None = None
) -> Sequence[int]:
    """Measures what is not measured yet, and returns the cores that it ran on.

    Args:
        timing: from open_timing().
        options: how.
        progress: called now and then with how many of how many blocks are done.

    Raises:
        InputError: this machine cannot be measured. OSError: the journal cannot be written.
        KeyboardInterrupt: whoever continues loses nothing.
    """
    obstacle = _core.measuring_obstacle()
    if obstacle:
        raise InputError(obstacle)
    waiting = list(timing.pending())
    if not waiting:
        return ()
    timers = {core: BlockTimer(core, options.mode, options.timeout_seconds) for core in choose_cores(options.cores)}
    for timer in timers.values():
        timer.calibrate()
    cores = list(timers) if options.cores is not None else independent(list(timers), lambda core: timers[core].pace())
    done = len(timing.journal.verdicts)
    total = done + len(waiting)

    def told(count: int) -> None:
        if progress is not None:
            progress(done + count, total)

    team = [timers[core] for core in cores]
    again = _work(team, waiting, timing.journal, told, last=False)
    again += _measured_beside_others(timing.journal, team)
    if again:
        _work(team, again, timing.journal, told, last=True)
    return cores


def _measured_beside_others(journal: Journal, team: Sequence[BlockTimer]) -> list[Key]:
    """Blocks timed while no core was known to be as fast as all are known to be by now: a neighbour that was busy from
    the start passes for a slower core, until it pauses."""
    most = max(timer.clock.witness for timer in team) * (1 + _SHARED)
    return [key for key, verdict in journal.verdicts.items() if verdict.witness > most]


def _work(
    team: Sequence[BlockTimer], keys: Sequence[Key], journal: Journal, told: Callable[[int], None], *, last: bool
) -> list[Key]:
    """Has blocks measured; those that should be tried again."""
    todo: Queue[Key] = Queue()
    for key in keys:
        todo.put(key)
    results: Queue[tuple[Key, Verdict] | BaseException] = Queue()
    stop = threading.Event()
    workers = [threading.Thread(target=_run, args=(timer, todo, results, stop), daemon=True) for timer in team]
    again: list[Key] = []
    count = 0
    try:
        for worker in workers:
            worker.start()
        while count < len(keys):
            found = results.get()
            if isinstance(found, BaseException):
                raise found
            count += 1
            key, verdict = found
            if verdict.reason in _AGAIN and not last:
                again.append(key)
            else:
                journal.add(key, verdict)
            told(count)
    finally:
        stop.set()
        for worker in workers:
            worker.join()
    return again


def _run(
    timer: BlockTimer,
    todo: Queue[Key],
    results: Queue[tuple[Key, Verdict] | BaseException],
    stop: threading.Event,
) -> None:
    """One core's thread. It runs on its core, so that what it computes disturbs no other one."""
    try:
        os.sched_setaffinity(0, {timer.cpu})
        while not stop.is_set():
            try:
                key = todo.get_nowait()
            except Empty:
                return
            try:
                results.put((key, timer.time(key.code, key.place)))
            except Interrupted:
                # An interrupt reaches the block's process as well: it is measured anew, unless we are to stop.
                todo.put(key)
                stop.wait(_WAIT_SECONDS)
    except BaseException as error:
        results.put(error)
