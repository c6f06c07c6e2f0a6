"""Our own campaign on a core (own_measurements.py), merged into the rows of records, rules and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.measure.export.model import port_bound
from corecast.measure.judge.forms.results import Results
from own_measurements import load, measured_rows, served, without_columns

from .cores import Core
from .own_latencies import contradictions, corrected, without_confirmed
from .own_ports import Fitting

TABLE = "campaign.tsv"
Write = Callable[[Mapping[str, Row]], Machine]
"""Makes a machine model of rows."""
INDEXED = " @indexed"


@dataclass
class Merged:
    """What became of the campaign."""

    rows: dict[str, Row]
    """By form; all that it changes."""
    changes: Counter[str]
    contradicted: list[str] = field(default_factory=list)
    """Forms of records of which we measured another latency, with the figures."""


def campaign_file(core: Core) -> Path:
    """The table that is kept of a core's campaign."""
    return Path(__file__).with_name(f"{core.name}_measured.tsv")


def merged_rows(core: Core, rows: Mapping[str, Row], origins: list[Mapping[str, Row]], write: Write) -> Merged:
    """The rows that the campaign changes or confirms.

    Args:
        rows: of all other origins, the best of each form.
        origins: rows of single origins, whose ports may fit better.
        write: makes a model of rows, whose ports and pipeline the measurements are taken for.
    """
    own = corrected(load(campaign_file(core)), rows)
    base = write(rows)
    fitting = Fitting(core.ports, core.width, lambda usage: port_bound(base, usage), origins)
    fitting.learn(rows, own.forms)
    fitted, results = dict(rows), dict(own.forms)
    for form, result in own.forms.items():
        key = served(form, rows)
        if key in rows:
            fitted[key], results[form] = fitting.fitted(rows[key], result)
    contradicted = []
    for form, result in results.items():
        row = rows.get(served(form, rows))
        if row is not None and recorded(row):
            results[form] = without_confirmed(result, row)
            contradicted += contradictions(result, row)
    timed = {served(form, rows) for form, result in own.forms.items() if result.throughput is not None}
    for form, row in rows.items():
        if form not in timed and form.removesuffix(INDEXED) not in timed and not recorded(row):
            fitted[form] = fitting.of_its_kind(row)
    made = measured_rows(fitted, Results(own.cpu, own.isa, results), write(fitted), core.campaign)
    made = {form: row for form, row in fitted.items() if row is not rows[form]} | made
    return Merged(made | _indexed(made, rows), fitting.changes, contradicted)


def recorded(row: Row) -> bool:
    """Whether somebody measured this form on a core of this kind."""
    return row.source.startswith("uops.info") and "rule:" not in row.source


def _indexed(made: Mapping[str, Row], rows: Mapping[str, Row]) -> dict[str, Row]:
    """Rows of indexed addresses with the figures of the plain ones, where nobody recorded them.

    Where somebody did, as many micro-ops without an access go where the campaign found those of the plain form.
    """
    found = {}
    for form, row in made.items():
        variant = rows.get(f"{form}{INDEXED}")
        if variant is None or variant.form in made:
            continue
        if not recorded(variant):
            found[variant.form] = replace(row, form=variant.form, uops=variant.uops, decode=variant.decode)
        elif variant.ports != row.ports and _count(variant) == _count(row):
            source = "+".join(("rule:not indexed(ports)", *without_columns(variant.source, {"ports"})))
            found[variant.form] = replace(variant, ports=row.ports, blocking=row.blocking, source=source)
    return found


def _count(row: Row) -> float:
    """Micro-ops at the ports."""
    return sum(number for number, _ in row.ports or ())
