"""A block is measured again where it turns out that somebody else used the core."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corecast.timing import run
from corecast.timing.journal import Journal
from corecast.timing.rows import BlockFile
from corecast.timing.timer import Clock
from corecast.timing.verdict import Verdict

ALONE, SHARED = 1500.0, 2400.0
NEIGHBOUR_PAUSES_AT = 2


class FakeTimer:
    """A core with a busy neighbour, which pauses after two blocks; what is timed beside it takes half as long again."""

    def __init__(self, cpu: int, mode: str, timeout_seconds: float) -> None:
        self.cpu = cpu
        self.clock = Clock()
        self.timed: list[bytes] = []

    def calibrate(self) -> None:
        self.clock.witness = SHARED

    def time(self, code: bytes, address: int) -> Verdict:
        witness = self.clock.witness
        self.timed.append(code)
        if len(self.timed) > NEIGHBOUR_PAUSES_AT:
            self.clock.witness = ALONE
            return Verdict(1.0, 0.001, witness=witness)
        return Verdict(1.5, 0.001, witness=witness)


def test_what_was_measured_beside_a_neighbour_is_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "blocks.csv"
    path.write_text("hex\n4801d8\n4829d8\n4821d8\n4809d8\n")
    made: list[FakeTimer] = []

    def timer(*arguments: object) -> FakeTimer:
        made.append(FakeTimer(*arguments))  # type: ignore[arg-type]
        return made[-1]

    core = min(os.sched_getaffinity(0))
    monkeypatch.setattr(run, "BlockTimer", timer)
    monkeypatch.setattr(run._core, "measuring_obstacle", lambda: "")
    blocks = run.Timing(BlockFile(str(path), "x86"), Journal(None, {}))
    told: list[tuple[int, int]] = []
    run.time_blocks(blocks, run.TimingOptions(cores=[core]), lambda *at: told.append(at))
    assert [verdict.cycles for verdict in blocks.journal.verdicts.values()] == [1.0] * 4
    # The third is, too: before it nobody knew how fast the core is.
    assert b"".join(made[0].timed).hex() == "4801d84829d84821d84809d8" + "4801d84829d84821d8"
    assert told[3] == (4, 4)
