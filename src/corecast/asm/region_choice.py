"""Which instructions of decoded code are the regions that the user asked for."""

from __future__ import annotations

import os

from corecast.asm.code import Code, CodeLabel, Function, Isa, Origin
from corecast.asm.markers import MarkedRegion, pair_markers
from corecast.asm.options import RegionOptions
from corecast.asm.unreadable import UnreadLine, unread_lines
from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError, MarkerError
from corecast.hints import TYPE_CHECKING, Callable, Sequence, TypeVar, partial

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm.loops import Loop

NO_LOOP = "no loop found"
"""Start of the warning of a region that is straight-line code, as there is no loop."""
_BLOCK_BYTES = 64
"""Of the largest blocks of code that a uop cache keeps together."""
_FAR = 65536
"""Bytes behind the start of a loop that are looked through where no function is known."""
MAX_SHOWN_PROBLEMS = 5
"""Unreadable lines of a region that are reported one by one."""


@dataclass(frozen=True)
class Region:
    """Code that repeats, or one straight line."""

    name: str
    """For reports: function, label and lines as far as known."""
    isa: Isa
    """Instruction set of the code."""
    instructions: tuple[_core.Instruction, ...]
    """Decoded instructions in program order."""
    file: str = ""
    """Path as it was given; "" for code without a file."""
    first_line: int = 0
    """First line, from 1; 0 where there is none."""
    last_line: int = 0
    """Lines of the assembly text; for code without text 1 to the number of instructions."""
    is_loop: bool = True
    """Whether the last instruction is followed by the first."""
    source_lines: tuple[str, ...] = ()
    """For each instruction `file:line` of the high-level source, "" where unknown."""
    statements: tuple[str, ...] = ()
    """For each instruction its spelling in the text, "" where there is none; empty for code without text."""
    origin: Origin = "text"
    """What the code was read from: text, an object file or encoded bytes."""
    warnings: tuple[str, ...] = ()
    """What the reader should know about how the region was found."""
    unreadable: tuple[UnreadLine, ...] = ()
    """Its lines that are not instructions; among the instructions they are unknown ones."""
    symbol: str = ""
    """Of the function that the region begins in, as the file spells it; "" where that has no name."""
    skipped_blocks: int | None = None
    """Basic blocks of the loop that these instructions leave out; None where nobody knows."""
    before: tuple[_core.Instruction, ...] = field(default=(), repr=False)
    """What lies in front of it in its block of 64 bytes, in encoded x86 code: a uop cache keeps both together. Empty
    where nothing is known of it."""
    read_behind: Callable[[int], bool | None] | None = field(default=None, repr=False, compare=False)
    """Whether code behind the loop may read a register's value; None, it or its answer, where nobody knows."""

    def __len__(self) -> int:
        return len(self.instructions)

    def __repr__(self) -> str:
        kind = "loop" if self.is_loop else "straight line"
        return f"<{type(self).__name__} {self.name or 'region'}: {kind} of {len(self)} {self.isa} instructions>"


_Region = TypeVar("_Region", bound=Region)


def single(regions: Sequence[_Region]) -> _Region:
    """The only one.

    Raises:
        InputError: there are several.
    """
    if len(regions) > 1:
        names = "; ".join(region.name for region in regions[:6]) + ("; ..." if len(regions) > 6 else "")
        raise InputError(f"there are {len(regions)} regions ({names}): choose one", regions[0].file)
    return regions[0]


def choose_regions(code: Code, options: RegionOptions | None = None) -> list[Region]:
    """The regions of decoded code, at least one.

    Raises:
        InputError: no such lines, function, marker, loop or addresses.
    """
    options = options or RegionOptions()
    if options.lines:
        return [_by_lines(code, options)]
    if options.marker is not None:
        return _by_marker(code, options)
    if options.address:
        return [_by_address(code, first, last, options) for first, last in options.address]
    functions = _functions(code, options.function)
    if options.loop == "auto" and options.function is None:
        marked = pair_markers(code.markers(), code.file)
        if marked:
            return _of_marked(code, marked, options)
    from corecast.asm.loops import find_loops

    loops = find_loops(code, functions)
    if options.loop not in ("auto", "all"):
        loops = [_nth(loops, options.loop, code)]
    if loops:
        return [_of_loop(code, loop, options) for loop in loops]
    return _straight(code, functions, options)


def _by_lines(code: Code, options: RegionOptions) -> Region:
    if code.origin not in ("text", "source"):
        raise InputError("lines can only be chosen in text: use a function or addresses", code.file)
    indices = [
        index
        for index in range(len(code.instructions))
        if any(first <= _line(code, index) <= last for first, last in options.lines)
    ]
    name = "lines " + ",".join(f"{first}-{last}" for first, last in options.lines)
    if not indices:
        raise InputError(f"there are no instructions in {name}", code.file)
    return _region(code, name, indices, options)


