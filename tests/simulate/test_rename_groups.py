"""What else than its width limits a group of rename: new registers on Cortex-A72, microcode on Zen 1."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.machine import Machine, load_machine
from corecast.machine.variants import variant

WHOLE = ["add v1.4s, v20.4s, v21.4s", "mvni v2.4s, #0x7c, msl #8", "neg v3.2d, v20.2d"]
"""Each writes 128 bits: two new registers."""
SIX = ["vpand ymm2, ymm12, ymm13", "vpand ymm3, ymm12, ymm13", "nop", "nop"]
"""Macro-ops of Zen 1: 256 bits are two."""


def both(machine: Machine, lines: list[str]) -> tuple[float, float]:
    """Cycles of copies: what the simulation takes, and the front end's bound."""
    code = _core.assemble("aarch64", "\n".join(lines)).instructions
    found = _core.simulate(machine.core, code, "unroll", None)
    return found.cycles_per_iteration, _core.analyze(machine.core, code, "unroll").frontend.bound


@pytest.mark.parametrize(
    ("lines", "cycles"),
    [
        (WHOLE, 2.0),
        ([*WHOLE, "add x1, x13, x14"], 7 / 3),
        ([*WHOLE, "cmp x13, x14"], 2.0),  # a comparison writes flags alone
        ([*WHOLE, "str x13, [x19]"], 2.0),
        (["cmp x13, x14", "add x1, x13, x14", "ldr x2, [x19]", "fmov d1, d20", "madd w3, w13, w14, w15"], 5 / 3),
    ],
)
def test_three_new_registers_a_cycle_on_cortex_a72(lines: list[str], cycles: float) -> None:
    assert both(load_machine("cortex_a72"), lines) == pytest.approx((cycles, cycles), abs=0.01)


def test_without_the_limit_micro_ops_count() -> None:
    free = variant(load_machine("cortex_a72"), {"rename.results_per_cycle": 100})
    assert both(free, WHOLE)[1] == pytest.approx(6 / 5)


def test_ports_taken_in_turn_are_shared_equally_in_bounds_too() -> None:
    """Two micro-ops for one of two pipes and two for either: what has the choice does not see what waits there."""
    lines = ["shl d1, d20, #3", "fcmp d21, d22", "fmov d2, d23", "fadd d3, d24, d25"]
    code = _core.assemble("aarch64", "\n".join(lines)).instructions
    core = variant(load_machine("cortex_a72"), {"port_choice.policy": "in_turn"})
    analysis = _core.analyze(core.core, code, "unroll")
    assert analysis.uniform_ports
    assert analysis.cycles_per_iteration == pytest.approx(3)
    assert analysis.proven_cycles == pytest.approx(3)
    assert _core.simulate(core.core, code, "unroll", None).cycles_per_iteration == pytest.approx(3, abs=0.01)
    by_load = variant(core, {"port_choice.policy": "least_loaded"})
    assert _core.analyze(by_load.core, code, "unroll").cycles_per_iteration == pytest.approx(2)


@pytest.mark.parametrize(
    ("lines", "cycles"),
    [
        # F1, F1, and two for either: the first goes to F0, so that the second goes to F1
        (["shl d1, d20, #3", "fcmp d21, d22", "fmov d2, d23", "fadd d3, d24, d25"], 3),
        # each of the two behind one for F1: both go to F0
        (["shl d1, d20, #3", "fmov d2, d23", "fcmp d21, d22", "fadd d3, d24, d25"], 2),
        # nothing but the choice: in turn
        (["fmov d2, d23", "fadd d3, d24, d25", "fmul d4, d26, d27"], 1.5),
        # general micro-ops and loads in between do not count
        (
            [
                "shl d1, d20, #3",
                "add x1, x13, x14",
                "fmov d2, d23",
                "ldr x3, [x19]",
                "fcmp d21, d22",
                "fadd d3, d24, d25",
            ],
            2,
        ),
    ],
)
def test_a_vector_micro_op_of_cortex_a72_takes_the_other_pipe_than_the_one_before(
    lines: list[str], cycles: float
) -> None:
    core = load_machine("cortex_a72")
    code = _core.assemble("aarch64", "\n".join(lines)).instructions
    analysis = _core.analyze(core.core, code, "unroll")
    assert analysis.ordered is not None
    assert analysis.bounds["ports"] == pytest.approx(cycles)
    assert analysis.ordered.bound == pytest.approx(cycles)
    assert sum(analysis.ordered.totals) == pytest.approx(sum(analysis.balanced.totals))
    predicted = _core.simulate(core.core, code, "unroll", None).cycles_per_iteration
    assert predicted == pytest.approx(max(analysis.cycles_per_iteration, analysis.frontend.bound), abs=0.01)


