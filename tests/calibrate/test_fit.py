"""Which parameters are kept that experiments measured: those that make code worse are taken back one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate.code import shipped_blocks
from corecast.calibrate.draft import Draft
from corecast.calibrate.fit import Fitter, merged
from corecast.calibrate.score import Timed
from corecast.machine import load_machine
from corecast.machine.types import Machine
from corecast.prediction import predict

BLOCKS = 150


def timed_on(machine: Machine) -> list[Timed]:
    """Code with the times that a model predicts."""
    found = []
    for block in shipped_blocks()[:BLOCKS]:
        answer = predict([block.hex], machine, block.mode, "simulate", 1, addresses=[block.address])
        if answer.statuses[0] == "ok":
            found.append(Timed(block, answer.cycles[0]))
    return found


@pytest.fixture(scope="module")
def fitter(tmp_path_factory: pytest.TempPathFactory) -> Fitter:
    return Fitter(timed_on(load_machine("zen4")), tmp_path_factory.mktemp("fit"), lambda on: (), lambda: 1.0)


def test_one_wrong_parameter_is_taken_back_before_open_ones_are_tried(fitter: Fitter) -> None:
    """The decoders' width makes unrolled code worse; the others that were measured are right all the same."""
    start = Draft(load_machine("zen4"), {"rename.width": 4, "store_forwarding.latency_cycles": 9}).machine(Path())
    forwarding = {"store_forwarding.latency_cycles": load_machine("zen4").parameter("store_forwarding.latency_cycles")}
    fit = fitter.fit(start, [{"decode.width": 1}, {"rename.width": 6}, forwarding])
    assert fit.draft.settings == {"rename.width": 6, **forwarding}
    assert fit.base == "part of the pipeline"
    assert fit.final.mean == pytest.approx(0.0, abs=1e-6)


def test_what_one_experiment_says_is_taken_back_together(fitter: Fitter) -> None:
    start = Draft(load_machine("zen4"), {"rename.width": 4}).machine(Path())
    fit = fitter.fit(start, [{"rename.width": 6}, {"decode.width": 1, "uop_cache.width": 4}])
    assert fit.draft.settings == {"rename.width": 6}


def test_later_experiments_count_more() -> None:
    assert merged([{"a": 1, "b": 2}, {"b": 3}]) == {"a": 1, "b": 3}
