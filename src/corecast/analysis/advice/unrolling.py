"""An unrolled loop with a separate accumulator in each copy, as instructions that can be simulated.

The copies follow each other, so whatever else the loop carries on stays in order. Their accumulators start with the
operation's neutral value and are combined behind the loop. What only decides whether another iteration follows is
needed once, where the number of iterations is known beforehand: a second loop takes the rest of them. Elsewhere each
copy may leave. Counters and addresses that move on by a constant are moved on once; copies add it to their addresses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corecast import _core
from corecast.analysis.advice.reductions import Reduction, flag_registers, reads_of, writes_of
from corecast.analysis.advice.registers import free_registers, rename, uses_by_name
from corecast.analysis.advice.rewriting import LEAVE, Changed, Rewritten, assembled
from corecast.dataclass import dataclass, replace
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.asm.code import Isa

_OPPOSITE = {
    "x86": "jo jno jb jae je jne jbe ja js jns jp jnp jl jge jle jg",
    "aarch64": "b.eq b.ne b.hs b.lo b.mi b.pl b.vs b.vc b.hi b.ls b.ge b.lt b.gt b.le cbz cbnz tbz tbnz",
    "riscv64": "beq bne blt bge bltu bgeu beqz bnez bltz bgez blez bgtz",
}
"""Branches in pairs: each goes where the other one does not."""
_STEP = lazy_pattern(r"inc[bhwd]?|dec[bhwd]?|add(vl|w|iw|i)?|subs?|adds|lea")
"""What moves a counter on, by a constant or by what does not change in the loop."""


@dataclass(frozen=True)
class _Induction:
    """A register that one instruction moves on by a constant."""

    place: int
    step: int


class Unrolling:
    """How a loop is unrolled; some loops cannot be."""

    def __init__(self, instructions: Sequence[_core.Instruction], isa: Isa) -> None:
        self._instructions = tuple(instructions)
        self._isa = isa
        self._readers = readers_of(self._instructions)
        self._ever_written = {reg for each in instructions for reg in writes_of(each)}
        self._closes = self._instructions[-1].branch
        self._counted = self._closes == "none" or (self._closes == "conditional" and self._is_counted())
        self._once = self._needed_once()
        self._inductions = self._foldable() if self._counted else {}
        self._leaving = "" if self._counted else self._opposite_branch()

    @property
    def possible(self) -> bool:
        return self._counted or self._closes == "unconditional" or bool(self._leaving)

    @property
    def control(self) -> frozenset[int]:
        """Instructions that a longer iteration needs once."""
        return frozenset(self._once | {each.place for each in self._inductions.values()})

    def most_copies(self, reductions: Sequence[Reduction]) -> int:
        """Copies for whose accumulators there are registers."""
        left: dict[tuple[int, ...], int] = {}
        for reduction in reductions:
            if not all(uses_by_name(each, reduction.register) for each in self._instructions):
                return 1
            free = tuple(free_registers(self._instructions, self._isa, reduction.register))
            left[free] = left.get(free, 0) + 1
        return min((len(free) // count for free, count in left.items()), default=0) + 1

    @property
    def length(self) -> int:
        return len(self._instructions)

    def copies(self, times: int, reductions: Sequence[Reduction]) -> Rewritten | None:
        """The loop unrolled this number of times; None where a copy cannot be written."""
        names = self._accumulators(times, reductions)
        for folds in (True, False):
            copies = [self._copy(copy, times, names[copy], folds) for copy in range(times)]
            found = assembled([line for lines in copies for line in lines], self._isa, times)
            if found is not None and _is_renamed(found, [len(lines) for lines in copies], names):
                return replace(found, accumulators=tuple(names))
        return None

    def _accumulators(self, times: int, reductions: Sequence[Reduction]) -> list[dict[int, int]]:
        names: list[dict[int, int]] = [{} for _ in range(times)]
        taken: set[int] = set()
        for reduction in reductions:
            free = free_registers(self._instructions, self._isa, reduction.register)
            left = [register for register in free if register not in taken]
            for copy in range(1, times):
                names[copy][reduction.register] = left[copy - 1]
            taken |= set(left[: times - 1])
        return names

    def _is_dropped(self, place: int, copy: int, times: int, folds: bool) -> bool:
        if copy == times - 1:
            return False
        return place in self._once or (folds and any(each.place == place for each in self._inductions.values()))

    def _copy(self, copy: int, times: int, names: dict[int, int], folds: bool) -> list[Changed]:
        lines = []
        for place, instruction in enumerate(self._instructions):
            if self._is_dropped(place, copy, times, folds):
                continue
            text = instruction.text
            if place == len(self._instructions) - 1 and instruction.branch != "none":
                text = text if copy == times - 1 else self._leaving
            elif folds:
                text = self._moved(place, copy, times)
            for old, new in names.items():
                text = rename(text, self._isa, old, new)
            lines.append(Changed(instruction, None if text == instruction.text else text))
        return lines

    def _moved(self, place: int, copy: int, times: int) -> str:
        """An instruction's text with its address as far on as its copy is."""
        instruction = self._instructions[place]
        text = instruction.text
        for register, induction in self._inductions.items():
            if place == induction.place:
                return _scaled(text, induction.step, times)
            copies_on = copy if place < induction.place else copy + 1 - (times if copy == times - 1 else 0)
            for access in instruction.memory:
                scale = (access.base == register) + access.scale * (access.index == register)
                if scale and copies_on:
                    text = _displaced(text, copies_on * induction.step * scale, self._isa)
        return text

    def _is_counted(self) -> bool:
        """Whether the number of iterations is known before the first: only steps of counters decide."""
        cone = self._cone({len(self._instructions) - 1})
        stores = any(access.write for each in self._instructions for access in each.memory)
        for place in cone:
            instruction = self._instructions[place]
            if self._counts_alone(place, cone):
                continue
            if instruction.memory and (stores or reads_of(instruction) & self._ever_written):
                return False
            if instruction.mnemonic.startswith("vset"):
                return False
            if reads_of(instruction) & writes_of(instruction) and not self._is_step(instruction):
                return False
        return not self._has_long_cycle(cone)

    def _counts_alone(self, place: int, cone: set[int]) -> bool:
        """Whether all that an access gives to others is an address that it moves on by a constant."""
        given = writes_of(self._instructions[place])
        given &= {reg for reader in self._readers[place] & cone for reg in reads_of(self._instructions[reader])}
        return bool(given) and given <= {
            value.reg
            for value in self._instructions[place].affine
            if [(term.reg, term.coefficient) for term in value.terms] == [(value.reg, 1)]
        }

    def _is_step(self, instruction: _core.Instruction) -> bool:
        others = reads_of(instruction) - writes_of(instruction)
        return _STEP.fullmatch(instruction.mnemonic) is not None and not others & self._ever_written

    def _cone(self, places: set[int]) -> set[int]:
        """Instructions that lead to some, with them."""
        found, waiting = set(places), list(places)
        while waiting:
            place = waiting.pop()
            for producer in self._producers(place) - found:
                found.add(producer)
                waiting.append(producer)
        return found

    def _producers(self, place: int) -> set[int]:
        return {producer for producer, readers in enumerate(self._readers) if place in readers}

    def _has_long_cycle(self, places: set[int]) -> bool:
        """Whether a value of one iteration leads to that of the next by more than one step."""
        for start in places:
            waiting, seen = [reader for reader in self._readers[start] & places if reader != start], set()
            while waiting:
                place = waiting.pop()
                if place == start:
                    return True
                if place not in seen:
                    seen.add(place)
                    waiting += self._readers[place] & places
        return False

    def _needed_once(self) -> set[int]:
        """The branch, and what is read by nothing but it."""
        if self._closes == "none" or not (self._counted or self._closes == "unconditional"):
            return set()
        once = {len(self._instructions) - 1}
        while True:
            more = {
                place
                for place, instruction in enumerate(self._instructions)
                if place not in once
                and self._readers[place]
                and self._readers[place] <= once
                and instruction.branch == "none"
                and not any(access.write or access.write_back != "none" for access in instruction.memory)
            }
            if not more:
                return once
            once |= more

    def _foldable(self) -> dict[int, _Induction]:
        """Registers moved on by a constant and read by addresses that can take it, or by what is needed once."""
        found = {}
        for place, instruction in enumerate(self._instructions):
            if len(instruction.affine) != 1 or instruction.memory or place in self._once:
                continue
            value = instruction.affine[0]
            own = [(term.reg, term.coefficient) for term in value.terms] == [(value.reg, 1)]
            own = own and _is_whole(instruction, value.reg)
            writers = sum(value.reg in writes_of(each) for each in self._instructions)
            step = value.constant if value.constant < 1 << 63 else value.constant - (1 << 64)
            if (
                own
                and step
                and writers == 1
                and self._can_move(value.reg, place)
                and _scaled(instruction.text, step, 2)
            ):
                found[value.reg] = _Induction(place, step)
        return found

    def _can_move(self, register: int, update: int) -> bool:
        flags = flag_registers(self._isa)
        if any(writes_of(self._instructions[update]) - {register} - flags):
            return False
        for place, instruction in enumerate(self._instructions):
            if place == update or register not in reads_of(instruction):
                continue
            if place in self._once:
                if place < update:
                    return False
            elif not self._takes_displacement(instruction, register):
                return False
        # Flags of the update itself are those of its last copy.
        return all(reader in self._once or reader == update for reader in self._flag_readers(update))

    def _flag_readers(self, place: int) -> set[int]:
        flags = flag_registers(self._isa) & writes_of(self._instructions[place])
        return {reader for reader in self._readers[place] if reads_of(self._instructions[reader]) & flags}

    def _takes_displacement(self, instruction: _core.Instruction, register: int) -> bool:
        if len(instruction.memory) != 1 or instruction.memory[0].write_back != "none":
            return False
        if instruction.memory[0].vector_index or _displaced(instruction.text, 1, self._isa) == "":
            return False
        return all(
            operand.name in ("addr", "index")
            for operand in instruction.operands
            if any(use.reg == register for use in operand.registers)
        )

    def _opposite_branch(self) -> str:
        """The closing branch as one that leaves; "" where there is none."""
        name, _, rest = self._instructions[-1].text.partition(" ")
        names = _OPPOSITE[self._isa].split()
        if name not in names:
            return ""
        kept = rest.rpartition(",")[0]
        return f"{names[names.index(name) ^ 1]} {kept + ', ' if kept else ''}{LEAVE}"


