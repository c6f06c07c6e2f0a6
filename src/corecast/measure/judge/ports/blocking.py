"""Blocking instructions: forms that keep a set of ports busy, so that others show whether they need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast.dataclass import dataclass, field
from corecast.measure.judge.ports.usage import PortSet, Usage, port_bound, set_text, total, usage_text
from corecast.measure.plan.ports.mixtures import Part
from corecast.measure.plan.ports.templates import Template
from corecast.measure.run.readings import Readings
from corecast.measure.thresholds import BLOCKING_MOST_TARGETS, READINGS_SAME


@dataclass(frozen=True)
class Blocker:
    """A form with a known port usage, of which one set limits how fast it repeats."""

    template: Template
    usage: Usage
    ports: PortSet
    """The set that it saturates."""

    @property
    def weight(self) -> float:
        """Cycles of the set's ports that one instance takes."""
        return self.usage[self.ports]

    @property
    def targets(self) -> int:
        return BLOCKING_MOST_TARGETS if self.template.rewrites or self.template.carried else 1

    def part(self, count: int) -> Part:
        return Part(self.template, count, self.targets)


@dataclass(frozen=True)
class FrontEnd:
    """What limits a mixture when no port does."""

    width: float
    """Instructions of one uop each that were seen to pass in a cycle, at most."""
    binds: bool
    """Whether the ports could have taken more: else the front end is at least that wide."""


@dataclass(frozen=True)
class Blocking:
    """Blocking instructions of a core, one for each port set that has any."""

    blockers: Mapping[PortSet, Blocker]
    front_end: FrontEnd
    order: Sequence[str]
    """Of port names."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names of port sets."""
    origin: str = ""
    """Whose names the ports have; empty: they were found on this core and are numbered."""
    sets: tuple[PortSet, ...] = ()
    """All port sets that uops may have, the likeliest first; some of them nothing blocks."""
    stores: Mapping[str, Usage] = field(default_factory=dict)
    """Usage of a plain store by the kind of its register: what of it nothing blocks other stores have, too."""
    doubts: tuple[str, ...] = ()
    """Where the blockers disagree with their own mapping, or what else of it is open."""

    def hidden(self, ports: PortSet) -> bool:
        """Whether the front end binds before the set does."""
        return self.front_end.binds and len(ports) * (1 + READINGS_SAME) >= self.front_end.width

    @property
    def visible(self) -> list[PortSet]:
        return [ports for ports in self.sets if not self.hidden(ports)]

    def set_name(self, ports: PortSet) -> str:
        return set_text(ports, self.groups, self.order)

    def text(self, usage: Usage) -> str:
        return usage_text(usage, self.groups, self.order)


def saturated(usage: Usage) -> PortSet | None:
    """The one set that limits a form, None where several or a union of them do."""
    bound = port_bound(usage)
    limiting = [ports for ports, cycles in usage.items() if cycles / len(ports) >= bound * (1 - READINGS_SAME)]
    return limiting[0] if len(limiting) == 1 else None


def balanced(blockers: Iterable[Blocker], scale: int = 1) -> list[tuple[Blocker, int]]:
    """As many of each as its ports take in `scale` cycles."""
    return [(blocker, max(1, round(scale * len(blocker.ports) / blocker.weight))) for blocker in blockers]


def disjoint(blockers: Iterable[Blocker]) -> list[Blocker]:
    """Blockers that share no port, those of the largest sets first."""
    taken: set[str] = set()
    found = []
    for blocker in sorted(blockers, key=lambda each: -len(each.ports)):
        ports = frozenset().union(*blocker.usage)
        if not ports & taken:
            found.append(blocker)
            taken |= ports
    return found


def measured_front_end(readings: Readings, blockers: Iterable[Blocker]) -> FrontEnd:
    """The width that instructions of all kinds together pass with."""
    every = list(blockers)
    mixes = [balanced(disjoint(every), 2), *([(each, 4 * len(each.ports))] for each in every if len(each.usage) == 1)]
    best, binds = 0.0, False
    for mix in mixes:
        if not mix:
            continue
        cycles = readings.of([blocker.part(count) for blocker, count in mix]).cycles
        instructions = sum(count for _, count in mix)
        free = port_bound(total((blocker.usage, count) for blocker, count in mix))
        if instructions / cycles > best * (1 + READINGS_SAME):
            best, binds = instructions / cycles, cycles > free * (1 + READINGS_SAME)
        elif instructions / cycles > best * (1 - READINGS_SAME):
            binds |= cycles > free * (1 + READINGS_SAME)
    return FrontEnd(best, binds)
