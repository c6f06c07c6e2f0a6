"""Source code to assembly text, by the user's own compiler command."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corecast.asm.code import Code
from corecast.asm.detect import read_bytes, text_of
from corecast.asm.text import read_text
from corecast.errors import CompilerError, InputError

if TYPE_CHECKING:
    from corecast.asm.options import RegionOptions

TIME_LIMIT_SECONDS = 120.0
MAX_SHOWN_ERRORS = 3
_STAGE_FLAGS = ("-c", "-S", "-E")
_WITH_VALUE = (
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-include",
    "-isystem",
    "-iquote",
    "-Xclang",
    "-mllvm",
    "-target",
    "--param",
)


def read_source(path: str | Path, compiler: str, options: RegionOptions | None = None) -> Code:
    """Compile a source file to assembly and read that; line tables map instructions to lines of the source.

    Raises:
        CompilerError: the command cannot be run, fails, or takes too long.
        InputError: the source cannot be read.
    """
    read_bytes(path)
    arguments = compiler_arguments(compiler)
    with tempfile.TemporaryDirectory(prefix="corecast-") as folder:
        output = Path(folder) / "output.s"
        source = str(Path(path))
        # A name that begins with a dash would be an option.
        source = f"./{source}" if source.startswith("-") else source
        tail = ["-S", "-o", str(output), source]
        has_debug = any(argument.startswith("-g") for argument in arguments[1:])
        error = _run([*arguments, *([] if has_debug else ["-g1"]), *tail], path)
        if error is not None and not has_debug and "-g1" in error:
            error = _run([*arguments, *tail], path)
        if error is not None:
            raise CompilerError(error)
        if not output.exists():
            raise CompilerError(f"{arguments[0]} wrote no assembly for {path}")
        text = text_of(read_bytes(output), f"assembly of {path}")
    isa = options.isa if options is not None else None
    syntax = options.syntax if options is not None else "auto"
    return read_text(text, str(path), isa, syntax, origin="source")


def compiler_arguments(command: str) -> list[str]:
    """The words of a compiler command, without its own idea of what to write where.

    Raises:
        CompilerError: unbalanced quotes, or nothing.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CompilerError(f"the compiler command cannot be read ({error}): {command}") from None
    if not words:
        raise CompilerError("the compiler command is empty")
    kept: list[str] = []
    skip = False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif word == "-o" and position > 0:
            skip = True
        elif word.startswith("-flto"):
            # Link-time optimisation writes bytecode, not instructions.
            continue
        elif word not in _STAGE_FLAGS or position == 0 or words[position - 1] in _WITH_VALUE:
            kept.append(word)
    if not kept:
        raise InputError(f"the compiler command names no compiler: {command}")
    return kept


def _run(arguments: Sequence[str], path: str | Path) -> str | None:
    """Run the compiler; None where it went well, else one line that says what went wrong."""
    try:
        done = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=TIME_LIMIT_SECONDS, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise CompilerError(f"the compiler '{arguments[0]}' was not found") from None
    except (OSError, ValueError) as error:
        raise CompilerError(f"the compiler '{arguments[0]}' cannot be run: {error}") from None
    except subprocess.TimeoutExpired:
        raise CompilerError(f"{arguments[0]} took more than {TIME_LIMIT_SECONDS:.0f} s for {path}") from None
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    return f"{arguments[0]} failed on {path}: " + ("; ".join(errors[:MAX_SHOWN_ERRORS]) or f"exit {done.returncode}")
