"""Intel's cores before Haswell and after Cascade Lake: they load, and say what is known of them."""

from __future__ import annotations

from functools import cache

import pytest

from corecast import _core
from corecast.analysis import analyze_kernel
from corecast.asm import Kernel
from corecast.machine import Machine, load_machine
from corecast.simulate import simulate_kernel

NAMES = (
    "nehalem", "sandy_bridge", "ivy_bridge", "broadwell", "ice_lake", "ice_lake_x", "tiger_lake", "rocket_lake",
    "alder_lake_p", "alder_lake_e", "sapphire_rapids", "emerald_rapids", "granite_rapids", "meteor_lake_p",
    "meteor_lake_e", "arrow_lake_p", "arrow_lake_e",
)  # fmt: skip

WIDE = ("ice_lake", "tiger_lake", "rocket_lake", "sapphire_rapids", "emerald_rapids", "granite_rapids")


@cache
def machine(name: str) -> Machine:
    return load_machine(name)


def columns(name: str, text: str) -> tuple[str, str, str]:
    """Ports, blocking and latency of the row that an instruction finds, as they stand in the file."""
    listing = _core.assemble("x86", text + "\n", "intel")
    assert not listing.problems, text
    status, found, _ = machine(name).core.lookup(listing.instructions[0])
    assert status != "unknown", text
    assert found is not None
    line = machine(name).core.row(found["form"])
    assert line is not None, f"{text}: derived from other rows"
    fields = line[0].split("\t")
    return fields[1], fields[2], fields[3]


@pytest.mark.parametrize("text", ["add eax, dword ptr [rcx + 4*rdx]", "vaddpd ymm0, ymm1, ymmword ptr [rcx + 8*rdx]"])
def test_an_index_register_takes_no_port_away(text: str) -> None:
    for name in NAMES:
        if name == "nehalem" and text.startswith("v"):
            continue
        ports = columns(name, text)[0]
        assert len(ports.split("+")) == 2 or ports.startswith("2*"), (name, ports)


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_well_formed(name: str) -> None:
    assert machine(name).core.check() == []


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("NHM", "nehalem"), ("sandybridge", "sandy_bridge"), ("IVB", "ivy_bridge"), ("bdw", "broadwell"),
        ("icelake-client", "ice_lake"), ("icx", "ice_lake_x"), ("icelake-server", "ice_lake_x"), ("tgl", "tiger_lake"),
        ("RKL", "rocket_lake"), ("ADL-P", "alder_lake_p"), ("ADL-E", "alder_lake_e"), ("gracemont", "alder_lake_e"),
        ("spr", "sapphire_rapids"), ("emeraldrapids", "emerald_rapids"), ("gnr", "granite_rapids"),
        ("graniterapids", "granite_rapids"), ("MTL-P", "meteor_lake_p"),
        ("MTL-E", "meteor_lake_e"), ("lunarlake", "arrow_lake_p"), ("ARL-E", "arrow_lake_e"),
    ],
)  # fmt: skip
def test_names_of_other_tools(alias: str, name: str) -> None:
    assert load_machine(alias).name == name


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("nehalem", "mov rax, [rsi]", ("1*p2", "", "addr->1:4;mem->1:4")),
        ("nehalem", "mov [rsi], rax", ("1*p3+1*p4", "", "2->mem:4")),
        ("sandy_bridge", "vaddpd ymm1, ymm2, ymm3", ("1*p1", "", "2->1:3;3->1:3")),
        ("sandy_bridge", "jne 1f\n1:", ("1*p5", "", "")),
        ("broadwell", "vfmadd213pd ymm1, ymm2, ymm3", ("1*p01", "", "1->1:5;2->1:5;3->1:5")),
        ("ice_lake", "vshufps ymm1, ymm2, ymm3, 1", ("1*p15", "", "2->1:1;3->1:1")),
        ("ice_lake", "aesenc xmm1, xmm2", ("1*p01", "", "1->1:3;2->1:3")),
        ("ice_lake", "mov [rsi + rdi], rax", ("1*p78+1*p49", "", "2->mem:2")),
        ("ice_lake", "mov rax, rbx", ("1*p0156", "", "2->1:1")),
        ("rocket_lake", "mov rax, rbx", ("", "", "2->1:0")),
        ("ice_lake", "vfmadd213pd zmm1, zmm2, zmm3", ("1*p0", "", "1->1:4;2->1:4;3->1:4")),
        ("ice_lake_x", "vfmadd213pd zmm1, zmm2, zmm3", ("1*p05", "", "1->1:4;2->1:4;3->1:4")),
        ("ice_lake", "vdivpd zmm1, zmm2, zmm3", ("2*p0+1*p5", "DIV:16", "2->1:23;3->1:23")),
        ("sapphire_rapids", "vmovups [rsi], zmm1", ("1*p78+2*p49", "", "2->mem:4")),
        ("sapphire_rapids", "vmulpd ymm1, ymm2, ymm3", ("1*p01", "", "2->1:4;3->1:4")),
        ("granite_rapids", "vmulpd ymm1, ymm2, ymm3", ("1*p01", "", "2->1:3;3->1:3")),
        ("granite_rapids", "vmulpd zmm1, zmm2, zmm3", ("1*p05", "", "2->1:3;3->1:3")),
        ("granite_rapids", "vmaxpd zmm1, zmm2, zmm3", ("1*p05", "", "2->1:4;3->1:4")),
        ("granite_rapids", "vpaddw ymm1{k1}, ymm2, ymm3", ("1*p015", "", "2->1:3;3->1:3;mask->1:3;1->1:3")),
        ("granite_rapids", "vmovq rax, xmm1", ("1*p0", "", "2->1:2")),
        ("granite_rapids", "kmovq rax, k1", ("1*p0", "", "2->1:3")),
        ("granite_rapids", "and rax, rbx", ("1*p0156B", "", "1->1:1;1->flags:1;2->1:1;2->flags:1")),
        ("granite_rapids", "lea rax, [rip + 64]", ("1*p1", "", "")),
        ("meteor_lake_p", "lea rax, [rcx + 2*rdx]", ("1*p016", "", "addr->1:2;index->1:2")),
        ("meteor_lake_p", "vmulpd ymm1, ymm2, ymm3", ("1*p01", "", "2->1:3;3->1:3")),
        ("meteor_lake_p", "add rax, 1", ("", "", "1->1:0;1->flags:1")),
        ("meteor_lake_p", "add rax, rbx", ("1*p0156B", "", "1->1:1;1->flags:1;2->1:1;2->flags:1")),
        ("arrow_lake_p", "imul rax, rbx", ("1*SHIFT", "", "1->1:4;1->flags:4;2->1:3;2->flags:3")),
        ("arrow_lake_p", "movsd xmm1, [rsi]", ("1*LOAD", "", "addr->1:6;mem->1:6")),
        ("alder_lake_e", "vaddpd ymm1, ymm2, [rsi]", ("2*FP+2*LOAD", "", "2->1:3;addr->1:8;mem->1:13")),
        ("alder_lake_e", "push rax", ("1*STORE_ADDRESS+1*STORE_DATA", "", "")),
    ],
)
def test_known_costs(name: str, text: str, expected: tuple[str, str, str]) -> None:
    assert columns(name, text) == expected


