"""Rows that hold their ports longer only where there may be another micro-op, and nothing else explains the time."""

from __future__ import annotations

import pytest

from corecast.calibrate.unscaled import without_needless
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.measure.export.model import row_of
from corecast.measure.judge.forms.results import FormResult
from corecast.measure.plan.helpers import assembled
from corecast.measure.record.interval import Interval


@pytest.fixture(scope="module")
def base() -> Machine:
    return load_machine("emerald_rapids")


def measured(form: str, cycles: float, text: str = "", count: int = 8, copies: int = 4) -> FormResult:
    """A form whose throughput was timed with so many of these instructions in a row."""
    record: dict[str, Any] = {}
    if text:
        code = b"".join(each.bytes for each in assembled("x86", "\n".join([text] * count)))
        kernel = {"text": [text] * count, "hex": code.hex(), "counter": 15, "keeps_flags": False}
        timing = {"cycles": cycles * count, "copies": [copies, 2 * copies]}
        record = {"throughput": {"kernels": [{"kernel": kernel, "timing": timing}]}}
    return FormResult(form, Interval(cycles, cycles), True, (), (), record)


def rows(base: Machine, *results: FormResult) -> dict[str, Row]:
    made = [row for each in results if (row := row_of(each, base)) is not None]
    return {row.form: row for row in without_needless(made, {each.form: each for each in results}, base)}


THREE_LOADS = (measured("mov r64, m64", 0.333), measured("mov r32, m32", 0.333))


def test_there_is_no_eighth_of_a_micro_op(base: Machine) -> None:
    """Pops take turns at three ports like other loads, whatever slows a kernel of nothing else."""
    row = rows(base, measured("pop r64", 0.375), *THREE_LOADS)["pop r64"]
    assert row.ports == ((1.0, "p23A"),)
    assert row.reciprocal_throughput_cycles == pytest.approx(0.375, abs=0.01)
    assert "rule:occupancy" not in row.source
    assert row.confidence == "derived"


def test_where_no_other_form_has_all_ports_they_may_not_be_there(base: Machine) -> None:
    row = rows(base, measured("pop r64", 0.5))["pop r64"]
    assert row.ports == ((1.5, "p23A"),)


def test_another_micro_op_stays(base: Machine) -> None:
    row = rows(base, measured("pop r64", 0.667), *THREE_LOADS)["pop r64"]
    assert row.ports is not None
    assert row.ports[0][0] == pytest.approx(2, abs=0.01)


def test_what_the_model_explains_otherwise_needs_no_micro_op(base: Machine) -> None:
    """A chain takes longer than its port: the time of this kernel is what the model says."""
    text = "imul rax, rax"
    row = rows(base, measured("imul r64, r64", 3.0, text))["imul r64, r64"]
    assert row.ports == ((1.0, "p1"),)
    row = rows(base, measured("imul r64, r64", 2.0, text))["imul r64, r64"]
    assert row.ports == ((2.0, "p1"),)


def fast(base: Machine, form: str, cycles: float, *others: FormResult) -> Row:
    return rows(base, measured(form, cycles), *others)[form]


def test_there_is_no_part_of_a_micro_op_less() -> None:
    """Of a form that is faster than all its micro-ops could be some are left, none of them a part."""
    start = load_machine("zen3")
    row = fast(start, "or m64, r64", 0.556)
    assert [count for count, _ in row.ports or ()] == [1, 1, 1]
    assert "rule:occupancy" not in row.source
    row = fast(start, "adc r64, m64", 0.333)
    assert [count for count, _ in row.ports or ()] == [1, 1]


def test_a_third_port_is_one_that_the_model_has_a_name_for() -> None:
    """Three shuffles a cycle, where the model knows of two ports."""
    start = load_machine("zen3")
    row = fast(start, "unpcklpd xmm, xmm", 0.333)
    assert row.ports == ((1.0, "FP1|FP2|FP3"),)
    assert "rule:width" in row.source
