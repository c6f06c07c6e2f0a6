"""Kernels made for AArch64 and RISC-V run, under emulators, in the harness that times them on such machines."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from corecast import Kernel, load_machine
from corecast.asm.code import Isa
from corecast.errors import InputError
from corecast.measure import Form, TimedKernel, parse_form, timed_kernel
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.plan.forms.chains import chain
from corecast.measure.plan.forms.form_kernel import kernel_of
from corecast.measure.plan.forms.throughput import instances
from corecast.measure.questions.pairs import pairs
from measure.emulator import Ending, obstacle, run, shared_build

FORMS = 60
"""Of each instruction set, drawn from a model's keys."""
EMULATORS_OWN = ("SIGABRT",)
"""qemu 7.2 fails an assertion of its own in some conversions of vectors."""


def endings(isa: Isa, factory: pytest.TempPathFactory, kernels: list[TimedKernel]) -> list[Ending]:
    why = obstacle(isa)
    if why:
        pytest.skip(why)
    return run(isa, shared_build(isa, factory) / "run_kernels", kernels)


def kernels_of(form: Form) -> list[TimedKernel]:
    """The form alone, then every kernel that it is measured by."""
    numbers = instruction_set(form.isa).distinct(form.slots)
    alone = kernel_of(form, [form.text(numbers)], {}, numbers)
    made = [alone, instances(form).kernel]
    for source, target in pairs(form):
        try:
            made.append(chain(form, source, target).kernel)
        except InputError:
            continue  # no helper leads back, or the instruction forbids equal registers
    return made


@pytest.mark.parametrize(("isa", "cpu"), [("aarch64", "neoverse_v2"), ("riscv64", "sifive_p670")])
def test_no_kernel_faults_whose_form_the_emulator_has(
    isa: Isa, cpu: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if obstacle(isa):
        pytest.skip(obstacle(isa))
    keys = [key for key in load_machine(cpu).keys() if not key.endswith(("@same", "@indexed"))]  # noqa: SIM118
    random.Random(4).shuffle(keys)
    batches: list[list[TimedKernel]] = []
    for key in keys:
        try:
            batches.append(kernels_of(parse_form(key, isa)))
        except InputError:
            continue
        if len(batches) == FORMS:
            break
    found = iter(endings(isa, tmp_path_factory, [kernel for batch in batches for kernel in batch]))
    ran = 0
    for batch in batches:
        ends = [next(found) for _ in batch]
        if ends[0].signal in ("SIGILL", *EMULATORS_OWN):
            continue  # an extension that the emulator does not have
        for kernel, end in zip(batch, ends, strict=True):
            assert end.end == "done", (kernel.texts, end)
        ran += 1
    assert ran > FORMS // 2


@pytest.mark.parametrize(
    ("isa", "code", "signal", "offset"),
    [
        ("aarch64", "1f2003d500000000", "SIGILL", 4),  # nop; udf
        ("aarch64", "010040f9", "-", -1),  # ldr x1, [x0]
        ("aarch64", "000080d2010040f9", "SIGSEGV", 4),  # mov x0, #0; ldr x1, [x0]
        ("riscv64", "1300000000000000", "SIGILL", 4),
        ("riscv64", "83350500", "-", -1),  # ld a1, 0(a0)
        ("riscv64", "0145833505000100", "SIGSEGV", 2),  # li a0, 0; ld a1, 0(a0); nop
    ],
)
def test_the_harness_survives_faults(
    isa: Isa, code: str, signal: str, offset: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    nop = {"aarch64": "1f2003d5", "riscv64": "13000000"}[isa]
    kernel = timed_kernel(Kernel.from_hex(nop, isa=isa))
    (end,) = endings(isa, tmp_path_factory, [replace(kernel, code=bytes.fromhex(code))])
    assert (end.signal, end.offset) == (signal, offset)
