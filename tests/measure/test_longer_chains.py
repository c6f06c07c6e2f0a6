"""Latencies that throughput hides, or the form's own chain, are found by other chains."""

from __future__ import annotations

from functools import cache

import pytest

from corecast import load_machine
from corecast.measure import FormMeter, Latency, SimulatedCore, parse_form
from corecast.measure.judge.forms.longer_chains import is_shorter
from corecast.measure.record.interval import Interval


@cache
def meter(core: str) -> FormMeter:
    return FormMeter(SimulatedCore(load_machine(core)))


def latencies(core: str, key: str) -> dict[tuple[str, str], Latency]:
    isa = load_machine(core).isa
    return {
        (each.source, each.target): each for each in meter(core).measure(parse_form(key, isa), rare=False).latencies
    }


@pytest.mark.parametrize(
    ("core", "key", "pair", "cycles"),
    [
        ("skylake_x", "vpinsrw xmm, xmm, r32, i8", ("2", "1"), 1),  # two micro-ops for one port
        ("skylake_x", "xchg m64, r64", ("2", "2"), 12),  # one starts every 18 cycles
        ("sifive_p670", "vaesef.vv v, v @m8", ("1", "1"), 2),  # eight registers keep the one port for 8 cycles
        ("a64fx", "swpl x, x, [x]", ("mem", "2"), 10),  # it stores on the port that the helper's store needs
        ("neoverse_n1", "casl w, w, [x]", ("1", "1"), 14),  # one starts every 14.25 cycles
    ],
)
def test_a_chain_as_long_as_instances_take_is_made_longer(
    core: str, key: str, pair: tuple[str, str], cycles: int
) -> None:
    found = latencies(core, key)[pair]
    assert found.method == "linked"
    assert found.cycles is not None
    assert found.cycles.exact
    assert found.cycles.high == pytest.approx(cycles, abs=0.06)


@pytest.mark.parametrize("source", ["2", "3"])
def test_three_groups_of_eight_registers_leave_the_one_of_v0_for_helpers(source: str) -> None:
    """The sum's own chain hides the factors': helpers lead around it, and the sum is given anew from a fourth group."""
    found = latencies("sifive_p670", "vfmsac.vv v, v, v @m8")[source, "1"].cycles
    assert found is not None
    assert found.exact
    assert found.high == pytest.approx(6)


def test_a_cross_chain_that_the_own_one_hides_is_led_through_helpers() -> None:
    found = latencies("skylake_x", "vpsrlq zmm{k}, zmm, xmm")
    own, other = found["1", "1"].cycles, found["2", "1"].cycles
    assert own is not None
    assert other is not None
    assert (own.high, other.exact) == (pytest.approx(4), True)
    assert other.high == pytest.approx(1)
    assert found["2", "1"].method == "linked"


def test_a_chain_as_long_as_it_looks_is_confirmed() -> None:
    found = latencies("skylake_x", "vdivpd ymm, ymm, ymm")["2", "1"]
    assert found.method == "direct"


@pytest.mark.parametrize(
    ("key", "pair", "cycles"),
    [("vptestmw k, xmm, xmm", ("2", "1"), 3), ("vpmovm2b ymm, k", ("2", "1"), 1)],
)
def test_fences_tell_masks_from_vectors(key: str, pair: tuple[str, str], cycles: int) -> None:
    found = latencies("zen4", key)[pair].cycles
    assert found is not None
    assert found.exact
    assert found.high == pytest.approx(cycles)


@pytest.mark.parametrize("key", ["lock xor m8, r8h", "cmpxchg m8, r8h", "adc r8h, r8h"])
def test_helpers_have_the_registers_that_high_bytes_exclude(key: str) -> None:
    assert all(each.cycles is not None for each in latencies("skylake_x", key).values())


@pytest.mark.parametrize(
    ("core", "key", "pair"),
    [("golden_cove", "div r64", ("rax", "flags")), ("zen4", "rdpmc", ("rcx", "rax"))],
)
def test_other_micro_ops_of_the_form_do_not_hold_up_its_helpers(core: str, key: str, pair: tuple[str, str]) -> None:
    """They are as ready as the one whose result is wanted: its first helper would wait for their ports."""
    found = latencies(core, key)[pair].cycles
    assert found is not None
    assert found.high == pytest.approx(1, abs=0.02)


def test_what_no_longer_chain_reaches_is_a_range() -> None:
    found = latencies("golden_cove", "idiv m8")["rax", "flags"].cycles
    assert found is not None
    assert found.low == 0
    assert found.high == pytest.approx(1)


@pytest.mark.parametrize("key", ["xsaveopt64 m", "lfs r32, m"])
def test_memory_of_unknown_extent_has_no_latencies(key: str) -> None:
    assert not any("mem" in pair for pair in latencies("golden_cove", key))


def test_locked_instructions_through_memory_do_not_hide_behind_their_throughput() -> None:
    found = latencies("skylake_x", "xchg m64, r64")["mem", "mem"].cycles
    assert found is not None
    assert found.high == pytest.approx(17.43, abs=0.2)  # forwarding and the row's 13 cycles behind the load


@pytest.mark.parametrize(
    ("longer", "usual", "counts"),
    [
        (2.0, 3.0, True),
        (1.0, 1.14, True),
        (1.5, 2.0, True),
        (14.0, 14.25, True),  # every 14.25 cycles one starts
        (13.8, 14.05, False),
        (0.71, 1.0, False),
        (1.85, 2.0, False),
        (4.18, 4.43, False),
    ],
)
def test_less_by_what_helpers_are_uncertain_is_no_latency(longer: float, usual: float, counts: bool) -> None:
    """Those that do not count were seen on a Zen 4: `vinserti32x8 zmm`, `phaddd mm`, `haddpd xmm`."""
    assert is_shorter(Interval(longer, longer), Interval(usual, usual)) is counts
