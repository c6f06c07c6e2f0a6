"""The figures of a point by name: what tables show, objectives choose by and plots draw."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.explore.formula import Formula
    from corecast.explore.points import PointResult
    from corecast.explore.results import Exploration

FIGURES = {
    "cycles_per_iteration": "cycles",
    "cycles_per_element": "cy/element",
    "speed_up": "speed-up",
    "parallel_efficiency": "efficiency",
    "ipc": "ipc",
    "flops_per_cycle": "flop/cy",
    "fuBusy": "fuBusy",
    "ROBFullEvents": "ROBFull",
    "iqFullEvents": "iqFull",
    "lsqFullEvents": "lsqFull",
    "fullRegistersEvents": "fullRegs",
}
"""Name and heading."""
LARGER_IS_BETTER = frozenset({"speed_up", "parallel_efficiency", "ipc", "flops_per_cycle"})
"""Figures of which the largest value is the best; of the others the smallest."""


def figure(exploration: Exploration, point: PointResult, name: str) -> float | None:
    """A figure of a point, None where it has none: no elements known, or an error.

    Raises:
        InputError: no figure has that name.
    """
    if name not in FIGURES:
        raise InputError(f"there is no figure '{name}': {', '.join(FIGURES)}")
    if point.error:
        return None
    if name == "speed_up":
        return exploration.speed_up(point)
    if name == "parallel_efficiency":
        return exploration.efficiency(point)
    if name == "flops_per_cycle":
        return point.flops_per_cycle or None
    if name in ("cycles_per_iteration", "cycles_per_element", "ipc"):
        value: float | None = getattr(point, name)
        return value
    return {**point.buffer_events(), **point.busy_events()}[name]


def best(exploration: Exploration, kernel: str, objective: str) -> PointResult | None:
    """The point of a kernel that is best by a figure; the first of several equal ones. None where no point has it."""
    sign = -1 if objective in LARGER_IS_BETTER else 1
    rated = [
        (sign * value, place, point)
        for place, point in enumerate(exploration.of_kernel(kernel))
        if (value := figure(exploration, point, objective)) is not None
    ]
    return min(rated, key=lambda item: item[:2])[2] if rated else None


def front(exploration: Exploration, kernel: str, objective: str, cost: Formula) -> list[PointResult]:
    """The points of a kernel that no other one beats in both cost and figure, cheapest first."""
    sign = -1 if objective in LARGER_IS_BETTER else 1
    rated = [
        (cost.value(exploration.machine, point.settings), sign * value, place, point)
        for place, point in enumerate(exploration.of_kernel(kernel))
        if (value := figure(exploration, point, objective)) is not None
    ]
    chosen: list[PointResult] = []
    least = float("inf")
    for _, value, _, point in sorted(rated, key=lambda item: item[:3]):
        if value < least:
            chosen.append(point)
            least = value
    return chosen
