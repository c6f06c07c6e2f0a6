"""All points of a design space, on all processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corecast.analysis.options import AnalyzeOptions
from corecast.errors import InputError
from corecast.explore.points import PointResult, Subject, look_at
from corecast.machine import variant
from corecast.machine.vector_units import VECTOR_UNITS, parse_vector_units

if TYPE_CHECKING:
    from corecast.explore.sweeps import Settings, Sweep
    from corecast.machine import Machine

_CHUNK = 64


@dataclass(frozen=True)
class Exploration:
    """Every point of every kernel, kernel by kernel, in the order of the points."""

    machine: Machine
    sweeps: tuple[Sweep, ...]
    points: tuple[PointResult, ...]

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
    options: AnalyzeOptions | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exploration:
    """Simulates every kernel at every point.

    Args:
        machine: the core that the points change.
        subjects: kernels.
        sweeps: the keys that change, for reports.
        points: settings, see `corecast.machine.variant`.
        options: as for one simulation.
        jobs: threads; None: one a processor. Results do not depend on it.
        progress: told the number of points that are done.

    Raises:
        InputError: no kernels or no points, jobs below 1, or the first point cannot be had of this core.
    """
    if not subjects or not points:
        raise InputError("there is nothing to explore: no kernel, or no point")
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs is at least 1, not {jobs}")
    variant(machine, points[0])  # a key or value that is wrong everywhere is one message
    options = options or AnalyzeOptions()
    work = [(subject, settings) for subject in subjects for settings in points]
    count = (
        jobs
        if jobs is not None
        else len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count()
    )
    found: list[PointResult] = []
    for done in _in_chunks(machine, work, options, count or 1):
        found += done
        if progress is not None:
            progress(len(found))
    return Exploration(machine, tuple(sweeps), tuple(found))


def _in_chunks(
    machine: Machine, work: Sequence[tuple[Subject, Settings]], options: AnalyzeOptions, jobs: int
) -> Sequence[list[PointResult]] | map[list[PointResult]]:
    def chunk(start: int) -> list[PointResult]:
        return [look_at(subject, machine, settings, options) for subject, settings in work[start : start + _CHUNK]]

    starts = range(0, len(work), _CHUNK)
    if jobs == 1 or len(work) <= _CHUNK:
        return map(chunk, starts)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:  # the simulation runs without the interpreter's lock
        return list(pool.map(chunk, starts))
