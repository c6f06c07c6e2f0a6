"""Rules of pipeline.toml: each effect in both methods, on cores that do not have it otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from block_strategies import assembled, bodies, looped
from corecast import _core
from corecast.errors import MachineModelError
from corecast.machine import Machine, load_machine, variant
from provable_bounds import least_cycles, provable_bound


def with_rules(cpu: str, *rules: dict[str, Any], **settings: object) -> Machine:
    """A core with rules before its own, and keys set, `loop_buffer__enabled` for `loop_buffer.enabled`."""
    machine = load_machine(cpu)
    changed = {key.replace("__", "."): value for key, value in settings.items()}
    return variant(machine, {"rules": [*rules, *machine.pipeline.get("rules", ())], **changed})


def cycles(machine: Machine, text: str, mode: str = "loop", start: int = 0) -> tuple[float, float]:
    """By the bounds, and simulated."""
    code = assembled(machine.isa, text.strip().splitlines())
    analysis = _core.analyze(machine.core, code, mode, start=start)
    return analysis.proven_cycles, _core.simulate(machine.core, code, mode, start).cycles_per_iteration


NOPS = "\n".join(["nop dword ptr [rax]"] * 14 + [".L: dec rcx", "jne .L"])  # 62 bytes in 16 instructions
LINE = {"effect": "supply_cost", "per": "line", "line_bytes": 64, "free": 1, "cycles": 1, "supplier": "uop_cache"}
TAKEN = {"effect": "supply_cost", "per": "taken_branch", "cycles": 2}


def loop_of(nops: int) -> str:
    return "\n".join([f"{'.L: ' if n == 0 else ''}nop dword ptr [rax]" for n in range(nops)] + ["dec rcx", "jne .L"])


@pytest.mark.parametrize(("nops", "more"), [(10, 0), (19, 0), (20, 1), (37, 1), (60, 2)])
def test_each_further_line_costs_a_cycle(nops: int, more: int) -> None:
    """nop dword ptr [rax] has three bytes, the end of the loop five."""
    before = cycles(with_rules("ice_lake", loop_buffer__enabled=False), loop_of(nops))
    after = cycles(with_rules("ice_lake", LINE, loop_buffer__enabled=False), loop_of(nops))
    assert after[0] == pytest.approx(before[0] + more, abs=0.05)
    assert after[1] == pytest.approx(before[1] + more, abs=0.2)
    assert (after[1] > before[1] + 0.4) == (more > 0)


def test_lines_are_counted_from_where_the_loop_lies() -> None:
    machine = with_rules("ice_lake", LINE, loop_buffer__enabled=False)
    inside, across = (cycles(machine, loop_of(10), start=start) for start in (0, 48))
    assert across[1] >= inside[1] + 0.9


def test_what_another_part_delivers_pays_nothing() -> None:
    plain, ruled = (cycles(with_rules("granite_rapids", *rules), loop_of(30)) for rules in ((), (LINE,)))
    assert plain == ruled


def test_taken_branches_can_cost() -> None:
    add = ".L: add x0, x0, #1\nsubs x1, x1, #1\nb.ne .L"
    plain, ruled = (cycles(with_rules("neoverse_n1", *rules), add) for rules in ((), (TAKEN,)))
    assert plain[1] == pytest.approx(1)
    assert ruled[1] == pytest.approx(plain[0] + 2, abs=0.3)


RULES = (
    LINE,
    TAKEN,
    {"effect": "supply_cost", "per": "line", "line_bytes": 32, "cycles": 0.3},
    {"effect": "delay", "through": "any", "cycles": 2, "consumer": {"access": "load"}},
    {"effect": "absorb", "producer": {"max_uops": 1}, "consumer": {"mnemonics": ["mov*"], "access": "none"}},
)


@pytest.mark.parametrize("cpu", ["skylake_x", "granite_rapids", "zen4", "neoverse_v2", "a64fx"])
def test_no_rule_lets_a_simulation_undercut_its_bounds(cpu: str) -> None:
    machine = with_rules(cpu, *RULES)

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(bodies(machine.isa), st.sampled_from((None, 0, 13, 47)))
    def never_below(body: list[str], start: int | None) -> None:
        for mode, lines in (("loop", looped(machine.isa, body)), ("unroll", body)):
            code = assembled(machine.isa, lines)
            found = _core.simulate(machine.core, code, mode, start)
            assert found.cycles_per_iteration >= least_cycles(found, provable_bound(machine, code, mode, start))

    never_below()


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ({"mnemonics": ["ad*"]}, True),
        ({"mnemonics": ["ad*"], "except": ["add r64, r64"]}, False),
        ({"mnemonics": ["add r64, m64"]}, False),
        ({"access": "none"}, True),
        ({"access": "load"}, False),
        ({"sets_flags": True}, True),
        ({"vector": True}, False),
        ({"max_uops": 1}, True),
        ({"begins_pair": True}, False),
    ],
)
def test_patterns(pattern: dict[str, Any], fits: bool) -> None:
    """A chain through one addition takes longer where the pattern fits it."""
    machine = with_rules("skylake_x", {"effect": "delay", "cycles": 3, "consumer": pattern})
    code = assembled("x86", ["add rax, rbx"])
    assert _core.simulate(machine.core, code, "unroll").cycles_per_iteration == pytest.approx(
        4 if fits else 1, abs=0.01
    )


def test_a_delay_of_addresses_leaves_data_alone() -> None:
    rule = {"effect": "delay", "cycles": 5, "through": "address", "consumer": {"access": "load"}}
    machine = with_rules("skylake_x", rule)
    chase, chain = ["mov rax, [rax]"], ["add rax, [rsi]"]
    found = [
        _core.simulate(machine.core, assembled("x86", text), "unroll").cycles_per_iteration for text in (chase, chain)
    ]
    usual = load_machine("skylake_x").core
    plain = [_core.simulate(usual, assembled("x86", text), "unroll").cycles_per_iteration for text in (chase, chain)]
    assert found[0] == pytest.approx(plain[0] + 5, abs=0.05)
    assert found[1] == pytest.approx(plain[1], abs=0.05)


def test_ports_have_any_names() -> None:
    """The policies of Intel's cores on a core with ports A0, A1, L0, L1, S, B."""
    from pathlib import Path

    mine = load_machine(Path(__file__).resolve().parents[2] / "examples" / "my_core")
    code = assembled("x86", ["add rax, 1", "add rbx, 1", "cmp rcx, rdx", "vmovupd ymm0, [rsi]", "vmovupd ymm1, [rdi]"])
    base = {"scheduler.entries": 60, "load_queue.entries": 40, "store_queue.entries": 40}
    for choice in (
        {"policy": "paired_slots", "waiting_limit_uops": 3, "alternating": [["L0", "L1"]]},
        {"policy": "ranked", "waiting_limit_uops": 5, "alternating": [["L0", "L1"]], "first_choice_slot": 3},
        {"policy": "ranked", "waiting_limit_uops": 4, "slot_ranks": [0, 1, 2, 3], "alternating": [["L0", "L1"]]},
        {
            "policy": "ranked",
            "waiting_limit_uops": 4,
            "slot_ranks": [0, 1, 2, 3],
            "set_ranks": [{"ports": ["A0", "A1"], "ranks": [0, 1]}],
            "alternating": [["L0", "L1"]],
        },
        {
            "policy": "ranked",
            "waiting_limit_uops": 4,
            "slot_ranks": [0, 1, 2, 3],
            "slots_of_others": 2,
            "counted_cycles": 3,
            "alternating": [["L0", "L1"]],
        },
        {
            "policy": "ranked",
            "waiting_limit_uops": 4,
            "slot_ranks": [0, 1, 2, 3],
            "avoided_where_full": ["A0"],
            "alternating": [["L0", "L1"]],
        },
        {"policy": "rotating", "waiting_limit_uops": 3, "slot_orders.A0": ["A0", "A1"], "slot_orders.A1": ["A1", "A0"]},
        {"policy": "in_turn"},
        {"policy": "at_issue"},
    ):
        machine = variant(mine, {**base, **{f"port_choice.{key}": value for key, value in choice.items()}})
        found = _core.simulate(machine.core, code, "unroll")
        assert found.cycles_per_iteration == pytest.approx(1.5, abs=0.1), choice


