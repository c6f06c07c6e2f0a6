"""Latencies of cores that execute in order, where whatever waits holds up all that follows."""

from __future__ import annotations

from functools import cache

import pytest

from corecast import load_machine
from corecast.measure import FormMeter, Latency, SimulatedCore, parse_form
from corecast.measure.judge.forms.links import Links


@cache
def meter(core: str) -> FormMeter:
    return FormMeter(SimulatedCore(load_machine(core)))


def latency(core: str, key: str, source: str, target: str) -> Latency:
    found = meter(core).measure(parse_form(key, "riscv64"), rare=False)
    return next(each for each in found.latencies if (each.source, each.target) == (source, target))


@pytest.mark.parametrize(
    ("core", "in_order"),
    [("spacemit_x60", True), ("sifive_x280", True), ("sifive_p670", False), ("neoverse_n1", False), ("zen4", False)],
)
def test_what_follows_a_wait_tells_whether_it_waits_too(core: str, in_order: bool) -> None:
    assert Links(SimulatedCore(load_machine(core))).in_order is in_order


@pytest.mark.parametrize(
    ("key", "source", "cycles"),
    [
        ("vmadd.vx v, x, v @mf8", "2", 7),
        ("vfmadd.vf v, f, v, v0.t @m8", "mask", 8),  # it keeps its port for 16 cycles, and so does the move
        ("vfwnmsac.vf v, f, v @m4,e16", "3", 8),  # two moves
    ],
)
def test_other_operands_get_their_values_in_the_shade_of_steps(key: str, source: str, cycles: int) -> None:
    found = latency("spacemit_x60", key, source, "1").cycles
    assert found is not None
    assert found.exact
    assert found.high == pytest.approx(cycles)


def test_a_form_that_keeps_its_port_longer_than_its_latency_leaves_past_that_port() -> None:
    found = latency("spacemit_x60", "vremu.vv v, v, v, v0.t @m1,e8", "2", "1")
    assert found.cycles is not None
    assert found.cycles.high == pytest.approx(24)
    assert any(name == "vs1r.v ld" for name, _ in found.helpers)


@pytest.mark.parametrize("core", ["spacemit_x60", "sifive_p670"])
def test_where_no_group_of_registers_is_left_a_general_one_fills_it(core: str) -> None:
    found = latency(core, "vfnmadd.vv v, v, v, v0.t @m8", "mask", "1").cycles
    assert found is not None
    assert found.exact
    assert found.high == pytest.approx({"spacemit_x60": 8, "sifive_p670": 6}[core])


@pytest.mark.parametrize(
    ("key", "source", "target", "helper", "cycles"),
    [
        # Its own steps take as long side by side, and so does what stores: 19 cycles, then 16 of the load's.
        ("vle64.v v, (x), v0.t @m8", "mem", "1", "mul", 19 + 16 - 1),
        # A load of three registers keeps the port through which the chain would leave for longer than it takes.
        ("vsseg3e64.v v, (x) @m2", "1", "mem", "vmv.x.s", 1),
        # The last step leads to as many registers as are stored, and confirms 8 cycles, then 8 of the load's.
        ("vl4re32.v v, (x)", "mem", "1", "vs4r.v", 8 + 8 - 1),
    ],
)
def test_chains_through_memory_are_made_longer(key: str, source: str, target: str, helper: str, cycles: int) -> None:
    found = latency("spacemit_x60", key, source, target)
    assert found.cycles is not None
    assert found.cycles.exact
    assert found.cycles.high == pytest.approx(cycles)
    assert any(helper in name for name, _ in found.helpers)
