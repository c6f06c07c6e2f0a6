"""Reading rvv-bench's reciprocal throughputs."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from corecast.convert.importers.rvv_bench import instruction_names, read_measurements
from corecast.errors import MachineModelError

HEADER = "core,mode,instruction,sew_lmul,cycles_per_insn\n"
LINES = """\
x60,vl=VLMAX ta ma,"add t0,t1,t2",e8m1,0.62
x60,vl=VLMAX ta ma,"vadd.vv v8,v16,v24",e32m1,1.00
x60,vl=VLMAX tu mu,"vadd.vv v8,v16,v24",e32m1,3.00
x60,vl=VLMAX ta mu,"vadd.vv v8,v16,v24",e32m1,1.02
x60,vl=1 ta ma,"vadd.vv v8,v16,v24",e32m1,9.00
x60,vl=VLMAX ta ma,"vadd.vv v8,v16,v24,v0.t",e32mf2,2.00
x60,vl=VLMAX ta ma,"vlse64.v v8,(t2),t3",e64m2,8.00
x60,vl=VLMAX ta ma,"vlse64.v v8,(t2),x0",e64m2,4.00
x60,vl=VLMAX ta ma,"vlse64.v v8,(t2),t1/*-1*/",e64m2,5.00
x60,vl=VLMAX ta ma,"vnothing.vv v8,v16,v24",e64m2,5.00
x100,vl=VLMAX ta ma,"vadd.vv v8,v16,v24",e32m1,0.50
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "bench.csv"
    file.write_text(text)
    return file


def test_runs_at_full_length_are_taken_together_by_form_and_shape(tmp_path: Path) -> None:
    found = read_measurements(write(tmp_path, HEADER + LINES), "x60")
    assert found["vadd.vv v, v, v"] == {("m1", 32): 1.02}
    assert found["vadd.vv v, v, v, v0.t"] == {("mf2", 32): 2.0}
    assert found["add x, x, x"] == {("m1", 8): 0.62}


def test_special_strides_do_not_stand_for_the_general_one(tmp_path: Path) -> None:
    assert read_measurements(write(tmp_path, HEADER + LINES), "x60")["vlse64.v v, (x), x"] == {("m2", 64): 8.0}


def test_instructions_that_nobody_knows_are_left_out(tmp_path: Path) -> None:
    assert not any("nothing" in form for form in read_measurements(write(tmp_path, HEADER + LINES), "x60"))


def test_compressed_files_read_alike(tmp_path: Path) -> None:
    packed = tmp_path / "bench.csv.gz"
    with gzip.open(packed, "wt") as file:
        file.write(HEADER + LINES)
    assert read_measurements(packed, "x60") == read_measurements(write(tmp_path, HEADER + LINES), "x60")


def test_names_of_vector_instructions(tmp_path: Path) -> None:
    names = instruction_names(write(tmp_path, HEADER + LINES))
    assert names[:2] == ["vadd.vv v8,v16,v24", "vadd.vv v8,v16,v24,v0.t"]
    assert "add t0,t1,t2" not in names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            HEADER + 'x60,vl=VLMAX ta ma,"vadd.vv v8,v16,v24",m1e32,1\n',
            r":2: 'm1e32' is not an element width and group",
        ),
        (HEADER + 'x60,vl=VLMAX ta ma,"vadd.vv v8,v16,v24",e32m1,fast\n', r":2: 'fast' is not a number of cycles"),
        (HEADER + "x60,vl=VLMAX ta ma\n", r":2: a line of another length"),
        (HEADER + LINES.replace("x60", "c910"), r"no measurement of 'x60'"),
        ("core,cycles\n", r":1: the columns are not core, mode"),
    ],
)
def test_malformed_files_name_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MachineModelError, match=message):
        read_measurements(write(tmp_path, text), "x60")
