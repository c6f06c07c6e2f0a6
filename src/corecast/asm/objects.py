"""Object files, executables and shared libraries to Code."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from corecast.asm.binaries import read_image
from corecast.asm.code import NO_TARGET, Code, CodeLabel, Function, Isa, MarkerEvent, functions_between
from corecast.asm.detect import read_bytes
from corecast.asm.image import CodeImage, CodeSection, FunctionSymbol
from corecast.asm.markers import find_byte_markers
from corecast.asm.names import choose_functions
from corecast.dataclass import dataclass, replace
from corecast.errors import ObjectFileError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm.dwarf import LineTable
    from corecast.asm.options import RegionOptions

MAX_CODE_BYTES = 4 * 1024 * 1024
"""Code that is decoded at once without a function or addresses chosen: about a million instructions."""
PART_BYTES = 1024 * 1024
_STUB_SECTIONS = (".plt", ".init", ".fini", ".iplt", "__stub", "__auth_stubs", "__objc_stubs")


@dataclass(frozen=True)
class CodePiece:
    """Consecutive code of one section, without data."""

    section: CodeSection
    start: int
    end: int

    @property
    def code(self) -> bytes:
        return self.section.data[self.start - self.section.address : self.end - self.section.address]


def read_object(source: str | Path | bytes, options: RegionOptions | None = None, file: str | None = None) -> Code:
    """Decode the code of an object file: the chosen function, the chosen addresses, or all of it.

    Raises:
        ObjectFileError: no object file, a damaged one, a foreign instruction set, no code, or too much to take it all.
        MarkerError: no such function.
    """
    image = _image(source, options, file)
    return _decoded(image, _pieces(image, options, image_name(source, file)), image_name(source, file))


def read_object_parts(
    source: str | Path | bytes, options: RegionOptions | None = None, file: str | None = None
) -> Iterator[Code]:
    """The same for files of any size: more than `MAX_CODE_BYTES` come in parts that begin with a function, as far as
    the file names functions. A part is dropped before the next one is decoded.

    Raises:
        ObjectFileError, MarkerError: as `read_object`, also where one loop or region of a large file is chosen.
    """
    image = _image(source, options, file)
    name = image_name(source, file)
    pieces = code_pieces(image)
    chosen = options is not None and (
        options.function is not None or options.address or options.loop not in ("auto", "all")
    )
    if chosen or sum(piece.end - piece.start for piece in pieces) <= MAX_CODE_BYTES:
        if options is None or options.share[0] == 0:
            yield _decoded(image, _pieces(image, options, name), name)
        return
    from corecast.asm.dwarf import LineTable

    lines, symbols = LineTable(image), _Symbols(image)
    share, shares = options.share if options is not None else (0, 1)
    parts = [part for piece in pieces for part in _parts(symbols, piece)]
    for part in parts[share * len(parts) // shares : (share + 1) * len(parts) // shares]:
        again = partial(_code_between, image, symbols, part.section, name)
        yield replace(_decoded(image, [part], name, lines, symbols), again=again)  # nothing here holds it any longer


def _code_between(image: CodeImage, symbols: _Symbols, section: CodeSection, name: str, first: int, end: int) -> Code:
    """The code from one address to another, as far as the section goes."""
    return _decoded(image, [CodePiece(section, first, min(end, section.end))], name, None, symbols)


def image_name(source: str | Path | bytes, file: str | None) -> str:
    """What messages call a file."""
    return file or (str(source) if not isinstance(source, bytes) else "<object>")


def _image(source: str | Path | bytes, options: RegionOptions | None, file: str | None) -> CodeImage:
    name = image_name(source, file)
    isa = options.isa if options is not None else None
    image = read_image(source if isinstance(source, bytes) else read_bytes(source), name, isa)
    if isa not in (None, image.isa):
        raise ObjectFileError(f"this is {image.isa} code, not {isa}", name)
    return image


def _decoded(
    image: CodeImage,
    pieces: Sequence[CodePiece],
    name: str,
    lines: LineTable | None = None,
    symbols: _Symbols | None = None,
) -> Code:
    decoded = _Decoded(image, symbols or _Symbols(image))
    for piece in pieces:
        decoded.add(piece)
    if not decoded.instructions:
        raise ObjectFileError("the file has no code", name)
    return decoded.finish(name, lines)


def _parts(symbols: _Symbols, piece: CodePiece) -> Iterator[CodePiece]:
    """A piece in parts of about `PART_BYTES`: from one function to another, or where no function begins for as many
    bytes, from one multiple of 16 bytes to another."""
    starts = [each.address for each in symbols.between(piece)]
    start = piece.start
    while start < piece.end:
        least = start + PART_BYTES
        following = bisect_left(starts, least)
        end = starts[following] if following < len(starts) else piece.end
        if end > least + PART_BYTES:
            end = least + PART_BYTES & ~15
        end = min(end, piece.end)
        yield CodePiece(piece.section, start, end)
        start = end


def _pieces(image: CodeImage, options: RegionOptions | None, file: str) -> list[CodePiece]:
    if options is not None and options.function is not None:
        symbols = [symbol for symbol in image.functions if symbol.section in image.sections]
        chosen = choose_functions([symbol.name for symbol in symbols], options.function, file)
        # Aliases are several symbols for the same code.
        spans = {(symbols[i].section, symbols[i].address): symbols[i] for i in reversed(chosen)}
        return [piece for symbol in spans.values() for piece in _without_data(image, _function_piece(image, symbol))]
    if options is not None and options.address:
        found = [
            CodePiece(section, max(first, section.address), min(last, section.end))
            for first, last in options.address
            for section in list(image.sections.values())
            if first < section.end and section.address < last
        ]
        if not found:
            first, last = options.address[0]
            raise ObjectFileError(f"there is no code at {first:#x}-{last:#x}", file)
        return found
    size = sum(len(section.data) for section in _sections(image))
    if size > MAX_CODE_BYTES:
        raise ObjectFileError(
            f"the file has {size / 1024 / 1024:.1f} MiB of code: choose a function or addresses", file
        )
    return code_pieces(image)


def code_pieces(image: CodeImage) -> list[CodePiece]:
    """All code of a file but the linker's stubs."""
    return [
        piece
        for section in _sections(image)
        for piece in _without_data(image, CodePiece(section, section.address, section.end))
    ]


