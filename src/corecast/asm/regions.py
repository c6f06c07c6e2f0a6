"""From decoded code to the regions that the user asked for."""

from __future__ import annotations

import os
import sys

from corecast.asm.code import Code
from corecast.asm.detect import input_kind, read_bytes, text_of
from corecast.asm.kernel import Kernel
from corecast.asm.options import RegionOptions
from corecast.asm.region_choice import NO_LOOP, choose_regions
from corecast.asm.text import read_text
from corecast.asm.unreadable import warn_outside
from corecast.dataclass import replace
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Iterable, Iterator

if TYPE_CHECKING:
    from pathlib import Path


def read_regions(
    path: str | Path, options: RegionOptions | None = None, *, compiler: str | None = None
) -> list[Kernel]:
    """The regions of a file: assembly text, object file, static library, or source that `compiler` compiles.

    Args:
        path: the file, "-" for standard input, or "LIBRARY(MEMBER)" for an object in a static library.
        options: which regions.
        compiler: command line such as "gcc -O3 -march=haswell".

    Raises:
        InputError: the file cannot be read, or has no such region.
        CompilerError: the compiler is missing or refuses the source.
    """
    options = options or RegionOptions()
    codes = _codes(path, options, compiler, whole=False)
    if not isinstance(codes, list):
        return _with_loops(list(_regions_of(codes, options)))
    if len(codes) == 1:
        return regions_of_code(codes[0], options)
    if options.loop not in ("auto", "all") or options.address:
        what = "addresses" if options.address else "one loop"
        raise InputError(f"the library has {len(codes)} objects: to choose {what}, name one as FILE(MEMBER)", str(path))
    return _with_loops([kernel for code in codes for kernel in regions_of_code(code, options)])


def stream_regions(path: str | Path, options: RegionOptions) -> Iterator[Kernel]:
    """The same regions one after the other. Those of a large object file come part by part, each decoded when the one
    before may be dropped; where no part has a loop, the file is decoded a second time.

    Raises:
        InputError: as `read_regions`.
    """
    found = False
    for kernel in _of_parts(path, options):
        if not _lacks_loops(kernel):
            found = True
            yield kernel
    if not found:
        yield from _of_parts(path, options)


def _of_parts(path: str | Path, options: RegionOptions) -> Iterator[Kernel]:
    return _regions_of(_codes(path, options, None, whole=False), options)


def _regions_of(codes: Iterable[Code], options: RegionOptions) -> Iterator[Kernel]:
    for code in codes:
        regions = iter(regions_of_code(code, options))
        del code  # before the next one is decoded
        yield from regions


def _lacks_loops(kernel: Kernel) -> bool:
    return any(warning.startswith(NO_LOOP) for warning in kernel.warnings)


def _with_loops(found: list[Kernel]) -> list[Kernel]:
    """Without the code that has no loop, unless none has one."""
    return [kernel for kernel in found if not _lacks_loops(kernel)] or found


def read_codes(path: str | Path, options: RegionOptions, *, compiler: str | None = None) -> list[Code]:
    """The decoded code of a file: one, or one for each object of a static library.

    Raises:
        InputError, CompilerError: as `read_regions`.
    """
    return list(_codes(path, options, compiler, whole=True))


def _codes(path: str | Path, options: RegionOptions, compiler: str | None, whole: bool) -> list[Code] | Iterator[Code]:
    """The same. `whole`: an object file is decoded at once, and not too large for that; else it comes in parts."""
    member = None
    if str(path) == "-":
        if compiler is not None:
            raise InputError("--compile needs a source file, not standard input")
        name, content = "<stdin>", sys.stdin.buffer.read()
    elif compiler is not None and _compiles(compiler, path):
        name, content = str(path), b""
    else:
        name, member = _member_of(str(path))
        content = read_bytes(name)
    kind = "source" if compiler is not None and not content else input_kind(name, content or None)
    if kind == "source":
        if compiler is None:
            raise InputError(f"this is source code: say how to compile it, as in {_suggestion(name)}", name)
        from corecast.asm.compile import read_source

        return [read_source(path, compiler, options)]
    if kind == "archive":
        return _library(content, name, member, options)
    if member is not None:
        raise InputError("this is not a static library, and has no members", name)
    if kind == "object":
        from corecast.asm.objects import read_object, read_object_parts

        return [read_object(content, options, name)] if whole else read_object_parts(content, options, name)
    return [read_text(text_of(content, name), name, options.isa, options.syntax)]


def _compiles(compiler: str, path: str | Path) -> bool:
    from corecast.asm.compile import compiles

    return compiles(compiler, path)


def _member_of(name: str) -> tuple[str, str | None]:
    """A file, and the object in it where it is not a file but LIBRARY(MEMBER)."""
    if not name.endswith(")") or os.path.exists(name):
        return name, None
    from corecast.asm.archive import split_member

    return split_member(name) or (name, None)


def _library(content: bytes, file: str, member: str | None, options: RegionOptions) -> list[Code]:
    """The objects of a static library that have code, or the chosen function."""
    from corecast.asm.archive import read_members
    from corecast.asm.binaries import read_image
    from corecast.asm.names import choose_functions
    from corecast.asm.objects import MAX_CODE_BYTES, read_object

    members = [each for each in read_members(content, file) if member in (None, each.name)]
    if member is not None and not members:
        raise InputError(f"the library has no member '{member}'", file)
    objects = []
    for each in members:
        name = f"{file}({each.name})"
        if input_kind(name, each.content) == "object":
            image = read_image(each.content, name, options.isa)
            if image.sections:
                objects.append((name, each.content, image))
    if not objects:
        raise InputError("the library has no machine code", file)
    if options.function is not None:
        owners = [(name, symbol.name) for name, _, image in objects for symbol in image.functions]
        chosen = choose_functions([symbol for _, symbol in owners], options.function, file)
        wanted = {owners[position][0] for position in chosen}
        objects = [entry for entry in objects if entry[0] in wanted]
    elif sum(len(section.data) for *_, image in objects for section in image.sections.values()) > MAX_CODE_BYTES:
        raise InputError(
            f"the library has more than {MAX_CODE_BYTES // 1024 // 1024} MiB of code: choose a function", file
        )
    return [read_object(data, options, name) for name, data, _ in objects]


def _suggestion(file: str) -> str:
    suffix = os.path.splitext(file)[1].lower()
    command = {".rs": "rustc -O", ".f90": "gfortran -O3", ".f": "gfortran -O3", ".swift": "swiftc -O"}.get(suffix)
    return f'--compile "{command or "gcc -O3 -march=native"}"'


def regions_of_text(text: str, file: str = "<text>", options: RegionOptions | None = None) -> list[Kernel]:
    """The regions of an assembly text.

    Raises:
        InputError: the text cannot be read, or has no such region.
    """
    options = options or RegionOptions()
    return regions_of_code(read_text(text, file, options.isa, options.syntax), options)


def regions_of_code(code: Code, options: RegionOptions | None = None) -> list[Kernel]:
    """The regions of decoded code, at least one.

    Raises:
        InputError: no such lines, function, marker, loop or addresses.
    """
    regions = choose_regions(code, options)
    if options is None or not (options.lines or options.function or options.marker):
        warnings = warn_outside(code, (each for region in regions for each in region.unreadable))
        regions[0] = replace(regions[0], warnings=(*regions[0].warnings, *warnings))
    return [Kernel.of_region(region) for region in regions]
