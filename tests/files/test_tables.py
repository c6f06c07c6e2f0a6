"""A table whose columns are not called as they must be is refused, with what it has."""

from __future__ import annotations

import pytest

from corecast.errors import InputError
from corecast.files.tables import require_columns


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([], "t.csv: the file is empty, or its first line: it must name the columns, among them hex and cycles"),
        ([""], "t.csv: the file is empty"),
        (["hex", "app"], "t.csv:1: one column must be called cycles; the columns are: hex, app"),
        (["app"], "t.csv:1: one column must be called hex and one cycles; the columns are: app"),
        (["hex", "cycles", "hex"], "t.csv:1: one column must be called hex; the columns are: hex, cycles, hex"),
    ],
)
def test_what_is_missing_or_there_twice_is_named(columns: list[str], message: str) -> None:
    with pytest.raises(InputError) as raised:
        require_columns(columns, ("hex", "cycles"), "t.csv")
    assert str(raised.value).startswith(message)


def test_columns_may_stand_in_any_order() -> None:
    require_columns(["cycles", "app", "hex"], ("hex", "cycles"), "t.csv")


def test_a_file_without_lines_names_none() -> None:
    with pytest.raises(InputError, match=r"^t\.parquet: one column must be called hex"):
        require_columns(["code"], ("hex",), "t.parquet", line=None)
