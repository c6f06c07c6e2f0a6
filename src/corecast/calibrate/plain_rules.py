"""Experiments on one parameter each: their kernels and values are rows of data/rules.tsv."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from csv import DictReader

from corecast.calibrate.code import DATA
from corecast.calibrate.experiment import Experiment, Options, one_of
from corecast.dataclass import replace
from corecast.hints import Any
from corecast.machine.types import Machine

TABLE = DATA / "rules.tsv"
_MOST_LEFT = 0.2
"""Of the error: these kernels are few, and rows of forms that the core does not have would explain some of it, too."""


def _instructions(text: str) -> Iterator[str]:
    for each in text.split(";"):
        count, star, repeated = each.strip().partition("*")
        yield from [repeated] * int(count) if star and count.isdigit() else [each.strip()]


def _options(key: str, values: list[Any], known: str) -> Options:
    """These values, where the start model has what the rule is about."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        if not known or start.parameter(known) is not None:
            yield from one_of(key, *values)(start)

    return options


def _experiment(row: Mapping[str, str]) -> Experiment:
    kernels = [each.strip() for each in row["kernels"].split("|")]
    bodies = tuple(tuple(_instructions(each)) for each in kernels)
    options = _options(row["key"], json.loads(row["values"]), row["known"])
    made = Experiment(row["name"], options=options, most_left=_MOST_LEFT)
    if row["kind"] == "decoded":
        return replace(made, decoded=tuple(kernels))
    return replace(made, placed=bodies) if row["kind"] == "placed" else replace(made, loops=bodies)


def _rows() -> Iterator[Mapping[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        yield from DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")


PLAIN_EXPERIMENTS: tuple[Experiment, ...] = tuple(map(_experiment, _rows()))
