"""Kernels of independent instances: the reciprocal throughput of a form.

Instances write different registers and read others that nobody writes. A dependency through an operand that the form
fixes, as the flags of `adc`, is broken by a helper in front of every instance; what the helper costs follows from a
second kernel with two of them. Cycles are the maximum of sums of uops over ports and slots, so they are convex in the
number of helpers, and without any the form takes at least 2 * cycles(1) - cycles(2), at most cycles(1).
"""

from __future__ import annotations

from dataclasses import dataclass

from corecast import _core
from corecast.measure.chains import kernel_of, special_values
from corecast.measure.forms import Form
from corecast.measure.helpers import breaker
from corecast.measure.kernels import TimedKernel
from corecast.measure.roles import End, Registers, ends, general_number, vector_number

INSTANCES = 12
"""At most; more registers break no more dependencies of pipelined instructions."""
LINE_BYTES = 64


@dataclass(frozen=True)
class Instances:
    """A kernel of so many instances."""

    kernel: TimedKernel
    count: int
    breakers: int
    """In front of each instance, of each dependency that has to be broken."""
    broken: tuple[str, ...]
    """Operands whose dependencies are broken."""


def instances(form: Form, breakers: int = 1, break_own: bool = False) -> Instances:
    """Independent instances of a form.

    Args:
        form: which.
        breakers: of each dependency that has to be broken.
        break_own: whether operands that are read and written get breakers though their registers change from instance
            to instance: for forms whose latency is long beside their throughput.

    Raises:
        InputError: too few registers, or no helper breaks the dependency.
    """
    registers = Registers(form)
    found = ends(form)
    written = [end for end in found if end.slot is not None and end.writes]
    carried = [end for end in found if end.carried and end.kind not in ("memory", "other")]
    own = [end for end in written if end.reads] if break_own else []
    fixed = {
        slot.name: registers.take(slot.kind)
        for slot in form.slots
        if all(end.slot is None or end.slot.name != slot.name for end in written)
    }
    general: dict[int, int] = {}
    scratch = {end.name: registers.take("general" if end.kind == "flags" else end.kind) for end in (*carried, *own)}
    for end in carried:
        if end.kind == "general":
            start = special_values(form).get(general_number(end), _core.measuring_data_address)
            general[scratch[end.name]] = start
    lines = []
    count = _count(written, registers)
    stores = any(access.write for access in form.example.memory)
    for index in range(count):
        numbers = {**fixed, **{end.name: registers.take(end.slot.kind) for end in written if end.slot is not None}}
        for end in (*carried, *own):
            line = breaker(end.kind, _number(end, numbers), scratch[end.name], end.slot.bits if end.slot else 128)
            lines += [line] * breakers
        lines.append(form.text(numbers, displacement=LINE_BYTES * index if stores else 0))
    broken = tuple(end.name for end in (*carried, *own))
    return Instances(kernel_of(form, lines, general), count, breakers, broken)


def _count(written: list[End], registers: Registers) -> int:
    """As many as there are registers for."""
    needs: dict[str, int] = {}
    for end in written:
        if end.slot is not None:
            kind = "general" if end.slot.kind == "high" else end.slot.kind
            needs[kind] = needs.get(kind, 0) + 1
    return max(1, min([INSTANCES, *(registers.left(kind) // need for kind, need in needs.items())]))


def _number(end: End, numbers: dict[str, int]) -> int:
    if end.slot is not None:
        return numbers[end.name]
    if end.kind == "general":
        return general_number(end)
    return vector_number(end) if end.kind == "vector" else 0
