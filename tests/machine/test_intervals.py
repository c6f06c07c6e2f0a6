"""Tables of intervals: which row says something of a class, and which machines a table is for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast import _core
from corecast.errors import MachineModelError
from corecast.machine import list_machines, load_machine, variant
from corecast.machine.intervals import BORROWED, TABLE, Intervals, class_key, ends_by_class, intervals_of

KEY = ("block", "vector", "measured", "ports", "loads", "short")


def test_the_row_that_says_most_of_a_class_counts() -> None:
    rows = {
        ("block", "simulate", "vector", "measured", "ports", "loads", "short"): (0.9, 1.1, 100),
        ("block", "simulate", "vector", "measured", "ports", "*", "*"): (0.8, 1.2, 110),
        ("block", "simulate", *"*****"): (0.7, 1.3, 120),
    }
    tables = Intervals((("measured", lambda: rows),))
    for key, low in ((KEY, 0.9), ((*KEY[:4], "stores", "short"), 0.8), (("block", "vector", "assumed", *KEY[3:]), 0.7)):
        found = tables.find("simulate", key)
        assert found is not None
        assert found.low == low
    assert tables.find("bounds", KEY) is None
    assert tables.find("simulate", ("loop", *KEY[1:])) is None


def test_a_kind_without_measurements_of_the_core_is_borrowed() -> None:
    own, others = {("block", "simulate", *"*****"): (0.9, 1.1, 100)}, {("loop", "simulate", *"*****"): (0.5, 2.0, 60)}
    tables = Intervals((("measured", lambda: own), ("borrowed", lambda: others)))
    assert [
        each and each.source for each in (tables.find("simulate", KEY), tables.find("simulate", ("loop", *KEY[1:])))
    ] == [
        "measured",
        "borrowed",
    ]


def test_numbers_of_classes_are_places_of_values() -> None:
    features = _core.class_features()
    assert class_key(0) == tuple(values[0] for _, values in features)
    assert class_key(1) == (*class_key(0)[:-1], features[-1][1][1])
    count = 1
    for _, values in features:
        count *= len(values)
    assert len(ends_by_class(load_machine("zen4"), "simulate")) == count


@pytest.mark.parametrize("name", [each.name for each in list_machines()])
def test_every_class_of_every_core_has_an_interval_that_holds_its_prediction(name: str) -> None:
    for method in ("simulate", "bounds"):
        for low, high in ends_by_class(load_machine(name), method):
            assert 0 < low <= 1 <= high


def test_shipped_tables_name_their_origin_and_only_known_values() -> None:
    values = {value for _, each in _core.class_features() for value in each} | {"*", "simulate", "bounds"}
    files = [*Path(BORROWED).glob("*.tsv"), *Path(BORROWED).parent.glob(f"data/*/{TABLE}")]
    assert len(files) > 8
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "tools/make_intervals.py on 20" in text
        assert "\n# - " in text
        for line in text.splitlines():
            if not line.startswith("#"):
                assert set(line.split("\t")[:-3]) <= values


def test_a_folder_of_the_users_own_counts_with_its_own_table_alone(tmp_path: Path) -> None:
    packaged = load_machine("zen3").info.folder
    folder = tmp_path / "zen3"
    shutil.copytree(packaged, folder)
    found = intervals_of(load_machine(folder)).find("simulate", KEY)
    assert found is not None
    assert found.source == "borrowed"
    copy = tmp_path / "more" / "zen3"
    shutil.copytree(packaged, copy)
    (copy / TABLE).write_text("# own\nblock\tsimulate\t*\t*\t*\t*\t*\t0.9\t1.1\t77\n", encoding="utf-8")
    machine = load_machine(copy)
    own = intervals_of(machine).find("simulate", KEY)
    assert own is not None
    assert (own.source, own.measurements) == ("measured", 77)
    changed = intervals_of(variant(machine, {"reorder_buffer.entries": 20})).find("simulate", KEY)
    assert changed is not None
    assert changed.source == "borrowed"


@pytest.mark.parametrize(
    "line",
    [
        "block\tsimulate\t0.9\tx\t1",
        "nonsense",
        "block\tsimulate\t0.9\t1.2\t9",
        "block\tsimulate\t*\t*\t*\t*\t*\t1.1\t1.2\t9",
    ],
)
def test_a_malformed_table_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    folder = tmp_path / "zen3"
    shutil.copytree(load_machine("zen3").info.folder, folder)
    (folder / TABLE).write_text(f"# own\n{line}\n", encoding="utf-8")
    with pytest.raises(MachineModelError, match=TABLE) as caught:
        intervals_of(load_machine(folder)).find("simulate", KEY)
    assert caught.value.line == 2
