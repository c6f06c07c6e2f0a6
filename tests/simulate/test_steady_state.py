"""Where a period was found, all goes on as it did; results depend on nothing but the block."""

from __future__ import annotations

import random
from functools import cache

import pytest

import corecast
from corecast import _core
from corecast.machine import load_machine

# Pieces of everyday code: chains, loads and stores of the same and of other places, moves, long and slow operations.
PIECES = """
4801c3 4829d8 480fafc1 488d440801 4889c2 4889d8 31c0 4883c301 48ffc9 d3e0 48c1e204 480f44d8 0fb6c0 4839d8
488b07 48034708 488907 48894708 480107 4801c2 48ff4610 488b00 488b4c1810 8b0424 890424 50 58 f30f6f06 660fd4c1
c5fd6f06 c5f558c1 c4e2f5b8c2 c5fd7f07 f20f58c1 f20f59c1 f20f5ec1 0f28c1 0f57c0 99 48f7f1 6681c03412 90 0f1f4000
"""


def blocks(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(PIECES.split(), k=rng.randrange(1, 14))) for _ in range(count)]


@cache
def everyday() -> list[str]:
    return blocks(300, 4)


@pytest.mark.parametrize("mode", ["loop", "unroll"])
@pytest.mark.parametrize("cpu", ["skylake_x", "haswell", "cascade_lake", "zen4"])
def test_a_period_goes_on(cpu: str, mode: str) -> None:
    machine = load_machine(cpu).core
    exact = 0
    for code in everyday():
        instructions = _core.disassemble("x86", bytes.fromhex(code)).instructions
        found = _core.simulate(machine, instructions, mode)
        if not found.periodic:
            continue
        exact += 1
        first, last = found.span
        longer = _core.simulate(machine, instructions, mode, span=(first, first + 10 * (last - first)))
        assert longer.measured_iterations == 10 * found.measured_iterations, code
        assert longer.port_uops == pytest.approx(found.port_uops), code
        assert longer.stalls == pytest.approx(found.stalls), code
    assert exact > 40


@pytest.mark.parametrize("mode", ["loop", "unroll"])
def test_neither_order_nor_jobs_change_a_result(mode: str) -> None:
    codes = everyday()
    machine = load_machine("skylake_x")
    alone = corecast.predict(codes, machine, mode, "simulate", 1)
    order = list(range(len(codes)))
    random.Random(5).shuffle(order)
    for jobs in (1, 2, 3):
        shuffled = corecast.predict([codes[i] for i in order], machine, mode, "simulate", jobs)
        assert [alone[i] for i in order] == list(shuffled)


@pytest.mark.parametrize(
    ("cpu", "mode", "text", "cycles"),
    [
        # Stores pile up for some 500 cycles before the store queue is full; until then an iteration takes 1.0.
        ("granite_rapids", "loop", "push rbp; push rbx; sub rsp, 8; test rdi, rdi", 1.125),
        ("granite_rapids", "loop", "push r12; push rbp; mov ebp, esi; push rbx; mov rbx, rdi; sub rsp, 16", 1.625),
        # What was fetched while the first iterations waited lasts as long: 16 bytes a cycle, nine an iteration.
        ("zen3", "unroll", "cmp rbx, 1; mov ecx, 1", 0.5625),
        ("zen3", "unroll", "mov r10, [rsp + 24]; shl r10, 12", 0.5625),
    ],
)
def test_a_buffer_that_fills_or_runs_empty_is_no_steady_state(cpu: str, mode: str, text: str, cycles: float) -> None:
    instructions = _core.assemble("x86", text.replace("; ", "\n"), "intel").instructions
    found = _core.simulate(load_machine(cpu).core, instructions, mode)
    assert found.cycles_per_iteration == pytest.approx(cycles, rel=0.005)
