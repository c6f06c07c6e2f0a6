"""Kernels that mix independent instances of several forms: `n x A + m x B`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, replace
from corecast.errors import InputError
from corecast.measure.isa.forms import Slot, take_run
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.plan.helpers import assembled
from corecast.measure.plan.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.plan.ports.templates import Template
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.measure.thresholds import KERNELS_NUMBER_BYTES, MIXTURES_STORED_LINE


@dataclass(frozen=True)
class Part:
    """So many instances of a form."""

    template: Template
    count: int
    targets: int = 1
    """Instances that write different registers, at most; a register that is only written need not be another's."""


def mixture(parts: Sequence[Part]) -> TimedKernel:
    """A kernel of all parts, spread evenly.

    Nobody writes what others read: the registers that instances only read are nobody's targets, and no two operands of
    an instance share a register, so that no idiom is met. What depends on the instance before is what a form itself
    demands: registers that it reads and writes, flags.

    Raises:
        InputError: too few registers, or an instruction is not legal.
    """
    isa = parts[0].template.isa
    setting = _setting(parts)
    registers = _Registers(parts)
    lines: list[tuple[float, int, str]] = []
    stores, loads = count(0), count(0)
    spread = instruction_set(isa).DISPLACED_STORES
    for place, (part, makers) in enumerate(zip(parts, registers.of(parts), strict=True)):
        for index in range(part.count):
            displacement = 0
            if part.template.is_store:
                displacement = (
                    MIXTURES_STORED_LINE + next(stores) * (part.template.access_bytes or 8) % MIXTURES_STORED_LINE
                )
            elif part.template.is_load and spread:  # some cores take three a cycle, but two from one place in a line
                displacement = (
                    next(loads) * max(part.template.access_bytes, KERNELS_NUMBER_BYTES) % MIXTURES_STORED_LINE
                )
            text = part.template.form.text(makers[index % len(makers)], displacement)
            lines.append(((index + 0.5) / part.count, place, text))
    instructions = _assembled(isa, [text for _, _, text in sorted(lines)], setting)
    general: dict[int, int] = {}
    for part in parts:
        general |= instruction_set(isa).special_values(part.template.form)
    values = start_values(instructions, isa, general=general)
    # Divisions take long for some operands.
    numbers = next(filter(None, (instruction_set(isa).numbers(part.template.form) for part in parts)), None)
    if numbers is not None:
        vector = {**dict.fromkeys(registers.vectors, numbers[0]), **values.vector}
        values = replace(values, vector=vector, memory=numbers[1])
    return of_instructions(instructions, isa, values=values, setting=setting)


def _assembled(isa: Isa, lines: Sequence[str], setting: str) -> tuple[_core.Instruction, ...]:
    try:
        return assembled(isa, "\n".join(lines), setting)
    except InputError:
        for line in lines:
            assembled(isa, line, setting)  # the error names the wrong one
        raise


def _setting(parts: Sequence[Part]) -> str:
    """What has to be executed before: a form whose key names no type of vectors takes any.

    Raises:
        InputError: two forms need different settings.
    """
    demanded = {part.template.form.setting for part in parts if " @" in part.template.key}
    settings = sorted(demanded or {part.template.form.setting for part in parts} - {""})
    if len(settings) > 1:
        raise CannotMeasureError(Reason.SETTINGS, f"'{settings[0]}' and '{settings[1]}'")
    return settings[0] if settings else ""


class _Registers:
    """Gives out the registers of one kernel."""

    def __init__(self, parts: Sequence[Part]) -> None:
        isa: Isa = parts[0].template.isa
        slots = [slot for part in parts for slot in part.template.form.slots]
        fixed = {pair for part in parts for pair in part.template.fixed}
        self._free = {
            kind: [number for number in numbers if (kind, number) not in fixed]
            for kind, numbers in instruction_set(isa).pools(slots).items()
        }
        self.vectors = tuple(self._free.get("vector", ()))
        self._sources: dict[tuple[str, int, int, int, int, bool], int] = {}

    def of(self, parts: Sequence[Part]) -> list[list[dict[str, int]]]:
        """Registers for the instances of each part, by slot; instances take turns."""
        found = [[self._instance(part.template)] for part in parts]
        for part, makers in zip(parts, found, strict=True):
            for _ in range(min(part.targets, part.count) - 1 if part.template.written else 0):
                try:
                    makers.append({**makers[0], **self._targets(part.template)})
                except InputError:
                    break  # instances share, and may depend on each other
        return found

    def _instance(self, made: Template) -> dict[str, int]:
        read: dict[str, int] = {}
        places: dict[str, int] = {}
        for slot in made.read:
            place = places[slot.kind] = places.get(slot.kind, -1) + 1
            read[slot.name] = self._source(slot, place, made.is_store)
        return {**read, **self._targets(made)}

    def _targets(self, made: Template) -> dict[str, int]:
        return {slot.name: self._take(slot) for slot in made.written}

    def _source(self, slot: Slot, place: int, stores: bool) -> int:
        """The register that operands which are only read have in common; stores have different addresses."""
        key = slot.kind, place, slot.span, slot.alignment, slot.limit, stores and slot.kind == "general"
        if key not in self._sources:
            self._sources[key] = self._take(slot)
        return self._sources[key]

    def _take(self, slot: Slot) -> int:
        return take_run(self._free.get(_pool(slot.kind), []), slot.span, slot.alignment, slot.limit)


def _pool(kind: str) -> str:
    return "general" if kind == "high" else kind