def test_where_equal_shares_are_asked_for_the_order_does_not_count() -> None:
    lines = ["shl d1, d20, #3", "fmov d2, d23", "fcmp d21, d22", "fadd d3, d24, d25"]
    code = _core.assemble("aarch64", "\n".join(lines)).instructions
    analysis = _core.analyze(load_machine("cortex_a72").core, code, "unroll", uniform_ports=True)
    assert analysis.ordered is None
    assert analysis.bounds["ports"] == pytest.approx(3)


@pytest.mark.parametrize(
    ("lines", "cycles"),
    [
        (["bsf rbx, r13"], 3),  # six macro-ops, three cycles of the sequencer
        (["bsf rbx, r13", *SIX], 3),  # two cycles of its own, and one for six macro-ops
        (["bsf rbx, r13", *SIX, "nop"], 4),
        (["nop", "bsf rbx, r13", *SIX], 4),  # copies follow each other
        (["bsf rbx, r13", "nop", "bsf rcx, r13", "nop"], 6),
        (["vpermq ymm1, ymm11, 3", *SIX, "nop"], 3),
        # twelve macro-ops, of which two load: four operations of the vector unit a cycle, not five
        (["vperm2f128 ymm1, ymm11, [r15], 3", "nop"], 4),
        (["vperm2f128 ymm1, ymm11, [r15], 3", *SIX, "nop"], 5),
    ],
)
def test_microcode_is_dispatched_alone_on_zen1(lines: list[str], cycles: float) -> None:
    machine = load_machine("zen1")
    listing = _core.assemble("x86", "\n".join(lines), "intel")
    analysis = _core.analyze(machine.core, listing.instructions, "unroll")
    throughput = max(bound for name, bound in analysis.bounds.items() if name != "dependency")
    assert throughput == pytest.approx(cycles)
    found = _core.simulate(machine.core, listing.instructions, "unroll", None)
    assert found.cycles_per_iteration >= analysis.proven_throughput_cycles - 0.01
    assert found.cycles_per_iteration == pytest.approx(cycles, abs=0.1)


@pytest.mark.parametrize(
    ("lines", "cycles"),
    [
        (["vpermq ymm1, ymm11, 3", *["cmp dword ptr [r14 + 512], 44"] * 2, "cmp rbx, 44"], 2),
        (["vpermq ymm1, ymm11, 3", *["cmp dword ptr [r14 + 512], 44"] * 3], 3),  # six constants beside the microcode
    ],
)
def test_zen1_dispatches_five_constants_a_cycle(lines: list[str], cycles: float) -> None:
    listing = _core.assemble("x86", "\n".join(lines), "intel")
    found = _core.simulate(load_machine("zen1").core, listing.instructions, "unroll", None)
    assert found.cycles_per_iteration == pytest.approx(cycles, abs=0.25)


def test_a_taken_branch_ends_a_bundle_of_thunderx2() -> None:
    lines = ["ldr q0, [x20, x0]", "ldr q1, [x21, x0]", "fadd v0.2d, v0.2d, v1.2d", "str q0, [x19, x0]"]
    code = _core.assemble("aarch64", "\n".join(["1:", *lines, "add x0, x0, 16", "cmp x22, x0", "bne 1b"])).instructions
    core = load_machine("thunderx2")
    assert _core.simulate(core.core, code, "loop", None).cycles_per_iteration == pytest.approx(2)
    without = variant(core, {"decode.taken_branch_ends_group": False})
    assert _core.simulate(without.core, code, "loop", None).cycles_per_iteration < 1.8
