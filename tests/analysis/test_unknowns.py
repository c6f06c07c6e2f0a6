"""Instructions without data never decide: lower bounds, no forecast where they are too many, and nobody is blamed."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import corecast
from block_strategies import bodies, looped
from corecast.analysis import AnalyzeOptions
from corecast.analysis.results import RegionResult
from corecast.machine import Machine, load_machine
from corecast.report import render
from rewritten_machines import Row, rewritten

FORGOTTEN = {"x86": "popcnt rax, rcx", "aarch64": "extr x0, x1, x2, #3"}
CORES = ("skylake", "zen4", "neoverse_v2")


def forget(row: Row) -> None:
    if row["form"].split(" ")[0] in ("popcnt", "extr", "crc32x"):
        row["form"] = "forgotten " + row["form"]


@cache
def core(name: str, whole: bool) -> Machine:
    return load_machine(name) if whole else rewritten(name, Path(mkdtemp()), forget, {})


def analyzed(lines: list[str], machine: Machine, method: str) -> RegionResult:
    text = "\n".join([".intel_syntax noprefix"] * (machine.isa == "x86") + lines) + "\n"
    options = AnalyzeOptions(method=method)  # type: ignore[arg-type]
    (region,) = corecast.analyze(text, machine, options).regions
    return region


def blamed(region: RegionResult) -> set[int]:
    """Whom the result names: in chains, ports, stalls and advice."""
    chains = [region.dependencies.critical_path, *region.dependencies.loop_carried]
    named = {index for chain in chains for index in chain.instructions}
    named |= {row.index for row in region.instructions if row.port_pressure or row.on_critical_path}
    if region.simulated is not None:
        shares = region.simulated.ranked_stalls
        named |= {each for share in shares for each in (share.instruction, share.waiting) if each is not None}
    return named


@settings(max_examples=12, deadline=None)
@given(st.data(), st.sampled_from(CORES), st.sampled_from(["simulate", "bounds"]), st.integers(0, 99))
def test_an_unknown_instruction_makes_a_lower_bound_and_is_never_named(
    data: st.DataObject, name: str, method: str, place: int
) -> None:
    isa = load_machine(name).isa
    body = [line for text in data.draw(bodies(isa)) for line in text.split("\n")]
    assume(len(body) > 2)
    assume(not any(line.split(" ")[0] in ("popcnt", "push", "pop") for line in body))
    place %= len(body) + 1
    lines = looped(isa, [*body[:place], FORGOTTEN[isa], *body[place:]])
    known, unknown = (analyzed(lines, core(name, whole), method) for whole in (True, False))
    assert unknown.uncounted == (place,)
    assert not unknown.withheld
    assert known.cycles_per_iteration is not None
    assert unknown.cycles_per_iteration is not None
    # Simulated, one delay less may make another longer.
    most = known.cycles_per_iteration * (1.15 if method == "simulate" else 1) + 1e-6
    assert unknown.cycles_per_iteration <= most
    assert place not in blamed(unknown)
    assert unknown.advice is None


def test_the_lower_bound_says_what_it_depends_on() -> None:
    machine = core("neoverse_v2", whole=False)
    result = corecast.analyze("1:\nadd x6, x6, x7\nextr x3, x3, x4, #5\nsubs x10, x10, #1\nb.ne 1b\n", machine)
    text = render(result, "text")
    assert re.match(r"at least 1\.00 cycles, \w+ ?\w*; unknown: extr \(line 3\)$", text.split("\n")[0])
    assert "depends on extr (line 3), which neoverse_v2 has no" in text
    assert "Faster?" not in text
    region = json.loads(render(result, "json"))["regions"][0]
    assert region["lower_bound"]
    assert not region["withheld"]
    assert [(each["line"], each["form"]) for each in region["depends_on"]] == [(3, "extr x, x, x, #i")]
    assert "at least 1.00" in render(result, "html")


@pytest.mark.parametrize("method", ["simulate", "bounds"])
def test_too_many_unknown_instructions_leave_no_forecast_in_any_format(method: str) -> None:
    machine = core("neoverse_v2", whole=False)
    code = "1:\nextr x3, x3, x4, #5\ncrc32x w6, w6, x7\nsubs x10, x10, #1\nb.ne 1b\n"
    result = corecast.analyze(code, machine, AnalyzeOptions(method=method))  # type: ignore[arg-type]
    (region,) = result.regions
    assert region.withheld
    assert region.cycles_per_iteration is None
    assert region.simulated is None
    text = render(result, "text")
    assert text.startswith("no forecast; 2 of 4 instructions unknown\n")
    text = " ".join(text.split())
    assert "No forecast: 2 of 4 instructions are unknown on neoverse_v2: extr and crc32x (lines 2 and 3)" in text
    assert "cycles per iteration" not in text
    document = json.loads(render(result, "json"))["regions"][0]
    assert document["withheld"]
    assert document["cycles_per_iteration"] is None
    assert document["bounds"] == {}
    assert set(document["bracket"].values()) == {None}
    assert len(document["depends_on"]) == 2
    assert "No forecast" in render(result, "html")
    assert "no forecast" in render(result, "svg")
    skipped = corecast.analyze(code, machine, AnalyzeOptions(unknown="skip")).regions[0]
    assert skipped.cycles_per_iteration == 1.0
    assert skipped.uncounted == (0, 1)


def test_the_branch_that_closes_a_block_does_not_count_as_known() -> None:
    (region,) = corecast.analyze("f3480fb8c1", core("skylake", whole=False)).regions  # popcnt alone
    assert region.withheld


def test_what_an_unknown_instruction_makes_is_there_at_once() -> None:
    """A chain through it takes what its known links take."""
    machine = core("skylake", whole=False)
    for method in ("simulate", "bounds"):
        region = analyzed(looped("x86", ["imul rax, rcx", "popcnt rax, rax", "nop"]), machine, method)
        assert region.cycles_per_iteration == 3.0
        assert region.prediction.bottleneck == "dependency"
        assert 1 not in blamed(region)