def _sections(image: CodeImage) -> list[CodeSection]:
    return [section for section in image.sections.values() if not section.name.startswith(_STUB_SECTIONS)]


def _function_piece(image: CodeImage, symbol: FunctionSymbol) -> CodePiece:
    section = image.sections[symbol.section]
    end = symbol.address + symbol.size
    if symbol.size == 0:
        later = [s.address for s in image.functions if s.section == symbol.section and s.address > symbol.address]
        end = min(later, default=section.end)
    return CodePiece(section, symbol.address, min(end, section.end))


def _without_data(image: CodeImage, piece: CodePiece) -> list[CodePiece]:
    """Cut out what mapping symbols (`$d`) call data inside code."""
    pieces = []
    start, is_code = piece.start, True
    for address, code_follows in [*image.mapping.get(piece.section.index, ()), (piece.end, False)]:
        if address <= piece.start:
            is_code = code_follows
            continue
        address = min(address, piece.end)
        if (is_code and not code_follows) or address == piece.end:
            if is_code and address > start:
                pieces.append(CodePiece(piece.section, start, address))
            is_code = code_follows
        elif code_follows and not is_code:
            start, is_code = address, True
        if address == piece.end:
            break
    return pieces


class _Symbols:
    """The functions of a file by section and address."""

    def __init__(self, image: CodeImage) -> None:
        self._sections: dict[int, list[FunctionSymbol]] = {}
        for symbol in image.functions:
            self._sections.setdefault(symbol.section, []).append(symbol)
        for symbols in self._sections.values():
            symbols.sort(key=lambda symbol: symbol.address)

    def between(self, piece: CodePiece) -> Sequence[FunctionSymbol]:
        """Those that begin in a piece of code."""
        known = self._sections.get(piece.section.index, [])
        first, end = (bisect_left(known, at, key=lambda symbol: symbol.address) for at in (piece.start, piece.end))
        return known[first:end]


