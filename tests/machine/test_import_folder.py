"""Imported figures become a model's folder, or go into one: by confidence, and nothing that was there is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.convert.adapt import adapted, port_names
from corecast.errors import InputError, MachineModelError
from corecast.machine import load_machine
from corecast.machine.making.folder import import_into
from corecast.machine.making.imported import Imported, Pipeline
from corecast.machine.making.merge import completed, merge, rank
from corecast.machine.rows import Latency, Row, row_from_line
from toy_machines import FOLDER


def row(form: str, **fields: object) -> Row:
    base = Row(form, ports=((1.0, "p1"),), latency=(Latency("1", "1", 3),), source="lab", confidence="measured")
    return base.with_(**fields)


def imported(*rows: Row, pipeline: Pipeline | None = None) -> Imported:
    found = {each.form: each for each in rows}
    return Imported("a lab's notes", "lab.tsv", "x86", found, pipeline or Pipeline(), entries=len(found))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER / "toy_x86", tmp_path / "toy_x86")
    return tmp_path / "toy_x86"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- merging ---------------------------------------------------------------------------------------------------------


def test_ranks_are_measured_documented_derived_other_core_llvm_assumed() -> None:
    rows = [
        row("a"),
        row("a", confidence="documented"),
        row("a", confidence="derived"),
        row("a", confidence="derived", source="osaca:csx(other core)"),
        row("a", confidence="documented", source="llvm22:skylake"),
        row("a", confidence="assumed"),
    ]
    assert [rank(each) for each in rows] == [0, 1, 2, 3, 4, 5]


def test_the_better_row_wins_and_the_other_fills_what_it_does_not_know() -> None:
    known = row("a", confidence="documented", source="guide", uops=(1.0, 1.0, 1.0), flags=("microcoded",))
    better = row("a", ports=None, latency=(Latency("1", "1", 4),))
    made = merge({"a": known}, {"a": better}).rows["a"]
    assert made.ports == known.ports
    assert made.latency == better.latency
    assert (made.source, made.confidence) == ("lab+guide(ports,uops,flags)", "measured")


def test_of_equals_the_model_s_own_row_stays() -> None:
    known = row("a", source="mine")
    merged = merge({"a": known}, {"a": row("a", latency=(Latency("1", "1", 5),))})
    assert merged.rows == {}
    assert [str(each) for each in merged.conflicts] == ["a\tlatency\t1->1:3\tmine\t1->1:5\tlab"]


def test_a_wildcard_that_says_the_same_is_no_conflict() -> None:
    known = row("a", latency=(Latency("2", "1", 3), Latency("3", "1", 3)), source="mine")
    assert merge({"a": known}, {"a": row("a", latency=(Latency("*", "1", 3),))}).conflicts == []


def test_a_complete_row_takes_nothing() -> None:
    assert completed(row("a"), row("a", source="other")) == row("a")


# --- folders ---------------------------------------------------------------------------------------------------------


def test_a_new_model_loads_and_says_where_it_comes_from(tmp_path: Path) -> None:
    pipeline = Pipeline(ports=("0", "1"), units={"DIV": "0"}, dispatch_width=4, groups={"ANY": ("0", "1")})
    report = import_into(tmp_path / "New-Core", imported(row("imul r64, r64"), pipeline=pipeline))
    machine = load_machine(tmp_path / "New-Core")
    assert (machine.name, machine.ports, machine.units) == ("new_core", ("0", "1"), ("DIV",))
    assert machine.row("imul r64, r64") is not None
    assert (report.rows, report.added, report.conflicts) == (1, 1, 0)
    assert "a lab's notes: 1 entries, 1 forms" in (tmp_path / "New-Core" / "SOURCES.md").read_text()


@pytest.mark.parametrize("pipeline", [Pipeline(), Pipeline(ports=("0",))])
def test_a_new_model_needs_ports_and_a_width(tmp_path: Path, pipeline: Pipeline) -> None:
    with pytest.raises(InputError, match=r"does not give the (ports|dispatch width).*--extends"):
        import_into(tmp_path / "new", imported(row("imul r64, r64"), pipeline=pipeline))
    assert not (tmp_path / "new").exists()


def test_nothing_of_an_existing_model_is_lost(model: Path) -> None:
    before = contents(model)
    worse = row("imul r64, r64", latency=(Latency("1", "1", 9),), confidence="derived")
    report = import_into(model, imported(row("popcnt r64, r64"), worse))
    after = contents(model)
    assert {name: text for name, text in after.items() if name in before and name != "pipeline.toml"} == {
        name: text for name, text in before.items() if name != "pipeline.toml"
    }
    changed = before["pipeline.toml"].replace(b'["first.tsv", "second.tsv"]', b'["lab.tsv", "first.tsv", "second.tsv"]')
    assert after["pipeline.toml"] == changed
    assert (report.rows, report.added, report.conflicts) == (1, 1, 1)
    assert load_machine(model).row("popcnt r64, r64") is not None
    assert "| imul r64, r64 | latency |" in after["SOURCES.md"].decode()


def test_importing_again_changes_nothing(model: Path) -> None:
    import_into(model, imported(row("popcnt r64, r64")))
    before = contents(model)
    report = import_into(model, imported(row("popcnt r64, r64")))
    assert report.table is None
    assert contents(model) == before


def test_a_second_import_gets_a_table_of_its_own(model: Path) -> None:
    import_into(model, imported(row("popcnt r64, r64")))
    report = import_into(model, imported(row("tzcnt r64, r64")))
    assert report.table == model / "forms" / "lab_2.tsv"
    assert load_machine(model).pipeline["forms"][:2] == ["lab_2.tsv", "lab.tsv"]


def test_ports_that_the_model_does_not_have(model: Path) -> None:
    strange = imported(row("popcnt r64, r64", ports=((1.0, "Zn9FP"),)))
    with pytest.raises(InputError, match="has no ports Zn9FP: say what they are with --port"):
        import_into(model, strange)
    import_into(model, adapted(strange, {"Zn9FP": "ALU"}))
    found = load_machine(model).row("popcnt r64, r64")
    assert found is not None
    assert found.ports == "1*ALU"


def test_figures_of_another_instruction_set(model: Path) -> None:
    other = Imported("notes", "lab.tsv", "riscv64", {"add x, x, x": row("add x, x, x")})
    with pytest.raises(InputError, match="the figures are of riscv64, but toy_x86 is a core of x86"):
        import_into(model, other)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"reciprocal_throughput_cycles": -10.25}, "reciprocal throughput -10.25"),
        ({"latency": (Latency("1", "1", float("nan")),)}, "latency nan"),
        ({"ports": ((float("inf"), "p1"),)}, "count of ports inf"),
        ({"blocking": (("p1", -1.0),)}, "blocking -1"),
        ({"uops": (1.0, -1.0, 1.0)}, "count of micro-ops -1"),
    ],
)
def test_a_figure_that_is_no_count_is_told_and_nothing_is_written(
    model: Path, fields: dict[str, object], told: str
) -> None:
    before = contents(model)
    with pytest.raises(InputError, match=rf"a lab's notes: 'popcnt r64, r64' has a {told}: no count of cycles"):
        import_into(model, imported(row("popcnt r64, r64", **fields)))
    assert contents(model) == before


def test_a_pipeline_that_cannot_be_changed_is_told_and_left_alone(model: Path) -> None:
    path = model / "pipeline.toml"
    path.write_text(path.read_text().replace('forms = ["first.tsv", "second.tsv"]', 'forms = ["first.tsv", # ]\n]'))
    before = contents(model)
    with pytest.raises(MachineModelError, match=r'put "lab\.tsv" first in its forms yourself|Invalid|Unclosed|value'):
        import_into(model, imported(row("popcnt r64, r64")))
    assert contents(model) == before


def test_a_new_model_that_extends_another_holds_only_what_is_new(tmp_path: Path, model: Path) -> None:
    worse = row("imul r64, r64", confidence="derived")
    report = import_into(tmp_path / "mine", imported(row("popcnt r64, r64"), worse), str(model))
    machine = load_machine(tmp_path / "mine")
    assert (report.rows, report.added) == (1, 1)
    assert machine.ports == load_machine(model).ports
    assert machine.row("add r64, r64") is not None


# --- options ---------------------------------------------------------------------------------------------------------


def test_no_ports_leaves_latencies() -> None:
    made = adapted(imported(row("a", blocking=(("DIV", 4.0),))), {}, without_ports=True).rows["a"]
    assert (made.ports, made.blocking, made.latency) == (None, (), (Latency("1", "1", 3),))


def test_figures_of_another_core_are_marked_as_derived() -> None:
    made = adapted(imported(row("a")), {}, other_core=True).rows["a"]
    assert (made.source, made.confidence) == ("lab(other core)", "derived")


def test_a_port_set_behind_which_nothing_stands_is_left_out() -> None:
    two = row("a", ports=((1.0, "p1"), (1.0, "LSU")))
    assert adapted(imported(two), {"LSU": ""}).rows["a"].ports == ((1.0, "p1"),)


@pytest.mark.parametrize("option", ["p1", "=p1"])
def test_a_port_option_is_name_and_ports(option: str) -> None:
    with pytest.raises(InputError, match="--port is NAME=PORTS"):
        port_names([option])


def test_a_port_that_no_row_has() -> None:
    with pytest.raises(InputError, match="--port p7: no row of the source"):
        adapted(imported(row("a")), {"p7": "p0"})


def test_rows_come_back_from_their_text() -> None:
    text = "a r64\t1*p1\tDIV:4\t1->1:3\t1/2/1\t\tmicrocoded\t0.5\tlab\tmeasured"
    assert row_from_line(text).to_line() == text
