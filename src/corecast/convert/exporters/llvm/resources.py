"""Ports, units and schedulers of a core as LLVM's processor resources.

A port set is a group of its ports. A micro-op takes an entry of a buffer where its group lies within the buffer's: so
schedulers whose ports some group joins are one buffer, of the sum of their entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.machine.types import Machine

_MOST_RESOURCES = 62
"""llvm-mca counts resources by the bits of a word, one of them for none."""


@dataclass(frozen=True)
class Group:
    """Ports that a micro-op may choose among; of schedulers, with its number of entries."""

    name: str
    members: tuple[str, ...]
    entries: int | None = None


@dataclass(frozen=True)
class Resources:
    units: tuple[str, ...]
    """Ports and units that are not pipelined, by names of resources."""
    groups: tuple[Group, ...]
    names: dict[tuple[str, ...], str]
    """Port set -> resource."""
    queues: dict[str, int]
    """Entries of load and store queue by LLVM's class."""


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", name) if part)


def resources_of(machine: Machine, prefix: str, sets: Iterable[tuple[str, ...]]) -> Resources:
    """The resources that these port sets need.

    Raises:
        InputError: there are more than llvm-mca can count.
    """
    used = sorted(set(sets))
    known = (*machine.ports, *machine.units)
    places = (*known, *(place for members in used if len(members) == 1 for place in members if place not in known))
    names: dict[tuple[str, ...], str] = {(place,): f"{prefix}{_place(place)}" for place in places}
    groups: list[Group] = []
    for members in used:
        if len(members) > 1:
            names[members] = f"{prefix}{_set_name(members, machine.ports)}"
            groups.append(Group(names[members], tuple(names[(member,)] for member in members)))
    for number, (members, entries) in enumerate(_schedulers(machine, used)):
        own = tuple(names[(member,)] for member in members)
        same = next((group for group in groups if set(group.members) == set(own)), None)
        if same is not None:
            groups[groups.index(same)] = Group(same.name, same.members, entries)
        elif len(own) > 1:
            groups.append(Group(f"{prefix}Scheduler{number}", own, entries))
    queues = {}
    for key, kind in (("load_queue.entries", "LoadQueue"), ("store_queue.entries", "StoreQueue")):
        value = machine.parameter(key)
        if isinstance(value, int | float) and value > 0:
            queues[kind] = int(value)
    if (count := len(places) + len(groups) + len(queues)) > _MOST_RESOURCES:
        raise InputError(f"{machine.name}: {count} ports and groups; llvm-mca has room for {_MOST_RESOURCES}")
    return Resources(tuple(names[(place,)] for place in places), tuple(groups), names, queues)


def _place(name: str) -> str:
    return f"Port{name}" if len(name) == 1 else name


def _set_name(members: Sequence[str], ports: Sequence[str]) -> str:
    """Short for ports of one letter, as Intel's: Port015; else all names."""
    if all(len(member) == 1 for member in members):
        return "Port" + "".join(sorted(members, key=list(ports).index))
    return "_".join(members)


def _schedulers(machine: Machine, used: Iterable[tuple[str, ...]]) -> list[tuple[tuple[str, ...], int | None]]:
    """Ports by scheduler, schedulers that some set joins as one, and what is left of overlapping sets.

    Schedulers behind a queue share its entries.
    """
    tables = machine.parameter("schedulers") or ()
    entries = machine.parameter("scheduler.entries")
    queued = set(machine.parameter("scheduler_queue.ports") or ())
    behind = sum(1 for table in tables if queued.intersection(table["ports"]))
    queue = float(machine.parameter("scheduler_queue.entries") or 0)
    parts: list[tuple[set[str], int | None]] = [
        (set(table["ports"]), int(table["entries"] + (queue / behind if queued.intersection(table["ports"]) else 0)))
        for table in tables
    ]
    if not parts and isinstance(entries, int | float) and entries > 0:
        parts = [(set(machine.ports), int(entries))]
    for members in used:
        joined = [part for part in parts if part[0] & set(members)]
        rest = [part for part in parts if not part[0] & set(members)]
        sizes = [size for _, size in joined]
        total = sum(size for size in sizes if size is not None) if None not in sizes and sizes else None
        parts = [*rest, (set(members).union(*(ports for ports, _ in joined)), total)]
    order = (*machine.ports, *machine.units)
    return [(tuple(port for port in order if port in ports), size) for ports, size in parts if len(ports) > 1]
