"""Rows that follow from measured forms of the same operation, where the core differs from the start model.

A form that reads memory does what the same form does with registers, and a load. Where the measured form of registers
has other ports than the start model says, so has the one with memory; where nobody had time to measure that one, its
latencies and units follow as well. The same holds for vectors of half or twice the length that the start model
gives the same row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from statistics import median

from corecast.calibrate.choices import members_of
from corecast.calibrate.order import is_plain
from corecast.calibrate.unscaled import SCALED
from corecast.machine.rows import Latency, Row
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row, members, port_bound
from corecast.measure.questions.selection import all_forms
from corecast.pattern import lazy_pattern

RULE = "rule:alike"
SOURCE = f"corecast:measured({RULE})"
_WITHIN = 0.05
"""By how much more than the measured time the ports of a form may need."""
_MEMORY = lazy_pattern(r"^m(8|16|32|64|128|256)$")
"""Of 512 bits a load may take its port twice (`wider`)."""
_VECTOR = lazy_pattern(r"\b[xyz]mm")
_LENGTHS = {"xmm": "ymm", "m128": "m256"}
_MICROCODED = "microcoded"
_PORTS_MEASURED = "throughput,ports)"
"""In the source of a row."""

Ports = tuple[tuple[float, str], ...]


def alike_rows(rows: Iterable[Row], base: Machine) -> list[Row]:
    """The rows, some with other ports, and more of forms that were not measured.

    Args:
        rows: the measured ones.
        base: the model that they are for.
    """
    measured = {row.form: row for row in rows}
    changed: dict[str, Row] = {}
    for form, row in measured.items():
        known = known_row(form, base)
        if known is not None and _differs(row, known, base):
            changed[form] = known
    if base.isa != "x86" or not changed:
        return list(measured.values())
    apart = _loads_apart(measured)
    for form, register_form in _with_memory():
        if register_form not in changed:
            continue
        known = changed[register_form]
        own, registers = measured.get(form), measured[register_form]
        if own is None:
            made = _loaded(form, registers, known, base, apart)
        else:
            made = _on_ports_of(own, registers, known, base)
        if made is not None:
            measured[form] = made
    for form, other in _of_other_lengths():
        own, made = measured.get(form), None
        if own is not None and other in measured:
            made = _as_fast(own, measured[other])
        elif own is None and other in changed:
            made = _as_long(form, measured[other], changed[other], base)
        if made is not None:
            measured[form] = made
    return list(measured.values())


def _differs(row: Row, known: Row, base: Machine) -> bool:
    """Whether the core does something else than the start model says: a set of ports that the model writes otherwise is
    the same."""
    if not known.ports or not row.ports:
        return False
    return (
        _sets(row.ports, base) != _sets(known.ports, base)
        or row.blocking != known.blocking
        or _cycles(row) != _cycles(known)
    )


def _sets(ports: Ports, base: Machine) -> list[tuple[float, tuple[str, ...]]]:
    return sorted((round(count, 2), tuple(sorted(members(base, group)))) for count, group in ports)


def _cycles(row: Row) -> dict[tuple[str, str], float]:
    return {(each.source, each.destination): each.cycles for each in row.latency or ()}


def _is_whole(ports: Ports) -> bool:
    return all(abs(count - round(count)) < _WITHIN / 2 for count, _ in ports)


def _adds_a_load(before: Row, known: Row, load: Ports, base: Machine) -> bool:
    """Whether the start model's row with memory has the ports of its row with registers, and a load."""
    return before.ports is not None and _sets(before.ports, base) == _sets((*(known.ports or ()), *load), base)


def _load(form: str, base: Machine) -> Ports | None:
    """What a load of its kind takes; None where the model does not say."""
    is_vector = _VECTOR.search(form) is not None
    usage = (base.parameter("loads.vector_ports") if is_vector else None) or base.parameter("loads.ports")
    ports = members_of(base, usage)
    return ((1.0, "|".join(ports)),) if ports else None


def _on_ports_of(own: Row, registers: Row, known: Row, base: Machine) -> Row | None:
    """A measured row, on the ports of the form with registers and a load, where these allow what was measured."""
    load, before = _load(own.form, base), known_row(own.form, base)
    cycles = own.reciprocal_throughput_cycles
    if load is None or before is None or not registers.ports or not known.ports or cycles is None:
        return None
    if _sets(registers.ports, base) == _sets(known.ports, base) or not _is_whole(registers.ports):
        return None
    ports = (*registers.ports, *load)
    is_open = SCALED in own.source or _adds_a_load(before, known, load, base)
    if not is_open or _PORTS_MEASURED in own.source or port_bound(base, ports) > cycles * (1 + _WITHIN):
        return None
    return own.with_(ports=ports, source=_told(own.source), confidence="derived")


def _told(source: str) -> str:
    return source.replace(SCALED, RULE) if SCALED in source else source.replace("(ports", f"({RULE},ports")


