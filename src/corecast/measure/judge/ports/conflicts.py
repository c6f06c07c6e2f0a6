"""Conflicts: how much of a saturated port set's time an instance of a form takes.

Blockers that alone keep the ports of a set busy for `k * w / |S|` cycles take longer by what the form needs of the set:

    pressure = (cycles - cycles of the blockers alone) * |S| / m

for m instances among k blockers of weight w. Where uops are spread over ports as well as can be, that is the number of
the form's uops that have no port outside the set. Cores that spread them worse, as by fixed shares over schedulers,
give other figures; but much the same for the same uops, so that blockers show which. Ports take the same beside more
blockers: what takes more there waits for something else, too, so that the least pressure is the one that counts. What
waits for each blocker, as where wide vectors close a port to others, and stores, which wait for a long root before them
to retire, wait from the start, so that their pressure is none.
"""

from __future__ import annotations

import math

from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.measure.judge.ports.blocking import Blocker, Blocking, balanced, disjoint
from corecast.measure.judge.ports.full_speed import FullSpeed, shape
from corecast.measure.judge.ports.usage import PortSet, Usage, confined
from corecast.measure.plan.ports.mixtures import Part
from corecast.measure.plan.ports.templates import Template
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.measure.run.readings import Reading, Readings
from corecast.measure.thresholds import (
    CONFLICTS_AGAIN,
    CONFLICTS_BLOCKER_TOLERANCE,
    CONFLICTS_FULL,
    CONFLICTS_GROWS,
    CONFLICTS_LEVELS,
    CONFLICTS_LITTLE,
    CONFLICTS_LONGER,
    CONFLICTS_LONGEST,
    CONFLICTS_MANY,
    CONFLICTS_ODD,
    CONFLICTS_PILES_UP,
    CONFLICTS_SLACK,
    READINGS_ALONE,
)


@dataclass(frozen=True)
class Shape:
    """How many blockers stand against how many instances."""

    blockers: int
    instances: int


@dataclass(frozen=True)
class Conflict:
    """A form against one blocker."""

    ports: PortSet
    blocker: Blocker
    shape: Shape
    reading: Reading
    pressure: float
    """Port cycles of the set that an instance takes."""
    most: float
    """Those that the blockers leave to it: above the pressure where they leave some unused."""
    tolerance: float
    """What timings that are off by a few tenths of a percent make of it."""

    def allows(self, usage: Usage) -> bool:
        """Whether a form of that usage may take so little of the set."""
        return confined(usage, self.ports) <= self.most + self.tolerance + CONFLICTS_LITTLE


@dataclass(frozen=True)
class Profile:
    """What is known of a form before it meets blockers."""

    template: Template
    alone_cycles: float
    """Of one of many instances in different registers."""
    chain_cycles: float
    """Of an iteration with `instances`: what they take, and wait for."""
    instances: int
    slots: float
    """Of the front end that an instance takes."""


