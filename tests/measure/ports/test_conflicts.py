"""Pressure: what ports make of it stays the same beside more blockers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest

from corecast.errors import InputError
from corecast.measure.judge.ports.blocking import Blocker, Blocking, FrontEnd
from corecast.measure.judge.ports.conflicts import Conflict, Conflicts, Profile
from corecast.measure.plan.ports.mixtures import Part
from corecast.measure.plan.ports.templates import template

P = frozenset
FORM = template("vsqrtps xmm, xmm", "x86")
STORE = Blocker(template("mov m32, r32", "x86"), {P("01"): 1.0}, P("01"))
LOGIC = Blocker(template("vandnpd xmm, xmm, xmm", "x86"), {P("01"): 1.0}, P("01"))


def conflict(extra: Callable[[int], float], blocker: Blocker = STORE, disturbed: float = 0.0) -> Conflict:
    """A form that makes so many blockers take so many cycles more, and still more when it is timed first."""
    seen = []

    def of(parts: Sequence[Part]) -> SimpleNamespace:
        count = parts[0].count
        longer = extra(count) + (0.0 if count in seen else disturbed) if len(parts) > 1 else 0.0
        return SimpleNamespace(parts=parts, cycles=count / 2 + longer)

    def again(parts: Sequence[Part]) -> SimpleNamespace:
        seen.append(parts[0].count)
        return of(parts)

    blocking = Blocking({P("01"): blocker}, FrontEnd(6.0, binds=False), ("0", "1"), sets=(P("01"),))
    readings = SimpleNamespace(of=of, again=again)
    conflicts = Conflicts(readings, blocking)  # type: ignore[arg-type]
    return conflicts.of(Profile(FORM, 5.0, 5.0, 1, 1.0), P("01"))


def test_port_cycles_are_those_of_the_shortest_mixture() -> None:
    assert conflict(lambda _: 0.5).pressure == pytest.approx(1.0)


def test_uops_that_are_spread_badly_are_so_beside_more_blockers_too() -> None:
    assert conflict(lambda _: 0.7).pressure == pytest.approx(1.4)


def test_what_waits_longer_beside_more_blockers_waits_for_something_else_than_ports() -> None:
    with pytest.raises(InputError, match="not for ports"):
        conflict(lambda stores: 0.08 * stores)


def test_what_goes_away_beside_more_blockers_is_no_port_either() -> None:
    assert conflict(lambda stores: 0.17 if stores < 32 else 0.0).pressure == pytest.approx(0.0)


def test_what_waits_longer_beside_more_blockers_that_store_nothing_takes_what_it_takes_beside_few() -> None:
    """Operations of three sources on a Zen 4, in a long queue."""
    assert conflict(lambda blockers: 1.0 if blockers < 32 else 1.5, LOGIC).pressure == pytest.approx(2.0)


def test_what_waits_for_every_blocker_waits_for_no_ports() -> None:
    with pytest.raises(InputError, match="not for ports"):
        conflict(lambda blockers: blockers / 8, LOGIC)


def test_what_is_no_whole_number_of_port_cycles_is_timed_again() -> None:
    assert conflict(lambda _: 0.0, disturbed=0.1).pressure == pytest.approx(0.0)
    assert conflict(lambda _: 0.5, disturbed=0.3).pressure == pytest.approx(1.0)
