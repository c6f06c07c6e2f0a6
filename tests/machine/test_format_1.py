"""Models of format 1: read by the names of then, and rewritten by `corecast machine convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corecast.cli.main import main
from corecast.errors import MachineModelError
from corecast.machine import load_machine, variant
from corecast.machine.format_1 import as_format_2
from corecast.machine.inherit import read_pipeline
from corecast.machine.toml_files import parse_toml

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "my_core"
OLD = """\
# A core.
format = 1
name = "old"
isa = "x86"
source = "a manual"

[ports]
names = ["0", "1", "2", "3", "4", "5"]
[units.DIV] # not pipelined
port = "0"

[front_end]
decoders = 4
# Loops of NOPs.
dsb_width_uops_per_cycle = 6
dsb_branch_may_cross_or_end_at_32_byte_boundary = false # the erratum
predecode_block_bytes = 16

[rename]
issue_width_fused_uops_per_cycle = 4
slow_flags_from = ["test"]
# Chains of conditional moves.
slow_flags_to = ["cmov*"]
late_constants_to = ["shl"]

[back_end]
port_assignment = "six_port"
scheduler_entries = -1
schedulers = [{ ports = ["0", "1"], entries = 9 }, { ports = ["2"], entries = 7 }]

[memory]
load_latency_cycles = 5
store_forward_mirrored_cycles = 0
memory_mirroring_except = ["movsx*"]

[fusion]
nops = ["nop"]
pairs = [
  # Compares.
  { first = ["cmp"], second = ["j*"] },
  { first = ["inc"], second = ["je"], first_memory = false },
  { first = ["mov r64, r64", "mov r64, m64"], second = ["add"], into_copy = true },
]

