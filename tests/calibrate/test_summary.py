"""The report as text: any value of a parameter can be shown."""

from __future__ import annotations

import pytest

from corecast.calibrate.summary import _value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (["0", "1"], "0, 1"),
        (["0", "1", "5", "6"], "(4)"),
        ([["2", "3"], ["4", "9"], ["7", "8"]], "(3)"),
        ([{"effect": "fuse"}], "(1)"),
        ([[1, 16, 6], [17, 200, 1]], "(2)"),
        ({}, "there"),
        (None, "-"),
        (6.5, "6.5"),
        (True, "True"),
    ],
)
def test_a_value_of_a_parameter(value: object, text: str) -> None:
    assert _value(value) == text
