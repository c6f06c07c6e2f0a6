"""PMTestBench's mapping: schemes become forms, an unknown port usage stays unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast.convert.importers.pmtestbench import PortSets, example_of, rows_from_pmtestbench
from corecast.errors import MachineModelError


def named(usage: PortSets) -> tuple[tuple[float, str], ...]:
    return tuple((count, "".join(map(str, ports))) for ports, count in usage)


def test_schemes_become_forms(tmp_path: Path) -> None:
    file = tmp_path / "mapping.json"
    entry = {"portusage": [[[6, 7], 1], [[4, 5], 1]], "itp": 0.5015, "numuops": 2, "numuops_unadjusted": 1}
    unknown = {"portusage": [], "itp": 2.0, "numuops": 2, "numuops_unadjusted": 4}
    file.write_text(
        json.dumps({"data": {"add RW:GPR:64, qword ptr R:MEM(64)": entry, "rol RW:GPR:32, R:cl": unknown}}),
        encoding="utf-8",
    )
    rows = rows_from_pmtestbench(file, "source", named)
    assert rows["add r64, m64"].ports == ((1, "67"), (1, "45"))
    assert rows["add r64, m64"].uops == (1, 2, 1)
    assert rows["add r64, m64"].reciprocal_throughput_cycles == 0.5
    assert rows["rol r32, cl"].ports is None
    assert rows["rol r32, cl"].flags == ("microcoded",)


def test_registers_of_one_example_differ() -> None:
    assert example_of("vaddpd W:YMM0..15, R:YMM0..15, R:YMM0..15") == "vaddpd ymm1, ymm2, ymm3"
    assert example_of("mov R:something odd") == ""


def test_a_file_that_is_no_mapping_is_named(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(MachineModelError, match=r"other\.json.*no table named data"):
        rows_from_pmtestbench(file, "source", named)
