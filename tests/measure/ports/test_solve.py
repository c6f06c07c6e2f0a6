"""The smallest mapping that conflicts allow."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from corecast.measure.judge.ports.solve import Equation, solve
from corecast.measure.judge.ports.usage import PortSet, Usage, confined, port_bound

P = frozenset
SETS = [P("0"), P("1"), P("5"), P("01"), P("06"), P("15"), P("015"), P("23")]


def equations(usage: dict[PortSet, float], blocked: list[PortSet] = SETS) -> list[Equation]:
    """What an ideal core would show."""
    return [Equation(ports, confined(usage, ports), 0.1, {}) for ports in blocked]


def usages(count: int) -> list[dict[PortSet, float]]:
    """Every way to give so many uops to sets."""
    found = []
    for chosen in combinations_with_replacement(SETS, count):
        usage: dict[PortSet, float] = {}
        for ports in chosen:
            usage[ports] = usage.get(ports, 0.0) + 1
        found.append(usage)
    return found


def first(usage: dict[PortSet, float]) -> dict[PortSet, float]:
    return dict(solve(equations(usage), SETS, port_bound(usage), depends=False)[0].usage)


@pytest.mark.parametrize("count", [1, 2])
def test_every_small_usage_comes_back(count: int) -> None:
    for usage in usages(count):
        assert first(usage) == usage


def test_nearly_every_usage_of_three_uops_comes_back() -> None:
    """Some of them look like two that are spread badly."""
    every = usages(3)
    assert sum(first(usage) == usage for usage in every) >= 0.95 * len(every)


def test_a_set_that_nothing_blocks_is_found_by_the_forms_own_rate() -> None:
    usage = {P("0"): 1.0}
    blocked = [ports for ports in SETS if ports != P("0")]
    assert solve(equations(usage, blocked), SETS, 1.0, depends=False)[0].usage == usage


def test_a_little_pressure_that_no_uop_makes_is_none() -> None:
    """A Zen 4's 512-bit loads make stores wait for a tenth of a cycle."""
    usage = {P("23"): 2.0}
    seen = [*equations(usage), Equation(P("4"), 0.19, 0.12, {})]
    assert solve(seen, SETS, 1.0, depends=False)[0].usage == usage
    assert not solve([*equations(usage), Equation(P("4"), 0.8, 0.12, {})], SETS, 1.0, depends=False)


def test_a_divider_is_no_uops() -> None:
    usage = {P("0"): 1.0}
    assert solve(equations(usage), SETS, 8.0, depends=False)[0].usage == usage


def test_what_a_form_waits_for_is_no_uops() -> None:
    usage = {P("01"): 1.0}
    assert solve(equations(usage), SETS, 1.0, depends=True)[0].usage == usage


def test_a_mapping_that_forbids_the_forms_own_rate_is_none() -> None:
    """One uop on port 0 cannot repeat every half cycle."""
    assert solve(equations({P("0"): 1.0}), [P("0")], 0.5, depends=False) == []


def test_mappings_that_explain_as_much_are_all_told() -> None:
    """Nothing blocks ports 0 or 1 alone: a slow form may have either."""
    blocked = [P("01")]
    found = solve(equations({P("0"): 1.0}, blocked), [P("0"), P("1"), P("01")], 1.0, depends=False)
    assert {frozenset(each.usage) for each in found[:2]} == {P([P("0")]), P([P("1")])}


def test_badly_spread_uops_do_not_add_others() -> None:
    """A uop of ports 0 and 1 that waits for half a cycle of 06: the core sent it to port 0 every other time."""
    seen = [Equation(e.ports, 0.5 if e.ports == P("06") else e.pressure, 0.1, {}) for e in equations({P("01"): 1.0})]
    assert solve(seen, SETS, 0.5, depends=False)[0].usage == {P("01"): 1.0}


def test_nothing_explains_conflicts_with_disjoint_sets_by_one_uop_too_many() -> None:
    """Pressure on ports that no known set has."""
    assert solve([Equation(P("9"), 1.0, 0.1, {})], SETS, 1.0, depends=False) == []


def test_a_mapping_that_something_else_refutes_gives_way() -> None:
    """Nothing blocks ports 0 or 1 alone, but a mixture was too fast for port 0."""

    class NotPort0:
        def allows(self, usage: Usage) -> bool:
            return P("0") not in usage

    blocked = [P("01")]
    found = solve(equations({P("0"): 1.0}, blocked), [P("0"), P("1")], 1.0, False, [NotPort0()])
    assert [dict(each.usage) for each in found] == [{P("1"): 1.0}]
