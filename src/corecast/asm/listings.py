"""Disassemblers' output to Code.

Where the listing holds the bytes of every instruction, those are decoded. Otherwise its text is assembled, with a label
at every address that a branch names.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from corecast.asm.code import NO_TARGET, Code, CodeLabel, Isa, functions_between, is_global_name
from corecast.asm.listing_lines import ListingLines, Unit, listing_kind, read_lines
from corecast.dataclass import dataclass, replace
from corecast.errors import InputError, SyntaxProblem
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core

__all__ = ["listing_kind", "read_listing"]

_COMMENT: dict[Isa, re.Pattern[str]] = {
    "x86": lazy_pattern(r"\s+#\s.*$"),
    "aarch64": lazy_pattern(r"\s+(?://|;)\s.*$"),
    "riscv64": lazy_pattern(r"\s+#\s.*$"),
}
_NAMED_TARGET = lazy_pattern(r"(?<=[\s,])(?:0x)?([0-9a-fA-F]+)\s+<.*>\s*$")
_OPERAND_LABEL = lazy_pattern(r"<([^<>]+)>\s*$")
_BRANCH: dict[Isa, str] = {
    "x86": r"(?:(?:bnd|notrack|data16|cs|ds)\s+)*(?:j\w+|loop\w*|callq?|xbegin)(?:,p[nt])?",
    "aarch64": r"(?:b|bl|b\.\w+|bc\.\w+|cbn?z|tbn?z)",
    "riscv64": r"(?:c\.)?(?:b\w+|j|jal|call|tail)",
}
_PLAIN_TARGET: dict[Isa, re.Pattern[str]] = {
    isa: lazy_pattern(rf"^({branch}\s+(?:[^*]*,\s*)?)(?:0x)?([0-9a-fA-F]+)\s*$") for isa, branch in _BRANCH.items()
}
_LONG_NOP = lazy_pattern(r"xchg\s+%?ax,\s*%?ax")
"""What GNU objdump prints for the bytes 66 90, which other disassemblers call nop."""
_BRANCH_RELOCATION = lazy_pattern(
    r"R_X86_64_(?:PC|PLT)\d+|R_AARCH64_(?:CONDBR19|JUMP26|TSTBR14)|R_RISCV_(?:RVC_)?(?:BRANCH|JUMP|JAL)"
)
_SYMBOL_AND_OFFSET = lazy_pattern(r"^(.*?)(?:([+-]0x[0-9a-fA-F]+))?$")
_MAX_CUT_BYTES = 1 << 16
"""Distance of a branch back that may be that of a loop."""


Assemble = Callable[[str, str, Isa], Code]
"""Reads assembly text: the text, the name of its file, its instruction set."""


def read_listing(text: str, kind: str, file: str, isa: Isa | None, assemble: Assemble) -> Code:
    """Read what a disassembler printed.

    Args:
        text: the listing; its lines are those of the result.
        kind: what `listing_kind` says.
        file: name for messages.
        isa: the instruction set where the listing does not name it.
        assemble: reads the assembly text that a listing without bytes becomes.

    Raises:
        InputError: a layout that cannot be read, another instruction set, or a listing that was cut.
    """
    lines = read_lines(text, kind, file)
    places = _Places(lines)
    isa = lines.isa or isa or _guess(lines, file)
    code = _decoded(lines, places, isa, file) if all(u.code for u in lines.units) else None
    if code is None:
        code = _assembled(lines, places, isa, file, assemble)
    _refuse_cut(code, lines, places)
    by_line = {unit.line: unit for unit in lines.units}
    instructions = code.instructions

    def statement(index: int) -> str:
        unit = by_line.get(instructions[index].line)
        return " ".join(unit.text.split()) if unit is not None else ""

    def address(index: int) -> int | None:
        unit = by_line.get(instructions[index].line)
        return unit.address if unit is not None else None

    return replace(code, statement=statement, address=address)


class _Places:
    """Where addresses and names of a listing lie."""

    def __init__(self, lines: ListingLines) -> None:
        self.lines = lines
        self.at: dict[tuple[int, int], int] = {}
        for number, unit in enumerate(lines.units):
            self.at.setdefault((unit.section, unit.address), number)
        self.symbols: dict[tuple[int, str], int] = {}
        heads: dict[int, list[str]] = {}
        starts = [(unit.section, unit.address) for unit in lines.units]
        for section, address, name, _ in lines.symbols:
            # gdb names the function before its first instruction gives the address.
            place = (section, address)
            found = bisect_left(starts, place) if address < 0 else self.at.get(place)
            if found is not None and found < len(starts):
                self.symbols.setdefault((section, name), found)
                heads.setdefault(found, []).append(name)
        self.functions: dict[int, str] = {}
        """The first global name at a unit."""
        for place_of_names, names in heads.items():
            function = next((name for name in names if is_global_name(name)), None)
            if function is not None:
                self.functions[place_of_names] = function

    def target(self, unit: Unit, address: int) -> int | None:
        return self.at.get((unit.section, address))


def _guess(lines: ListingLines, file: str) -> Isa:
    from corecast.asm.clean import clean
    from corecast.asm.dialect import guess_isa

    found = guess_isa(clean("\n".join(unit.text for unit in lines.units[:4000]), file))
    if found is None:
        raise InputError("the instruction set cannot be determined from the listing: name it or the CPU", file)
    return found


def _decoded(lines: ListingLines, places: _Places, isa: Isa, file: str) -> Code | None:
    """The listing's bytes, decoded; None where they do not give the instructions that its text has."""
    from corecast import _core

    instructions: list[_core.Instruction] = []
    owners: list[int] = []
    problems: list[tuple[int, str]] = []
    units = lines.units
    for first, end in _runs(units):
        base = units[first].address
        starts = [(unit.address - base, unit.line) for unit in units[first:end]]
        listing = _core.disassemble(isa, b"".join(unit.code for unit in units[first:end]), base, starts)
        offsets = [offset for offset, _ in starts]
        for problem in listing.problems:
            owner = bisect_right(offsets, problem.line) - 1
            problems.append((starts[owner][1], problem.message))
        instructions += listing.instructions
        owners += [first + bisect_right(offsets, each.address - base) - 1 for each in listing.instructions]
    first_of: dict[int, int] = {}
    for index, owner in enumerate(owners):
        first_of.setdefault(owner, index)
    if not instructions or 4 * len(problems) > len(units):
        return None
    targets = []
    for index, each in enumerate(instructions):
        target = NO_TARGET
        if each.branch in ("conditional", "unconditional"):
            number = _branch_target(lines, places, owners[index], each.target_address)
            if number is not None:
                target = first_of.get(number, NO_TARGET)
        targets.append(target)
    labels = [
        CodeLabel(name, first_of[number], units[number].line)
        for number, name in sorted(places.functions.items())
        if number in first_of
    ]
    return Code(
        isa=isa,
        file=file,
        origin="text",
        instructions=instructions,
        targets=targets,
        labels=labels,
        functions=functions_between(labels, {label.name for label in labels}, len(instructions)),
        problems=sorted(problems),
    )


