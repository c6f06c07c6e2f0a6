"""Changed loops: instructions with their texts, new ones assembled and checked."""

from __future__ import annotations

from collections.abc import Sequence

from corecast import _core
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm.code import Isa


@dataclass(frozen=True)
class Changed:
    """An instruction of the changed loop: as it was, or as a new text says."""

    original: _core.Instruction
    text: str | None = None


@dataclass(frozen=True)
class Rewritten:
    """A loop that does the same work in another way."""

    instructions: tuple[_core.Instruction, ...]
    texts: tuple[str, ...]
    """Intel syntax for x86. Where a branch leaves in the middle it goes to LEAVE."""
    iterations: int = 1
    """Of the loop as it was, in one of this one."""
    accumulators: tuple[dict[int, int], ...] = ()
    """For each copy: registers of the loop as it was, and those that it has in their place."""


LEAVE = "corecast_leave"


def assembled(lines: Sequence[Changed], isa: Isa, iterations: int = 1) -> Rewritten | None:
    """The changed loop; None where a new text is not an instruction."""
    texts, wanted = [], []
    for line in lines:
        if line.text is not None:
            before = _vector_type(line.original)
            texts += [before, line.text] if before else [line.text]
            wanted += [False, True] if before else [True]
    found = _core.assemble(isa, "\n".join(texts), "intel" if isa == "x86" else "") if texts else None
    if found is not None and (found.problems or len(found.instructions) != len(texts)):
        return None
    new = iter([each for each, is_wanted in zip(found.instructions, wanted, strict=True) if is_wanted] if found else ())
    instructions = tuple(line.original if line.text is None else next(new) for line in lines)
    if any(each.unknown for each in instructions):
        return None
    return Rewritten(instructions, tuple(line.text or line.original.text for line in lines), iterations)


def _vector_type(instruction: _core.Instruction) -> str:
    """What sets the type of RISC-V's vectors as it is where an instruction stands: its form depends on it."""
    _, at, kind = instruction.form.partition("@")
    if not at:
        return ""
    group, _, element = kind.partition(",")
    return f"vsetvli zero, zero, {element}, {group}, ta, ma"
