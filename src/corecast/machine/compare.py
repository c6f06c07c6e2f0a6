"""What two machine models say differently: keys of pipeline.toml, forms that one lacks, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine.types import FormRow, Machine

COLUMNS = ("ports", "blocking", "latency", "uops", "flags", "rthroughput")
_NAMES = (
    "name",
    "title",
    "aliases",
    "forms",
    "forms_of",
    "source",
    "confidence",
    "pipeline_of",
    "without_rules",
    "validated",
)
"""Keys that tell who a model is, not what it says."""


@dataclass(frozen=True)
class FormDifference:
    """A form that both models have, with the columns that differ."""

    form: str
    columns: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Comparison:
    """Two models side by side: first, second."""

    keys: Mapping[str, tuple[Any, Any]]
    """Dotted keys of pipeline.toml that differ; None where a model has none."""
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    forms: tuple[FormDifference, ...]
    same: int
    """Forms that both have and tell alike."""


def compare(first: Machine, second: Machine) -> Comparison:
    """What two models of one instruction set say differently.

    Raises:
        InputError: they are of different instruction sets.
    """
    if first.isa != second.isa:
        raise InputError(f"{first.name} is a core of {first.isa}, {second.name} one of {second.isa}")
    ours, theirs = first.keys(), second.keys()
    in_first, in_second = set(ours), set(theirs)
    differing = []
    same = 0
    for form in ours:
        if form in in_second:
            columns = dict(_differing(first.row(form), second.row(form)))
            same += not columns
            if columns:
                differing.append(FormDifference(form, columns))
    one, other = dict(_flat(first.pipeline)), dict(_flat(second.pipeline))
    keys = {
        key: (one.get(key), other.get(key))
        for key in (*one, *(key for key in other if key not in one))
        if one.get(key) != other.get(key)
    }
    return Comparison(
        keys=keys,
        only_first=tuple(form for form in ours if form not in in_second),
        only_second=tuple(form for form in theirs if form not in in_first),
        forms=tuple(differing),
        same=same,
    )


def _differing(first: FormRow | None, second: FormRow | None) -> Iterator[tuple[str, tuple[str, str]]]:
    for column in COLUMNS:
        pair = (str(getattr(first, column)), str(getattr(second, column)))
        if _sorted(pair[0]) != _sorted(pair[1]):
            yield column, pair


def _sorted(cell: str) -> list[str]:
    """The parts of a cell: their order says nothing."""
    return sorted(part for plus in cell.split("+") for part in plus.split(";"))


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if key in ("source", "confidence") or (not prefix and key in _NAMES):
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
