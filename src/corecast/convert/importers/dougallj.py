"""Dougall Johnson's measurements of Apple cores: snippets with cycles, as latency per operand pair and throughput.

The file is a CSV (or `.gz`, `.xz`), a line a test: `core,insn_file,test,code,n_insn,cycles_per_code,...`. The tested
instruction is the one that the name of its file begins with; the others close a dependency chain around it and cost
what `helper_cycles` says. A chain tells the latency of one operand pair where it enters and leaves the tested
instruction through one operand each. Forms come from reading the code.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from corecast import _core
from corecast.dataclass import dataclass, field
from corecast.errors import MachineModelError
from corecast.files.compressed import open_text
from corecast.pattern import lazy_pattern

COLUMNS = ("core", "insn_file", "test", "code", "cycles_per_code", "consistent")
WHOLE_WITHIN_CYCLES = 0.06
INTEGER_CYCLES, VECTOR_CYCLES = 1.0, 2.0


@dataclass
class Crossing:
    """Cycles between the register files. Only round trips can be measured: the shares are a choice."""

    to_integer_cycles: float
    to_vector_cycles: float


# A round trip takes 10 cycles on Firestorm, and a vector load with the way to an integer register 9; the shares are
# those that give the load 5 cycles, as ocxtal's measurements on the same core assume. On Icestorm it takes 7, the load
# with that way 7 too: a load takes 4, as one for an integer register does.
CROSSINGS = {"firestorm": Crossing(4.0, 6.0), "icestorm": Crossing(3.0, 4.0)}
FUSED_PAIRS = ("PMULL_EOR",)
"""Files of pairs that are measured as one micro-op: they tell nothing of their first instruction."""
TO_INTEGER = lazy_pattern(r"fmov [xw], [dsh]|[su]mov .*")
TO_VECTOR = lazy_pattern(r"fmov [dsh], [xw]")
WORD = ".word "
CONSTANTS = lazy_pattern(r"(mov|movi|movz) [^,]+, #")


@dataclass
class Figures:
    """What was measured of one form, in cycles."""

    latencies: dict[tuple[int, int], list[float]] = field(default_factory=dict)
    """By operand pair (source id, destination id); several tests of a pair differ in operand values."""
    throughputs: list[float] = field(default_factory=list)


def figures(path: Path, core: str) -> dict[str, Figures]:
    """Everything measured on a core ("firestorm"), by form.

    Raises:
        MachineModelError: the file lacks a column, has a malformed line, or none of the core.
    """
    tests = [row for row in _lines(path) if row["core"] == core and row["consistent"] == "1"]
    if not tests:
        raise MachineModelError(f"no measurement of {core!r}", str(path))
    crossing = CROSSINGS[core]
    codes = {row["code"]: _read(row["code"]) for row in tests}
    found: dict[str, Figures] = {}
    for row in tests:
        instructions, cycles = codes[row["code"]], float(row["cycles_per_code"])
        tested = _tested(row["insn_file"], row["code"], instructions)
        if not tested or row["insn_file"].startswith(FUSED_PAIRS):
            continue
        first = instructions[tested[0]]
        if "throughput" in row["test"]:
            if all(instructions[index].form == first.form for index in tested):
                found.setdefault(_key(first), Figures()).throughputs.append(cycles / len(tested))
        elif len(tested) == 1 and (pair := _pair(instructions, tested[0])) is not None:
            rest = [other for index, other in enumerate(instructions) if index != tested[0]]
            latency = _whole(cycles - sum(helper_cycles(other, crossing) for other in rest))
            if latency < 0:
                continue  # a chain of another kind
            found.setdefault(first.form, Figures()).latencies.setdefault(pair, []).append(latency)
    return found


def _key(instruction: _core.Instruction) -> str:
    """The form; zeros that are made of nothing else are a separate variant."""
    reads = any(operand.read and operand.kind == "reg" for operand in instruction.operands)
    return f"{instruction.form} @zero" if instruction.zero_immediate and not reads else instruction.form


def _lines(path: Path) -> Iterator[Mapping[str, str]]:
    with open_text(path) as file:
        reader = csv.DictReader(file)
        if missing := [column for column in COLUMNS if column not in (reader.fieldnames or ())]:
            raise MachineModelError(f"no column {missing[0]}", str(path), 1)
        for row in reader:
            try:
                float(row["cycles_per_code"])
            except (TypeError, ValueError):
                raise MachineModelError("cycles_per_code is not a number", str(path), reader.line_num) from None
            yield row


def _read(code: str) -> list[_core.Instruction]:
    """The instructions of a snippet; none where one of them is not read."""
    lines = [line.strip() for line in code.split(";")]
    texts = [line for line in lines if not line.startswith(WORD)]
    read = _core.assemble("aarch64", "\n".join(texts) + "\n").instructions
    if len(read) != len(texts) or any(instruction.unknown for instruction in read):
        return []
    codes = iter(bytes(instruction.bytes) for instruction in read)
    encoded = b"".join(  # decoded once more: ".+4" has its own spelling in text
        int(line.removeprefix(WORD), 16).to_bytes(4, "little") if line.startswith(WORD) else next(codes)
        for line in lines
    )
    return list(_core.disassemble("aarch64", encoded).instructions)


def _tested(file: str, code: str, instructions: Sequence[_core.Instruction]) -> list[int]:
    """Which of the instructions are tested ones: by the mnemonic as written, since the form may have an alias of it."""
    wanted = file.split("_", 1)[0].lower()
    written = [line.split()[0].partition(".")[0] for line in code.split(";") if line.strip()]
    return [
        index
        for index, instruction in enumerate(instructions)
        if wanted == (instruction.mnemonic if not written[index] else written[index])
    ]


def _pair(instructions: Sequence[_core.Instruction], tested: int) -> tuple[int, int] | None:
    """The operands through which the chain runs; None where it is not one of each."""
    subject = instructions[tested]
    others = [instruction for index, instruction in enumerate(instructions) if index != tested]
    made, used = _registers(subject, write=True), _registers(subject, write=False)
    if not others:
        pairs = {(source, target) for source, reads in used for target, writes in made if reads & writes}
        return next(iter(pairs)) if len(pairs) == 1 else None
    chained = _reached(others, set().union(*(registers for _, registers in made)))
    targets = {operand for operand, registers in made if any(registers & reads for reads in _reads(others))}
    sources = {operand for operand, registers in used if registers & chained}
    return (sources.pop(), targets.pop()) if len(sources) == len(targets) == 1 else None


def _reached(others: Sequence[_core.Instruction], start: set[int]) -> set[int]:
    """Registers that the helpers compute from those of `start`, going round as a loop does."""
    reached = set(start)
    made: set[int] = set()
    for _ in others:
        for instruction in others:
            reads = set().union(*(registers for _, registers in _registers(instruction, write=False)))
            if reads & reached:
                new = set().union(*(registers for _, registers in _registers(instruction, write=True)))
                reached |= new
                made |= new
    return made


def _registers(instruction: _core.Instruction, *, write: bool) -> list[tuple[int, set[int]]]:
    """Registers by operand that are written, or read."""
    found = []
    for operand in instruction.operands:
        registers = {use.reg for use in operand.registers if (use.write if write else use.read)}
        if registers:
            found.append((operand.id, registers))
    return found


def _reads(others: Sequence[_core.Instruction]) -> list[set[int]]:
    return [registers for other in others for _, registers in _registers(other, write=False)]


def helper_cycles(instruction: _core.Instruction, crossing: Crossing) -> float:
    """Cycles that an instruction which only closes a chain takes."""
    form = instruction.form
    if CONSTANTS.match(form):
        return 0.0
    if TO_INTEGER.fullmatch(form):
        return crossing.to_integer_cycles
    if TO_VECTOR.fullmatch(form):
        return crossing.to_vector_cycles
    return VECTOR_CYCLES if re.search(r" (v\.|[dshbq](,|$))", form) else INTEGER_CYCLES


def _whole(cycles: float) -> float:
    """Whole cycles where the figure is within its noise of them."""
    return float(round(cycles)) if abs(cycles - round(cycles)) <= WHOLE_WITHIN_CYCLES else round(cycles, 2)
