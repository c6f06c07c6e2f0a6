"""Systems of equations: what they determine is exact, what they leave open an interval."""

from __future__ import annotations

import pytest

from corecast.measure.judge.forms.system import Equation, System

pytest.importorskip("scipy")


def test_a_sum_of_two_least_values_determines_both() -> None:
    system = System([Equation({"a": 1, "b": 1}, 2.0)], {"a": 1.0, "b": 1.0})
    found = system.bounds({"a": 1})
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1.0, 1.0))


def test_what_a_loop_leaves_open_is_an_interval_but_the_sum_is_known() -> None:
    system = System([Equation({"a": 1, "b": 1}, 6.0)], {"a": 1.0, "b": 1.0})
    one, both = system.bounds({"a": 1}), system.bounds({"a": 1, "b": 1})
    assert one is not None
    assert both is not None
    assert (one.low, one.high) == pytest.approx((1.0, 5.0))
    assert (both.low, both.high) == pytest.approx((6.0, 6.0))


def test_several_loops_together_determine_what_none_does_alone() -> None:
    equations = [Equation({"a": 1, "b": 1}, 5), Equation({"b": 1, "c": 1}, 4), Equation({"a": 1, "c": 1}, 3)]
    found = System(equations).bounds({"c": 1})
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1.0, 1.0))


def test_equations_that_scatter_still_have_a_solution() -> None:
    equations = [Equation({"a": 1}, 1.01), Equation({"a": 1}, 0.99), Equation({"a": 1}, 1.0), Equation({"a": 1}, 7.0)]
    found = System(equations).bounds({"a": 1})
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1.0, 1.0), abs=0.02)


def test_what_is_in_no_equation_has_no_bounds() -> None:
    assert System([Equation({"a": 1}, 1)]).bounds({"b": 1}) is None
