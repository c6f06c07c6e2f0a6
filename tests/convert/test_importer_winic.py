"""WINIC's files: operand numbers of MCInst become operands of ours, ranges stay ranges."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corecast import _core
from corecast.convert.importers import winic, winic_files
from corecast.errors import MachineModelError
from corecast.machine import rows
from corecast.machine.rows import Latency


class Form:
    """An entry of the enumeration."""

    def __init__(self, isa: str, opcode: str, text: str, syntax: str = "") -> None:
        instruction = _core.assemble(isa, text, syntax).instructions[0]
        assert not instruction.unknown, text
        self.opcode, self.code, self.form = opcode, instruction.bytes, instruction.form


Pairs = dict[str, float | None]


def measured(isa: str, opcode: str, text: str, latencies: str, **classes: str) -> Pairs:
    """The exact latencies of one instruction by "source->destination"."""
    form = Form(isa, opcode, text, "intel" if isa == "x86" else "")
    pairs = [re.split("->|:", pair) for pair in latencies.split()]
    values = tuple((source, destination, float(cycles), float(cycles)) for source, destination, cycles in pairs)
    places = {name.strip("_"): value for name, value in classes.items()}
    entry = winic_files.Measurement(opcode, values, (0.25, 0.5), places)
    found = winic.form_measurements(isa, {opcode: entry}, [form])  # type: ignore[list-item]
    return {f"{pair.source}->{pair.destination}": pair.exact for pair in found[form.form].latencies}


def test_a_tied_use_has_a_number_of_its_own() -> None:
    pairs = measured("x86", "ADC64rr", "adc rbx, rcx", "1->0:1 2->0:2 EFLAGS->0:3 2->EFLAGS:4")
    assert pairs == {"1->1": 1, "2->1": 2, "flags->1": 3, "2->flags": 4}


def test_the_mask_stands_behind_the_tied_operand() -> None:
    latencies = "1->0:1 2->0:2 3->0:3 4->0:4"
    merging = measured("x86", "VADDPDZrrk", "vaddpd zmm1{k1}, zmm2, zmm3", latencies)
    assert merging == {"1->1": 1, "mask->1": 2, "2->1": 3, "3->1": 4}
    zeroing = measured("x86", "VADDPDZrrkz", "vaddpd zmm1{k1}{z}, zmm2, zmm3", latencies[:-7])
    assert zeroing == {"mask->1": 1, "2->1": 2, "3->1": 3}


def test_registers_in_the_encoding_are_operands_where_the_form_names_them() -> None:
    assert measured("x86", "ADC64i32", "adc rax, 0x12345678", "RAX->RAX:1") == {"1->1": 1}
    assert measured("x86", "MUL64r", "mul rbx", "0->RDX:4 RAX->RAX:3") == {"1->rdx": 4, "rax->rax": 3}


def test_a_register_class_that_does_not_fit_drops_the_pair() -> None:
    assert measured("x86", "ADC64rr", "adc rbx, rcx", "1->0:1", _1="VR128X") == {}


def test_exchange_has_two_definitions_and_two_tied_uses() -> None:
    assert measured("x86", "XADD64rr", "xadd rbx, rcx", "2->1:1 3->0:2") == {"1->2": 1, "2->1": 2}


def test_aarch64_merging_predicates_stand_before_the_tied_operand() -> None:
    pairs = measured("aarch64", "FMLA_ZPmZZ_D", "fmla z0.d, p0/m, z1.d, z2.d", "2->0:2 3->0:4 1->0:3")
    assert pairs == {"1->1": 2, "3->1": 4, "2->1": 3}
    assert measured("aarch64", "ADD_ZPmZ_D", "add z0.d, p0/m, z0.d, z1.d", "2->0:2 3->0:4") == {"1->1": 2, "4->1": 4}
    assert measured("aarch64", "FABS_ZPmZ_D", "fabs z0.d, p0/m, z1.d", "1->0:1 3->0:2") == {"1->1": 1, "3->1": 2}


def test_aarch64_lanes_take_a_place() -> None:
    assert measured("aarch64", "INSvi64gpr", "mov v0.d[1], x3", "1->0:1 3->0:5") == {"1->1": 1, "2->1": 5}


def test_riscv_operands_follow_the_text() -> None:
    assert measured("riscv64", "FMADD_D", "fmadd.d f1, f2, f3, f4", "1->0:5 3->0:3") == {"2->1": 5, "4->1": 3}


def test_yaml_numbers_leave_out_the_tied_use(tmp_path: Path) -> None:
    file = tmp_path / "core.yaml"
    file.write_text(
        "---\n- llvmName:        FMLAv2f64\n  name:            fmla.2d\n  operands:\n"
        "    - class:           register\n      name:            FPR128\n"
        "      read:            true\n      write:           true\n"
        "  latency:         4\n  operandLatencies:\n"
        "    - sourceOperand:   '0'\n      targetOperand:   '0'\n"
        "      latencyMin:      2\n      latencyMax:      2\n"
        "    - sourceOperand:   FPCR\n      targetOperand:   '0'\n"
        "      latencyMin:      null\n      latencyMax:      null\n"
        "  throughput:      0.5\n  throughputMin:   0.5\n  throughputMax:   0.5\n"
    )
    entry = winic_files.read_yaml(file)["FMLAv2f64"]
    assert entry.latencies == (("1", "0", 2.0, 2.0),)
    assert entry.throughput == (0.5, 0.5)


def test_csv_lines_that_do_not_fit_are_named(tmp_path: Path) -> None:
    latencies, throughputs = tmp_path / "lat.csv", tmp_path / "tp.csv"
    throughputs.write_text("llvm,min,max\nADC64rr,0.25,0.5\n")
    latencies.write_text("llvm,src,dst,min,max\nADC64rr,1(Class<GR64>),0(Class<GR64>),1.01,1.02\n")
    assert winic_files.read_csv(latencies, throughputs)["ADC64rr"].throughput == (0.25, 0.5)
    latencies.write_text("llvm,src,dst,min,max\nADC64rr,one,0(Class<GR64>),1,1\n")
    with pytest.raises(MachineModelError, match=r"lat\.csv:2: operand 'one'"):
        winic_files.read_csv(latencies, throughputs)


def test_ranges_limit_what_another_origin_says() -> None:
    other = [Latency("*", "1", 4), Latency("2", "flags", 9)]
    limits = (("1", "1", 1, 3), ("2", "1", 5, 5.1), ("2", "flags", 1, 12))
    ranges = [winic.LatencyRange(*limit) for limit in limits]
    refined = winic.refine(other, ranges)
    assert refined is not None
    assert [str(pair) for pair in refined] == ["*->1:4", "2->flags:9", "1->1:3", "2->1:5"]
    assert winic.refine(None, [winic.LatencyRange("1", "1", -0.05, 0.01)]) is None


def test_rounding_finds_simple_fractions() -> None:
    measured_cycles = (1.03, 0.503, 0.337, 0.251, 17.9, 7.83, 3.35)
    assert [rows.rounded(cycles) for cycles in measured_cycles] == [1, 0.5, 0.333, 0.25, 18, 7.83, 3.333]


@pytest.mark.parametrize("cycles", [0.0, -0.0, -10.25])
def test_a_throughput_that_no_instruction_can_have_is_unknown(cycles: float) -> None:
    form = Form("x86", "ADD64rr", "add rcx, rdx", "intel")
    entry = winic_files.Measurement("ADD64rr", (("1", "0", 1.0, 1.0),), (0.25, cycles), {})
    (made,) = winic.rows_from_winic("x86", {"ADD64rr": entry}, "winic:x", [form])  # type: ignore[list-item]
    assert made.reciprocal_throughput_cycles is None
    assert made.latency
