"""The files that a command analyzes, and the regions in them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from corecast.errors import InputError, MarkerError

if TYPE_CHECKING:
    from corecast.asm import Kernel, RegionOptions
    from corecast.asm.code import Isa


def check_inputs(arguments: argparse.Namespace) -> None:
    """Raises InputError unless there are files, each named once, or encoded bytes."""
    if (arguments.hex is None) == (not arguments.files):
        raise InputError("give either a FILE (- for standard input) or --hex STRING")
    for number, file in enumerate(arguments.files):
        if file in arguments.files[:number]:
            raise InputError("is given twice", file)


def read_kernels(arguments: argparse.Namespace, machine_isa: Isa) -> tuple[list[Kernel], tuple[str, ...]]:
    """The regions of all files, in order, and warnings: files in which the chosen function or marker is missing.

    Raises:
        InputError: a file cannot be read, or no file has what was chosen.
    """
    from corecast.asm import Kernel, RegionOptions, parse_addresses, parse_lines

    isa: Isa = arguments.isa or machine_isa
    if arguments.hex is not None:
        return [Kernel.from_hex(arguments.hex, isa, is_loop=arguments.mode != "unroll")], ()
    options = RegionOptions(
        isa=isa,
        syntax=arguments.syntax,
        loop=arguments.loop,
        lines=parse_lines(arguments.lines) if arguments.lines is not None else (),
        function=arguments.function,
        marker=arguments.marker,
        address=parse_addresses(arguments.address) if arguments.address is not None else (),
        mode=arguments.mode,
    )
    kernels: list[Kernel] = []
    missing: list[MarkerError] = []
    for file in arguments.files:
        try:
            kernels += _of_file(file, options, arguments)
        except MarkerError as error:
            missing.append(error)
    if not kernels:
        raise missing[0]
    return kernels, tuple(map(str, missing))


def _of_file(file: str, options: RegionOptions, arguments: argparse.Namespace) -> list[Kernel]:
    from corecast.asm import read_regions

    kernels = read_regions(file, options, compiler=arguments.compile)
    if arguments.isa is None and file != "-" and _mostly_illegal(kernels):
        # The wrong --cpu rather than wrong text? Then the kernels of another instruction set get the message for it.
        with suppress(InputError):
            told = read_regions(file, replace(options, isa=None), compiler=arguments.compile)
            return kernels if _mostly_illegal(told) else told
    return kernels


def _mostly_illegal(kernels: Sequence[Kernel]) -> bool:
    unread = [instruction.unknown for kernel in kernels for instruction in kernel.instructions]
    return 2 * sum(unread) > len(unread)
