"""What simulated cores hide is found by interference, on any instruction set.

The names of ports come from a sibling whose own answers may be wrong: the blocking instructions are checked on the
core, the forms are measured.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from corecast import load_machine
from corecast.errors import InputError
from corecast.machine import Machine
from corecast.measure import Noise, SimulatedCore
from corecast.measure.judge.ports import PortMeter, Readings, known_blocking
from corecast.measure.judge.ports.compare import Reference, compare
from corecast.measure.judge.ports.conflicts import Conflicts
from corecast.measure.judge.ports.siblings import row_usage
from corecast.measure.rejection import Reason
from measure.hidden import HEADER, TOML

P = frozenset


def meter(machine: Machine, names: Machine | None = None, noise: Noise | None = None) -> PortMeter:
    readings = Readings(SimulatedCore(machine, noise or Noise(), count_uops=True))
    return PortMeter(readings, known_blocking(readings, names or machine))


@cache
def skylake() -> PortMeter:
    return meter(load_machine("skylake_x"))


DIFFERING = {"zen4": {"vpermilpd zmm{k}{z}, zmm, i8", "vpaddd zmm, zmm, zmm"}}
"""Zen 4 chooses the scheduler of a vector operation by how full it looks, not by its ports: of a form that takes one of
three pipes twice, two sets of two are found, of one that takes one of four, a set of four and one of three."""


@pytest.mark.parametrize("name", ["skylake_x", "zen4", "neoverse_n1", "tsv110", "sifive_p670"])
def test_the_ports_of_sampled_forms_come_back(name: str) -> None:
    machine = load_machine(name)
    found = meter(machine)
    reference = Reference(machine)
    results = {form: compare(found.measure(form), reference, found.blocking) for form in reference.sample(12, seed=11)}
    others = {form: each for form, each in results.items() if each.verdict not in ("same", "equivalent")}
    assert others.keys() <= DIFFERING.get(name, set()), others


FORMS = {
    "imul r64, r64, i8": ("0", "1", "5", "6"), "popcnt r64, r64": ("0", "1", "5", "6"),
    "pdep r64, r64, r64": ("0", "1", "5", "6"), "vaddpd xmm, xmm, xmm": ("0", "1", "5"),
    "vmulps ymm, ymm, ymm": ("0", "1", "5"), "vpshufb xmm, xmm, xmm": ("0", "1", "5"),
    "vpsadbw ymm, ymm, ymm": ("0", "1", "5"), "bzhi r32, r32, r32": ("0", "1", "5", "6"),
}  # fmt: skip
SETS = ("0", "1", "5", "01", "05", "06", "15", "015")
"""Those of Skylake-X that something blocks."""


def hidden(folder: Path, seed: int) -> Machine:
    """Skylake-X with one or two uops of other ports for some forms."""
    chance = random.Random(seed)
    rows = []
    for form, allowed in FORMS.items():
        sets = [ports for ports in SETS if set(ports) <= set(allowed)]
        chosen = [chance.choice(sets) for _ in range(chance.randint(1, 2))]
        ports = "+".join(f"1*p{each}" for each in chosen)
        rows.append(f"{form}\t{ports}\t\t2->1:3\t{len(chosen)}\t\t\t\ttest\tassumed")
    (folder / "forms").mkdir(parents=True)
    (folder / "forms" / "hidden.tsv").write_text("\n".join([HEADER, *rows]) + "\n")
    (folder / "pipeline.toml").write_text(TOML.replace("NAME", folder.name))
    return load_machine(folder)


@pytest.mark.parametrize("seed", range(3))
def test_a_sibling_names_the_ports_of_a_core_with_other_answers(tmp_path: Path, seed: int) -> None:
    core = hidden(tmp_path / "core", seed)
    found = meter(core, load_machine("skylake_x"))
    for form in FORMS:
        row = core.core.find(form)
        assert row is not None
        measured = found.measure(form)
        assert measured.usage == row_usage(row), (form, measured)


def test_ports_are_found_in_noise() -> None:
    machine = load_machine("skylake_x")
    found = meter(machine, noise=Noise(readings=0.001, drift=0.0005, interrupts=0.02))
    assert found.measure("imul r64, r64").usage == {P("1"): 1.0}
    assert found.measure("vpshufb xmm, xmm, m128").usage == {P("5"): 1.0, P("23"): 1.0}


def test_a_divider_repeats_slower_than_its_port() -> None:
    measured = skylake().measure("vdivpd ymm, ymm, ymm")
    assert measured.usage == {P("0"): 1.0}
    assert measured.blocking_cycles == pytest.approx(8, rel=0.02)


def test_what_the_front_end_hides_is_told() -> None:
    """Four slots a cycle cannot keep four ports waiting."""
    measured = skylake().measure("add r64, r64")
    assert measured.usage == {P("0156"): 1.0}
    assert measured.hidden_uops == 1
    assert any("front end" in note for note in measured.notes)


def test_a_store_takes_what_nothing_can_block() -> None:
    assert skylake().measure("mov m64, r64").usage == {P("4"): 1.0, P("237"): 1.0}


def test_ports_that_wide_vectors_close_are_no_uops() -> None:
    """While 512-bit instructions are in flight, port 1 takes no vectors: others wait, not for ports that are taken."""
    measured = skylake().measure("vpermd zmm, zmm, zmm")
    assert measured.usage == {P("5"): 1.0}
    assert any("waits longer" in note for note in measured.notes)
    assert skylake().measure("vexpandpd zmm{k}{z}, zmm").usage == {P("5"): 2.0}


def test_a_form_that_cannot_run_has_an_error() -> None:
    measured = meter(load_machine("nehalem")).measure("vaddpd zmm, zmm, zmm")
    assert measured.usage is None
    assert measured.rejection is not None
    assert measured.rejection.reason is Reason.LACKS


def test_blockers_that_cannot_be_timed_among_others_leave_the_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that others use: no sample was free of disturbances."""

    def own(*_: object) -> float:
        raise InputError("no sample was free of disturbances")

    monkeypatch.setattr(Conflicts, "own", own)
    assert skylake().measure("vpermilps ymm, ymm, ymm").usage == {P("5"): 1.0}
