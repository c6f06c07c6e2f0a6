"""Code in the forms in which other tools read it, and answers out of what they say."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from math import isfinite

from corecast.errors import CorecastError
from corecast.evaluate.cases import Answers
from corecast.hints import TYPE_CHECKING, TypeVar
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm import Kernel
    from corecast.evaluate.cases import Cases
    from corecast.machine import Machine

Found = TypeVar("Found")
Answer = tuple[float | None, str]
"""Cycles and a status (Answers)."""

LABEL = "target"
"""The symbol that branches of a block lead to."""

_RELATIVE = lazy_pattern(r"(\S+) -?\d+")


def answers_of(found: Iterable[Answer]) -> Answers:
    answers = Answers()
    for cycles, status in found:
        answers.add(cycles, status)
    return answers


def number_of(word: str) -> Answer:
    """The forecast that a tool writes as one word."""
    try:
        cycles = float(word)
    except ValueError:
        return None, "error: no number"
    return (cycles, "ok") if isfinite(cycles) else (None, "error: no number")


def version_of(program: str, has: str = "") -> str:
    """The first line with some text that a program's --version says; its name where it says none."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, encoding="utf-8", timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return program
    return next((line.strip() for line in said.stdout.splitlines() if line.strip() and has in line), program)


def each_kernel(cases: Cases, ask: Callable[[Kernel, Machine], Found]) -> list[Found | Answer]:
    """What each kernel gives, on its core; an answer where it cannot be read."""
    return [
        (None, f"error: {cases.problems[place]}") if kernel is None else ask(kernel, machine)
        for place, (kernel, machine) in enumerate(zip(cases.kernels, cases.machines, strict=True))
    ]


def read_block(code: str, machine: Machine) -> Kernel | Answer:
    """An answer where the code cannot be read."""
    from corecast.asm import Kernel

    try:
        kernel = Kernel.from_hex(code, machine.isa)
    except CorecastError as error:
        return None, f"error: {error.message}"
    return (None, "error: cannot be read") if any(each.unknown for each in kernel.instructions) else kernel


def block_instructions(code: str, machine: Machine, loop: bool) -> list[_core.Instruction] | Answer:
    """What runs once an iteration, with the branch that closes the loop; an answer where the code cannot be read."""
    from corecast.analysis.kernels import with_closing_branch

    kernel = read_block(code, machine)
    if isinstance(kernel, tuple):
        return kernel
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
    """Replaces the byte offset of a branch by a symbol, which assemblers need."""
    relative = _RELATIVE.fullmatch(text) if branch != "none" else None
    return f"{relative[1]} {LABEL}" if relative else text
