"""Source code to assembly text, by the user's own compiler command."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from corecast.asm.code import Code
from corecast.asm.compilers import OUTPUT, Compiler, compiler_of
from corecast.asm.detect import read_bytes, text_of
from corecast.asm.text import read_text
from corecast.errors import CompilerError, InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm.limits import Limits
    from corecast.asm.options import RegionOptions

TIME_LIMIT_SECONDS = 120.0
MAX_SHOWN_ERRORS = 5
_READ_AS_THEY_ARE = frozenset((".s", ".o", ".obj", ".a", ".lib", ".rlib", ".so", ".dll", ".dylib", ".exe", ""))
"""Suffixes of files that are code already."""
_WITH_VALUE = (
    "-x", "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-Xclang", "-mllvm", "-target", "--param", "-C", "-L",
    "-l", "--cfg", "--extern",
)  # fmt: skip
_Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[bytes]"]
_NO_MAIN = ("E0601", "`main` function not found")


def compiles(command: str, path: str | Path) -> bool:
    """Whether the command is meant for a file, or the file is assembly or an object already."""
    suffix = Path(path).suffix
    return suffix not in _READ_AS_THEY_ARE or (suffix == ".s" and compiler_of(_words(command)).output[0] == "-o")


def read_source(path: str | Path, command: str, options: RegionOptions | None = None) -> Code:
    """Compile a source file and read the result; line tables map instructions to lines of the source.

    Raises:
        CompilerError: the command cannot be run, fails, or takes too long.
        InputError: the source cannot be read.
    """
    read_bytes(path)
    compiler = compiler_of(_words(command))
    arguments = compiler_arguments(command)
    with tempfile.TemporaryDirectory(prefix="corecast-") as folder:
        content = _product(arguments, compiler, path, folder, _run_plainly)
    if compiler.product == "object":
        from corecast.asm.objects import read_object

        return read_object(content, options, str(path))
    text = text_of(content, f"assembly of {path}")
    isa = options.isa if options is not None else None
    syntax = options.syntax if options is not None else "auto"
    try:
        return read_text(text, str(path), isa, syntax, origin="source")
    except InputError as error:
        if compiler.without_main and "no instructions" in error.message:
            reason = f"{arguments[0]} compiled no function: make one `pub` and `#[inline(never)]`"
            raise CompilerError(reason, str(path)) from None
        raise


def assembly_of(
    source: str,
    name: str,
    command: str,
    folder: str | Path,
    limits: Limits,
    started: Callable[[int], None] | None = None,
) -> str:
    """The assembly text that a compiler makes of source text, run under limits.

    Args:
        source: the text.
        name: of a file for it, with the suffix of its language.
        command: the compiler and its options.
        folder: an existing one where the source and all that the compiler writes go; the caller removes it.
        limits: time, memory and size.
        started: called with the process group of each compiler run.

    Raises:
        CompilerError: the command cannot be run, fails, takes too long, or writes no assembly.
        InputError: the assembly cannot be read.
    """
    from corecast.asm.limits import run_limited

    Path(folder, name).write_text(source, encoding="utf-8")
    compiler = compiler_of(_words(command))
    arguments = compiler_arguments(command)
    if compiler.product != "assembly":
        raise CompilerError(f"{arguments[0]} writes no assembly text")
    run = partial(run_limited, folder=folder, limits=limits, started=started)
    return text_of(_product(arguments, compiler, name, folder, run), f"assembly of {name}")


def _product(arguments: Sequence[str], compiler: Compiler, path: str | Path, folder: str | Path, run: _Run) -> bytes:
    """What the compiler wrote."""
    output = Path(folder) / ("output.s" if compiler.product == "assembly" else "output.o")
    _compile(arguments, compiler, path, output, run)
    if not output.exists():
        raise CompilerError(f"{arguments[0]} wrote no {compiler.product} for {path}")
    return read_bytes(output)


def compiler_arguments(command: str) -> list[str]:
    """The words of a compiler command, without its own idea of what to write where.

    Raises:
        CompilerError: unbalanced quotes, or nothing.
    """
    words = _words(command)
    compiler = compiler_of(words)
    kept: list[str] = []
    skip = False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif position > 0 and word in compiler.dropped_with_value:
            skip = True
        elif position == 0 or words[position - 1] in _WITH_VALUE or not compiler.dropped.fullmatch(word):
            kept.append(word)
    return kept


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CompilerError(f"the compiler command cannot be read ({error}): {command}") from None
    if not words:
        raise CompilerError("the compiler command is empty")
    return words


def _compile(arguments: Sequence[str], compiler: Compiler, path: str | Path, output: Path, run: _Run) -> None:
    """Run the compiler, with line tables where it accepts the options for them."""
    source = str(Path(path))
    tail = [word.replace(OUTPUT, str(output)) for word in compiler.output]
    tail.append(os.path.join(".", source) if source.startswith("-") else source)
    given = any(compiler.has_debug.fullmatch(argument) for argument in arguments[1:])
    attempts = [list(compiler.debug), []] if compiler.debug and not given else [[]]
    error: str | None = None
    for extra in attempts:
        error = _outcome([*arguments, *extra, *tail], path, run)
        if error is not None and compiler.without_main and any(sign in error for sign in _NO_MAIN):
            error = _outcome([*arguments, *extra, *compiler.without_main, *tail], path, run)
        if error is None:
            return
        if not any(option.lstrip("-") in error for option in extra):
            break
    raise CompilerError(error or "")


def _run_plainly(arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=TIME_LIMIT_SECONDS, check=False,
    )  # fmt: skip


def _outcome(arguments: Sequence[str], path: str | Path, run: _Run) -> str | None:
    """Run the compiler; None where it went well, else one line that says what went wrong."""
    try:
        done = run(arguments)
    except FileNotFoundError:
        raise CompilerError(f"the compiler '{arguments[0]}' was not found") from None
    except (OSError, ValueError) as error:
        raise CompilerError(f"the compiler '{arguments[0]}' cannot be run: {error}") from None
    except subprocess.TimeoutExpired as late:
        raise CompilerError(f"{arguments[0]} took more than {late.timeout:.0f} s for {path}") from None
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    first = next((number for number, line in enumerate(lines) if "error" in line.lower()), 0)
    shown = "; ".join(_error_lines(lines[first:])[:MAX_SHOWN_ERRORS])
    return f"{arguments[0]} failed on {path}: " + (shown or f"exit {done.returncode}")


def _error_lines(lines: Sequence[str]) -> list[str]:
    """Lines with messages and places, without the excerpts of source that many compilers show below them."""
    kept = [line for line in lines if "error" in line.lower() or line.startswith("-->")]
    return kept or list(lines)
