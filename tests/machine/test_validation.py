"""What models were validated against: the items, their checks, and that the figures are those of the measurements."""

from __future__ import annotations

import csv
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast.errors import MachineModelError
from corecast.machine import list_machines, load_machine
from corecast.machine.inherit import read_head
from corecast.machine.search import PACKAGED
from corecast.machine.validation import Validation, as_items, validations

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from validated_tables import with_validations  # noqa: E402

OWN_SOURCE = "the repository's own measured blocks (benchmarks/accuracy)"
KINDS = {"loop": "loops", "unroll": "unrolled blocks", "compiled": "compiled loops"}
OTHERS = {"loop": "programs", "unroll": "programs", "compiled": "functions"}
ITEM = """\
[[validated]]
kind = "loops"
blocks = 1200
mape_percent = 1.5
date = "2026-11-24"
source = "somebody's blocks"
method = "simulate"

"""


def model(tmp_path: Path, text: str) -> Path:
    """A copy of examples/my_core with this text before its first table."""
    folder = tmp_path / "my_core"
    shutil.copytree(ROOT / "examples" / "my_core", folder)
    file = folder / "pipeline.toml"
    before, table, after = file.read_text().partition("\n[")
    file.write_text(f"{before}\n{text}{table}{after}")
    return folder


def test_items_are_of_the_machine(tmp_path: Path) -> None:
    machine = load_machine(model(tmp_path, ITEM))
    made = Validation("loops", 1200, 1.5, "2026-11-24", "somebody's blocks", "simulate")
    assert machine.info.validation == (made,)
    assert machine.info.validated == ("1.50 % on 1,200 loops",)


def test_items_belong_to_the_head_of_a_file(tmp_path: Path) -> None:
    head = read_head(model(tmp_path, ITEM))
    assert [item["blocks"] for item in head["validated"]] == [1200]
    assert "ports" not in head


def test_texts_of_older_files_are_items_without_figures(tmp_path: Path) -> None:
    info = load_machine(model(tmp_path, 'validated = ["measured kernels", "more"]\n')).info
    assert info.validated == ("measured kernels", "more")
    assert info.validation[0].mape_percent is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("1200", '"many"', 'validated.0.blocks must be an integer from 1 to 1000000000, not "many"'),
        ("1200", "1.5", "validated.0.blocks must be an integer from 1 to 1000000000, not 1.5"),
        ("1200", "0", "validated.0.blocks must be an integer from 1 to 1000000000, not 0"),
        ("mape_percent = 1.5", 'mape_percent = "1.5 %"', "validated.0.mape_percent must be a number from 0"),
        ("mape_percent", "mape", "validated.0.mape is not a key of pipeline.toml"),
        ('kind = "loops"\n', "", "validated.0.kind is missing"),
        ('"2026-11-24"', "2026-11-24", "validated.0.date must be a string, not a date"),
        (ITEM, 'validated = "kernels"\n', 'validated must be a list of tables, not "kernels"'),
        (ITEM, "validated = [5]\n", "validated.0 must be a table, not 5"),
    ],
)
def test_what_no_item_can_be_is_an_error_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    folder = model(tmp_path, ITEM.replace(old, new))
    with pytest.raises(MachineModelError) as caught:
        load_machine(folder)
    assert caught.value.message.startswith(told)
    assert (caught.value.line is None) == (new == "validated = [5]\n")  # items of a list on one line have no line


def test_figures_of_the_repositorys_own_blocks_are_those_of_the_accepted_table() -> None:
    """`tools/guard_accuracy.py --update` writes both."""
    with (ROOT / "benchmarks" / "accuracy" / "table.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["predictor"] == "simulate"]
    expected = set()
    for row in rows:
        cpu, *others, kind = row["set"].split(".")
        words = KINDS[kind] + (f" of other {OTHERS[kind]}" if others else "")
        expected.add((cpu, words, int(row["cases"]), f"{100 * float(row['mape']):.2f}"))
    found = {
        (info.name, each.kind, each.blocks, f"{each.mape_percent:.2f}")
        for info in list_machines()
        for each in info.validation
        if each.source == OWN_SOURCE
    }
    assert found == expected


def test_shipped_figures_are_whole() -> None:
    """A figure states how many blocks it is of, whose they are, what predicted and when."""
    found = [each for info in list_machines() if info.folder.parent == PACKAGED for each in info.validation]
    assert len(found) > 10
    for each in found:
        assert each.blocks
        assert each.mape_percent
        assert all((each.kind, each.source, each.method, each.date))
        assert os.sep not in each.source.replace("benchmarks/accuracy", "")


TEXT = 'format = 2\nname = "a"\nvalidated = ["old"]\nsource = "b"\n\n# Of ports.\n[ports]\nnames = ["0"]\n'
MADE = Validation("loops", 3, 1.234, "2026-11-24", "somebody", "bounds")


def test_written_items_replace_those_of_the_same_kind_and_source() -> None:
    text = with_validations(TEXT, [MADE])
    assert text == TEXT.replace('validated = ["old"]\n', "").replace(
        "# Of ports.",
        '[[validated]]\nkind = "loops"\nblocks = 3\nmape_percent = 1.23\ndate = "2026-11-24"\nsource = "somebody"\n'
        'method = "bounds"\n\n# Of ports.',
    )
    other = Validation("kernels", 5, 2.0, "2026-11-24", "somebody", "bounds")
    both = with_validations(text, [other])
    assert both.index("loops") < both.index("kernels") < both.index("# Of ports.")
    again = with_validations(both, [Validation("loops", 4, 1.0, "2026-11-25", "somebody", "bounds")])
    assert again.count("[[validated]]") == 2
    assert "blocks = 4" in again
    assert "blocks = 3" not in again


ITEMS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["kind", "blocks", "mape_percent", "date", "source"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(ITEMS)
def test_whatever_a_file_says_is_read_or_left_out(value: object) -> None:
    for each in validations(as_items({"validated": value})):
        assert each.kind
        assert each.text
