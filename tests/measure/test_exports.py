"""What is exported comes back through the importers of those formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast import load_machine
from corecast.convert.importers.exegesis import import_exegesis
from corecast.convert.importers.winic import form_measurements
from corecast.convert.importers.winic_files import read_yaml
from corecast.measure import SimulatedCore
from corecast.measure.campaign import Campaign
from corecast.measure.export.formats import exegesis_yaml, report_text, winic_yaml
from corecast.measure.judge.forms.results import FormResult, Results, read_results
from corecast.measure.rejection import Reason, Rejection

FORMS = ("imul r64, r64", "vfmadd231pd ymm, ymm, ymm", "adc r64, r64", "vaddpd zmm{k}{z}, zmm, zmm", "mul r64")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    path = tmp_path_factory.mktemp("records") / "records"
    Campaign(SimulatedCore(load_machine("skylake_x")), path, FORMS).run()
    return read_results(path)


def test_winics_file_leaves_out_what_no_instruction_can_be_made_of() -> None:
    """`ccmps r64, i8` is a form of LLVM's that has records, but only of the error."""
    form = "ccmps r64, i8"
    unmade = FormResult(form, None, True, (), (Rejection(Reason.NO_FORM, "x86 is called 'ccmps r64, i8'"),))
    assert winic_yaml(Results("a core", "x86", {form: unmade})) == "---\n...\n"


def test_winics_file_comes_back(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "winic.yaml"
    path.write_text(winic_yaml(results))
    back = form_measurements("x86", read_yaml(path))
    for form in FORMS:
        ours, theirs = results.forms[form], back[form]
        assert ours.throughput is not None
        assert theirs.throughput == pytest.approx((ours.throughput.low, ours.throughput.high), abs=0.001)
        found = {(each.source, each.destination): (each.least, each.most) for each in theirs.latencies}
        expected = {
            (pair.source, pair.target): pytest.approx((pair.cycles.low, pair.cycles.high), abs=0.001)
            for pair in ours.latencies
            if pair.source != "mask"
        }
        assert {pair: cycles for pair, cycles in found.items() if pair[0] != "mask"} == expected, form


def test_exegesis_documents_come_back(results: Results, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "exegesis.yaml"
    path.write_text(exegesis_yaml(results))
    rows = import_exegesis([path]).rows
    assert rows["imul r64, r64"].reciprocal_throughput_cycles == 1
    assert {pair.cycles for pair in rows["vfmadd231pd ymm, ymm, ymm"].latency or ()} == {4.0}


def test_the_report_tells_what_slow_operands_take(tmp_path: Path) -> None:
    """A simulated core knows no values: those of slow operands are made longer here, as a core would."""
    path = tmp_path / "records"
    Campaign(SimulatedCore(load_machine("skylake_x")), path, ("div r32", "imul r64, r64")).run()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for record in lines:
        if record.get("form") == "div r32" and record["kind"] == "form":
            record["slow"]["throughput"] |= {"min_cycles": 21.5, "max_cycles": 21.5}
    path.write_text("".join(json.dumps(record) + "\n" for record in lines))
    text = report_text(read_results(path))
    assert text.count("with operands that take long") == 1
    division = text[text.index("\ndiv r32\n") : text.index("\nimul")]
    fast, slow = division.split("  with operands that take long\n")
    assert "reciprocal throughput    6.00" in fast
    assert "reciprocal throughput    21.50" in slow
    assert "latency 1 -> " in fast
    assert "latency" not in slow  # which are those of fast ones
    assert slow.rstrip().endswith("repeat: corecast measure form --kernels 'div r32'")


def test_the_report_tells_how_to_repeat_each_form(results: Results) -> None:
    text = report_text(results)
    for form in FORMS:
        assert f"repeat: corecast measure form --kernels '{form}'" in text
    assert "latency 2 -> flags" in text
    assert "less cmovb" in text
