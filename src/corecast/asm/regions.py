"""From decoded code to the regions that the user asked for."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from corecast.asm.code import Code
from corecast.asm.detect import input_kind, read_bytes, text_of
from corecast.asm.kernel import Kernel
from corecast.asm.options import RegionOptions
from corecast.asm.region_choice import choose_regions
from corecast.asm.text import read_text
from corecast.asm.unreadable import warn_outside
from corecast.errors import InputError


def read_regions(
    path: str | Path, options: RegionOptions | None = None, *, compiler: str | None = None
) -> list[Kernel]:
    """The regions of a file: assembly text, ELF object, or source where `compiler` is its command line.

    Args:
        path: the file, or "-" for standard input.
        options: which regions.
        compiler: command line such as "gcc -O3 -march=haswell".

    Raises:
        InputError: the file cannot be read, or has no such region.
        CompilerError: the compiler is missing or refuses the source.
    """
    options = options or RegionOptions()
    if str(path) == "-":
        name, content = "<stdin>", sys.stdin.buffer.read()
    else:
        name, content = str(path), b""
        if compiler is None or input_kind(path, None) != "source":
            content = read_bytes(path)
    kind = input_kind(path, content or None)
    if kind == "source":
        if compiler is None:
            raise InputError(
                'this is source code: say how to compile it, as in --compile "gcc -O3 -march=native"', name
            )
        from corecast.asm.compile import read_source

        return regions_of_code(read_source(path, compiler, options), options)
    if kind == "object":
        from corecast.asm.objects import read_object

        return regions_of_code(read_object(content, options, name), options)
    return regions_of_text(text_of(content, name), name, options)


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
