"""Rows under InstLatx64's figures of their core: latencies that nobody measured better, and ports that imply its rates.

What a figure says is guarded first (`guards`). A throughput that a row's ports imply confirms them. Else, for a row
whose ports nobody measured on the core, in this order: the ports that forms of its kind were found to have; those of
another origin; the largest part of its own ports that implies the figure; the same ports, held longer. Ports that
somebody measured are at most narrowed, and the figure is stated beside them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from corecast.machine import Machine
from corecast.machine.rows import Confidence, Latency, Row, rounded
from corecast.measure.export.model import members, port_bound
from intel_models.family import crosses, largest, register_sibling, shifted
from own_measurements import without_columns

from .agreement import LEAST_THROUGHPUT_CYCLES, WITHIN, close, implied_throughput
from .guards import (
    chain_cycles,
    executed,
    is_divider,
    is_memory,
    limited_by_registers,
    merges,
    refined_latency,
    whole_latency,
    without_choice,
)
from .read import SAME, Measured

Usage = tuple[tuple[float, str], ...]
DIVIDER = "DIV"
FEWEST_OF_CLASS, SHARE_OF_CLASS = 8, 0.8
"""So many instructions with the same ports and latencies, of which such a share agrees, refute a single one."""
_MASK = re.compile(r"\{k\}(\{z\})?")
LEAST_HELD = 1.8
"""What takes less than so many times its ports' cycles is stated beside them: schedulers do not spread perfectly, and
single figures are off by as much."""


@dataclass(frozen=True)
class Target:
    """The core that is fitted."""

    origin: str
    """Name of the measured core in sources: "instlatx64:skymont"."""
    machine: Machine
    """Its pipeline; of its rows nothing is used."""
    parts: Callable[[str, str], Sequence[str]]
    """Parts of a group of ports that a form may be limited to, the group itself first."""
    accesses: frozenset[str]
    """Groups that loads and stores take."""
    stores: frozenset[str]
    """Those of them that store data."""
    sequencer: str
    """The unit that microcode holds."""
    measured_ports: Callable[[Row], bool]
    """Whether somebody measured a row's ports on this core."""
    measured_latency: Callable[[Row], bool]
    skipped: Callable[[Row, float], bool] = lambda row, cycles: False
    """Throughputs that say something of another core, by row and measured cycles."""


@dataclass
class Fitted:
    """What became of the figures."""

    rows: dict[str, Row] = field(default_factory=dict)
    """Changed rows by form."""
    changes: Counter[str] = field(default_factory=Counter)


def fit(
    target: Target, rows: Mapping[str, Row], figures: Mapping[str, Measured], others: Sequence[Mapping[str, Row]] = ()
) -> Fitted:
    """Rows that the figures change or confirm.

    Args:
        rows: the best of each form.
        figures: InstLatx64's of the core.
        others: rows of other origins, whose ports may fit better.
    """
    return _Fitting(target, rows, figures, others).run()


def placed(tables: Mapping[str, Mapping[str, Row]], files: Sequence[str], found: Fitted) -> dict[str, dict[str, Row]]:
    """The tables with changed rows, each in the first of the files that has the form, or the form without variant."""
    result = {file: dict(table) for file, table in tables.items()}
    for form, row in found.rows.items():
        plain = form.partition(" @")[0]
        holder = next((file for file in files if form in tables[file]), None)
        result[holder or next(file for file in files if plain in tables[file])][form] = row
    return result


def kind_of(form: str) -> str:
    """A form's key without masks, the letter of VEX and EVEX, the widths of vectors, and registers for memory."""
    mnemonic, _, operands = form.partition(" @")[0].partition(" ")
    plain = re.sub(r"\{[^}]*\}", "", operands)
    if "mm" in plain:
        plain = re.sub(r"\b[xyz]mm\b|\bm\d+(bcst)?", "v", plain)
        mnemonic = mnemonic.removeprefix("v")
    registers = re.sub(r"\bm(8|16|32|64)\b", r"r\1", plain)
    return f"{mnemonic} {registers}{' wide' if 'zmm' in operands else ''}"


