"""Where parameters come from: the nearest source, inherited and assumed values by the model that has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.machine import list_machines, load_machine
from corecast.machine.evidence import Evidence, evidence_of

BASE = """\
format = 2
name = "base"
isa = "x86"
source = "a manual"
confidence = "documented"
[ports]
names = ["A"]
[rename]
width = { value = 4, source = "loops", confidence = "measured" }
[retire]
source = "a paper"
width = 4
[loads]
latency_cycles = 5
[[rules]]
name = "pairs"
effect = "fuse"
producer = { mnemonics = ["cmp"] }
consumer = { mnemonics = ["j*"] }
[[rules]]
effect = "fuse"
producer = { mnemonics = ["test"] }
consumer = { mnemonics = ["j*"] }
"""
OWN = """\
format = 2
name = "own"
pipeline_of = "base"
without_rules = ["pairs"]
source = "a guess"
confidence = "assumed"
[loads]
latency_cycles = "unknown"
[reorder_buffer]
entries = 64
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    for name, text in (("base", BASE), ("own", OWN)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pipeline.toml").write_text(text)
    return tmp_path / "own"


def test_the_nearest_source_counts(own: Path) -> None:
    found = {each.key: each for each in evidence_of(load_machine(own))}
    assert found["rename.width"] == Evidence("rename.width", 4, "uops/cycle", "loops", "measured", "base")
    assert found["retire.width"] == Evidence("retire.width", 4, "uops/cycle", "a paper", "documented", "base")
    assert found["reorder_buffer.entries"] == Evidence(
        "reorder_buffer.entries", 64, "uops", "a guess", "assumed", "own"
    )
    assert "loads.latency_cycles" not in found


def test_unknown_takes_an_inherited_value_away(own: Path) -> None:
    machine = load_machine(own)
    assert machine.parameter("loads.latency_cycles") is None
    assert machine.core.rename_width == 4


def test_inherited_rules_can_be_dropped_or_replaced(own: Path) -> None:
    def tested() -> list[list[str]]:
        return [rule["producer"]["mnemonics"] for rule in load_machine(own).pipeline["rules"]]

    assert tested() == [["test"]]
    file = own / "pipeline.toml"
    file.write_text(OWN.replace('["pairs"]', '["fuse"]'))
    assert "rules" not in load_machine(own).pipeline or tested() == []
    rule = '[[rules]]\nname = "pairs"\neffect = "fuse"\nproducer = { mnemonics = ["inc"] }\n'
    file.write_text(OWN.replace('without_rules = ["pairs"]\n', "") + rule)
    assert tested() == [["inc"], ["test"]]


def test_a_fault_of_an_inherited_rule_has_its_file_and_line(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = own.parent / "base" / "pipeline.toml"
    base.write_text(BASE.replace('["test"] }', '["test"], wobble = true }'))
    (own / "pipeline.toml").write_text(
        OWN.replace('without_rules = ["pairs"]\n', "") + '[[rules]]\neffect = "absorb"\nconsumer = { vector = false }\n'
    )
    assert main(["machine", "check", str(own)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    number = 1 + base.read_text().splitlines().index('producer = { mnemonics = ["test"], wobble = true }')
    assert f"base/pipeline.toml:{number}: " in line
    assert "wobble" in line


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_every_shipped_value_says_where_it_comes_from(info: object) -> None:
    machine = load_machine(info.folder)  # type: ignore[attr-defined]
    assert [each.key for each in evidence_of(machine) if not each.source or not each.confidence] == []


def test_the_command_lists_them(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["machine", "parameters", str(own), "rename", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["parameters"]
    assert (found["key"], found["value"], found["confidence"]) == ("rename.width", 4, "measured")
    assert main(["machine", "parameters", str(own), "rename"]) == 0
    assert capsys.readouterr().out == "rename.width = 4 uops/cycle\n    measured, base: loops\n"
    assert main(["machine", "parameters", str(own), "renaming"]) == 2
    assert "does not say renaming" in capsys.readouterr().err
