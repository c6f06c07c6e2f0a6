"""corecast.analyze: what it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import corecast
from corecast.analysis import AnalyzeOptions
from corecast.asm import Kernel, RegionOptions
from corecast.dataclass import replace
from corecast.errors import InputError, SyntaxProblem, UnknownCpuError
from corecast.machine import MachineInfo, list_machines, load_machine
from corecast.machine.loader import build
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


KERNELS = {
    "x86": (
        "4801c3480fafc3",
        "5058 4883c205 49ffc0 78f5",
        "c5fd5806 c5fd1106 4883c620",
        "48f7f1",
        "f30f2a01",
        "90" * 63,
    ),
    "aarch64": ("007c019b", "0004c03d 0004803d 00401091", "2008c09a 0000008b"),
    "riscv64": ("3305b502", "03358500 2334a500", "3355c502"),
}
"""Products, calls' pushes and pops, a stream, a division, conversions, nothing but slots."""
PREFIX_SUM = "03104883c0048950fc4839c875f2"
"""Its pointer is stepped every cycle, on ports that the closing branch wants as well: no bound shows who waits."""


@pytest.mark.parametrize("cpu", ["haswell", "zen4", "alder_lake_p", "nehalem", "arrow_lake_e"])
def test_the_simulation_is_the_answer_on_every_core(cpu: str) -> None:
    (region,) = corecast.analyze(PREFIX_SUM, cpu).regions
    assert region.simulated is not None
    assert region.prediction.method == "simulate"
    assert region.prediction.cycles_per_iteration == region.simulated.cycles_per_iteration
    assert region.prediction.bottleneck == region.simulated.bottleneck
    (predicted,) = corecast.predict([PREFIX_SUM], cpu)
    assert (predicted.cycles, predicted.bottleneck) == (
        region.prediction.cycles_per_iteration,
        region.prediction.bottleneck,
    )


def test_bounds_answer_where_they_are_asked_for() -> None:
    (simulated,) = corecast.analyze(PREFIX_SUM, "haswell").regions
    (region,) = corecast.analyze(PREFIX_SUM, "haswell", AnalyzeOptions(method="bounds")).regions
    assert region.simulated is None
    assert replace(region.prediction, interval=None) == simulated.static
    assert region.prediction.cycles_per_iteration == 1 < simulated.prediction.cycles_per_iteration


def test_python_takes_settings_and_gives_timelines() -> None:
    options = AnalyzeOptions(timeline=2)
    (small,) = corecast.analyze(TEXT, "skylake_x", options, settings={"reorder_buffer.entries": 16}).regions
    (region,) = corecast.analyze(TEXT, "skylake_x", options).regions
    assert region.simulated is not None
    assert region.simulated.timeline is not None
    assert {uop.iteration for uop in region.simulated.timeline.uops}.__len__() == 2
    assert small.prediction.cycles_per_iteration >= region.prediction.cycles_per_iteration


def test_a_core_without_a_width_is_answered_by_bounds_and_says_what_is_missing() -> None:
    machine = load_machine("skylake_x")
    pipeline = {
        **machine.pipeline,
        "reorder_buffer": {},
    }
    poor = build(machine.info, pipeline, machine.tables)
    assert corecast.analyze(PREFIX_SUM, poor).regions[0].prediction.method == "bounds"
    with pytest.raises(InputError, match="does not give reorder buffer"):
        corecast.analyze(PREFIX_SUM, poor, AnalyzeOptions(method="simulate"))


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_bracket_and_bounds_never_contradict_the_headline(info: MachineInfo) -> None:
    machine = load_machine(info.name)
    for kernel in KERNELS[machine.isa]:
        if any(machine.core.lacks(each) for each in Kernel.from_hex(kernel, machine.isa).instructions):
            continue
        prediction = corecast.analyze(kernel, machine).regions[0].prediction
        cycles = prediction.cycles_per_iteration
        assert prediction.bracket.lower <= prediction.bracket.expected == cycles <= prediction.bracket.upper
        assert all(value <= 1.005 * cycles for value in prediction.bounds.values())


def test_loops_that_simulation_finds_no_slower_are_told_nothing_of() -> None:
    (region,) = corecast.analyze(".L1: addq $4, %rax\ncmpq %rcx, %rax\njne .L1\n", "haswell").regions
    assert region.warnings == ()
