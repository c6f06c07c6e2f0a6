"""tools/compare_measurements.py says where others measured what is measured here with other operands."""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from corecast import load_machine
from corecast.convert.importers.winic import FormMeasurement, LatencyRange
from corecast.measure import SimulatedCore
from corecast.measure.campaign import Campaign
from corecast.measure.judge.forms.results import FormResult, PairResult, Results, read_results
from corecast.measure.record.interval import Interval
from measure.test_operand_values import FussyCore, has_subnormal

TOOL = Path(__file__).resolve().parents[2] / "tools" / "compare_measurements.py"
sys.path.insert(0, str(TOOL.parent))

from compare_measurements import Compared, explanation, tell_witness, with_ranges  # noqa: E402

FORM = "vdivpd xmm, xmm, xmm"


def test_differences_are_held_against_other_operands(tmp_path: Path) -> None:
    records = tmp_path / "records"
    Campaign(FussyCore(SimulatedCore(load_machine("zen4")), has_subnormal), records, [FORM]).run()
    result = read_results(records).forms[FORM]
    assert result.throughput is not None
    first, second = (pair.cycles.high for pair in result.latencies)
    rate = result.throughput.high
    # One latency and the throughput are those of subnormal operands; the other latency is not a chain's.
    latencies = [("1(Class<VR128>)", "0(Class<VR128>)", 2 * first), ("2(Class<VR128>)", "0(Class<VR128>)", 2 * rate)]
    assert not 0.9 < 2 * rate / (2 * second) < 1.1
    lines = ["llvm,src,dst,min,max", *(f"VDIVPDrr,{a},{b},{cycles},{cycles}" for a, b, cycles in latencies)]
    (tmp_path / "latencies.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "throughputs.csv").write_text(f"llvm,min,max\nVDIVPDrr,{2 * rate},{2 * rate}\n")
    command = [sys.executable, str(TOOL), str(records), "--latencies", str(tmp_path / "latencies.csv")]
    command += ["--throughputs", str(tmp_path / "throughputs.csv"), "--differences", str(tmp_path / "differences.csv")]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "throughput     1 of 1 that differ: as with subnormal operands" in told
    assert "latency        1 of 2 that differ: as with subnormal operands" in told
    assert "latency        1 of 2 that differ: no chain, but the throughput with subnormal operands" in told
    with (tmp_path / "differences.csv").open() as stream:
        rows = {row["what"]: row["explanation"] for row in csv.DictReader(stream)}
    assert rows == {
        "throughput": "as with subnormal operands",
        "2->1": "as with subnormal operands",
        "3->1": "no chain, but the throughput with subnormal operands",
    }


def test_a_difference_of_loops_that_held_other_operands_is_found() -> None:
    """The shorter loop with subnormal operands, the longer without."""
    other = 2 * 11.0 - 15.6
    compared = Compared(
        "f", "2->1", 11.0, 11.0, other, other, True, "", (("subnormal", 15.6, 15.6),), (("fast", 3, 3),)
    )
    assert not compared.agrees(0.1)
    assert explanation(compared, 0.01) == "in one of two unrolled loops with subnormal operands"
    unknown = replace(compared, other_low=8.0, other_high=8.0)
    assert explanation(unknown, 0.01) == ""
    chainless = replace(compared, other_low=3.0, other_high=3.0)
    assert explanation(chainless, 0.01) == "no chain, but the throughput with usual operands"


def test_a_witness_tells_whom_it_agrees_with(capsys: pytest.CaptureFixture[str]) -> None:
    """The other agrees with it twice, of which once here; where it is alone, the witness is with here."""

    def found(form: str, here: float, other: float) -> Compared:
        return Compared(form, "2->1", here, here, other, other, True, "")

    compared = [found("a", 1.0, 1.0), found("b", 3.0, 2.0), found("c", 4.0, 9.0), found("d", 4.0, 4.0)]
    tell_witness(compared, {("a", "2->1"): 1.0, ("b", "2->1"): 2.0, ("c", "2->1"): 4.0}, "ZEN3", 0.05)
    first, second = capsys.readouterr().out.splitlines()
    assert first == "ZEN3 agrees with 2 of the others' latencies: 1 are as here, 50.0 %"
    assert second == "ZEN3 knows 2 of the latencies that differ, and agrees 1 with other, 1 with here"


def test_a_file_that_is_not_there_is_one_message(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    command = [sys.executable, str(TOOL), missing, "--latencies", missing, "--throughputs", missing]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f"{missing}: No such file" in done.stderr


def test_records_are_held_against_a_models_rows(tmp_path: Path) -> None:
    """On the simulated core itself every form is as its row says; rows of other sources do not count."""
    records = tmp_path / "records"
    forms = ["imul r64, r64", "vaddpd xmm, xmm, xmm", "add r64, m64"]
    Campaign(SimulatedCore(load_machine("meteor_lake_p")), records, forms).run()
    command = [sys.executable, str(TOOL), str(records), "--model", "meteor_lake_p"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "throughput all         3 compared,      3 agree, 100.0 %" in told
    assert "latency    all        10 compared,     10 agree, 100.0 %" in told
    nothing = subprocess.run([*command, "--source", "nobody"], check=True, capture_output=True, text=True).stdout
    assert "throughput all         0 compared,      0 agree, 0.0 %" in nothing
    neither = subprocess.run(command[:3], check=False, capture_output=True, text=True)
    assert (neither.returncode, "either --latencies and --throughputs, or --model" in neither.stderr) == (2, True)


def test_bounds_of_chains_through_high_bytes_are_ranges() -> None:
    """The way back from flags takes 3 cycles here: what others found, less one cycle for it, may be 2 too much."""
    back = PairResult("flags", "1", Interval(3.0, 3.0), "linked", True)
    results = Results("some core", "x86", {"setb r8h": FormResult("setb r8h", None, True, (back,))})

    def found(form: str, *pairs: tuple[str, str]) -> list[tuple[float, float]]:
        latencies = tuple(LatencyRange(source, target, 5.0, 5.0) for source, target in pairs)
        ranged = with_ranges(FormMeasurement(form, "", latencies, None), results)
        return [(each.least, each.most) for each in ranged.latencies]

    assert found("add r8h, r8", ("1", "flags"), ("2", "flags"), ("1", "1")) == [(3.0, 5.0), (5.0, 5.0), (5.0, 5.0)]
    assert found("sete r8h", ("flags", "1")) == [(5.0, 5.0)]  # what leads back from there was not measured
    assert found("cmp r8, r8", ("1", "flags")) == [(5.0, 5.0)]
    assert found("nop") == []
