"""Rows of the A64FX from the manual's instruction list.

Beside the eight pipes the rows book

- `LS0`, `LS1`: the two accesses of the first-level cache in a cycle. A load takes one of them. A store takes both in
  the cycle in which it is written (that cycle admits no load); its tag check is taken to share such a cycle with an
  earlier store, as most contiguous stores may.
- `EXA` beside `PR`: the two share an issue port.
- `FLE`, `EXE`: what makes instructions of blocking type E exclude each other on FLA and EXB.

Dispatch slots: sequential decode hands on one micro-op a cycle in a separate group, which takes all four slots; a
gather or scatter is decoded alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast import _core
from corecast.convert.importers.a64fx_forms import Form
from corecast.convert.importers.a64fx_manual import Entry, Flow
from corecast.machine.rows import Confidence, Latency, Row, endpoint_name

SOURCE = "a64fx_manual_1.8.1:t16"
DISPATCH_WIDTH = 4
SHORTEST_LOAD_CYCLES = 5
ACCESSES = {"EAGA&EAGB": ("LS0", "LS1"), "EAGA": ("LS0",), "EAGB": ("LS1",)}
EXCLUSIVE = {"FLA": "FLE", "EXB": "EXE"}
MEMORY, ADDRESS, INDEX, FLAGS = 64, 65, 66, 67

# Operands that only the last micro-op reads: accumulators, the vector beside an indexed lane, halves that are kept.
# (pattern of the form, operands)
READ_LAST: tuple[tuple[str, tuple[int, ...]], ...] = (
    (r"(madd|msub|[su]m(add|sub)l) ", (4,)),
    (r"(fml[as]|ml[as]|[su]dot) .*\[i\]$", (1, 2)),
    (r"(fmulx?|mul) .*\[i\]$", (2,)),
    (r"fcmla ", (1,)),
    (r"fcadd v", (2,)),
    (r"fcadd z", (1,)),
    (r"[su]aba(l2?)? ", (1,)),
    (r"[su]r?sra ", (1,)),
    (r"[su]adalp ", (1,)),
    (r"[su](add|sub)w2? ", (2,)),
    (r"[su]ml[as]l2? ", (1,)),
    (r"(r?(add|sub)hn2|r?shrn2|sqr?shru?n2|uqr?shrn2|fcvtx?n2) ", (1,)),
    (r"(inc|dec)p x", (1,)),
)
READ_AT = ((r"bf(i|xil|c|m) ", 1, 2),)
"""(pattern, operand, micro-op counted from 0): the field's destination is masked by the third micro-op."""


def row_from_entry(form: Form, entry: Entry, instruction: _core.Instruction) -> Row:
    """The row of a form that has an entry in the list."""
    ports, blocking = _usage(form, entry, instruction)
    slots = DISPATCH_WIDTH * entry.count if entry.sequential else entry.count
    if any(flow.pipes == "EAGA&EAGB" for micro_op in entry.micro_ops for flow in micro_op.flows):
        slots = DISPATCH_WIDTH
    return Row(
        form=form.key,
        ports=tuple((count, port) for port, count in ports.items()),
        blocking=tuple(blocking.items()),
        latency=latencies(form, entry, instruction),
        uops=(slots, entry.count, slots),
        flags=("serializing",) if entry.synchronizing else (),
        source=SOURCE,
        confidence="documented",
    )


def _usage(form: Form, entry: Entry, instruction: _core.Instruction) -> tuple[dict[str, float], dict[str, float]]:
    loads = any(access.read for access in instruction.memory) or form.mnemonic.startswith("prf")
    stores = any(access.write for access in instruction.memory)
    ports: dict[str, float] = {}
    blocking: dict[str, float] = {}

    def add(port: str, count: float, where: dict[str, float] = ports) -> None:
        where[port] = where.get(port, 0.0) + count

    written = 0.0
    for micro_op in entry.micro_ops:
        for flow in (*micro_op.flows, *micro_op.beside):
            if flow.pipes == "":
                continue
            busy = flow.cycles if entry.blocking == "P" and flow.cycles is not None else flow.passes
            for port in flow.pipes.split("&"):
                add(port, busy)
            if flow.pipes == "PR":
                add("EXA", flow.passes, blocking)
            if flow.pipes.startswith("EAG"):
                if loads and _is_access(flow):
                    for unit in ACCESSES.get(flow.pipes, ("LS",)):
                        add(unit, flow.passes)
                elif stores and flow.cycles is None:
                    written += flow.passes
        if entry.blocking == "E" and (exclusive := EXCLUSIVE.get(micro_op.flows[0].pipes)):
            add(exclusive, micro_op.latency_cycles(), blocking)
    if stores:
        for unit in ("LS0", "LS1"):
            add(unit, max(written, 1.0))
    return ports, blocking