def _by_marker(code: Code, options: RegionOptions) -> list[Region]:
    marked = pair_markers(code.markers(), code.file)
    chosen = [region for region in marked if region.name == options.marker]
    if not chosen:
        names = ", ".join(f"'{region.name}'" for region in marked if region.name)
        raise MarkerError(
            f"there is no marked region '{options.marker}'" + (f"; there are {names}" if names else ""), code.file
        )
    return _of_marked(code, chosen, options)


def _by_address(code: Code, first: int, last: int, options: RegionOptions) -> Region:
    if code.address(0) is None:
        raise InputError("addresses can only be chosen in object files and disassembly", code.file)
    indices = [
        index
        for index in range(len(code.instructions))
        if (address := code.address(index)) is not None and first <= address < last
    ]
    if not indices:
        raise InputError(f"there is no code at {first:#x}-{last:#x}", code.file)
    return _region(code, f"{first:#x}-{last:#x}", indices, options)


def _functions(code: Code, name: str | None) -> Sequence[Function]:
    if name is None:
        return code.functions
    from corecast.asm.names import choose_functions

    names = [function.name for function in code.functions]
    return [code.functions[position] for position in choose_functions(names, name, code.file)]


def _nth(loops: Sequence[Loop], number: str, code: Code) -> Loop:
    if not (number.isascii() and number.isdigit() and len(number) < 10) or int(number) < 1:
        raise InputError(f"'{number}' is not a choice of loop: auto, all or a number from 1")
    if int(number) > len(loops):
        there_are = (
            f"there are only {len(loops)} loops" if len(loops) > 1 else f"there is {'only one' if loops else 'no'} loop"
        )
        raise MarkerError(f"loop {number} was asked for, but {there_are}", code.file)
    return loops[int(number) - 1]


def _of_marked(code: Code, marked: Sequence[MarkedRegion], options: RegionOptions) -> list[Region]:
    seen: dict[str, int] = {}
    found = []
    for region in marked:
        indices = range(region.first, region.end)
        name = region.name
        if name:
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                name = f"{name} #{seen[name]}"
        found.append(_region(code, name or f"marked region ({_span(code, indices)})", indices, options))
    return found


def _of_loop(code: Code, loop: Loop, options: RegionOptions) -> Region:
    from corecast.asm.names import heading_name

    label = loop.label
    where = _span(code, loop.indices, label)
    name = heading_name(label.name) if label is not None else "loop"
    if loop.function and (label is None or loop.function != label.name):
        name = f"{heading_name(loop.function)}:{name}"
    function, start = code.function_at(loop.indices[0]), code.address(loop.indices[0])
    if start is not None and function is not None and function.name:
        name = f"{heading_name(function.name)}+{start - (code.address(function.first) or 0):#x}"
    return replace(
        _region(code, f"{name} ({where})", loop.indices, options, label, loop.warnings),
        skipped_blocks=loop.skipped_blocks,
    )


def _straight(code: Code, functions: Sequence[Function], options: RegionOptions) -> list[Region]:
    """Without any loop: all code as one iteration, or each of the chosen functions."""
    if options.function is None:
        name, what = ("whole text", "the whole text") if code.origin != "object" else ("all code", "all code")
        return [_one_pass(code, range(len(code.instructions)), name, what, options)]
    from corecast.asm.names import heading_name

    return [
        _one_pass(
            code,
            range(function.first, function.end),
            heading_name(function.name),
            f"the function {heading_name(function.name)}",
            options,
            CodeLabel(function.name, function.first, function.line) if function.line else None,
        )
        for function in functions
    ]


def _one_pass(
    code: Code, indices: range, name: str, what: str, options: RegionOptions, label: CodeLabel | None = None
) -> Region:
    warning = f"{NO_LOOP}: {what} ({len(indices)} instructions) is analyzed as one iteration"
    return _region(code, f"{name} ({_span(code, indices, label)})", indices, options, label, (warning,))


def _span(code: Code, indices: Sequence[int], label: CodeLabel | None = None) -> str:
    """Lines or addresses of a region, for its name."""
    first, last = min(indices), max(indices)
    start, stop = code.address(first), code.address(last)
    if start is not None and stop is not None:
        return f"{start:#x}-{_end_address(code, last, stop):#x}"
    return "lines {}-{}".format(*_lines(code, indices, label))


def _end_address(code: Code, last: int, start: int) -> int:
    """Where an instruction ends: in a disassembly without bytes, where the next one starts."""
    following = code.address(last + 1) if code.origin == "text" and last + 1 < len(code.instructions) else None
    return following if following is not None and following > start else start + code.instructions[last].length_bytes


