"""Reductions: running values of a loop that only one kind of operation combines, and that nothing else looks at.

Such a value may be kept in several registers, one for each copy of an unrolled loop, and combined behind the loop.
What an iteration does to the value is followed through its instructions. Every instruction that reads it must be a
link, a plain copy, or part of a compare-and-select; a store, a branch, an address or any other use gives it up, and
so does a change of the operation or of the elements' type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corecast import _core
from corecast.analysis.advice.choices import Choice, Comparison, Other, Part, Running, Value, chosen, compared
from corecast.analysis.advice.links import Kind, Link, in_text, link_of, move_of, word
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.asm.code import Isa

_FLAGS = ("cf", "pf", "af", "zf", "sf", "of", "nzcv")
_ZERO_IDIOM = lazy_pattern(r"xor|sub|v?pxor[dq]?|v?xorp[sd]|v?psub[bwdq]|v?pcmpgt[bwdq]|v?pcmpeq[bwdq]")
_CLEARS_VECTORS = ("vzeroupper", "vzeroall")
_WHOLE_PARTS = ("full", "low32")
_LOADS = lazy_pattern(r"mov|v?movs[sd]|v?mov[au]p[sd]|v?movdq[au]|v?mov[dq]|ldr|f?l[dw]")


@dataclass(frozen=True)
class Reduction:
    """A running value whose operation is associative and commutative."""

    kind: Kind
    register: int
    """Where it is between two iterations."""
    links: tuple[int, ...]
    """Instructions that depend on it, in program order: all of them belong to it."""
    element: str
    is_float: bool
    copies: tuple[int, ...] = ()
    """Other registers that hold it, too, once the loop is left."""

    @property
    def reassociates(self) -> bool:
        """Whether another order may change the result: rounding, or NaN and the sign of zero for the extremes."""
        return self.is_float


@dataclass(frozen=True)
class Line:
    """One iteration of a loop as a straight line, with the branch that closes the loop."""

    instructions: Sequence[_core.Instruction]
    isa: Isa
    branches_inside: bool
    """Whether some instructions may be skipped: then only updates in place count."""
    read_behind: Callable[[int], bool | None] | None = None
    """Whether code behind the loop may read a register; None, it or its answer, where nobody knows."""


def find_reductions(line: Line) -> tuple[Reduction, ...]:
    """The reductions of a loop."""
    instructions = line.instructions
    if any(each.unknown or each.branch == "call" or each.mnemonic in _CLEARS_VECTORS for each in instructions):
        return ()
    carried = carried_registers(instructions)
    found = []
    for register in sorted(carried - flag_registers(line.isa)):
        reduction = _Walk(line, register, carried).reduction()
        if reduction is not None:
            found.append(reduction)
    return tuple(found)


def carried_registers(instructions: Sequence[_core.Instruction]) -> set[int]:
    """Registers that an iteration reads before it writes them as a whole, and that it writes."""
    written: set[int] = set()
    early: set[int] = set()
    ever: set[int] = set()
    for instruction in instructions:
        early |= reads_of(instruction) - written
        written |= {use.reg for use in _uses(instruction) if use.write and use.part in _WHOLE_PARTS}
        ever |= {use.reg for use in _uses(instruction) if use.write}
    return early & ever


def flag_registers(isa: Isa) -> set[int]:
    return {number for name in _FLAGS if (number := _core.register_number(isa, name))}


def reads_of(instruction: _core.Instruction) -> set[int]:
    """Registers whose value matters, kept parts of those that are partly written included."""
    if instruction.same_register and _ZERO_IDIOM.fullmatch(instruction.mnemonic):
        return set()
    return {use.reg for use in _uses(instruction) if use.read or use.part not in _WHOLE_PARTS}


def writes_of(instruction: _core.Instruction) -> set[int]:
    return {use.reg for use in _uses(instruction) if use.write}


def _uses(instruction: _core.Instruction) -> list[_core.RegisterUse]:
    return [use for operand in instruction.operands for use in operand.registers]


class _Walk:
    """One iteration, as seen by the value in one register."""

    def __init__(self, line: Line, register: int, carried: set[int]) -> None:
        self._line = line
        self._instructions = line.instructions
        self._isa = line.isa
        self._register = register
        self._carried = carried
        self._in_place = line.branches_inside
        self._flags = flag_registers(line.isa)
        self._values: dict[int, Value] = {register: Running(0)}
        self._numbers: dict[int, tuple[object, ...]] = {}
        self._version = 0
        self._kept: set[int] = set()
        """Registers that plain copies were made to."""
        self._narrowest_copy = 1 << 16
        self._links: list[Link] = []
        self._places: list[int] = []
        self._counts = True
        """So far every link adds a whole number that does not change."""
        self._ever_written = {reg for each in line.instructions for reg in writes_of(each)}

    def reduction(self) -> Reduction | None:
        for place, instruction in enumerate(self._instructions):
            if self._values.keys() & reads_of(instruction):
                if not self._follow(place, instruction):
                    return None
                self._places.append(place)
            else:
                self._overwrite(instruction)
            self._number(place, instruction)
        return self._result()

    def _result(self) -> Reduction | None:
        links = self._links
        if not links or self._values.get(self._register) != Running(self._version) or self._counts:
            return None
        first = links[0]
        if any((each.kind, each.element) != (first.kind, first.element) for each in links):
            return None
        if self._narrowest_copy < first.bits:
            return None
        if any(self._matters(register, value) for register, value in self._values.items()):
            return None
        final = Running(self._version)
        copies = tuple(r for r, value in self._values.items() if value == final and r != self._register)
        return Reduction(first.kind, self._register, tuple(self._places), first.element, first.is_float, copies)

    def _matters(self, register: int, value: Value) -> bool:
        """Whether something else than the final value, left in a register, may be read in the loop or behind it."""
        if register == self._register or register in self._flags - self._carried:
            return False
        if register in self._carried:
            return True
        if value == Running(self._version):
            return False
        read = self._line.read_behind(register) if self._line.read_behind is not None else None
        # Links leave old values behind wherever a compiler renames registers; a copy was made to be kept.
        return register in self._kept and isinstance(value, Running) if read is None else read

    def _overwrite(self, instruction: _core.Instruction) -> None:
        self._kept -= writes_of(instruction)
        for register in writes_of(instruction) & self._values.keys():
            if self._in_place:
                self._values[register] = None
            else:
                del self._values[register]

    def _follow(self, place: int, instruction: _core.Instruction) -> bool:
        """Whether an instruction that reads the value, or what came of it, leaves it a reduction."""
        if instruction.branch != "none" or any(access.write for access in instruction.memory):
            return False
        if any(
            use.reg in self._values
            for operand in instruction.operands
            if operand.name in ("addr", "index", "mask") and instruction.memory
            for use in operand.registers
        ):
            return False
        read = self._values.keys() & reads_of(instruction)
        if len(read) == 1 and (self._copy(instruction, *read) or self._step(instruction, *read)):
            return True
        return not self._in_place and self._select(instruction)

    def _copy(self, instruction: _core.Instruction, source: int) -> bool:
        copied = move_of(instruction, source, self._isa)
        if copied is None or self._in_place:
            return False
        value = self._values[source]
        self._narrowest_copy = min(self._narrowest_copy, copied[1])
        self._overwrite(instruction)
        self._values[copied[0]] = value
        self._kept.add(copied[0])
        return True

    def _step(self, instruction: _core.Instruction, source: int) -> bool:
        """A link."""
        if self._values[source] != Running(self._version):
            return False
        link = link_of(instruction, source, self._isa)
        if link is None or (self._in_place and link.destination != self._register):
            return False
        self._counts = self._counts and link.kind == "add" and not link.is_float and self._is_step(instruction, source)
        self._links.append(link)
        self._version += 1
        self._write(instruction, link.destination, Running(self._version))
        return True

    def _is_step(self, instruction: _core.Instruction, source: int) -> bool:
        """Whether an addition adds the same in each iteration, as counters do."""
        others = reads_of(instruction) - {source}
        return not instruction.memory and not others & self._ever_written

    def _select(self, instruction: _core.Instruction) -> bool:
        """A comparison, a select, or a part of one."""
        operands = [operand for operand in instruction.operands if in_text(operand) and operand.kind != "imm"]
        values = [self._value(instruction, operand) for operand in operands]
        if instruction.memory and all(operand.registers for operand in operands):
            values.append(self._loaded(instruction))
        comparison = compared(instruction, values, self._isa) if len(values) >= 2 else None
        if comparison is not None:
            if comparison.running.version != self._version:
                return False
            destination = None if any(reg in self._flags for reg in writes_of(instruction)) else _destination(operands)
            self._write(instruction, destination, comparison, comparison)
            return True
        if len(values) < 2:
            return False
        flags = next((v for r in self._flags if isinstance(v := self._values.get(r), Comparison)), None)
        found = chosen(instruction, values, flags, self._isa)
        if isinstance(found, Choice) and found.running.version == self._version:
            self._counts = False
            bits = 1 << 16 if len(operands) > 2 and "v" in found.element else 64
            self._links.append(Link(found.kind, found.element, bits, found.is_float, 0))
            self._version += 1
            self._write(instruction, _destination(operands), Running(self._version))
            return True
        if isinstance(found, Part):
            self._write(instruction, _destination(operands), found)
            return True
        return False

    def _write(self, instruction: _core.Instruction, register: int | None, value: Value, flags: Value = None) -> None:
        """What an instruction that depends on the value leaves behind."""
        self._kept -= writes_of(instruction)
        for written in writes_of(instruction):
            self._values[written] = flags if written in self._flags else None
        if register is not None:
            self._values[register] = value

    def _value(self, instruction: _core.Instruction, operand: _core.Operand) -> Value:
        if len(operand.registers) != 1:
            return self._loaded(instruction) if not operand.registers and instruction.memory else None
        register = operand.registers[0].reg
        if register in self._values:
            return self._values[register]
        return Other(self._numbers.get(register, ("before", register)))

    def _loaded(self, instruction: _core.Instruction) -> Other:
        return Other(self._place_in_memory(instruction))

    def _place_in_memory(self, instruction: _core.Instruction) -> tuple[object, ...]:
        """An address by the values it is made of; where there are stores no two loads are known to be equal."""
        access = instruction.memory[0]
        parts = tuple(self._numbers.get(reg, ("before", reg)) for reg in (access.base, access.index) if reg)
        return ("memory", self._numbers.get(0), parts, access.scale, access.displacement, access.symbol)

    def _number(self, place: int, instruction: _core.Instruction) -> None:
        """Numbers of the values that an instruction makes: copies and loads of one place are equal."""
        if any(access.write for access in instruction.memory):
            self._numbers[0] = ("stored", place)
        copied: tuple[object, ...] | None = None
        if instruction.memory and instruction.memory[0].write_back == "none":
            loads = _LOADS.fullmatch(word(instruction)) and len(instruction.memory) == 1
            copied = self._place_in_memory(instruction) if loads else None
        else:
            source = next((r for r in reads_of(instruction) if move_of(instruction, r, self._isa)), None)
            if source is not None:
                copied = self._numbers.get(source, ("before", source))
        for register in writes_of(instruction):
            self._numbers[register] = copied or (place, register)


def _destination(operands: Sequence[_core.Operand]) -> int | None:
    return operands[0].registers[0].reg if operands and operands[0].registers else None
