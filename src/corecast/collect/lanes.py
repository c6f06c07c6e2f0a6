"""How many lanes of SVE instructions are active, over a function of a program.

QEMU's plugins cannot read registers before version 9.0, so the emulator's debugging interface is asked: the program
stops before each predicated instruction of the function. That takes some 0.1 ms a time, and ends after a number of
them.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from corecast.collect.debugger import Debugger
from corecast.collect.qemu import emulation
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.files.tables import csv_text
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core
    from corecast.collect.program import Program

COLUMNS = ("address", "instruction", "executed", "lanes", "active_lanes", "full", "partial", "none")
_GOVERNING = lazy_pattern(r"\b(p\d+)/[mz]|[,\s](p\d+),")
_ELEMENT = lazy_pattern(r"\bz\d+\.([bhsd])\b")
_ENTRY = slice(24, 32)
"""Of an ELF file: e_entry."""
_BYTES = {"b": 1, "h": 2, "s": 4, "d": 8}


@dataclass
class Lanes:
    """One instruction's executions by the lanes that its predicate lets through."""

    address: int
    text: str
    predicate: str
    element_bytes: int
    executed: int = 0
    lanes: int = 0
    """Of all executions."""
    active: int = 0
    full: int = 0
    partial: int = 0
    none: int = 0

    def add(self, predicate: bytes, vector_bytes: int) -> None:
        """One execution. A predicate has a bit for each byte of a vector; the lowest one of an element counts."""
        bits = int.from_bytes(predicate, "little")
        lanes = vector_bytes // self.element_bytes
        active = sum(bits >> (lane * self.element_bytes) & 1 for lane in range(lanes))
        self.executed += 1
        self.lanes += lanes
        self.active += active
        self.full += active == lanes
        self.none += active == 0
        self.partial += 0 < active < lanes

    def row(self) -> tuple[object, ...]:
        """Cells by COLUMNS."""
        counts = (self.executed, self.lanes, self.active, self.full, self.partial, self.none)
        return f"{self.address:#x}", self.text, *counts


@dataclass
class LaneCounts:
    instructions: list[Lanes] = field(default_factory=list)
    ended: bool = True
    """Whether the program came to its end; else it was ended when enough was counted."""

    @property
    def executed(self) -> int:
        return sum(each.executed for each in self.instructions)

    def to_csv(self) -> str:
        return csv_text(COLUMNS, (each.row() for each in self.instructions))


def count_lanes(program: Program, function: str, most: int, folder: Path) -> LaneCounts:
    """Runs a program under QEMU and counts active lanes over one of its functions, in its first thread.

    Args:
        program: from find_program().
        function: its name.
        most: predicated instructions after which the program is ended.
        folder: for the connection.

    Raises:
        InputError: no program for AArch64, no such function, or one without predicated instructions; no SVE there.
    """
    if program.isa != "aarch64" or program.backend != "qemu":
        raise InputError("active lanes are counted of AArch64 programs under QEMU", program.arguments[0])
    places, entry = _predicated(program.arguments[0], function)
    place = folder / "debugger"
    emulator = emulation(program.runner, program.cpu, program.sysroot)
    child = subprocess.Popen([*emulator, "-g", str(place), *program.arguments])
    try:
        with Debugger(place) as debugger:
            counts = _count(debugger, places, entry, most)
            if not counts.ended:
                child.kill()  # while it stands still: asked to end, the emulator would have its own word to say
            return counts
    finally:
        if child.poll() is None:
            child.kill()
        child.wait()


def _count(debugger: Debugger, places: list[Lanes], entry: int, most: int) -> LaneCounts:
    if not debugger.has("p0"):
        raise InputError("the emulated processor has no SVE")
    moved = debugger.entry() - entry  # where the loader put the program
    by_address = {each.address + moved: each for each in places}
    for address in by_address:
        debugger.stop_at(address)
    counted = vector_bytes = 0
    running = debugger.go_on()
    while running:
        found = by_address.get(int.from_bytes(debugger.register("pc"), "little"))
        if found is None:
            running = debugger.go_on()
            continue
        # The emulator gives predicates longer than the vectors are; "vg" counts these in units of 64 bits.
        vector_bytes = vector_bytes or 8 * int.from_bytes(debugger.register("vg"), "little")
        found.add(debugger.register(found.predicate), vector_bytes)
        counted += 1
        if counted == most:
            return LaneCounts(places, ended=False)
        running = debugger.step()
    return LaneCounts(places)


def _predicated(file: str, function: str) -> tuple[list[Lanes], int]:
    """A function's instructions with a governing predicate, and where the program begins."""
    from corecast.asm.detect import read_bytes
    from corecast.asm.names import choose_functions
    from corecast.asm.objects import read_object

    content = read_bytes(file)
    code = read_object(content, None, file)
    names = [each.name for each in code.functions]
    found = [
        lanes
        for position in choose_functions(names, function, file)
        for instruction in code.instructions[code.functions[position].first : code.functions[position].end]
        if (lanes := _lanes_of(instruction)) is not None
    ]
    if not found:
        raise InputError(f"{function} has no predicated SVE instructions", file)
    return found, int.from_bytes(content[_ENTRY], "little")


def _lanes_of(instruction: _core.Instruction) -> Lanes | None:
    predicate = _GOVERNING.search(instruction.text)
    element = _ELEMENT.search(instruction.text)
    if predicate is None or element is None:
        return None
    name = predicate[1] or predicate[2]
    return Lanes(instruction.address, instruction.text, name, _BYTES[element[1]])
