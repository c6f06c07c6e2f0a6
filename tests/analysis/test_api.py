"""corecast.analyze: what it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import corecast
from corecast.analysis import AnalyzeOptions
from corecast.asm import Kernel, RegionOptions
from corecast.errors import InputError, SyntaxProblem, UnknownCpuError
from toy_machines import FOLDER, toy

TEXT = "addq %rax, %rbx\nimulq %rcx, %rcx\n"


def texts(result: corecast.analysis.results.AnalysisResult) -> list[str]:  # type: ignore[name-defined]
    return [row.text for region in result.regions for row in region.instructions]


def test_text_files_kernels_and_hex(tmp_path: Path) -> None:
    machine = toy("toy_x86")
    file = tmp_path / "loop.s"
    file.write_text(TEXT, encoding="utf-8")
    expected = ["addq %rax, %rbx", "imulq %rcx, %rcx"]  # as written
    assert texts(corecast.analyze(TEXT, machine)) == expected
    assert texts(corecast.analyze(file, machine)) == expected
    assert texts(corecast.analyze(str(file), machine)) == expected
    assert texts(corecast.analyze(Kernel.from_text(TEXT, isa="x86"), machine)) == expected
    unrolled = corecast.analyze("4801c3 480fafc9", machine, regions=RegionOptions(mode="unroll"))
    assert texts(unrolled) == ["add rbx, rax", "imul rcx, rcx"]  # decoded: Intel syntax


def test_the_core_may_be_a_folder() -> None:
    result = corecast.analyze(TEXT, FOLDER / "toy_x86")
    assert (result.cpu, result.isa, result.version) == ("toy_x86", "x86", corecast.__version__)


def test_an_unknown_core_is_an_error() -> None:
    with pytest.raises(UnknownCpuError):
        corecast.analyze(TEXT, "no_such_core")


@pytest.mark.parametrize("choice", [{"ports": "equal"}, {"unknown": "ignore"}, {"mode": "straight"}])
def test_a_choice_that_there_is_not_is_refused(choice: dict[str, str]) -> None:
    (name,) = choice
    with pytest.raises(InputError, match=f"{name} is one of .*, not '{choice[name]}'"):
        AnalyzeOptions(**choice)  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_told_as_such() -> None:
    """A string is a file's name or text; this one is neither."""
    with pytest.raises(SyntaxProblem, match="nor is there a file of this name"):
        corecast.analyze("kernels/none.s", toy("toy_x86"))


def test_loops_that_bounds_cannot_tell_come_with_the_simulated_figure() -> None:
    """A prefix sum: its pointer is stepped every cycle, on ports that the closing branch wants as well."""
    (region,) = corecast.analyze("03104883c0048950fc4839c875f2", "haswell").regions
    assert region.prediction.cycles_per_iteration == 1
    (warning,) = region.warnings
    told = re.search(r"share ports.*simulated, an iteration takes (\d\.\d\d) cycles", warning)
    assert told is not None
    (predicted,) = corecast.predict(["03104883c0048950fc4839c875f2"], "haswell")
    assert float(told[1]) == pytest.approx(predicted.cycles, rel=0.01)


def test_loops_that_simulation_finds_no_slower_are_told_nothing_of() -> None:
    (region,) = corecast.analyze(".L1: addq $4, %rax\ncmpq %rcx, %rax\njne .L1\n", "haswell").regions
    assert region.warnings == ()
