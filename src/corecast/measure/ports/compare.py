"""Port measurements held against a model's own rows: how many agree, and what those have in common that do not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from corecast.errors import InputError
from corecast.measure.ports.blocking import Blocking
from corecast.measure.ports.meter import PortMeasurement
from corecast.measure.ports.siblings import row_usage
from corecast.measure.ports.templates import template
from corecast.measure.ports.usage import PortSet, alike, port_bound

if TYPE_CHECKING:
    from corecast.machine import Machine

Verdict = Literal["same", "equivalent", "alternative", "differs", "none"]
MOST_UOPS = 2


@dataclass(frozen=True)
class Comparison:
    form: str
    verdict: Verdict
    """The same usage; one that no blocking instruction tells from it; one of several that explain the conflicts;
    another; or none was found."""
    expected: dict[PortSet, float]
    source: str
    """Of the row."""
    measured: PortMeasurement


def sample(machine: Machine, count: int, seed: int) -> Iterator[str]:
    """Forms of one or two uops that the model knows and that can be measured, drawn at random."""
    keys = [key for key in list(machine.keys()) if _is_small(machine, key)]
    random.Random(seed).shuffle(keys)
    taken = 0
    for key in keys:
        try:
            template(key, machine.isa)
        except InputError:
            continue
        yield key
        taken += 1
        if taken == count:
            return


def _is_small(machine: Machine, key: str) -> bool:
    row: dict[str, Any] | None = machine.core.find(key)
    if row is None or not row["ports"] or any(cycles != round(cycles) for cycles, _ in row["ports"]):
        return False
    slots = row["uops"][0] if row["uops"] else None
    return 1 <= sum(cycles for cycles, _ in row["ports"]) <= MOST_UOPS and (slots or 1) <= MOST_UOPS


def compare(measured: PortMeasurement, machine: Machine, blocking: Blocking) -> Comparison:
    row: dict[str, Any] | None = machine.core.find(measured.form)
    assert row is not None
    expected = row_usage(row)
    return Comparison(measured.form, _verdict(measured, expected, blocking), expected, row["source"], measured)


def _verdict(measured: PortMeasurement, expected: dict[PortSet, float], blocking: Blocking) -> Verdict:
    if measured.usage is None:
        return "none"
    if measured.usage == expected:
        return "same"
    if alike(measured.usage, expected, [ports for ports in blocking.blockers if not blocking.hidden(ports)]):
        cycles = max(port_bound(measured.usage), measured.blocking_cycles or 0.0)
        depends = measured.profile is not None and measured.profile.template.depends
        if depends or cycles >= 0.95 * port_bound(expected):
            return "equivalent"
    return "alternative" if expected in measured.alternatives else "differs"


def summary(comparisons: list[Comparison], blocking: Blocking) -> str:
    """Counts of verdicts, and of what was expected and found instead."""
    verdicts = Counter(each.verdict for each in comparisons)
    lines = [f"{count} of {len(comparisons)} {verdict}" for verdict, count in verdicts.most_common()]
    classes: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for each in comparisons:
        if each.verdict not in ("same", "equivalent"):
            found = blocking.text(each.measured.usage) if each.measured.usage is not None else each.measured.error
            pair = blocking.text(each.expected), found
            classes[pair] += 1
            examples.setdefault(pair, each.form)
    lines += [
        f"{count:4}  {expected} expected, {found}: {examples[expected, found]}"
        for (expected, found), count in classes.most_common()
    ]
    return "\n".join(lines) + "\n"
