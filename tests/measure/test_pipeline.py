"""What a simulated core's pipeline is like is found from the time of kernels."""

from __future__ import annotations

import pytest

from corecast import load_machine
from corecast.errors import InputError
from corecast.measure import Noise, SimulatedCore
from corecast.measure.judge.pipeline import PipelineMeter, property_record
from corecast.measure.judge.pipeline.edges import find_edge
from corecast.measure.judge.pipeline.footprint import footprint


def meter(cpu: str) -> PipelineMeter:
    return PipelineMeter(SimulatedCore(load_machine(cpu)))


EXACT = {
    # As the models say; of registers those beside the architectural ones, which a simulated core has as well.
    "skylake_x": {
        "rename_width": 4, "load_latency": 4, "reorder_buffer": 224, "integer_registers": 180 - 16,
        "vector_registers": 168 - 48, "load_queue": 72, "store_queue": 56,
    },
    "zen4": {
        # Of 320 entries: fillers whose groups are cut, as no two operations go to one scheduler, tell it less sharply.
        # On silicon 320 and 324 are found.
        "load_latency": 4, "reorder_buffer": 325, "integer_registers": 224 - 16, "vector_registers": 192 - 32,
        "load_queue": 136, "store_queue": 64,
    },
    "neoverse_n1": {
        "rename_width": 4, "load_latency": 4, "store_forward_latency": 5.5, "reorder_buffer": 128,
        "integer_registers": 120 - 32, "vector_registers": 128 - 32, "load_queue": 68, "store_queue": 72,
    },
    "sifive_p670": {"rename_width": 4, "load_latency": 4, "store_forward_latency": 5, "reorder_buffer": 192},
}  # fmt: skip


@pytest.mark.parametrize("cpu", EXACT)
def test_what_the_model_says_is_found_exactly(cpu: str) -> None:
    core = meter(cpu)
    for name, value in EXACT[cpu].items():
        found = core.find(name)
        assert found.value == pytest.approx(value, abs=0.02), (name, found)
        assert found.confidence == "high", name


@pytest.mark.parametrize(("cpu", "entries", "within"), [("skylake_x", 58, 2), ("neoverse_n1", 120, 1)])
def test_a_scheduler_for_all_is_found_within_an_entry(cpu: str, entries: int, within: int) -> None:
    """Entries are given back at dispatch, so that the load before the last one makes room already. Where loads wait
    elsewhere, and a group of four is renamed whole, it is two."""
    found = meter(cpu).find("integer_scheduler")
    assert found.value == pytest.approx(entries, abs=within)
    assert found.confidence == "low"


def test_a_buffer_that_never_fills_first_has_a_lower_bound() -> None:
    found = meter("sifive_p670").find("store_queue")
    assert found.confidence == "lower bound"
    assert "reorder_buffer was full first" in found.how


def test_pairs_that_fuse_are_told_from_those_that_do_not() -> None:
    core = meter("skylake_x")
    fused = {name: core.find(name).value for name in core.names() if name.startswith("fusion")}
    apart = {name.removeprefix("fusion of ") for name, slots in fused.items() if slots == 0}
    assert apart == {"or r64, r64 with je", "xor r64, i8 with je", "cmp m64, i8 with jb"}
    assert {slots for name, slots in fused.items() if slots != 0} == {1}


def test_noise_leaves_the_reorder_buffer_nearly_where_it_is() -> None:
    noise = Noise(readings=0.001, drift=0.0005, interrupts=0.01)
    found = PipelineMeter(SimulatedCore(load_machine("skylake_x"), noise)).find("reorder_buffer")
    assert found.value == pytest.approx(224, abs=3)


@pytest.mark.parametrize(("knee", "step"), [(100, 4.0), (61, 120.0), (333, 5.0)])
def test_the_knee_of_a_curve(knee: int, step: float) -> None:
    """`step` cycles more with every filler until the chain's 120 are reached."""

    def cycles(count: int, _pad: int) -> float:
        return 100 + count / 4 + max(0.0, 120 - step * max(0, knee - count)) + 0.2 * (count % 3)

    edge = find_edge(cycles, 4, 30, 1)
    assert edge is not None
    assert edge.fillers == knee
    assert edge.shared == (step < 10)


def test_a_bump_above_the_knee_is_none() -> None:
    """As a Zen 4 showed one: groups of registers give steps, and another neighbour some cycles more."""

    def cycles(count: int, _pad: int) -> float:
        groups = 4 * ((100 - count + 3) // 4)
        return 300 + count / 4 - max(0, min(120, 4 * groups)) + (3.5 if 109 <= count <= 116 else 0)

    edge = find_edge(cycles, 4, 30, 1)
    assert edge is not None
    assert edge.fillers == 100


def test_no_knee_is_none() -> None:
    assert find_edge(lambda count, _: 100 + count / 4, 4, 30, 1) is None


def test_a_property_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="reorder_buffer"):
        meter("skylake_x").find("rob")


def test_a_record_holds_the_curve_and_the_code() -> None:
    core = meter("neoverse_n1")
    record = property_record(core.find("load_latency"), core.core)
    assert (record["kind"], record["property"], record["value"]) == ("pipeline", "load_latency", 4.0)
    assert record["kernel"] == ["ldr x0, [x0]"]
    assert record["curve"] == [[64, 256.0], [128, 512.0]]


@pytest.mark.parametrize(("capacity", "inside", "outside"), [(1536, 6, 4), (6144, 6, 3.5), (4000, 8, 4)])
def test_the_size_of_a_cache_of_decoded_instructions(capacity: int, inside: float, outside: float) -> None:
    """Replaced in turn, its lines are gone when the loop comes back to them."""

    def cycles(count: int) -> float:
        return 1 + count / (inside if count <= capacity else outside)

    found = footprint(cycles, 3)
    assert found.bounded
    assert found.held == pytest.approx(capacity, abs=16)
    assert found.outside == pytest.approx(outside, rel=0.01)
    assert found.inside == pytest.approx(inside, rel=0.02)


def test_a_loop_that_is_never_slower_gives_a_lower_bound() -> None:
    core = meter("sifive_p670")  # its model has no such cache
    assert (core.find("uop_cache").confidence, core.find("decode_width").confidence) == ("lower bound", "lower bound")
    assert core.find("decode_width").value == pytest.approx(4, rel=0.02)
    assert core.find("uop_cache").value == 7680
