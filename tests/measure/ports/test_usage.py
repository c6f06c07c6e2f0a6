"""Port usage implies time: Hall's theorem on unions of port sets."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from corecast.measure.judge.ports.usage import alike, confined, port_bound, set_text, total, unions, usage_text

P = frozenset


def test_a_union_can_be_what_binds() -> None:
    """Two sets of two ports each leave three ports with eight cycles of work."""
    assert port_bound({P("01"): 4, P("12"): 4}) == pytest.approx(8 / 3)


def test_the_busiest_set_binds() -> None:
    assert port_bound({P("0"): 3, P("01"): 1}) == 3
    assert port_bound({}) == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_is_that_of_all_subsets(seed: int) -> None:
    chance = random.Random(seed)
    usage = {P(chance.sample("01234", chance.randint(1, 4))): chance.randint(1, 5) for _ in range(4)}
    every = [P(ports) for size in range(1, 6) for ports in combinations("01234", size)]
    assert port_bound(usage) == pytest.approx(max(confined(usage, ports) / len(ports) for ports in every))


def test_unions_of_three_sets() -> None:
    assert unions([P("0"), P("1"), P("01")]) == {P("0"), P("1"), P("01")}
    assert len(unions([P("0"), P("1"), P("2")])) == 7


def test_totals_add_up() -> None:
    assert total([({P("0"): 1}, 2), ({P("0"): 1, P("1"): 3}, 1)]) == {P("0"): 3, P("1"): 3}


def test_usages_that_no_blocked_set_tells_apart_are_alike() -> None:
    divider, any_port = {P("1"): 1.0}, {P("01"): 1.0}
    assert alike(divider, any_port, [P("01")])
    assert not alike(divider, any_port, [P("01"), P("1")])


def test_sets_are_named_as_groups_ports_or_lists() -> None:
    groups, order = {"ALU": ("0", "1")}, ("0", "1", "2", "AGU0", "AGU1")
    assert usage_text({P("01"): 1, P("2"): 2}, groups, order) == "2*p2+1*ALU"
    assert set_text(P("02"), groups, order) == "p02"
    assert set_text(P(["AGU0", "AGU1"]), groups, order) == "[AGU0 AGU1]"
    assert usage_text({}, groups, order) == "none"
