"""Latencies from sums of latencies: a system of linear equations with bounds, solved by linear programming.

Each equation is one timed kernel: the latencies of the links of its chain add up to its cycles. What the equations
leave open is an interval: the least and the greatest value that any solution gives it. Measurements scatter, so that
no solution may fit all of them: first the sum of the absolute residuals is made as small as it can be, then residuals
are kept as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from corecast.dataclass import dataclass, field
from corecast.hints import Any
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Equation


@dataclass
class System:
    """Equations and lower bounds of their unknowns."""

    equations: list[Equation] = field(default_factory=list)
    least: dict[str, float] = field(default_factory=dict)
    """Lower bounds; unknowns without one have 0."""

    def add(self, equation: Equation) -> None:
        self.equations.append(equation)

    def unknowns(self) -> list[str]:
        return list(dict.fromkeys(name for equation in self.equations for name in equation.terms))

    def bounds(self, wanted: Mapping[str, int]) -> Interval | None:
        """The least and greatest sum of the wanted unknowns; None where an unknown is in no equation, where nothing
        bounds it from above, or without SciPy."""
        try:
            from scipy.optimize import linprog
        except ImportError:
            return None
        names = self.unknowns()
        if not set(wanted) <= set(names):
            return None
        residuals = self._residuals(linprog, names)
        if residuals is None:
            return None
        matrix = [[equation.terms.get(name, 0) for name in names] for equation in self.equations]
        sums = [equation.cycles - rest for equation, rest in zip(self.equations, residuals, strict=True)]
        limits = [(self.least.get(name, 0.0), None) for name in names]
        cost = [float(wanted.get(name, 0)) for name in names]
        ends = []
        for sign in (1.0, -1.0):
            found = linprog([sign * each for each in cost], A_eq=matrix, b_eq=sums, bounds=limits, method="highs")
            if found.status != 0:
                return None
            ends.append(sign * float(found.fun))
        return Interval(min(ends), max(ends))

    def _residuals(self, linprog: Any, names: list[str]) -> list[float] | None:
        """What each equation is off in the solution that fits best."""
        count = len(self.equations)
        matrix = []
        for index, equation in enumerate(self.equations):
            over = [1.0 if other == index else 0.0 for other in range(count)]
            matrix.append([*(float(equation.terms.get(name, 0)) for name in names), *over, *(-each for each in over)])
        limits: list[tuple[float, float | None]] = [(self.least.get(name, 0.0), None) for name in names]
        limits += [(0.0, None)] * (2 * count)
        cost = [0.0] * len(names) + [1.0] * (2 * count)
        found = linprog(
            cost, A_eq=matrix, b_eq=[equation.cycles for equation in self.equations], bounds=limits, method="highs"
        )
        if found.status != 0:
            return None
        first = len(names)
        return [float(found.x[first + index] - found.x[first + count + index]) for index in range(count)]
