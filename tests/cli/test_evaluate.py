"""`corecast evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.cli.main import main


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    path = tmp_path / "measured.csv"
    path.write_text("hex,cycles\n4801c3,1\n4801c34801c3,2\n")
    return path


def test_the_errors_are_printed(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(measured), "--cpu", "toy_x86", "--mode", "unroll", "--predictor", "bounds"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("# 2 blocks, unroll mode")
    assert "| `bounds` | 100.0 % |" in out
    assert not err


def test_a_folder_gets_four_files(measured: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    assert main(["evaluate", str(measured), "--cpu", "toy_x86", "--predictor", "bounds", "-o", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "evaluation.json",
        "evaluation.md",
        "metrics.csv",
        "predictions.csv",
    ]


def test_bad_input_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(tmp_path / "none.csv"), "--cpu", "toy_x86"]) == 2
    assert "none.csv: No such file" in capsys.readouterr().err


def test_an_unknown_predictor_is_one_message(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(measured), "--cpu", "toy_x86", "--predictor", "oracle"]) == 2
    assert "no predictor is called oracle" in capsys.readouterr().err
