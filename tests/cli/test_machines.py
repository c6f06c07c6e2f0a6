"""`corecast cpus` and `corecast lookup` print what the models hold."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from corecast.cli.main import main


def test_cpus_lists_name_core_and_aliases(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    assert main(["cpus"]) == 0
    lines = capsys.readouterr().out.splitlines()
    heading = "cpu isa forms measured documented derived assumed pipeline core validated also known as"
    assert lines[0].split() == heading.split()
    toy = ["toy_x86", "x86", "14", "14", "0", "0", "0", "partial", "Toy", "core", "-", "toy"]
    assert any(line.split() == toy for line in lines)


@pytest.mark.parametrize(
    "text", ["name = 3\n", 'name = "mine"\nextends = "toy_x86"\nforms = ["gone.tsv"]\nformat = 1\n']
)
def test_cpus_lists_the_others_where_a_model_is_broken(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pipeline.toml").write_text(text)
    monkeypatch.setenv("CORECAST_MACHINES", f"{tmp_path}:{os.environ['CORECAST_MACHINES']}")
    assert main(["cpus"]) == 2
    captured = capsys.readouterr()
    (message,) = captured.err.splitlines()
    assert message.startswith(f"corecast: error: {tmp_path}/mine/")
    assert any(line.startswith("toy_x86 ") for line in captured.out.splitlines())
    assert not any(line.startswith("mine") for line in captured.out.splitlines())


def test_cpus_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["cpus"]
    assert {
        "name": "toy_x86",
        "title": "Toy core",
        "vendor": "none",
        "isa": "x86",
        "aliases": ["toy"],
        "pipeline_of": None,
        "forms": {"measured": 14, "documented": 0, "derived": 0, "assumed": 0},
        "pipeline": "partial",
        "validated": [],
        "validation": [],
    } in rows


def test_cpus_as_json_has_the_figures_of_validated_models(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "skylake", "--format", "json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["cpus"]
    (figures,) = entry["validation"]
    assert figures["kind"] == "kernels"
    assert figures["blocks"] == 12
    assert entry["validated"] == [f"{figures['mape_percent']:.2f} % on 12 kernels"]


def test_cpus_of_one_core_says_whose_measurements_it_was_validated_against(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "thunderx2"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "on 15 kernels (measured loops of OSACA's authors, ThunderX2; predicted by simulate;" in out


def test_lookup_prints_ports_latency_and_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "vaddsd", "m64", "--cpu", "toy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "vaddsd xmm, xmm, m64"
    assert lines[2].split() == ["toy_x86", "1*p01+1*p23", "2->1:4;mem->1:9", "1/2/1", "0.5", "toy", "measured"]
    assert len(lines) == 3


def test_lookup_of_several_cpus_aligns_their_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["lookup", "vdivsd*", "--cpu", "toy", "--cpu", "toy_x86"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == lines[3]
    assert "DIV:4" in lines[2]


def test_lookup_of_nothing_tells_near_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "vaddsd zmm", "--cpu", "toy"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "corecast: no form matches 'vaddsd zmm'; near it: vaddsd xmm, xmm, m64; vaddsd xmm, xmm, xmm\n"
    )
