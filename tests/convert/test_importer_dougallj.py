"""Dougall Johnson's snippets: the tested instruction, the operand pair that a chain runs through, throughputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.convert.importers.dougallj import Figures, figures
from corecast.errors import MachineModelError

HEADER = "core,insn_file,test,code,n_insn,cycles_per_code,consistent"


def read(tmp_path: Path, *lines: str) -> dict[str, Figures]:
    file = tmp_path / "blocks.csv"
    file.write_text("\n".join((HEADER, *lines)) + "\n")
    return figures(file, "firestorm")


def latency(tmp_path: Path, file: str, code: str, cycles: float) -> dict[tuple[int, int], list[float]]:
    found = read(tmp_path, f'firestorm,{file},Test 2: Latency,"{code}",1,{cycles},1')
    return next(iter(found.values())).latencies if found else {}


def test_one_instruction_that_feeds_itself(tmp_path: Path) -> None:
    assert latency(tmp_path, "ADD_reg_64", "add x0, x1, x0", 1.0035) == {(3, 1): [1.0]}


def test_an_instruction_that_feeds_itself_twice_tells_no_pair(tmp_path: Path) -> None:
    assert latency(tmp_path, "ADD_reg_64", "add x0, x0, x0", 1.0035) == {}


def test_helpers_are_subtracted(tmp_path: Path) -> None:
    load = "ldr x0, [x6]; eor x8, x8, x0; eor x8, x8, x0; add x6, x6, x8"
    assert latency(tmp_path, "LDR_64", load, 7.005) == {(65, 1): [4.0]}


def test_flags_are_an_operand(tmp_path: Path) -> None:
    assert latency(tmp_path, "CMP_reg_64", "cmp x0, x1; cset x1, cc", 2.0035) == {(2, 67): [1.0]}


def test_constants_break_chains_and_cost_nothing(tmp_path: Path) -> None:
    assert latency(tmp_path, "BFI_64", "add x1, x0, x0; mov x0, 0; bfi x0, x1, #3, #7", 2.0035) == {(2, 1): [1.0]}


def test_ways_between_register_files_are_subtracted(tmp_path: Path) -> None:
    load = "ldr q0, [x6]; fmov x0, d0; eor x8, x8, x0; eor x8, x8, x0; add x6, x6, x8"
    assert latency(tmp_path, "LDR_Q", load, 12.005) == {(65, 1): [5.0]}


def test_a_negative_remainder_is_no_latency(tmp_path: Path) -> None:
    assert latency(tmp_path, "ADD_reg_64", "add x0, x1, x2; add x1, x0, x3", 0.5) == {}


def test_throughput_counts_tested_instructions_only(tmp_path: Path) -> None:
    code = "movi v0.16b, 0; mla v0.2s, v8.2s, v9.2s; movi v1.16b, 0; mla v1.2s, v8.2s, v9.2s"
    found = read(tmp_path, f'firestorm,MLA_v_2S,Test 5: throughput,"{code}",4,0.5,1')
    assert found["mla v.2s, v.2s, v.2s"].throughputs == [0.25]


def test_branches_and_encoded_words(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        'firestorm,ADRP,Test 2: throughput,".word 0x90000020; .word 0x90000021",2,1.0,1',
        'firestorm,CBZ_taken,Test 2: throughput,"cbz x0, .+4; cbz x0, .+4",2,2.0,1',
    )
    assert {form: figure.throughputs for form, figure in found.items()} == {
        "adrp x, rel": [0.5],
        "cbz x, rel": [1.0],
    }


def test_other_cores_and_inconsistent_tests_are_left_out(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        'firestorm,ADD_reg_64,Test 2: Latency,"add x0, x0, x1",1,1,1',
        'firestorm,SUB_reg_64,Test 2: Latency,"sub x0, x0, x1",1,5,0',
        'icestorm,AND_reg_64,Test 2: Latency,"and x0, x0, x1",1,1,1',
    )
    assert list(found) == ["add x, x, x"]


def test_faulty_files_are_told(tmp_path: Path) -> None:
    file = tmp_path / "blocks.csv"
    for text, complaint in (
        ("core,code\nfirestorm,nop\n", "no column insn_file"),
        (f"{HEADER}\nfirestorm,ADD,Test 2: Latency,nop,1,fast,1\n", "cycles_per_code is not a number"),
        (f"{HEADER}\n", "no measurement of 'firestorm'"),
    ):
        file.write_text(text)
        with pytest.raises(MachineModelError, match=complaint):
            figures(file, "firestorm")
