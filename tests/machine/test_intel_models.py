"""The models of Haswell, Skylake, Skylake-X and Cascade Lake: they load, and say what is known of these cores."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from corecast import _core
from corecast.machine import Machine, load_machine

NAMES = ("haswell", "skylake", "skylake_x", "cascade_lake")


@cache
def machine(name: str) -> Machine:
    return load_machine(name)


def keys_of(name: str) -> list[str]:
    keys = machine(name).core.keys()
    return list(keys)


def row(name: str, text: str) -> dict[str, Any]:
    """The row that an instruction finds, without derivation from other rows."""
    listing = _core.assemble("x86", text + "\n", "intel")
    assert not listing.problems, text
    instruction = listing.instructions[0]
    status, found, _ = machine(name).core.lookup(instruction)
    assert status != "unknown", text
    assert found is not None
    assert machine(name).core.row(found["form"]) is not None, f"{text}: derived from other rows"
    return found


def columns(name: str, text: str) -> tuple[str, str, str]:
    """Ports, blocking and latency as they stand in the file."""
    found = row(name, text)
    line = machine(name).core.row(found["form"])
    assert line is not None
    fields = line[0].split("\t")
    return fields[1], fields[2], fields[3]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_well_formed(name: str) -> None:
    assert machine(name).core.check() == []


@pytest.mark.parametrize("name", NAMES)
def test_eight_ports_and_a_divider(name: str) -> None:
    assert machine(name).ports == tuple("01234567")
    assert "DIV" in machine(name).units


@pytest.mark.parametrize(
    ("alias", "name"),
    [("SKX", "skylake_x"), ("skylake-avx512", "skylake_x"), ("csx", "cascade_lake"), ("cascadelake", "cascade_lake"),
     ("HSW", "haswell"), ("skl", "skylake")],
)  # fmt: skip
def test_names_of_other_tools(alias: str, name: str) -> None:
    assert load_machine(alias).name == name


@pytest.mark.parametrize("name", NAMES)
def test_keys_are_forms_that_exist(name: str) -> None:
    """Every key is one that reading code produces."""
    known = {form.form for form in _core.enumerate_forms("x86")}
    keys = {key.partition(" @")[0] for key in keys_of(name)}
    # Condition codes and 32-bit locked operations are not all enumerated; whether they exist, assembling them tells.
    unlisted = keys - known
    assert [key for key in unlisted if not re.match(r"(cmov|set|j)[abceglnops]+ |lock |lea r\d+, m3", key)] == []


@pytest.mark.parametrize(
    ("text", "ports", "blocking", "latency"),
    [
        ("add rbx, rcx", "1*p0156", "", "1->1:1;1->flags:1;2->1:1;2->flags:1"),
        ("imul rbx, rcx", "1*p1", "", "1->1:3;1->flags:3;2->1:3;2->flags:3"),
        ("lea rbx, [rcx + 8]", "1*p15", "", "addr->1:1"),
        ("lea rbx, [rcx + rdx]", "1*p15", "", "addr->1:1"),
        ("lea rbx, [rcx + rdx + 8]", "1*p1", "", "addr->1:3"),
        ("mov rbx, [rsi]", "1*p23", "", "addr->1:5;mem->1:2"),
        ("mov [rsi], rbx", "1*p237+1*p4", "", "2->mem:2"),
        ("mov [rsi + rdi], rbx", "1*p23+1*p4", "", "2->mem:2"),
        ("movaps xmm1, [rsi]", "1*p23", "", "addr->1:6;mem->1:4"),
        ("vmovaps ymm1, [rsi]", "1*p23", "", "addr->1:7;mem->1:5"),
        ("movq rbx, xmm1", "1*p0", "", "2->1:2"),
        ("movq xmm1, rbx", "1*p5", "", "2->1:2"),
        ("vfmadd213pd ymm1, ymm2, ymm3", "1*p01", "", "1->1:4;2->1:4;3->1:4"),
        ("vfmadd213pd ymm1, ymm2, [rsi]", "1*p01+1*p23", "", "1->1:4;2->1:4;addr->1:11;mem->1:9"),
        ("vdivpd ymm1, ymm2, ymm3", "1*p0", "DIV:8", "2->1:13;3->1:13"),
    ],
)
@pytest.mark.parametrize("name", ["skylake", "skylake_x", "cascade_lake"])
def test_known_costs_of_skylake(name: str, text: str, ports: str, blocking: str, latency: str) -> None:
    assert columns(name, text) == (ports, blocking, latency)


def test_known_costs_of_haswell() -> None:
    assert columns("haswell", "vfmadd213pd ymm1, ymm2, ymm3") == ("1*p01", "", "1->1:5;2->1:5;3->1:5")
    assert columns("haswell", "addpd xmm1, xmm2") == ("1*p1", "", "1->1:3;2->1:3")
    assert columns("haswell", "movq rbx, xmm1") == ("1*p0", "", "2->1:1")  # one cycle each way: nothing taken off


@pytest.mark.parametrize("name", NAMES)
def test_indexed_operand_parts_a_load_from_a_vex_operation(name: str) -> None:
    """Three-operand forms un-laminate; a form whose destination is a source stays fused."""
    plain, indexed = (row(name, f"vaddpd ymm1, ymm2, [{address}]") for address in ("rsi", "rsi + rdi"))
    assert (plain["uops"], indexed["uops"]) == ((1, 2, 1), (2, 2, 2))
    assert row(name, "add rbx, [rsi + rdi]")["uops"] == (1, 2, 1)


@pytest.mark.parametrize("name", NAMES)
def test_zero_idioms_and_eliminated_moves(name: str) -> None:
    assert "zero_idiom" in row(name, "xor ebx, ebx")["flags"]
    assert "zero_idiom" in row(name, "vpxor xmm1, xmm2, xmm2")["flags"]
    assert "eliminated" in row(name, "mov rbx, rcx")["flags"]
    assert "dep_breaking" in row(name, "pcmpeqd xmm1, xmm1")["flags"]


@pytest.mark.parametrize("name", ["skylake_x", "cascade_lake"])
@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("vfmadd213pd zmm1, zmm2, zmm3", "1*p05"),
        ("vpaddd zmm1, zmm2, zmm3", "1*p05"),
        ("vpmullw zmm1, zmm2, zmm3", "1*p05"),
        ("vpslld zmm1, zmm2, 3", "1*p0"),
        ("vpminsd zmm1, zmm2, zmm3", "1*p0"),
        ("vpermd zmm1, zmm2, zmm3", "1*p5"),
        ("vaddpd ymm17, ymm2, ymm3", "1*p01"),
        ("vaddpd zmm1 {k1}, zmm2, zmm3", "1*p05"),
        ("vpmullw zmm1 {k1}, zmm2, zmm3", "1*p0"),
        ("vaddpd zmm1, zmm2, qword ptr [rsi]{1to8}", "1*p05+1*p23"),
        ("kandw k1, k2, k3", "1*p0"),
        ("kaddw k1, k2, k3", "1*p5"),
        ("vpcmpd k1, zmm2, zmm3, 1", "1*p5"),
    ],
)
def test_ports_of_avx512(name: str, text: str, ports: str) -> None:
    """Port 1 is closed at 512 bits; what else of p01 moves to port 5 is measured."""
    assert columns(name, text)[0] == ports


@pytest.mark.parametrize("name", ["skylake_x", "cascade_lake"])
def test_no_512_bit_uop_on_port_1(name: str) -> None:
    core = machine(name).core
    for key in keys_of(name):
        if "zmm" in key and not key.startswith("vpconflict"):
            line = core.row(key)
            assert line is not None
            ports = line[0].split("\t")[1]
            assert not any(part.endswith(("p01", "p015", "p15", "*p1")) for part in ports.split("+")), line[0]


@pytest.mark.parametrize("name", ["skylake_x", "cascade_lake"])
def test_masks_are_sources(name: str) -> None:
    assert columns(name, "vaddpd zmm1 {k1}, zmm2, zmm3")[2] == "2->1:4;3->1:4;mask->1:4;1->1:4"
    assert columns(name, "vaddpd zmm1 {k1} {z}, zmm2, zmm3")[2] == "2->1:4;3->1:4;mask->1:4"
    assert columns(name, "vcvtdq2pd zmm1 {k1}, ymmword ptr [rsi]")[2].endswith("mask->1:4;1->1:4")


def test_dividers_at_512_bits() -> None:
    assert [columns("skylake_x", f"vdiv{kind} zmm1, zmm2, zmm3")[1] for kind in ("ps", "pd")] == ["DIV:10", "DIV:16"]


def test_gathers_under_a_mitigation() -> None:
    """The measured Skylake-X takes 25 to 28 cycles, and so do all cores with that microcode."""
    text = "vgatherdpd ymm1, [rsi + xmm2*8], ymm3"
    for cpu in ("skylake", "skylake_x", "cascade_lake", "ice_lake_x"):
        assert columns(cpu, text)[1] == "SERIAL:28"
    assert columns("haswell", text)[1] == ""


@pytest.mark.parametrize("name", NAMES)
def test_branches(name: str) -> None:
    """Taken on port 6; not taken on port 0 as well, which the analysis takes away where a loop closes."""
    assert [columns(name, text)[0] for text in ("jmp 1f\n1:", "jne 1f\n1:")] == ["1*p6", "1*p06"]


@pytest.mark.parametrize("name", ["haswell", "skylake"])
def test_no_avx512_where_there_is_none(name: str) -> None:
    assert not [key for key in keys_of(name) if "zmm" in key or "{k}" in key]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_names_its_source(name: str) -> None:
    core = machine(name).core
    for key in keys_of(name):
        line = core.row(key)
        assert line is not None
        *_, source, confidence = line[0].split("\t")
        assert source, key
        assert confidence in ("measured", "documented", "derived", "assumed"), key
