"""Compilers that the page offers: those of a configured list, else those found on the PATH.

The list is a TOML file, one table a compiler:

    [[compiler]]
    name = "gcc 13 for Arm"
    command = "aarch64-linux-gnu-gcc-13"
    languages = ["c"]
    flags = "-O3 -mcpu=neoverse-v2"
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence

from corecast.asm.compilers import compiler_of
from corecast.dataclass import dataclass
from corecast.errors import CompilerError, InputError
from corecast.hints import Any

LANGUAGES = {"c": "input.c", "c++": "input.cpp", "rust": "input.rs", "fortran": "input.f90"}
"""Languages of the page, and the file that a source goes to."""
_KNOWN = (
    ("c", "gcc", "-O3 -march=native"),
    ("c", "clang", "-O3 -march=native"),
    ("c", "icx", "-O3 -xHost"),
    ("c++", "g++", "-O3 -march=native"),
    ("c++", "clang++", "-O3 -march=native"),
    ("c++", "icpx", "-O3 -xHost"),
    ("rust", "rustc", "-C opt-level=3 -C target-cpu=native"),
    ("fortran", "gfortran", "-O3 -march=native"),
    ("fortran", "flang", "-O3 -march=native"),
    ("fortran", "ifx", "-O3 -xHost"),
)
_TARGETS = (("aarch64-linux-gnu-", "-O3 -mcpu=neoverse-v1"), ("riscv64-linux-gnu-", "-O3 -march=rv64gcv"))
_CROSS = (("c", "gcc"), ("c++", "g++"), ("fortran", "gfortran"))
_VERSIONED = ("gcc", "g++", "clang", "clang++", "gfortran", "flang")
_VERSIONS = range(9, 31)
_SAFE_FLAG = re.compile(
    r"-O[0-9a-z]*|-g[0-9]?|-std=[\w+:.-]+|-m(?!llvm)[\w.+=,-]+|-W(?![lap],)[\w+=-]*|-w|-pedantic|"
    r"-f(?!plugin|.*(?:dump|profile|file|prefix-map|report|record))[\w=,.+-]+|"
    r"-D\w+(?:=[\w.+-]*)?|-U\w+|--?target=[\w.-]+|-x(?:Host|[A-Z][\w-]*)|-q[\w=-]+|--edition=?\w*|--param=[\w=-]+|"
    r"-C|(?:-C)?(?:opt-level|target-cpu|target-feature|panic|overflow-checks|codegen-units|no-vectorize-loops|"
    r"no-vectorize-slp|force-frame-pointers|debug-assertions)(?:=[\w.+,-]*)?|-fopenmp|-fopenmp-simd|-ansi|"
    r"-ffast-math|-cpp"
)
"""Options that choose what code is generated. What reads, writes or runs other files is not among them."""


@dataclass(frozen=True)
class OfferedCompiler:
    """A compiler by the name that requests use."""

    name: str
    command: str
    """The program, as a word or several."""
    languages: tuple[str, ...]
    flags: str = ""
    """What the page puts into the field for options in the beginning."""

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "languages": list(self.languages), "flags": self.flags}


def found_compilers() -> tuple[OfferedCompiler, ...]:
    """Compilers on the PATH, with versions and targets in their names; the same program only once."""
    found = []
    known: set[tuple[str, str]] = set()
    for language, program, flags in _KNOWN:
        names = [program]
        if program in _VERSIONED:
            names += [f"{program}-{version}" for version in reversed(_VERSIONS)]
        for name in names:
            place = shutil.which(name)
            if place is not None and (language, os.path.realpath(place)) not in known:
                known.add((language, os.path.realpath(place)))
                found.append(OfferedCompiler(name, name, (language,), flags))
    for target, flags in _TARGETS:
        for language, program in _CROSS:
            if shutil.which(target + program):
                found.append(OfferedCompiler(target + program, target + program, (language,), flags))
    return tuple(found)


def listed_compilers(path: str | os.PathLike[str]) -> tuple[OfferedCompiler, ...]:
    """The compilers of a list.

    Raises:
        InputError: the file cannot be read, or something in it is not a compiler.
    """
    from corecast.machine.toml_files import parse_toml, read_text

    document = parse_toml(read_text(path), path)
    tables = document.get("compiler")
    if not isinstance(tables, list) or not tables or set(document) != {"compiler"}:
        raise InputError("a list of compilers has tables [[compiler]] and nothing else", str(path))
    found = tuple(_listed(table, str(path)) for table in tables)
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two compilers are called {name!r}", str(path))
    return found


def _listed(table: Any, file: str) -> OfferedCompiler:
    known = {"name", "command", "languages", "flags"}
    if not isinstance(table, dict) or not {"name", "command", "languages"} <= set(table) <= known:
        raise InputError("a compiler has name, command, languages and, if you like, flags", file)
    languages = table["languages"]
    texts = [table["name"], table["command"], table.get("flags", "")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(languages, list) or not languages:
        raise InputError("name, command and flags are strings, languages is a list of them", file)
    for language in languages:
        if language not in LANGUAGES:
            raise InputError(f"no language is called {language!r}; there are {', '.join(LANGUAGES)}", file)
    try:
        words = shlex.split(table["command"])
        compiler_of(words)
        check_flags(table.get("flags", ""))
    except (ValueError, CompilerError, InputError) as error:
        raise InputError(f"compiler {table['name']!r}: {error}", file) from None
    if not words or shutil.which(words[0]) is None:
        raise InputError(f"compiler {table['name']!r}: program {table['command']!r} not found", file)
    return OfferedCompiler(table["name"], table["command"], tuple(languages), table.get("flags", ""))


def check_flags(flags: str) -> list[str]:
    """The options as words.

    Raises:
        InputError: unbalanced quotes, or an option that may read, write or run other files.
    """
    try:
        words = shlex.split(flags)
    except ValueError:
        raise InputError("the compiler options have an unbalanced quote") from None
    for word in words:
        if _SAFE_FLAG.fullmatch(word) is None:
            raise InputError(f"the compiler option {word[:60]!r} is not allowed here")
    return words


def command_of(compilers: Sequence[OfferedCompiler], name: str, language: str, flags: str) -> str:
    """The command line of an offered compiler.

    Raises:
        InputError: no such compiler for the language, or an option that is not allowed.
    """
    words = check_flags(flags)
    for each in compilers:
        if each.name == name and language in each.languages:
            return f"{each.command} {shlex.join(words)}".strip()
    offered = ", ".join(each.name for each in compilers if language in each.languages)
    raise InputError(
        f"no compiler for {language} is called {name[:60]!r}" + (f"; there are {offered}" if offered else "")
    )
