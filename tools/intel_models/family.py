"""A core's rows from those of a nearer or farther relative whose records exist, by ports, votes and differences.

A relative's row is taken over form by form. What is known of the core itself corrects it: figures that OSACA's file of
the core gives, else what LLVM's models say changed from the relative to the core.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from corecast.machine.rows import Latency, Row

from .llvm_rows import decode_of, merged
from .port_sets import Ports

Usage = tuple[tuple[float, str], ...]
_MEMORY = re.compile(r"\bm(8|16|32|64|128|256|512)(bcst)?\b")
_SLOW = re.compile(r"v?(div|sqrt|rcp|rsqrt)|i?div ")


@dataclass(frozen=True)
class Relatives:
    """What is known of a core without records."""

    own: Mapping[str, Row]
    """OSACA's rows of the core, or of one like it."""
    model: Mapping[str, Row]
    """LLVM's rows of the core."""
    relative_model: Mapping[str, Row]
    """LLVM's rows of the relative, its ports renamed to the core's."""
    witnesses: tuple[Mapping[str, Row], ...] = ()
    """Further rows that a latency of OSACA's may be confirmed by (the core's successor)."""
    own_core: bool = False
    """Whether OSACA's file is of this very core: what it confirms is documented, not derived."""


@dataclass
class Changes:
    """How often each rule decided."""

    rules: Counter[str] = field(default_factory=Counter)


def translated(usage: Usage | None, relative: Ports, core: Ports, renamed: Mapping[str, str]) -> Usage | None:
    """A relative's port usage on the core: loads, store addresses and store data by their number, others by name."""
    if usage is None:
        return None
    data = sum(count for count, name in usage if name == relative.store_data)
    result: list[tuple[float, str]] = []
    addresses = data
    for count, name in sorted(usage, key=lambda use: use[1] != relative.store_address):
        if name in (relative.store_address, relative.store_address_indexed) and addresses > 0:
            taken = min(count, addresses)
            addresses -= taken
            result.append((taken, core.store_address))
            count -= taken
        if count == 0:
            continue
        moved = {
            relative.load: core.load,
            relative.store_address: core.store_address,
            relative.store_data: core.store_data,
        }
        result.append((count, moved.get(name) or renamed.get(name, name)))
    return merged(result)


def retargeted(rows: Mapping[str, Row], relative: Ports, core: Ports, renamed: Mapping[str, str]) -> dict[str, Row]:
    """Rows with the core's ports."""
    return {
        form: row.with_(ports=translated(row.ports, relative, core, renamed), blocking=row.blocking)
        for form, row in rows.items()
    }


def rows_of_relative(rows: Mapping[str, Row], known: Relatives, changes: Changes) -> dict[str, Row]:
    """Rows of the core: the relative's (its ports already the core's), corrected by what is known of the core."""
    result: dict[str, Row] = {}
    for form, row in rows.items():
        plain = form.partition(" @")[0]
        register = register_sibling(plain, rows) if _MEMORY.search(plain) else plain
        made = row
        if register in rows and rows[register].ports and not form.endswith(" @same"):
            made = _corrected(row, rows[register], known, register, changes)
        confidence = "derived" if row.confidence == "measured" else row.confidence
        if known.own_core and form == register and _confirms(known.own.get(form), made):
            confidence = "documented"
            if made is row:
                made = row.with_(source=f"{known.own[form].source}+{row.source}")
        result[form] = made.with_(confidence=confidence)
    return result


def _confirms(own: Row | None, row: Row) -> bool:
    """Whether OSACA's figures of the core are the row's."""
    return own is not None and own.ports is not None and _equal(own.ports, row.ports) and largest(own) == largest(row)


def register_sibling(form: str, rows: Mapping[str, Row]) -> str:
    """The form with a register in place of memory; "" where there is none (pure loads and stores among them)."""
    match = _MEMORY.search(form)
    if match is None or re.match(r"v?(mov|lddqu|p?broadcast)", form):
        return ""
    vectors = re.findall(r"[xyz]mm", form)
    widths = {"128": "xmm", "256": "ymm", "512": "zmm"}
    candidates = [widths.get(match[1], vectors[-1] if vectors else f"r{match[1]}"), f"r{match[1]}", "xmm"]
    for candidate in candidates:
        sibling = form[: match.start()] + candidate + form[match.end() :]
        if sibling in rows:
            return sibling
    return ""


