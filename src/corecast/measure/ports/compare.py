"""Port measurements held against a model's own rows: how many agree, and what those have in common that do not."""

from __future__ import annotations

import random
import re
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

Verdict = Literal["same", "equivalent", "alternative", "refuted", "differs", "none"]
MOST_UOPS = 2


@dataclass(frozen=True)
class Comparison:
    form: str
    verdict: Verdict
    """The same usage; one that no blocking instruction tells from it; one of several that explain the conflicts;
    another, as the row's would have made some mixture slower than it was; another; or none was found."""
    expected: dict[PortSet, float]
    source: str
    """Of the row."""
    measured: PortMeasurement


def sample(machine: Machine, count: int, seed: int, source: str = "") -> Iterator[str]:
    """Forms of one or two uops that the model knows and that can be measured, drawn at random.

    Args:
        source: regular expression that their rows' sources must match.
    """
    wanted = re.compile(source)
    keys = [key for key in list(machine.keys()) if _is_small(machine, key, wanted)]
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


def _is_small(machine: Machine, key: str, wanted: re.Pattern[str]) -> bool:
    row: dict[str, Any] | None = machine.core.find(key)
    if row is None or not wanted.search(row["source"]):
        return False
    if not row["ports"] or any(cycles != round(cycles) for cycles, _ in row["ports"]):
        return False
    slots = row["uops"][0] if row["uops"] else None
    return 1 <= sum(cycles for cycles, _ in row["ports"]) <= MOST_UOPS and (slots or 1) <= MOST_UOPS


def expected_usage(machine: Machine, form: str) -> dict[PortSet, float]:
    row: dict[str, Any] | None = machine.core.find(form)
    assert row is not None
    return row_usage(row)


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
    if expected in measured.alternatives:
        return "alternative"
    return "refuted" if expected in measured.refuted else "differs"


def summary(comparisons: list[Comparison], blocking: Blocking) -> str:
    """Counts of verdicts, and of what was expected and found instead."""
    verdicts = Counter(each.verdict for each in comparisons)
    lines = [f"{count} of {len(comparisons)} {verdict}" for verdict, count in verdicts.most_common()]
    classes: Counter[tuple[str, str, str]] = Counter()
    examples: dict[tuple[str, str, str], str] = {}
    for each in comparisons:
        if each.verdict not in ("same", "equivalent"):
            found = blocking.text(each.measured.usage) if each.measured.usage is not None else each.measured.error
            pair = each.verdict, blocking.text(each.expected), found
            classes[pair] += 1
            examples.setdefault(pair, each.form)
    lines += [
        f"{count:4}  {verdict}: {expected} expected, {found}: {examples[verdict, expected, found]}"
        for (verdict, expected, found), count in classes.most_common()
    ]
    return "\n".join(lines) + "\n"
