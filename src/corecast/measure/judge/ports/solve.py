"""The smallest mapping of a form's uops to port sets that explains all its conflicts.

A uop whose ports all lie in a blocked set takes one cycle of them, more where the core spreads uops badly. One that has
other ports, too, takes between nothing and that: a good scheduler sends it there. One without a port in the set takes
nothing. So far physics; among the mappings that it allows the one is taken that explains the pressures with the fewest
uops, where blockers show what pressure a uop of their set makes on this core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast.dataclass import dataclass
from corecast.hints import Protocol
from corecast.measure.judge.ports.usage import PortSet, Usage, port_bound
from corecast.measure.thresholds import (
    SOLVE_CLOSE,
    SOLVE_LATE_COST,
    SOLVE_MOST_LATE,
    SOLVE_MOST_NODES,
    SOLVE_MOST_UOPS,
    SOLVE_NOTHING,
    SOLVE_SET_COST,
    SOLVE_SPREAD,
    SOLVE_SPREAD_COST,
    SOLVE_UNEVEN,
    SOLVE_UNSEEN_COST,
    SOLVE_UOP_COST,
)


@dataclass(frozen=True)
class Equation:
    """What a form takes of one blocked set."""

    ports: PortSet
    pressure: float
    tolerance: float
    typical: Mapping[PortSet, float]
    """What a uop of a set was seen to take."""
    most: float = 0.0
    """Port cycles that the form has there at most, where that is more than the pressure."""

    def of(self, ports: PortSet) -> float:
        """What a uop of a set takes: as seen, else what must be."""
        return self.typical.get(ports, 1.0 if ports <= self.ports else 0.0)

    def spare(self, ports: PortSet) -> float:
        """What a uop of a set that nothing blocks may take besides, where the core has others wait for its ports while
        the rest has nothing to do."""
        return len(self.ports) / len(ports) - 1 if ports < self.ports else 0.0


class Limit(Protocol):
    """Something that was seen of the form and that not every mapping allows."""

    def allows(self, usage: Usage) -> bool: ...


@dataclass(frozen=True)
class Solution:
    """Uops by port set."""

    usage: Usage
    cost: float

    @property
    def uops(self) -> float:
        return sum(self.usage.values())


def solve(
    equations: Sequence[Equation],
    sets: Sequence[PortSet],
    alone_cycles: float,
    depends: bool,
    limits: Sequence[Limit] = (),
) -> list[Solution]:
    """Mappings that explain the pressures about equally well, the best first; none where no few uops do.

    Args:
        equations: the form's conflicts.
        sets: port sets that uops may have, the likeliest first.
        alone_cycles: what the form takes by itself: its ports must allow it.
        depends: whether instances wait for each other, so that ports need not explain what they take.
        limits: what else a mapping must not contradict.
    """
    search = _Search(equations, sets, alone_cycles, depends, limits)
    search.run()
    if not search.found:
        return []
    places = {ports: place for place, ports in enumerate(sets)}

    def order(solution: Solution) -> tuple[float, int, int]:
        """Of mappings that cost the same, small sets come first, for what repeats slowly mostly sits behind one port;
        then the likelier names."""
        size = sum(len(ports) for ports in solution.usage)
        return round(solution.cost, 1), size, sum(places[ports] for ports in solution.usage)

    found = sorted(search.found, key=order)
    return [each for each in found if each.cost <= search.best + SOLVE_CLOSE]


class _Search:
    """Every way to give uops to sets, cut short where the ports of a set would have more to do than was seen."""

    def __init__(
        self,
        equations: Sequence[Equation],
        sets: Sequence[PortSet],
        alone_cycles: float,
        depends: bool,
        limits: Sequence[Limit],
    ) -> None:
        self.limits = limits
        self.equations, self.sets = equations, sorted(sets, key=lambda ports: (len(ports), sorted(ports)))
        self.alone, self.depends = alone_cycles, depends
        self.counts: dict[PortSet, float] = {}
        self.seen = {equation.ports for equation in equations}
        self.room = [max(equation.pressure, equation.most) + equation.tolerance for equation in equations]
        self.found: list[Solution] = []
        self.nodes = 0
        self.best = float("inf")

    def run(self) -> None:
        self._next(0, 0)

    def _next(self, place: int, uops: int) -> None:
        self.nodes += 1
        if self.nodes > SOLVE_MOST_NODES or uops * SOLVE_UOP_COST > self.best + SOLVE_CLOSE:
            return
        if place == len(self.sets):
            self._check(uops)
            return
        ports = self.sets[place]
        taken = 0
        while True:
            self._next(place + 1, uops + taken)
            if uops + taken == SOLVE_MOST_UOPS:
                break
            taken += 1
            if not self._add(ports, 1):
                break
        self._add(ports, -taken)

    def _add(self, ports: PortSet, count: int) -> bool:
        """Whether all sets have as much to do as was seen, or less."""
        self.counts[ports] = self.counts.get(ports, 0) + count
        for index, equation in enumerate(self.equations):
            if ports <= equation.ports:
                self.room[index] -= count
        return all(room >= -0.05 for room in self.room) and self.counts[ports] <= self.alone * len(ports) * 1.1 + 0.05

    def _check(self, uops: int) -> None:
        usage = {ports: count for ports, count in self.counts.items() if count}
        bound = port_bound(usage)
        if bound > self.alone * 1.08 + 0.02 or not all(limit.allows(usage) for limit in self.limits):
            return
        cost = (
            uops * SOLVE_UOP_COST
            + SOLVE_SET_COST * len(usage)
            + SOLVE_UNSEEN_COST * sum(ports not in self.seen for ports in usage)
        )
        for equation in self.equations:
            touching = sum(count for ports, count in usage.items() if ports & equation.ports)
            if equation.pressure > max(
                SOLVE_NOTHING, touching * SOLVE_UNEVEN + equation.tolerance * (1 + 0.5 * touching)
            ):
                return
            off = equation.pressure - sum(count * equation.of(ports) for ports, count in usage.items())
            spare = sum(n * equation.spare(ports) for ports, n in usage.items() if ports not in self.seen)
            idle = min(max(0.0, off), spare)
            off -= idle
            overlap = sum(n for ports, n in usage.items() if ports & equation.ports and not ports <= equation.ports)
            wasted = min(max(0.0, off), SOLVE_SPREAD * overlap)
            cost += SOLVE_SPREAD_COST * (wasted + idle) + max(0.0, abs(off) - wasted - 0.5 * equation.tolerance)
        if not self.depends:
            cost += min(SOLVE_MOST_LATE, SOLVE_LATE_COST * max(0.0, self.alone - bound - 0.02))
        self.best = min(self.best, cost)
        self.found.append(Solution(usage, cost))