def _is_renamed(found: Rewritten, lengths: Sequence[int], names: list[dict[int, int]]) -> bool:
    """Whether no copy touches the accumulators of another one."""
    first = names[-1].keys()
    every = {register for each in names for register in each.values()} | first
    start = 0
    for length, own in zip(lengths, names, strict=True):
        allowed = {own.get(register, register) for register in first}
        for instruction in found.instructions[start : start + length]:
            if (reads_of(instruction) | writes_of(instruction)) & every - allowed:
                return False
        start += length
    return True


def readers_of(instructions: Sequence[_core.Instruction]) -> list[set[int]]:
    """For each instruction those that read what it writes, in this iteration or the next one."""
    reads = [reads_of(each) for each in instructions]
    writes = [writes_of(each) for each in instructions]
    count = len(instructions)
    found: list[set[int]] = []
    for place in range(count):
        readers = set()
        for register in writes[place]:
            for other in (*range(place + 1, count), *range(place + 1)):
                if register in reads[other]:
                    readers.add(other)
                if register in writes[other] and not _keeps_some(instructions[other], register):
                    break
        found.append(readers)
    return found


def _keeps_some(instruction: _core.Instruction, register: int) -> bool:
    """Whether an instruction writes but a part of a register."""
    parts = [use.part for o in instruction.operands for use in o.registers if use.reg == register and use.write]
    return all(part not in ("full", "low32") for part in parts)