def _runs(units: Sequence[Unit]) -> list[tuple[int, int]]:
    """Units whose bytes follow each other."""
    runs = []
    first = 0
    for number in range(1, len(units) + 1):
        before = units[number - 1]
        if number == len(units) or (units[number].section, units[number].address) != (
            before.section,
            before.address + len(before.code),
        ):
            runs.append((first, number))
            first = number
    return runs


def _branch_target(lines: ListingLines, places: _Places, number: int, address: int) -> int | None:
    """The unit that a branch goes to; in an object file its relocation says so."""
    unit = lines.units[number]
    kind, name = lines.relocations.get(number, ("", ""))
    if not kind or _BRANCH_RELOCATION.fullmatch(kind) is None:
        return places.target(unit, address)
    match = _SYMBOL_AND_OFFSET.match(name.strip())
    symbol, offset = (match[1], int(match[2] or "0", 16)) if match is not None else (name, 0)
    # x86 counts from the end of the field, four bytes on.
    offset += 4 if kind.startswith("R_X86") else 0
    start = places.symbols.get((unit.section, symbol))
    if start is None:
        return None
    return places.target(unit, lines.units[start].address + offset)


@dataclass(frozen=True)
class _Writer:
    """Writes a listing's instructions as assembly text, line by line."""

    lines: ListingLines
    places: _Places
    isa: Isa
    targets: set[int]

    def statement(self, number: int) -> str:
        unit = self.lines.units[number]
        text = _COMMENT[self.isa].sub("", unit.text)
        if self.isa == "x86" and _LONG_NOP.fullmatch(text):
            return "nop"
        if (named := _NAMED_TARGET.search(text)) is not None:
            return text[: named.start()] + self._label(unit, number, int(named[1], 16))
        if (plain := _PLAIN_TARGET[self.isa].match(text)) is not None:
            return plain[1] + self._label(unit, number, int(plain[2], 16))
        if (label := _OPERAND_LABEL.search(text)) is not None:
            place = self.lines.operand_labels.get((self.lines.scopes[number], label[1]))
            if place is not None and place < len(self.lines.units):
                return text[: label.start()] + self._name(place)
        return text

    def _label(self, unit: Unit, number: int, address: int) -> str:
        if number in self.lines.relocations:
            place = _branch_target(self.lines, self.places, number, address)
        else:
            place = self.places.target(unit, address)
        return f"outside_{address:x}" if place is None else self._name(place)

    def _name(self, place: int) -> str:
        self.targets.add(place)
        return f".Lat_{place}"


