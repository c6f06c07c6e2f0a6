"""Models at a glance: forms by confidence, and how much of the pipeline is described."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from corecast.machine import list_machines, load_machine
from corecast.machine.loader import build
from corecast.machine.summary import summary_of


def test_forms_are_counted_by_the_row_that_counts() -> None:
    info = next(info for info in list_machines() if info.name == "skylake_x")
    machine = load_machine(info.folder)
    rows = Counter(row.confidence for key in machine.keys() if (row := machine.row(key)) is not None)  # noqa: SIM118
    assert {name: count for name, count in summary_of(info).forms.items() if count} == rows


MOST = {"decode": {"width": 4}, "scheduler": {"entries": 60}, "reorder_buffer": {"entries": 200},
        "loads": {"latency_cycles": 4}, "store_forwarding": {"latency_cycles": 5}}  # fmt: skip


def detail(tables: dict[str, dict[str, object]]) -> str:
    """Of a model with these keys beside ports and a width."""
    info = next(info for info in list_machines() if info.name == "skylake_x")
    least = {"name": "own", "isa": "x86", "ports": {"names": ["0"]}, "rename": {"width": 4}}
    return build(info, {**least, **tables}, ()).core.pipeline_detail


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (MOST, "most"),
        ({**MOST, "scheduler": {}}, "partial"),
        ({"loads": {"latency_cycles": 4}}, "partial"),
        ({"reorder_buffer": {"entries": 200}, "retire": {"width": 4}}, "widths"),
    ],
)
def test_how_much_of_a_pipeline_is_described(tables: dict[str, dict[str, object]], expected: str) -> None:
    assert detail(tables) == expected


def test_what_models_are_validated_against_is_what_the_accuracy_page_compares() -> None:
    """The page lists every measured kernel with its core; those models state an error on so many, and no others."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "accuracy.md").read_text(encoding="utf-8")
    compared = Counter(re.findall(r"^\| \S+\.s \| (\w+) \| \d", page, re.MULTILINE))
    assert len(compared) > 2
    stated = {info.name: each.blocks for info in list_machines() for each in info.validation if each.kind == "kernels"}
    assert stated == compared