def _corrected(row: Row, plain: Row, known: Relatives, register: str, changes: Changes) -> Row:
    """A row under what is known of its form with registers only."""
    own, model, before = known.own.get(register), known.model.get(register), known.relative_model.get(register)
    ports, sources = plain.ports, []
    if own is not None and own.ports:
        if _equal(own.ports, plain.ports) or not _plausible(own, model, plain):
            changes.rules["ports confirmed"] += 1
        else:
            ports = own.ports
            changes.rules["ports of OSACA"] += 1
            sources.append(f"{own.source}(ports)")
    elif _changed(model, before) and model is not None and not _slow(register):
        ports = model.ports
        changes.rules["ports of LLVM"] += 1
        sources.append(f"{model.source}(ports)")
    cycles = _voted(own, model, before, plain, known, register)
    before_cycles = largest(plain)
    result = row
    if ports != plain.ports and ports is not None and plain.ports is not None:
        rest = _without(row.ports or (), plain.ports)
        if rest is not None:
            result = _with_ports(row, merged((*ports, *rest)))
    if cycles is not None and before_cycles is not None and cycles != before_cycles and row.latency:
        changes.rules["latency"] += 1
        result = result.with_(latency=shifted(row.latency, before_cycles, cycles))
        origin = own if own is not None and largest(own) == cycles else model
        sources.append(f"{origin.source}(latency)" if origin is not None else "")
    if result is row:
        return row
    return result.with_(source="+".join([*dict.fromkeys(filter(None, sources)), row.source]))


def _changed(model: Row | None, before: Row | None) -> bool:
    """Whether LLVM names other ports on the core than on the relative."""
    return model is not None and before is not None and bool(model.ports) and not _equal(model.ports, before.ports)


def _plausible(own: Row, model: Row | None, plain: Row) -> bool:
    """OSACA's ports of an instruction of several uops are taken only where LLVM's model counts as many.

    No vector register is worked on behind the ports of integers alone (6 and B), as its Sapphire Rapids file has it.
    """
    if (
        re.search(r"\b[xyz]mm", own.form)
        and not crosses(own.form)
        and any(set("6B") & set(n) for _, n in own.ports or ())
    ):
        return False
    count = sum(number for number, _ in own.ports or ())
    before = sum(number for number, _ in plain.ports or ())
    return count == before or (model is not None and sum(number for number, _ in model.ports or ()) == count)


def _voted(
    own: Row | None, model: Row | None, before: Row | None, plain: Row, known: Relatives, register: str
) -> float | None:
    """The core's latency: OSACA's where LLVM or a witness confirms it, else the relative's with LLVM's difference."""
    now = largest(plain)
    if now is None or _slow(register) or crosses(register):
        return now
    listed = largest(own) if own is not None else None
    if listed:
        opinions = [largest(model)] if model is not None else []
        opinions += [largest(witness[register]) for witness in known.witnesses if register in witness]
        return listed if listed in opinions else now
    if model is not None and before is not None:
        new, old = largest(model), largest(before)
        if new is not None and old is not None and new != old and old == now:
            return new
    return now


def _slow(form: str) -> bool:
    return _SLOW.match(form) is not None


def crosses(form: str) -> bool:
    """Whether operands lie in several register files: such latencies hold a move, which nobody separated."""
    kinds = {kind for kind in (r"\b[xyz]mm", r"\bmm\b", r"\br(8|16|32|64)\b", r"\bk\b") if re.search(kind, form)}
    return len(kinds) > 1


def largest(row: Row | None) -> float | None:
    return max((pair.cycles for pair in row.latency or ()), default=None) if row is not None else None


def _equal(first: Usage | None, second: Usage | None) -> bool:
    return sorted(merged(first or ())) == sorted(merged(second or ()))


def _without(usage: Usage, part: Usage) -> Usage | None:
    """A usage less some of its uops; None where they are not all in it."""
    left = {name: count for count, name in usage}
    for count, name in part:
        if left.get(name, 0) < count:
            return None
        left[name] -= count
    return tuple((count, name) for name, count in left.items() if count)


def _with_ports(row: Row, ports: Usage) -> Row:
    """Other ports; where their number changes, slots and decoding follow."""
    count = sum(number for number, _ in ports)
    if row.uops is None or count == row.uops[1] or row.uops[1] == 0:
        return row.with_(ports=ports)
    slots = max(1.0, row.uops[0] + count - row.uops[1])
    decode = decode_of(slots) if slots != row.uops[0] else row.decode
    return row.with_(ports=ports, uops=(slots, count, slots), decode=decode)


def shifted(latency: Iterable[Latency], before: float, now: float) -> tuple[Latency, ...]:
    """Pairs that took the operation's longest way take the new one; those from an address keep their load."""
    result = []
    for pair in latency:
        if pair.source in ("addr", "index", "mem") or pair.destination == "mem":
            cycles = max(1.0, pair.cycles + now - before)
        else:
            cycles = now if pair.cycles == before else min(pair.cycles, now)
        result.append(replace(pair, cycles=cycles))
    return tuple(result)