@pytest.mark.parametrize("name", WIDE)
def test_no_512_bit_uop_on_port_1(name: str) -> None:
    core = machine(name).core
    wide = [key for key in core.keys() if "zmm" in key]  # noqa: SIM118
    assert len(wide) > 4000
    for key in wide:
        line = core.row(key)
        assert line is not None
        fields = line[0].split("\t")
        ports = fields[1]
        if "llvm" not in fields[8]:  # whose gathers and masked stores have uops for general registers
            assert not any("1" in part.partition("*p")[2] for part in ports.split("+")), key


def test_a_store_and_its_reload_are_joined_when_renamed() -> None:
    """Ice Lake and later: the chain through one address costs the addition alone."""
    addition = Kernel.from_hex("48830601", "x86", is_loop=True)  # add qword ptr [rsi], 1
    assert analyze_kernel(addition, machine("ice_lake")).prediction.cycles_per_iteration == pytest.approx(1, abs=0.01)
    assert analyze_kernel(addition, machine("tiger_lake")).prediction.cycles_per_iteration == pytest.approx(1, abs=0.01)
    assert analyze_kernel(addition, load_machine("skylake")).prediction.cycles_per_iteration == pytest.approx(
        5.43, abs=0.01
    )


def test_256_bit_loads_of_sandy_bridge_share_a_unit_in_the_simulator() -> None:
    loads = Kernel.from_hex("c5fc280ec5fc285620", "x86", is_loop=True)  # vmovaps ymm1, [rsi]; vmovaps ymm2, [rsi + 32]
    for name, cycles in (("sandy_bridge", 2), ("haswell", 1)):
        assert simulate_kernel(loads, load_machine(name)).cycles_per_iteration == pytest.approx(cycles, abs=0.05)
