"""A calibrated model becomes one of a checkout's, and overwrites nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate import adopt
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine import load_machine

Calibrated = tuple[Path, dict[str, Any]]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src" / "corecast" / "machine" / "data").mkdir(parents=True)
    return tmp_path


def test_a_model_is_adopted(calibrated: Calibrated, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["machine", "adopt", str(calibrated[0]), "--name", "Zen-99", "--alias", "znver99"]
    assert main([*command, "--checkout", str(checkout)]) == 0
    folder = checkout / "src" / "corecast" / "machine" / "data" / "zen_99"
    machine = load_machine(folder)
    assert (machine.name, machine.aliases) == ("zen_99", ("znver99",))
    assert machine.parameter("rename.width") == 4
    assert "cores.tsv" in capsys.readouterr().out
    assert main([*command, "--checkout", str(checkout)]) == 2
    assert "--replace" in capsys.readouterr().err
    assert main([*command, "--checkout", str(checkout), "--replace"]) == 0


def test_what_is_no_calibration_or_no_checkout_is_refused(calibrated: Calibrated, checkout: Path, odd: Path) -> None:
    with pytest.raises(InputError, match="no finished calibration"):
        adopt(odd, "zen99", (), checkout)
    with pytest.raises(InputError, match="is not a checkout"):
        adopt(calibrated[0], "zen99", (), odd)
    with pytest.raises(InputError, match="is a name of"):
        adopt(calibrated[0], "zen99", ("skx",), checkout)
    with pytest.raises(InputError, match="is not a valid model name"):
        adopt(calibrated[0], "../zen99", (), checkout)
