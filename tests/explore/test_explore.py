"""Kernels on variants of a core."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path

import pytest

from corecast.analysis.elements import elements_of, parse_elements, parse_trips
from corecast.analysis.work.memory import Bandwidth
from corecast.asm import Kernel, RegionOptions, read_regions
from corecast.asm.nest import inner_part
from corecast.errors import InputError
from corecast.explore import (
    Exploration,
    Formula,
    Setup,
    Subject,
    best,
    draw,
    explore,
    factorial,
    figure,
    front,
    parse_sweeps,
    to_csv,
    to_json,
    to_text,
)
from corecast.machine import load_machine

EXAMPLES = Path(__file__).parents[2] / "examples"
CHAIN = "a:\nfmla z0.d, p0/m, z1.d, z2.d\nsubs x0, x0, #1\nb.ne a\n"
"""One sum that every iteration adds to: its latency decides."""
FOUR = "a:\n" + "".join(f"fmla z{n}.d, p0/m, z8.d, z9.d\n" for n in range(4)) + "subs x0, x0, #1\nb.ne a\n"


def kernel(text: str) -> Kernel:
    return Kernel.from_text(text, isa="aarch64")


def run(text: str, *sweeps: str, jobs: int | None = None) -> Exploration:
    subject = Subject("kernel", kernel(text), elements_of(kernel(text)))
    parsed = parse_sweeps(sweeps)
    return explore(load_machine("gem5_sve"), [subject], parsed, factorial(parsed), jobs=jobs)


def cycles(found: Exploration) -> list[float]:
    return [point.cycles_per_iteration for point in found.points]


def test_a_swept_latency_is_that_of_a_chain() -> None:
    assert cycles(run(CHAIN, "latency:fmla=4,7,20")) == [4, 7, 20]


def test_units_of_vectors_share_the_work() -> None:
    """Six independent operations on one, two and four units: there the front end's four a cycle bind."""
    six = "a:\n" + "".join(f"fmla z{n}.d, p0/m, z8.d, z9.d\n" for n in range(6)) + "subs x0, x0, #1\nb.ne a\n"
    found = run(six, "latency:fmla=1", "vector_units=1x512,2x256,4x128")
    assert cycles(found) == pytest.approx([6, 3, 2], abs=0.01)
    assert [point.vector_bits for point in found.points] == [512, 256, 128]
    assert [point.elements for point in found.points] == [8, 4, 2]


def test_speed_up_and_efficiency_count_elements() -> None:
    found = run(CHAIN, "vector_length_bits=128,256,512")
    assert [found.speed_up(point) for point in found.points] == [1, 2, 4]
    assert [found.efficiency(point) for point in found.points] == [1, 1, 1]


def test_a_full_reorder_buffer_is_counted() -> None:
    load = "a:\nld1d {z1.d}, p0/z, [x1]\nfadda d0, p0, d0, z1.d\nsubs x0, x0, #1\nb.ne a\n"
    found = run(load, "vector_length_bits=2048", "reorder_buffer=16,128")
    assert all(point.buffer_events()["ROBFullEvents"] > 10 for point in found.points)
    assert all(point.stall_shares()["operand_latency"] > 0.5 for point in found.points)


def test_results_do_not_depend_on_threads() -> None:
    sweeps = ("reorder_buffer=16..80:2", "latency:fmla=1..8")
    assert run(FOUR, *sweeps, jobs=1).points == run(FOUR, *sweeps, jobs=3).points


def test_a_point_that_the_core_cannot_have_is_told_and_the_others_go_on() -> None:
    found = run(CHAIN, "vector_units=2x256,0x128,1x512")
    assert ["COUNTxBITS" in point.error for point in found.points] == [False, True, False]
    assert "COUNTxBITS" in to_text(found, "cycles_per_iteration")


def test_a_first_point_that_the_core_cannot_have_is_refused() -> None:
    with pytest.raises(InputError, match="COUNTxBITS"):
        run(CHAIN, "vector_units=many")


