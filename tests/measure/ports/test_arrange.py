"""The fewest ports that sets of known sizes and overlaps can have."""

from __future__ import annotations

from itertools import combinations

import pytest

from corecast.measure.judge.ports.arrange import Overlap, arrangements

CORES = {
    "skylake": ("0", "1", "5", "01", "06", "15", "23", "015", "0156"),
    "zen": ("1", "12", "03", "0123", "45", "456"),
    "apart": ("0", "1", "2", "34"),
}


def overlaps(sets: tuple[str, ...]) -> dict[tuple[int, int], Overlap]:
    found = {}
    for one, other in combinations(range(len(sets)), 2):
        shared = len(set(sets[one]) & set(sets[other]))
        found[one, other] = Overlap(shared, shared)
    return found


@pytest.mark.parametrize("name", CORES)
def test_overlaps_tell_sets_up_to_the_names_of_ports(name: str) -> None:
    sets = CORES[name]
    found = arrangements([len(each) for each in sets], overlaps(sets))
    assert len(found) == 1
    assert len(frozenset().union(*found[0])) == len(set("".join(sets)))
    for one, other in combinations(range(len(sets)), 2):
        assert len(found[0][one] & found[0][other]) == len(set(sets[one]) & set(sets[other]))


def test_what_is_not_known_leaves_several() -> None:
    """Two of two ports, and one that shares a port with either or both."""
    known = {(0, 1): Overlap(0, 0), (0, 2): Overlap(0, 2), (1, 2): Overlap(0, 2)}
    found = arrangements([2, 2, 2], known)
    assert all(len(frozenset().union(*each)) == 4 for each in found)
    assert {(len(each[0] & each[2]), len(each[1] & each[2])) for each in found} == {(1, 1)}


def test_contradictions_have_no_arrangement() -> None:
    """A port cannot be in two sets that share none."""
    assert arrangements([1, 1, 1], {(0, 1): Overlap(0, 0), (0, 2): Overlap(1, 1), (1, 2): Overlap(1, 1)}) == []


def test_two_classes_are_never_one_set() -> None:
    assert arrangements([1, 1], {(0, 1): Overlap(1, 1)}) == []