[notes.front_end]
size = 3
"""


def old(tmp_path: Path, text: str = OLD, name: str = "old") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "pipeline.toml").write_text(text)
    return folder


def test_keys_have_their_names_of_today(tmp_path: Path) -> None:
    machine = load_machine(old(tmp_path))
    assert machine.parameter("decode.width") == 4
    assert machine.parameter("rename.width") == 4
    assert machine.parameter("scheduler.entries") == "unlimited"
    assert machine.parameter("uop_cache.excludes_branch_at_block_end") is True
    assert machine.parameter("uop_cache.line_change_costs") is True
    assert machine.parameter("notes.front_end.size") == 3
    assert not {"front_end", "back_end"} & machine.pipeline.keys()


def test_port_policies_have_parameters(tmp_path: Path) -> None:
    choice = load_machine(old(tmp_path)).pipeline["port_choice"]
    assert choice["policy"] == "rotating"
    assert choice["alternating"] == [["2", "3"]]
    assert choice["slot_orders"]["5"] == ["5", "1", "0", "5"]


def test_what_is_particular_to_a_core_becomes_rules(tmp_path: Path) -> None:
    rules = load_machine(old(tmp_path)).pipeline["rules"]
    assert [rule["effect"] for rule in rules] == [
        "absorb", "fuse", "fuse", "fuse", "fuse", "delay", "delay", "rename_memory"
    ]  # fmt: skip
    assert rules[1]["producer"] == {"mnemonics": ["cmp"], "memory_and_immediate": False, "pc_relative": False}
    assert rules[2]["producer"] == {"mnemonics": ["inc"], "access": "none"}
    assert (rules[3]["loops_only"], rules[3]["producer"]["access"], rules[4]["producer"]["access"]) == (
        True, "none", "load",
    )  # fmt: skip
    assert (rules[5]["through"], rules[5]["cycles"], rules[6]["cycles"]) == ("flags", 1, 2)
    assert rules[7]["consumer"]["except"] == ["movsx*"]


@pytest.mark.parametrize(
    ("kind", "count"), [("full", 1), ("stack", 0), ("moves", 3), ("alone", 2)]
)  # fmt: skip
def test_kinds_of_memory_renaming(kind: str, count: int) -> None:
    found = as_format_2({"memory": {"memory_mirroring": kind, "store_forward_mirrored_cycles": 0}})
    assert [rule["effect"] for rule in found["rules"]] == ["rename_memory"] * count
    assert found["memory_renaming"] == {"latency_cycles": 0}


def test_lists_take_the_place_of_inherited_ones(tmp_path: Path) -> None:
    """As they did before rules were joined."""
    old(tmp_path)
    text = 'name = "new"\nextends = "old"\n[fusion]\npairs = [{ first = ["test"], second = ["js"] }]\n'
    rules = read_pipeline(old(tmp_path, text, "new"))[0]["rules"]
    assert [rule["producer"]["mnemonics"] for rule in rules if rule["effect"] == "fuse"] == [["test"]]
    assert [rule["effect"] for rule in rules].count("delay") == 2


def test_an_older_name_overrides_what_is_inherited(tmp_path: Path) -> None:
    text = f'name = "own"\nextends = "{EXAMPLE}"\n[rename]\nissue_width_fused_uops_per_cycle = 3\n'
    machine = load_machine(old(tmp_path, text, "own"))
    assert machine.core.rename_width == 3
    assert machine.row("add r64, i8") is not None  # `extends` meant the form tables, too


def test_two_names_of_one_parameter_are_an_error(tmp_path: Path) -> None:
    text = OLD.replace("[back_end]\n", "[back_end]\nretire_width_per_cycle = 4\nretire_width_uops_per_cycle = 4\n")
    folder = old(tmp_path, text)
    with pytest.raises(MachineModelError, match="are one parameter: give it once") as caught:
        load_machine(folder)
    assert "retire_width" in text.splitlines()[(caught.value.line or 0) - 1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rob_entries = -7", "reorder_buffer.entries must be an integer"),
        ("rob_entriez = 7", "back_end.rob_entriez is not a key of pipeline.toml; did you mean back_end.rob_entries?"),
        ('memory_mirroring = "some"', "back_end.memory_mirroring is not a key"),
    ],
)
def test_faults_have_the_line_of_the_older_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    text = OLD.replace("[back_end]\n", f"[back_end]\n{line}\n")
    folder = old(tmp_path, text)
    assert main(["machine", "check", str(folder)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"corecast: error: {folder}/pipeline.toml:{text.splitlines().index(line) + 1}: {message}")


def test_a_converted_file_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = old(tmp_path)
    before = read_pipeline(folder)
    assert main(["machine", "convert", str(folder)]) == 0
    text = capsys.readouterr().out
    assert (folder / "pipeline.toml").read_text() == OLD
    assert main(["machine", "convert", str(folder), "-o", str(folder / "pipeline.toml")]) == 0
    assert (folder / "pipeline.toml").read_text() == text
    assert read_pipeline(folder) == before
    assert text.startswith("# A core.\nformat = 2\n")
    for above, below in (
        ("# Loops of NOPs.", "width = 6"),
        ("# the erratum", "excludes_branch_at_block_end = true"),
        ("# Chains of conditional moves.", "[[rules]]"),
        ("# Compares.", "[[rules]]"),
        ("# not pipelined", "[units.DIV]"),
    ):
        assert f"{above}\n{below}" in text


def test_what_is_of_format_2_is_not_converted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["machine", "convert", str(EXAMPLE)]) == 2
    assert "is of format 2 already" in capsys.readouterr().err


def test_every_name_of_format_1_can_be_set() -> None:
    machine = load_machine("skylake_x")
    changed: dict[str, Any] = {"back_end.rob_entries": 60, "lsd_enabled": True, "memory.load_queue_entries": 9}
    found = variant(machine, changed)
    keys = ("reorder_buffer.entries", "loop_buffer.enabled", "load_queue.entries")
    assert [found.parameter(key) for key in keys] == [60, True, 9]


def test_evidence_of_tables_goes_where_their_keys_go() -> None:
    text = '[back_end]\nsource = "a paper"\nrob_entries = 9\nint_prf_entries = 80\n'
    found = as_format_2(parse_toml(text, Path("x")))
    assert found["reorder_buffer"] == {"entries": 9, "source": "a paper"}
    assert found["integer_registers"] == {"entries": 80, "source": "a paper"}
    assert "back_end" not in found