@dataclass
class Conflicts:
    """Measures forms against the blockers of a core."""

    readings: Readings
    blocking: Blocking
    _own: dict[tuple[str, PortSet, Shape], float] = field(default_factory=dict)

    def profile(self, template: Template) -> Profile:
        """
        Raises:
            InputError: the form cannot be run.
        """
        alone = self.readings.alone(template)
        instances = 2
        chain = self.readings.of([Part(template, instances, instances)]).cycles
        if chain > CONFLICTS_MANY:
            instances = 1
            chain = self.readings.of([Part(template, 1)]).cycles
        return Profile(template, alone, chain, instances, self._slots(template, chain, instances))

    def _slots(self, template: Template, chain: float, instances: int) -> float:
        """From a mixture of all kinds of instructions, in which the front end is what binds."""
        front_end = self.blocking.front_end
        if not front_end.binds:
            return 1.0
        kinds = disjoint(self.blocking.blockers.values())
        per_cycle = sum(len(blocker.ports) / blocker.weight for blocker in kinds)
        if per_cycle < front_end.width * 1.2:
            return 1.0  # there are no ports left over for the form
        busy = 3 * chain + 2
        mix = balanced(kinds, math.ceil(busy * front_end.width / per_cycle))
        if sum(count for _, count in mix) > CONFLICTS_LONGEST:
            return 1.0
        try:
            parts = [blocker.part(count) for blocker, count in mix]
            without = self.readings.of(parts).cycles
            cycles = self.readings.of([*parts, Part(template, instances, instances)]).cycles
        except InputError:
            return 1.0
        return max(0.0, (cycles - without) * front_end.width / instances)

    def of(self, profile: Profile, ports: PortSet) -> Conflict:
        """A form against the blocker of one set.

        Raises:
            InputError: the front end hides the conflict, or there is no kernel.
        """
        blocker = self.blocking.blockers[ports]
        short = self._shape(profile, blocker)
        found = self._conflict(profile, blocker, short)
        longer = Shape(CONFLICTS_LONGER * short.blockers, short.instances)
        plain = found.pressure < 1 + CONFLICTS_ODD and abs(found.pressure - round(found.pressure)) <= CONFLICTS_ODD
        if plain or longer.blockers + longer.instances > CONFLICTS_LONGEST:
            return found
        beside_more = self._conflict(profile, blocker, longer)
        if beside_more.pressure <= CONFLICTS_GROWS * found.pressure + beside_more.tolerance:
            return beside_more if beside_more.pressure < found.pressure - beside_more.tolerance else found
        if blocker.template.is_store or beside_more.pressure >= CONFLICTS_PILES_UP * found.pressure:
            raise CannotMeasureError(Reason.NOT_FOR_PORTS)
        return found

    def _conflict(self, profile: Profile, blocker: Blocker, shape: Shape) -> Conflict:
        saturated = shape.blockers * blocker.weight
        tolerance = 0.1 + 0.003 * saturated / shape.instances
        reading, pressure = self._pressure(blocker, profile.template, shape)
        if abs(pressure - round(pressure)) > tolerance:
            # Something may have disturbed it.
            self.readings.again(reading.parts)
            reading, pressure = self._pressure(blocker, profile.template, shape)
        most = max(pressure, (reading.cycles * len(blocker.ports) - saturated) / shape.instances)
        return Conflict(blocker.ports, blocker, shape, reading, pressure, most, tolerance)

    def at_full_speed(self, profile: Profile, ports: PortSet) -> FullSpeed:
        """A form against the blocker of one set, both as often as they repeat by themselves.

        Raises:
            InputError: there is no kernel.
        """
        blocker = self.blocking.blockers[ports]
        blockers, instances = shape(profile.alone_cycles, blocker)
        reading = self.readings.of([blocker.part(blockers), Part(profile.template, instances, READINGS_ALONE)])
        return FullSpeed(blocker, blockers, instances, reading)

    def recheck(self, blocker: Blocker, ports: PortSet, shape: Shape) -> float:
        """`own`, timed once more: something may have disturbed it."""
        against = self.blocking.blockers[ports]
        for parts in (
            [against.part(shape.blockers), Part(blocker.template, shape.instances, shape.instances)],
            [against.part(shape.blockers)],
        ):
            self.readings.again(parts)
        del self._own[blocker.template.key, ports, shape]
        return self.own(blocker, ports, shape)

    def _pressure(self, blocker: Blocker, template: Template, shape: Shape) -> tuple[Reading, float]:
        part = blocker.part(shape.blockers)
        reading = self.readings.of([part, Part(template, shape.instances, shape.instances)])
        without = self._alone(blocker, part)
        return reading, max(0.0, (reading.cycles - without.cycles) * len(blocker.ports) / shape.instances)

    def own(self, blocker: Blocker, ports: PortSet, shape: Shape) -> float:
        """The same figure for an instance of a blocker in the form's place.

        Raises:
            InputError: there is no kernel.
        """
        key = (blocker.template.key, ports, shape)
        if key not in self._own:
            against = self.blocking.blockers[ports]
            if against.template.key == blocker.template.key:
                self._own[key] = blocker.weight
            else:
                _, self._own[key] = self._pressure(against, blocker.template, shape)
        return self._own[key]

    def _alone(self, blocker: Blocker, part: Part) -> Reading:
        """Blockers by themselves; timed again where they are slower than their ports make them."""
        reading = self.readings.of([part])
        for _ in range(CONFLICTS_AGAIN):
            if reading.cycles <= part.count * blocker.weight / len(blocker.ports) * (1 + CONFLICTS_BLOCKER_TOLERANCE):
                break
            reading = self.readings.again([part])
        return reading

    def _shape(self, profile: Profile, blocker: Blocker) -> Shape:
        rate = len(blocker.ports) / blocker.weight  # blockers in a cycle
        front_end = self.blocking.front_end
        busy = CONFLICTS_SLACK * profile.chain_cycles + 1
        if front_end.binds:
            free = CONFLICTS_FULL * front_end.width - rate  # slots in a cycle
            if free <= 0:
                raise CannotMeasureError(Reason.HIDDEN)
            busy = max(busy, profile.instances * profile.slots / free)
        level = next((level for level in CONFLICTS_LEVELS if level >= busy), None)
        if level is None or round(level * rate) + profile.instances > CONFLICTS_LONGEST:
            raise CannotMeasureError(Reason.TOO_LONG, f"{busy:.0f}")
        return Shape(round(level * rate), profile.instances)
