"""A core with more units than the start model's: it gets them, and rows on their ports."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.calibrate import Calibration, Options, SimulatedBench
from corecast.calibrate.choices import UNITS, options
from corecast.calibrate.draft import Draft
from corecast.calibrate.model import Origin, write_model
from corecast.calibrate.rows import rows_of
from corecast.machine import load_machine
from corecast.machine.types import Machine
from corecast.measure.judge.forms.results import FormResult, Results
from corecast.measure.record.interval import Interval
from corecast.prediction import predict

ORIGIN = Origin("a test", "zen4", "2026-11-27", frozenset(), (), {})


def with_units(name: str, folder: Path) -> Machine:
    """A Zen 4 that renames eight micro-ops, with so many units, from its folder."""
    (option,) = (each for each in options(load_machine("zen4")) if each.name == f"{UNITS} {name}")
    write_model(folder / "model", Draft(load_machine("zen4"), {**option.settings, "rename.width": 8}), ORIGIN)
    return load_machine(folder / "model")


def cycles(machine: Machine, text: str) -> float:
    code = "".join(bytes(each.bytes).hex() for each in _core.assemble("x86", text, "intel").instructions)
    return float(predict([code], machine, "loop", "simulate").cycles[0])


@pytest.mark.parametrize(
    ("name", "additions", "loads"),
    [
        ("4 ALUs, 4 load ports", 2.0, 1.75), ("5 ALUs, 3 load ports", 1.6, 2.33), ("6 ALUs, 3 load ports", 1.33, 2.33),
        ("6 ALUs, 4 load ports", 1.33, 1.75), ("6 ALUs, 4 load ports, schedulers by kind", 1.33, 1.75),
        ("4 ALUs, 4 load ports, schedulers by kind", 2.0, 1.75),
    ],
)  # fmt: skip
def test_what_may_run_on_a_unit_may_run_on_its_twin(name: str, additions: float, loads: float, tmp_path: Path) -> None:
    """The written model has several lists in one table, each with its source."""
    machine = with_units(name, tmp_path)
    assert cycles(machine, 7 * "movsx rax, sil\n") == pytest.approx(additions, abs=0.01)
    assert cycles(machine, 7 * "mov rax, [rsi]\n") == pytest.approx(loads, abs=0.01)


def test_schedulers_by_kind_take_what_comes_together(tmp_path: Path) -> None:
    """Zen 4 spreads the operations and addresses of a group over its schedulers: the fourth load goes the way of an
    operation."""
    text = (
        "".join(f"mov rax, [rsi + {64 * place}]\n" for place in range(4)) + "add r8, rax\nadd r9, rax\nadd r10, rax\n"
    )
    units = "6 ALUs, 4 load ports"
    by_kind = with_units(f"{units}, schedulers by kind", tmp_path / "by_kind")
    assert cycles(with_units(units, tmp_path / "spread"), text) > 1.2
    assert cycles(by_kind, text) == pytest.approx(1.0, abs=0.01)
    assert len(by_kind.parameter("schedulers")) == 4
    assert [by_kind.parameter(f"rename.spread{key}") for key in ("_ports", "_address_ports")] == [None, None]


def test_a_core_with_more_units_gets_them(tmp_path: Path) -> None:
    wide = with_units("6 ALUs, 4 load ports", tmp_path)
    calibration = Calibration(tmp_path / "run", Options(60.0, pipeline_of="zen4"), SimulatedBench(wide))
    try:
        report = calibration.run()
    finally:
        calibration.close()
    found = load_machine(tmp_path / "run" / "model")
    assert len(found.parameter("ports.integer_alu")) > 4
    assert cycles(found, 7 * "mov rax, [rsi]\n") == pytest.approx(1.75, abs=0.01)
    assert report["kinds"]["loop"]["after"]["mape"] < report["kinds"]["loop"]["before"]["mape"] / 2


def test_stores_that_are_faster_than_the_write_port_of_the_start_model_have_rows() -> None:
    """Zen 5 stores two vectors a cycle, Zen 4 one."""
    fast = FormResult("movaps m128, xmm", Interval(0.5, 0.5), True, ())
    slow = FormResult("movups m128, xmm", Interval(1.0, 1.0), True, ())
    found = rows_of(Results("a test", "x86", {each.form: each for each in (fast, slow)}), load_machine("zen4"))
    assert "movaps m128, xmm" in {row.form for row in found}
