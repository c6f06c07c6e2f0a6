"""Finding and loading machine models."""

from __future__ import annotations

import copy
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from corecast.errors import MachineModelError, UnknownCpuError
from corecast.machine import list_machines, load_machine
from corecast.machine.loader import build
from corecast.machine.search import folders_called, model_folders
from toy_machines import FOLDER, toy


@pytest.fixture
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models of the user's own, holding copies of the made-up ones."""
    for folder in FOLDER.iterdir():
        shutil.copytree(folder, tmp_path / folder.name)
    monkeypatch.setenv("CORECAST_MACHINES", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    return tmp_path


def test_a_model_says_what_it_is() -> None:
    machine = toy("toy_x86")
    assert (machine.name, machine.isa, machine.llvm_cpu) == ("toy_x86", "x86", "skylake-avx512")
    assert machine.ports == ("0", "1", "2", "3", "4", "5", "6", "7")
    assert machine.units == ("DIV",)
    assert machine.core.resources == [*machine.ports, "DIV"]


@pytest.mark.parametrize("name", ["toy_x86", "TOY-X86", "toy-1", "TOY_1", "toycore", " toy_x86 "])
def test_names_and_aliases_in_any_spelling(own_models: Path, name: str) -> None:
    assert load_machine(name).name == "toy_x86"


def test_own_models_are_listed_with_their_aliases(own_models: Path) -> None:
    found = {info.name: info for info in list_machines()}
    assert found["toy_x86"].aliases == ("toy-1", "ToyCore")
    assert found["toy_aarch64"].isa == "aarch64"


def test_an_unknown_name_suggests_near_ones(own_models: Path) -> None:
    with pytest.raises(UnknownCpuError, match=r"no machine model is called 'toy_x68'; did you mean .*toy_x86"):
        load_machine("toy_x68")


def test_an_empty_name_is_no_model(own_models: Path) -> None:
    with pytest.raises(UnknownCpuError):
        load_machine("")


def broken(tmp_path: Path, pattern: str, replacement: str, file: str = "pipeline.toml") -> Path:
    """A copy of a made-up model with one thing wrong."""
    folder = tmp_path / "toy_x86"
    shutil.copytree(FOLDER / "toy_x86", folder)
    text = (folder / file).read_text(encoding="utf-8")
    changed = re.sub(pattern, replacement, text, count=1, flags=re.MULTILINE)
    assert changed != text
    (folder / file).write_text(changed, encoding="utf-8")
    return folder


def with_settings(pipeline: Mapping[str, Any], settings: Mapping[str, object]) -> dict[str, Any]:
    """The keys of a model with others put in, written with dots."""
    changed = copy.deepcopy(dict(pipeline))
    for path, value in settings.items():
        *tables, key = path.split(".")
        table = changed
        for each in tables:
            table = table.setdefault(each, {})
        table[key] = value
    return changed


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        (r'^name = .*$', "", "name is missing"),
        (r'^name = .*$', "name = 5", "name must be a string"),
        (r'^title = .*$', 'title = ["a"]', "title must be a string"),
        (r'^isa = .*$', 'isa = "vax"', "isa must be one of"),
        (r'^format = 2', "format = 9", "format 9 is not known"),
        (r'^names = .*$', "", "ports.names is missing"),
        (r'^\[rename\]\nwidth = 4$', "", "rename.width is missing"),
        (r'^\[decode\]\nwidth = 4', '[decode]\nwidth = "four"', "decode.width must be a number"),
        (r'^ALU = .*$', 'ALU = ["0", "9"]', 'unknown port "9"'),
        (r'^forms = .*$', 'forms = ["first.tsv", "absent.tsv"]', "absent.tsv: cannot be read"),
        (r'^title', "title =", r"pipeline.toml: .*line 4"),
    ],
)  # fmt: skip
def test_a_wrong_pipeline_is_named(tmp_path: Path, pattern: str, replacement: str, message: str) -> None:
    with pytest.raises(MachineModelError, match=message):
        load_machine(broken(tmp_path, pattern, replacement))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ports.integer_alu": ["0", "9"]}, r"ports\.integer_alu must be names .* there is no 9"),
        ({"ports.taken_branch": ["b"]}, r"ports\.taken_branch must be names"),
        ({"ports.shared_result": ["b"]}, r"ports\.shared_result must be names"),
        ({"vectors.ports": ["b"]}, r"vectors\.ports must be names"),
        ({"vectors.zmm_closes_port": "b"}, r"vectors\.zmm_closes_port must be names"),
        ({"partial_registers.high8_merge_ports": ["b"]}, r"partial_registers\.high8_merge_ports must be names"),
        ({"fusion.register_pair_ports": ["b"]}, r"fusion\.register_pair_ports must be names"),
        ({"stores.write_unit": "L1"}, r"stores\.write_unit must be names .* there is no L1"),
        ({"loads.ports": "1*p29"}, r'loads\.ports: unknown port in "1\*p29"'),
        ({"stores.data_ports": "x*p4"}, r'stores\.data_ports: "x" is not a count'),
        ({"units.DIV.port": "9"}, r"units\.DIV\.port must be names"),
        ({"ports.groups.LOAD": []}, r"ports\.groups\.LOAD has no ports"),
        ({"ports.groups.DIV": ["0"]}, r"ports\.groups\.DIV: a port, a unit or a group has this name already"),
        ({"ports.spread": {"0": []}}, r"ports\.spread\.0 has no ports"),
        ({"units.SQRT": 5}, r"units\.SQRT must be a table"),
        ({"ports.names": ["0", "1", "0"]}, r'ports\.names: "0" is there twice'),
        ({"changes.ports.add": "1*p9"}, r'changes\.ports\.add: unknown port in "1\*p9"'),
        ({"changes.latency.add": float("nan")}, r"changes\.latency\.add must be a number from 0 to 100000"),
        ({"retire": "x"}, "retire must be a table"),
        ({"memory": [], "decode": 5}, "(memory|decode) must be a table"),
    ],
)
def test_a_key_that_names_no_port_or_is_no_table_is_named_with_its_file(
    settings: dict[str, object], message: str
) -> None:
    machine = toy("toy_x86")
    with pytest.raises(MachineModelError, match=message) as raised:
        build(machine.info, with_settings(machine.pipeline, settings), machine.tables)
    assert raised.value.file == str(machine.info.folder / "pipeline.toml")