class _Decoded:
    """Collects decoded pieces and ties them together."""

    def __init__(self, image: CodeImage, symbols: _Symbols) -> None:
        self.image = image
        self.symbols = symbols
        self.instructions: list[_core.Instruction] = []
        self.targets: list[int] = []
        self.labels: list[CodeLabel] = []
        self.functions: list[Function] = []
        self.events: list[MarkerEvent] = []
        self.problems: list[tuple[int, str]] = []
        self.sections: list[tuple[int, CodeSection]] = []

    def add(self, piece: CodePiece) -> None:
        from corecast import _core

        listing = _core.disassemble(self.image.isa, piece.code, piece.start)
        base = len(self.instructions)
        fresh = list(listing.instructions)
        addresses = [instruction.address for instruction in fresh]
        self.instructions += fresh
        self.sections.append((base, piece.section))
        self.targets += self._targets(piece.section, fresh, addresses, base)
        labels: list[CodeLabel] = []
        ends: set[int] = set()
        for symbol in self.symbols.between(piece):
            index = bisect_left(addresses, symbol.address)
            if index < len(addresses) and addresses[index] == symbol.address:
                labels.append(CodeLabel(symbol.name, index))
                ends.add(bisect_left(addresses, symbol.address + symbol.size) if symbol.size else index)
        # What follows the end of a function, without a symbol, is not part of it.
        ends -= {label.index for label in labels}
        labels = sorted([*labels, *(CodeLabel("", index) for index in ends)], key=lambda label: label.index)
        names = {label.name for label in labels}
        for function in functions_between(labels, names or {""}, len(fresh)):
            self.functions.append(Function(function.name, base + function.first, base + function.end))
        for start, end, begins in find_byte_markers(self.image.isa, piece.code):
            index = base + bisect_left(addresses, piece.start + (end if begins else start))
            self.events.append(MarkerEvent(index, "bytes", begins))
        self._note_problems(listing, addresses, base, piece)

    def _note_problems(self, listing: _core.Listing, addresses: Sequence[int], base: int, piece: CodePiece) -> None:
        for problem in listing.problems:
            address = piece.start + problem.line
            where = base + bisect_left(addresses, address)
            self.problems.append((where, f"{problem.message} (address {address:#x})"))

    def _targets(
        self, section: CodeSection, fresh: Sequence[_core.Instruction], addresses: Sequence[int], base: int
    ) -> list[int]:
        index_at = {address: index for index, address in enumerate(addresses)}
        relocations = self.image.relocations.get(section.index, {})
        targets = []
        for address, instruction in zip(addresses, fresh, strict=True):
            target = NO_TARGET
            if instruction.branch in ("conditional", "unconditional"):
                goal = instruction.target_address
                if relocations:
                    end = address + instruction.length_bytes
                    for place in range(address, end):
                        if place in relocations:
                            goal = self.image.relocated_target(section, relocations[place], place, (address, end, goal))
                            break
                found = index_at.get(goal)
                target = NO_TARGET if found is None else base + found
            targets.append(target)
        return targets

    def finish(self, file: str, lines: LineTable | None = None) -> Code:
        from corecast.asm.dwarf import LineTable

        instructions = self.instructions
        isa: Isa = self.image.isa
        table = lines or LineTable(self.image)
        starts = [first for first, _ in self.sections]

        def source_line(index: int) -> str:
            section = self.sections[bisect_right(starts, index) - 1][1]
            return table.at(section.index, instructions[index].address)

        return Code(
            isa=isa,
            file=file,
            origin="object",
            instructions=instructions,
            targets=self.targets,
            labels=(),
            functions=self.functions,
            markers=lambda: self.events,
            source_line=source_line,
            address=lambda index: instructions[index].address,
            problems=self.problems,
        )
