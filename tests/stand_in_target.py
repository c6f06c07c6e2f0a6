"""A description of a target with the opcodes that an exported model names: what llvm-tblgen needs besides it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from corecast import _core

_HEAD = """\
include "llvm/Target/Target.td"
let Namespace = "Toy" in def RIP : Register<"rip">;
def GR64 : RegisterClass<"Toy", [i64], 64, (add RIP)>;
def ToyInstrInfo : InstrInfo;
def Toy : Target { let InstructionSet = ToyInstrInfo; }
def WriteOther : SchedWrite;
def ReadOther : SchedRead;
class Opcode : Instruction {
  let Namespace = "Toy";
  let OutOperandList = (outs);
  let InOperandList = (ins);
  let Size = 1;
}
"""


def opcodes_of(model: str) -> list[str]:
    """The opcodes that have costs in the text of a model."""
    return [name for names in re.findall(r"\(instrs\s+([^)]*)\)", model) for name in re.split(r",\s*", names.strip())]


def tblgen() -> Path | None:
    """llvm-tblgen of the linked LLVM; None where it is not there."""
    program = Path(f"/usr/lib/llvm-{_core.llvm_version.split('.')[0]}/bin/llvm-tblgen")
    return program if program.exists() else None


def subtarget_tables(model: str, name: str, folder: Path) -> str:
    """What llvm-tblgen makes of a model called `name`: C++ tables. One opcode has costs in no model: OTHER.

    Raises:
        subprocess.CalledProcessError: it does not accept the model.
    """
    program = tblgen()
    assert program is not None
    opcodes = [f"def {opcode} : Opcode;\n" for opcode in dict.fromkeys(opcodes_of(model))]
    other = "def OTHER : Opcode, Sched<[WriteOther, ReadOther]>;\n"
    processor = f'def : ProcessorModel<"toy", {name}, []>;\n'
    description = folder / "Toy.td"
    description.write_text("".join((_HEAD, *opcodes, other, model, processor)))
    include = program.parent.parent / "include"
    done = subprocess.run(
        [program, "-I", include, "-gen-subtarget", description], capture_output=True, text=True, check=True
    )
    return done.stdout
