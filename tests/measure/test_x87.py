"""Forms of x87 are measured on a stack that holds numbers, and is neither empty nor full when it must not be."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.measure import FormMeter, host_core, parse_form
from corecast.measure.isa.x86.x87 import is_x87, stack_effect
from corecast.measure.judge.forms.x87 import measure_x87
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.questions.selection import all_forms
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.core import Timing

needs_x86 = pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")
FORMS = [form for form in all_forms("x86", x87=True) if is_x87(form)]


class Counting:
    """A core that keeps the kernels and takes a cycle for each instruction."""

    isa = "x86"
    name = clock = "counting"

    def __init__(self) -> None:
        self.kernels: list[TimedKernel] = []

    def time(self, kernel: TimedKernel) -> Timing:
        self.kernels.append(kernel)
        cycles = float(len(kernel.texts))
        return Timing(cycles, cycles, cycles, 1, {}, 1, True, 1.0, (1, 2), 1)


def test_there_are_such_forms() -> None:
    assert len(FORMS) > 100
    assert not is_x87("fxsave m")


@pytest.mark.parametrize("key", FORMS)
def test_kernels_leave_the_stack_as_they_found_it(key: str) -> None:
    core = Counting()
    throughput, _ = measure_x87(core, parse_form(key, "x86"))  # type: ignore[arg-type]
    if throughput.cycles is None:
        assert throughput.rejection is not None
        assert throughput.rejection.reason in (Reason.X87_ENVIRONMENT, Reason.NO_DATA)
        return
    for kernel in core.kernels:
        depth = kernel.values.x87_depth
        assert 1 <= depth <= 8
        for text in kernel.texts:
            effect = stack_effect(text.split(" ")[0])
            assert depth >= -effect
            depth += effect
            assert 0 <= depth <= 8, text
        assert depth == kernel.values.x87_depth
    assert throughput.cycles.low <= throughput.cycles.high


@needs_x86
@pytest.mark.parametrize(
    ("key", "most"), [("fadd st, st", 4.0), ("fmul st, st", 4.0), ("fld st", 4.0), ("fadd m64", 4.0), ("fcompp", 6.0)]
)
def test_arithmetic_on_a_valid_stack_is_fast(key: str, most: float) -> None:
    """On an empty one it takes hundreds of cycles: exceptions do."""
    found = FormMeter(host_core()).measure(parse_form(key, "x86"))
    assert found.throughput.cycles is not None
    assert found.throughput.cycles.high < 2 * most, "twice: a neighbour may share the core"


@needs_x86
def test_code_that_overflows_the_stack_has_no_time() -> None:
    from corecast.asm import Kernel
    from corecast.measure import timed_kernel

    timing = host_core().time(timed_kernel(Kernel.from_hex("d9e8")))  # fld1
    assert isinstance(timing, Rejection)
    assert timing.reason is Reason.X87_STACK
