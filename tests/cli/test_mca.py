"""`corecast-mca`: llvm-mca's command line and the shape of its answers."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from corecast.api import analyze
from corecast.cli.mca import main

HADD = "\tvmulps\t%xmm0, %xmm1, %xmm2\n\tvhaddps\t%xmm2, %xmm2, %xmm3\n\tvhaddps\t%xmm3, %xmm3, %xmm4\n"
TWO = (
    "# LLVM-MCA-BEGIN first\naddq %rax, (%rdi)\n# LLVM-MCA-END first\n"
    "# LLVM-MCA-BEGIN second\nimulq %rbx, %rax\n# LLVM-MCA-END second\n"
)
TRIAD = (
    ".L3:\n vmovapd (%rsi,%rax), %zmm0\n vmulpd (%rdx,%rax), %zmm0, %zmm0\n vaddpd (%rcx,%rax), %zmm0, %zmm0\n"
    " vmovapd %zmm0, (%rdi,%rax)\n addq $64, %rax\n cmpq %rax, %r8\n jne .L3\n"
)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(text: str, *options: str, code: int = 0) -> str:
        file = tmp_path / "code.s"
        file.write_text(text)
        assert main(["-mcpu=skylake-avx512", *options, str(file)]) == code
        out = capsys.readouterr()
        return out.err if code else out.out

    return call


def reader(output: str) -> tuple[dict[str, float], float, int, float]:
    """What Kerncraft reads: cycles by port, of an iteration, from the first D to its last R, and micro-ops."""
    names = dict(re.findall(r"(\[[0-9.]+\])\s+-\s+([a-zA-Z0-9]+)", output.split("Resources:\n")[1].split("\n\n")[0]))
    head, values = output.split("Resource pressure per iteration:\n")[1].split("\n")[:2]
    pressure = {
        names[place]: 0.0 if value == "-" else float(value)
        for place, value in zip(head.split(), values.split(), strict=True)
    }
    figure = {
        key: int(re.search(rf"{key}:\s+([0-9]+)", output)[1]) for key in ("Total Cycles", "Iterations", "Total uOps")
    }  # type: ignore[index]
    lines = [line for line in output.split("\n") if re.match(r"\[0,[0-9]+\]", line)]
    path = max(line.index("R") for line in lines) - min(line.index("D") for line in lines)
    return pressure, figure["Total Cycles"] / figure["Iterations"], path, figure["Total uOps"] / figure["Iterations"]


def test_readers_of_llvm_mca_find_the_figures_of_analyze(run) -> None:  # type: ignore[no-untyped-def]
    pressure, cycles, path, uops = reader(run(TRIAD, "--timeline", "--timeline-max-cycles=1000", "-iterations=1000"))
    region = analyze(TRIAD, "skylake-avx512").regions[0]
    assert cycles == pytest.approx(region.prediction.cycles_per_iteration, abs=1e-3)
    assert pressure["SKXPort2"] == pytest.approx(region.ports.totals[2], abs=0.01)
    assert pressure["SKXPort4"] == pytest.approx(1)
    assert path >= 4 + 4 + 7
    assert uops == sum(row.uops for row in region.instructions)


@pytest.mark.skipif(shutil.which("llvm-mca") is None, reason="llvm-mca is not installed")
def test_headings_and_columns_are_those_of_llvm_mca(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    options = ("-timeline", "-timeline-max-iterations=3", "-iterations=300")
    ours = run(HADD, *options)
    command = ["llvm-mca", "-mcpu=skylake-avx512", *options, str(tmp_path / "code.s")]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def shape(text: str) -> list[str]:
        """Headings; of lines with figures where the instructions begin."""
        found = [line for line in text.split("\n") if re.match(r"[A-Z].*:$|\[\d\]: ", line)]
        info = text.split("Instruction Info:")[1].split("Resources:")[0]
        return [*found, *(str(line.index("vhaddps")) for line in info.split("\n") if "vhaddps" in line)]

    assert shape(ours) == shape(theirs)
    assert (
        re.findall(r"^(\w[\w ]+): ", ours, re.MULTILINE)[:8] == re.findall(r"^(\w[\w ]+): ", theirs, re.MULTILINE)[:8]
    )


def test_the_timeline_has_each_state_of_an_instruction(run) -> None:  # type: ignore[no-untyped-def]
    output = run(HADD, "-timeline", "-timeline-max-iterations=2", "-summary-view=0")
    rows = [line for line in output.split("\n") if re.match(r"\[\d,\d\]", line)]
    assert [row[:5] for row in rows] == ["[0,0]", "[0,1]", "[0,2]", "[1,0]", "[1,1]", "[1,2]"]
    for row in rows:
        assert re.match(r"D=*e*E-*R$", row[10 : row.rindex("R") + 1].strip(" ."))
    assert "Total Cycles" not in output
    assert "Average Wait times" in output


def test_marked_regions_have_their_names(run) -> None:  # type: ignore[no-untyped-def]
    output = run(TWO, "-instruction-info=false", "-resource-pressure=0")
    assert "[0] Code Region - first\n" in output
    assert "[1] Code Region - second\n" in output
    assert re.findall(r"Total Cycles: +(\d+)", output)[1] == "300"


def test_json_has_the_views_that_were_asked_for(run) -> None:  # type: ignore[no-untyped-def]
    document = json.loads(run(TWO, "-json", "-iterations", "10"))
    assert [each["Name"] for each in document["CodeRegions"]] == ["first", "second"]
    summary = document["CodeRegions"][1]["SummaryView"]
    assert (summary["Iterations"], summary["Instructions"], summary["TotalCycles"]) == (10, 10, 30)
    assert "TimelineView" not in document["CodeRegions"][0]
    assert document["TargetInfo"]["Resources"][0] == "SKXPort0"


def test_code_without_markers_is_one_region_whatever_branches(run) -> None:  # type: ignore[no-untyped-def]
    assert "Instructions:      800\n" in run("addq $1, %rdx\n" + TRIAD)


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"imulq %rax, %rax\n"))
    monkeypatch.setattr("sys.stdin", stream)
    assert main(["--mcpu", "haswell"]) == 0
    assert "Total Cycles:      300\n" in capsys.readouterr().out


def test_the_command_line_of_compiler_explorer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options of the tool's definition, then those that follow from the compiler's, those of the pane, the file."""
    file = tmp_path / "output.s.mca"
    file.write_text('\t.file "example.cpp"\n\t.intel_syntax noprefix\n\t.text\nf:\n\tadd rax, QWORD PTR [rdi]\n\tret\n')
    triple = "-mtriple=x86_64"
    assert main(["-mcpu=skylake-avx512", triple, "-mcpu=generic", str(file)]) == 0
    default = capsys.readouterr()
    assert "SKXPort5" in default.out
    assert main(["-mcpu=skylake-avx512", triple, "-mcpu=generic", "-mcpu=znver4", str(file)]) == 0
    assert "ALU3" in capsys.readouterr().out
    monkeypatch.setattr("corecast.machine.host.host_machine", lambda: "skylake_x")
    assert main([triple, "-mcpu=generic", str(file)]) == 0
    assert capsys.readouterr().out == default.out
    assert main(["-mtriple=aarch64-linux-gnu", "-mcpu=generic", str(file)]) == 2
    assert "-mtriple=aarch64-linux-gnu is aarch64, but skylake_x is x86" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-nonsense",), "no option -nonsense"),
        (("-iterations=many",), "-iterations=many: a whole number, not 'many'"),
        (("-mcpu=i8086",), "no machine model is called 'i8086'"),
        (("-timeline-max-cycles",), "-timeline-max-cycles: a whole number, not"),
        (("more.s",), "one file at most, not more.s and "),
    ],
)
def test_bad_options_are_one_message(run, options: tuple[str, ...], message: str) -> None:  # type: ignore[no-untyped-def]
    error = run(HADD, *options, code=2)
    assert re.search(message, error)
    assert "Traceback" not in error


def test_lines_that_are_no_instruction_stop_it_unless_they_may_be_skipped(run) -> None:  # type: ignore[no-untyped-def]
    error = run(HADD + "foo %rax\n", code=2)
    assert ":4: 'foo' is not an x86 instruction" in error
    assert "--unknown" not in error
    assert "Instructions:      " in run(HADD + "foo %rax\n", "-skip-unsupported-instructions=any")


def test_views_that_are_not_there_are_named(run, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert main(["-mcpu=znver4", "-retire-stats", "-mtriple=x86_64", str(_file(tmp_path))]) == 0
    assert "not shown: -retire-stats" in capsys.readouterr().err


def test_the_output_file_is_no_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path)
    assert main(["-mcpu=znver4", str(file), "-o", str(file)]) == 2
    assert file.read_text() == HADD
    target = tmp_path / "out.txt"
    assert main(["-mcpu=znver4", str(file), "-o", str(target)]) == 0
    assert "Total Cycles" in target.read_text()
    capsys.readouterr()


def _file(folder: Path) -> Path:
    file = folder / "hadd.s"
    file.write_text(HADD)
    return file
