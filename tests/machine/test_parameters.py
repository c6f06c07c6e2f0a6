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
from corecast.machine.parameters import NUMBERS, Parameter, format_1_names, parameters
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
    assert (parameter.type in (*NUMBERS, "numbers") or parameter.type.startswith("policy:")) == bool(parameter.range)
    assert bool(parameter.part) == bool(parameter.needed_for)
    assert not parameter.unit or parameter.type in (*NUMBERS, "numbers")
    if parameter.choices:
        assert parameter.default in (*parameter.choices, "required", "none")


def test_keys_members_and_older_names_are_there_once() -> None:
    members = [each.member for each in ALL if each.member]
    names = [name for each in ALL for name in {each.key, *(name.lstrip("!") for name in each.format_1)}]
    assert len(set(members)) == len(members)
    assert len(set(names)) == len(names)


def test_every_member_is_used() -> None:
    """A key that nothing reads belongs into [notes]."""
    sources = [path for path in (ROOT / "cpp").rglob("*.[ch]pp") if path.parent.name not in ("generated", "tests")]
    words = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in sources)))
    assert [each.key for each in ALL if each.member and each.member.rpartition(".")[2] not in words] == []


def keys_in(pipeline: dict[str, Any], before: str = "") -> Iterator[str]:
    for name, value in pipeline.items():
        yield before + name
        if isinstance(value, dict):
            yield from keys_in(value, f"{before}{name}.")


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_models_have_current_names_alone(info: MachineInfo) -> None:
    own = parse_toml((info.folder / "pipeline.toml").read_text(encoding="utf-8"), info.folder)
    assert own["format"] == 2
    assert (set(keys_in(own)) & format_1_names().keys()) - parameters().keys() == set()


