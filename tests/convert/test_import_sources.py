"""What each origin's own files become: forms that assemble, with the figures that the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.convert.importers.exegesis import import_exegesis
from corecast.convert.importers.osaca_model import PortNames, import_osaca
from corecast.convert.importers.uops_info_model import import_uops_info
from corecast.convert.importers.winic_model import import_winic
from corecast.errors import CorecastError, InputError, MachineModelError, UnknownCpuError
from corecast.machine.llvm.model import find_llvm_cpu, import_llvm
from corecast.machine.making.imported import Imported

DATA = Path(__file__).resolve().parent.parent / "data" / "imports"
XML = DATA / "instructions.xml"


def lines(imported: Imported) -> dict[str, list[str]]:
    """Columns behind the form."""
    return {form: row.to_line().split("\t")[1:] for form, row in imported.rows.items()}


# --- uops.info -------------------------------------------------------------------------------------------------------


def test_xml_entries_become_forms_with_ports_latency_and_uops() -> None:
    rows = lines(import_uops_info(XML, "SKL"))
    assert rows["vfmadd213pd ymm, ymm, m256"][:4] == ["1*p01+1*p23", "", "1->1:4;2->1:4;addr->1:12;mem->1:9", "1/2/1"]
    assert rows["vfmadd213pd ymm, ymm, m256 @indexed"][3] == "2"
    assert rows["lea r64, m3"][:3] == ["1*p1", "", "addr->1:3"]
    assert rows["div r64"][1] == "DIV:21"
    assert "locked" in rows["lock add m64, r64"][5]
    assert rows["xor r64, r64 @same"][5] == "zero_idiom"
    assert rows["add r64, r64"][5].startswith("fusible:ja|jae|")


def test_masks_broadcasts_and_rounding_of_xml_entries() -> None:
    rows = lines(import_uops_info(XML, "TOY"))
    assert rows["vaddpd zmm{k}{z}, zmm, m512bcst"][0] == "1*p05+1*p23"
    assert rows["vaddpd zmm{k}{z}, zmm, m512bcst"][2] == "mask->1:4;2->1:4;addr->1:11"
    assert rows["vaddpd zmm, zmm, zmm, {rn-sae}"][2] == "2->1:4;3->1:5", "of a range the upper end counts"
    assert rows["vaddpd zmm, zmm, zmm, {rn-sae}"][6] == "0.5"


def test_a_core_that_the_xml_lacks_is_told_with_those_it_has() -> None:
    with pytest.raises(InputError, match=r"no measurement of 'ZEN9'; it has SKL, TOY"):
        import_uops_info(XML, "ZEN9")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<root><extension><instruction", r"instructions\.xml:1: is not XML"),
        ("<html><body/></html>", "is not an instructions.xml of uops.info"),
        ("", "is not XML"),
        ('<root><instruction string="X (R64)"><architecture name="SKL"><measurement uops="many"/></architecture>'
         "</instruction></root>", "a value is malformed"),
        ('<root><instruction string="X (R64)"><architecture name="SKL"><measurement uops="1e999"/></architecture>'
         "</instruction></root>", "a value is malformed: inf is not a figure"),
        ('<root><instruction><architecture name="SKL"><measurement uops="1"/></architecture></instruction></root>',
         "a value is malformed"),
    ],
)  # fmt: skip
def test_a_wrong_xml_file_is_one_message(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "instructions.xml"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        import_uops_info(path, "SKL")


# --- LLVM ------------------------------------------------------------------------------------------------------------


def test_llvm_model_of_a_cpu_has_its_ports_and_widths() -> None:
    imported = import_llvm("sifive-P450")
    assert imported.pipeline.dispatch_width == 3
    assert "IEXQ0" in imported.pipeline.ports
    assert imported.rows["add x, x, x"].ports == ((1.0, "IntArith"),)
    assert imported.pipeline.groups["IntArith"] == ("IEXQ0", "IEXQ1", "IEXQ2")
    assert imported.rows["div x, x, x"].blocking
    assert "vfmacc.vv v, v, v @m2" in imported.rows or "vfmacc.vv v, v, v @m2,e64" in imported.rows


def test_aliases_of_llvm_are_told() -> None:
    cpu = find_llvm_cpu("cortex-a76")
    assert cpu is not None
    assert "cortex-a72" in cpu.shared_with
    assert "so it may be that of another core" in cpu.notes[1]
    assert find_llvm_cpu("generic") is None


def test_a_cpu_without_a_scheduling_model() -> None:
    with pytest.raises(UnknownCpuError, match="has no scheduling model for 'i486'"):
        import_llvm("i486")


# --- OSACA -----------------------------------------------------------------------------------------------------------

OSACA = """
osaca_version: 0.5.0
micro_architecture: Made Up
arch_code: mu
isa: {isa}
ROB_size: 128
load_latency: {{gpr: 4.0, ymm: 7.0, x: 4.0, q: 6.0}}
load_throughput_default: [[1, ['2', '3']], [1, ['2D', '3D']]]
store_throughput_default: [[1, ['4']]]
ports: ['0', 0DV, '1', '2', 2D, '3', 3D, '4']
instruction_forms:
{forms}
"""
DIVIDE = """
- name: vdivpd
  operands: [{class: register, name: ymm}, {class: register, name: ymm}, {class: register, name: ymm}]
  latency: 13
  throughput: 8.0
  port_pressure: [[1, '0'], [8, [0DV]]]
