"""Functions that loops were timed in: what lies in front of a loop decides how it fills the uop cache."""

from __future__ import annotations

import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

BLOCK_BYTES: Final = 64
"""Of code that a uop cache keeps together, at most."""
FUNCTION_BYTES: Final = 16
"""Functions start at multiples of it."""
UNKNOWN: Final = re.compile(r"^\s*\.(addrsig|addrsig_sym|ident|file)\b.*$", re.MULTILINE)
"""Directives of other assemblers, which change no code."""


def code_before(file: Path, code: str, address: int) -> str:
    """What lies between the start of a loop's block of code and the loop, as hexadecimal digits from the start of an
    instruction on; "" where the loop is not found in the assembled file, as code whose addresses the linker writes.

    Raises:
        subprocess.CalledProcessError: the assembler does not take the file.
    """
    text = _assembled(file)
    start = text.find(bytes.fromhex(code))
    if start < 0 or (address - start) % FUNCTION_BYTES:
        return ""
    first = max(0, start - address % BLOCK_BYTES)
    # The assembler starts the section, and the function, with an instruction: from there on they follow each other.
    from corecast import _core

    at = 0
    for instruction in _core.disassemble("x86", text[:start]).instructions:
        if at >= first:
            break
        at += len(instruction.bytes)
    return text[at:start].hex()


@cache
def _assembled(file: Path) -> bytes:
    """The code of a file, its padding as the GNU assembler writes it."""
    with tempfile.TemporaryDirectory() as scratch:
        source, made, code = (Path(scratch) / name for name in ("f.s", "f.o", "f.bin"))
        source.write_text(UNKNOWN.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
        subprocess.run(["as", "-o", made, source], check=True)
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.text", made, code], check=True)
        return code.read_bytes()
