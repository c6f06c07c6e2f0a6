"""Blocking instructions of a core of which nothing is known: port sets by how forms share their ports.

Forms of one uop fall into classes: those of a class together repeat as fast as one of them alone. Two classes at full
speed take as long as their ports together do, so that the number of ports they share is known; the fewest ports with
these overlaps are the core's, up to their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.measure.judge.ports.arrange import Arrangement, Overlap, arrangements
from corecast.measure.judge.ports.blocking import Blocker, Blocking, FrontEnd, measured_front_end
from corecast.measure.judge.ports.meter import PortMeter
from corecast.measure.judge.ports.usage import PortSet, port_bound, total
from corecast.measure.plan.ports.candidates import PLAIN, STORES
from corecast.measure.plan.ports.mixtures import Part
from corecast.measure.plan.ports.templates import Template, template
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.measure.run.readings import Readings
from corecast.measure.thresholds import (
    DISCOVER_CYCLES,
    DISCOVER_MOST_PRESSURE,
    DISCOVER_UNEVEN,
    DISCOVER_WHOLE,
    READINGS_SAME,
)

IMPOSSIBLE = Overlap(1, 0)


@dataclass(frozen=True)
class _Class:
    """Forms that have the same ports: one that stands for them."""

    template: Template
    size: int
    """Ports."""

    def part(self, cycles: int) -> Part:
        return Blocker(self.template, {}, frozenset()).part(cycles * self.size)


def found_blocking(readings: Readings) -> Blocking:
    """Blocking instructions that are found by measuring alone.

    Raises:
        InputError: none is.
    """
    classes = _classes(readings)
    if not classes:
        raise CannotMeasureError(Reason.NO_BLOCKER, readings.core.name)
    front_end = _front_end(readings, classes)
    single = [each for each in classes if not any(_takes_more(readings, front_end, each, other) for other in classes)]
    kept: list[_Class] = []
    overlaps: dict[tuple[int, int], Overlap] = {}
    doubts = [f"{each.template.key} is more than one uop: left out" for each in classes if each not in single]
    for new in sorted(single, key=lambda each: each.size):
        place = len(kept)
        found = {(other, place): _overlap(readings, front_end, kept[other], new) for other in range(place)}
        if arrangements([*(each.size for each in kept), new.size], {**overlaps, **found}):
            kept.append(new)
            overlaps |= found
        else:
            doubts.append(f"{new.template.key} shares ports with others as no uop of one port set can: left out")
    doubts += [
        f"the front end hides how many ports {kept[one].template.key} and {kept[other].template.key} share"
        for (one, other), overlap in overlaps.items()
        if overlap.least < overlap.most
    ]
    possible = arrangements([each.size for each in kept], overlaps)
    possible = _told_apart(readings, front_end, kept, possible)
    if len(possible) > 1:
        doubts.append(f"{len(possible)} arrangements of ports make the same times; the first is taken")
    return _with_stores(readings, _blocking(readings, kept, possible[0], doubts))


def _classes(readings: Readings) -> list[_Class]:
    found: list[_Class] = []
    for key in PLAIN[readings.core.isa]:
        try:
            made = template(key, readings.core.isa)
            rate = 1 / readings.alone(made)
            size = round(rate)
            if size < 1 or abs(rate - size) > DISCOVER_WHOLE * size:
                continue
            new = _Class(made, size)
            if not any(each.size == size and _is_same(readings, each, new) for each in found):
                found.append(new)
        except InputError:
            continue  # not on this core
    return found


def _is_same(readings: Readings, one: _Class, other: _Class) -> bool:
    cycles = readings.of([one.part(DISCOVER_CYCLES), other.part(DISCOVER_CYCLES)]).cycles
    return cycles >= 2 * DISCOVER_CYCLES * (1 - READINGS_SAME)


def _front_end(readings: Readings, classes: Sequence[_Class]) -> FrontEnd:
    """As wide as the fastest mixture of two classes; whether it binds shows where sets that share nothing are slow."""
    best = FrontEnd(float(max(each.size for each in classes)), binds=False)
    wide = sorted(classes, key=lambda each: -each.size)[:6]
    for one, other in combinations(wide, 2):
        cycles = readings.of([one.part(DISCOVER_CYCLES), other.part(DISCOVER_CYCLES)]).cycles
        rate = DISCOVER_CYCLES * (one.size + other.size) / cycles
        if rate > best.width * (1 - READINGS_SAME):
            binds = cycles > DISCOVER_CYCLES * (1 + READINGS_SAME)
            best = FrontEnd(max(rate, best.width), binds or (best.binds and rate < best.width * (1 + READINGS_SAME)))
    return best


def _takes_more(readings: Readings, front_end: FrontEnd, one: _Class, other: _Class) -> bool:
    """Whether a form takes more of another's ports than one uop can."""
    if one is other or (front_end.binds and other.size * (1 + READINGS_SAME) >= front_end.width):
        return False
    blocked = other.part(2 * DISCOVER_CYCLES)
    longer = readings.of([blocked, Part(one.template, 2, 2)]).cycles - readings.of([blocked]).cycles
    return longer * other.size / 2 > DISCOVER_MOST_PRESSURE


