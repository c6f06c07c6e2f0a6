"""Calibration measures ports of the forms that matter, and goes on with them where it was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate.bench import SimulatedBench
from corecast.calibrate.journal import Journal
from corecast.calibrate.rows import FILE, _Heart, _TimeUp, measure_ports, results_of, rows_of
from corecast.machine import load_machine
from corecast.measure.campaign import Campaign

FORMS = ["imul r64, r64", "pshufb xmm, xmm", "mov m64, r64", "add r64, r64"]


def test_ports_of_forms_are_measured_once(tmp_path: Path) -> None:
    """Of those that have records; stores are the pipeline's."""
    start = load_machine("zen4")
    bench = SimulatedBench(start)
    Campaign(bench.core, tmp_path / FILE, FORMS[:3]).run()
    journal = Journal(tmp_path / "journal", {"cpu": bench.identity})
    left = [1.0] * 3
    stopped = _Heart(journal, lambda: left.pop() if left else 0.0, lambda text: None)
    with pytest.raises(_TimeUp):
        measure_ports(bench, tmp_path, start, FORMS, _Heart(journal, lambda: 0.0, lambda text: None))
    assert not (results_of(tmp_path) or pytest.fail("no records")).ports
    measure_ports(bench, tmp_path, start, FORMS, stopped)
    results = results_of(tmp_path)
    assert results is not None
    assert {form: each.usage for form, each in results.ports.items()} == {
        "imul r64, r64": ((1.0, ("ALU1",)),),
        "pshufb xmm, xmm": ((1.0, ("FP1", "FP2")),),
    }
    before = (tmp_path / FILE).stat().st_size
    measure_ports(bench, tmp_path, start, FORMS, stopped)
    assert (tmp_path / FILE).stat().st_size == before
    journal.close()
    rows = {row.form: row for row in rows_of(results, start)}
    assert rows["imul r64, r64"].source == "corecast:measured(latency,throughput,ports)+zen4(uops)"


def test_loads_that_do_something_with_their_data_come_before_others(tmp_path: Path) -> None:
    """The start model says that they are loads and nothing else."""
    bench, start = SimulatedBench(load_machine("zen4")), load_machine("zen3")
    forms = ["add r64, m64", "mov r64, m64", "movsxd r64, m32", "imul r64, r64"]
    Campaign(bench.core, tmp_path / FILE, forms).run()
    journal = Journal(tmp_path / "journal", {"cpu": bench.identity})
    measure_ports(bench, tmp_path, start, forms, _Heart(journal, lambda: 1.0, lambda text: None, "ports"))
    results = results_of(tmp_path)
    assert results is not None
    assert list(results.ports)[:2] == ["movsxd r64, m32", "imul r64, r64"]
    assert any("ALU" in name for _, names in results.ports["movsxd r64, m32"].usage for name in names)
    journal.close()


def test_the_time_for_ports_counts_over_all_runs(tmp_path: Path) -> None:
    spent = iter((10.0, 12.0, 15.0, 16.0))
    journal = Journal(tmp_path / "journal", {"cpu": "any"})
    journal.spent = lambda: next(spent)
    journal.add("forms", seen=1)
    for _ in range(2):
        journal.add("forms", seen=2, part="ports")
    journal.add("forms", seen=3)
    assert journal.spent_on_part("ports") == pytest.approx(5)
    journal.close()