class _Fitting:
    def __init__(
        self,
        target: Target,
        rows: Mapping[str, Row],
        figures: Mapping[str, Measured],
        others: Sequence[Mapping[str, Row]],
    ) -> None:
        self.target, self.rows, self.figures, self.others = target, rows, figures, others
        self.kinds: dict[str, Counter[Usage]] = {}
        self.locked: list[float] = []
        self.classes: dict[tuple[object, ...], list[bool]] = {}
        self.shifts: dict[str, tuple[float, float]] = {}
        self.result = Fitted()

    def run(self) -> Fitted:
        for memory in (False, True):  # what registers take determines what the same in memory takes
            for row, figure in self.measured():
                if is_memory(row.form) == memory:
                    made = self.of_throughput(self.of_run(row, figure), figure)
                    self.keep(row, self.of_latency(made, figure, row))
        for form, row in self.rows.items():
            if form not in self.result.rows:
                self.keep(row, self.of_locked(self.of_kind(self.of_register_form(row))))
        return self.result

    def measured(self) -> Iterator[tuple[Row, Measured]]:
        """Rows with their figures; of one register for all operands where nothing else was measured, and no row but
        the plain one is there."""
        for form, figure in self.figures.items():
            plain = form.removesuffix(SAME)
            key = form if form in self.rows else plain
            if key in self.rows and (key == form or plain not in self.figures):
                yield self.rows[key], figure
            elif executed(figure) and plain in self.rows and "eliminated" in self.rows[plain].flags:
                yield self.moved_to_itself(plain), figure

    def moved_to_itself(self, plain: str) -> Row:
        """A move of a register to itself is executed where the figure says so; that of two registers is eliminated."""
        row = self.rows[plain]
        flags = tuple(flag for flag in row.flags if flag != "eliminated")
        uops = row.uops and (row.uops[0], 1.0, row.uops[2])
        return row.with_(form=plain + SAME, flags=flags, latency=(Latency("2", "1", 1.0),), uops=uops)

    def keep(self, before: Row, row: Row) -> None:
        if row != self.rows.get(row.form):
            self.result.rows[row.form] = row

    # --- throughput ------------------------------------------------------------------------------------------------

    def of_run(self, row: Row, figure: Measured) -> Row:
        """The row without chains through fixed registers or flags that take longer than a run of the instruction."""
        cycles = figure.reciprocal_throughput_cycles
        refuted = cycles is not None and chain_cycles(row) > (1 + WITHIN) * cycles
        if cycles is None or not refuted or self.target.measured_latency(row):
            return row
        least = max(1.0, float(round(cycles)))
        pairs = tuple(
            replace(pair, cycles=min(pair.cycles, least)) if pair.source == pair.destination else pair
            for pair in row.latency or ()
        )
        if pairs == row.latency:
            return row
        self.result.changes["chains refuted"] += 1
        return self.sourced(row.with_(latency=pairs), "latency")

    def of_throughput(self, row: Row, figure: Measured) -> Row:
        """The row with ports that imply the figure, or the figure stated."""
        cycles = figure.reciprocal_throughput_cycles
        if cycles is None or row.ports is None or self.idle(row):
            return row
        now = implied_throughput(self.target.machine, row)
        if cycles / max(now, 1e-9) <= 1 + WITHIN and (close(now, cycles) or cycles <= LEAST_THROUGHPUT_CYCLES):
            return self.confirmed(row)
        if self.target.skipped(row, cycles):
            return self.count(row, "of a core with other units")
        slower = cycles > now
        if slower and chain_cycles(row) >= (1 - WITHIN) * cycles:
            return self.stated(row, cycles, "chain through fixed registers")
        if slower and limited_by_registers(row, figure):
            return self.stated(row, cycles, "chain through the destination or the flags")
        if {unit for unit, _ in row.blocking} == {self.target.sequencer} and not self.target.measured_ports(row):
            return self.sequenced(row, cycles)
        if row.blocking:
            return self.count(row, "units depend on operands")
        return self.refitted(row, cycles, slower)

    def idle(self, row: Row) -> bool:
        """What renaming does alone."""
        return "zero_idiom" in row.flags or "eliminated" in row.flags

    def refitted(self, row: Row, cycles: float, slower: bool) -> Row:
        """The row with ports that imply the figure, else the figure beside its ports."""
        measured = self.target.measured_ports(row)
        why = "stated beside ports" if slower else "faster than ports"
        if without_choice(row) or self.stores(row):
            return self.stated(row, cycles, why)
        if slower and is_divider(row.form):
            return self.divided(row, cycles)
        if slower and not measured and "microcoded" in row.flags:
            return self.sequenced(row, cycles)
        fitting = [
            (rule, usage)
            for rule, usage in self.candidates(row, cycles)
            if close(implied_throughput(self.target.machine, row.with_(ports=usage)), cycles)
        ]
        if measured:
            narrowed = (self.single(row) or crosses(row.form)) and not re.search(r"\bmm\b", row.form)
            fitting = [(rule, usage) for rule, usage in fitting if narrowed and rule == "fewer ports"]
        if fitting:
            rule, usage = fitting[0]
            return self.changed(row, usage, rule)
        least = LEAST_HELD * implied_throughput(self.target.machine, row)
        if measured and slower and self.stands_alone(row):
            return self.count(row, "slower than all of its class, not confirmed")
        if measured or cycles < least or not self.one_operation(row):
            return self.stated(row, cycles, why)
        return self.held(row, cycles)

    def sequenced(self, row: Row, cycles: float) -> Row:
        """Microcode that takes the sequencer as long as measured, or as its ports need."""
        needed = port_bound(self.target.machine, row.ports or ())
        if needed > (1 + WITHIN) * cycles:
            return self.stated(row, cycles, "faster than ports")
        unit = self.target.sequencer
        return self.changed(row, row.ports or (), unit, ((unit, rounded(cycles)),))

    def stands_alone(self, row: Row) -> bool:
        """Whether nearly all instructions with the same ports and latencies take what their ports imply: something else
        held this one up (one addition of many at 0.76 cycles on Redwood Cove)."""
        if not self.classes:
            for each, figure in self.measured():
                cycles = figure.reciprocal_throughput_cycles
                if cycles is not None and each.ports:
                    implied = implied_throughput(self.target.machine, each)
                    self.classes.setdefault(_class_of(each), []).append(close(implied, cycles))
        found = self.classes.get(_class_of(row), [])
        return len(found) >= FEWEST_OF_CLASS and sum(found) >= SHARE_OF_CLASS * len(found)

    def divided(self, row: Row, cycles: float) -> Row:
        """A division at the divider's port, which it holds as long as measured."""
        port = {self.target.machine.pipeline["units"][DIVIDER].get("port", "")}
        usage = []
        for count, group in row.ports or ():
            parts = self.target.parts(row.form, group)
            alone = [part for part in parts if members(self.target.machine, part) == port]
            usage.append((count, alone[0] if len(parts) > 1 and alone else group))
        return self.changed(row, tuple(usage), "divider", ((DIVIDER, rounded(cycles)),))

    def held(self, row: Row, cycles: float) -> Row:
        """The smallest part of the row's ports that is fast enough, held as long as measured."""
        ((count, group),) = self.compute(row.ports or ())
        memory = self.memory(row.ports or ())
        parts = self.target.parts(row.form, group)
        enough = [part for part in parts if port_bound(self.target.machine, ((count, part),)) <= cycles * (1 + WITHIN)]
        part = enough[-1] if enough else group
        factor = cycles / port_bound(self.target.machine, ((count, part),))
        usage = ((round(count * factor, 2), part), *memory)
        return self.changed(row, usage, "occupancy")

    def candidates(self, row: Row, cycles: float) -> Iterator[tuple[str, Usage]]:
        compute, memory = self.compute(row.ports or ()), self.memory(row.ports or ())
        count = sum(number for number, _ in compute)
        known = self.kinds.get(kind_of(row.form))
        if known:
            (usage, _) = known.most_common(1)[0]
            if sum(number for number, _ in usage) == count:
                yield "ports of its kind", (*usage, *memory)
        plain = row.form.partition(" @")[0]
        for rows in self.others:
            usage = self.compute(rows[plain].ports or ()) if plain in rows else ()
            if usage:
                yield "other origin", (*usage, *memory)
        if row.form.endswith(SAME) and compute and not memory:
            yield "done by renaming", ()
        for place, (number, group) in enumerate(compute):
            for part in self.target.parts(row.form, group)[1:]:
                yield "fewer ports", (*compute[:place], (number, part), *compute[place + 1 :], *memory)
        factor = cycles / implied_throughput(self.target.machine, row)
        if factor < 1:
            yield "fewer cycles", (*((max(1.0, rounded(number * factor)), group) for number, group in compute), *memory)
        if len(compute) == 1 or not compute:
            group = compute[0][1] if compute else ""
            for part in self.target.parts(row.form, ""):
                if part != group and (compute or not memory):
                    yield "other ports", ((max(count, 1.0), part), *memory)

    def single(self, row: Row) -> bool:
        """Whether only one group of ports computes, and nothing else may be what takes the time."""
        return len(self.compute(row.ports or ())) == 1 and not is_memory(row.form)

    def one_operation(self, row: Row) -> bool:
        """Whether it is one micro-op, which may hold its ports longer."""
        if not self.single(row) or merges(row.form):
            return False
        ((count, group),) = self.compute(row.ports or ())
        roles = len(self.target.parts(row.form, group)) == 1
        return count == 1 and not (roles and crosses(row.form))

    def stores(self, row: Row) -> bool:
        """Whether it writes to memory: to the same address again and again, as it was measured."""
        return any(group in self.target.stores for _, group in row.ports or ())

    def compute(self, usage: Usage) -> Usage:
        return tuple(use for use in usage if use[1] not in self.target.accesses)

    def memory(self, usage: Usage) -> Usage:
        return tuple(use for use in usage if use[1] in self.target.accesses)

    # --- latency ---------------------------------------------------------------------------------------------------

    def of_latency(self, row: Row, figure: Measured, before: Row) -> Row:
        """The row with the figure's latency, where nobody measured it on the core; memory forms follow later.

        Args:
            before: the row as other origins have it.
        """
        measured = self.target.measured_latency(before)
        cycles = refined_latency(row, figure) if measured else None
        if cycles is not None and row.latency:
            self.result.changes["latency of a chain"] += 1
            pairs = tuple(Latency(pair.source, pair.destination, cycles) for pair in row.latency)
            return self.sourced(row.with_(latency=pairs), "latency")
        cycles = whole_latency(figure)
        now = largest(row)
        if cycles is None or now is None or not row.latency or is_memory(row.form) or self.idle(row):
            return row
        if any(close(pair.cycles, cycles) for pair in row.latency if pair.destination == "1"):
            return row if measured else self.sourced(row, "latency")
        if measured:
            return self.count(row, "latency contradicts a better source")
        if crosses(_MASK.sub("", row.form)) or is_divider(row.form) or row.form.endswith(SAME):
            return self.count(row, "latency of several files, or of operands")
        self.shifts[row.form] = (now, cycles)
        self.result.changes["latency"] += 1
        return self.sourced(row.with_(latency=shifted(row.latency, now, cycles)), "latency")

    def of_register_form(self, row: Row) -> Row:
        """A form in memory, or another register form of it, whose computation takes as long as measured."""
        plain = row.form.partition(" @")[0]
        sibling = register_sibling(plain, self.rows) if is_memory(plain) else _MASK.sub("", plain)
        if sibling == row.form or sibling not in self.shifts or not row.latency or self.target.measured_latency(row):
            return row
        before, now = self.shifts[sibling]
        self.result.changes["latency of its register form"] += 1
        made = row.with_(latency=tuple(self.later(pair, before, now) for pair in row.latency))
        return self.sourced(made, "latency", "derived")

    def later(self, pair: Latency, before: float, now: float) -> Latency:
        (made,) = shifted((pair,), before, now)
        return made

    # --- kinds -----------------------------------------------------------------------------------------------------

    def of_kind(self, row: Row) -> Row:
        """A row that was not measured, on the ports that all measured forms of its kind have."""
        known = self.kinds.get(kind_of(row.form))
        compute = self.compute(row.ports or ())
        if not known or len(known) > 1 or len(compute) != 1 or row.blocking or self.target.measured_ports(row):
            return row
        if row.reciprocal_throughput_cycles is not None or self.idle(row) or "locked" in row.flags:
            return row
        ((usage, _),) = known.items()
        if len(usage) != 1 or usage[0][1] not in self.target.parts(row.form, compute[0][1]):
            return row
        count, group = usage[0]
        ports = ((max(compute[0][0], count), group), *self.memory(row.ports or ()))
        if ports == row.ports:
            return row
        self.result.changes["rule:ports of its kind, not measured"] += 1
        source = "+".join(("rule:ports of its kind(ports)", *without_columns(row.source, {"ports"})))
        return row.with_(ports=ports, source=source, confidence="derived")

    def of_locked(self, row: Row) -> Row:
        """A locked instruction that was not measured takes as long as most that were: they wait for the same thing."""
        known = row.reciprocal_throughput_cycles
        if "locked" not in row.flags or not self.locked or known is None or self.target.measured_latency(row):
            return row
        cycles = rounded(median(self.locked))
        if close(known, cycles) or "16b" in row.form:
            return row
        self.result.changes["rule:locked, not measured"] += 1
        source = "+".join(("rule:locked(throughput)", row.source))
        return row.with_(reciprocal_throughput_cycles=cycles, source=source, confidence="derived")

    # --- rows ------------------------------------------------------------------------------------------------------

    def confirmed(self, row: Row) -> Row:
        self.learn(row)
        self.result.changes["ports confirmed"] += 1
        return self.sourced(row, "throughput") if not self.target.measured_ports(row) else row

    def changed(self, row: Row, usage: Usage, rule: str, blocking: tuple[tuple[str, float], ...] = ()) -> Row:
        """The row with other ports, which the rule names."""
        self.result.changes[f"rule:{rule}"] += 1
        made = row.with_(ports=_merged(usage), blocking=blocking or row.blocking)
        self.learn(made)
        sources = (f"{self.target.origin}(throughput)", f"rule:{rule}(ports)")
        source = "+".join((*sources, *without_columns(row.source, {"ports"})))
        return made.with_(source=source, confidence="derived" if rule == "occupancy" else "measured")

    def stated(self, row: Row, cycles: float, why: str) -> Row:
        if row.reciprocal_throughput_cycles is not None and self.target.measured_latency(row):
            return self.count(row, "throughput of a better source")
        if "locked" in row.flags:
            self.locked.append(cycles)
        self.result.changes[why] += 1
        made = row.with_(reciprocal_throughput_cycles=rounded(cycles))
        return self.sourced(made, "throughput", row.confidence)

    def count(self, row: Row, why: str) -> Row:
        self.result.changes[why] += 1
        return row

    def sourced(self, row: Row, column: str, confidence: Confidence | None = None) -> Row:
        """The row with its column's source."""
        own = self.target.origin
        superseded = {"latency"} if column == "latency" else set()
        rest = without_columns(row.source, superseded)
        mine = [part for part in rest if part.startswith(own)]
        columns = sorted({column, *(name for part in mine for name in part[len(own) + 1 : -1].split(","))})
        others = [part for part in rest if not part.startswith(own)]
        source = "+".join((f"{own}({','.join(columns)})", *others))
        if confidence is None:
            confirmed = "throughput" in columns and row.reciprocal_throughput_cycles is None
            confidence = "measured" if confirmed and "rule:occupancy" not in source else row.confidence
        return row.with_(source=source, confidence=confidence)

    def learn(self, row: Row) -> None:
        """What ports this form has, its kind may have."""
        compute = self.compute(row.ports or ())
        if compute and not row.blocking and not is_memory(row.form) and not row.form.endswith(SAME):
            self.kinds.setdefault(kind_of(row.form), Counter())[compute] += 1


def _class_of(row: Row) -> tuple[object, ...]:
    return row.ports, row.uops, frozenset(pair.cycles for pair in row.latency or ()), "ymm" in row.form


def _merged(usage: Usage) -> Usage:
    counts: dict[str, float] = {}
    for count, group in usage:
        counts[group] = counts.get(group, 0.0) + count
    return tuple((count, group) for group, count in counts.items())
