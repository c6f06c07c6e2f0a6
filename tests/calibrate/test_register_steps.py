"""Where registers pointed when a block was timed is kept with its time, and told to predictions: it decides which
stores are written together, and which loads share a bank."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate.code import Block
from corecast.calibrate.journal import Journal
from corecast.calibrate.report import measured_file, write_measured
from corecast.calibrate.score import Timed, score
from corecast.calibrate.validate import Visits, time_blocks
from corecast.evaluate import read_blocks
from corecast.machine import load_machine
from corecast.timing.verdict import Verdict

CODE = Block("unroll", "4989451049894518", "0", "")
"""mov qword ptr [r13 + 16], rax; mov qword ptr [r13 + 24], rax: into two lines where r13 is 40 bytes into one."""


class Bench:
    def visit(self, block: Block) -> Verdict:
        return Verdict(1.0, 0.001, register_step=8)


def test_the_journal_keeps_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "calibration", {})
    time_blocks(Bench(), journal, [CODE], lambda: 1.0, lambda text: None)  # type: ignore[arg-type]
    journal.close()
    again = Journal(tmp_path / "calibration", {})
    verdict = Visits.of(again).verdict(CODE)
    again.close()
    assert verdict is not None
    assert verdict.register_step == 8


def test_older_journals_do_not_know_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "calibration", {})
    for _ in range(2):
        journal.add("visit", code="unroll", hex=CODE.hex, cycles=1.0, spread_share=0.0, reason="")
    verdict = Visits.of(journal).verdict(CODE)
    journal.close()
    assert verdict is not None
    assert verdict.register_step is None


def test_scores_go_by_it() -> None:
    machine = load_machine("granite_rapids")
    together, apart = (score(machine, [Timed(CODE, 1.0, step)]).errors[0] for step in (0, 8))
    assert together == pytest.approx(0.0, abs=0.02)
    assert apart == pytest.approx(1.0, abs=0.02)


def test_evaluate_reads_it(tmp_path: Path) -> None:
    write_measured(tmp_path, [Timed(CODE, 1.0, 8)])
    assert read_blocks(measured_file(tmp_path, "unroll", CODE.part)).register_steps == [8]
