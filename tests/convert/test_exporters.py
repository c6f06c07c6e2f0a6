"""Exported models: what other tools read says what the model says."""

from __future__ import annotations

import ast
import json
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from corecast.convert.exporters.gem5 import gem5_python
from corecast.convert.exporters.mca_json import mca_json
from corecast.convert.exporters.operands import split_form
from corecast.convert.exporters.osaca import osaca_yaml
from corecast.convert.importers.osaca_model import import_osaca
from corecast.errors import InputError
from corecast.machine import load_machine
from toy_machines import toy

CORES = ("skylake", "zen2", "neoverse_n1")


@pytest.mark.parametrize("name", CORES)
def test_what_osaca_gets_comes_back_through_the_importer(name: str, tmp_path: Path) -> None:
    """The exporter and the importer agree on OSACA's format: ports, dividers and latency of plain forms return."""
    pytest.importorskip("yaml", reason="PyYAML is needed for importing only")
    machine = load_machine(name)
    path = tmp_path / f"{name}.yml"
    path.write_text(osaca_yaml(machine))
    imported = import_osaca(path)
    assert imported.isa == machine.isa
    assert set(machine.ports) == set(imported.pipeline.ports)
    checked = 0
    for form in ("add r64, r64", "imul r64, r64", "vdivpd ymm, ymm, ymm", "fadd v.2d, v.2d, v.2d", "mul x, x, x"):
        entry: Any = machine.core.find(form)
        if entry is None:
            continue
        row = imported.rows[form]
        assert sum(count for count, _ in row.ports or ()) == sum(count for count, _ in entry["ports"])
        assert [cycles for _, cycles in row.blocking] == [cycles for cycles, _ in entry["blocking"]]
        checked += 1
    assert checked >= 2


@pytest.mark.parametrize("name", ["a64fx", "skylake"])
def test_every_port_that_a_form_takes_is_among_the_ports(name: str) -> None:
    """Units stand in port usages too (A64FX's accesses of the cache), and ports in blocking cycles."""
    text = osaca_yaml(load_machine(name))
    (listed,) = re.findall(r"^ports: (.*)$", text, re.MULTILINE)
    used = re.findall(r"^(?: *port_pressure|\w+_throughput_default): (.*)$", text, re.MULTILINE)
    assert len(used) > 1000
    assert {each for line in used for each in re.findall(r'"(\w+)"', line)} <= set(json.loads(listed))


@pytest.mark.filterwarnings("ignore")
def test_osaca_itself_loads_a_model_and_analyzes_a_kernel(tmp_path: Path) -> None:
    semantics = pytest.importorskip("osaca.semantics", reason="OSACA is not installed")
    parsers = pytest.importorskip("osaca.parser")
    path = tmp_path / "skylake.yml"
    path.write_text(osaca_yaml(load_machine("skylake")))
    parser = parsers.ParserX86ATT()
    model = semantics.MachineModel(path_to_yaml=str(path))
    meaning = semantics.ArchSemantics(parser, model)
    kernel = parser.parse_file("vaddpd %ymm1, %ymm0, %ymm0\nvmovupd (%rdi), %ymm2\naddq $32, %rdi\n")
    meaning.normalize_instruction_forms(kernel)
    meaning.add_semantics(kernel)
    assert [form.latency for form in kernel] == [4, 7, 1]
    assert max(meaning.get_throughput_sum(kernel)) == pytest.approx(0.75, abs=0.01)


def test_osaca_has_no_riscv() -> None:
    with pytest.raises(InputError, match="OSACA has no RISC-V"):
        osaca_yaml(load_machine("spacemit_x60"))


@pytest.mark.parametrize("name", [*CORES, "spacemit_x60"])
def test_gem5_python_runs_and_describes_every_unit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Parameters:
        def __init__(self, **fields: object) -> None:
            self.__dict__.update(fields)

    objects = types.ModuleType("m5.objects")
    for each in ("BaseO3CPU", "FUDesc", "FUPool", "OpDesc"):
        setattr(objects, each, type(each, (Parameters,), {}))
    monkeypatch.setitem(sys.modules, "m5", types.ModuleType("m5"))
    monkeypatch.setitem(sys.modules, "m5.objects", objects)
    text = gem5_python(load_machine(name))
    names: dict[str, Any] = {}
    exec(compile(ast.parse(text), name, "exec"), names)
    pool = next(value for key, value in names.items() if key.endswith("FUPool") and key != "FUPool")
    latencies = {op.opClass: op.opLat for unit in pool.FUList for op in unit.opList}
    assert latencies["IntAlu"] == 1
    assert {"MemRead", "MemWrite", "IntMult", "FloatAdd"} <= set(latencies)
    assert {"SimdShift", "SimdCmp", "SimdCvt", "SimdFloatCmp", "SimdFloatCvt", "SimdFloatSqrt"} <= set(latencies)
    assert ("SimdReduceAdd" in latencies) == (name in ("neoverse_n1", "spacemit_x60"))
    if name == "skylake":
        assert latencies["FloatMultAcc"] == 4
        division = [op for unit in pool.FUList for op in unit.opList if op.opClass == "FloatDiv"]
        assert [op.pipelined for op in division] == [False] * len(division)
        cpu = names["Skylake"]
        assert (cpu.numROBEntries, cpu.issueWidth, cpu.numIQEntries) == (224, 8, 86)
        assert (cpu.numPhysIntRegs, cpu.numPhysVecRegs) == (180, 168)
    if name == "neoverse_n1":  # one scheduler of 120 entries, given in a list of schedulers
        assert names["NeoverseN1"].numIQEntries == 120


def test_mca_json_has_a_class_for_every_form_with_figures() -> None:
    document = json.loads(mca_json(toy("toy_x86")))
    machine = toy("toy_x86")
    forms = [form for each in document["SchedClasses"] for form in each["Forms"]]
    assert len(forms) == len(set(forms)) == len(machine.keys()) - document["FormsWithoutPortsOrLatency"]
    resources = {each["Name"]: each for each in document["ProcResources"]}
    add = next(each for each in document["SchedClasses"] if "add r64, r64" in each["Forms"])
    (use,) = add["WriteProcRes"]
    assert resources[use["Resource"]]["SubUnits"] == ["0", "1", "5", "6"]
    assert add["Latency"] == 1


def test_a_source_of_less_latency_is_a_read_advance() -> None:
    document = json.loads(mca_json(load_machine("skylake")))
    fma = next(each for each in document["SchedClasses"] if "vfmadd231pd ymm, ymm, m256" in each["Forms"])
    assert fma["Latency"] > 4
    assert {each["Source"]: each["Cycles"] for each in fma["ReadAdvance"]}["1"] == fma["Latency"] - 4


@pytest.mark.parametrize(
    ("form", "parts"),
    [
        ("lock add m64, r64", ("lock add", ["m64", "r64"])),
        ("ldr q, [x, #i]!", ("ldr", ["q", "[x, #i]!"])),
        ("vaddpd zmm{k}{z}, zmm, m512 @indexed", ("vaddpd", ["zmm{k}{z}", "zmm", "m512"])),
        ("ret", ("ret", [])),
    ],
)
def test_forms_come_apart(form: str, parts: tuple[str, list[str]]) -> None:
    assert split_form(form) == parts
