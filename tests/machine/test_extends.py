"""A model that builds on another one: its keys override, its rows add or replace, names are its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.errors import MachineModelError
from corecast.machine import list_machines, load_machine
from corecast.machine.method import assumptions
from corecast.machine.summary import summaries
from toy_machines import FOLDER, toy

HEAD = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence\n"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's configuration folder, empty, and the made-up models as if they came with the package."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    monkeypatch.delenv("CORECAST_MACHINES", raising=False)
    shutil.copytree(FOLDER, tmp_path / "package")
    monkeypatch.setattr("corecast.machine.search._PACKAGED", str(tmp_path / "package"))
    return tmp_path / "config" / "corecast" / "machines"


def model(folder: Path, text: str, rows: str = "") -> Path:
    (folder / "forms").mkdir(parents=True)
    (folder / "pipeline.toml").write_text(text)
    if rows:
        (folder / "forms" / "own.tsv").write_text(HEAD + rows)
    return folder


OWN = """
format = 2
name = "mine"
pipeline_of = "toy_x86"
forms = ["own.tsv"]
forms_of = "toy_x86"
[decode]
width = 7
"""
ROW = "imul r64, r64\t1*p5\t\t1->1:9\t1\t\t\t1\tme\tmeasured\npopcnt r64, r64\t1*p5\t\t2->1:9\t1\t\t\t1\tme\tmeasured\n"


def test_keys_override_and_rows_add_or_replace(places: Path) -> None:
    model(places / "mine", OWN, ROW)
    machine, base = load_machine("mine"), toy("toy_x86")
    assert machine.pipeline["decode"] == {**base.pipeline["decode"], "width": 7}
    assert machine.ports == base.ports
    for form in ("imul r64, r64", "popcnt r64, r64"):
        found = machine.row(form)
        assert found is not None
        assert found.source == "me"
    assert machine.row("add r64, r64") is not None
    assert len(machine.keys()) == len(base.keys()) + 1


def test_names_are_not_inherited(places: Path) -> None:
    model(places / "mine", OWN, ROW)
    info = next(info for info in list_machines() if info.name == "mine")
    assert (info.title, info.aliases, info.isa, info.pipeline_of) == ("mine", (), "x86", "toy_x86")
    assert load_machine("toy-1").name == "toy_x86"


def test_a_model_may_extend_the_one_whose_name_it_takes_over(places: Path) -> None:
    model(places / "toy_x86", OWN.replace('"mine"', '"toy_x86"'), ROW)
    machine = load_machine("toy_x86")
    assert machine.info.folder == places / "toy_x86"
    assert machine.parameter("decode.width") == 7
    assert machine.row("add r64, r64") is not None


def test_a_base_may_be_named_by_alias_or_by_folder(places: Path, tmp_path: Path) -> None:
    model(places / "one", OWN.replace("toy_x86", "TOY-1").replace("mine", "one"), ROW)
    assert load_machine("one").row("add r64, r64") is not None
    model(tmp_path / "two", OWN.replace("toy_x86", "./package/../../package/toy_x86").replace("./", "../", 1), ROW)
    with pytest.raises(MachineModelError, match="where there is no model"):
        load_machine(tmp_path / "two")
    model(tmp_path / "three", OWN.replace("toy_x86", "../package/toy_x86").replace("mine", "three"), ROW)
    assert load_machine(tmp_path / "three").row("add r64, r64") is not None


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ('"nothing"', "pipeline.toml: pipeline_of 'nothing', an unknown model"),
        ('"mine"', "pipeline_of leads back to 'mine'"),
        ('"../mine"', r"pipeline_of leads back to '\.\./mine'"),
        ("7", "pipeline_of must be the name or the folder of a model"),
    ],
)
def test_a_wrong_base_is_named(places: Path, base: str, message: str) -> None:
    model(places / "mine", OWN.replace('"toy_x86"', base), ROW)
    with pytest.raises(MachineModelError, match=message):
        load_machine(places / "mine")


def test_two_models_that_extend_each_other(places: Path) -> None:
    model(places / "mine", OWN.replace("toy_x86", "other"), ROW)
    model(places / "other", OWN.replace('"mine"', '"other"').replace("toy_x86", "mine"), ROW)
    with pytest.raises(MachineModelError, match="pipeline_of leads back to 'mine'"):
        load_machine("mine")


def test_a_chain_of_models(places: Path) -> None:
    model(places / "mine", OWN, ROW)
    model(
        places / "again", 'format = 2\nname = "again"\npipeline_of = "mine"\nforms_of = "mine"\n[rename]\nwidth = 9\n'
    )
    machine = load_machine("again")
    assert machine.parameter("rename.width") == 9
    assert machine.parameter("decode.width") == 7
    found = machine.row("imul r64, r64")
    assert found is not None
    assert found.source == "me"


def test_a_cpu_that_only_llvm_names_gets_its_model_and_says_so(
    places: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = load_machine("SiFive-P450")
    assert (first.name, first.isa, first.llvm_cpu) == ("sifive_p450", "riscv64", "sifive-p450")
    assert "using LLVM" in first.info.notes[0]
    assert "scheduling model; nothing in it was measured" in first.info.notes[0]
    assert "LLVM has the same model for sifive-p470" in first.info.notes[1]
    assert first.core.check() == []
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.tsv")}
    assert load_machine("sifive_p450").keys() == first.keys()
    assert {path: path.stat().st_mtime_ns for path in made} == made, "made once, then read"


SIBLING = """
name = "sibling"
forms = ["own.tsv"]
forms_of = "toy_x86"
"""


def sibling(places: Path, text: str = SIBLING, rows: str = ROW) -> Path:
    """A model that shares the form tables of toy_x86 and nothing else: it brings the rest of a pipeline itself."""
    own = (FOLDER / "toy_x86" / "pipeline.toml").read_text(encoding="utf-8")
    kept = [line for line in own.splitlines() if not line.startswith(("name =", "forms =", "aliases =", "title ="))]
    return model(places / "sibling", text + "\n".join(kept), rows)


def test_a_sibling_shares_rows_but_no_keys(places: Path) -> None:
    machine, base = load_machine(sibling(places)), toy("toy_x86")
    found = machine.row("imul r64, r64")
    assert found is not None
    assert found.source == "me"
    assert len(machine.keys()) == len(base.keys()) + 1
    model(places / "keys", 'name = "keys"\nisa = "x86"\nforms_of = "toy_x86"\n')
    with pytest.raises(MachineModelError, match=r"keys.pipeline\.toml: ports"):
        load_machine("keys")


def test_an_absent_row_hides_the_siblings(places: Path) -> None:
    machine = load_machine(sibling(places, rows="imul r64, r64\tabsent\n"))
    assert machine.row("imul r64, r64") is None
    assert machine.core.find("imul r64, r64") is None
    assert "imul r64, r64" not in set(machine.keys())
    assert machine.core.check() == []
    forms = {found.info.name: found.forms for found in summaries()}
    assert sum(forms["sibling"].values()) == len(machine.keys())


def test_what_extends_a_sibling_has_its_rows(places: Path) -> None:
    sibling(places, rows="imul r64, r64\tabsent\n")
    model(places / "mine", OWN.replace("toy_x86", "sibling"), ROW.splitlines(keepends=True)[0])
    machine = load_machine("mine")
    assert machine.row("add r64, r64") is not None
    found = machine.row("imul r64, r64")
    assert found is not None
    assert found.source == "me", "the row of a model counts before what it extends"


def test_a_sibling_of_the_package_is_meant_whatever_the_user_calls_so(places: Path) -> None:
    shutil.move(sibling(places), places.parent.parent.parent / "package" / "sibling")
    model(places / "toy_x86", OWN.replace('"mine"', '"toy_x86"'), "add r64, r64\tabsent\n")
    assert load_machine("toy_x86").row("add r64, r64") is None
    assert load_machine("sibling").row("add r64, r64") is not None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ('"nothing"', "pipeline.toml: forms_of 'nothing', an unknown model"),
        ('"sibling"', "forms_of leads back to 'sibling'"),
        ("7", "forms_of must be the name or the folder of a model"),
    ],
)
def test_a_wrong_sibling_is_named(places: Path, name: str, message: str) -> None:
    with pytest.raises(MachineModelError, match=message):
        load_machine(sibling(places, SIBLING.replace('"toy_x86"', name)))


def relatives(tmp_path: Path, assumed: str, more: str = "") -> Path:
    """A model `own` that assumes keys of its relative `known`, both in one folder."""
    least = 'format = 2\nname = "{}"\nisa = "x86"\nforms = []\n[ports]\nnames = ["0"]\n[rename]\nwidth = 4\n'
    for name, text in (
        ("known", "[reorder_buffer]\nentries = 224\n[scheduler]\nentries = 97\n"),
        ("own", f"[retire]\nwidth = 8\n{more}[assumed]\n{assumed}\n"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pipeline.toml").write_text(least.format(name) + text)
    return tmp_path / "own"


def test_what_nobody_knows_of_a_core_is_assumed_from_a_relative_and_listed(tmp_path: Path) -> None:
    keys = 'known = ["reorder_buffer.entries", "scheduler.entries"]'
    machine = load_machine(relatives(tmp_path, keys, "[scheduler]\nentries = 60\n"))
    assert machine.parameter("reorder_buffer.entries") == 224
    assert machine.parameter("scheduler.entries") == 60  # known: nothing to assume
    assert machine.assumed == {"known": ["reorder_buffer.entries"]}
    assert assumptions(machine)[0] == "as on known, since unknown on own: reorder_buffer.entries"


@pytest.mark.parametrize(
    ("assumed", "message"),
    [
        ('known = ["reorder_buffer.entry"]', "known has no key 'reorder_buffer.entry'"),
        ('known = "reorder_buffer.entries"', "must name keys by relative"),
        ('own = ["reorder_buffer.entries"]', "no other model"),
        ('none = ["reorder_buffer.entries"]', "no other model"),
    ],
)
def test_an_assumption_that_cannot_be_made_is_an_error(tmp_path: Path, assumed: str, message: str) -> None:
    with pytest.raises(MachineModelError, match=message):
        load_machine(relatives(tmp_path, assumed))