"""
ADD = """
- name: [fadd, fsub]
  operands:
  - {class: register, prefix: v, shape: d, lanes: 2}
  - {class: register, prefix: v, shape: d, lanes: 2}
  - {class: register, prefix: v, shape: d, lanes: 2}
  latency: 2
  throughput: 0.5
  port_pressure: [[1, '01']]
"""


def osaca(tmp_path: Path, isa: str, forms: str) -> Path:
    pytest.importorskip("yaml", reason="PyYAML is needed for importing only")
    path = tmp_path / "mu.yml"
    path.write_text(OSACA.format(isa=isa, forms=forms))
    return path


def test_osaca_x86_entries(tmp_path: Path) -> None:
    imported = import_osaca(osaca(tmp_path, "x86", DIVIDE))
    assert lines(imported)["vdivpd ymm, ymm, ymm"][:3] == ["1*p0", "0DV:8", "*->1:13"]
    assert imported.pipeline.ports == ("0", "1", "2", "3", "4")
    assert imported.pipeline.units == {"0DV": "0"}
    assert imported.pipeline.usages == {
        "loads.ports": "1*p23", "loads.vector_ports": "1*p23", "stores.address_ports": "1*p4",
    }  # fmt: skip


def test_osaca_aarch64_patterns_become_every_form_they_fit(tmp_path: Path) -> None:
    rows = lines(import_osaca(osaca(tmp_path, "AArch64", ADD)))
    assert set(rows) == {"fadd v.2d, v.2d, v.2d", "fsub v.2d, v.2d, v.2d"}
    assert rows["fadd v.2d, v.2d, v.2d"][:3] == ["1*p01", "", "*->1:2"]


@pytest.mark.parametrize(
    ("isa", "forms", "message"),
    [
        ("sparc", DIVIDE, "isa is 'sparc'"),
        ("x86", "- name: vdivpd\n  operands: 3\n", "an entry is malformed"),
        ("x86", DIVIDE.replace("[[1, '0']", "[[1, '9']"), r"no entry .*: vdivpd \(ymm, ymm, ymm\): .*: port 9 is not"),
        ("x86", "- {", "mu.yml:.*: is not YAML"),
        ("x86", "- name: nothing\n  operands: []\n", "no entry that is an instruction form"),
    ],
)
def test_a_wrong_osaca_file_is_one_message(tmp_path: Path, isa: str, forms: str, message: str) -> None:
    with pytest.raises(CorecastError, match=message) as caught:
        import_osaca(osaca(tmp_path, isa, forms))
    assert isinstance(caught.value, InputError | MachineModelError)


@pytest.mark.parametrize("pressure", ["[1, ['0'], [1, '2']]", "[1, '9']", "1", "[x, '0']"])
def test_an_osaca_entry_whose_ports_cannot_be_read_is_left_out(tmp_path: Path, pressure: str) -> None:
    """As `[1, ['10', '11'], [1, '13']]`, a bracket that went astray: OSACA's file of Zen 4 has five such entries."""
    wrong = DIVIDE.replace("vdivpd", "vdivps").replace("[1, '0']", pressure)
    imported = import_osaca(osaca(tmp_path, "x86", DIVIDE + wrong))
    assert list(imported.rows) == ["vdivpd ymm, ymm, ymm"]
    assert imported.entries == 2
    [(entry, reason)] = imported.unmapped
    assert entry == "vdivps (ymm, ymm, ymm)"
    assert reason.startswith("its port pressure cannot be read: ")


