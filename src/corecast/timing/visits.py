"""What several visits to a block, apart in time, say together.

One visit can be wrong and look right: whatever shares the core for a while slows all its samples alike. A block counts
as measured when two visits agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from corecast.timing.verdict import Verdict

AGREEMENT = 0.02
"""Largest relative difference of two visits that agree ..."""
AGREEMENT_CYCLES = 0.004
"""... or in cycles, for blocks that take a fraction of one: clocks have steps."""
SPREAD = 0.05
"""Largest distance between the quartiles of a visit's samples, relative to its cycles."""
MOST_VISITS = 4
"""That were not disturbed ..."""
MOST_TRIES = 6
"""... and all."""
PASSING = ("disturbed", "unstable", "spread", "too_fast", "timeout", "failed")
"""Reasons that another visit may not meet."""


def settle(visits: Sequence[Verdict]) -> Verdict | None:
    """The verdict on a block; None: it takes another visit.

    Of several pairs of visits that agree the fastest counts: others on the machine slow code down.
    """
    lasting = next((visit for visit in visits if visit.reason and visit.reason not in PASSING), None)
    if lasting is not None:
        return lasting
    timed = [visit for visit in visits if visit.cycles is not None]
    pairs = [pair for pair in combinations(timed, 2) if _agree(*pair)]
    if pairs:
        return min(map(_together, pairs), key=lambda verdict: verdict.cycles or 0.0)
    undisturbed = sum(visit.reason != "disturbed" for visit in visits)
    if undisturbed < MOST_VISITS and len(visits) < MOST_TRIES:
        return None
    passing = [visit for visit in visits if visit.reason]
    return passing[-1] if len(timed) <= 1 and passing else Verdict(reason="visits")


def _agree(one: Verdict, other: Verdict) -> bool:
    first, second = one.cycles or 0.0, other.cycles or 0.0
    return abs(first - second) <= max(AGREEMENT * min(first, second), AGREEMENT_CYCLES)


def _together(pair: tuple[Verdict, Verdict]) -> Verdict:
    cycles = sum(visit.cycles or 0.0 for visit in pair) / len(pair)
    return Verdict(
        cycles,
        max(visit.spread or 0.0 for visit in pair),
        witness=max(visit.witness for visit in pair),
        register_step=pair[0].register_step,
    )
