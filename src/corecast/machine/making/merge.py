"""Two origins of one form: which figures stand, by rule and confidence.

Measured on that core > documented > derived > another core of the family > LLVM's scheduling model > assumed; of equals
the one that the model has already. What the better origin does not know is taken from the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast.dataclass import dataclass
from corecast.machine.rows import Latency, Row

_RANKS = {"measured": 0, "documented": 1, "derived": 2, "assumed": 5}
_OTHER_CORE, _LLVM = 3, 4
OTHER_CORE = "(other core)"
"""Behind the source of rows that another core of the family was asked for."""
COLUMNS = ("ports", "blocking", "latency", "uops", "rthroughput")
_CELLS = {"ports": 1, "blocking": 2, "latency": 3, "uops": 4, "rthroughput": 7}


@dataclass(frozen=True)
class Conflict:
    """A figure that two origins tell differently."""

    form: str
    column: str
    kept: str
    kept_source: str
    dropped: str
    dropped_source: str

    def __str__(self) -> str:
        return "\t".join((self.form, self.column, self.kept, self.kept_source, self.dropped, self.dropped_source))


@dataclass(frozen=True)
class Merged:
    """The rows that change a model, and where origins disagree."""

    rows: Mapping[str, Row]
    """New or changed rows by form."""
    added: int
    conflicts: Sequence[Conflict]


def rank(row: Row) -> int:
    """Trust in a row, lower is better."""
    if row.confidence == "measured":
        return 0
    if OTHER_CORE in row.source:
        return max(_OTHER_CORE, _RANKS[row.confidence])
    if row.source.startswith("llvm"):
        return max(_LLVM, _RANKS[row.confidence])
    return _RANKS[row.confidence]


def of_other_core(rows: Iterable[Row]) -> dict[str, Row]:
    """Rows that were made for another core of the family, marked as such."""
    return {
        row.form: row.with_(
            source=f"{row.source}{OTHER_CORE}", confidence="assumed" if row.confidence == "assumed" else "derived"
        )
        for row in rows
    }


def merge(known: Mapping[str, Row], new: Mapping[str, Row]) -> Merged:
    """What `new` changes in a model whose rows of the same forms are `known`."""
    rows: dict[str, Row] = {}
    conflicts: list[Conflict] = []
    added = 0
    for form, row in new.items():
        old = known.get(form)
        if old is None:
            rows[form] = row
            added += 1
            continue
        winner, loser = (row, old) if rank(row) < rank(old) else (old, row)
        conflicts += conflicts_of(winner, loser)
        made = completed(winner, loser)
        if made != old:
            rows[form] = made
    return Merged(rows, added, conflicts)


def completed(winner: Row, loser: Row) -> Row:
    """The better row, its unknown figures taken from the other one; the source column says which."""
    taken: dict[str, object] = {}
    if winner.ports is None and loser.ports is not None:
        taken["ports"] = loser.ports
        if not winner.blocking and loser.blocking:
            taken["blocking"] = loser.blocking
    if winner.latency is None and loser.latency is not None:
        taken["latency"] = loser.latency
    if winner.uops is None and loser.uops is not None:
        taken["uops"] = loser.uops
    for name in ("decode", "flags"):
        if not getattr(winner, name) and getattr(loser, name):
            taken[name] = getattr(loser, name)
    if winner.reciprocal_throughput_cycles is None and loser.reciprocal_throughput_cycles is not None:
        taken["reciprocal_throughput_cycles"] = loser.reciprocal_throughput_cycles
    if not taken:
        return winner
    names = ",".join(name.replace("reciprocal_throughput_cycles", "rthroughput") for name in taken)
    return winner.with_(**taken, source=f"{winner.source}+{loser.source}({names})")


def conflicts_of(winner: Row, loser: Row) -> list[Conflict]:
    """The columns in which both rows know something, and not the same."""
    mine, other = winner.to_line().split("\t"), loser.to_line().split("\t")
    found = []
    for column in COLUMNS:
        kept, dropped = mine[_CELLS[column]], other[_CELLS[column]]
        if kept == dropped or not kept or not dropped or "?" in (kept, dropped):
            continue
        if column == "ports" and sorted(winner.ports or ()) == sorted(loser.ports or ()):
            continue
        if column != "latency" or _latencies_differ(winner.latency or (), loser.latency or ()):
            found.append(Conflict(winner.form, column, kept, winner.source, dropped, loser.source))
    return found


def _latencies_differ(kept: Sequence[Latency], dropped: Sequence[Latency]) -> bool:
    """Whether a pair that the one origin names has another latency in the other; a wildcard names every source."""
    known = {(pair.source, pair.destination): pair.cycles for pair in kept}
    return any(
        known.get((pair.source, pair.destination), known.get(("*", pair.destination), pair.cycles)) != pair.cycles
        for pair in dropped
    )
