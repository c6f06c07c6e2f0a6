"""Sweeps over blocks: two visits each, again where somebody else used the core, and no block ends a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from corecast import _core
from corecast.timing import run
from corecast.timing.journal import Journal
from corecast.timing.rows import BlockFile
from corecast.timing.runner import Runner
from corecast.timing.timer import Clock
from corecast.timing.verdict import Verdict

ALONE, SHARED = 1500.0, 2400.0
NEIGHBOUR_PAUSES_AT = 2
CODES = ("4801d8", "4829d8", "4821d8", "4809d8")


class FakeTimer:
    """A core with a busy neighbour, which pauses after two blocks; what is timed beside it takes half as long again."""

    def __init__(self, cpu: int, mode: str, timeout_seconds: float, *, runner: Runner) -> None:
        self.cpu = cpu
        self.runner = runner
        self.clock = Clock()
        self.timed: list[str] = []

    def calibrate(self) -> None:
        self.clock.witness = SHARED

    def time(self, code: bytes, address: int) -> Verdict:
        witness = self.clock.witness
        self.timed.append(code.hex())
        if len(self.timed) > NEIGHBOUR_PAUSES_AT:
            self.clock.witness = ALONE
            return Verdict(1.0, 0.001, witness=witness)
        return Verdict(1.5, 0.001, witness=witness)


class AloneTimer(FakeTimer):
    """Nobody disturbs; one code cannot be handled at all, and the first visit to another is wrong."""

    def calibrate(self) -> None:
        self.clock.witness = ALONE

    def time(self, code: bytes, address: int) -> Verdict:
        self.timed.append(code.hex())
        if code.hex() == CODES[1]:
            raise ValueError("not enough values to unpack")
        wrong = code.hex() == CODES[2] and self.timed.count(CODES[2]) == 1
        return Verdict(4.0 if wrong else 1.0, 0.001, witness=ALONE)


Made = Callable[[type[FakeTimer]], tuple[run.Timing, FakeTimer, list[tuple[int, int]]]]


@pytest.fixture
def timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    path = tmp_path / "blocks.csv"
    path.write_text("hex\n" + "\n".join(CODES) + "\n")

    def make(kind: type[FakeTimer]) -> tuple[run.Timing, FakeTimer, list[tuple[int, int]]]:
        made: list[FakeTimer] = []

        def timer(*arguments: object, **named: object) -> FakeTimer:
            made.append(kind(*arguments, **named))  # type: ignore[arg-type]
            return made[-1]

        monkeypatch.setattr(run, "BlockTimer", timer)
        monkeypatch.setattr(_core, "measuring_obstacle", lambda: "")
        timing = run.Timing(BlockFile(str(path), "x86"), Journal(None, {}))
        told: list[tuple[int, int]] = []
        core = min(os.sched_getaffinity(0))
        run.time_blocks(timing, run.TimingOptions(cores=[core], apart_seconds=0.0), lambda *at: told.append(at))
        return timing, made[0], told

    return make


def written(timing: run.Timing, tmp_path: Path) -> tuple[list[list[str]], run.Tally]:
    out = tmp_path / "out.csv"
    with open(out, "wb") as sink:
        tally = timing.write(sink, "loop")
    return [line.split(",") for line in out.read_text().splitlines()[1:]], tally


def test_what_was_measured_beside_a_neighbour_is_measured_again(timed: Made, tmp_path: Path) -> None:
    timing, core, told = timed(FakeTimer)
    rows, tally = written(timing, tmp_path)
    assert [row[1] for row in rows] == ["1.0000"] * 4
    assert tally.measured == 4
    assert core.timed[:4] == list(CODES)
    # The third is void, too: before it nobody knew how fast the core is.
    assert [core.timed.count(code) for code in CODES] == [3, 3, 3, 2]
    assert told[0] == (1, 8)


def test_no_block_ends_a_run(timed: Made, tmp_path: Path) -> None:
    timing, core, told = timed(AloneTimer)
    rows, tally = written(timing, tmp_path)
    assert [row[3] for row in rows] == ["", "failed", "", ""]
    assert rows[2][1] == "1.0000", "the first visit was wrong"
    assert [core.timed.count(code) for code in CODES] == [2, 4, 3, 2]
    assert timing.problems[0] == "4829d8: ValueError: not enough values to unpack"
    assert tally.rejected == {"failed": 1}
    assert told[-1][0] == 11


def test_blocks_are_visited_in_another_order(timed: Made) -> None:
    timing, _, _ = timed(AloneTimer)
    seconds = [visit.seconds for visits in timing.journal.visits.values() for visit in visits]
    assert all(seconds)
