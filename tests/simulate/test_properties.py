"""What holds for any code: more work is never faster, slower operations take longer in proportion, results repeat."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corecast
from block_strategies import NAMES, assembled, bodies, looped
from corecast import _core
from corecast.machine import Machine, load_machine, variant
from provable_bounds import provable_bound
from rewritten_machines import Row, rewritten, with_latencies_times, without_ports

CORES = ("skylake_x", "rocket_lake", "alder_lake_e", "zen4", "neoverse_v2", "a64fx", "sifive_p670", "spacemit_x60")
IDEAL = {"rename.ideal_supply": True}
EXAMPLES = settings(max_examples=60, deadline=None, derandomize=True)

ADDED = {
    "x86": (
        "mov r14, 5",
        "lea r14, [r13 + 8]",
        "pext r14, r13, r13",
        "not r14",
        "mulps xmm9, xmm8",
        "mov r14, [rbp]",
        "nop",
    ),
    "aarch64": (
        "mov x14, #5",
        "add x14, x15, #8",
        "mul x14, x15, x15",
        "fadd v9.2d, v8.2d, v8.2d",
        "ldr x14, [x16]",
        "nop",
    ),
    "riscv64": ("addi t0, t1, 5", "mul t0, t1, t1", "fadd.d ft0, ft1, ft1", "ld t0, 0(t2)", "nop"),
}
"""They write only registers that no body of `bodies` names, and no flags: no dependency is broken."""

CHAINED = {
    "x86": ("add {0}, {1}", "imul {0}, {1}", "xor {0}, {1}", "lea {0}, [{0} + {1}]", "sub {0}, 5"),
    "aarch64": (
        "add {0}, {0}, {1}",
        "mul {0}, {0}, {1}",
        "eor {0}, {0}, {1}",
        "sub {0}, {0}, #5",
        "udiv {0}, {0}, {1}",
    ),
    "riscv64": ("add {0}, {0}, {1}", "mul {0}, {0}, {1}", "xor {0}, {0}, {1}", "addi {0}, {0}, 5", "sll {0}, {0}, {1}"),
}
"""Operations of one micro-op on a register that they also write."""

LONG_SPAN = (4_000, 24_000)


def simulate(machine: Machine, lines: list[str], mode: str) -> _core.Simulation:
    return _core.simulate(machine.core, assembled(machine.isa, lines), mode)


def cycles_and_error(machine: Machine, lines: list[str]) -> tuple[float, float]:
    """Of copies in a row; where no state repeats, between moments far apart, at which an iteration may be half done."""
    found = simulate(machine, lines, "unroll")
    if found.periodic:
        return found.cycles_per_iteration, 1e-6
    found = _core.simulate(machine.core, assembled(machine.isa, lines), "unroll", span=LONG_SPAN)
    cycles = found.cycles_per_iteration
    return cycles, 2 * cycles / max(1, found.measured_iterations)


@cache
def rewritten_core(cpu: str, change: Callable[[Row], None], ideal: bool = False) -> Machine:
    with TemporaryDirectory() as folder:
        return rewritten(cpu, Path(folder), change, IDEAL if ideal else {})


@st.composite
def longer_bodies(draw: st.DrawFn, isa: str) -> tuple[list[str], list[str]]:
    """A body, and the same with an instruction more."""
    body = draw(bodies(isa))
    at = draw(st.integers(0, len(body)))
    return body, [*body[:at], draw(st.sampled_from(ADDED[isa])), *body[at:]]


@pytest.mark.parametrize("cpu", CORES)
def test_an_instruction_more_is_never_faster_where_nobody_waits_for_ports(cpu: str) -> None:
    """Oldest-first scheduling has anomalies (R. L. Graham, 1969): where several wait for a port, a further instruction
    may by chance lead to a better order. Without ports there are widths, latencies and buffers, and none of these has.
    """
    machine = rewritten_core(cpu, without_ports, ideal=True)

    @EXAMPLES
    @given(longer_bodies(machine.isa))
    def never_faster(pair: tuple[list[str], list[str]]) -> None:
        before, error_before = cycles_and_error(machine, pair[0])
        after, error_after = cycles_and_error(machine, pair[1])
        assert after >= before - error_before - error_after, pair

    never_faster()


@pytest.mark.parametrize("cpu", CORES)
def test_an_instruction_more_never_undercuts_what_the_others_need(cpu: str) -> None:
    """With ports: the order may become better by chance, never better than any order is."""
    machine = variant(load_machine(cpu), IDEAL)

    @EXAMPLES
    @given(longer_bodies(machine.isa))
    def never_below(pair: tuple[list[str], list[str]]) -> None:
        cycles, error = cycles_and_error(machine, pair[1])
        bound = provable_bound(machine, assembled(machine.isa, pair[0]), "unroll")
        assert cycles >= bound - error, pair

    never_below()


@pytest.mark.parametrize("cpu", CORES)
@pytest.mark.parametrize("factor", [2, 7])
def test_latencies_scale_what_waits_for_them(cpu: str, factor: int) -> None:
    """A chain, as copies and, on cores that go ahead of it, as a loop, whose counter costs nothing there."""
    machine = load_machine(cpu)
    slower = rewritten_core(cpu, with_latencies_times(factor))
    modes = ("unroll",) if machine.pipeline.get("in_order") else ("unroll", "loop")
    first, second = NAMES[machine.isa]["r"][:2]
    fewest = 8  # so many cycles that neither the loop's branch nor any width matters

    @EXAMPLES
    @given(
        st.lists(st.sampled_from(CHAINED[machine.isa]), min_size=fewest, max_size=2 * fewest), st.sampled_from(modes)
    )
    def in_proportion(templates: list[str], mode: str) -> None:
        chain = [template.format(first, second) for template in templates]
        lines = looped(machine.isa, chain) if mode == "loop" else chain
        latency = _core.analyze(machine.core, assembled(machine.isa, chain), mode).bounds["dependency"]
        assert latency >= fewest
        assert simulate(machine, lines, mode).cycles_per_iteration == pytest.approx(latency, rel=1e-6), lines
        assert simulate(slower, lines, mode).cycles_per_iteration == pytest.approx(factor * latency, rel=1e-6), lines

    in_proportion()


@pytest.mark.parametrize("cpu", CORES)
def test_a_result_depends_on_the_block_alone(cpu: str) -> None:
    """In any order, with any number of jobs, and for itself."""
    machine = load_machine(cpu)

    @settings(max_examples=5, deadline=None, derandomize=True)
    @given(st.lists(bodies(machine.isa), min_size=12, max_size=24), st.sampled_from(("loop", "unroll")), st.randoms())
    def repeats(blocks: list[list[str]], mode: str, rng: random.Random) -> None:
        codes = [b"".join(each.bytes for each in assembled(machine.isa, block)).hex() for block in blocks]
        alone = [next(iter(corecast.predict([code], machine, mode, "simulate", 1))) for code in codes]
        order = rng.sample(range(len(codes)), len(codes))
        for jobs in (1, 2, 5):
            together = list(corecast.predict([codes[i] for i in order], machine, mode, "simulate", jobs))
            assert together == [alone[i] for i in order]

    repeats()
