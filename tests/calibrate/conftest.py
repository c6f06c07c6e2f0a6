"""A made-up core, and what `corecast calibrate` makes of it in a budget of simulated seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate import Calibration, Options, SimulatedBench
from corecast.hints import Any
from corecast.machine import load_machine

ODD = """\
format = 2
name = "odd"
title = "A Zen 4 that was changed"
pipeline_of = "zen4"
forms_of = "zen4"

[rename]
width = 4

[store_forwarding]
latency_cycles = 9

[ports.spread]
AGU1 = ["AGU0"]
AGU2 = ["AGU0"]
"""


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a Zen 4 with a narrower rename stage, slower store forwarding and one address unit."""
    folder = tmp_path_factory.mktemp("cores") / "odd"
    folder.mkdir()
    (folder / "pipeline.toml").write_text(ODD)
    return folder


@pytest.fixture(scope="session")
def calibrated(odd: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder of a calibration of that core, started from zen4, and its report."""
    folder = tmp_path_factory.mktemp("calibrated") / "odd"
    calibration = Calibration(folder, Options(40.0, pipeline_of="zen4"), SimulatedBench(load_machine(odd)))
    try:
        return folder, calibration.run()
    finally:
        calibration.close()
