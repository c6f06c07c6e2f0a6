"""The table of parameters: what is generated from it, what it accepts, and what models have."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corecast.cli.main import main
from corecast.errors import InputError, MachineModelError, MachineModelErrors
from corecast.machine import MachineInfo, full_key, list_machines, load_machine, variant
from corecast.machine.faults import line_of
from corecast.machine.inherit import read_pipeline
from corecast.machine.parameters import NUMBERS, Parameter, parameters, spellings
from corecast.machine.toml_files import parse_toml

ROOT = Path(__file__).resolve().parents[2]
MY_CORE = ROOT / "examples" / "my_core"
ALL = list(parameters().values())


def model(tmp_path: Path, *changes: tuple[str, str], add: str = "", name: str = "my_core") -> Path:
    """A copy of examples/my_core with some texts of its pipeline.toml replaced, and others added."""
    folder = tmp_path / name
    shutil.copytree(MY_CORE, folder)
    file = folder / "pipeline.toml"
    text = file.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text + add)
    return folder


def line_with(folder: Path, text: str) -> int:
    lines = (folder / "pipeline.toml").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_what_is_generated_is_what_is_committed() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from generate_parameters import generated
    finally:
        sys.path.remove(str(ROOT / "tools"))
    for path, text in generated().items():
        assert path.read_text(encoding="utf-8") == text, f"run tools/generate_parameters.py: {path.name} is out of date"


@pytest.mark.parametrize("parameter", ALL, ids=lambda each: each.key)
def test_rows_are_complete(parameter: Parameter) -> None:
    assert parameter.meaning.endswith(".")
    assert parameter.default
    assert (parameter.type in NUMBERS or parameter.type.startswith("policy:")) == bool(parameter.range)
    assert bool(parameter.part) == bool(parameter.needed_for)
    assert not parameter.unit or parameter.type in NUMBERS
    if parameter.choices:
        assert parameter.default in parameter.choices


def test_keys_members_and_spellings_are_there_once() -> None:
    members = [each.member.lstrip("!") for each in ALL if each.member]
    names = [name for each in ALL for name in (each.key, *each.spellings)]
    assert len(set(members)) == len(members)
    assert len(set(names)) == len(names)


def test_every_member_is_used() -> None:
    """A key that nothing reads belongs into [notes]."""
    sources = [path for path in (ROOT / "cpp").rglob("*.[ch]pp") if path.parent.name not in ("generated", "tests")]
    words = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in sources)))
    assert [each.key for each in ALL if each.member and each.member.rpartition(".")[2].lstrip("!") not in words] == []


def keys_in(pipeline: dict[str, Any], before: str = "") -> Iterator[str]:
    for name, value in pipeline.items():
        yield before + name
        if isinstance(value, dict):
            yield from keys_in(value, f"{before}{name}.")


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_models_have_current_names_alone(info: MachineInfo) -> None:
    own = parse_toml((info.folder / "pipeline.toml").read_text(encoding="utf-8"), info.folder)
    assert set(keys_in(own)) & spellings().keys() == set()


@pytest.mark.parametrize(
    ("changes", "at", "told"),
    [
        ((("rob_entries = 128", "rob_entriez = 128"),), "rob_entriez", "did you mean back_end.rob_entries?"),
        ((("rob_entries = 128", "wobble = 3"),), "wobble", "back_end.wobble is not a key of pipeline.toml"),
        ((("rob_entries = 128", "rob_entries = -7"),), "rob_entries", "from 1 to 1000000 (uops), not -7"),
        ((("rob_entries = 128", "rob_entries = 1.5"),), "rob_entries", "must be an integer"),
        ((("rob_entries = 128", 'rob_entries = "many"'),), "rob_entries", 'not "many"'),
        (
            (("rob_entries = 128", 'rob_entries = 128\nport_assignment = "eight_port"'),),
            "port_assignment",
            'a policy that fits the ports: "eight_port" needs ports 0 to 7 in this order',
        ),
        (
            (("rob_entries = 128", 'rob_entries = 128\nport_assignment = "nine_port"'),),
            "port_assignment",
            'eight_port, ten_port, in_turn or at_dispatch, not "nine_port"',
        ),
        ((('name = "my_core"', 'name = "your_core"'),), "name =", 'name is "your_core", but the folder is my_core'),
        ((('first = ["cmp", "test"]', 'furst = ["cmp"], first = ["test"]'),), "pairs", "fusion.pairs.0.furst is not"),
        ((("load_latency_cycles = 4", "load_latency_cycles = nan"),), "load_latency_cycles", "not no finite number"),
        ((("[back_end]", "[backend]"),), "[backend]", "backend is not a key of pipeline.toml"),
    ],
)  # fmt: skip
def test_each_fault_is_one_error_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: tuple[tuple[str, str], ...], at: str, told: str
) -> None:
    folder = model(tmp_path, *changes)
    assert main(["machine", "check", str(folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"corecast: error: {folder}/pipeline.toml:{line_with(folder, at)}: ")
    assert told in line


def test_all_faults_are_reported_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = model(
        tmp_path,
        ("rob_entries = 128", 'rob_entriez = 128\nwobble = 3\nrob_entries = -7\nport_assignment = "eight_port"'),
    )
    for arguments in (["machine", "check", str(folder)], ["analyze", "90", "--machine", str(folder)]):
        assert main(arguments) == 2
        lines = capsys.readouterr().err.splitlines()
        places = [line_with(folder, text) for text in ("rob_entries =", "rob_entriez", "wobble", "port_assignment")]
        assert [int(line.split("pipeline.toml:")[1].split(":")[0]) for line in lines] == sorted(places)
    with pytest.raises(MachineModelErrors) as caught:
        load_machine(folder)
    assert len(caught.value.faults) == 4


def test_a_missing_key_is_an_error(tmp_path: Path) -> None:
    folder = model(tmp_path, ("dispatch_width_uops_per_cycle = 4", ""))
    with pytest.raises(MachineModelError, match=r"rename\.dispatch_width_uops_per_cycle is missing"):
        load_machine(folder)


def test_faults_of_the_model_that_is_extended_have_its_file(tmp_path: Path) -> None:
    base = model(tmp_path, ("rob_entries = 128", "rob_entries = 0"), name="base")
    (base / "pipeline.toml").write_text((base / "pipeline.toml").read_text().replace('"my_core"', '"base"'))
    own = tmp_path / "own"
    own.mkdir()
    (own / "pipeline.toml").write_text('name = "own"\nextends = "../base"\n')
    with pytest.raises(MachineModelError) as caught:
        load_machine(own)
    assert Path(str(caught.value.file)).resolve() == base / "pipeline.toml"
    assert caught.value.line == line_with(base, "rob_entries")


def test_older_names_are_read(tmp_path: Path) -> None:
    folder = model(tmp_path, ("dispatch_width_uops_per_cycle", "issue_width_fused_uops_per_cycle"))
    assert read_pipeline(folder)[0]["rename"] == {"dispatch_width_uops_per_cycle": 4}
    assert load_machine(folder).core.rename_width == 4


def test_an_older_name_overrides_what_is_inherited(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "pipeline.toml").write_text(
        f'name = "own"\nextends = "{MY_CORE}"\n[rename]\nissue_width_fused_uops_per_cycle = 3\n'
    )
    assert load_machine(own).core.rename_width == 3


def test_two_names_of_one_parameter_are_an_error(tmp_path: Path) -> None:
    folder = model(tmp_path, ("[back_end]", "[back_end]\nretire_width_per_cycle = 4"))
    with pytest.raises(MachineModelError, match="are one parameter: give it once") as caught:
        load_machine(folder)
    assert caught.value.line == line_with(folder, "retire_width_per_cycle")


def test_notes_are_free(tmp_path: Path) -> None:
    folder = model(tmp_path, add='[notes]\nwobble = 3\n[notes.bypass]\nfrom = ["A0"]\n')
    assert load_machine(folder).name == "my_core"


@pytest.mark.parametrize("value", ["unlimited", -1])
def test_what_is_unlimited_may_be_said(value: object) -> None:
    assert "load queue" in variant(load_machine("skylake_x"), {"load_queue": value}).core.unlimited_in_simulation


def test_a_setting_of_unknown_takes_the_key_away() -> None:
    changed = variant(load_machine("skylake_x"), {"back_end.rob_entries": "unknown"})
    assert changed.core.missing_for_simulation == ["reorder buffer"]


def test_a_core_that_issues_in_order_needs_no_buffers() -> None:
    changed = variant(load_machine("skylake_x"), {"back_end.rob_entries": "unknown", "in_order": True})
    assert changed.core.missing_for_simulation == changed.core.unlimited_in_simulation == []


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("rob_entries", 0, "back_end.rob_entries must be an integer from 1 to 1000000"),
        ("back_end.port_assignment", "ten_port", "needs ports 0 to 9"),
        ("back_end.schedulers.0.entries", 0, "back_end.schedulers.0.entries must be a number from 1"),
    ],
)
def test_settings_have_the_same_checks(key: str, value: object, told: str) -> None:
    with pytest.raises(MachineModelError, match=told):
        variant(load_machine("skylake_x"), {key: value})


def test_names_of_settings() -> None:
    assert full_key("rob_entries") == "back_end.rob_entries"
    assert full_key("decode_instr_per_cycle") == "front_end.decoders"
    assert full_key("rename.issue_width_fused_uops_per_cycle") == "rename.dispatch_width_uops_per_cycle"
    assert full_key("ports.groups.LOAD") == "ports.groups.LOAD"
    with pytest.raises(InputError, match=r"no key back_end.rob_entriez; did you mean back_end\.rob_entries"):
        full_key("back_end.rob_entriez")


TEXT = """\
name = "x"
a.b = 1
# [c]
[c]
list = [
  { d = 1 },
]
"quoted.name" = "[e]"
text = "#"
[[f.g]]
h = 1
[[f.g]]
h = 2
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("name", 1),
        ("a.b", 2),
        ("c", 4),
        ("c.list", 5),
        ("c.list.0.d", 5),
        ("c.quoted.name", 8),
        ("c.text", 9),
        ("c.unknown", None),
        ("f.g.0.h", 11),
        ("f.g.1.h", 13),
        ("f.g.1", 12),
        ("e", None),
    ],
)
def test_lines_of_keys(key: str, line: int | None) -> None:
    assert line_of(TEXT, key) == line


def test_json_names_the_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    import json

    assert main(["cpus", "skylake_x", "--format", "json"]) == 0
    (cpu,) = json.loads(capsys.readouterr().out)["cpus"]
    assert cpu["parameters"]["back_end.rob_entries"] == {"value": 224, "unit": "uops"}
    assert cpu["parameters"]["back_end.port_assignment"] == {"value": "eight_port", "unit": None}
    assert "name" not in cpu["parameters"]
