"""Patterns find the forms that people mean."""

from __future__ import annotations

import pytest

from corecast.cli.lookup import forms_meant
from corecast.cli.main import main
from corecast.machine.opcodes import form_of_opcode
from corecast.machine.patterns import matching_keys
from corecast.machine.types import Isa

KEYS = (
    "add r64, r64",
    "add r64, r64 @same",
    "add r64, i8",
    "vaddpd ymm, ymm, ymm",
    "vaddpd zmm, zmm, zmm",
    "vaddps ymm, ymm, ymm",
    "ldr q, [x, #i]!",
)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("add r64, r64", ["add r64, r64", "add r64, r64 @same"]),
        ("add", ["add r64, r64", "add r64, r64 @same", "add r64, i8"]),
        ("vaddp", ["vaddpd ymm, ymm, ymm", "vaddpd zmm, zmm, zmm", "vaddps ymm, ymm, ymm"]),
        ("ADDPD zmm", ["vaddpd zmm, zmm, zmm"]),
        ("vaddp? ymm*", ["vaddpd ymm, ymm, ymm", "vaddps ymm, ymm, ymm"]),
        ("*[x, #i]!", ["ldr q, [x, #i]!"]),
        ("ldr q, [x, #i]!", ["ldr q, [x, #i]!"]),
        ("VADDPD  YMM,YMM , YMM", ["vaddpd ymm, ymm, ymm"]),
        ("nothing", []),
        ("*.*", []),
    ],
)
def test_pattern_finds(pattern: str, found: list[str]) -> None:
    assert matching_keys([KEYS], pattern) == found


def test_keys_of_several_machines_come_once() -> None:
    assert matching_keys([("a r64", "b r64"), ("b r64", "c r64")], "r64") == ["a r64", "b r64", "c r64"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("vadd.vv @m2,e64", ["vadd.vv v, v, v @m2,e64"]),
        ("vadd.vv v, v, v @m2,e64", ["vadd.vv v, v, v @m2,e64"]),
        ("vadd.vv @m2", ["vadd.vv v, v, v @m2"]),
        ("add a0, a1, a2", ["add x, x, x"]),
        ("frobnicate", []),
    ],
)
def test_forms_that_no_table_has_are_found_too(pattern: str, found: list[str]) -> None:
    """A row of a register group is that of each element width; an instruction stands for its form."""
    tables = [["vadd.vv v, v, v @m1", "vadd.vv v, v, v @m2", "vadd.vv v, v, v @m4"]]
    assert forms_meant({"riscv64": tables}, pattern) == {"riscv64": found}


@pytest.mark.parametrize("pattern", ["VADDPD ymm0,ymm1,ymm2", "vaddpd %ymm0, %ymm1, %ymm2"])
def test_an_instruction_stands_for_its_form_in_both_syntaxes(pattern: str) -> None:
    assert forms_meant({"x86": [KEYS]}, pattern) == {"x86": ["vaddpd ymm, ymm, ymm"]}


def test_keys_belong_to_their_instruction_set() -> None:
    tables = {"x86": [["nop", "add r64, r64"]], "aarch64": [["nop", "add x, x, x"]]}
    assert forms_meant(tables, "nop") == {"x86": ["nop"], "aarch64": ["nop"]}  # type: ignore[arg-type]
    assert forms_meant(tables, "add x, x, x") == {"x86": [], "aarch64": ["add x, x, x"]}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("swpal", ["swpal w, w, [x]", "swpal x, x, [x]"]),
        ("bfmmla v.4s", ["bfmmla v.4s, v.8h, v.8h"]),
        ("fcvtzs v, v, zz", []),
    ],
)
def test_forms_without_rows_are_found_without_decoding_the_instruction_set(
    pattern: str, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decoding takes 10 seconds on AArch64."""

    def fail(isa: str) -> list[object]:
        raise AssertionError(isa)

    monkeypatch.setattr("corecast._core.enumerate_forms", fail)
    assert sorted(forms_meant({"aarch64": [["add x, x, x"]]}, pattern)["aarch64"]) == found


@pytest.mark.parametrize(
    ("isa", "name", "form"),
    [
        ("x86", "ADD64rr", "add r64, r64"),
        ("x86", "VFMADD213PDYm", "vfmadd213pd ymm, ymm, m256"),
        ("x86", "ADD", "ADD"),  # a mnemonic
        ("x86", "ADD64RR", "ADD64RR"),
        ("x86", "add r64, r64", "add r64, r64"),
        ("riscv64", "FADD_D", "fadd.d f, f, f"),
    ],
)
def test_an_opcode_of_llvms_is_its_form(isa: Isa, name: str, form: str) -> None:
    assert form_of_opcode(name, isa) == form


def test_lookup_and_measure_take_opcodes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "IMUL64rr", "--cpu", "zen4"]) == 0
    assert "imul r64, r64\n" in capsys.readouterr().out
    assert main(["measure", "form", "IMUL64rr", "--simulated", "skylake_x"]) == 0
    assert "imul r64, r64" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["vdivpd ymm, ymm, ymm", "vpgatherdd ymm, vmymm, ymm", "cmpxchg16b m128"])
def test_nothing_is_wider_than_the_terminal_or_lost(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown(columns: int) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["lookup", form, "--cpu", "skylake_x", "--cpu", "zen4"]) == 0
        return capsys.readouterr().out

    narrow, wide = shown(80), shown(1000)
    assert max(map(len, narrow.splitlines())) <= 80
    heading, _, *rows = wide.splitlines()
    assert len(rows) == 2
    starts = [heading.index(column) for column in heading.split()]
    for row in rows:
        cells = [row[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]
        for cell in cells:
            assert all(part in narrow for part in cell.replace("+", ";").replace(",", ";").split(";"))