def _assembled(lines: ListingLines, places: _Places, isa: Isa, file: str, assemble: Assemble) -> Code:
    """The listing's text, assembled."""
    writer = _Writer(lines, places, isa, set())
    statements = [writer.statement(number) for number in range(len(lines.units))]
    rows = [""] * lines.count
    names: dict[str, str] = {}
    for number, statement in enumerate(statements):
        labels = f".Lat_{number}: " if number in writer.targets else ""
        if number in places.functions:
            names[f"function_{number}"] = places.functions[number]
            labels = f"function_{number}: {labels}"
        rows[lines.units[number].line - 1] = labels + statement
    code = assemble("\n".join(rows) + "\n", file, isa)
    labels_found = [
        CodeLabel(names[label.name], label.index, label.line) for label in code.labels if label.name in names
    ]
    functions = functions_between(labels_found, {label.name for label in labels_found}, len(code.instructions))
    return replace(code, labels=labels_found, functions=functions)


def _refuse_cut(code: Code, lines: ListingLines, places: _Places) -> None:
    """A branch back to before the listing is a loop whose start is missing.

    Raises:
        SyntaxProblem: no loop is whole, and there is such a branch.
    """
    if any(0 <= target <= index for index, target in enumerate(code.targets)):
        return
    units = {unit.line: number for number, unit in enumerate(lines.units)}
    for index, instruction in enumerate(code.instructions):
        number = units.get(instruction.line)
        if instruction.branch != "conditional" or code.targets[index] != NO_TARGET or number is None:
            continue
        unit = lines.units[number]
        goal = instruction.target_address if unit.code else _named_address(unit.text, code.isa)
        start = min(each.address for each in lines.units if each.section == unit.section)
        if goal is not None and number not in lines.relocations and 0 < start - goal < _MAX_CUT_BYTES:
            raise SyntaxProblem(
                f"the listing does not hold the loop's start: this branch goes to {goal:#x}, before its first "
                f"instruction at {start:#x}; list the whole function",
                code.file,
                unit.line,
            )


def _named_address(text: str, isa: Isa) -> int | None:
    text = _COMMENT[isa].sub("", text)
    match = _NAMED_TARGET.search(text)
    if match is not None:
        return int(match[1], 16)
    plain = _PLAIN_TARGET[isa].match(text)
    return int(plain[2], 16) if plain is not None else None