def _is_access(flow: Flow) -> bool:
    return flow.cycles is None or flow.cycles >= SHORTEST_LOAD_CYCLES


def latencies(form: Form, entry: Entry, instruction: _core.Instruction) -> tuple[Latency, ...]:
    """Latency per operand pair: the path through the micro-ops from the one that reads the source."""
    single = form.mnemonic in ("ld1", "ld2", "ld3", "ld4") and "[i]" in form.key.split("[x")[0]
    finish = entry.finish_cycles()
    whole = max((cycles for cycles in finish if cycles is not None), default=0.0)
    if single:  # one lane is loaded, then inserted: the list shows no link between the two
        whole = sum(micro_op.latency_cycles() for micro_op in entry.micro_ops[:2])
    if any(access.read and access.write for access in instruction.memory):  # what was in memory, not what goes there
        loaded = [
            cycles
            for cycles, micro_op in zip(finish, entry.micro_ops, strict=True)
            if cycles is not None and any(flow.pipes.startswith("EAG") and _is_access(flow) for flow in micro_op.flows)
        ]
        whole = max(loaded, default=whole)
    result: list[Latency] = []
    for operand in instruction.operands:
        if not operand.write or operand.id == MEMORY:
            continue
        destination = endpoint_name("aarch64", operand.id)
        if operand.id == ADDRESS:
            result.append(Latency("addr", "addr", 1.0))
            continue
        if whole == 0.0:
            continue
        result.append(Latency("*", destination, whole))
        result.extend(_exceptions(form, entry, instruction, destination, whole))
        if single and operand.id < MEMORY:
            result.append(Latency(destination, destination, entry.micro_ops[1].latency_cycles()))
    return tuple(result)


def _exceptions(
    form: Form, entry: Entry, instruction: _core.Instruction, destination: str, whole: float
) -> list[Latency]:
    """Sources that are read later than the others."""
    read = {operand.id for operand in instruction.operands if operand.read}
    found: list[Latency] = []
    first = entry.micro_ops[0]
    if "z." in form.memory and first.flows[0].pipes == "EXA" and ADDRESS in read:
        # The scalar base travels to the vector side first; vector offsets and the predicate are there already.
        later = max(0.0, whole - first.latency_cycles(0, 2))
        return [Latency("index", destination, later)] + [Latency("2", destination, later)] * (2 in read)
    readers: dict[int, int] = {}
    if len(entry.micro_ops) > 1:
        for pattern, operands in READ_LAST:
            if re.match(pattern, form.key):
                readers |= {operand: len(entry.micro_ops) - 1 for operand in operands}
        readers |= {operand: place for pattern, operand, place in READ_AT if re.match(pattern, form.key)}
    for operand, reader in readers.items():
        last = entry.finish_cycles(reader)[-1]
        if operand in read and last is not None and last != whole:
            found.append(Latency(str(operand), destination, last))
    return found


def store_row(form: Form, registers: int, data_pipe: str, write_back: bool, source: str) -> Row:
    """A store that the transcription lacks, built like the list's others: a micro-op a register, one for the base."""
    count = registers + write_back
    ports: list[tuple[float, str]] = [(registers, pipe) for pipe in ("EAG", data_pipe, "LS0", "LS1")]
    if write_back:
        ports.append((1.0, "ALU"))
    return Row(
        form=form.key,
        ports=tuple(ports),
        latency=(Latency("addr", "addr", 1.0),) if write_back else (),
        uops=(count, count, count),
        source=source,
        confidence="derived",
    )


def with_accesses(row: Row, instruction: _core.Instruction, source: str, confidence: Confidence) -> Row:
    """A row of another origin with the cache accesses booked that only this model has."""
    counts: Mapping[str, float] = {port: count for count, port in row.ports or ()}
    accesses = max(1.0, counts.get("EAG", 0.0), counts.get("EAGA", 0.0))
    ports = list(row.ports or ())
    if any(access.write for access in instruction.memory):
        ports += [(accesses, "LS0"), (accesses, "LS1")]
    elif any(access.read for access in instruction.memory):
        ports.append((accesses, "LS"))
    return row.with_(ports=tuple(ports), source=source, confidence=confidence)