def test_a_thousand_points_take_seconds() -> None:
    """Under five on two processors; measured in processor time, as other work may run beside it."""
    text = "a:\n" + "".join(f"fmla z{n}.d, p0/m, z{n}.d, z31.d\n" for n in range(28)) + "subs x0, x0, #1\nb.ne a\n"
    start = time.process_time()
    found = run(text, "reorder_buffer=28..124:4", "latency:fmla=1..10", "vector_registers=60,80,100,120")
    assert len(found.points) == 1000
    assert time.process_time() - start < 10


def test_best_and_front() -> None:
    found = run(FOUR, "reorder_buffer=8,16,32,64,128", "latency:fmla=2,6")
    chosen = best(found, "kernel", "cycles_per_iteration")
    assert chosen is not None
    assert chosen.cycles_per_iteration == min(cycles(found))
    cost = Formula("reorder_buffer + 100 / 2")
    points = front(found, "kernel", "ipc", cost)
    paid = [cost.value(found.machine, point.settings) for point in points]
    reached = [figure(found, point, "ipc") or 0 for point in points]
    assert paid == sorted(paid)
    assert reached == sorted(reached)
    assert len(set(reached)) == len(reached)


def test_csv_and_json_hold_every_point() -> None:
    found = run(CHAIN, "latency:fmla=4,7")
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert [row["cycles_per_iteration"] for row in rows] == ["4", "7"]
    assert [row["latency:fmla"] for row in rows] == ["4", "7"]
    document = json.loads(to_json(found, "ipc", "1", Formula("reorder_buffer")))
    assert document["points"][1]["settings"] == {"latency:fmla": 7}
    assert document["points"][1]["cost"] == 128
    assert document["kernels"] == [{"name": "kernel", "best": 0, "advice": [], "front": [0]}]


@pytest.mark.parametrize("kind", ["lines", "heatmap", "pareto"])
def test_plots_are_well_formed_and_say_what_they_show(kind: str) -> None:
    from xml.etree import ElementTree

    found = run(FOUR, "reorder_buffer=16,32,64", "latency:fmla=2,6")
    picture = draw(found, kind, "ipc", Formula("reorder_buffer"))
    assert picture == draw(found, kind, "ipc", Formula("reorder_buffer"))
    texts = [element.text for element in ElementTree.fromstring(picture).iter() if element.text]
    assert any("ipc" in text for text in texts)
    assert any("reorder_buffer" in text for text in texts)


def test_a_plot_that_the_sweep_has_no_keys_for_is_refused() -> None:
    with pytest.raises(InputError, match="2 keys"):
        draw(run(CHAIN, "reorder_buffer=16,32"), "heatmap", "ipc")
    with pytest.raises(InputError, match="--cost"):
        draw(run(CHAIN, "reorder_buffer=16,32"), "pareto", "ipc")


@pytest.mark.parametrize("text", ["", "1+", "import os", "no_such_key", "exec('1')", "reorder_buffer.real", "[1]"])
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Formula(text).value(load_machine("gem5_sve"), {})


def test_a_formula_takes_the_cores_own_values_where_a_point_sets_none() -> None:
    machine = load_machine("gem5_sve")
    cost = Formula("2*reorder_buffer + sqrt(vector_length_bits)**2 - units*bits")
    assert cost.value(machine, {"vector_units": "2x256"}) == pytest.approx(2 * 128 + 128 - 512)
    with pytest.raises(InputError, match="vector_units"):
        cost.value(machine, {})
    with pytest.raises(InputError, match="no value"):
        Formula("1/(reorder_buffer-128)").value(machine, {})


@pytest.mark.parametrize(
    ("text", "vectors", "bits"),
    [
        (
            "a:\nld1w {z0.s}, p0/z, [x0, x1, lsl #2]\nst1w {z0.s}, p0, [x2, x1, lsl #2]\n"
            "incw x1, all, mul #2\nb.ne a\n",
            2,
            32,
        ),
        ("a:\nld1d {z0.d}, p0/z, [x0, x1, lsl #3]\nst1d {z0.d}, p0, [x2, x1, lsl #3]\nadd x1, x1, x4\nb.ne a\n", 1, 64),
    ],
)
def test_elements_of_an_iteration(text: str, vectors: float, bits: int) -> None:
    found = elements_of(kernel(text))
    assert found is not None
    assert (found.vectors, found.bits) == (vectors, bits)
    assert found.count(512) == vectors * 512 / bits


