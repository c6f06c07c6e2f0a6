"""Blocking instructions with the port names of a core that is known: the core's own model, or a sibling's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from corecast.dataclass import dataclass, replace
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.measure.judge.ports.blocking import (
    Blocker,
    Blocking,
    balanced,
    disjoint,
    measured_front_end,
    saturated,
)
from corecast.measure.judge.ports.conflicts import Conflicts, Shape
from corecast.measure.judge.ports.full_speed import contradictions
from corecast.measure.judge.ports.usage import PortSet, Usage, port_bound
from corecast.measure.plan.ports.templates import template
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.measure.run.readings import Readings
from corecast.measure.thresholds import SIBLINGS_CANDIDATES, SIBLINGS_FOREIGN, SIBLINGS_LOOSE

if TYPE_CHECKING:
    from corecast.machine import Machine


def known_blocking(readings: Readings, machine: Machine) -> Blocking:
    """Blocking instructions for every port set of the model, as far as the core's own times confirm them.

    A form is taken where it repeats as fast as its ports allow, is no faster beside others than their ports allow
    together, and leaves alone those that keep other ports busy: else another form takes its place.

    Raises:
        InputError: the core is of another instruction set, or nothing blocks any port.
    """
    if machine.isa != readings.core.isa:
        raise InputError(f"{machine.name} is a core of {machine.isa}, {readings.core.name} of {readings.core.isa}")
    groups = {name: tuple(members) for name, members in machine.pipeline["ports"].get("groups", {}).items()}
    known = _known(machine)
    waiting = {ports: iter(found) for ports, found in known.candidates.items()}
    chosen = {ports: _confirmed(readings, found) for ports, found in waiting.items()}
    first = dict(chosen)
    accepted: set[tuple[PortSet, PortSet]] = set()
    doubts: list[str] = []
    while True:
        blockers = {ports: blocker for ports, blocker in chosen.items() if blocker is not None}
        if not blockers:
            raise CannotMeasureError(Reason.NO_BLOCKER, readings.core.name)
        if readings.canary is None and readings.core.clock != "simulated":
            readings.watch([blocker.part(count) for blocker, count in balanced(disjoint(blockers.values()), 2)])
        impossible = contradictions(readings, blockers.values())
        if impossible:
            least = _blamed(impossible, blockers, known.sets)
            chosen[least] = _confirmed(readings, waiting[least])
            if chosen[least] is None:
                doubts += [text for pair, text in impossible.items() if least in pair]
            continue
        front_end = measured_front_end(readings, blockers.values())
        found = Blocking(blockers, front_end, tuple(machine.ports), groups, machine.name, known.sets, known.stores)
        wrong = {
            pair: text for pair, text in _disagreements(Conflicts(readings, found)).items() if pair not in accepted
        }
        if not wrong:
            break
        worst = max(
            sorted(blockers, key=sorted),
            key=lambda ports: (sum(ports in pair for pair in wrong), _is_awkward(blockers[ports].template.key)),
        )
        other = _confirmed(readings, waiting[worst])
        if other is not None:
            chosen[worst] = other
            continue
        doubts += [text for pair, text in wrong.items() if worst in pair]
        if sum(worst in pair for pair in wrong) <= 1:
            accepted |= wrong.keys()  # every form of the set does so: the core's way, not a wrong blocker
            chosen[worst] = first[worst]
        else:
            chosen[worst] = None
    doubts += [f"nothing blocks {found.set_name(ports)} alone" for ports in known.sets if ports not in blockers]
    return replace(found, doubts=tuple(doubts))


@dataclass(frozen=True)
class _Known:
    """What a model says that is of use here."""

    candidates: dict[PortSet, list[Blocker]]
    """For every port set forms that should saturate it, the simplest first."""
    sets: tuple[PortSet, ...]
    """All that forms have, the commonest first."""
    stores: dict[str, Usage]
    """Usage of a plain store, by the kind of the register that it stores."""


def _known(machine: Machine) -> _Known:
    found: dict[PortSet, list[tuple[tuple[object, ...], str]]] = {}
    usages = {}
    sets: dict[PortSet, int] = {}
    stores: dict[str, Usage] = {}
    for place, key in enumerate(machine.keys()):
        row = machine.core.find(key)
        if row is None or not row["ports"]:
            continue
        usage = row_usage(row)
        for each in usage:
            sets[each] = sets.get(each, 0) + 1
        if _stores(key) and _is_plain(key, row):
            kind = _stored_kind(key, machine)
            if kind and kind not in stores:
                stores[kind] = usage
        ports = saturated(usage) if _is_plain(key, row) else None
        if ports is not None:
            usages[key] = usage
            order = (len(usage), max(usage.values()), _is_awkward(key), row["confidence"] != "measured", place)
            found.setdefault(ports, []).append((order, key))
    made = {
        ports: list(_made(sorted(keys), usages, machine, ports))
        for ports, keys in sorted(found.items(), key=lambda item: (len(item[0]), sorted(item[0])))
    }
    return _Known(made, tuple(sorted(sets, key=lambda ports: -sets[ports])), stores)


def _stored_kind(key: str, machine: Machine) -> str:
    try:
        made = template(key, machine.isa)
    except InputError:
        return ""
    return made.stored_kind if made.is_store and not made.is_load else ""


def row_usage(row: dict[str, Any]) -> dict[PortSet, float]:
    """Port cycles of a row of a form table; units, as dividers, are left out."""
    usage: dict[PortSet, float] = {}
    for cycles, ports in row["ports"]:
        usage[frozenset(ports)] = usage.get(frozenset(ports), 0.0) + cycles
    return usage


def _is_plain(key: str, row: dict[str, Any]) -> bool:
    """One slot, no unit, one uop; or a store."""
    uops = row["uops"]
    simple = not row["blocking"] and not row["flags"] and (uops is None or uops[0] in (None, 1.0)) and " @" not in key
    return simple and (len(row["ports"]) == 1 or _stores(key)) and all(cycles in (1, 2) for cycles, _ in row["ports"])


def _is_awkward(key: str) -> bool:
    """Wide vectors close ports to others on some cores; large immediates take two places in uop caches; legacy SSE pays
    for what AVX left in wider registers; x87 has separate registers."""
    words = _operand_words(key)
    if any(word.split("{")[0] in _AWKWARD for word in words) or _is_x87(key):
        return True
    return not key.startswith("v") and "xmm" in words


def _is_x87(key: str) -> bool:
    return key.startswith("f") and not {"xmm", "v", "f", "d", "s"} & {word[:1] for word in _operand_words(key)}


_AWKWARD = {"zmm", "m512", "ymm", "m256", "i16", "i32", "i64"}


def _operand_words(key: str) -> list[str]:
    return key.replace(",", " ").split()[1:]


def _stores(key: str) -> bool:
    """Whether the form's first operand is memory (x86), or a store's data (others): a store is two uops at least."""
    mnemonic, _, operands = key.partition(" ")
    return (
        operands.startswith("m") if mnemonic.startswith(("mov", "vmov")) else mnemonic[:2] in ("st", "sd", "sw", "fs")
    )


def _made(
    keys: list[tuple[tuple[object, ...], str]],
    usages: dict[str, dict[PortSet, float]],
    machine: Machine,
    ports: PortSet,
) -> Iterator[Blocker]:
    """Those that kernels can be made of; such that depend on nothing before them first."""
    for awkward in (False, True):
        seen = 0
        later = []
        for _, key in keys:
            if _is_awkward(key) != awkward:
                continue
            blocker = _blocker(key, usages[key], machine, ports)
            if blocker is None:
                continue
            made = blocker.template
            if made.rewrites or made.reads_fixed or not made.written or _narrow(key):
                later.append(blocker)
                continue
            yield blocker
            seen += 1
            if seen == SIBLINGS_CANDIDATES:
                return
        later.sort(key=lambda each: (each.template.reads_fixed, _narrow(each.template.key), each.template.rewrites))
        yield from later[: SIBLINGS_CANDIDATES - seen]


def _blocker(key: str, usage: Usage, machine: Machine, ports: PortSet) -> Blocker | None:
    try:
        made = template(key, machine.isa)
    except InputError:
        return None
    if made.carried or made.writes_fixed or (made.is_load and made.is_store):
        return None
    return Blocker(made, usage, ports)


def _narrow(key: str) -> bool:
    """Operands that merge into registers, or that share ports with nothing else."""
    words = [word.split("{")[0] for word in _operand_words(key)]
    return any(word in words for word in ("r8", "r16", "mm", "k", "r8h", "m8", "m16", "mm"))


def _blamed(
    impossible: Iterable[tuple[PortSet, PortSet]], blockers: Mapping[PortSet, Blocker], sets: Sequence[PortSet]
) -> PortSet:
    """In most of the pairs; of several such one that is said to hold its ports for long, else the set that the fewest
    forms have."""
    every = [ports for pair in impossible for ports in pair]
    return max(every, key=lambda ports: (every.count(ports), blockers[ports].weight, sets.index(ports)))


def _confirmed(readings: Readings, candidates: Iterator[Blocker]) -> Blocker | None:
    """The first that repeats as fast as its ports allow, no faster."""
    for blocker in candidates:
        try:
            cycles = readings.of([blocker.part(4 * len(blocker.ports))]).cycles / (4 * len(blocker.ports))
        except InputError:
            continue
        if abs(cycles - port_bound(blocker.usage)) <= SIBLINGS_LOOSE * cycles:
            return blocker
    return None


def _disagreements(conflicts: Conflicts) -> dict[tuple[PortSet, PortSet], str]:
    """Pairs that share no port and keep each other waiting nevertheless."""
    wrong = {}
    for one, other in permutations(conflicts.blocking.blockers.values(), 2):
        if any(ports & other.ports for ports in one.usage) or conflicts.blocking.hidden(other.ports):
            continue
        shape = Shape(8 * round(len(other.ports) / other.weight), 2)
        try:
            pressure = conflicts.own(one, other.ports, shape)
            if pressure > SIBLINGS_FOREIGN:
                pressure = conflicts.recheck(one, other.ports, shape)
        except InputError:
            continue
        if pressure > SIBLINGS_FOREIGN:
            names = [conflicts.blocking.set_name(each.ports) for each in (one, other)]
            wrong[one.ports, other.ports] = (
                f"{one.template.key} ({names[0]}) keeps {other.template.key} ({names[1]}) waiting"
            )
    return wrong