def test_ports_by_what_they_do_may_be_groups() -> None:
    machine = toy("toy_x86")
    named = with_settings(machine.pipeline, {"ports.integer_alu": ["ALU"], "vectors.ports": ["0", "5"]})
    core = build(machine.info, named, machine.tables).core
    assert core.integer_alu_ports == ["0", "1", "5", "6"]
    assert core.vector_ports == ["0", "5"]


def test_every_table_may_say_where_its_figures_come_from() -> None:
    machine = toy("toy_x86")
    tables = ("ports", "ports.groups", "ports.spread", "units", "memory", "changes", "changes.latency", "changes.ports")
    noted = with_settings(machine.pipeline, {f"{table}.source": "a manual" for table in tables})
    core = build(machine.info, noted, machine.tables).core
    assert core.units == ["DIV"]


def test_a_malformed_row_is_named_by_file_and_line(tmp_path: Path) -> None:
    machine = load_machine(broken(tmp_path, r"1\*p1\t", "1*p9\t", "forms/first.tsv"))
    (problem,) = machine.core.check()
    assert problem.endswith('first.tsv:8: ports: unknown port in "1*p9"')
    with pytest.raises(MachineModelError, match=r"first\.tsv:8: ports: unknown port"):
        machine.core.find("imul r64, r64")


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(MachineModelError, match=r"pipeline\.toml"):
        load_machine(tmp_path)


def test_a_latency_of_an_operand_that_the_form_has_not(tmp_path: Path) -> None:
    machine = load_machine(broken(tmp_path, r"1->1:", "1->3:", "forms/first.tsv"))
    (problem,) = machine.core.check()
    assert re.search(r"first\.tsv:\d+: latency: operand 3 of a form that has 2", problem)


def test_files_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    folder = tmp_path / "toy_x86"
    shutil.copytree(FOLDER / "toy_x86", folder)
    for file in (folder / "pipeline.toml", *folder.glob("forms/*.tsv")):
        file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert load_machine(folder).keys() == toy("toy_x86").keys()


def test_infinite_cycles_are_no_count(tmp_path: Path) -> None:
    machine = load_machine(broken(tmp_path, r"1\*p1\t", "inf*p1\t", "forms/first.tsv"))
    (problem,) = machine.core.check()
    assert problem.endswith('first.tsv:8: ports: "inf" is not a count of cycles or uops')


def test_made_up_models_have_no_malformed_row() -> None:
    for folder in FOLDER.iterdir():
        assert load_machine(folder).core.check() == []


def test_rows_as_they_stand_in_their_files() -> None:
    row = toy("toy_x86").row("add r64, r64")
    assert row is not None
    assert (row.ports, row.latency, row.source) == ("1*p0156", "1->1:1;2->1:1;*->flags:1", "toy")
    assert row.file.endswith("first.tsv")
    assert toy("toy_x86").row("add r64, m64") is None


def test_every_shipped_model_loads() -> None:
    for info in list_machines():
        machine = load_machine(info.folder)
        assert machine.core.check() == []
        for alias in info.aliases:
            assert load_machine(alias).name == info.name, alias


def test_a_table_may_be_overwritten_while_it_is_loaded(own_models: Path) -> None:
    """Users edit their files in place; what was loaded stays as it was, however large the table."""
    table = own_models / "toy_x86" / "forms" / "first.tsv"
    head = next(line for line in table.read_text().splitlines() if line.startswith("form\t"))
    rows = [f"vmade{number} xmm, xmm\t1*p1\t\t2->1:3\t1\t\t\t\tt\tmeasured" for number in range(20_000)]
    table.write_text("\n".join([head, *rows]) + "\n")
    machine = load_machine(own_models / "toy_x86")
    before = machine.row("vmade19999 xmm, xmm")
    with table.open("r+") as file:
        file.truncate(0)
    assert before is not None
    assert machine.row("vmade19999 xmm, xmm") == before
    assert len(machine.keys()) >= len(rows)


def test_a_home_that_this_user_may_not_look_into_holds_no_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FOLDER / "toy_x86", tmp_path / "corecast" / "machines" / "zen4")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    user = os.geteuid()
    tmp_path.chmod(0)
    try:
        if user == 0:  # whom no mode stops
            os.seteuid(65534)
        folders = [*folders_called("zen4"), *model_folders()]
    finally:
        os.seteuid(user)
        tmp_path.chmod(0o700)
    assert not [folder for folder in folders if Path(folder).is_relative_to(tmp_path)]
