"""Form tables that state each source and confidence once, above the rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.errors import MachineModelError
from corecast.machine import load_machine
from corecast.machine.rows import COMPACT_HEADER, HEADER, Row, read_rows, write_compact, write_rows
from corecast.machine.summary import summary_of
from corecast.machine.types import Machine

PIPELINE = """name = "mine"
isa = "x86"
forms = ["own.tsv"]
[ports]
names = ["0", "1"]
[rename]
dispatch_width_uops_per_cycle = 4
[memory]
load_latency_cycles = 4
"""
TABLE = f"""# A note.
@1	measured on two machines	measured
@2	as its relative	assumed
{COMPACT_HEADER}
add r32, r32	1*p01			1				@1
gone r32	absent
sub r32, r32	1*p0			1			0.5	@2
"""


def model(scratch: Path, table: str) -> Machine:
    folder = scratch / "mine"
    (folder / "forms").mkdir(parents=True)
    (folder / "pipeline.toml").write_text(PIPELINE)
    (folder / "forms/own.tsv").write_text(table)
    return load_machine(folder)


def test_rows_have_the_source_and_confidence_of_their_origin(tmp_path: Path) -> None:
    machine = model(tmp_path, TABLE)
    row = machine.row("sub r32, r32")
    assert row is not None
    assert (row.source, row.confidence, row.rthroughput) == ("as its relative", "assumed", "0.5")
    assert machine.core.row("gone r32") is None
    entry = machine.core.find("add r32, r32")
    assert entry is not None
    assert (entry["source"], entry["confidence"]) == ("measured on two machines", "measured")
    forms = summary_of(machine.info).forms
    assert (forms["measured"], forms["assumed"], sum(forms.values())) == (1, 1, 2)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("0.5\t@2", "0.5\t@3", 7, 'there is no origin "@3"'),
        ("0.5\t@2", "0.5\tas its relative\tassumed", 7, 'there is no origin "assumed"'),
    ],
)
def test_an_unknown_origin_is_an_error_where_the_row_is_read(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    machine = model(tmp_path, TABLE.replace(old, new))
    with pytest.raises(MachineModelError, match=message) as raised:
        machine.core.row("sub r32, r32")
    assert raised.value.line == line
    with pytest.raises(MachineModelError, match=message) as raised:
        list(read_rows(tmp_path / "mine/forms/own.tsv"))
    assert raised.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("@2\tas", "@1\tas", 3, 'origin "@1" occurs twice'),
        ("relative\tassumed", "relative", 3, "an origin is"),
    ],
)
def test_malformed_origins_are_errors_when_the_model_is_loaded(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    with pytest.raises(MachineModelError, match=message) as raised:
        model(tmp_path, TABLE.replace(old, new))
    assert raised.value.line == line


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    rows = [
        Row("sub r32, r32", ((1.0, "p0"),), uops=(1.0, 1.0, 1.0), source="b", confidence="measured"),
        Row("add r32, r32", ((1.0, "p01"),), uops=(1.0, 1.0, 1.0), source="a", confidence="measured"),
        Row("or r32, r32", ((1.0, "p01"),), uops=(1.0, 1.0, 1.0), source="b", confidence="measured"),
    ]
    assert write_compact(tmp_path / "compact.tsv", ["A note."], rows, ["gone r32"]) == 4
    lines = (tmp_path / "compact.tsv").read_text().splitlines()
    assert lines[:4] == ["# A note.", "@1\tb\tmeasured", "@2\ta\tmeasured", COMPACT_HEADER]
    assert write_rows(tmp_path / "plain.tsv", [], rows, ["gone r32"]) == 4
    assert (tmp_path / "plain.tsv").read_text().splitlines()[0] == HEADER
    assert list(read_rows(tmp_path / "compact.tsv")) == list(read_rows(tmp_path / "plain.tsv"))
