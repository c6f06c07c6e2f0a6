"""LLVM's scheduling models as rows (reads the LLVM that `corecast._core` is linked with).

Method: every form of the enumeration is looked up with the encoding that has it; variants are resolved for those
operands; resource groups, which are supersets, are reduced to uops by subtracting what their members account for.
Latencies are per definition, made per operand pair by the read advances: a source that may arrive late (accumulators,
the register source beside a load) shortens its own pairs only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast import _core
from corecast.machine.rows import Latency, Row, endpoint_name
from corecast.pattern import lazy_pattern

LMULS = ("mf8", "mf4", "mf2", "m1", "m2", "m4", "m8")
ELEMENT_BITS = (8, 16, 32, 64)
OWN_WIDTH = lazy_pattern(r"v[ls]s?(?:seg\d)?e(\d+)(?:ff)?\.v")
"""RVV accesses that name the width of their data."""
MEMORY, WRITE_BACK = 64, 65
"""Operand ids: the contents of memory, the base register of an access."""


def version() -> str:
    """Major version of the linked LLVM, for source names ("llvm22:znver4")."""
    return str(getattr(_core, "llvm_version", "")).split(".")[0]


def unit_names(schedule: _core.Schedule) -> dict[str, tuple[str, ...]]:
    """The plain units of every resource: "V2UnitV" -> its four units; a resource of three alike -> NAME.0 to NAME.2."""
    resources = {resource.name: resource for resource in schedule.resources}

    def units(name: str) -> tuple[str, ...]:
        resource = resources[name]
        if resource.members:
            found: list[str] = []
            for member in resource.members:
                found.extend(unit for unit in units(member) if unit not in found)
            return tuple(found)
        if resource.units == 1:
            return (name,)
        return tuple(f"{name}.{index}" for index in range(resource.units))

    return {name: units(name) for name in resources}


def row_from_entry(
    isa: str, form: str, entry: _core.ScheduleEntry, ports: Mapping[str, str], source: str
) -> Row | None:
    """The row of one schedule entry; None where LLVM's model does not cover it.

    Args:
        ports: LLVM resource -> port set as our files write it ("ALU", "p01", "V0|V1"); "" drops the resource (one that
            counts issue slots, say), "unit:NAME" books its cycles as blocking of that unit.

    Raises:
        KeyError: a resource that `ports` does not name.
    """
    if not entry.known:
        return None
    usage: list[tuple[float, str]] = []
    blocking: list[tuple[str, float]] = []
    for use in entry.uses:
        place = ports[use.resource]
        if place.startswith("unit:"):
            blocking.append((place.removeprefix("unit:"), use.cycles))
        elif place:
            usage.append((use.cycles, place))
    uops = float(entry.micro_ops)
    return Row(
        form=form,
        ports=tuple(usage),
        blocking=tuple(blocking),
        latency=latencies(isa, entry),
        uops=(uops, uops, uops),
        source=source,
        confidence="documented",
    )


def latencies(isa: str, entry: _core.ScheduleEntry) -> tuple[Latency, ...]:
    """Latency of every (source, destination) pair of the instruction."""
    instruction = entry.instruction
    first = next((float(latency.cycles) for latency in entry.latencies), None)
    if first is None:
        return ()
    by_destination = _in_place({latency.destination: float(latency.cycles) for latency in entry.latencies})
    advances = {advance.source: advance for advance in entry.advances}
    sources = [operand.id for operand in instruction.operands if operand.read]
    pairs: list[Latency] = []
    for operand in instruction.operands:
        if not operand.write:
            continue
        cycles = by_destination.get(operand.id, by_destination.get(0, first))
        if operand.id == WRITE_BACK:  # from the base alone
            pairs.append(Latency("addr", "addr", by_destination.get(WRITE_BACK, 1.0)))
            continue
        for source in sources:
            if source == MEMORY:  # memory contents: the machine's forwarding rule
                continue
            advance = advances[source].from_same if source in advances else 0
            if advance >= cycles:
                advance = 0  # meant for another producer, with which this instruction is fused (aese, aesmc)
            name, destination = endpoint_name(isa, source), endpoint_name(isa, operand.id)
            pairs.append(Latency(name, destination, cycles - advance))
    return compressed(pairs)


def _in_place(by_destination: dict[int, float]) -> dict[int, float]:
    """With the shortest time at the base that is written back: some models list the writes in another order."""
    base, fastest = WRITE_BACK, min(by_destination, key=lambda destination: by_destination[destination])
    if base not in by_destination or by_destination[base] <= by_destination[fastest]:
        return by_destination
    return {**by_destination, base: by_destination[fastest], fastest: by_destination[base]}


def compressed(pairs: Sequence[Latency]) -> tuple[Latency, ...]:
    """The same pairs with a wildcard source where all sources of a destination agree."""
    result: list[Latency] = []
    for destination in dict.fromkeys(pair.destination for pair in pairs):
        group = [pair for pair in pairs if pair.destination == destination]
        if len(group) > 2 and len({pair.cycles for pair in group}) == 1 and destination != "addr":
            result.append(Latency("*", destination, group[0].cycles))
        else:
            result.extend(group)
    return tuple(result)


def rows_from_llvm(
    isa: str, cpu: str, ports: Mapping[str, str], forms: Iterable[_core.EnumeratedForm] | None = None
) -> list[Row]:
    """Every form that LLVM's model of `cpu` covers.

    Args:
        isa: "x86", "aarch64" or "riscv64".
        cpu: LLVM's name ("znver4", "neoverse-v2").
        ports: see `row_from_entry`.
        forms: the enumeration (made anew where None).

    Raises:
        ValueError: LLVM has no model for the CPU.
        KeyError: a resource that `ports` does not name.
    """
    schedule = _core.Schedule(isa, cpu)
    source = f"llvm{version()}:{cpu}"
    rows: list[Row] = []
    for enumerated in forms if forms is not None else _core.enumerate_forms(isa):
        if isa == "riscv64" and enumerated.form.startswith("v") and not enumerated.form.startswith("vset"):
            rows.extend(_vector_rows(schedule, enumerated, ports, source))
            continue
        row = row_from_entry(isa, enumerated.form, schedule.entry(enumerated.code), ports, source)
        if row is not None:
            rows.append(row)
    return rows


def _vector_rows(
    schedule: _core.Schedule, enumerated: _core.EnumeratedForm, ports: Mapping[str, str], source: str
) -> list[Row]:
    """RVV: rows per LMUL, and per element width where the width matters.

    Loads and stores that name the width of their data have keys of that width, whatever vsetvli says.
    """
    named = OWN_WIDTH.match(enumerated.form)
    rows: list[Row] = []
    for lmul in LMULS:
        by_width: dict[int, Row] = {}
        for bits in ELEMENT_BITS:
            if named is not None and int(named[1]) != bits:
                continue
            if lmul.startswith("mf") and bits * int(lmul[2:]) > 64:
                continue  # fewer than one element in the smallest register the specification allows
            entry = schedule.entry(enumerated.code, lmul, bits)
            row = row_from_entry("riscv64", f"{enumerated.form} @{lmul},e{bits}", entry, ports, source)
            if row is not None:
                by_width[bits] = row
        distinct = {(row.ports, row.blocking, row.latency, row.uops) for row in by_width.values()}
        if len(distinct) == 1:
            rows.append(next(iter(by_width.values())).with_(form=f"{enumerated.form} @{lmul}"))
        else:
            rows.extend(by_width.values())
    return rows
