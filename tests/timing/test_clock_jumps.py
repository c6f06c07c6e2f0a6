"""Visits of earlier runs have the time of day, which may have been set back since: nobody waits for it to return."""

from __future__ import annotations

import os
import time

import pytest

from corecast.timing.journal import Journal, Key
from corecast.timing.runner import LocalRunner
from corecast.timing.sweeps import Sweeps
from corecast.timing.timer import Clock
from corecast.timing.verdict import Verdict


class Timer:
    def __init__(self) -> None:
        self.cpu = min(os.sched_getaffinity(0))
        self.clock = Clock(witness=1500.0)
        self.runner = LocalRunner()

    def time(self, code: bytes, place: int) -> Verdict:
        return Verdict(1.0, 0.001, witness=1500.0)


@pytest.mark.parametrize("hours", [-1000, 0, 1000])
def test_a_block_is_visited_again_whatever_the_clock_says(hours: int) -> None:
    journal = Journal(None, {})
    key = Key(b"\x90", 0)
    journal.add(key, Verdict(1.0, 0.001, witness=1500.0, seconds=time.time() + 3600 * hours))
    Sweeps([Timer()], journal, 0.01).run([key], lambda done, expected: None)  # type: ignore[list-item]
    assert len(journal.visits[key]) == 2
