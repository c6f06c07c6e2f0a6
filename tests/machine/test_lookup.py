"""From decoded instructions to rows."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.machine import Lookup, load_machine, look_up
from corecast.machine.lookup import entry_row, look_up_forms
from toy_machines import toy


def found(line: str, machine: str = "toy_x86") -> Lookup:
    model = toy(machine)
    (instruction,) = _core.assemble(model.isa, line + "\n", "intel" if model.isa == "x86" else "").instructions
    return look_up(model, instruction)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("add rax, rbx", "add r64, r64"),
        ("xor eax, eax", "xor r32, r32 @same"),
        ("xor eax, ebx", "xor r32, r32"),
        ("mov [rax], rbx", "mov m64, r64"),
        ("mov [rax+8*rcx], rbx", "mov m64, r64 @indexed"),
    ],
)
def test_known_forms(line: str, form: str) -> None:
    result = found(line)
    assert result.status == "known"
    assert result.entry is not None
    assert result.entry["form"] == form


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("add rax, [rbx]", "like add r64, r64, plus a load"),
        ("add [rax], rbx", "like add r64, r64, plus a load and a store"),
        ("add rax, 0x12345", "like add r64, i8"),
        ("add ebx, ecx", "like add r64, r64"),
        ("vaddpd zmm0 {k1}, zmm1, zmm2", "like vaddpd zmm, zmm, zmm, masked"),
        ("vaddpd zmm0, zmm1, qword ptr [rax]{1to8}", "like vaddpd zmm, zmm, zmm, plus a load"),
        ("je .L1", "like jne rel"),
        ("vfmadd213pd ymm0, ymm1, ymm2", "like vfmadd231pd ymm, ymm, ymm"),
    ],
)
def test_derived_forms_say_how(line: str, note: str) -> None:
    result = found(line)
    assert (result.status, result.note) == ("derived", note)
    assert result.entry is not None
    assert result.entry["confidence"] == "derived"


def test_the_preferred_spelling_stands_for_the_plain_one() -> None:
    result = found("mov w1, w2", "toy_aarch64")
    assert result.status == "known"
    assert result.entry is not None
    assert result.entry["form"] == "orr w, w, w"


def test_write_back_is_a_uop_of_its_own() -> None:
    result = found("ldr q0, [x1, #0x10]!", "toy_aarch64")
    assert result.entry is not None
    assert result.entry["ports"] == ((1.0, ("L0", "L1")), (1.0, ("I0", "I1")))
    assert ("addr", "addr", 1.0) in result.entry["latency"]
    assert ("addr", "1", 6.0) in result.entry["latency"]


def test_unknown_forms_come_with_the_nearest_known_ones() -> None:
    result = found("imul rax, rbx, 77")
    assert result.status == "unknown"
    assert result.entry is None
    assert result.nearest_forms[0] == "imul r64, r64"


def test_unknown_values_are_none() -> None:
    entry = toy("toy_x86").core.find("mystery r64, r64")
    assert entry is not None
    assert entry["ports"] is None
    assert entry["latency"] is None
    assert entry["rthroughput"] == 7.0


@pytest.mark.parametrize(
    ("name", "key", "status", "note"),
    [
        ("sifive_p670", "vfmacc.vv v, v, v @m2,e64", "known", "row of vfmacc.vv v, v, v @m2"),
        ("sifive_p670", "vle64.v v, (x) @m4,e64", "known", "row of vle64.v v, (x) @m4"),
        ("zen2", "add r64, m64 @indexed", "known", "row of add r64, m64"),
        ("zen2", "vaddpd ymm, ymm, ymm", "known", ""),
        (
            "neoverse_n1",
            "uhadd z.d, p/m, z.d, z.d",
            "unknown",
            "needs SVE2 or SME, which neoverse_n1 does not have",
        ),
    ],
)
def test_a_form_is_answered_as_its_instructions_are(name: str, key: str, status: str, note: str) -> None:
    answer = look_up_forms(load_machine(name), [key])[key]
    assert (answer.status, answer.note) == (status, note)


def test_a_derived_form_is_written_like_a_row() -> None:
    model = toy("toy_x86")
    answer = look_up_forms(model, ["add r64, m64"])["add r64, m64"]
    assert (answer.status, answer.note) == ("derived", "like add r64, r64, plus a load")
    assert answer.entry is not None
    row = entry_row(model, answer.entry)
    assert (row.ports, row.confidence) == ("1*p0156+1*p23", "derived")
    assert "addr->1:" in row.latency


def test_a_form_that_no_instruction_has_is_left_out() -> None:
    assert look_up_forms(toy("toy_x86"), ["frobnicate r64"]) == {}