@pytest.mark.parametrize(
    ("ranks", "found"),
    [([0, 0, 0, 0, 1, 1], 1.46), ([0, 1], 1.0)],
)
def test_sets_of_ports_have_ranks_of_their_own(ranks: list[int], found: float) -> None:
    """A shift that waits for itself shares two ports with dec and jnz, which wait for themselves as well: 1.46 cycles
    measured where it is the first of three slots, 1.00 as the second."""
    machine = variant(
        load_machine("granite_rapids"), {"port_choice.set_ranks": [{"ports": ["0", "6"], "ranks": ranks}]}
    )
    branch = "\ndec r15\njne .L"
    assert cycles(machine, ".L: shl rbx, 3\nnop dword ptr [rax]" + branch)[1] == pytest.approx(found, abs=0.12)
    assert cycles(machine, ".L: mov rdi, r13\nshl r15, 5\ndec r14\njne .L")[1] == pytest.approx(1.0, abs=0.01)


def test_ranks_of_sets_need_ranks() -> None:
    with pytest.raises(MachineModelError, match=r"given with port_choice\.slot_ranks"):
        _ = variant(load_machine("skylake_x"), {"port_choice.set_ranks": [{"ports": ["0", "6"], "ranks": [0, 1]}]}).core


@pytest.mark.parametrize(
    ("body", "measured"),
    [
        ("shl r12, 7", 1.00),
        ("shl ecx, 3\nnop", 1.48),
        ("nop\nshl ecx, 3", 1.00),
        ("nop\nnop\nnop\nshl r8d, 3\nnop", 1.00),
        ("nop\nnop\nnop\nnop\nshl r8d, 3", 1.77),
        ("shl r8d, 3\nshl r9d, 3\nnop\nnop\nnop", 1.67),
        ("add eax, ebx\ncmp esi, edi\ncmp esi, edi\ncmp esi, edi", 1.00),
        ("cmp esi, edi\nadd eax, ebx\ncmp esi, edi\ncmp esi, edi", 1.07),
        ("add ebx, 1\ncmp ebp, ebx", 1.07),
        ("vucomiss xmm1, xmm2", 1.00),
    ],
)
def test_redwood_cove_ranks_ports_by_what_waited_before(body: str, measured: float) -> None:
    """Loops timed on a Granite Rapids (pipeline facts GC-15, GC-22)."""
    found = cycles(load_machine("granite_rapids"), f".L: {body}\ndec r15\njne .L")[1]
    assert found == pytest.approx(measured, rel=0.18)


