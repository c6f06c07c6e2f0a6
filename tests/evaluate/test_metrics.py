"""Errors, rank correlation and intervals."""

from __future__ import annotations

from array import array
from itertools import combinations
from math import isnan, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast import _core
from corecast.evaluate.cases import Answers
from corecast.evaluate.metrics import compute, percentile

VALUES = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=40)


def answers(cycles: list[float], statuses: list[str] | None = None) -> Answers:
    return Answers(array("d", cycles), statuses or ["ok"] * len(cycles))


def naive_tau(x: list[int], y: list[int]) -> float | None:
    """Kendall's tau-b by its definition, over all pairs."""
    pairs = list(combinations(range(len(x)), 2))
    sign = [((x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])) for i, j in pairs]
    untied_x = sum(a != 0 for a, _ in sign)
    untied_y = sum(b != 0 for _, b in sign)
    if not untied_x or not untied_y:
        return None
    return sum(a * b for a, b in sign) / (sqrt(untied_x) * sqrt(untied_y))


@given(VALUES)
def test_tau_is_the_one_of_its_definition(pairs: list[tuple[int, int]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    found = _core.kendall_tau(array("d", x), array("d", y))
    expected = naive_tau(x, y)
    assert isnan(found) if expected is None else found == pytest.approx(expected)


def test_tau_of_columns_of_different_length_is_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        _core.kendall_tau(array("d", [1]), array("d", [1, 2]))


def test_errors_by_hand() -> None:
    found = compute([1, 2, 4, 10], answers([1.04, 1.8, 5, 10]))
    assert (found.cases, found.scored, found.coverage) == (4, 4, 1)
    assert found.mape == pytest.approx((0.04 + 0.1 + 0.25 + 0) / 4)
    assert found.bias == pytest.approx((0.04 - 0.1 + 0.25 + 0) / 4)
    assert found.median == pytest.approx((0.04 + 0.1) / 2)
    assert found.tau == pytest.approx(1)
    assert (found.within_5, found.within_20) == (0.5, 0.75)


def test_only_answers_about_known_instructions_count() -> None:
    found = compute([1, 1, 1, 1], answers([1, 2, 0, 5], ["ok", "unknown", "ok", "error: crash"]))
    assert (found.scored, found.coverage, found.mape) == (1, 0.25, 0)


def test_no_answer_has_no_error() -> None:
    found = compute([1], answers([float("nan")], ["error: timeout"]))
    assert found.coverage == 0
    assert isnan(found.mape)
    assert isnan(found.tau)


def test_tau_sees_hundredths_of_cycles() -> None:
    assert compute([1.001, 1.002, 2], answers([1.002, 1.001, 2])).tau == pytest.approx(1)
    assert compute([1.01, 1.02, 2], answers([1.02, 1.01, 2])).tau < 0.5


def test_percentiles_are_interpolated() -> None:
    assert [percentile([0, 1, 2, 4], percent) for percent in (0, 50, 75, 100)] == [0, 1.5, 2.5, 4]


def test_intervals_hold_the_mean_and_shrink_with_the_number_of_cases() -> None:
    def width(count: int) -> float:
        measured = [1.0 + index % 7 for index in range(count)]
        said = answers([each * (1.1 if index % 2 else 1.3) for index, each in enumerate(measured)])
        found = compute(measured, said, intervals=True)
        assert found.mape_interval[0] <= found.mape <= found.mape_interval[1]
        assert found.tau_interval[0] <= found.tau <= found.tau_interval[1]
        assert compute(measured, said, intervals=True) == found  # the same random numbers each time
        return found.mape_interval[1] - found.mape_interval[0]

    assert 0 < width(1600) < width(100) / 2
