"""Code with too many micro-ops to simulate is reported, and neither the run nor the process ends."""

from __future__ import annotations

from pathlib import Path

import pytest

import corecast
from corecast import _core
from corecast.cli.main import main
from corecast.errors import SimulationLimitError
from corecast.machine import load_machine

MILLION = "0f09"
"""wbinvd: 1,180,997 micro-ops, says uops.info of Skylake."""


def test_analyze_tells_the_bounds_and_why_it_did_not_simulate() -> None:
    (region,) = corecast.analyze(MILLION, "skylake_x").regions
    assert region.simulated is None
    assert region.prediction.cycles_per_iteration > 100_000
    assert any("1180999 micro-ops, too many to simulate" in warning for warning in region.warnings)


def test_who_asks_for_a_simulation_gets_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--hex", MILLION, "--method", "simulate", "--cpu", "skylake_x"]) == 2
    assert "too many to simulate (at most 524288): use the method bounds" in capsys.readouterr().err


def test_predict_goes_on_with_the_next_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.csv").write_text(f"hex\n{MILLION}\n4801d8\n")
    assert main(["predict", str(tmp_path / "b.csv"), "--cpu", "skylake_x"]) == 1
    first, second = capsys.readouterr().out.splitlines()[1:]
    assert first.startswith(f'{MILLION},,,,,error,"an iteration has 1180999 micro-ops')
    assert second.startswith("4801d8,1,")
    assert second.endswith(",ports,ok,")
    assert main(["predict", str(tmp_path / "b.csv"), "--cpu", "skylake_x", "--method", "bounds"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(",ok,")


def simulated_cycles(code: str) -> float:
    instructions = _core.disassemble("x86", bytes.fromhex(code)).instructions
    return _core.simulate(load_machine("skylake_x").core, instructions).cycles_per_iteration


def test_the_error_has_a_type() -> None:
    with pytest.raises(SimulationLimitError):
        simulated_cycles(MILLION)


def test_an_iteration_longer_than_most_measurements_is_simulated_to_its_end() -> None:
    multiplications = 70_000  # a chain, 3 cycles each
    assert simulated_cycles("480fafc0" * multiplications) == pytest.approx(3 * multiplications, rel=1e-3)


def test_an_iteration_that_does_not_end_is_no_figure() -> None:
    chain = "d9fe" * 25_000  # fsin: 100 cycles each
    with pytest.raises(SimulationLimitError, match="takes more than 2000000 cycles, too many to simulate"):
        simulated_cycles(chain)
