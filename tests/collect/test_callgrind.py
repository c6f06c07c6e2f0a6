"""What callgrind's dumps say."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.collect import callgrind
from corecast.collect.blocks import NO_FILE, Reasons
from corecast.errors import InputError

OBJECT = Path(__file__).resolve().parents[2] / "examples" / "three_loops.o"

DUMP = f"""\
# callgrind format
positions: instr line
events: Ir

ob={OBJECT}
fl=three.c
fn=f
0x0 7 2
cfn=g
calls=2 0x4 0
0x3 8 900
0x3 8 2
fe=inlined.h
0x5 30 2
fl=three.c
fn=g'2
0x0 9 5

ob=/usr/libexec/valgrind/vgpreload_core-amd64-linux.so
fl=???
fn=0x0000000000001000
0x1000 0 3

ob=???
fn=???
0x4000 0 6
totals: 20
"""


def test_counts_are_summed_over_functions_and_processes(tmp_path: Path) -> None:
    (tmp_path / "callgrind.out.10").write_text(DUMP)
    (tmp_path / "callgrind.out.11").write_text(DUMP)
    reasons = Reasons()
    (module,) = callgrind.executed(tmp_path, reasons)
    assert module.module == str(OBJECT)
    assert list(module.addresses) == [0, 3, 5]
    assert list(module.counts) == [14, 4, 4], "what a call took belongs to nobody"
    assert module.place(0) == ("g", "three.c:9"), "where it ran most often"
    assert module.place(5) == ("f", "inlined.h:30")
    assert reasons.executions == {NO_FILE: 12}, "valgrind's own code is not counted at all"


def test_no_dump_is_told_with_what_valgrind_said(tmp_path: Path) -> None:
    (tmp_path / "valgrind.log.7").write_text("==7== \n==7== it went wrong\n")
    with pytest.raises(InputError, match=r"left no counts: it went wrong"):
        list(callgrind.executed(tmp_path, Reasons()))
