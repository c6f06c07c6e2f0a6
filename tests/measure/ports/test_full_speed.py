"""What is faster than ports allow refutes a mapping; what is slower proves nothing."""

from __future__ import annotations

import pytest

from corecast import load_machine
from corecast.measure import SimulatedCore
from corecast.measure.judge.ports import PortMeter, Readings, known_blocking
from corecast.measure.judge.ports.blocking import Blocker
from corecast.measure.judge.ports.full_speed import contradictions, most_telling, shape
from corecast.measure.judge.ports.usage import PortSet
from corecast.measure.plan.ports.templates import template
from corecast.measure.thresholds import FULL_SPEED_CYCLES

P = frozenset


def blocker(key: str, ports: str) -> Blocker:
    return Blocker(template(key, "x86"), {P(ports): 1.0}, P(ports))


@pytest.fixture(scope="module")
def meter() -> PortMeter:
    machine = load_machine("skylake_x")
    readings = Readings(SimulatedCore(machine, count_uops=True))
    return PortMeter(readings, known_blocking(readings, machine))


def test_blockers_that_are_what_they_are_taken_for_do_not_contradict_each_other(meter: PortMeter) -> None:
    assert contradictions(meter.readings, meter.blocking.blockers.values()) == {}


def test_a_blocker_of_other_ports_contradicts_those_that_have_them(meter: PortMeter) -> None:
    """Port 5's shuffles beside port 0's AES, taken for port 0's: they cannot run side by side."""
    wrong, right = blocker("vpshufb xmm, xmm, xmm", "0"), blocker("vaesdec xmm, xmm, xmm", "0")
    found = contradictions(meter.readings, [wrong, right, blocker("imul r64, r64, i8", "1")])
    assert list(found) == [(P("0"), P("0"))]
    assert "take 12.0 cycles, their ports 24.0" in next(iter(found.values()))


def test_slower_than_ports_need_is_no_contradiction(meter: PortMeter) -> None:
    """Two forms of port 5, one of them taken for port 1's."""
    wrong, right = blocker("vpshufb xmm, xmm, xmm", "1"), blocker("vpunpcklbw xmm, xmm, xmm", "5")
    assert contradictions(meter.readings, [wrong, right]) == {}


def test_a_sets_blocker_that_is_wrong_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sibling that takes shuffles for p0's: the next form of its list is one."""
    from corecast.measure.judge.ports import siblings

    machine = load_machine("skylake_x")
    known = siblings._known(machine)
    known.candidates[P("0")].insert(0, blocker("vpshufb xmm, xmm, xmm", "0"))
    monkeypatch.setattr(siblings, "_known", lambda _: known)
    found = known_blocking(Readings(SimulatedCore(machine, count_uops=True)), machine)
    assert found.blockers[P("0")].template.key != "vpshufb xmm, xmm, xmm"
    assert found.blockers[P("5")].usage == {P("5"): 1.0}


def test_claims_are_put_to_the_test(meter: PortMeter) -> None:
    claims: list[dict[PortSet, float]] = [{P("1"): 1.0}, {P("5"): 1.0}, {P("05"): 1.0}]
    measured = meter.measure("vpermilps ymm, ymm, ymm", claims)
    assert measured.usage == {P("5"): 1.0}
    assert measured.refuted == ({P("1"): 1.0},)  # one with port 5 among others would have been no slower


def test_several_uops_are_measured_at_full_speed(meter: PortMeter) -> None:
    measured = meter.measure("vhaddpd xmm, xmm, xmm")
    assert measured.usage == {P("5"): 2.0, P("01"): 1.0}
    assert measured.full_speeds
    for each in measured.full_speeds:
        assert each.allows(measured.usage)
        assert not each.allows({P("5"): 3.0, P("01"): 1.0}) or each.blocker.ports.isdisjoint("5")


def test_mixtures_hold_what_each_form_does_in_the_same_time() -> None:
    assert shape(0.5, blocker("vaddpd xmm, xmm, xmm", "01")) == (2 * FULL_SPEED_CYCLES, 2 * FULL_SPEED_CYCLES)
    assert shape(100.0, blocker("imul r64, r64, i8", "1")) == (FULL_SPEED_CYCLES, 1)


def test_sets_that_overlap_and_alternatives_are_what_full_speed_tells() -> None:
    blockers = {P(each): blocker("imul r64, r64, i8", each) for each in ("01", "12", "23", "0123")}
    assert most_telling([{P("01"): 1.0}], 0.5, blockers, ()) == P("12")
    assert most_telling([{P("01"): 1.0}], 0.5, blockers, [P("12")]) is None
    assert most_telling([{P("01"): 1.0}, {P("03"): 1.0}], 0.5, blockers, [P("12")]) in (P("01"), P("23"))
