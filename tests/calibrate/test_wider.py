"""Forms on the longest vectors that were not measured follow from measured pairs."""

from __future__ import annotations

import pytest

from corecast.calibrate.wider import wider_rows
from corecast.machine import load_machine
from corecast.machine.rows import Latency, Row

PAIRS = ("vaddpd", "vmulpd", "vsubpd", "vminpd")


def row(form: str, cycles: float, count: float = 1.0) -> Row:
    return Row(
        form, ((count, "FP23"),), (), (Latency("2", "1", 3.0),), (1.0, 1.0, 1.0), "", (), cycles, "test", "measured"
    )


@pytest.fixture(scope="module")
def made() -> dict[str, Row]:
    rows = [row(f"{name} ymm, ymm, ymm", 0.5) for name in (*PAIRS, "vmaxpd")]
    rows += [row(f"{name} zmm, zmm, zmm", 1.0, 2.0) for name in PAIRS]
    return {each.form: each for each in wider_rows(rows, load_machine("zen3"))}


def test_a_form_takes_as_much_longer_as_others_do(made: dict[str, Row]) -> None:
    found = made["vmaxpd zmm, zmm, zmm"]
    assert found.ports == ((2.0, "FP23"),)
    assert found.latency == (Latency("2", "1", 3.0),)
    assert (found.confidence, found.reciprocal_throughput_cycles) == ("derived", None)
    assert found.source == "corecast:measured(rule:wider)"


def test_units_are_held_longer(made: dict[str, Row]) -> None:
    """The division on 256 bits is the start model's."""
    assert made["vdivpd zmm, zmm, zmm"].blocking == (("FDIV", 10.0),)


def test_what_was_measured_is_left_alone(made: dict[str, Row]) -> None:
    assert "vaddpd zmm, zmm, zmm" not in made
    assert not any("{" in form or "bcst" in form for form in made)


def test_of_a_class_without_measured_pairs_nothing_follows(made: dict[str, Row]) -> None:
    assert not any("m512" in form for form in made)
    assert wider_rows([row("vaddpd ymm, ymm, ymm", 0.5)], load_machine("zen3")) == []


def test_a_model_that_knows_them_keeps_its_rows() -> None:
    rows = [row(f"{name} ymm, ymm, ymm", 0.5) for name in PAIRS]
    rows += [row(f"{name} zmm, zmm, zmm", 1.0) for name in PAIRS]
    assert "vmaxpd zmm, zmm, zmm" not in {each.form for each in wider_rows(rows, load_machine("zen4"))}
