"""All points of a design space, on all processors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corecast.errors import InputError
from corecast.explore.points import PointResult, Setup, Subject
from corecast.explore.results import Exploration
from corecast.explore.spread import on_cluster, on_threads
from corecast.hints import TYPE_CHECKING
from corecast.machine import variant
from corecast.prediction.engine import processors

if TYPE_CHECKING:
    from corecast.explore.sweeps import Settings, Sweep
    from corecast.machine import Machine
    from corecast.prediction.cluster import Cluster


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
        jobs: threads; None: one per CPU. Results do not depend on it.
        progress: told the number of points that are done.
        cluster: where to work instead of in threads (`corecast.prediction.cluster.connect`).

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
