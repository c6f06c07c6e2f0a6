"""The loop around a block: encoded blocks are measured, and forecast, as `block; dec REG; jnz block`."""

from __future__ import annotations

from corecast import _core
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def closing_branch(instructions: Sequence[_core.Instruction]) -> list[_core.Instruction]:
    """`dec` of a register that an x86 block leaves alone and `jnz` to its start; empty where all are taken."""
    return _core.closing_branch(instructions)
