"""Kernel: the instructions of one region, ready for analysis."""

from __future__ import annotations

from corecast.asm.code import Isa
from corecast.asm.options import RegionOptions
from corecast.asm.region_choice import Region, choose_regions, single
from corecast.asm.unreadable import UnreadLine
from corecast.dataclass import dataclass, replace
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, repr=False)
class Kernel(Region):
    """Code that repeats, or one straight line; made by `read_regions` or one of the methods `from_...`."""

    @classmethod
    def of_region(cls, region: Region) -> Kernel:
        """The kernel with the fields of a region."""
        return cls(**vars(region))

    @classmethod
    def from_text(cls, text: str, options: RegionOptions | None = None, *, isa: Isa | None = None) -> Kernel:
        """The one region of an assembly text: between its markers, its innermost loop, or all of it.

        Raises:
            InputError: unreadable text, or several regions (`regions_of_text` gives them all).
        """
        from corecast.asm.text import read_text

        options = _with_isa(options, isa) or RegionOptions()
        code = read_text(text, "<text>", options.isa, options.syntax)
        return cls.of_region(single(choose_regions(code, options)))

    @classmethod
    def from_object(cls, path: str | Path, options: RegionOptions | None = None) -> Kernel:
        """The one region of an ELF object, executable or shared library; choose it with `options`.

        Raises:
            ObjectFileError: not such a file.
            InputError: several regions.
        """
        from corecast.asm.objects import read_object

        return cls.of_region(single(choose_regions(read_object(path, options), options)))

    @classmethod
    def from_hex(cls, code: str, isa: Isa = "x86", *, address: int = 0, is_loop: bool = True) -> Kernel:
        """All instructions of encoded code, written as hexadecimal digits; `address` is where it starts.

        Raises:
            SyntaxProblem: not hexadecimal, or no code.
        """
        from corecast.asm.hexcode import read_hex

        return cls.from_bytes(read_hex(code), isa, address=address, is_loop=is_loop)

    @classmethod
    def from_bytes(cls, code: bytes, isa: Isa = "x86", *, address: int = 0, is_loop: bool = True) -> Kernel:
        """All instructions of encoded code; undecodable bytes become unknown instructions, with a warning.

        Raises:
            SyntaxProblem: no code.
        """
        from corecast.asm.hexcode import decode

        instructions, warnings = decode(code, isa, address)
        return cls(
            name="block",
            isa=isa,
            instructions=instructions,
            file="<hex>",
            first_line=1,
            last_line=len(instructions),
            is_loop=is_loop,
            source_lines=("",) * len(instructions),
            origin="hex",
            warnings=warnings,
            unreadable=tuple(UnreadLine(0, "", warning) for warning in warnings),
        )

    @classmethod
    def from_source(cls, path: str | Path, compiler: str, options: RegionOptions | None = None) -> Kernel:
        """The one region of a C, C++ or Fortran source, compiled with the command line `compiler`.

        Raises:
            CompilerError: the compiler is missing or refuses.
            InputError: several regions.
        """
        from corecast.asm.compile import read_source

        return cls.of_region(single(choose_regions(read_source(path, compiler, options), options)))


def _with_isa(options: RegionOptions | None, isa: Isa | None) -> RegionOptions | None:
    if isa is None:
        return options
    return replace(options or RegionOptions(), isa=isa)
