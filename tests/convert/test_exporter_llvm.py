"""LLVM's scheduling models: llvm-tblgen accepts what is exported, and it says what the machine model says."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.convert.exporters.llvm.classes import FREE, OpcodeClass, classes_of
from corecast.convert.exporters.llvm.front_end import FrontEnd, front_end_of
from corecast.convert.exporters.llvm.resources import camel, resources_of
from corecast.convert.exporters.llvm.tablegen import llvm_tablegen
from corecast.errors import InputError
from corecast.machine import Machine, load_machine
from stand_in_target import opcodes_of, subtarget_tables, tblgen

ROOT = Path(__file__).resolve().parent.parent.parent
TOY = ROOT / "tests" / "golden" / "machines" / "toy_x86"
UNKNOWN = "8191"
"""What LLVM's tables call a class that a model has no costs for."""

sys.path.insert(0, str(ROOT / "tools"))


@pytest.fixture(autouse=True, scope="module")
def shapes_once() -> Iterator[None]:
    """Every model asks for the opcodes of its instruction set, which takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_core, "opcode_shapes", cache(_core.opcode_shapes))
        yield


@cache
def opcodes(name: str) -> dict[str, OpcodeClass]:
    return {each: known for known in classes_of(load_machine(name)).known for each in known.names}


def machine(name: str) -> Machine:
    return load_machine(TOY if name == "toy_x86" else name)


@pytest.mark.skipif(tblgen() is None, reason="LLVM's tools are not installed, llvm-tblgen among them")
@pytest.mark.parametrize(
    ("name", "mode"), [("toy_x86", "loop"), ("zen4", "loop"), ("skylake_x", "unroll"), ("cortex_a72", "loop")]
)
def test_tblgen_accepts_the_model_and_takes_every_cost(name: str, mode: str, tmp_path: Path) -> None:
    model = llvm_tablegen(machine(name), mode)
    tables = subtarget_tables(model, f"Corecast{camel(name)}Model", tmp_path)
    (classes,) = re.findall(r"MCSchedClassDesc \w+\[\] = \{(.*?)\n\};", tables, re.DOTALL)
    costs = dict(re.findall(r"DBGFIELD\(/\*(\w+)\*/ \d+\)\s*(\d+),", classes))
    assert [names for names, uops in costs.items() if uops == UNKNOWN] == ["WriteOther_ReadOther"]
    assert len(costs) > 10


@pytest.mark.skipif(tblgen() is None, reason="LLVM's tools are not installed, llvm-tblgen among them")
def test_tblgen_reads_ports_and_latencies_as_they_are_meant(tmp_path: Path) -> None:
    """vdivsd: 13 cycles, one of port 0 and four of the divider."""
    tables = subtarget_tables(llvm_tablegen(machine("toy_x86")), "CorecastToyX86Model", tmp_path)
    (row,) = re.findall(
        r"\*/ \d+\)\s*1, false, false, false,\s*(\d+), (\d+),\s*(\d+), 1,.*",
        next(line for line in tables.splitlines() if "DBGFIELD(/*" in line and "VDIVSDrr" in line),
    )
    resources, count, latency = (int(cell) for cell in row)
    uses = re.findall(r"\{\s*(\d+),\s*(\d+),\s*\d+\}, // #(\d+)", tables)
    cycles = [int(used) for _, used, at in uses if resources <= int(at) < resources + count]
    assert max(cycles) == 4
    assert 1 in cycles
    latencies = dict(re.findall(r"\{\s*(-?\d+),\s*\d+\}, // #(\d+)", tables.partition("WriteLatencyTable")[2]))
    assert "13" in {cycles for cycles, at in latencies.items() if at == str(latency)}


def test_an_address_comes_earlier_than_a_source_beside_the_load() -> None:
    """add r64, m64 on Zen 4: five cycles from the address, one from the register."""
    add = opcodes("zen4")["ADD64rm"]
    assert add.cost.latency == 1
    assert add.advances == (0, -4)
    model = llvm_tablegen(load_machine("zen4"))
    assert "def CorecastZen4ReadEarly4 : SchedReadAdvance<-4>;" in model
    load = opcodes("zen4")["MOV64rm"]
    assert (load.cost.latency, load.advances) == (4, ())
    assert add.cost.uses == ((("AGU0", "AGU1", "AGU2"), 1), (("ALU0", "ALU1", "ALU2", "ALU3"), 1))


def test_micro_ops_that_an_index_splits_are_a_variant() -> None:
    """Skylake unlaminates `add [base + index], r`, whose store cannot use port 7 either."""
    add = opcodes("skylake_x")["ADD64mr"]
    locked, indexed = add.variants
    assert [test.kind for tests in locked.alternatives for test in tests] == ["locked"]
    assert locked.cost.latency > add.cost.latency
    assert (add.cost.uops, indexed.cost.uops) == (2, 3)
    assert (("2", "3", "7"), 1) in add.cost.uses
    assert (("2", "3", "7"), 1) not in indexed.cost.uses
    assert all("present_register" in {test.kind for test in tests} for tests in indexed.alternatives)


def test_slow_addresses_are_a_variant() -> None:
    load = opcodes("zen4")["MOV64rm"]
    (slow,) = load.variants
    assert (load.cost.latency, slow.cost.latency) == (4, 5)
    assert len(slow.alternatives) == 2


def test_conditions_that_cost_more_are_one_variant() -> None:
    """cmovbe and cmova read two flags: two micro-ops on Skylake."""
    move = opcodes("skylake_x")["CMOV64rr"]
    (slow,) = move.variants
    assert {test.value for tests in slow.alternatives for test in tests} == {6, 7}
    assert (move.cost.uops, slow.cost.uops) == (1, 2)


def test_zero_idioms_and_moves_take_no_port() -> None:
    xor = opcodes("zen4")["XOR32rr"]
    assert xor.zero_idiom == ((1, 2),)
    assert [variant.cost.uses for variant in xor.variants] == [()]
    assert xor.cost.uses != ()
    move = opcodes("zen4")["MOV64rr"]
    assert (move.cost.uses, move.cost.latency, move.advances) == ((), 0, ())


def test_the_stack_pointer_is_stepped_without_a_latency() -> None:
    push = opcodes("skylake_x")["PUSH64r"]
    assert push.cost.latency == 0
    assert push.advances[0] == FREE  # the stored register


def test_a_loop_is_delivered_in_groups_of_the_micro_op_cache() -> None:
    """Skylake: six micro-ops per cycle from there, four through rename; a group ends at a branch."""
    skylake = classes_of(load_machine("skylake_x"))
    assert skylake.front_end == FrontEnd(6 + 1, {"Rename": 4}, branches_end_groups=True)
    by_name = {name: each.cost for each in skylake.known for name in each.names}
    assert by_name["JCC_1"].ends_group
    assert by_name["JMP_1"].ends_group
    assert not by_name["ADD64rr"].ends_group
    assert by_name["ADD64rr"].front_end == by_name["MOV64rr"].front_end == (("Rename", 1),)
    model = llvm_tablegen(load_machine("skylake_x"))
    assert "let IssueWidth = 7;" in model
    assert "def CorecastSkylakeXRename : ProcResource<4>;" in model


@pytest.mark.parametrize("name", ["granite_rapids", "cortex_a72"])
def test_a_loop_buffer_and_a_core_without_micro_op_cache_leave_the_width_of_rename(name: str) -> None:
    found = front_end_of(load_machine(name), "loop", free_branches=True)
    assert found == FrontEnd(int(load_machine(name).parameter("rename.width")), {})


def test_unrolled_code_comes_from_fetch_and_decoders() -> None:
    """Skylake: 16 bytes and four instructions per cycle."""
    skylake = classes_of(load_machine("skylake_x"), "unroll")
    assert skylake.front_end == FrontEnd(4, {"Fetch": 16, "Decode": 4})
    by_name = {name: each.cost for each in skylake.known for name in each.names}
    assert by_name["MOV64ri"].front_end == (("Fetch", 10), ("Decode", 1))
    assert not by_name["JMP_1"].ends_group


def test_a_loaded_pointer_reaches_a_near_address_sooner() -> None:
    """Skylake: 4 cycles in place of 5 where one load's value is the base of the next."""
    model = llvm_tablegen(load_machine("skylake_x"))
    ((advance, writes),) = re.findall(r"SkylakeXReadPointer : SchedReadAdvance<(\d+), \[(\w+)\]>", model)
    assert advance == "1"
    known = opcodes("skylake_x")
    assert known["MOV64rm"].cost.loads_pointer
    assert known["POP64r"].cost.loads_pointer
    assert not known["VMOVUPSrm"].cost.loads_pointer
    assert f"def {writes} " in model
    assert "ReadPointer" not in llvm_tablegen(load_machine("zen4"))


