"""Port measurements compared with a model's own rows: how many agree, and what those have in common that do not."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any, Literal
from corecast.measure.judge.ports.blocking import Blocking
from corecast.measure.judge.ports.meter import PortMeasurement
from corecast.measure.judge.ports.siblings import row_usage
from corecast.measure.judge.ports.usage import PortSet, alike, port_bound
from corecast.measure.plan.ports.templates import template
from corecast.measure.thresholds import COMPARE_MOST_UOPS

if TYPE_CHECKING:
    from corecast.machine import Machine

Verdict = Literal["same", "equivalent", "alternative", "refuted", "differs", "none"]


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


@dataclass(frozen=True)
class Reference:
    """A model whose rows measurements are compared with."""

    machine: Machine
    names: Mapping[str, str] | None = None
    """What its ports are called where forms are measured; None: the same. Ports that are none of these have no
    counterpart: forms that take them are not compared."""

    def usage(self, form: str) -> dict[PortSet, float] | None:
        """The row's, under the names of the measuring side; None where it has none, or ports without a counterpart."""
        row = self._row(form)
        if row is None or not row["ports"]:
            return None
        usage = row_usage(row)
        if self.names is None:
            return usage
        if not frozenset().union(*usage) <= self.names.keys():
            return None
        return {frozenset(self.names[port] for port in ports): cycles for ports, cycles in usage.items()}

    def source(self, form: str) -> str:
        """Where the row is from."""
        row = self._row(form)
        return str(row["source"]) if row is not None else ""

    def sample(self, count: int, seed: int, source: str = "") -> Iterator[str]:
        """Forms of one or two uops that the model knows and that can be measured, drawn at random.

        Args:
            source: regular expression that their rows' sources must match.
        """
        wanted = re.compile(source)
        keys = [key for key in list(self.machine.keys()) if self._is_small(key, wanted)]
        random.Random(seed).shuffle(keys)
        taken = 0
        for key in keys:
            try:
                template(key, self.machine.isa)
            except InputError:
                continue
            yield key
            taken += 1
            if taken == count:
                return

    def _is_small(self, key: str, wanted: re.Pattern[str]) -> bool:
        row, usage = self._row(key), self.usage(key)
        if row is None or usage is None or not wanted.search(row["source"]):
            return False
        if any(cycles != round(cycles) for cycles in usage.values()):
            return False
        slots = row["uops"][0] if row["uops"] else None
        return 1 <= sum(usage.values()) <= COMPARE_MOST_UOPS and (slots or 1) <= COMPARE_MOST_UOPS

    def _row(self, form: str) -> dict[str, Any] | None:
        row: dict[str, Any] | None = self.machine.core.find(form)
        return row


def compare(measured: PortMeasurement, reference: Reference, blocking: Blocking) -> Comparison:
    """A form that the reference has a usage of."""
    expected = reference.usage(measured.form)
    assert expected is not None
    source = reference.source(measured.form)
    return Comparison(measured.form, _verdict(measured, expected, blocking), expected, source, measured)


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
            why = each.measured.rejection
            found = why.message if why is not None else blocking.text(each.measured.usage or {})
            pair = each.verdict, blocking.text(each.expected), found
            classes[pair] += 1
            examples.setdefault(pair, each.form)
    lines += [
        f"{count:4}  {verdict}: {expected} expected, {found}: {examples[verdict, expected, found]}"
        for (verdict, expected, found), count in classes.most_common()
    ]
    return "\n".join(lines) + "\n"
