"""Full speed: mixtures of as many instances as each form could repeat in the same time.

Ports do not give more cycles than there are. A mixture that takes less time than the ports of its parts would need
refutes their mapping, whatever schedulers do: they only make code slower. One that takes longer proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.measure.judge.ports.blocking import Blocker, balanced
from corecast.measure.judge.ports.usage import PortSet, Usage, port_bound, total
from corecast.measure.run.readings import Reading, Readings
from corecast.measure.thresholds import FULL_SPEED_CYCLES, FULL_SPEED_FASTER, FULL_SPEED_TELLING


@dataclass(frozen=True)
class FullSpeed:
    """Instances of a form among blockers of one set, each at full speed."""

    blocker: Blocker
    blockers: int
    instances: int
    reading: Reading

    def needed_cycles(self, usage: Usage) -> float:
        """That the ports take for the mixture if the form has this usage."""
        return needed_cycles(usage, self.instances, self.blocker, self.blockers)

    def allows(self, usage: Usage) -> bool:
        return self.needed_cycles(usage) <= self.reading.cycles * (1 + FULL_SPEED_FASTER)


def needed_cycles(usage: Usage, instances: int, blocker: Blocker, blockers: int) -> float:
    return port_bound(total([(usage, instances), (blocker.usage, blockers)]))


def shape(alone_cycles: float, blocker: Blocker) -> tuple[int, int]:
    """Blockers, and instances of a form that repeats so fast."""
    return balanced([blocker], FULL_SPEED_CYCLES)[0][1], max(1, round(FULL_SPEED_CYCLES / alone_cycles))


def most_telling(
    usages: Sequence[Usage], alone_cycles: float, blockers: Mapping[PortSet, Blocker], done: Collection[PortSet]
) -> PortSet | None:
    """The set whose blocker at full speed could refute the first usage, or another one, that looks as good.

    Pressures show what uops a set has to itself. Full speed adds what several sets have together: those that overlap,
    and those that several uops share.
    """
    best: tuple[float, PortSet] | None = None
    for ports, blocker in blockers.items():
        if ports in done:
            continue
        count, instances = shape(alone_cycles, blocker)
        needed = [needed_cycles(usage, instances, blocker, count) for usage in usages]
        doubtful = _shares(usages[0], ports) and needed[0] > FULL_SPEED_CYCLES * (1 + FULL_SPEED_TELLING)
        apart = max(needed) / min(needed) - 1
        if doubtful or apart > FULL_SPEED_TELLING:
            gain = max(apart, needed[0] / FULL_SPEED_CYCLES - 1 if doubtful else 0.0)
            if best is None or gain > best[0]:
                best = gain, ports
    return None if best is None else best[1]


def _shares(usage: Usage, ports: PortSet) -> bool:
    touching = [own for own in usage if own & ports]
    return len(touching) > 1 or any(own - ports and ports - own for own in touching)


def contradictions(readings: Readings, blockers: Collection[Blocker]) -> dict[tuple[PortSet, PortSet], str]:
    """Pairs of blockers that are faster together than their ports allow: what they are taken for cannot be."""
    found = {}
    for pair in combinations(blockers, 2):
        mix = balanced(pair, FULL_SPEED_CYCLES)
        needed = port_bound(total((blocker.usage, count) for blocker, count in mix))
        if needed <= FULL_SPEED_CYCLES * (1 + FULL_SPEED_TELLING):
            continue
        try:
            reading = readings.of([blocker.part(count) for blocker, count in mix])
        except InputError:
            continue
        if needed > reading.cycles * (1 + FULL_SPEED_FASTER):
            found[pair[0].ports, pair[1].ports] = (
                f"{reading.described} take {reading.cycles:.1f} cycles, their ports {needed:.1f}"
            )
    return found