def test_a_branch_that_fuses_costs_nothing_unless_rename_counts_loops() -> None:
    assert opcodes("skylake_x")["JCC_1"].cost.uops == 0
    granite = opcodes("granite_rapids")["JCC_1"].cost
    assert granite.uops == 1
    assert (("Turn",), 1) in granite.uses


def test_what_has_no_figures_gets_no_costs() -> None:
    known = opcodes_of(llvm_tablegen(machine("toy_x86")))
    assert "ADD64rr" in known
    assert not {"IMUL64rr", "PAUSE", "VADDPSYrr"} & set(known)


def test_opcodes_are_those_that_the_core_executes() -> None:
    assert "VADDPDZrr" in opcodes("zen4")
    assert "VADDPDZrr" not in opcodes("zen1")


def test_schedulers_that_share_a_group_are_one_buffer() -> None:
    zen4 = load_machine("zen4")
    found = resources_of(zen4, "Core", [("ALU0", "ALU1", "ALU2", "ALU3"), ("FP0", "FP1")])
    sizes = {group.members: group.entries for group in found.groups if group.entries is not None}
    integer = next(entries for members, entries in sizes.items() if "CoreALU0" in members)
    assert integer == 4 * 24
    assert sum(entries or 0 for entries in sizes.values()) == integer + 2 * 64


def test_an_instruction_set_without_a_format_is_an_error() -> None:
    with pytest.raises(InputError, match="riscv64"):
        llvm_tablegen(load_machine("sifive_p670"))


def test_the_builder_gives_processors_their_models() -> None:
    from llvm_mca import including, with_model

    description = (
        'include "X86SchedOther.td"\n'
        'foreach P = ["skylake-avx512", "skx"] in {\ndef : ProcModel<P, SkylakeServerModel,\n  [A]>;\n}\n'
        'def : ProcModel<"znver4", Znver4Model, B>;\n'
    )
    assert including(description, "our.td").startswith('include "X86SchedOther.td"\ninclude "our.td"\n')
    changed = with_model(description, "skx", "OurModel")
    assert "ProcModel<P, OurModel," in changed
    assert "Znver4Model" in changed
    assert changed.endswith('def : ProcessorModel<"before-skx", SkylakeServerModel, []>;\n')
    assert '"znver4", OurModel, B' in with_model(description, "znver4", "OurModel")
    with pytest.raises(ValueError, match="znver9"):
        with_model(description, "znver9", "OurModel")


def test_a_mode_is_for_this_format_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["machine", "export", "zen4", "--format", "osaca", "--mode", "unroll"]) == 2
    assert "--mode is for --format llvm" in capsys.readouterr().err
