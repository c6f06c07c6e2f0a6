"""Kernels of independent instances: the reciprocal throughput of a form.

Instances write different registers and read others that nobody writes. A dependency through an operand that the form
fixes, as the flags of `adc`, is broken by a helper in front of every instance, or of every few; what the helper costs
follows from a second kernel with two of them. Cycles are the maximum of sums of uops over ports and slots, so they are
convex in the number of helpers, and without any the form takes at least 2 * cycles(n) - cycles(2 n), at most cycles(n).

Schedulers spread uops in patterns that depend on how many instances there are before the registers repeat: of several
numbers of instances the fastest counts. Short instructions of several uops are too many in a line of code for what
keeps decoded ones, and decoders may take longer than all that follows: with longer encodings they are not.
"""

from __future__ import annotations

from corecast import _core
from corecast.dataclass import dataclass
from corecast.measure.isa.forms import Form, Slot
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.x86.tiles import accessed_bytes
from corecast.measure.plan.forms.form_kernel import kernel_of
from corecast.measure.plan.helpers import break_dependency
from corecast.measure.plan.kernels import TimedKernel, spread
from corecast.measure.questions.roles import End, Registers, ends
from corecast.measure.thresholds import KERNELS_NUMBER_BYTES, THROUGHPUT_INSTANCES, THROUGHPUT_UPDATES


@dataclass(frozen=True)
class Instances:
    """A kernel of `count` instances."""

    kernel: TimedKernel
    count: int
    broken: tuple[str, ...]
    """Operands whose dependencies are broken."""


def instances(
    form: Form,
    breakers: int = 1,
    break_own: bool = False,
    *,
    most: int = 0,
    every: int = 1,
    sparse: bool = False,
) -> Instances:
    """Independent instances of a form.

    Args:
        form: which.
        breakers: in front of each instance, of each dependency that has to be broken.
        break_own: whether operands that are read and written get breakers though their registers change from instance
            to instance: for forms whose latency is long beside their throughput.
        most: instances; 0: as many as are of use.
        every: so many instances the dependencies through operands that the form fixes are broken.
        sparse: whether instructions are as long as in sparse code.

    Raises:
        InputError: too few registers, or no helper breaks the dependency.
    """
    isa = instruction_set(form.isa)
    registers = Registers(form)
    found = ends(form)
    # Stores follow each other densely, as in code: some cores write two of one line a cycle, but not of two lines.
    # So do loads, of which some cores take but two a cycle from one place in a line; all find the number that fills
    # memory.
    step = max((access.width_bytes for access in form.example.memory if access.write), default=0)
    apart = step > 0 and not isa.DISPLACED_STORES
    if form.isa == "x86" and (of_tile := accessed_bytes(form.mnemonic)):
        step = of_tile
    elif not step and isa.DISPLACED_STORES:
        step = max((max(access.width_bytes, KERNELS_NUMBER_BYTES) for access in form.example.memory), default=0)
    varied = [end for end in found if end.slot is not None and (end.writes or (apart and end.name == "addr"))]
    carried = [end for end in found if end.carried and end.kind not in ("memory", "other")]
    own = [
        end
        for end in varied
        if end.reads and end.writes and (break_own or (form.gathers and end.name != "1"))  # a mask that was cleared
    ]
    fixed = {
        slot.name: registers.take(slot.kind, slot)
        for slot in form.slots
        if all(end.slot is None or end.slot.name != slot.name for end in varied)
    }
    general: dict[int, int] = {}
    scratch = {
        end.name: registers.take("general" if end.kind == "flags" else end.kind, end.slot) for end in (*carried, *own)
    }
    for end in carried:
        if end.kind == "general":
            general[scratch[end.name]] = isa.special_values(form).get(end.number, _core.measuring_data_address)
    lines = []
    updates = isa.DISPLACED_STORES and any(access.read and access.write for access in form.example.memory)
    count = _count(varied, registers, most or (THROUGHPUT_UPDATES if updates else THROUGHPUT_INSTANCES))
    for index in range(count):
        numbers = {
            **fixed,
            **{end.name: registers.take(end.slot.kind, end.slot) for end in varied if end.slot is not None},
        }
        displacement = step * index
        if apart:
            general[numbers["addr"]] = _core.measuring_data_address + displacement
            displacement = 0
        for end in (*(carried if index % every == 0 else ()), *own):
            number = numbers[end.name] if end.slot is not None else end.number
            lines += break_dependency(form, end, number, scratch[end.name]) * breakers
        lines.append(form.text(numbers, displacement))
    broken = tuple(end.name for end in (*carried, *own))
    kernel = kernel_of(form, lines, general, fixed)
    return Instances(spread(kernel) if sparse else kernel, count, broken)


def _count(varied: list[End], registers: Registers, most: int) -> int:
    """As many as there are registers for."""
    needs: dict[str, list[Slot]] = {}
    for end in varied:
        if end.slot is not None:
            needs.setdefault("general" if end.slot.kind == "high" else end.slot.kind, []).append(end.slot)
    largest = {kind: max(slots, key=lambda slot: slot.span) for kind, slots in needs.items()}
    left = (registers.left(kind, largest[kind]) // len(slots) for kind, slots in needs.items())
    return max(1, min([most, *left]))
