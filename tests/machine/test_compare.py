"""What two models say differently."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.errors import InputError
from corecast.machine import load_machine
from corecast.machine.compare import compare
from toy_machines import FOLDER, toy


def test_a_model_is_like_itself() -> None:
    found = compare(toy("toy_x86"), toy("toy_x86"))
    assert (found.keys, found.forms, found.only_first, found.only_second) == ({}, (), (), ())
    assert found.same == len(toy("toy_x86").keys())


def test_parameters_figures_and_missing_forms(tmp_path: Path) -> None:
    folder = tmp_path / "toy_x86"
    shutil.copytree(FOLDER / "toy_x86", folder)
    pipeline = folder / "pipeline.toml"
    pipeline.write_text(pipeline.read_text().replace("[decode]\nwidth = 4", "[decode]\nwidth = 5"))
    table = folder / "forms" / "first.tsv"
    lines = [line for line in table.read_text().splitlines() if not line.startswith("imul r64, r64")]
    lines = [line.replace("1->1:1;2->1:1;*->flags:1", "*->flags:1;1->1:1;2->1:2") for line in lines]
    table.write_text("\n".join(lines) + "\n")
    found = compare(toy("toy_x86"), load_machine(folder))
    assert found.keys == {"decode.width": (4, 5)}
    assert "imul r64, r64" in found.only_first
    changed = {each.form: each.columns for each in found.forms}
    assert changed["add r64, r64"] == {"latency": ("1->1:1;2->1:1;*->flags:1", "*->flags:1;1->1:1;2->1:2")}


def test_the_order_within_a_cell_says_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "toy_x86"
    shutil.copytree(FOLDER / "toy_x86", folder)
    table = folder / "forms" / "first.tsv"
    table.write_text(table.read_text().replace("1->1:1;2->1:1;*->flags:1", "*->flags:1;1->1:1;2->1:1"))
    assert compare(toy("toy_x86"), load_machine(folder)).forms == ()


def test_models_of_different_instruction_sets() -> None:
    with pytest.raises(InputError, match="toy_x86 is a core of x86, toy_aarch64 one of aarch64"):
        compare(toy("toy_x86"), toy("toy_aarch64"))
