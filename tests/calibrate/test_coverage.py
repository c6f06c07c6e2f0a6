"""Every parameter of models is decided by an experiment, or tests/calibrate/not_measured.tsv says why not."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from corecast.calibrate import properties
from corecast.calibrate.choices import options
from corecast.calibrate.rules import EXPERIMENTS
from corecast.machine import load_machine
from corecast.machine.loader import list_machines
from corecast.machine.parameters import parameters

TABLE = Path(__file__).with_name("not_measured.tsv")
WHYS = {"told", "other", "rows", "open"}


def reasons() -> Mapping[str, Mapping[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
        return {row["key"]: row for row in rows}


def keys_of_properties() -> Iterator[str]:
    yield from properties._DIRECT.values()
    yield from properties._RELATIVE.values()
    yield from (properties._IN_FLIGHT, "retire.width")


@lru_cache(maxsize=1)
def decided() -> frozenset[str]:
    """Keys of settings that experiments on x86 cores and open parameters try, with properties that are measured."""
    found = set(keys_of_properties())
    for name in [each.name for each in list_machines() if each.isa == "x86"]:
        start = load_machine(name)
        for experiment in EXPERIMENTS:
            for tries in (experiment.options, *experiment.further):
                found.update(key.partition(":")[0] for settings in tries(start) for key in settings)
        found.update(key.partition(":")[0] for option in options(start) for key in option.settings)
    return frozenset(found)


def is_decided(key: str) -> bool:
    """Of a table in a list, whether the list is."""
    whole = key.partition("[]")[0]
    return whole in decided() or any(fnmatchcase(each, key) for each in decided())


def is_named(key: str, patterns: Mapping[str, object]) -> bool:
    return key in patterns or any(fnmatchcase(key, pattern) for pattern in patterns)


def test_every_parameter_is_decided_or_named() -> None:
    named = reasons()
    assert [key for key in parameters() if not is_decided(key) and not is_named(key, named)] == []


def test_what_is_named_is_not_decided() -> None:
    for pattern in reasons():
        covered = [key for key in parameters() if key == pattern or fnmatchcase(key, pattern)]
        assert covered, pattern
        assert [key for key in covered if is_decided(key)] == [], pattern


def test_every_reason_is_told() -> None:
    for key, row in reasons().items():
        assert row["why"] in WHYS, key
        assert row["reason"].endswith("."), key