def test_elements_follow_a_register_group() -> None:
    text = "vsetvli t0, a0, e32, m4, ta, ma\na:\nvle32.v v8, (a1)\nvse32.v v8, (a2)\nbnez a0, a\n"
    found = elements_of(Kernel.from_text(text, isa="riscv64"))
    assert found is not None
    assert found.count(256) == 32


def test_elements_and_trips_may_be_given() -> None:
    assert parse_elements("2x64").count(256) == 8
    assert parse_elements("=16").count(256) == 16
    assert [parse_trips("19x64").count(bits) for bits in (128, 256, 512, 2048)] == [10, 5, 3, 1]
    assert parse_trips("19").count(2048) == 19
    for wrong in ("", "0", "x64", "2x63", "-1"):
        with pytest.raises(InputError):
            parse_elements(wrong or "none")
        with pytest.raises(InputError):
            parse_trips(wrong)


def test_an_inner_loop_runs_as_often_as_its_elements_need() -> None:
    options = RegionOptions(isa="aarch64", lines=((90, 111),))
    file = EXAMPLES / "sve/stencil.clang.s"
    (outer,) = read_regions(file, options)
    inner = inner_part(outer, read_regions(file, RegionOptions(isa="aarch64", loop="all")))
    subject = Subject("stencil", outer, parse_elements("=1"), inner, parse_trips("19x64"))
    assert len(inner) == 9
    assert [len(subject.kernel_at(bits)) for bits in (128, 256, 512)] == [8 + 90, 8 + 45, 8 + 27]


def test_a_nest_needs_one_loop_inside() -> None:
    file = EXAMPLES / "sve/stencil.clang.s"
    loops = read_regions(file, RegionOptions(isa="aarch64", loop="all"))
    (flat,) = read_regions(file, RegionOptions(isa="aarch64", lines=((98, 106),)))
    with pytest.raises(InputError, match="here there are 0"):
        inner_part(flat, loops)


TRIAD = (
    "a:\nld1d {z0.d}, p0/z, [x0, x3, lsl #3]\nld1d {z1.d}, p0/z, [x1, x3, lsl #3]\nfmla z0.d, p0/m, z1.d, z2.d\n"
    "st1d {z0.d}, p0, [x2, x3, lsl #3]\nincd x3\nwhilelo p0.d, x3, x4\nb.ne a\n"
)


def test_a_bandwidth_flattens_what_streams() -> None:
    """Three vectors an iteration at 16 bytes a cycle: longer vectors gain nothing once the memory binds."""
    subject = Subject("triad", kernel(TRIAD), elements_of(kernel(TRIAD)))
    sweeps = parse_sweeps(["vector_length_bits=128,256,512"])
    found = explore(load_machine("gem5_sve"), [subject], sweeps, factorial(sweeps), Setup(bandwidth=Bandwidth(16.0)))
    assert cycles(found) == [3, 6, 12]
    assert [found.speed_up(point) for point in found.points] == [1, 1, 1]
    assert {point.bottleneck for point in found.points} == {"memory"}
    assert [point.flops for point in found.points] == [4, 8, 16]
    assert "bytes a cycle" in draw(found, "roofline", "ipc")


def test_a_cluster_gives_the_same_points() -> None:
    pytest.importorskip("distributed")
    from corecast.prediction.cluster import connect

    options = RegionOptions(isa="aarch64")
    file = EXAMPLES / "sve/stream.clang.s"
    subjects = [
        Subject(each.name, each, elements_of(each), region=(options, number))
        for number, each in enumerate(read_regions(file, options))
    ]
    sweeps = parse_sweeps(["vector_length_bits=128,512", "reorder_buffer=16..64:2"])
    machine = load_machine("gem5_sve")
    with connect("local/1") as cluster:
        spread = explore(machine, subjects, sweeps, factorial(sweeps), cluster=cluster)
    assert spread.points == explore(machine, subjects, sweeps, factorial(sweeps)).points
