"""Reasons of stalls, the headline they lead to, and timelines: from the simulator to reports."""

from __future__ import annotations

import json
import re

import pytest

from corecast.analysis import AnalyzeOptions
from corecast.analysis.simulated import SimulationResult, TimelineUop
from corecast.asm import Kernel
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.machine import list_machines, load_machine, variant
from corecast.report.timeline import cell_letter
from corecast.simulate import simulate_kernel

CHAIN = "480fafc3"  # imul rax, rbx
PORT = "480fafc3480fafcb480fafd3480faff3"  # four of them, independent of each other
DIVIDER = "c5f35ec2c5f35eda"  # vdivsd xmm0, xmm1, xmm2; vdivsd xmm3, xmm1, xmm2
LOADS = "8b078b5f408b8f80000000"  # three loads
STORES = "8907894708"
LCP = "6681c03412"  # add ax, 0x1234: its length-changing prefix stalls the predecoder


def simulate(code: str, mode: str = "loop", cpu: str = "skylake_x", timeline: int = 0) -> SimulationResult:
    return simulate_kernel(
        Kernel.from_hex(code, "x86", is_loop=mode == "loop"), load_machine(cpu), AnalyzeOptions(timeline=timeline)
    )


@pytest.mark.parametrize("code", [CHAIN, PORT, DIVIDER, LOADS, STORES, LCP, "4801c34801c3", "f3a4"])
@pytest.mark.parametrize("mode", ["loop", "unroll"])
def test_every_cycle_has_one_reason(code: str, mode: str) -> None:
    found = simulate(code, mode)
    assert sum(share.cycles for share in found.ranked_stalls) == pytest.approx(found.cycles_per_iteration, rel=1e-9)
    assert sum(found.stalls.values()) == pytest.approx(found.cycles_per_iteration, rel=1e-9)
    full_groups = sum(share.cycles for share in found.ranked_stalls if share.instruction is None)
    blamed = sum(found.stalls_by_instruction)
    assert full_groups + blamed == pytest.approx(found.cycles_per_iteration, rel=1e-9)
    states = ("idle", "blocked", "run", "unblock")
    assert sum(found.counters[f"rename.{state}Cycles"] for state in states) == pytest.approx(
        found.counters["numCycles"], rel=1e-9
    )
    shares = [share.cycles for share in found.ranked_stalls]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("code", "mode", "cause", "resource", "bottleneck"),
    [
        (CHAIN, "loop", "operand_latency", "", "dependency"),
        (PORT, "loop", "port_busy", "1", "ports"),
        (DIVIDER, "loop", "unit_busy", "DIV", "unit"),
        (LCP, "unroll", "predecode", "", "frontend"),
    ],
)
def test_a_loop_with_one_limit_blames_it(code: str, mode: str, cause: str, resource: str, bottleneck: str) -> None:
    found = simulate(code, mode)
    first = next(share for share in found.ranked_stalls if share.cause != "none")
    assert (first.cause, first.resource) == (cause, resource)
    assert found.bottleneck == bottleneck
    of_cause = sum(share.cycles for share in found.ranked_stalls if share.cause == cause)
    assert of_cause >= 0.6 * (found.cycles_per_iteration - found.stalls["none"])


def test_more_loads_than_the_queue_holds() -> None:
    """Load queue 72 entries, reorder buffer 224 slots: with three of four slots loads, the queue is full first, but
    where loads wait for ports in 28 entries of their own."""
    machine = load_machine("skylake_x")
    for schedulers, full in (([], "load_queue"), (machine.pipeline["schedulers"], "scheduler")):
        kernel = Kernel.from_hex(LOADS, "x86", is_loop=True)
        found = simulate_kernel(kernel, variant(machine, {"schedulers": schedulers}))
        assert {share.full for share in found.ranked_stalls if share.cause != "none"} == {full}
        assert (found.counters["rename.LQFullEvents"] > 0) == (full == "load_queue")
        assert found.counters["rename.ROBFullEvents"] == 0


def test_stores_wait_for_the_cache() -> None:
    found = simulate(STORES)
    assert found.cycles_per_iteration == pytest.approx(2.0)
    assert found.counters["rename.SQFullEvents"] > 0


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_every_core_is_simulated_and_its_reasons_add_up(info: object, capsys: pytest.CaptureFixture[str]) -> None:
    machine = load_machine(info.name)  # type: ignore[attr-defined]
    code = {"x86": "480fafc3", "aarch64": "007c019b", "riscv64": "3305b502"}[machine.isa]  # a multiplication
    assert main(["analyze", "--hex", code, "--cpu", machine.name, "--format", "json"]) == 0
    region = json.loads(capsys.readouterr().out)["regions"][0]
    assert region["method"] == "simulate"
    assert region["cycles_per_iteration"] == region["simulated"]["cycles_per_iteration"]
    assert region["bottleneck"] == region["simulated"]["bottleneck"]
    total = sum(share["cycles"] for share in region["simulated"]["ranked_stalls"])
    assert total == pytest.approx(region["simulated"]["cycles_per_iteration"], abs=1e-4)