def _overlap(readings: Readings, front_end: FrontEnd, one: _Class, other: _Class) -> Overlap:
    """Ports that two classes share: together they take as long as their ports together."""
    cycles = readings.of([one.part(DISCOVER_CYCLES), other.part(DISCOVER_CYCLES)]).cycles
    instructions = DISCOVER_CYCLES * (one.size + other.size)
    most = min(one.size, other.size)
    by_front_end = instructions / front_end.width if front_end.binds else 0.0
    if cycles > max(by_front_end, DISCOVER_CYCLES) * (1 + READINGS_SAME):
        together = instructions / cycles
        if abs(together - round(together)) > DISCOVER_UNEVEN * together:
            return IMPOSSIBLE
        shared = min(one.size + other.size - round(together), most)
        return Overlap(shared, shared)
    if by_front_end <= DISCOVER_CYCLES * (1 + READINGS_SAME):
        return Overlap(0, 0)
    if one.template.is_load != other.template.is_load:
        return Overlap(0, 0)  # assumed: as far as it is known, cores load through separate ports
    # The front end is what binds: they have at least as many ports as it is wide.
    return Overlap(0, max(0, min(most, one.size + other.size - round(front_end.width))))


def _told_apart(
    readings: Readings, front_end: FrontEnd, classes: Sequence[_Class], possible: list[Arrangement]
) -> list[Arrangement]:
    """The arrangements that are left when three classes at a time are measured where arrangements differ on them."""
    for chosen in combinations(range(len(classes)), 3):
        if len(possible) <= 1:
            break
        parts = [classes[place].part(DISCOVER_CYCLES) for place in chosen]
        least = sum(part.count for part in parts) / front_end.width if front_end.binds else 0.0
        expected = [
            max(
                least,
                port_bound(
                    total(({frozenset(map(str, each[p])): 1.0}, classes[p].size * DISCOVER_CYCLES) for p in chosen)
                ),
            )
            for each in possible
        ]
        if max(expected) <= min(expected) * (1 + 2 * READINGS_SAME):
            continue
        cycles = readings.of(parts).cycles
        nearest = min(abs(each - cycles) for each in expected)
        possible = [
            each
            for each, should in zip(possible, expected, strict=True)
            if abs(should - cycles) <= nearest + READINGS_SAME * cycles
        ]
    return possible


def _blocking(
    readings: Readings, classes: Sequence[_Class], arrangement: Arrangement, doubts: Sequence[str]
) -> Blocking:
    blockers: dict[PortSet, Blocker] = {}
    for each, ports in zip(classes, arrangement, strict=True):
        names = frozenset(f"P{port}" for port in ports)
        blockers[names] = Blocker(each.template, {names: 1.0}, names)
    count = len(frozenset().union(*arrangement))
    order = tuple(f"P{port}" for port in range(count))
    front_end = measured_front_end(readings, blockers.values())
    return Blocking(blockers, front_end, order, sets=tuple(blockers), doubts=tuple(doubts))


def _with_stores(readings: Readings, blocking: Blocking) -> Blocking:
    """Stores repeat slower than what they take of other ports: they have separate ports."""
    for key in STORES[readings.core.isa]:
        meter = PortMeter(readings, blocking)
        measured = meter.measure(key)
        if measured.usage is None or measured.blocking_cycles is None:
            continue
        size = max(1, round(1 / measured.blocking_cycles))
        seen = {ports: count for ports, count in measured.usage.items() if not blocking.hidden(ports)}
        first = len(blocking.order)
        own = tuple(f"P{port}" for port in range(first, first + size))
        made = template(key, readings.core.isa)
        new = Blocker(made, {**seen, frozenset(own): 1.0}, frozenset(own))
        blocking = Blocking(
            {**blocking.blockers, new.ports: new},
            blocking.front_end,
            (*blocking.order, *own),
            sets=(*blocking.sets, new.ports),
            doubts=blocking.doubts,
        )
    return blocking
