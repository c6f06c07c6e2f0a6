"""`corecast-osaca`: OSACA's command line and the shape of its report."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corecast.api import analyze
from corecast.cli.osaca import main

TRIAD = (
    "# OSACA-BEGIN\n.L3:\n\tvmovapd\t(%rsi,%rax), %ymm0\n\tvfmadd213pd\t(%rdx,%rax), %ymm1, %ymm0\n"
    "\tvmovapd\t%ymm0, (%rdi,%rax)\n\taddq\t$32, %rax\n\tcmpq\t%rax, %r8\n\tjne\t.L3\n# OSACA-END\n"
)
ROW = re.compile(r" *(\d+) \|(.*)\|\| *([\d.]*) \| *([\d.]*) \| ([ *X]) (.*)")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "triad.s"
    path.write_text(TRIAD)
    return path


def report(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_the_table_has_the_figures_of_analyze(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    text = report(capsys, "--arch", "SKX", file)
    region = analyze(file, "skylake_x").regions[0]
    rows = [match for match in map(ROW.fullmatch, text.split("\n")) if match]
    assert [int(row[1]) for row in rows] == [3, 4, 5, 6, 7, 8]
    heads = text.split("Port pressure in cycles\n")[1].split("\n")[0].split("||")[0].split("|")[1:]
    assert [head.strip() for head in heads] == list(region.ports.ports)
    for row, known, used in zip(rows, region.instructions, region.ports.per_instruction, strict=True):
        cells = [float(cell or 0) for cell in map(str.strip, row[2].split("|"))]
        assert cells == pytest.approx(used, abs=0.006)
        assert float(row[3] or 0) == pytest.approx(known.on_critical_path, abs=0.05)
        assert float(row[4] or 0) == pytest.approx(known.on_loop_carried, abs=0.05)
    assert f"Forecast: {region.prediction.cycles_per_iteration:.2f} (" in text
    assert re.search(r"^ +6 \| +1\.0 \| addq .*\| \[6\]$", text, re.MULTILINE)


def test_equal_shares(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    text = report(capsys, "--arch", "zen4", "--fixed", file)
    region = analyze(file, "zen4").regions[0]
    sums = next(line for line in text.split("\n") if line.startswith("       ") and re.search(r"\d\.\d\d", line))
    shown = [float(cell) for cell in sums.split()][: sum(total >= 0.005 for total in region.uniform_ports.totals)]
    assert shown == pytest.approx([total for total in region.uniform_ports.totals if total >= 0.005], abs=0.006)


def test_lines_and_no_markers(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    assert len(re.findall(r"\|\|.*(?:vmov|vfma)", report(capsys, "--arch", "SKX", "--lines", "3:4,5", file))) == 3


def test_unknown_instructions_have_no_sums_unless_they_are_to_be_ignored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "unknown.s"
    path.write_text(TRIAD.replace("\taddq", "\tskinit\n\taddq"))
    text = report(capsys, "--arch", "zen4", path)
    assert "| X skinit" in text
    assert "The performance data for 1 instruction is missing" in text
    assert "Forecast" not in text
    assert "Forecast: at least" in report(capsys, "--arch", "zen4", "--ignore-unknown", path)


def test_document_and_graph(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    document, graph, out = tmp_path / "out.yml", tmp_path / "graph.dot", tmp_path / "out.txt"
    words = ("--arch", "SKX", "--yaml-out", document, "--export-graph", graph, "-o", out, "-v", "-f", file)
    assert report(capsys, *words, "--lcd-timeout", "-1") == ""
    found = json.loads(document.read_text())
    assert found["Summary"]["LCD"] == 1
    assert found["Kernel"][1]["Instruction"] == "vfmadd213pd"
    assert found["Target"]["Ports"][:2] == ["0", "1"]
    assert graph.read_text().startswith("digraph")
    assert "Combined Analysis Report" in out.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--arch", "i8086"], "no machine model is called 'i8086'"),
        (["--import", "ibench"], "--import is not done here; use corecast import"),
        (["--db-check"], "--db-check is not done here"),
        (["--arch", "SKX", "--lines", "x"], "'x' is not a list of lines"),
    ],
)
def test_bad_options_are_one_message(
    capsys: pytest.CaptureFixture[str], file: Path, words: list[str], message: str
) -> None:
    assert main([*words, str(file)]) == 2
    assert message in capsys.readouterr().err


def test_one_file_is_not_two_outputs(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.txt")
    assert main(["--arch", "SKX", "-o", out, "--yaml-out", out, str(file)]) == 2
    assert "one file cannot be two outputs" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_what_is_known_of_the_core_alone_is_told(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """LLVM's scheduling model stands in where there is no other."""
    assert main(["--arch", "znver1", str(file)]) == 0
    assert capsys.readouterr().err == ""
    assert main(["--arch", "bdver4", str(file)]) == 0
    assert "nothing in it was measured" in capsys.readouterr().err


def test_a_misspelt_option_gets_a_suggestion(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--ignor-unknown", str(file)])
    assert stop.value.code == 2
    assert "did you mean --ignore-unknown?" in capsys.readouterr().err
