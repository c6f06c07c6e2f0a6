"""Blocking instructions and port sets are found on a core of which nothing is known."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from corecast import load_machine
from corecast.measure import SimulatedCore
from corecast.measure.judge.ports import PortMeter, Readings, found_blocking
from corecast.measure.judge.ports.siblings import row_usage


@cache
def discovered(name: str) -> PortMeter:
    readings = Readings(SimulatedCore(load_machine(name)))
    return PortMeter(readings, found_blocking(readings))


@pytest.mark.parametrize(("name", "sets"), [("skylake_x", 9), ("neoverse_n1", 6)])
def test_sets_share_as_many_ports_as_on_the_hidden_core(name: str, sets: int) -> None:
    machine, meter = load_machine(name), discovered(name)
    pairs = []
    for ports, blocker in meter.blocking.blockers.items():
        row = machine.core.find(blocker.template.key)
        assert row is not None
        if len(row_usage(row)) == 1:
            pairs.append((ports, next(iter(row_usage(row)))))
    assert len(pairs) >= sets
    for (one, true_one), (other, true_other) in combinations(pairs, 2):
        assert len(one) == len(true_one)
        assert len(one & other) == len(true_one & true_other)


def test_forms_are_measured_in_terms_of_what_was_found() -> None:
    meter = discovered("skylake_x")
    sets = {blocker.template.key: ports for ports, blocker in meter.blocking.blockers.items()}
    measured = meter.measure("vpshufb ymm, ymm, m256")
    assert measured.usage == {sets["vpshufb xmm, xmm, xmm"]: 1.0, sets["mov r32, m32"]: 1.0}
    assert meter.measure("vsubps ymm, ymm, ymm").usage == {sets["vaddpd xmm, xmm, xmm"]: 1.0}
    assert sets["mov m32, r32"] in (meter.measure("mov m64, r64").usage or {})


def test_what_the_front_end_hides_is_told() -> None:
    assert any("front end hides" in doubt for doubt in discovered("skylake_x").blocking.doubts)


def test_forms_of_several_uops_are_no_classes() -> None:
    """`vpmulld` is two uops, and repeats as a form of one port would."""
    blocking = discovered("skylake_x").blocking
    assert not any(blocker.template.key.startswith("vpmulld") for blocker in blocking.blockers.values())
