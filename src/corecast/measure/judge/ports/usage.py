"""Port usage as numbers: cycles of ports by the sets of ports that may give them, and the time that this implies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

PortSet = frozenset[str]
Usage = Mapping[PortSet, float]
"""Port cycles by port set: a uop counts 1 where its port is free again in the next cycle."""


def total(parts: Iterable[tuple[Usage, float]]) -> dict[PortSet, float]:
    """What the given number of instances of each use together."""
    found: dict[PortSet, float] = {}
    for usage, count in parts:
        for ports, cycles in usage.items():
            found[ports] = found.get(ports, 0.0) + cycles * count
    return found


def unions(sets: Collection[PortSet]) -> set[PortSet]:
    """Every union of some of the sets."""
    found: set[PortSet] = set()
    for ports in set(sets):
        found |= {ports | other for other in found} | {ports}
    return found


def confined(usage: Usage, ports: PortSet) -> float:
    """Port cycles that no other ports can give."""
    return sum(cycles for own, cycles in usage.items() if own <= ports)


def port_bound(usage: Usage) -> float:
    """Cycles that the ports need at least, and that they need where uops are spread well: by Hall's theorem, the set of
    ports that has most to do for its size."""
    return max((confined(usage, ports) / len(ports) for ports in unions(usage)), default=0.0)


def alike(one: Usage, other: Usage, blocked: Iterable[PortSet]) -> bool:
    """Whether no blocking instruction can tell two usages apart: each takes as much of every blocked set."""
    return all(abs(confined(one, ports) - confined(other, ports)) < 0.01 for ports in blocked)


def usage_text(usage: Usage, groups: Mapping[str, Sequence[str]], order: Sequence[str]) -> str:
    """As in form tables: `1*ALU+1*AGU`; groups: names of sets; order: of the ports."""
    if not usage:
        return "none"
    rows = sorted(usage.items(), key=lambda item: (len(item[0]), _places(item[0], order)))
    return "+".join(f"{cycles:g}*{set_text(ports, groups, order)}" for ports, cycles in rows)


def set_text(ports: PortSet, groups: Mapping[str, Sequence[str]], order: Sequence[str]) -> str:
    """The name of a set: the group's, a single port's, else p0156, or [P0 P1] where names are long."""
    names = [port for port in order if port in ports] + sorted(ports - set(order))
    for group, members in groups.items():
        if ports == frozenset(members):
            return group
    if len(names) == 1:
        return names[0] if len(names[0]) > 1 else f"p{names[0]}"
    if all(len(name) == 1 for name in names):
        return "p" + "".join(names)
    return f"[{' '.join(names)}]"


def _places(ports: PortSet, order: Sequence[str]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted((order.index(port) if port in order else len(order), port) for port in ports))