def _line(code: Code, index: int) -> int:
    """Line that the user knows: of the text, or of the compiled source (0 where it comes from another file)."""
    if code.origin != "source":
        return int(code.instructions[index].line)
    name, _, line = code.source_line(index).rpartition(":")
    return (
        int(line) if line.isascii() and line.isdigit() and os.path.basename(name) == os.path.basename(code.file) else 0
    )


def _lines(code: Code, indices: Sequence[int], label: CodeLabel | None) -> tuple[int, int]:
    if code.origin not in ("text", "source"):
        return 1, len(indices)
    lines = [line for index in indices if (line := _line(code, index))] or [0]
    first = min(lines)
    if code.origin == "text" and label is not None and label.line:
        first = min(label.line, first)
    return first, max(lines)


def _region(
    code: Code,
    name: str,
    indices: Sequence[int],
    options: RegionOptions,
    label: CodeLabel | None = None,
    warnings: Sequence[str] = (),
) -> Region:
    first, last = _lines(code, indices, label)
    sources = tuple(code.source_line(index) for index in indices)
    function = code.function_at(indices[0])
    return Region(
        name=name,
        isa=code.isa,
        instructions=_instructions(code, indices),
        file=code.file,
        first_line=first,
        last_line=last,
        is_loop=options.mode != "unroll",
        source_lines=sources,
        statements=tuple(code.statement(index) for index in indices) if code.origin == "text" else (),
        before=_before(code, indices[0]),
        read_behind=_liveness(code, indices),
        origin=code.origin,
        warnings=(*warnings, *_unread(code, indices)),
        symbol=function.name if function is not None else "",
        unreadable=unread_lines(code, indices) if code.origin in ("text", "source") else (),
    )


def _before(code: Code, first: int) -> tuple[_core.Instruction, ...]:
    """The neighbours in front of an instruction in its block of code."""
    if code.origin != "object" or code.isa != "x86":
        return ()
    end = start = code.instructions[first].address
    index = first
    while index > 0 and start % _BLOCK_BYTES:
        earlier = code.instructions[index - 1]
        if earlier.address + earlier.length_bytes != start or earlier.address // _BLOCK_BYTES != end // _BLOCK_BYTES:
            break
        index, start = index - 1, earlier.address
    if index == first:
        return ()
    return _instructions(code, range(index, first))


def _instructions(code: Code, indices: Sequence[int]) -> tuple[_core.Instruction, ...]:
    """Those of a region; of a part of a large file in copies, as each of its own keeps the whole part in memory."""
    if code.again is None:
        return tuple(code.instructions[index] for index in indices)
    copies: list[_core.Instruction] = []
    first = 0
    for place, index in enumerate(indices):
        if place + 1 == len(indices) or indices[place + 1] != index + 1:  # a run of neighbours ends
            run = [code.instructions[each] for each in indices[first : place + 1]]
            copies += code.again(run[0].address, run[-1].address + run[-1].length_bytes).instructions
            first = place + 1
    return tuple(copies)


def _liveness(code: Code, indices: Sequence[int]) -> Callable[[int], bool | None]:
    if code.again is None:
        return partial(_read_behind, code, tuple(indices))
    addresses = tuple(code.instructions[index].address for index in indices)
    function = code.function_at(indices[0])
    first, end = min(addresses), min(addresses) + _FAR
    if function is not None and function.name:
        first = code.instructions[function.first].address
        last = code.instructions[function.end - 1]
        end = last.address + last.length_bytes
    return partial(_read_behind_anew, code.again, (first, end), addresses)


def _read_behind(code: Code, indices: tuple[int, ...], register: int) -> bool | None:
    from corecast.asm.liveness import read_behind  # advice alone asks, and not of every loop

    return read_behind(code, indices, register)


def _read_behind_anew(
    again: Callable[[int, int], Code], span: tuple[int, int], addresses: tuple[int, ...], register: int
) -> bool | None:
    from corecast.asm.liveness import read_behind_anew

    return read_behind_anew(again, span, addresses, register)


def _unread(code: Code, indices: Sequence[int]) -> list[str]:
    """Warnings about what could not be read in a region."""
    if not code.problems:
        return []
    if code.origin == "object":
        found = [f"{code.file}: {text}" for index, text in code.problems if min(indices) <= index <= max(indices)]
    else:
        lines = [code.instructions[index].line for index in indices]
        first, last = min(lines), max(lines)
        found = [f"{code.file}:{line}: {text}" for line, text in code.problems if first <= line <= last]
    if len(found) > MAX_SHOWN_PROBLEMS:
        found[MAX_SHOWN_PROBLEMS:] = [f"{len(found) - MAX_SHOWN_PROBLEMS} more lines could not be read"]
    return found