def test_what_has_started_counts_as_waiting_for_a_while() -> None:
    """A loop of shifts that three slots of six put on one port is faster the later it is seen to be free."""
    body = ".L: nop\nshl ecx, 3\nnop\ndec r15\njne .L"
    found = [
        cycles(variant(load_machine("granite_rapids"), {"port_choice.counted_cycles": count}), body)[1]
        for count in (1, 3, 8)
    ]
    assert len({round(each, 2) for each in found}) == 3


def test_golden_cove_pays_for_further_lines_that_the_uop_cache_delivers() -> None:
    """Emerald Rapids' loop buffer is off; Alder Lake's is on and replays short loops whatever lines they touch."""
    inside, across = loop_of(12), loop_of(30)
    for cpu, more in (("emerald_rapids", 1), ("alder_lake_p", 0)):
        without = variant(load_machine(cpu), {"rules.0.free": 1000})
        assert cycles(load_machine(cpu), inside) == cycles(without, inside)
        assert cycles(load_machine(cpu), across)[0] == pytest.approx(cycles(without, across)[0] + more, abs=0.4)


SHORT_LOOPS = {
    "load": (("ld1d z0.d, p0/z, [x0, x1, lsl 3]",), 2.06),
    "init": (("st1d z0.d, p0, [x0, x1, lsl 3]",), 3.00),
    "stream": (
        (
            "ld1d z0.d, p0/z, [x0, x1, lsl 3]",
            "ld1d z1.d, p0/z, [x3, x1, lsl 3]",
            "fmla z0.d, p0/m, z1.d, z2.d",
            "st1d z0.d, p0, [x4, x1, lsl 3]",
        ),
        2.91,
    ),
    "sum": (("ld1d z1.d, p0/z, [x0, x1, lsl 3]", "fadd z0.d, p0/m, z0.d, z1.d"), 9.01),
}


