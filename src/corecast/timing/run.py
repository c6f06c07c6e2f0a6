"""All blocks of a file, on several cores, with every visit so far kept."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path

from corecast import __version__
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.hints import BinaryIO
from corecast.measure.run.host import require_cores
from corecast.timing.cores import choose_cores, independent
from corecast.timing.foreign import refuse_foreign
from corecast.timing.journal import Journal, Key
from corecast.timing.rows import NEW_COLUMNS, BlockFile
from corecast.timing.runner import Runner, local_runner
from corecast.timing.sweeps import Sweeps
from corecast.timing.timer import BlockTimer
from corecast.timing.verdict import Mode, Verdict

_DIGITS = 4
APART_SECONDS = 20.0


@dataclass(frozen=True)
class TimingOptions:
    mode: Mode = "unroll"
    cores: Sequence[int] | None = None
    """To run on; None: idle ones."""
    timeout_seconds: float = 2.0
    """For a batch of samples of a block."""
    apart_seconds: float = APART_SECONDS
    """Between two visits to a block, at least."""
    isa: Isa | None = None
    """Instruction set of rows that do not name one; None: the runner's, if most of them are legal code of it."""
    runner: Runner = field(default_factory=local_runner)
    """Who executes the code."""


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
        self.problems: list[str] = []
        """Messages of measurements that failed."""
        self._verdicts: dict[Key, Verdict] = {}

    def check(self) -> None:
        """Raises InputError where the journal holds visits to blocks that the output would not: they would be lost."""
        known = self.journal.visits
        left = known.keys() - {row.key for row in self.blocks.rows()} if known else ()
        if left:
            raise InputError(
                f"holds timings of {len(left):,} blocks that {self.blocks.path} does not have: time the file that it "
                "belongs to, remove it, or name another output",
                str(self.journal.path),
            )

    def keys(self) -> Iterator[Key]:
        """The file's blocks, each once."""
        seen = set()
        for row in self.blocks.rows():
            if row.key is not None and row.key not in seen:
                seen.add(row.key)
                yield row.key

    def settle(self, sweeps: Sweeps, keys: Sequence[Key]) -> None:
        for key in keys:
            self._verdicts[key] = sweeps.verdict(key) or Verdict(reason="disturbed")

    def write(self, sink: BinaryIO, mode: Mode) -> Tally:
        """The file's rows with what was measured."""
        tally = Tally()
        text = TextIOWrapper(sink, encoding="utf-8", errors="surrogateescape", newline="", write_through=True)
        try:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow([*self.blocks.columns, *NEW_COLUMNS])
            for row in self.blocks.rows():
                found = self._verdicts[row.key] if row.key is not None else Verdict(reason=row.problem)
                tally.rows += 1
                if found.cycles is None:
                    tally.rejected[found.reason] += 1
                else:
                    tally.measured += 1
                step = "" if found.register_step is None else found.register_step
                writer.writerow([*row.cells, _text(found.cycles), _text(found.spread), found.reason, mode, step])
        finally:
            text.detach()
        return tally


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.{_DIGITS}f}"


def open_timing(path: str, journal: Path | None, options: TimingOptions) -> Timing:
    """Opens the file and its journal. Nothing is written where this fails.

    Raises:
        InputError: the file has no column hex, or most of it is code of another instruction set; there is no such core;
            the journal is of another machine, mode or file, damaged, or in use.
    """
    if options.cores is not None:
        require_cores(options.cores, options.runner.cores)
    isa = options.runner.isa
    blocks = BlockFile(path, isa, options.isa)
    if options.isa is None and isa:
        refuse_foreign((row.key.code for row in blocks.rows() if row.key is not None and row.isa_unsaid), isa, path)
    head = {"version": __version__, "cpu": options.runner.name, "mode": options.mode}
    timing = Timing(blocks, Journal(journal, head))
    try:
        timing.check()
    except BaseException:
        timing.journal.close()
        raise
    return timing


def time_blocks(
    timing: Timing, options: TimingOptions, progress: Callable[[int, int], None] | None = None
) -> Sequence[int]:
    """Visits blocks until all are measured or rejected, and returns the cores that it ran on.

    Args:
        timing: from open_timing().
        options: how.
        progress: called now and then with how many of how many visits are made.

    Raises:
        InputError: this machine cannot be measured. OSError: the journal cannot be written.
        KeyboardInterrupt: the visits made so far are in the journal.
    """
    runner = options.runner
    if runner.obstacle:
        raise InputError(runner.obstacle)
    keys = list(timing.keys())
    sweeps = Sweeps((), timing.journal, options.apart_seconds)
    if all(sweeps.verdict(key) is not None for key in keys):
        timing.settle(sweeps, keys)
        return ()
    timers = {
        core: BlockTimer(core, options.mode, options.timeout_seconds, runner=runner.another())
        for core in choose_cores(options.cores, runner)
    }
    try:
        for timer in timers.values():
            timer.calibrate()
        cores = list(timers)
        if options.cores is None:
            cores = independent(cores, lambda core: timers[core].pace())
        sweeps.team = [timers[core] for core in cores]
        sweeps.run(keys, progress or (lambda done, expected: None))
    finally:
        for timer in timers.values():
            timer.runner.close()
    timing.settle(sweeps, keys)
    timing.problems = sweeps.problems
    return cores