def test_osaca_loads_go_to_ports_that_give_their_data() -> None:
    names = PortNames(["1", "1D", "3", "3D", "5", "5D", "9"])
    assert names.pressure([[1, "135"], [1, ["1D", "3D"]], [1, "9"]])[0] == (1, ("1", "3"))
    assert names.pressure([[1, "135"], [1, ["1D", "3D", "5D"]]])[0] == (1, ("1", "3", "5"))
    assert names.pressure([[2, "135"], [1, ["1D", "3D"]]])[0] == (2, ("1", "3", "5"))


def test_dividers_and_data_ports_of_osaca() -> None:
    names = PortNames(["0", "DV0", "8DV", "8", "10", "2", "2D", "13"])
    assert names.ports == ("0", "8", "10", "2", "13")
    assert names.place(("2D",)) == ""
    assert names.place(("8", "10")) == "8|10"
    assert names.place(("0", "2")) == "p02"
    assert names.units() == {"DV0": "0", "8DV": "8"}
    with pytest.raises(ValueError, match="port 135 is not"):
        names.place(("135",))  # no data of port 13


# --- WINIC -----------------------------------------------------------------------------------------------------------

WINIC = """---
- llvmName:        MADDXrrr
  name:            madd
  operands:
    - class:           register
      name:            GPR64
      read:            false
      write:           true
  operandLatencies:
    - sourceOperand:   '1'
      targetOperand:   '0'
      latencyMin:      2
      latencyMax:      2
  throughput:      1
  throughputMin:   1
  throughputMax:   1
"""


def test_winic_gives_latencies_and_no_ports(tmp_path: Path) -> None:
    path = tmp_path / "core.yaml"
    path.write_text(WINIC)
    assert lines(import_winic([path], "aarch64"))["madd x, x, x, x"] == [
        "?", "", "2->1:2", "", "", "", "1", "winic:core", "measured",
    ]  # fmt: skip


def test_a_winic_file_of_another_instruction_set(tmp_path: Path) -> None:
    path = tmp_path / "core.yaml"
    path.write_text(WINIC)
    with pytest.raises(InputError, match="no opcode that is an instruction of riscv64"):
        import_winic([path], "riscv64")


@pytest.mark.parametrize("cycles", ["1e999", "nan", "many"])
def test_a_winic_figure_that_is_none(tmp_path: Path, cycles: str) -> None:
    path = tmp_path / "core.yaml"
    path.write_text(WINIC.replace("latencyMax:      2", f"latencyMax: {cycles}"))
    assert cycles in path.read_text()
    with pytest.raises(InputError, match="a figure is malformed"):
        import_winic([path], "aarch64")


def test_a_gzip_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "core.yaml.gz"
    path.write_bytes(b"no gzip")
    with pytest.raises(InputError, match="is not compressed text"):
        import_winic([path], "aarch64")


# --- llvm-exegesis ---------------------------------------------------------------------------------------------------


def test_exegesis_documents_of_one_form_come_together() -> None:
    pytest.importorskip("yaml", reason="PyYAML is needed for importing only")
    imported = import_exegesis([DATA / "exegesis.yaml"])
    assert lines(imported) == {
        "imul r64, r64": ["?", "", "*->1:3;*->flags:3", "1", "", "", "1", "exegesis:skylake", "measured"]
    }
    assert imported.unmapped == [("CPUID", "was not measured")]
    assert imported.entries == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\n", "document 1 is not a measurement of llvm-exegesis"),
        ("mode: latency\nkey: {instructions: [NOP]}\nllvm_triple: sparc-linux\n", "instruction set 'sparc-linux'"),
        ("", "no measurement"),
    ],
)
def test_a_wrong_exegesis_file_is_one_message(tmp_path: Path, text: str, message: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is needed for importing only")
    path = tmp_path / "measured.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        import_exegesis([path])
