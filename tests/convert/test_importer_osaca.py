"""OSACA's x86 entries become rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.convert.importers.osaca import rows_from_osaca
from corecast.errors import MachineModelError
from corecast.machine.rows import Latency

pytest.importorskip("yaml", reason="PyYAML is needed for importing only")

TEXT = """
instruction_forms:
- name: vdivpd
  operands: [{class: register, name: ymm}, {class: register, name: ymm}, {class: register, name: ymm}]
  latency: 13
  throughput: 8.0
  uops: 1
  port_pressure: [[1, '0'], [8, [0DV]]]
- name: [cmovle, cmovg]
  operands: [{class: register, name: gpr}, {class: register, name: gpr}]
  latency: 2
  throughput: 1
  port_pressure: [[2, '06']]
- name: vaddpd
  operands:
  - {class: memory, base: gpr, offset: imd, index: gpr, scale: 8}
  - {class: register, name: ymm}
  - {class: register, name: ymm}
  latency: ~
  throughput: 0.5
  port_pressure: ~
- name: unheardof
  operands: []
  latency: 1
  throughput: 1
  port_pressure: []
"""


def port_name(names: tuple[str, ...]) -> str:
    return "unit:DIV" if names[0] == "0DV" else "p" + "".join(names)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "core.yml"
    file.write_text(TEXT, encoding="utf-8")
    return file


def test_ports_blocking_and_latency(path: Path) -> None:
    row = rows_from_osaca(path, "osaca:test", port_name).rows["vdivpd ymm, ymm, ymm"]
    assert (row.ports, row.blocking, row.uops) == (((1, "p0"),), (("DIV", 8),), (1, 1, 1))
    assert row.latency == (Latency("*", "1", 13),)
    assert row.reciprocal_throughput_cycles == 8


def test_every_name_and_size_that_assembles(path: Path) -> None:
    rows = rows_from_osaca(path, "osaca:test", port_name).rows
    assert {f"{name} r{bits}, r{bits}" for name in ("cmovle", "cmovg") for bits in (16, 32, 64)} <= set(rows)
    assert "cmovg r8, r8" not in rows


def test_unknown_stays_unknown(path: Path) -> None:
    row = rows_from_osaca(path, "osaca:test", port_name).rows["vaddpd ymm, ymm, m256 @indexed"]
    assert row.ports is None
    assert row.latency is None
    assert row.uops is None


def test_entries_without_a_form_are_told(path: Path) -> None:
    result = rows_from_osaca(path, "osaca:test", port_name)
    assert (result.entries, result.unmapped) == (4, ["unheardof ()"])


def test_no_machine_file(tmp_path: Path) -> None:
    file = tmp_path / "other.yml"
    file.write_text("ports: [0]\n", encoding="utf-8")
    with pytest.raises(MachineModelError, match="instruction_forms"):
        rows_from_osaca(file, "osaca:test", port_name)
