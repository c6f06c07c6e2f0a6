"""Timing basic blocks on this machine, after BHive (Chen et al., IISWC 2019).

    row -> prepare() -> PreparedBlock -> traces -> judge() -> BlockTimer.time() -> Verdict -> Journal -> CSV

A block is either measured or rejected, with the reason: a figure that says something about the made-up data rather than
about the block would be worse than none.
"""

from __future__ import annotations

from corecast.timing.blocks import PreparedBlock, prepare
from corecast.timing.run import TimingOptions, open_timing, time_blocks
from corecast.timing.timer import BlockTimer
from corecast.timing.verdict import REASONS, Verdict

__all__ = [
    "REASONS",
    "BlockTimer",
    "PreparedBlock",
    "TimingOptions",
    "Verdict",
    "open_timing",
    "prepare",
    "time_blocks",
]
