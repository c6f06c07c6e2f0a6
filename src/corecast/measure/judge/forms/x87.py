"""Forms of x87, whose registers are a stack: kernels that leave it as they found it.

A kernel starts with numbers on the stack, and what an instruction pushes or pops the next one takes back: `fld m64` is
followed by `fstp st(0)`, `fstp m64` follows `fld st(0)`. What that costs follows as with other helpers (throughput.py):
a second kernel has one more pair of both, and the form alone takes at least 2 * cycles(1) - cycles(2). A form that
reads and writes the top gets a copy of it every time, so that instances do not wait for each other; one that can write
another register writes each of them in turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from corecast.dataclass import dataclass, replace
from corecast.errors import InputError
from corecast.measure.isa.forms import Form
from corecast.measure.isa.x86.x87 import stack_effect
from corecast.measure.plan.helpers import assembled
from corecast.measure.plan.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.questions.roles import End, ends
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Latency, Throughput
from corecast.measure.rejection import Reason, Rejection, rejection_of
from corecast.measure.run.core import Core, Outcome
from corecast.measure.thresholds import X87_INSTANCES

PUSH, POP = "fld st(0)", "fstp st(0)"
_FULL = 8
"""Registers of the stack."""
_ADDRESS = 14
"""Number of the register that holds an operand's address."""
_ENVIRONMENT = ("fldenv", "frstor", "fnsave", "fnstenv", "fxsave", "fxsave64", "fxrstor", "fxrstor64", "femms")
_REPLACED = {"fptan", "fsincos", "fxtract"}
"""They push, and change what was the top."""
_COMBINING = {"fpatan", "fyl2x", "fyl2xp1"}
"""They pop, and change what is the top then."""
_CONTROL, _INTEGER, _EXTENDED, _DECIMAL = 0x037F037F037F037F, 0x0003000300030003, 0x8000000000003FFF, 0x1234567812345678
"""What fills memory: control words that mask all exceptions; integers; numbers of 80 bits a little above 1; digits."""


@dataclass(frozen=True)
class _Shape:
    """How instances of a form keep the stack."""

    before: int
    """Pushes in front of each, ..."""
    behind: int
    """... and pops behind."""
    pairs: int
    """As many pairs need no less of the core than both."""
    rotates: bool
    """Whether it writes each register in turn."""


def _is_top(end: End) -> bool:
    return end.kind == "other" and end.name in ("1", "st")


def _shape(form: Form) -> _Shape:
    effect = stack_effect(form.mnemonic)
    tops = [end for end in ends(form) if _is_top(end)]
    updates = any(end.carried for end in tops) and not form.mnemonic.startswith("fxch")
    rotates = form.operands == ("st", "st") and updates and not form.mnemonic.startswith("fcmov")
    if form.mnemonic in _REPLACED:
        return _Shape(1, 2, 2, False)
    if form.mnemonic in _COMBINING:
        return _Shape(2, 1, 2, False)
    if effect == 0 and updates and not rotates:
        return _Shape(1, 1, 1, False)
    return _Shape(max(0, -effect), max(0, effect), abs(effect), rotates)


def _text(form: Form, register: int, *, rotates: bool) -> str:
    """Of an instance with this stack register, where the form leaves a choice."""
    operands = list(form.operands)
    if operands == ["st", "st"]:
        other = f"st({register})"
        operands = [other, "st"] if rotates else ["st", other]
    elif operands == ["st"]:
        operands = [f"st({register})"]
    return replace(form, spelling=replace(form.spelling, operands=tuple(operands))).text({"addr": _ADDRESS})


def _kernel(form: Form, lines: Sequence[str]) -> TimedKernel:
    instructions = assembled("x86", "\n".join(lines))
    depth = _FULL - _shape(form).before - max(0, stack_effect(form.mnemonic))
    values = start_values(instructions, "x86")
    return of_instructions(instructions, "x86", values=replace(values, x87_depth=depth, memory=_memory(form)))


def _memory(form: Form) -> int | None:
    if form.mnemonic == "fldcw":
        return _CONTROL
    if form.mnemonic.startswith("fb"):
        return _DECIMAL
    if form.mnemonic.startswith("fi"):
        return _INTEGER
    return _EXTENDED if any(access.width_bytes == 10 for access in form.example.memory) else None


def measure_x87(core: Core, form: Form) -> tuple[Throughput, tuple[Latency, ...]]:
    """Throughput, and the latency through the register that a form reads and writes.

    Never raises for what cannot be measured: each part carries its error.
    """
    if form.mnemonic in _ENVIRONMENT:
        return Throughput(None, rejection=Rejection(Reason.X87_ENVIRONMENT)), ()
    try:
        return _throughput(core, form), _latencies(core, form)
    except InputError as error:
        return Throughput(None, rejection=rejection_of(error)), ()


def _throughput(core: Core, form: Form) -> Throughput:
    shape = _shape(form)
    least = 1 + (shape.before > 0)
    tried: list[tuple[TimedKernel, Outcome]] = []
    cycles: list[float] = []
    for more in (0, shape.pairs) if shape.pairs else (0,):
        lines = []
        for index in range(X87_INSTANCES):
            register = least + index % (_FULL - least)
            text = _text(form, register if shape.rotates else 1, rotates=shape.rotates)
            lines += [PUSH] * shape.before + [text] + [POP] * shape.behind + [PUSH, POP] * more
        kernel = _kernel(form, lines)
        timing = core.time(kernel)
        tried.append((kernel, timing))
        if isinstance(timing, Rejection):
            return Throughput(None, X87_INSTANCES, kernels=tuple(tried), rejection=timing)
        cycles.append(timing.cycles / X87_INSTANCES)
    low = max(0.0, 2 * cycles[0] - cycles[-1]) if shape.pairs else cycles[0]
    broken = ("st",) if shape.pairs else ()
    return Throughput(Interval(min(low, cycles[0]), cycles[0]), X87_INSTANCES, broken, tuple(tried))


def _latencies(core: Core, form: Form) -> tuple[Latency, ...]:
    """Of forms that neither push nor pop: instances that read and write the top are a chain."""
    top = next((end for end in ends(form) if _is_top(end) and end.carried), None)
    if stack_effect(form.mnemonic) or top is None or form.mnemonic.startswith("fxch"):
        return ()
    kernel = _kernel(form, [_text(form, 1, rotates=False)])
    timing = core.time(kernel)
    names, tried = (top.name, top.name), ((kernel, timing),)
    if isinstance(timing, Rejection):
        return (Latency(*names, None, "direct", kernels=tried, rejection=timing),)
    return (Latency(*names, Interval(timing.cycles, timing.cycles), "direct", kernels=tried),)
