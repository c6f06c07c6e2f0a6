"""How compilers are asked for assembly, or an object file where they write none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.errors import CompilerError
from corecast.hints import Literal
from corecast.pattern import lazy_pattern

OUTPUT = "{output}"


@dataclass(frozen=True)
class Compiler:
    """A family of compilers with the same options."""

    names: re.Pattern[str]
    """Of the program, without a path."""
    output: tuple[str, ...] = ("-S", "-o", OUTPUT)
    """Options that write the result to the file OUTPUT and do nothing else."""
    product: Literal["assembly", "object"] = "assembly"
    debug: tuple[str, ...] = ()
    """Options for line tables that leave the code as it is."""
    has_debug: re.Pattern[str] = lazy_pattern(r"-g.*")
    """Options by which the user asks for debug information himself."""
    dropped: re.Pattern[str] = lazy_pattern(r"-[cSE]|-flto.*")
    """Options that ask for another kind of result. Link-time optimization writes no instructions."""
    dropped_with_value: tuple[str, ...] = ("-o",)
    without_main: tuple[str, ...] = ()
    """Options for a source without a main function, where the compiler wants one."""


def _names(pattern: str) -> re.Pattern[str]:
    """Names of programs, with a target in front and a version behind."""
    return lazy_pattern(rf"(?:[\w.]+-)*(?:{pattern})(?:-?[\d.]+)?(?:\.exe)?")


GCC = Compiler(
    _names(
        r"gcc|g\+\+|c\+\+|cc|cpp|clang|clang\+\+|gfortran|flang|flang-new|icx|icpx|ifx|icc|icpc|ifort|gdc|gnatgcc|c[89]9"
    ),
    debug=("-g1",),
)
_FAMILIES = (
    Compiler(
        _names("rustc"),
        ("--emit=asm", "-o", OUTPUT),
        debug=("-Cdebuginfo=line-tables-only",),
        has_debug=lazy_pattern(r"-g|.*debuginfo.*"),
        dropped=lazy_pattern(r"--emit=.*"),
        dropped_with_value=("-o", "--emit", "--out-dir"),
        without_main=("--crate-type=lib",),
    ),
    Compiler(_names("swiftc"), ("-emit-assembly", "-o", OUTPUT), debug=("-gline-tables-only",)),
    Compiler(
        _names("zig"),
        ("-fno-emit-bin", f"-femit-asm={OUTPUT}"),
        dropped=lazy_pattern(r"-f(?:no-)?emit-.*"),
        dropped_with_value=(),
    ),
    Compiler(_names("ldc2|ldmd2"), ("--output-s", f"--of={OUTPUT}"), dropped=lazy_pattern(r"-c|--?of=.*")),
    Compiler(_names("dmd"), ("-c", f"-of={OUTPUT}"), "object", dropped=lazy_pattern(r"-c|-of=.*")),
    Compiler(_names("tcc"), ("-c", "-o", OUTPUT), "object"),
    Compiler(_names("nasm|yasm"), ("-f", "elf64", "-o", OUTPUT), "object", dropped_with_value=("-o", "-f")),
    Compiler(_names("as|gas"), ("-o", OUTPUT), "object", dropped=lazy_pattern(r"(?!)")),
    # Their -g turns optimization off.
    Compiler(_names(r"nvc|nvc\+\+|nvfortran|pgcc|pgc\+\+|pgfortran")),
    GCC,
)
_BUILDERS = {
    "go": "go writes no assembly that corecast reads: build the program, and give that with --function",
    "cargo": "cargo compiles whole packages: use --compile with rustc, or give the program that cargo built",
    "make": "make is not a compiler: give the object file or the program that it built",
    "cmake": "cmake is not a compiler: give the object file or the program that it built",
}


def compiler_of(words: Sequence[str]) -> Compiler:
    """The family of the compiler that a command names, behind wrappers such as ccache; GCC's for any other.

    Raises:
        CompilerError: a tool that compiles no single file to assembly.
    """
    programs = [Path(word).name for word in takewhile(lambda word: not word.startswith("-"), words)]
    for program in reversed(programs):
        for family in _FAMILIES:
            if family.names.fullmatch(program):
                return family
    if programs and programs[0] in _BUILDERS:
        raise CompilerError(_BUILDERS[programs[0]])
    return Compiler(GCC.names, debug=GCC.debug)
