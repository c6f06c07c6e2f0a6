"""Work of the table of instructions: in proportion to its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import corecast
from corecast.report import table
from corecast.report.style import TextStyle


class ReadCells(tuple[str, ...]):
    """Cells that count how often all of them are read."""

    reads = 0

    def __iter__(self) -> Iterator[str]:
        type(self).reads += 1
        return super().__iter__()


@pytest.mark.parametrize("rows", [20, 200])
def test_columns_are_not_read_anew_for_each_row(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of a loop of 5,000 instructions took 15 seconds where they were."""
    made = table._GridColumn

    def counted(name: str, heading: str, cells: tuple[str, ...], *others: Any, **more: Any) -> Any:
        return made(name, heading, ReadCells(cells), *others, **more)

    monkeypatch.setattr(table, "_GridColumn", counted)
    monkeypatch.setattr(ReadCells, "reads", 0)
    region = corecast.analyze("4801c3" * rows, "skylake_x").regions[0]
    assert len(list(table.table_lines(region, TextStyle()))) > rows
    assert 0 < ReadCells.reads < 100
