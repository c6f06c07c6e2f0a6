"""Which points a design space has."""

from __future__ import annotations

import pytest

from corecast.errors import InputError
from corecast.explore import factorial, parse_sweeps, read_points, sample


def test_values_are_as_in_toml_and_ranges_count() -> None:
    first, second, third = parse_sweeps(["reorder_buffer=32,64", "latency:fadd*=2..4", "scheduler=10..20:5"])
    assert (first.key, first.values) == ("reorder_buffer", (32, 64))
    assert (second.key, second.values) == ("latency:fadd*", (2, 3, 4))
    assert third.values == (10, 15, 20)


def test_commas_within_brackets_belong_to_a_value() -> None:
    (sweep,) = parse_sweeps(['ports.taken_branch=["0", "6"],["6"]'])
    assert sweep.values == (["0", "6"], ["6"])


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["reorder_buffer"], "KEY=VALUE"),
        (["reorder_buffer="], "KEY=VALUE"),
        (["=3"], "KEY=VALUE"),
        (["no_such_key=3"], "no key no_such_key"),
        (["reorder_buffer=3", "reorder_buffer.entries=4"], "swept twice"),
        (["reorder_buffer=5..1"], "empty"),
        (["reorder_buffer=a..b"], "range"),
    ],
)
def test_what_is_no_sweep_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_sweeps(texts)


def test_a_factorial_design_has_every_combination_the_last_key_fastest() -> None:
    points = factorial(parse_sweeps(["reorder_buffer=1,2", "scheduler=3,4"]))
    assert [tuple(point.values()) for point in points] == [(1, 3), (1, 4), (2, 3), (2, 4)]


def test_too_many_combinations_are_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match="--sample"):
        factorial(parse_sweeps(["reorder_buffer=1..2000", "scheduler=1..2000"]))


def test_a_sample_is_of_the_space_without_repetition_and_the_seed_decides() -> None:
    sweeps = parse_sweeps(["reorder_buffer=1..1000", "scheduler=1..1000"])
    points = sample(sweeps, 50, seed=7)
    assert points == sample(sweeps, 50, seed=7) != sample(sweeps, 50, seed=8)
    assert len({tuple(point.values()) for point in points}) == 50
    assert all(1 <= point["reorder_buffer"] <= 1000 for point in points)
    assert sample(parse_sweeps(["reorder_buffer=1,2"]), 9, seed=0) == [{"reorder_buffer": 1}, {"reorder_buffer": 2}]


def test_a_list_of_points_leaves_out_empty_cells() -> None:
    points = read_points("reorder_buffer,vector_units\n64,\n,2x256\n", "points.csv")
    assert points == [{"reorder_buffer": 64}, {"vector_units": "2x256"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "header"),
        ("reorder_buffer\n", "without points"),
        ("reorder_buffer\n1,2\n", "more cells"),
        ("x\n1\n", "no key x"),
    ],
)
def test_a_list_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_points(text, "points.csv")