def test_a_timeline_has_whole_iterations_with_their_events_in_order() -> None:
    timeline = simulate(LOADS, timeline=3).timeline
    assert timeline is not None
    assert not timeline.cut
    assert len({uop.iteration for uop in timeline.uops}) == 3
    for uop in timeline.uops:
        assert uop.delivered < uop.renamed < uop.ready <= uop.dispatched < uop.completed < uop.retired
        assert uop.retired < timeline.first_cycle + len(timeline.cycles)


def test_a_timeline_that_would_be_too_long_is_cut_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--hex", "90" * 300, "--cpu", "skylake_x", "--timeline", "1000", "--mode", "unroll"]) == 0
    text = capsys.readouterr().out
    assert "cut: 200 of 20000 micro-ops" in text
    assert re.search(r"cut: \d+ iterations taken down", text)


def test_letters_tell_what_a_uop_does() -> None:
    uop = TimelineUop(
        iteration=0, instruction=0, uop=0, port="1", eliminated=False, delivered=1, renamed=3, ready=8, dispatched=10,
        completed=13, retired=15, waited="operand", from_iteration=0, from_instruction=1, resource="1",
    )  # fmt: skip
    assert "".join(cell_letter(uop, cycle, "b", delay=2) for cycle in range(17)) == " DbN==oopp" + "XeeE-R "


@pytest.mark.parametrize(
    "options",
    [
        ["--timeline", "0"],
        ["--timeline", "1001"],
        ["--timeline-from", "3"],
        ["--timeline", "1", "--timeline-from", "-1"],
        ["--timeline", "1", "--format", "dot"],
    ],
)
def test_bad_timelines_are_told(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--hex", "90", "--cpu", "skylake_x", *options]) == 2
    assert "timeline" in capsys.readouterr().err


def test_timelines_have_bounds() -> None:
    with pytest.raises(InputError, match="1 to 1000"):
        simulate("90", timeline=-1)


def test_the_html_timeline_needs_nothing_else_and_no_text_ends_its_data(
    capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    path = tmp_path / "loop.s"  # type: ignore[operator]
    path.write_text(".L1:\n addq $1, %rax # </script><b>\n jne .L1\n")
    assert main(["analyze", str(path), "--cpu", "skylake_x", "--timeline", "2", "--format", "html"]) == 0
    page = capsys.readouterr().out
    data = re.search(r'<script type="application/json" id="documents">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    (document,) = json.loads(data[1])
    seen = document["regions"][0]["simulated"]["timeline"]
    assert len(seen["uops"]) >= 2
    assert len(seen["cycles"]) > 0
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)  # the name of SVG, which nothing is fetched from
    assert "default-src 'none'" in page
    assert "Why not faster" in page


def test_a_port_and_the_front_end_that_bind_alike_are_both_named() -> None:
    """Two loads and two stores take both address ports for two cycles; eight slots are renamed in two."""
    both = "c5fd104600c5fd104e20c5fd114700c5fd114f2048ffc048ffc2"
    found = simulate(both)
    assert found.cycles_per_iteration == pytest.approx(2.0)
    assert (found.bottleneck, found.front_end_binds_too) == ("ports", True)
    assert not simulate(LOADS).front_end_binds_too


@pytest.mark.parametrize("cpu", ["neoverse_v2", "neoverse_n2"])
def test_groups_that_a_full_scheduler_cuts_are_its_own_doing(cpu: str) -> None:
    """A division and what waits for it fill the schedulers; the front end could deliver more in every cycle."""
    chain = "\n".join(f"fmul v{n + 1}.4s, v{n}.4s, v{n}.4s" for n in range(12))
    kernel = Kernel.from_text(f".L1:\nfdiv v0.4s, v20.4s, v21.4s\n{chain}\nsubs x0, x0, #1\nb.ne .L1\n", isa="aarch64")
    found = simulate_kernel(kernel, load_machine(cpu))
    assert found.bottleneck != "frontend"
    assert found.stalls["split_group"] < 0.05 * found.cycles_per_iteration
    assert any(share.full == "scheduler" for share in found.ranked_stalls)


def test_only_ports_that_cannot_be_avoided_are_named() -> None:
    """One store a cycle: its data port binds, whichever of the address ports and ALUs happen to be taken beside it."""
    kernel = Kernel.from_hex("c5fd1107 4883c720", "x86", is_loop=True)
    found = simulate_kernel(kernel, load_machine("zen4"))
    assert (found.bottleneck, found.detail) == ("ports", "ST0")
