"""Reading the A64FX manual's instruction list: its notation, and which entry a form has."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.convert.importers.a64fx_forms import Form
from corecast.convert.importers.a64fx_lookup import Manual
from corecast.convert.importers.a64fx_manual import Entry, read_manual
from corecast.convert.importers.a64fx_rows import row_from_entry
from corecast.errors import MachineModelError
from corecast.machine.rows import Row

HEADER = "table,instruction,alias_or_option,uops,checkmarks(seqdec/presync/postsync),blocking,latency,pipeline\n"
ROWS = """\
base,ADD (immediate),,1,0,,1,EX* | EAG*
base,ADD (shifted register),<amount> = 0,1,0,,1,EX* | EAG*
base,ADD (shifted register),<amount> = [1-4] && <shift>=LSL,1,0,P,1+1,(EXA + EXA) | (EXB + EXB)
base,ADD (shifted register),,1,0,P,2+1,(EXA + EXA) | (EXB + EXB)
base,LDR (immediate),Pre-index,2,0,,5/1,EAG* / EX*| EAG*                                       1
base,LDR (immediate),Unsigned offset,1,0,,5,EAG*                                               1
base,LDADD,,4,1,,1 / [1]5 / [1]1 / [1]NA,EAG* / EAGA / EXA / EXA                               1            1
base,MADD,,2,0,,5 / [1]1,EXA / EXA
simdfp,ADD (vector),,1,0,,4,FL*
simdfp,FDIV (vector),<T> = {2S|4S},1,0,E,29,FLA
simdfp,FDIV (vector),<T> = 2D,1,0,E,43,FLA
simdfp,FMLA (by element),,2,1,,"6 / [1]9",FLA / FL*                                            2
simdfp,FMLA (vector),,1,0,,9,FL*                                                               2
simdfp,LD1 (single structure),No offset,2,1,,8/6,EAG* / FLA                                    1
simdfp,SMINV,<Ta> = 2D,3,1,,"6 / 6 / [1,2]9",FLB / FLA / FL*
simdfp,SMINV,<Ta> = 2D,3,1,,"6 / 6 / [1,2]9",FLB / FLB / FL*
simdfp,SQADD,Scalar <Va> = D,3,1,,6 / [1]9 / [1]4,FLA / FL* / FL*
sve,CMPEQ (vectors),,1,0,,4,"PRX, FLA"
sve,FADDV,<V> = D             128,3,1,,"4 / [1]6 / [1,2]9",FL* / FLA / FL*
sve,FADDV,256,5,1,,"4 / ([1]6 / [1,2]9) x 2",FL* / (FLA / FL*) x 2
sve,FADDV,512,7,1,,"4 / ([1]6 / [1,2]9) x 3",FL* / (FLA / FL*) x 3
sve,LD1D (scalar plus scalar),,1,0,,11,EAG*                                                    1
sve,LD1D (scalar plus vector),,1,0,,"1+3+4+Pipe(11, 2)","EXA + NULL + FLA +Pipe((EAGA & EAGB), 2)            4      1"
sve,LD2B (scalar plus scalar),,3,0,,"1 / [1/2]((Pipe(11, 4)) x 2","EAG* / (Pipe(EAGA, 4) | Pipe(EAGB, 4)) x 2      8"
sve,ST1D (scalar plus scalar),,1,0,,"NA, NA","EAG*, FLA                 1      1"
sve,WHILELO,,1,0,,1+3,EXA + PRX
"""


@pytest.fixture
def manual(tmp_path: Path) -> list[Entry]:
    (tmp_path / "list.csv").write_text(HEADER + ROWS)
    return read_manual(tmp_path / "list.csv")


def row(manual: list[Entry], text: str) -> Row:
    instruction = _core.assemble("aarch64", text + "\n").instructions[0]
    form = Form(instruction.form)
    entry = Manual(manual).find(form)
    assert entry is not None, form.key
    return row_from_entry(form, entry, instruction)


def columns(row: Row) -> tuple[str, str, str, str]:
    fields = row.to_line().split("\t")
    return fields[1], fields[2], fields[3], fields[4]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add x1, x2, #3", ("1*ALU", "", "*->1:1", "1")),
        ("add x1, x2, x3", ("1*ALU", "", "*->1:1", "1")),
        ("add x1, x2, x3, lsl #3", ("2*EX", "", "*->1:2", "1")),
        ("add x1, x2, x3, lsr #7", ("3*EX", "", "*->1:3", "1")),
        ("ldr x1, [x2, #8]", ("1*EAG+1*LS", "", "*->1:5", "1")),
        ("ldr x1, [x2, #8]!", ("1*EAG+1*LS+1*ALU", "", "*->1:5;addr->addr:1", "2")),
        ("madd x1, x2, x3, x4", ("2*EXA", "", "*->1:6;4->1:1", "2")),
        ("fdiv v1.2d, v2.2d, v3.2d", ("1*FLA", "FLE:43", "*->1:43", "1")),
        ("fdiv v1.4s, v2.4s, v3.4s", ("1*FLA", "FLE:29", "*->1:29", "1")),
        ("fmla v1.2d, v2.2d, v3.2d", ("1*FL", "", "*->1:9", "1")),
        ("fmla v1.2d, v2.2d, v3.d[1]", ("1*FLA+1*FL", "", "*->1:15;1->1:9;2->1:9", "8/2/8")),
        ("ld1 {v1.d}[1], [x2]", ("1*EAG+1*LS+1*FLA", "", "*->1:14;1->1:6", "8/2/8")),
        ("cmpeq p1.d, p2/z, z3.d, z4.d", ("1*PR+1*FLA", "EXA:1", "*->1:4;*->flags:4", "1")),
        ("faddv d1, p2, z3.d", ("4*FL+3*FLA", "", "*->1:49", "28/7/28")),
        ("ld1d {z1.d}, p2/z, [x3, x4, lsl #3]", ("1*EAG+1*LS", "", "*->1:11", "1")),
        ("st1d {z1.d}, p2, [x3, x4, lsl #3]", ("1*EAG+1*FLA+1*LS0+1*LS1", "", "", "1")),
        ("whilelo p1.d, x2, x3", ("1*EXA+1*PR", "EXA:1", "*->1:4;*->flags:4", "1")),
        ("ldadd x1, x2, [x3]", ("1*EAG+1*EAGA+2*LS0+2*EXA+1*LS1", "", "*->2:6", "16/4/16")),
    ],
)
def test_rows(manual: list[Entry], text: str, expected: tuple[str, str, str, str]) -> None:
    assert columns(row(manual, text)) == expected


def test_gathers_use_both_address_pipes_and_wait_longest_for_the_scalar_base(manual: list[Entry]) -> None:
    ports, _, latency, slots = columns(row(manual, "ld1d {z1.d}, p2/z, [x3, z4.d, lsl #3]"))
    assert ports == "1*EXA+1*FLA+2*EAGA+2*EAGB+2*LS0+2*LS1"
    assert latency == "*->1:20;index->1:16;2->1:16"
    assert slots == "4/1/4"


def test_repeated_groups_wait_for_the_first_micro_op(manual: list[Entry]) -> None:
    entry = next(entry for entry in manual if entry.instruction.startswith("LD2B"))
    assert [micro_op.waits_for for micro_op in entry.micro_ops] == [(), (1,), (2,)]
    assert entry.finish_cycles() == [1.0, 15.0, 15.0]


def test_shifted_labels_are_put_back(manual: list[Entry]) -> None:
    names = [entry.instruction for entry in manual if entry.option == "<Ta> = 2D"]
    assert names == ["SMLAL, SMLAL2 (by element)", "SMLAL, SMLAL2 (vector)"]


def test_rows_of_unknown_owner_are_left_out(manual: list[Entry]) -> None:
    assert not any(entry.instruction == "SQADD" for entry in manual)


def test_vectors_of_other_lengths_do_not_fit(manual: list[Entry]) -> None:
    entry = Manual(manual).find(Form("faddv d, p, z.d"))
    assert entry is not None
    assert entry.option == "512"


def test_forms_without_entry_have_none(manual: list[Entry]) -> None:
    assert Manual(manual).find(Form("fsqrt d, d")) is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("base,ADC,,1,0,,1\n", "7 fields instead of eight"),
        ("base,ADC,,1,0,,1,EXC\n", "ADC: 'EXC'"),
        ("base,ADC,,one,0,,1,EX*\n", "ADC"),
    ],
)
def test_malformed_rows_name_their_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "list.csv"
    file.write_text(HEADER + line)
    with pytest.raises(MachineModelError, match=message) as caught:
        read_manual(file)
    assert str(caught.value).startswith(f"{file}:2: ")
