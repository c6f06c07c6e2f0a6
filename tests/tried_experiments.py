"""Single experiments of calibration on simulated cores."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from corecast.calibrate import experiments
from corecast.calibrate.bench import SimulatedBench
from corecast.calibrate.draft import Draft
from corecast.calibrate.experiments import Decision, decisions, run_experiments
from corecast.calibrate.journal import Journal
from corecast.calibrate.rules import EXPERIMENTS
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.loader import build
from corecast.machine.trees import taken_out
from corecast.machine.types import Machine


def without(machine: Machine, *keys: str) -> Machine:
    """A model that says nothing of these parameters."""
    pipeline: dict[str, Any] = dict(machine.pipeline)
    for key in keys:
        pipeline = taken_out(pipeline, key)
    return build(machine.info, pipeline, list(machine.table_files))


def changed(name: str, settings: Mapping[str, Any], folder: Path) -> Machine:
    """A shipped model with other values."""
    return Draft(load_machine(name), settings).machine(folder)


def tried(names: Collection[str], core: Machine, start: Machine, folder: Path) -> dict[str, Decision]:
    """What these experiments say of a core; all others are left out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "EXPERIMENTS", [each for each in EXPERIMENTS if each.name in names])
        journal = Journal(folder / "calibration", {"cpu": core.name})
        run_experiments(SimulatedBench(core), journal, lambda: 1.0, lambda text: None)
        found = decisions(journal, start, {}, folder)
        journal.close()
    return {each.name: each for each in found}
