"""Form tables that state once, above the rows, what many rows have: source and confidence, or all but the key."""

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
SHARED = f"""@1	measured on two machines	measured
@2	1*p01			1			0.25	@1
{COMPACT_HEADER}
add r32, r32	@2
or r32, r32	@2
sub r32, r32	1*p0			1			0.5	@1
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
        ("@2\tas", "@1\tas", 3, '"@1" occurs twice'),
        ("relative\tassumed", "relative", 3, "neither an origin"),
    ],
)
def test_malformed_origins_are_errors_when_the_model_is_loaded(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    with pytest.raises(MachineModelError, match=message) as raised:
        model(tmp_path, TABLE.replace(old, new))
    assert raised.value.line == line


def test_rows_may_share_all_but_their_keys(tmp_path: Path) -> None:
    machine = model(tmp_path, SHARED)
    for form, ports, rthroughput in (("add", "1*p01", "0.25"), ("or", "1*p01", "0.25"), ("sub", "1*p0", "0.5")):
        row = machine.row(f"{form} r32, r32")
        assert row is not None
        assert (row.ports, row.rthroughput, row.source) == (ports, rthroughput, "measured on two machines")
    assert summary_of(machine.info).forms["measured"] == 3


def test_rows_of_ten_columns_may_share_theirs_too(tmp_path: Path) -> None:
    machine = model(tmp_path, f"@1\t1*p01\t\t\t1\t\t\t0.25\tmine\tmeasured\n{HEADER}\nadd r32, r32\t@1\n")
    row = machine.row("add r32, r32")
    assert row is not None
    assert (row.ports, row.source, row.confidence) == ("1*p01", "mine", "measured")
    assert [each.source for each in read_rows(tmp_path / "mine/forms/own.tsv")] == ["mine"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("or r32, r32\t@2", "or r32, r32\t@3", 5, 'there is no rest of a row "@3"'),
        ("or r32, r32\t@2", "or r32, r32\t@1", 5, 'there is no rest of a row "@1"'),
        ("0.25\t@1", "0.25\t@7", 2, 'there is no origin "@7"'),
        ("0.25\t@1", "0.25\t@2", 2, 'there is no origin "@2"'),
    ],
)
def test_a_wrong_rest_is_an_error_where_the_row_is_read(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    machine = model(tmp_path, SHARED.replace(old, new))
    with pytest.raises(MachineModelError, match=message) as raised:
        machine.core.row("or r32, r32")
    assert raised.value.line == line
    with pytest.raises(MachineModelError, match=message) as raised:
        list(read_rows(tmp_path / "mine/forms/own.tsv"))
    assert raised.value.line == line


def test_rows_that_are_alike_but_for_their_keys_are_written_once(tmp_path: Path) -> None:
    rows = [Row(f"{name} r32, r32", ((1.0, "p01"),), source="a", confidence="measured") for name in ("add", "or")]
    rows.append(Row("sub r32, r32", ((1.0, "p0"),), source="a", confidence="measured"))
    write_compact(tmp_path / "compact.tsv", [], rows)
    lines = (tmp_path / "compact.tsv").read_text().splitlines()
    assert lines[0] == "@1\ta\tmeasured"
    assert lines[1].startswith("@2\t1*p01\t")
    assert lines[3:5] == ["add r32, r32\t@2", "or r32, r32\t@2"]
    assert list(read_rows(tmp_path / "compact.tsv")) == rows


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
