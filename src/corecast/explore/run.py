"""All points of a design space, on all processors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corecast.errors import InputError
from corecast.explore.points import PointResult, Setup, Subject
from corecast.explore.spread import on_cluster, on_threads, processors
from corecast.machine import variant
from corecast.machine.vector_units import VECTOR_UNITS, parse_vector_units

if TYPE_CHECKING:
    from corecast.bulk.cluster import Cluster
    from corecast.explore.advice import PointAdvice
    from corecast.explore.sweeps import Settings, Sweep
    from corecast.machine import Machine


@dataclass(frozen=True)
class Exploration:
    """Every point of every kernel, kernel by kernel, in the order of the points."""

    machine: Machine
    sweeps: tuple[Sweep, ...]
    points: tuple[PointResult, ...]
    setup: Setup = field(default_factory=Setup)
    advice: tuple[PointAdvice, ...] = ()
    """What would make the kernels faster, where somebody looked (`corecast.explore.advise`)."""

    def of_kernel(self, name: str) -> tuple[PointResult, ...]:
        return tuple(point for point in self.points if point.kernel == name)

    @property
    def kernels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(point.kernel for point in self.points))

    def speed_up(self, point: PointResult) -> float | None:
        """Against the first point of the same kernel that has figures: for the same work."""
        first = next((each for each in self.points if each.kernel == point.kernel and not each.error), None)
        if first is None or point.error or not point.work_cycles:
            return None
        return first.work_cycles / point.work_cycles

    def efficiency(self, point: PointResult) -> float | None:
        """Speed-up by how many more lanes the units have than at the first point: 1 where all of them are used."""
        speed_up = self.speed_up(point)
        first = next((each for each in self.points if each.kernel == point.kernel and not each.error), None)
        if speed_up is None or first is None or not point.elements:
            return None
        return speed_up * _unit_bits(first, self.machine) / _unit_bits(point, self.machine)


def _unit_bits(point: PointResult, machine: Machine) -> float:
    """Bits that all units for vectors work on together."""
    setting = point.settings.get(VECTOR_UNITS)
    if setting is not None:
        count, bits = parse_vector_units(setting)
        return count * bits
    ports = machine.pipeline.get("back_end", {}).get("vector_ports", ())
    return max(1, len(ports)) * point.vector_bits


def explore(
    machine: Machine,
    subjects: Sequence[Subject],
    sweeps: Sequence[Sweep],
    points: Sequence[Settings],
    setup: Setup | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    cluster: Cluster | None = None,
) -> Exploration:
    """Simulates every kernel at every point.

    Args:
        machine: the core that the points change.
        subjects: kernels.
        sweeps: the keys that change, for reports.
        points: settings, see `corecast.machine.variant`.
        setup: what all points have in common.
        jobs: threads; None: one a processor. Results do not depend on it.
        progress: told the number of points that are done.
        cluster: where to work instead of in threads (`corecast.bulk.cluster.connect`).

    Raises:
        InputError: no kernels or no points, jobs below 1, or the first point cannot be had of this core.
    """
    if not subjects or not points:
        raise InputError("there is nothing to explore: no kernel, or no point")
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs is at least 1, not {jobs}")
    variant(machine, points[0])  # a key or value that is wrong everywhere is one message
    setup = setup or Setup()
    work = [(subject, settings) for subject in subjects for settings in points]
    found: list[PointResult] = []
    chunks = (
        on_cluster(machine, work, setup, cluster)
        if cluster is not None
        else on_threads(machine, work, setup, jobs or processors())
    )
    for done in chunks:
        found += done
        if progress is not None:
            progress(len(found))
    return Exploration(machine, tuple(sweeps), tuple(found), setup)
