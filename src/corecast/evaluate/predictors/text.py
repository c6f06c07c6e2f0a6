"""Blocks in the forms in which other tools read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from corecast.errors import CorecastError
from corecast.evaluate.cases import Answers

if TYPE_CHECKING:
    from corecast import _core
    from corecast.machine import Machine

Answer = tuple[float | None, str]
"""Cycles and a status (Answers)."""

LABEL = "target"
"""The symbol that branches of a block lead to."""

_RELATIVE = re.compile(r"(\S+) -?\d+")


def answers_of(found: Iterable[Answer]) -> Answers:
    answers = Answers()
    for cycles, status in found:
        answers.add(cycles, status)
    return answers


def block_instructions(code: str, machine: Machine, loop: bool) -> list[_core.Instruction] | Answer:
    """What runs once an iteration, with the branch that closes the loop; an answer where the code cannot be read."""
    from corecast.analysis.kernels import with_closing_branch
    from corecast.asm import Kernel

    try:
        kernel = Kernel.from_hex(code, machine.isa)
    except CorecastError as error:
        return None, f"error: {error.message}"
    if any(each.unknown for each in kernel.instructions):
        return None, "error: cannot be read"
    return list(with_closing_branch(kernel, "loop" if loop else "unroll")[0])


def block_text(code: str, machine: Machine, loop: bool) -> str | Answer:
    """The instructions as lines (x86: Intel syntax)."""
    found = block_instructions(code, machine, loop)
    if isinstance(found, tuple):
        return found
    return "\n".join(_spelling(each.text, each.branch) for each in found)


def text_of(instructions: Sequence[_core.Instruction]) -> str:
    return "\n".join(each.text for each in instructions)


def machine_name(machine: Machine, known: Sequence[str]) -> str | None:
    """The one of a tool's names of cores that is a name or alias of this one."""
    names = {name.upper() for name in (machine.name, *machine.info.aliases)}
    return next((name for name in known if name.upper() in names), None)


def _spelling(text: str, branch: str) -> str:
    """A branch by so many bytes goes to a symbol instead: assemblers want one."""
    relative = _RELATIVE.fullmatch(text) if branch != "none" else None
    return f"{relative[1]} {LABEL}" if relative else text
