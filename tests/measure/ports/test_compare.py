"""Verdicts on what was measured: against the names of the measuring side, or another model's with a counterpart of
each port."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import load_machine
from corecast.measure import SimulatedCore
from corecast.measure.judge.ports import PortMeter, Readings, known_blocking
from corecast.measure.judge.ports.compare import Reference, compare, summary
from measure.hidden import HEADER

P = frozenset
NAMES = {"A": "0", "B": "1", "C": "5", "D": "6", "L": "2", "M": "3"}
"""Skylake-X's ports as another source might call them; its store port S has no counterpart."""
TOML = """format = 1
name = "NAME"
isa = "x86"
forms = ["other.tsv"]
source = "test"
confidence = "assumed"
[ports]
names = ["A", "B", "C", "D", "L", "M", "S"]
[rename]
dispatch_width_uops_per_cycle = 4
"""
ROWS = {
    "vpermilps ymm, ymm, ymm": "1*pC",  # as it is
    "imul r64, r64, i8": "1*pA",  # beside port 0's blocker it would be slow
    "vhaddpd xmm, xmm, xmm": "2*pC+1*pAB",  # three uops
    "vmulps ymm, ymm, ymm": "1*pABC",  # could be faster than it is
    "vmovaps m128, xmm": "1*pLM+1*pS",
    "pdep r64, r64, r64": "1.5*pB",
    "vpsadbw ymm, ymm, ymm": "",
}


@pytest.fixture
def other(tmp_path: Path) -> Reference:
    rows = [f"{form}\t{ports}\t\t2->1:3\t\t\t\t\ttest\tassumed" for form, ports in ROWS.items()]
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "other.tsv").write_text("\n".join([HEADER, *rows]) + "\n")
    (tmp_path / "pipeline.toml").write_text(TOML.replace("NAME", tmp_path.name))
    return Reference(load_machine(tmp_path), NAMES)


def test_usages_are_told_in_the_names_of_the_measuring_side(other: Reference) -> None:
    assert other.usage("vmulps ymm, ymm, ymm") == {P("015"): 1.0}
    assert other.source("vmulps ymm, ymm, ymm") == "test"
    assert other.usage("vmovaps m128, xmm") is None
    assert other.usage("vaddpd ymm, ymm, ymm") is None
    assert Reference(other.machine).usage("vmulps ymm, ymm, ymm") == {P("ABC"): 1.0}


def test_forms_of_one_or_two_whole_uops_with_counterparts_are_drawn(other: Reference) -> None:
    wanted = {"vpermilps ymm, ymm, ymm", "imul r64, r64, i8", "vmulps ymm, ymm, ymm"}
    assert set(other.sample(100, seed=1)) == wanted
    assert len(list(other.sample(2, seed=1))) == 2
    assert list(other.sample(100, seed=1, source="^somebody")) == []


def test_what_another_source_says_is_held_against_the_measurement(other: Reference) -> None:
    machine = load_machine("skylake_x")
    readings = Readings(SimulatedCore(machine, count_uops=True))
    meter = PortMeter(readings, known_blocking(readings, machine))
    found = {}
    for form in other.sample(100, seed=1):
        expected = other.usage(form)
        assert expected is not None
        found[form] = compare(meter.measure(form, [expected]), other, meter.blocking)
        assert found[form].measured.claims == (expected,)
    assert {form: each.verdict for form, each in found.items()} == {
        "vpermilps ymm, ymm, ymm": "same",
        "imul r64, r64, i8": "refuted",
        "vmulps ymm, ymm, ymm": "differs",
    }
    text = summary(list(found.values()), meter.blocking)
    assert "   1  refuted: 1*p0 expected, 1*p1: imul r64, r64, i8\n" in text