@pytest.mark.parametrize(
    ("changes", "at", "told"),
    [
        ((("entries = 128", "entriez = 128"),), "entriez", "did you mean reorder_buffer.entries?"),
        ((("entries = 128", "wobble = 3"),), "wobble", "reorder_buffer.wobble is not a key of pipeline.toml"),
        ((("entries = 128", "entries = -7"),), "entries = -7", "from 1 to 1000000 (uops), not -7"),
        ((("entries = 128", "entries = 1.5"),), "entries", "must be an integer"),
        ((("entries = 128", 'entries = "many"'),), "entries", 'not "many"'),
        (
            (("[retire]", '[port_choice]\npolicy = "ranked"\n[retire]'),),
            "policy",
            "port_choice.policy must be given with port_choice.waiting_limit_uops where it goes by slots",
        ),
        (
            (("[retire]", '[port_choice]\npolicy = "lowest"\n[retire]'),),
            "policy",
            'paired_slots, ranked, in_turn, after_last or at_issue, not "lowest"',
        ),
        (
            (("[retire]", "[port_choice]\nalternating = [['L0', 'L2']]\n[retire]"),),
            "alternating",
            "port_choice.alternating must be names of ports, units and groups; there is no L2",
        ),
        ((('name = "my_core"', 'name = "your_core"'),), "name =", 'name is "your_core", but the folder is my_core'),
        ((("{ mnemonics = [\"j*\"] }", "{ mnemonic = [\"j*\"] }"),), "consumer", "rules.0.consumer.mnemonic is not"),
        ((('effect = "fuse"', 'effect = "fuse"\ncycles = 2'),), "cycles = 2", "rules.0.cycles must be absent"),
        ((("latency_cycles = 4", "latency_cycles = nan"),), "latency_cycles", "not no finite number"),
        ((("[retire]", "[retiring]"),), "[retiring]", "retiring is not a key of pipeline.toml"),
        (
            (("entries = 128", 'entries = { value = 128, confidence = "sure" }'),),
            "entries",
            'the confidence must be one of measured, documented, derived, assumed, not "sure"',
        ),
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
        tmp_path, ("entries = 128", 'entriez = 128\nwobble = 3\nentries = -7\n[port_choice]\npolicy = "ranked"')
    )
    for arguments in (["machine", "check", str(folder)], ["analyze", "90", "--machine", str(folder)]):
        assert main(arguments) == 2
        lines = capsys.readouterr().err.splitlines()
        places = [line_with(folder, text) for text in ("entries =", "entriez", "wobble", "policy")]
        assert [int(line.split("pipeline.toml:")[1].split(":")[0]) for line in lines] == sorted(places)
    with pytest.raises(MachineModelErrors) as caught:
        load_machine(folder)
    assert len(caught.value.faults) == 4


def test_a_missing_key_is_an_error(tmp_path: Path) -> None:
    folder = model(tmp_path, ("[rename]\nwidth = 4", ""))
    with pytest.raises(MachineModelError, match=r"rename\.width is missing"):
        load_machine(folder)


def test_faults_of_what_is_inherited_have_its_file(tmp_path: Path) -> None:
    base = model(tmp_path, ("entries = 128", "entries = 0"), name="base")
    (base / "pipeline.toml").write_text((base / "pipeline.toml").read_text().replace('"my_core"', '"base"'))
    own = tmp_path / "own"
    own.mkdir()
    (own / "pipeline.toml").write_text('format = 2\nname = "own"\npipeline_of = "../base"\n')
    with pytest.raises(MachineModelError) as caught:
        load_machine(own)
    assert Path(str(caught.value.file)).resolve() == base / "pipeline.toml"
    assert caught.value.line == line_with(base, "entries")


def test_notes_are_free(tmp_path: Path) -> None:
    folder = model(tmp_path, add='[notes]\nwobble = 3\n[notes.bypass]\nfrom = ["A0"]\n')
    assert load_machine(folder).name == "my_core"


def test_what_is_unlimited_may_be_said() -> None:
    assert "load queue" in variant(load_machine("skylake_x"), {"load_queue": "unlimited"}).core.unlimited_in_simulation


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("load_queue", r'load_queue\.entries must be an integer from 1 to 1000000 \(loads\), or "unlimited"'),
        ("reorder_buffer", r"reorder_buffer\.entries must be an integer from 1 to 1000000 \(uops\)"),
        ("scheduler", r'scheduler\.entries must be an integer from 1 to 1000000 \(uops\), or "unlimited"'),
        ("fusion.blocked_branch_offset_mod_64", r"blocked_branch_offset_mod_64 must be an integer from 0 to 63"),
    ],
)
@pytest.mark.parametrize("cpu", ["skylake_x", "zen4"])
def test_a_setting_below_its_range_is_an_error(cpu: str, key: str, message: str) -> None:
    """It does not stand for what is unknown or unlimited: these have words."""
    with pytest.raises(MachineModelError, match=message):
        variant(load_machine(cpu), {key: -1})


def test_a_setting_of_unknown_takes_the_key_away() -> None:
    changed = variant(load_machine("skylake_x"), {"reorder_buffer.entries": "unknown"})
    assert changed.core.missing_for_simulation == ["reorder buffer"]


def test_a_core_that_issues_in_order_needs_no_buffers() -> None:
    changed = variant(load_machine("skylake_x"), {"reorder_buffer.entries": "unknown", "in_order": True})
    assert changed.core.missing_for_simulation == changed.core.unlimited_in_simulation == []


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("rob_entries", 0, "reorder_buffer.entries must be an integer from 1 to 1000000"),
        ("port_choice.policy", "by_chance", "must be least_loaded, rotating"),
        ("schedulers.0.entries", 0, "schedulers.0.entries must be a number from 1"),
    ],
)
def test_settings_have_the_same_checks(key: str, value: object, told: str) -> None:
    with pytest.raises(MachineModelError, match=told):
        variant(load_machine("skylake_x"), {key: value})


def test_names_of_settings() -> None:
    assert full_key("rob_entries") == "reorder_buffer.entries"
    assert full_key("decode_instr_per_cycle") == "decode.width"
    assert full_key("rename.issue_width_fused_uops_per_cycle") == "rename.width"
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
    assert cpu["parameters"]["reorder_buffer.entries"] == {"value": 224, "unit": "uops"}
    assert cpu["parameters"]["port_choice.policy"] == {"value": "paired_slots", "unit": None}
    assert "name" not in cpu["parameters"]
