"""The files that a command analyzes, and the regions in them."""

from __future__ import annotations

from corecast.dataclass import dataclass, replace
from corecast.errors import CorecastError, InputError, MarkerError
from corecast.hints import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    import argparse

    from corecast.analysis.analysis_result import RegionFailure
    from corecast.asm import Kernel, RegionOptions
    from corecast.asm.code import Isa
    from corecast.machine import Machine


def check_inputs(arguments: argparse.Namespace) -> None:
    """Raises InputError unless there are files, each named once, or encoded bytes."""
    if (arguments.hex is None) == (not arguments.files):
        raise InputError("give either a FILE (- for standard input) or --hex STRING")
    for number, file in enumerate(arguments.files):
        if file in arguments.files[:number]:
            raise InputError("is given twice", file)


@dataclass(frozen=True)
class ReadInputs:
    """The regions of all files, in order, and what could not be read."""

    kernels: list[Kernel]
    warnings: tuple[str, ...] = ()
    """Files in which the chosen function or marker is missing while others have it."""
    failures: tuple[RegionFailure, ...] = ()
    """Files that cannot be read."""

    def for_core(self, machine: Machine) -> ReadInputs:
        """The same without files that are code of another instruction set than the core's: those are failures."""
        others = {kernel.file: kernel.isa for kernel in self.kernels if kernel.isa != machine.isa}
        failures = [
            _failure(file, InputError(f"the code is {isa}, but {machine.name} is a core of {machine.isa}", file))
            for file, isa in others.items()
        ]
        kernels = [kernel for kernel in self.kernels if kernel.file not in others]
        return ReadInputs(kernels, self.warnings, (*self.failures, *failures))


def region_options(arguments: argparse.Namespace, isa: Isa, share: tuple[int, int] = (0, 1)) -> RegionOptions:
    """Which regions the command line asks for.

    Raises:
        InputError: lines or addresses that are none.
    """
    from corecast.asm import RegionOptions, parse_addresses, parse_lines

    return RegionOptions(
        isa=isa,
        syntax=arguments.syntax,
        loop=arguments.loop,
        lines=parse_lines(arguments.lines) if arguments.lines is not None else (),
        function=arguments.function,
        marker=arguments.marker,
        address=parse_addresses(arguments.address) if arguments.address is not None else (),
        mode=arguments.mode,
        share=share,
    )


def read_kernels(arguments: argparse.Namespace, isa: Isa, share: tuple[int, int] = (0, 1)) -> ReadInputs:
    """Reads all files as code of `isa`; what is wrong with one does not stop the others. `share`: of `RegionOptions`.

    Raises:
        InputError: options that are wrong for any file.
    """
    from corecast.asm import Kernel

    if arguments.hex is not None:
        return ReadInputs([Kernel.from_hex(arguments.hex, isa, is_loop=arguments.mode != "unroll")])
    options = region_options(arguments, isa, share)

    kernels: list[Kernel] = []
    missing: list[MarkerError] = []
    failures: list[RegionFailure] = []
    for file in arguments.files:
        try:
            kernels += _of_file(file, options, arguments)
        except MarkerError as error:
            missing.append(error)
        except (CorecastError, OSError) as error:
            if isinstance(error, CorecastError) and error.file is None:  # it is the options that are wrong
                raise
            failures.append(_failure(file, error))
    if not kernels:
        return ReadInputs([], (), tuple([_failure(each.file or "", each) for each in missing[:1]] + failures))
    return ReadInputs(kernels, tuple(map(str, missing)), tuple(failures))


def _failure(file: str, error: CorecastError | OSError) -> RegionFailure:
    from corecast.analysis.analysis_result import RegionFailure
    from corecast.analysis.results import SourceSpan

    if isinstance(error, OSError):
        error = InputError(error.strerror or str(error), str(error.filename or file))
    return RegionFailure("", SourceSpan(error.file or file, 0, 0), error)


def _of_file(file: str, options: RegionOptions, arguments: argparse.Namespace) -> list[Kernel]:
    from corecast.asm import read_regions

    kernels = read_regions(file, options, compiler=arguments.compile)
    if arguments.isa is None and file != "-" and _mostly_illegal(kernels):
        # The wrong --cpu rather than wrong text? Then the kernels of another instruction set get the message for it.
        try:
            told = read_regions(file, replace(options, isa=None), compiler=arguments.compile)
        except InputError:
            return kernels
        return kernels if _mostly_illegal(told) else told
    return kernels


def _mostly_illegal(kernels: Sequence[Kernel]) -> bool:
    unread = [instruction.unknown for kernel in kernels for instruction in kernel.instructions]
    return 2 * sum(unread) > len(unread)
