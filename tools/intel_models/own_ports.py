"""Ports of rows compared with the throughput that our own campaign measured.

A row whose ports, units and slots imply what was measured keeps them. Else, in this order: what waits for something
else than ports keeps them; ports of forms of its kind; of other origins; a wider group; microcode holds its sequencer.
What is left is held longer or shorter (`rule:occupancy`, corecast.measure.export.model).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from corecast.machine.rows import Row
from corecast.measure.judge.forms.results import FormResult
from own_measurements import kind_of, without_columns

from .avx512 import split
from .llvm_rows import merged
from .osaca_rows import is_wide
from .port_sets import Ports

Usage = tuple[tuple[float, str], ...]
WITHIN = 0.05
"""Relative difference that counts as agreement."""
LOADS_WITHIN = 0.3
"""The same where loads may be the bound: the campaign's come in pairs from one place in a line, of which the core does
fewer than three a cycle."""
CHAIN_SHARE = 0.9
"""Share of the measured time that a chain through fixed registers must take to be its reason."""
MICROCODE_SLOTS = 4
VECTOR_GROUPS = ("p015", "p01", "p15", "p05")
WIDE_GROUPS = ("p05",)
INTEGER_GROUPS = ("p0156B", "p0156", "p056", "p06", "p15")
_FIXED = re.compile(r"([re]?[a-d]x|[a-d][lh]|xmm0|[a-z]{3}|r\d+|st\d*)$")
_MEMORY = re.compile(r"\bv?m(\d+|[xyz]mm)")
_DIVIDER = re.compile(r"v?(div|sqrt)[ps][sdh]\b|i?div ")


@dataclass
class Fitting:
    """What port usages are compared with."""

    ports: Ports
    width: int
    bound: Callable[[Iterable[tuple[float, str]]], float]
    """Cycles that the busiest set of ports needs."""
    origins: Sequence[Mapping[str, Row]]
    """Other rows of the core, by form."""
    kinds: Mapping[tuple[str, bool], Usage] = field(default_factory=dict)
    changes: Counter[str] = field(default_factory=Counter)

    def learn(self, rows: Mapping[str, Row], measured: Mapping[str, FormResult]) -> None:
        """The kinds of all forms without memory whose ports are confirmed: what most of a kind have."""
        found: dict[tuple[str, bool], Counter[Usage]] = {}
        for form, result in measured.items():
            row = rows.get(form)
            if row is None or not row.ports or row.blocking or _MEMORY.search(form) or result.throughput is None:
                continue
            if result.throughput_stable and self.agrees(row, row.ports, result) and self.port_bound(row):
                found.setdefault((kind_of(form), is_wide(form)), Counter())[row.ports] += 1
        self.kinds = {kind: usages.most_common(1)[0][0] for kind, usages in found.items()}

    def port_bound(self, row: Row) -> bool:
        """Whether its ports are what takes its time."""
        return self.bound(row.ports or ()) >= (1 - WITHIN) * self.implied(row, row.ports or ())

    def implied(self, row: Row, usage: Usage) -> float:
        """Cycles that the row takes with these ports."""
        slots = row.uops[0] / self.width if row.uops is not None else 0.0
        return max(self.bound(usage), slots, *(cycles for _, cycles in row.blocking), 0.0)

    def agrees(self, row: Row, usage: Usage, result: FormResult) -> bool:
        """Whether these ports imply what was measured."""
        assert result.throughput is not None
        low = result.throughput.low if result.throughput_stable else 0.0
        loads = any(name in (self.ports.load, "p23") for _, name in usage) and result.throughput.high < 1
        implied = self.implied(row, usage)
        return low / (1 + (LOADS_WITHIN if loads else WITHIN)) <= implied <= result.throughput.high * (1 + WITHIN)

    def fitted(self, row: Row, result: FormResult) -> tuple[Row, FormResult]:
        """The row with ports that imply what was measured, and the measurement: a limit where ports do not give it."""
        if result.throughput is None or row.ports is None or "eliminated" in row.flags or "zero_idiom" in row.flags:
            return row, result
        limit = replace(result, throughput_stable=False)
        if self.agrees(row, row.ports, result):
            self.changes["ports confirmed"] += 1
            return row, limit
        slower = self.implied(row, row.ports) < result.throughput.low
        if slower and waits_for_itself(row, result):
            self.changes["chains through fixed registers"] += 1
            return row, limit
        for rule, usage in () if row.blocking else self.candidates(row):
            if self.agrees(row, usage, result):
                return self.changed(row, usage, rule), limit
        if slower and (unit := held_unit(row)):
            self.changes[f"rule:{unit}"] += 1
            source = "+".join((f"rule:{unit}", row.source))
            return row.with_(blocking=((unit, round(result.throughput.low, 2)),), source=source), limit
        self.changes["rule:occupancy, or within 10 %"] += 1
        return row, result

    def of_its_kind(self, row: Row) -> Row:
        """A row that nobody measured, with the ports that its kind was found to have."""
        for rule, usage in self.candidates(row, ("ports of its kind",)):
            if usage != row.ports and not row.blocking:
                return self.changed(row, usage, rule)
        return row

    def changed(self, row: Row, usage: Usage, rule: str) -> Row:
        """The row with other ports."""
        self.changes[f"rule:{rule}"] += 1
        source = "+".join((f"rule:{rule}(ports)", *without_columns(row.source, {"ports"})))
        unfused = sum(count for count, _ in usage)
        uops = row.uops and (row.uops[0], max(unfused, row.uops[1]), row.uops[2])
        return row.with_(ports=usage, uops=uops, source=source)

    def candidates(self, row: Row, rules: Sequence[str] = ()) -> Iterator[tuple[str, Usage]]:
        """Other ports for a row's computation, with the rule that names them; its accesses stay."""
        plain = row.form.partition(" @")[0]
        compute = self.compute(row.ports or ())
        memory = tuple(use for use in row.ports or () if use not in compute)
        count = sum(number for number, _ in compute)
        named = [("ports of its kind", self.kinds.get((kind_of(plain), is_wide(plain))))]
        named += [("other origin", rows[plain].ports) for rows in self.origins if plain in rows]
        for rule, usage in named:
            other = self.compute(usage or ())
            if other and sum(number for number, _ in other) == count and (not rules or rule in rules):
                yield rule, merged((*other, *memory))
        if len(compute) <= 1 and not rules:
            for group in self.wider(plain, compute):
                yield "width", merged(((max(count, 1.0), group), *memory))

    def compute(self, usage: Usage) -> Usage:
        """Without loads, store addresses and store data."""
        accesses = {self.ports.load, "p23", self.ports.store_address, self.ports.store_data}
        return tuple(use for use in usage if use[1] not in accesses)

    def wider(self, form: str, compute: Usage) -> Iterator[str]:
        """Groups of the same kind of ports that hold the row's group, the widest first."""
        vectors = re.search(r"\b[xyz]?mm", form) is not None
        if not compute and not vectors:
            return
        inside = set(self.ports.members(compute[0][1])) if compute else set()
        for group in WIDE_GROUPS if is_wide(form) else VECTOR_GROUPS if vectors else INTEGER_GROUPS:
            if inside < set(self.ports.members(group)):
                yield group


def waits_for_itself(row: Row, result: FormResult) -> bool:
    """Whether instances wait for each other through registers that the form does not let one choose, or the flags."""
    assert result.throughput is not None
    _, operands = split(row.form.partition(" @")[0])

    def fixed(place: str) -> bool:
        if place.isdigit():
            return int(place) <= len(operands) and _FIXED.match(operands[int(place) - 1]) is not None
        return place not in ("addr", "index", "mem", "mask", "*")

    own = [(pair.source, pair.target, pair.cycles.high) for pair in result.latencies]
    known = [(pair.source, pair.destination, pair.cycles) for pair in row.latency or ()]
    chains = [cycles for source, target, cycles in (*own, *known) if fixed(source) and fixed(target)]
    return max(chains, default=0.0) >= CHAIN_SHARE * result.throughput.low


def held_unit(row: Row) -> str:
    """The unit that explains a time longer than the ports': "" where there is none."""
    if row.blocking:
        return ""
    if _DIVIDER.match(row.form):
        return "DIV"
    return "SERIAL" if row.uops is not None and row.uops[0] > MICROCODE_SLOTS else ""
