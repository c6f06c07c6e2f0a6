"""What others on the machine keep from being timed is visited again when all else is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corecast.calibrate.bench import SimulatedBench
from corecast.calibrate.code import Block, shipped_blocks
from corecast.calibrate.journal import Journal
from corecast.calibrate.validate import MOST_LATER, Visits, time_again, time_blocks
from corecast.machine import load_machine
from corecast.timing.verdict import Verdict

BLOCKS = shipped_blocks()[:6]
NOISY, CROSSING = BLOCKS[1], BLOCKS[2]


class Busy(SimulatedBench):
    """A core that somebody uses while a block is timed, until all else is done."""

    is_quiet = False

    def visit(self, block: Block) -> Verdict:
        if block == CROSSING:
            return Verdict(reason="unaligned")
        if block == NOISY and not self.is_quiet:
            return Verdict(reason="spread")
        return super().visit(block)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "calibration", {"cpu": "busy"})
    yield made
    made.close()


def first(journal: Journal) -> Busy:
    bench = Busy(load_machine("zen4"))
    time_blocks(bench, journal, BLOCKS, lambda: 1.0, lambda text: None)
    visits = Visits.of(journal)
    assert (visits.verdict(NOISY) or Verdict()).reason == "spread"
    assert [block for block in BLOCKS if visits.is_lost(block)] == [NOISY]
    return bench


def test_what_was_lost_settles_later(journal: Journal) -> None:
    bench = first(journal)
    bench.is_quiet = True
    time_again(bench, journal, BLOCKS, lambda: 1.0, lambda text: None)
    visits = Visits.of(journal)
    verdict = visits.verdict(NOISY)
    assert verdict is not None
    assert verdict.cycles == pytest.approx(SimulatedBench(bench.machine).visit(NOISY).cycles, rel=1e-4)
    assert len(journal.of("revisit")) == 2
    assert not any(visits.is_lost(block) for block in BLOCKS)
    assert journal.spent_before.keys() == {"validate", "again"}


def test_what_never_settles_is_given_up(journal: Journal) -> None:
    bench = first(journal)
    for _ in range(2):
        time_again(bench, journal, BLOCKS, lambda: 1.0, lambda text: None)
    assert len(journal.of("revisit")) <= MOST_LATER + 2
    assert not Visits.of(journal).is_lost(NOISY)


def test_no_block_is_begun_when_the_time_is_up(journal: Journal) -> None:
    bench = first(journal)
    time_again(bench, journal, BLOCKS, lambda: 0.0, lambda text: None)
    assert not journal.of("revisit")
