"""`corecast evaluate`."""

from __future__ import annotations

import re
import subprocess
import sys
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


def test_a_folder_gets_the_report(measured: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    assert main(["evaluate", str(measured), "--cpu", "toy_x86", "--predictor", "bounds", "-o", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "evaluation.json",
        "evaluation.md",
        "figures",
        "metrics.csv",
        "predictions.csv",
        "report.html",
    ]
    for link in re.findall(r"\]\((figures/[^)]*)\)", (folder / "evaluation.md").read_text()):
        assert (folder / link).stat().st_size


def test_only_the_formats_asked_for_are_written(measured: Path, tmp_path: Path) -> None:
    arguments = ["evaluate", str(measured), "--cpu", "toy_x86", "--predictor", "bounds", "--format", "json"]
    assert main([*arguments, "-o", str(tmp_path / "report")]) == 0
    assert [path.name for path in (tmp_path / "report").iterdir()] == ["evaluation.json"]


def test_rows_that_repeat_others_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("hex,cycles,app\n4801c3,1,a\n4801c3,1,a\n4801c3,1,b\n")
    assert main(["evaluate", str(path), "--cpu", "toy_x86", "--predictor", "bounds"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("# 2 blocks")
    assert "1 rows repeat" in err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--format", "pdf"], "--format is some of"),
        (["--cluster", "here"], "a cluster is tcp://HOST:PORT"),
        (["--kernels", "--search", "3"], "--cluster and --search are for blocks"),
        (["--worst", "-2"], "--worst is at least 0, not -2"),
        (["--weight", "times"], "one column must be called times"),
        (["--ablation", "no-luck"], "no variant is called no-luck"),
        (["--predictor", "osaca:/no/such/osaca"], "program /no/such/osaca not found"),
    ],
)
def test_what_cannot_be_done_is_one_message(
    measured: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert main(["evaluate", str(measured), "--cpu", "toy_x86", *more]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_missing_library_is_told_before_the_work(
    measured: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("xlsxwriter", "pyarrow.parquet", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    for more, message in (
        (["--format", "xlsx"], "Excel files need XlsxWriter"),
        (["--format", "parquet"], "Parquet files need pyarrow"),
        (["--cluster", "local/2"], "--cluster needs distributed"),
    ):
        assert main(["evaluate", str(measured), "--cpu", "toy_x86", *more]) == 2
        assert message in capsys.readouterr().err


def test_a_full_disk_is_one_message_and_leaves_no_half_file(measured: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: the report's page is larger."""
    program = """
import resource, sys
from corecast.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
sys.exit(main(sys.argv[1:]))
"""
    arguments = ["evaluate", str(measured), "--cpu", "toy_x86", "--predictor", "bounds", "-o", str(tmp_path / "r")]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "report.html: File too large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "r" / "report.html").exists()


def test_bad_input_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(tmp_path / "none.csv"), "--cpu", "toy_x86"]) == 2
    assert "none.csv: No such file" in capsys.readouterr().err


def test_an_unknown_predictor_is_one_message(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(measured), "--cpu", "toy_x86", "--predictor", "oracle"]) == 2
    assert "no predictor is called oracle" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("report.html", "mine"),
        ("evaluation.md", "# Notes\n"),
        ("evaluation.json", "{}"),
        ("metrics.csv", "a,b\n"),
        ("predictions.csv", "a,b\n"),
        ("figures/errors.svg", "<svg></svg>"),
        ("corecast-evaluation.part", "mine"),
    ],
)
def test_no_file_of_somebody_else_is_replaced(
    name: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "e.csv").write_text("hex,cycles\n4801d8,1\n")
    mine = tmp_path / "ev" / name
    mine.parent.mkdir(parents=True)
    mine.write_text(content)
    assert main(["evaluate", str(tmp_path / "e.csv"), "--cpu", "zen4", "-o", str(tmp_path / "ev")]) == 2
    assert name in capsys.readouterr().err
    assert mine.read_text() == content
    assert [path for path in (tmp_path / "ev").rglob("*") if path.is_file()] == [mine]


def test_the_same_input_gives_the_same_report(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("hex,cycles,app\n4801d8,1,a\n480fafc3,3,b\n")
    (tmp_path / "ev" / ".unfinished").mkdir(parents=True)
    (tmp_path / "ev" / ".unfinished" / "mine").write_text("x")
    command = ["evaluate", str(tmp_path / "e.csv"), "--cpu", "zen4", "-o", str(tmp_path / "ev")]
    reports = []
    for _ in range(2):
        assert main(command) == 0
        files = sorted(path for path in (tmp_path / "ev").rglob("*") if path.is_file())
        reports.append({str(path): path.read_bytes() for path in files})
    assert reports[0] == reports[1]
    assert (tmp_path / "ev" / ".unfinished" / "mine").read_text() == "x"


def test_rows_of_another_instruction_set_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "e.csv").write_text("hex,cycles,isa\n4801d8,1,x86\n4801d8,2,aarch64\n90,1,\n")
    assert main(["evaluate", str(tmp_path / "e.csv"), "--cpu", "zen4"]) == 0
    out, err = capsys.readouterr()
    assert "1 rows are code of another instruction set" in err
    assert out.startswith("# 2 blocks")
