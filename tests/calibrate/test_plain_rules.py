"""Experiments on one parameter find each of their values, or what takes the same time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from corecast.calibrate.plain_rules import PLAIN_EXPERIMENTS
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.trees import UNKNOWN
from tried_experiments import changed, tried

EXACT = 1e-4


def values_of(name: str) -> tuple[str, list[dict[str, Any]]]:
    """A core that shows them, and what the experiment tries on it."""
    experiment = next(each for each in PLAIN_EXPERIMENTS if each.name == name)
    tries = {cpu: list(experiment.options(load_machine(cpu))) for cpu in ("skylake_x", "zen4")}
    is_wide = any(key.startswith("rename.") for options in tries.values() for option in options for key in option)
    cpu = "zen4" if is_wide or not tries["skylake_x"] else "skylake_x"
    return cpu, tries[cpu]


@pytest.mark.parametrize("name", [each.name for each in PLAIN_EXPERIMENTS])
def test_values_are_found(name: str, tmp_path: Path) -> None:
    cpu, options = values_of(name)
    start = load_machine(cpu)
    found = []
    for place, option in enumerate(options):
        folder = tmp_path / str(place)
        folder.mkdir()
        decision = tried([name], changed(cpu, option, folder), start, folder)[name]
        assert decision.after < EXACT, option
        if decision.settings == option or not explains_without_a_value(decision.settings):
            found.append(decision.settings == option)
    assert found
    assert sum(found) >= len(found) / 2


def explains_without_a_value(settings: Mapping[str, Any]) -> bool:
    """The start model's own value or none at all takes the same time: kernels do not tell so far."""
    return all(value == UNKNOWN for value in settings.values())


@pytest.mark.parametrize("cpu", ["haswell", "skylake_x", "ice_lake_x", "granite_rapids", "zen1", "zen4", "zen5"])
def test_the_start_models_values_stay(cpu: str, tmp_path: Path) -> None:
    core = load_machine(cpu)
    found = tried([each.name for each in PLAIN_EXPERIMENTS], core, core, tmp_path)
    assert {name: each.settings for name, each in found.items()} == {name: {} for name in found}
    assert all(each.is_sure for each in found.values())
