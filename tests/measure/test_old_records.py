"""Record files of earlier versions stay usable: this one was written on 25 November 2026, on a simulated Skylake."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import load_machine
from corecast.measure.campaign import seen_forms
from corecast.measure.export.formats import FORMATS
from corecast.measure.export.model import infer
from corecast.measure.judge.forms.results import Results, read_results
from corecast.measure.record.file import read_records
from corecast.measure.run.cached_core import CachedCore
from corecast.measure.run.simulated import SimulatedCore

FILE = Path(__file__).resolve().parent.parent / "data" / "records" / "schema-1.jsonl"


@pytest.fixture(scope="module")
def results() -> Results:
    return read_results(FILE)


def test_every_line_is_read() -> None:
    records = list(read_records(FILE))
    assert len(records) == len(FILE.read_text(encoding="utf-8").splitlines())
    assert {record["kind"] for record in records} == {"form", "link", "ports"}
    assert {record["schema"] for record in records} == {"corecast-record/1"}


def test_values_are_what_they_were(results: Results) -> None:
    division = results.forms["div r64"]
    assert division.throughput is not None
    assert division.throughput.high == pytest.approx(21.0)
    latencies = {(pair.source, pair.target): pair.cycles.high for pair in division.latencies}
    assert latencies["1", "rax"] == pytest.approx(35.0)
    assert latencies["rax", "rax"] == pytest.approx(32.0)
    assert list(division.others) == ["slow"]
    assert results.ports["add r64, r64"].usage == ((1.0, ("0", "1", "5", "6")),)


def test_a_form_without_a_value_says_why(results: Results) -> None:
    unmade = results.forms["bogus r64"]
    assert unmade.throughput is None
    assert [each.message for each in unmade.rejections] == ["'bogus r64' is no form of x86; see `corecast lookup`"]


@pytest.mark.parametrize("name", FORMATS)
def test_they_are_exported(results: Results, name: str) -> None:
    text = FORMATS[name](results)
    assert "div" in text or "DIV" in text


def test_a_model_is_inferred_from_them(results: Results, tmp_path: Path) -> None:
    inferred = infer(results, tmp_path / "old", "skylake")
    assert inferred.rows == 3


def test_a_campaign_goes_on_with_them() -> None:
    """Their timings are not taken again."""
    core = CachedCore(SimulatedCore(load_machine("skylake")))
    seen = seen_forms(FILE, core)
    assert seen["div r64"].stable
    assert seen["bogus r64"].tries == 1
