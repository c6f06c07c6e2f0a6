"""Visits that are apart in time: a block is measured when two agree."""

from __future__ import annotations

import random

import pytest

from corecast.timing.sweeps import settle_alone
from corecast.timing.verdict import REASONS, Verdict
from corecast.timing.visits import MOST_TRIES, MOST_VISITS, PASSING, settle


def timed(*cycles: float) -> list[Verdict]:
    return [Verdict(each, 0.004, witness=1500.0) for each in cycles]


def of(reason: str) -> Verdict:
    return Verdict(reason=reason)


@pytest.mark.parametrize(
    ("visits", "cycles"),
    [
        ([1.0, 1.01], 1.005),
        ([0.937, 0.2, 0.2], 0.2),
        ([14.75, 2.0, 14.75, 2.01], 2.005),
        ([0.25, 0.2535], 0.25175),
        ([1.0, 1.5, 1.51], 1.505),
    ],
)
def test_two_visits_that_agree_settle_a_block(visits: list[float], cycles: float) -> None:
    found = settle(timed(*visits))
    assert found is not None
    assert found.cycles == pytest.approx(cycles)
    assert found.reason == ""


def test_one_visit_is_not_enough() -> None:
    assert settle([]) is None
    assert settle(timed(1.0)) is None
    assert settle(timed(5.6, 1.02)) is None
    assert settle([*timed(5.6, 1.02), of("spread")]) is None


def test_visits_that_never_agree_reject_a_block() -> None:
    assert settle(timed(3.65, 0.5, 1.0, 2.0)) == Verdict(reason="visits")


def test_what_no_visit_can_change_needs_one() -> None:
    assert settle([of("aliasing")]) == of("aliasing")
    assert settle([*timed(1.0), of("division")]) == of("division")


@pytest.mark.parametrize("reason", PASSING)
def test_a_reason_that_may_pass_is_given_more_visits(reason: str) -> None:
    assert reason in REASONS
    assert settle([of(reason)] * (MOST_VISITS - 1)) is None
    most = MOST_TRIES if reason == "disturbed" else MOST_VISITS
    assert settle([of(reason)] * most) == of(reason)
    assert settle([of(reason), *timed(2.0, 2.0)]) == Verdict(2.0, 0.004, witness=1500.0)


def test_visits_beside_a_neighbour_do_not_count() -> None:
    beside = [Verdict(1.5, 0.001, witness=2400.0)] * 2
    assert settle_alone(beside, 2400.0) is not None
    assert settle_alone(beside, 1500.0) is None
    alone = settle_alone([*beside, *timed(1.0, 1.0)], 1500.0)
    assert alone is not None
    assert alone.cycles == 1.0


def test_wrong_visits_of_two_passes_do_not_meet() -> None:
    """One visit in a hundred is wrong by a random factor: of 20,000 blocks in two passes hardly any differs."""
    chance = random.Random(5)

    def a_pass() -> float | None:
        visits: list[Verdict] = []
        while (found := settle(visits)) is None:
            wrong = chance.uniform(1.05, 8) if chance.random() < 0.01 else 1.0
            visits += timed(2.0 * wrong * chance.gauss(1.0, 0.002))
        return found.cycles

    different = 0
    for _ in range(20_000):
        first, second = a_pass(), a_pass()
        different += first is not None and second is not None and abs(first - second) > 0.05 * min(first, second)
    assert different <= 3
