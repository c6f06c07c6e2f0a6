"""Folding hides nothing that differs."""

from __future__ import annotations

from corecast.report.columns import fold_columns, fold_names
from report.factory import Parts, Row, region


def labels(rows: tuple[Row, ...], ports: tuple[str, ...], merge: bool = True) -> tuple[str, ...]:
    return tuple(column.label for column in fold_columns(region(rows, Parts(ports)).ports, merge).columns)


def test_equal_columns_fold_into_runs() -> None:
    rows = (Row("a", {"V0": 0.25, "V1": 0.25, "V2": 0.25, "V3": 0.25, "B0": 0.25, "L0": 1.0}),)
    assert labels(rows, ("B0", "V0", "V1", "V2", "V3", "L0")) == ("B0,V0-V3", "L0")


def test_columns_of_equal_sum_but_other_rows_stay_apart() -> None:
    rows = (Row("a", {"0": 1.0}), Row("b", {"1": 1.0}))
    assert labels(rows, ("0", "1")) == ("0", "1")


def test_nothing_is_merged_unless_asked() -> None:
    rows = (Row("a", {"0": 0.5, "1": 0.5}),)
    assert labels(rows, ("0", "1"), merge=False) == ("0", "1")


def test_unused_ports_are_named() -> None:
    assert fold_columns(region((Row("a", {"0": 1.0}),), Parts(("0", "1", "2", "3", "DIV"))).ports, True).unused == (
        "1-3",
        "DIV",
    )


def test_names_fold_only_over_consecutive_numbers_of_one_prefix() -> None:
    assert fold_names(("V0", "V1", "V2", "V4", "I5", "I6")) == ("V0-V2", "V4", "I5", "I6")