@pytest.mark.parametrize("name", SHORT_LOOPS)
def test_short_loops_of_a64fx(name: str) -> None:
    """Measured by the authors of the PMBS 2020 paper on A64FX, cycles an iteration in the first-level cache."""
    body, measured = SHORT_LOOPS[name]
    text = "\n".join([".L1:", *body, "add x1, x1, 8", "whilelo p0.d, x1, x2", "b.any .L1"])
    assert cycles(load_machine("a64fx"), text)[1] == pytest.approx(measured, rel=0.05)


LOCKED = [("mov eax, 1\nxchg dword ptr [rbp + 32], eax", 17), ("lock add qword ptr [rbp + 32], rax", 18)]
STORE = "mov dword ptr [rbp + 64], edx"


@pytest.mark.parametrize(("locked", "alone"), LOCKED)
@pytest.mark.parametrize("mode", ["loop", "unroll"])
def test_locked_instructions_wait_for_stores(locked: str, alone: float, mode: str) -> None:
    """Timed on a Granite Rapids: 7 cycles more behind one store or several, wherever in the body they stand."""
    machine = load_machine("granite_rapids")

    def of(*lines: str) -> float:
        return cycles(machine, "\n".join(lines), mode)[1]

    assert of(locked) == pytest.approx(alone, abs=0.1)
    for lines in ((STORE, locked), (locked, STORE), (STORE, "push rbx", locked, STORE)):
        assert of(*lines) == pytest.approx(alone + 7, abs=1.1)
    assert of(STORE, locked, locked) == pytest.approx(of(locked, locked) + 7, abs=0.1)


def test_locked_instructions_wait_for_no_store_where_nothing_says_so() -> None:
    before, after = (cycles(load_machine("skylake_x"), text) for text in (LOCKED[0][0], f"{STORE}\n{LOCKED[0][0]}"))
    assert after == before


def test_a_delay_in_loops_alone() -> None:
    rule = {
        "effect": "delay", "cycles": 3, "loops_only": True,
        "producer": {"mnemonics": ["imul"]}, "consumer": {"mnemonics": ["add"]},
    }  # fmt: skip
    text = "imul rax, rdx\nadd rax, rdx"
    assert cycles(load_machine("skylake"), text, "unroll") == (4, 4)
    assert [cycles(with_rules("skylake", rule), text, mode) for mode in ("loop", "unroll")] == [(7, 7), (4, 4)]


def test_a_delay_of_one_group_of_rename() -> None:
    """Flags of `test` are late for `cmov` where rename takes both in one cycle; no bound is proven by that."""
    machine = load_machine("granite_rapids")
    loop = "{}\n{}cmovne rbp, rdx" + 3 * "\nnop" + "\ndec r15\njne .L"
    assert cycles(machine, ".L: " + loop.format("test rax, rax", ""), "loop") == (1, 2)
    assert cycles(machine, ".L: " + loop.format("test rax, rax", 6 * "nop\n"), "loop") == (2, 2)
    assert cycles(machine, ".L: " + loop.format("cmp rax, rdx", ""), "loop")[1] < 1.1


def test_a_delay_for_where_a_value_was_made_and_is_read() -> None:
    """Both run on port 1 alone; two rules of one result add up, two inputs of one rule count once."""
    rule = {
        "effect": "delay", "delays": "result", "cycles": 3, "ports": ["1"], "producer_ports": ["1"],
        "producer": {"mnemonics": ["imul"]}, "consumer": {"mnemonics": ["imul"]},
    }  # fmt: skip
    elsewhere = {**rule, "producer_ports": ["0"]}
    text = "imul rax, rdx"
    assert cycles(load_machine("skylake"), text)[1] == 3
    assert cycles(with_rules("skylake", rule), text)[1] == 6
    assert cycles(with_rules("skylake", rule, elsewhere), text)[1] == 6
    assert cycles(with_rules("skylake", rule, {**rule, "cycles": 2}), text)[1] == 8
    assert cycles(with_rules("skylake", rule), "imul rax, rax")[1] == 6
