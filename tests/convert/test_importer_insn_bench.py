"""insn_bench's test names become forms, and its figures those of the forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.convert.importers import insn_bench
from corecast.errors import MachineModelError

NAMES = {
    "ldr (imm; ofs = 16)": "ldr x, [x, #i]",
    "ldr (reg; <<3)": "ldr x, [x, x, lsl #3]",
    "ldrb (imm; ofs = 0)": "ldrb w, [x, #i]",
    "ldr.q (imm; ofs = 0)": "ldr q, [x, #i]",
    "ldp (w; ofs = 0; 1st elem)": "ldp w, w, [x, #i]",
    "add (reg<<2)": "add x, x, x, lsl #1..4",
    "add (reg<<17)": "add x, x, x, lsl #i",
    "add (reg>>17; signed)": "add x, x, x, asr #i",
    "mov / movz (imm; 0x1ffc)": "mov x, #i",
    "lsl (reg) / lslv": "lsl x, x, x",
    "ccmp (imm; eq)": "ccmp x, #i, #i, cond",
    "smaddl": "smaddl x, w, w, x",
    "fmla.s (vec; acc. fwd.)": "fmla v.4s, v.4s, v.4s",
    "fmla.d (elem; [1])": "fmla v.2d, v.2d, v.d[i]",
    "fmadd.d": "fmadd d, d, d, d",
    "saddl2.b": "saddl2 v.8h, v.16b, v.16b",
    "saddw.h": "saddw v.8h, v.8h, v.8b",
    "addhn.d": "addhn v.2s, v.2d, v.2d",
    "xtn.h": "xtn v.8b, v.8h",
    "addv.b": "addv b, v.16b",
    "saddlv.h": "saddlv s, v.8h",
    "shl.b (imm; <<2)": "shl v.16b, v.16b, #i",
    "sqshl.s (reg; <<2)": "sqshl v.4s, v.4s, v.4s",
    "cmeq.d (zero)": "cmeq v.2d, v.2d, #i",
    "tbl (len == 3)": "tbl v.16b, {v.16b, v.16b, v.16b}, v.16b",
    "ld3.h (multi)": "ld3 {v.8h, v.8h, v.8h}, [x]",
    "ld2.d (single; [1])": "ld2 {v.d, v.d}[i], [x]",
    "fcvtl2 (s -> d)": "fcvtl2 v.2d, v.4s",
    "sdot.b (vec)": "sdot v.4s, v.16b, v.16b",
}


@pytest.mark.parametrize("name", NAMES)
def test_form_of_a_test(name: str) -> None:
    assert insn_bench.form_of(name) == NAMES[name]


def test_a_name_that_is_no_instruction_has_no_form() -> None:
    assert insn_bench.form_of("frobnicate.d (vec)") is None


def _file(folder: Path, lines: str) -> Path:
    path = folder / "bench.csv"
    path.write_text("section,instruction,core:latency_cy,core:throughput_ipc\n" + lines, encoding="utf-8")
    return path


def test_figures(tmp_path: Path) -> None:
    """Latency, accumulator and throughput of one form come from two lines; noise of a measurement is rounded off."""
    lines = "Floating,fmla.d (vec),4.01,2.00\nFloating,fmla.d (vec; acc. fwd.),1.99,-\n"
    found = insn_bench.figures(_file(tmp_path, lines), "core")
    assert found == {
        "fmla v.2d, v.2d, v.2d": insn_bench.Figure("fmla v.2d, v.2d, v.2d", 4.0, 2.0, 0.5),
    }


def test_figures_that_are_not_one_instruction_are_left_out(tmp_path: Path) -> None:
    lines = (
        "Branch,b (pc+4),4.9,0.2\n"
        "Scalar load,ldr (imm; ofs = 0; unaligned),12,1\n"
        "Scalar store-to-load,str -> ldr (ofs = 0 -> ofs = 0),5.5,1\n"
        "Vector element move,mov.d (v.d[0] <-> x),7,-\n"
        "Scalar nop and move,mov / movz (imm; 0x00),-,4\n"
        "Scalar integer add,rmif,n/a,n/a\n"
        "Scalar shift and bit maniplation,extr (imm; >>17),1.00,3.00\n"
    )
    assert insn_bench.figures(_file(tmp_path, lines), "core") == {}


def test_unknown_machine(tmp_path: Path) -> None:
    with pytest.raises(MachineModelError, match="no machine 'other'"):
        insn_bench.figures(_file(tmp_path, ""), "other")
