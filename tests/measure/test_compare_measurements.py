"""tools/compare_measurements.py tells where others measured what is measured here with other operands."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

from corecast import load_machine
from corecast.measure import SimulatedCore
from corecast.measure.campaign import Campaign
from corecast.measure.results import read_results
from measure.test_operand_values import FussyCore, has_subnormal

TOOL = Path(__file__).resolve().parents[2] / "tools" / "compare_measurements.py"
FORM = "vdivpd xmm, xmm, xmm"


def test_differences_are_held_against_other_operands(tmp_path: Path) -> None:
    records = tmp_path / "records"
    Campaign(FussyCore(SimulatedCore(load_machine("zen4")), has_subnormal), records, [FORM]).run()
    result = read_results(records).forms[FORM]
    assert result.throughput is not None
    first, second = (pair.cycles.high for pair in result.latencies)
    rate = result.throughput.high
    # One latency and the throughput are those of subnormal operands; the other latency is no chain's.
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
    assert "latency        1 of 2 that differ: no chain, but the throughput of subnormal operands" in told
    with (tmp_path / "differences.csv").open() as stream:
        rows = {row["what"]: (row["values"], row["throughput_of"]) for row in csv.DictReader(stream)}
    assert rows["throughput"][0] == "subnormal"
    assert rows["2->1"] == ("subnormal", "")
    assert rows["3->1"] == ("", "subnormal")
