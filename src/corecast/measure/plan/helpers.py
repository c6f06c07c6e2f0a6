"""Kernels of helper instructions: breakers end a dependency, links (link_table.py) carry one on.

What links cost is measured on the core itself (links.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from corecast import _core
from corecast.asm.code import Isa
from corecast.measure.isa.forms import Form
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.plan.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.questions.roles import End
from corecast.measure.rejection import CannotMeasureError, Reason


def break_dependency(form: Form, end: End, number: int, scratch: int) -> list[str]:
    """Text of instructions that give an operand the value that it starts with, from registers that nobody writes.

    Each breaker writes one register, or a group of vector registers where the form's setting has such.
    """
    isa = instruction_set(form.isa)
    span, bits = (end.slot.span, end.slot.bits) if end.slot is not None else (1, 128)
    step = form.spelling.group if end.kind == "vector" else 1
    alone = end.kind in ("general", "flags")  # one register holds the value for all
    return [
        isa.breaker(end.kind, number + offset, scratch if alone else scratch + offset, bits)
        for offset in range(0, span, step)
    ]


def assembled(isa: Isa, text: str, setting: str = "") -> tuple[_core.Instruction, ...]:
    """Helper text as instructions, behind `setting`, an instruction that is not among them.

    Raises:
        CannotMeasureError: it is not legal.
    """
    listing = _core.assemble(isa, f"{setting}\n{text}", "intel" if isa == "x86" else "")
    if listing.problems:
        raise CannotMeasureError(Reason.ASSEMBLER, f"'{text}': {listing.problems[0].message}")
    return tuple(listing.instructions[1 if setting else 0 :])


def helper_kernel(isa: Isa, lines: Sequence[str], setting: str = "") -> TimedKernel:
    instructions = assembled(isa, "\n".join(lines), setting)
    return of_instructions(instructions, isa, values=start_values(instructions, isa), setting=setting)
