"""What a machine model knows of one instruction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from corecast import _core
    from corecast.machine.types import Machine

Status = Literal["known", "derived", "unknown"]


@dataclass(frozen=True)
class Lookup:
    """The row that an instruction gets."""

    status: Status
    entry: dict[str, Any] | None
    """The row's fields as plain values (None: unknown); None where there is no row, known or derived."""
    note: str
    """How a derived row was made."""
    nearest_forms: tuple[str, ...] = ()
    """Unknown forms: the nearest known ones."""


def look_up(machine: Machine, instruction: _core.Instruction) -> Lookup:
    """Tries the instruction's keys in order, then derivations from related forms.

    Raises:
        MachineModelError: a row that is needed is malformed.
    """
    status, entry, note = machine.core.lookup(instruction)
    nearest = machine.nearest_forms(instruction.form) if status == "unknown" and not instruction.unknown else ()
    return Lookup(cast(Status, status), entry, note, nearest)
