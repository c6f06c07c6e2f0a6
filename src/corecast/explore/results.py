"""What an exploration found: every point, and what would make its kernels faster."""

from __future__ import annotations

from corecast.dataclass import dataclass, field
from corecast.explore.points import PointResult, Setup
from corecast.hints import TYPE_CHECKING
from corecast.machine.vector_units import VECTOR_UNITS, parse_vector_units
from corecast.views import Viewed, new_axes, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from corecast.analysis.results import RegionResult
    from corecast.explore.sweeps import Sweep
    from corecast.machine import Machine


@dataclass(frozen=True)
class PointAdvice:
    """More accumulators, or work on other ports, for a kernel on a variant."""

    point: PointResult
    """The variant, and the kernel on it."""
    region: RegionResult
    """The bounds there, with advice."""


@dataclass(frozen=True)
class Exploration(Viewed):
    """Every point of every kernel, kernel by kernel, in the order of the points."""

    machine: Machine
    """The core that the points change."""
    sweeps: tuple[Sweep, ...]
    """Keys and their values; empty where points came from a list."""
    points: tuple[PointResult, ...]
    """Results, kernel by kernel."""
    setup: Setup = field(default_factory=Setup)
    """Options and bandwidth that all points share."""
    advice: tuple[PointAdvice, ...] = ()
    """What would make the kernels faster, where somebody looked (`corecast.explore.advise`)."""

    def __repr__(self) -> str:
        kernels = ", ".join(self.kernels) or "no kernel"
        return f"<Exploration of {self.machine.name}: {len(self.points)} points of {kernels}>"

    def plot(self, ax: Axes | None = None, *, kind: str = "lines", objective: str = "cycles_per_iteration") -> Axes:
        """Draw the points with matplotlib.

        Args:
            ax: where to draw; None: on a new figure.
            kind: "lines" over the first key, "heatmap" of two keys, or "roofline".
            objective: the figure to draw, one of `corecast.explore.FIGURES`.

        Returns:
            The axes that were drawn on.

        Raises:
            MissingPackageError: matplotlib is not installed.
            InputError: the sweep lacks the keys that the plot needs.
        """
        axes = new_axes() if ax is None else ax
        view_of(type(self)).draw(self, axes, kind=kind, objective=objective)
        return axes

    def of_kernel(self, name: str) -> tuple[PointResult, ...]:
        """Points of the kernel `name`, in their order."""
        return tuple(point for point in self.points if point.kernel == name)

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of the kernels, in their order."""
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
    return max(1, len(machine.core.vector_ports)) * point.vector_bits
