"""What changes of the code would bring on the first and on the best variant of a core."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.analysis.advice.rules import with_advice
from corecast.analysis.work.memory import DataPlaces
from corecast.api import answer_of
from corecast.explore.figures import best
from corecast.explore.results import PointAdvice
from corecast.hints import TYPE_CHECKING
from corecast.machine import variant

if TYPE_CHECKING:
    from corecast.explore.points import PointResult, Subject
    from corecast.explore.results import Exploration


def advise(exploration: Exploration, subjects: Sequence[Subject], objective: str) -> tuple[PointAdvice, ...]:
    """What would make each kernel faster, at its first point and at its best one.

    Args:
        exploration: what was found.
        subjects: the kernels of the exploration.
        objective: the figure that the best point is chosen by.

    Returns:
        Advice where there is any.
    """
    found = []
    for subject in subjects:
        points = [point for point in exploration.of_kernel(subject.name) if not point.error]
        chosen = [*points[:1], best(exploration, subject.name, objective)]
        for point in dict.fromkeys(id(each) for each in chosen if each is not None):
            found.append(_at(exploration, subject, next(each for each in points if id(each) == point)))
    return tuple(each for each in found if each is not None)


def _at(exploration: Exploration, subject: Subject, point: PointResult) -> PointAdvice | None:
    machine = variant(exploration.machine, point.settings)
    kernel = subject.kernel_at(machine.core.vector_bits)
    setup = exploration.setup
    region = answer_of(kernel, machine, setup.options)
    region = with_advice(region, kernel, DataPlaces(machine, setup.bandwidth), setup.options)
    if not region.advice:
        return None
    return PointAdvice(point, region)
