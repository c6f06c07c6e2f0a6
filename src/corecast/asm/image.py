"""Code and symbols of one binary file, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast.asm.code import NO_TARGET, Isa
from corecast.dataclass import dataclass, field
from corecast.errors import ObjectFileError
from corecast.hints import Literal

GCC_LTO = "this is an LTO object (GCC): it holds no machine code; compile without -flto, or with -ffat-lto-objects"
ObjectFormat = Literal["ELF", "COFF", "Mach-O"]


@dataclass(frozen=True)
class CodeSection:
    """A section (or, in an ELF file without section headers, a segment) that holds code."""

    index: int
    name: str
    address: int
    data: bytes

    @property
    def end(self) -> int:
        return self.address + len(self.data)


@dataclass(frozen=True)
class FunctionSymbol:
    name: str
    address: int
    size: int
    """0 where the file does not say."""
    section: int


@dataclass(frozen=True)
class Relocation:
    symbol: int
    addend: int | None
    """None: the instruction itself encodes it."""


@dataclass(frozen=True)
class CodeImage:
    """Code and symbols of one file."""

    isa: Isa
    relocatable: bool
    sections: Mapping[int, CodeSection]
    functions: Sequence[FunctionSymbol]
    """Ordered by section and address."""
    mapping: Mapping[int, Sequence[tuple[int, bool]]]
    """By section: (address, whether code follows) of places where code and data meet."""
    relocations: Mapping[int, Mapping[int, Relocation]]
    """By section and address of the field; object files only."""
    symbols: Sequence[tuple[int, int]]
    """(section, value) of every symbol, for relocations."""
    content: bytes
    format: ObjectFormat = "ELF"

    def relocated_target(
        self, section: CodeSection, relocation: Relocation, field_address: int, instruction: tuple[int, int, int]
    ) -> int:
        """Address that a branch goes to, NO_TARGET outside the section.

        `instruction` is its address, the address behind it, and the target that it encodes.
        """
        if relocation.symbol >= len(self.symbols):
            return NO_TARGET
        home, value = self.symbols[relocation.symbol]
        if home != section.index:
            return NO_TARGET
        start, end, encoded = instruction
        # x86 displacements count from the end of the instruction, those of the other sets from its start.
        if relocation.addend is None:
            return value + encoded - (end if self.isa == "x86" else start)
        return value + relocation.addend + (end - field_address if self.isa == "x86" else 0)


@dataclass
class SectionCollector:
    """Collects code sections; refuses those that lie outside the file, or overlap so that they cover it many times."""

    content: bytes
    file: str
    format: ObjectFormat
    sections: dict[int, CodeSection] = field(default_factory=dict)
    total: int = 0

    def add(self, index: int, name: str, address: int, place: tuple[int, int]) -> None:
        """`place` is the offset in the file, and the size.

        Raises:
            ObjectFileError: the file ends before the section does, or sections overlap.
        """
        start, size = place
        if start + size > len(self.content):
            raise ObjectFileError(f"damaged {self.format} file: section {name} is cut off", self.file)
        self.total += size
        if self.total > 2 * len(self.content):
            raise ObjectFileError(f"damaged {self.format} file: its code sections overlap", self.file)
        self.sections[index] = CodeSection(index, name, address, self.content[start : start + size])


def ordered(functions: Sequence[FunctionSymbol]) -> list[FunctionSymbol]:
    """As CodeImage.functions has them: of several names for one place the longest function first."""
    return sorted(functions, key=lambda symbol: (symbol.section, symbol.address, -symbol.size))