def _loaded(form: str, registers: Row, known: Row, base: Machine, apart: Mapping[str, float]) -> Row | None:
    """The row of a form with memory, from what was measured with registers and what loads take beyond that."""
    load, before = _load(form, base), known_row(form, base)
    if load is None or before is None or not registers.ports or not known.ports or not _is_whole(registers.ports):
        return None
    has_fewer = sum(count for count, _ in registers.ports) < sum(count for count, _ in known.ports)
    if not has_fewer and not _adds_a_load(before, known, load, base):
        return None
    more = apart.get(_loaded_by(form))
    uops = before.uops
    if uops is not None and registers.uops is not None:
        fused, unfused, retired = registers.uops
        uops = (fused, unfused + 1, retired)
    flags = tuple(each for each in before.flags if each != _MICROCODED or each in registers.flags)
    return before.with_(
        ports=(*registers.ports, *load),
        blocking=registers.blocking,
        latency=_latencies(before, registers, known, _place(form), more),
        uops=uops,
        flags=flags,
        reciprocal_throughput_cycles=None,
        source=SOURCE,
        confidence="derived",
    )


def _latencies(before: Row, registers: Row, known: Row, place: str, more: float | None) -> tuple[Latency, ...] | None:
    """Of a form with memory in place of a register: that from its address is the register's and what a load takes."""
    if before.latency is None:
        return None
    now, was = _cycles(registers), _cycles(known)
    found = []
    for each in before.latency:
        cycles = each.cycles
        source = place if each.source in ("addr", "index") else each.source
        key = (source, each.destination)
        if key in now and source != each.source and more is not None:
            cycles = now[key] + more
        elif key in now and key in was:
            cycles = max(0.0, cycles + now[key] - was[key])
        found.append(Latency(each.source, each.destination, cycles))
    return tuple(found)


def _loads_apart(measured: Mapping[str, Row]) -> dict[str, float]:
    """By how much the latency from an address exceeds that from a register, of each kind of load, as the median of
    measured pairs says."""
    found: dict[str, list[float]] = {}
    for form, register_form in _with_memory():
        own, registers = measured.get(form), measured.get(register_form)
        if own is None or registers is None:
            continue
        loaded, plain = _cycles(own).get(("addr", "1")), _cycles(registers).get((_place(form), "1"))
        if loaded is not None and plain is not None:
            found.setdefault(_loaded_by(form), []).append(loaded - plain)
    return {kind: median(each) for kind, each in found.items()}


def _loaded_by(form: str) -> str:
    """The kind of a load: the longest register beside it."""
    return next((name for name in ("zmm", "ymm", "xmm") if name in form), "general")


def _as_fast(own: Row, other: Row) -> Row | None:
    """A row whose ports explain its throughput with parts of micro-ops alone, on those of the other length, which
    takes as long with whole ones."""
    cycles, same = own.reciprocal_throughput_cycles, other.reciprocal_throughput_cycles
    if SCALED not in own.source or SCALED in other.source or cycles is None or same is None:
        return None
    if not other.ports or not own.ports or _is_whole(own.ports) or not _is_whole(other.ports):
        return None
    if own.blocking != other.blocking or abs(cycles - same) > _WITHIN * same:
        return None
    return own.with_(ports=other.ports, source=_told(own.source), confidence="derived")


def _as_long(form: str, other: Row, known: Row, base: Machine) -> Row | None:
    """The row of a form on vectors of another length, where the start model has the same for both."""
    before = known_row(form, base)
    if before is None or not before.ports or not known.ports or not other.ports or not _is_whole(other.ports):
        return None
    if _differs(before, known, base):
        return None
    return before.with_(
        ports=other.ports,
        blocking=other.blocking,
        latency=other.latency,
        uops=other.uops,
        reciprocal_throughput_cycles=None,
        source=SOURCE,
        confidence="derived",
    )


def _place(form: str) -> str:
    """Of the operand that is memory, as latencies name it."""
    return str(1 + next(at for at, operand in enumerate(_operands(form)) if _MEMORY.match(operand)))


def _operands(form: str) -> list[str]:
    return form.partition(" ")[2].split(", ")


@lru_cache(maxsize=1)
def _with_memory() -> tuple[tuple[str, str], ...]:
    """Forms that read memory, each with the one that has a register in its place."""
    every = [form for form in all_forms("x86") if is_plain(form)]
    there = set(every)
    return tuple((form, other) for form in every if (other := _of_registers(form, there)) is not None)


def _of_registers(form: str, there: set[str]) -> str | None:
    """None where there is no such form, or where its register is of the other kind, whose results go another way."""
    mnemonic, _, _ = form.partition(" ")
    operands = _operands(form)
    places = [at for at, operand in enumerate(operands) if _MEMORY.match(operand)]
    if len(places) != 1 or places[0] == 0:
        return None
    place, size = places[0], int(operands[places[0]][1:])
    name = f"r{size}" if _VECTOR.search(form) is None else "ymm" if size == 256 else "xmm"
    other = f"{mnemonic} {', '.join((*operands[:place], name, *operands[place + 1 :]))}"
    return other if other in there else None


@lru_cache(maxsize=1)
def _of_other_lengths() -> tuple[tuple[str, str], ...]:
    """Forms on vectors of 128 and 256 bits, each with the one of the other length."""
    every = [form for form in all_forms("x86") if is_plain(form)]
    there = set(every)
    found: list[tuple[str, str]] = []
    for form in every:
        for longer in _longer(form):
            if longer != form and longer in there:
                found += [(form, longer), (longer, form)]
                break
    return tuple(found)


def _longer(form: str) -> Iterator[str]:
    """Of twice the length, or with a result of twice the length."""
    mnemonic, operands = form.partition(" ")[0], _operands(form)
    longer = [_LENGTHS.get(each, each) for each in operands]
    yield f"{mnemonic} {', '.join(longer)}"
    yield f"{mnemonic} {', '.join((*longer[:1], *operands[1:]))}"
