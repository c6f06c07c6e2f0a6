"""Extensions that opcodes of AArch64 and RISC-V need, as LLVM's parser asks for them on a core that has none."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping

from corecast import _core

from .early_vectors import is_of_early_vectors

_BASE = {"aarch64": "-neon,-fp-armv8,-v8a", "riscv64": ""}
_RISCV_NAME = re.compile(r"'(\w+)'|\((Integer Conditional Operations)\)")
_STREAMING = re.compile(r"(\S+) or \(sve2 and (\S+)\)")
_UNQUOTED = {"Integer Conditional Operations": "zicond"}


def requirements(isa: str, examples: Mapping[str, list[bytes]], llvm_mc: str) -> dict[str, str]:
    """What each opcode needs, "fp8 sve2|sme2"; those that need nothing are left out.

    Raises:
        OSError: llvm-mc is not there.
    """
    opcodes = list(examples)
    texts = [_core.disassemble(isa, examples[opcode][0]).instructions[0].text for opcode in opcodes]
    found = {}
    for line, message in _refused(isa, texts, llvm_mc):
        clauses = _clauses(isa, message)
        if isa == "riscv64" and is_of_early_vectors(texts[line].split()[0]):
            clauses = [(*clause, "xtheadvector") if clause[0] == "v" else clause for clause in clauses]
        if clauses:
            found[opcodes[line]] = " ".join(sorted("|".join(clause) for clause in clauses))
    return found


def _refused(isa: str, texts: list[str], llvm_mc: str) -> Iterator[tuple[int, str]]:
    """The texts that need more than the base, with the parser's message."""
    command = [llvm_mc, f"-triple={isa}", f"-mattr={_BASE[isa]}", "-filetype=null"]
    source = "".join(f"{text}\nnop\n" for text in texts)  # the nop: some instructions may not follow movprfx
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    pattern = r"^<stdin>:(\d+):\d+: error: instruction requires(?: the following)?: (.*)$"
    for line, message in re.findall(pattern, result.stderr, re.MULTILINE):
        yield (int(line) - 1) // 2, message


def _clauses(isa: str, message: str) -> list[tuple[str, ...]]:
    """Everything that is needed; of each, the alternatives."""
    if isa == "aarch64":
        if "tracev8.4" in message:  # a hint: a nop on cores without it
            return []
        message = _STREAMING.sub(r"\1 or \2", message)
        return [tuple(part.split(" or ")) for part in re.findall(r"[\w.+-]+(?: or [\w.+-]+)*", message)]
    names = [(quoted or _UNQUOTED[text]).lower() for quoted, text in _RISCV_NAME.findall(message)]
    # A list with commas is of alternatives where V heads it, and of things that are all needed elsewhere.
    alternatives = " or " in message or names[:1] == ["v"]
    return [tuple(names)] if alternatives else [(name,) for name in names]
