"""Lines of text as the kernel of a form, with the values that its registers start with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast import _core
from corecast.dataclass import replace
from corecast.measure.isa.forms import Form, Slot
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.plan.helpers import assembled
from corecast.measure.plan.kernels import StartValues, TimedKernel, of_instructions, start_values

_ONES, _INDEX = (1 << 64) - 1, 0x40


def start_value(form: Form, number: int) -> int:
    return instruction_set(form.isa).special_values(form).get(number, _core.measuring_data_address)


def last_vector(form: Form) -> Slot | None:
    """The last operand, where it is a vector register."""
    slots = [slot for slot in form.slots if slot.name.isdigit()]
    return slots[-1] if slots and slots[-1].kind == "vector" and not form.example.memory else None


def _of_numbers(
    form: Form, values: StartValues, numbers: Mapping[str, int], vector: Mapping[int, int], source: str
) -> StartValues:
    """Values that the form's time depends on, in the registers that are not given."""
    found = instruction_set(form.isa).numbers(form, source)
    if found is None:
        return replace(values, pointers=values.pointers or bool(form.example.memory))  # 0 is not a divisor
    slot = last_vector(form)
    last = {numbers[slot.name]: found[1]} if slot is not None and slot.name in numbers else {}
    return replace(values, vector=dict.fromkeys(range(16), found[0]) | last | dict(vector), memory=found[1])


def _of_gather(values: StartValues, numbers: Mapping[str, int]) -> StartValues:
    """All lanes are loaded; what is loaded can be an index in its turn."""
    vectors = dict.fromkeys(range(16), _ONES) | {numbers.get("index", 0): _INDEX}
    return replace(values, vector=vectors, mask=dict.fromkeys(range(1, 8), _ONES), pointers=True)


def kernel_of(
    form: Form,
    lines: Sequence[str],
    general: dict[int, int],
    numbers: Mapping[str, int],
    vector: Mapping[int, int] | None = None,
    source: str = "",
) -> TimedKernel:
    """Lines of text as the kernel of a form.

    Args:
        form: which.
        lines: of text.
        general: start values of general registers.
        numbers: registers by slot, of those that are the same in all instances.
        vector: start values of vector registers.
        source: the operand that a chain goes through.

    Raises:
        InputError: a line is not legal.
    """
    instructions = assembled(form.isa, "\n".join(lines), form.setting)
    special = instruction_set(form.isa).special_values(form)
    values = start_values(instructions, form.isa, general={**special, **general})
    if form.gathers:
        values = _of_gather(values, numbers)
    elif instruction_set(form.isa).value_dependent(form) or instruction_set(form.isa).numbers(form) is not None:
        values = _of_numbers(form, values, numbers, vector or {}, source)
    elif vector:
        values = replace(values, vector={**values.vector, **vector})
    return of_instructions(instructions, form.isa, values=values, setting=form.setting)