def _is_whole(instruction: _core.Instruction, register: int) -> bool:
    """Whether an instruction writes all bits of a register: shorter counters may start again from zero."""
    parts = [use.part for o in instruction.operands for use in o.registers if use.reg == register and use.write]
    return parts == ["full"]


def _displaced(text: str, by: int, isa: Isa) -> str:
    """A text with its memory operand `by` bytes further on; "" where it has none that takes a displacement."""
    if isa == "x86":
        return (
            text.replace("]", f" {'-' if by < 0 else '+'} {abs(by)}]", 1) if "[" in text and "rip" not in text else ""
        )
    if isa == "aarch64":
        found = re.search(r"\[(x\d+|sp)(?:, #(-?\d+))?\]$", text)
        return f"{text[: found.start()]}[{found[1]}, #{int(found[2] or 0) + by}]" if found else ""
    found = re.search(r"(?<=[ ,])(-?\d+)\((\w+)\)$", text)
    return f"{text[: found.start()]}{int(found[1]) + by}({found[2]})" if found else ""


def _scaled(text: str, step: int, times: int) -> str:
    """A step as large as that of all copies together; "" where it cannot be written."""
    name, _, rest = text.partition(" ")
    if name in ("inc", "dec"):
        return f"{'add' if name == 'inc' else 'sub'} {rest}, {times}"
    if name == "lea":
        return text.replace("]", f" {'-' if step < 0 else '+'} {abs(step) * (times - 1)}]")
    found = re.fullmatch(r"(.*, #?)(-?\d+)", text)
    return f"{found[1]}{int(found[2]) * times}" if found and name != "addvl" else ""
