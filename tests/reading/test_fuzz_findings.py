"""What the fuzzers found, one test each."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.analysis.closing import closing_branch
from corecast.asm import Kernel
from corecast.asm.code import ISAS, Isa
from corecast.errors import MachineModelError, ObjectFileError
from corecast.machine import load_machine


def test_every_byte_belongs_to_an_instruction() -> None:
    """A lock prefix before bytes that do not decode is not lost."""
    code = bytes.fromhex("90f0dd2a90")
    listing = _core.disassemble("x86", code)
    assert b"".join(instruction.bytes for instruction in listing.instructions) == code
    assert [instruction.unknown for instruction in listing.instructions] == [False, True, True, True, False]


@pytest.mark.parametrize("directive", [".irp x, a=1", ".irpc x,a=b", ".irp x, b, c = d", ".IRP x, y=z", '.irp x,"a"=1'])
@pytest.mark.parametrize("isa", ISAS)
def test_named_arguments_of_repetitions(directive: str, isa: Isa) -> None:
    """LLVM would look for the parameter in a macro that is not there."""
    listing = _core.assemble(isa, f"nop\n{directive}\nnop\n.endr\nnop\n")
    assert "named arguments" in listing.problems[0].message
    assert listing.instructions[0].text == "nop"


def test_register_groups_end_with_the_register_file() -> None:
    """A reserved encoding whose segments would run over v31 names vector registers only."""
    code = _core.disassemble("riscv64", bytes.fromhex("075e2eaa")).instructions[0]
    names = [_core.register_name("riscv64", use.reg) for use in code.operands[0].registers]
    assert names == ["v28", "v29", "v30", "v31"]


@pytest.mark.parametrize("length", [1, 20, 200])
def test_block_that_runs_over_the_end_of_the_address_space(length: int) -> None:
    """Addresses count modulo 2**64, also for the branch that closes a block."""
    kernel = Kernel.from_hex("90" * length, address=0xFFFFFFFFFFFFFFF0)
    branch = closing_branch(kernel.instructions)[-1]
    assert branch.branch == "conditional"
    assert branch.target_address % (1 << 64) == 0xFFFFFFFFFFFFFFF0


HEAD = """
format = 1
name = "NAME"
isa = "x86"
forms = ["FILE"]
[ports]
names = ["0"]
[rename]
dispatch_width_uops_per_cycle = 4
[back_end]
retire_width_uops_per_cycle = 4
rob_entries = 100
[memory]
load_latency_cycles = 4
store_forward_latency_cycles = 4
"""


@pytest.mark.parametrize("content", [b"\xff", b"form\tports\n\xc3(", b"\xed\xa0\x80", b"\xf0\x9f\x92"])
def test_form_table_that_is_not_utf8(content: bytes, tmp_path: Path) -> None:
    """The message names the file."""
    (tmp_path / "pipeline.toml").write_text(HEAD.replace("FILE", "a.tsv").replace("NAME", tmp_path.name))
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "a.tsv").write_bytes(content)
    with pytest.raises(MachineModelError, match=r"a\.tsv.*UTF-8"):
        load_machine(tmp_path)


def test_more_program_headers_than_the_file_holds(tmp_path: Path) -> None:
    """The count is checked before tens of thousands of headers are read."""
    content = bytearray((Path(__file__).resolve().parents[1] / "data" / "asm" / "gcc12_x86.o").read_bytes())
    content[54:62] = (56).to_bytes(2, "little") + b"\xff\xff" + b"\x40\x00" + b"\x00\x00"  # 65,535 of them, no sections
    file = tmp_path / "damaged.o"
    file.write_bytes(content)
    with pytest.raises(ObjectFileError, match="damaged"):
        Kernel.from_object(file)


def test_form_table_that_is_a_folder(tmp_path: Path) -> None:
    """A folder cannot be read as a table."""
    (tmp_path / "pipeline.toml").write_text(HEAD.replace("FILE", ".").replace("NAME", tmp_path.name))
    (tmp_path / "forms").mkdir()
    with pytest.raises(MachineModelError, match="cannot be read"):
        load_machine(tmp_path)
