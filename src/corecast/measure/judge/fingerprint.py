"""Which core this is, by the time of a few kernels: for machines whose numbers and features leave it open.

take(core)                 times the kernels of fingerprint.tsv, in a second or two
compare(readings, models)  how far the readings are from what each model predicts of the same kernels

The distance is the mean of |ln(measured / predicted)|: 0.05 says that cycles differ by five percent on average.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from math import exp, log
from pathlib import Path

from corecast.asm import Kernel
from corecast.asm.code import Isa
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING
from corecast.measure.plan.kernels import timed_kernel
from corecast.measure.run.core import Core, Timing
from corecast.measure.run.simulated import SimulatedCore
from corecast.measure.thresholds import (
    FINGERPRINT_FEWEST,
    FINGERPRINT_LEAD,
    FINGERPRINT_LEAD_FACTOR,
    FINGERPRINT_LIMIT_SECONDS,
    FINGERPRINT_NEAR,
)

if TYPE_CHECKING:
    from corecast.machine import Machine
    from corecast.measure.plan.kernels import TimedKernel

TABLE = Path(__file__).with_name("fingerprint.tsv")


@dataclass(frozen=True)
class Probe:
    """A kernel that tells cores apart."""

    isa: Isa
    name: str
    tells: str
    needs: str
    """A feature, "" where every core has what it needs."""
    code: str

    def kernel(self) -> TimedKernel:
        syntax = ".intel_syntax noprefix\n" if self.isa == "x86" else ""
        return timed_kernel(Kernel.from_text(syntax + self.code.replace("; ", "\n") + "\n", isa=self.isa))


@dataclass(frozen=True)
class Reading:
    """Cycles of a probe on a core."""

    probe: Probe
    cycles: float


@dataclass(frozen=True)
class Distance:
    """How far a model is from the readings."""

    machine: str
    distance: float
    predicted: tuple[float | None, ...]
    """Cycles of each probe; None where the model does not know it."""

    @property
    def percent(self) -> float:
        """By how much cycles differ on average."""
        return 100 * (exp(self.distance) - 1)


@dataclass(frozen=True)
class Fingerprint:
    """Readings beside what models predict."""

    readings: tuple[Reading, ...]
    distances: tuple[Distance, ...]
    """The nearest model first."""

    @property
    def nearest(self) -> Distance | None:
        """None where no model is near."""
        first = next(iter(self.distances), None)
        return first if first is not None and first.distance <= FINGERPRINT_NEAR else None

    @property
    def is_decisive(self) -> bool:
        """Whether one model is near, and clearly nearer than all others."""
        if self.nearest is None:
            return False
        others = [each.distance for each in self.distances[1:]]
        own = self.nearest.distance
        return all(other >= own + FINGERPRINT_LEAD and other >= own * FINGERPRINT_LEAD_FACTOR for other in others)

    @property
    def verdict(self) -> str:
        """In one sentence."""
        if not self.distances:
            return "too few kernels could be timed to compare"
        first = self.distances[0]
        if self.nearest is None:
            return f"no model is near: {first.machine} is off by {first.percent:.0f} % on average"
        told = f"{first.machine} is nearest, off by {first.percent:.1f} % on average"
        if self.is_decisive:
            return told
        near = ", ".join(
            f"{each.machine} ({each.percent:.1f} %)" for each in self.distances[1:] if not self._is_beaten(each)
        )
        return f"{told}, but not by enough to decide: {near}"

    def _is_beaten(self, other: Distance) -> bool:
        own = self.distances[0].distance
        return other.distance >= own + FINGERPRINT_LEAD and other.distance >= own * FINGERPRINT_LEAD_FACTOR


@lru_cache(maxsize=1)
def probes() -> tuple[Probe, ...]:
    """Every kernel of the table."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    names = lines[0].split("\t")
    rows = (dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:])
    return tuple(Probe(**row) for row in rows)  # type: ignore[arg-type]  # tests check the instruction sets


def take(
    core: Core, features: Collection[str], limit_seconds: float = FINGERPRINT_LIMIT_SECONDS
) -> tuple[Reading, ...]:
    """Times the kernels that the core can execute.

    Args:
        core: this machine's, or a simulated one.
        features: that it has.
        limit_seconds: from which on no kernel is started.
    """
    end = time.monotonic() + limit_seconds
    found = []
    for probe in probes():
        if probe.isa != core.isa or (probe.needs and probe.needs not in features):
            continue
        if time.monotonic() >= end:
            break
        timing = core.time(probe.kernel())
        if isinstance(timing, Timing) and timing.stable and timing.cycles > 0:
            found.append(Reading(probe, timing.cycles))
    return tuple(found)


def compare(readings: Sequence[Reading], machines: Iterable[Machine]) -> Fingerprint:
    """The models by their distance; those that know too few of the kernels are left out."""
    found = [each for machine in machines if (each := _distance(readings, machine)) is not None]
    return Fingerprint(tuple(readings), tuple(sorted(found, key=lambda each: each.distance)))


def _distance(readings: Sequence[Reading], machine: Machine) -> Distance | None:
    core = SimulatedCore(machine)
    predicted = tuple(_predictions(readings, core))
    logs = [
        abs(log(reading.cycles / cycles))
        for reading, cycles in zip(readings, predicted, strict=True)
        if cycles is not None
    ]
    return Distance(machine.name, sum(logs) / len(logs), predicted) if len(logs) >= FINGERPRINT_FEWEST else None


def _predictions(readings: Sequence[Reading], core: SimulatedCore) -> Iterator[float | None]:
    for reading in readings:
        timing = core.time(reading.probe.kernel())
        yield timing.cycles if isinstance(timing, Timing) and timing.cycles > 0 else None
