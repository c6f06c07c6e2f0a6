"""The thesis' gem5 core: its figures, and vectors of any length."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from corecast.machine import Machine, load_machine, variant
from corecast.machine.rows import read_rows

ROOT = Path(__file__).parents[2]


def entry(form: str, bits: int = 128, cpu: str = "gem5_sve") -> dict[str, object]:
    machine: Machine = variant(load_machine(cpu), {"vector_length_bits": bits})
    found = machine.core.find(form)
    assert found is not None, form
    return found


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ("fmla z.d, p/m, z.d, z.d", 4),
        ("fadd z.d, z.d, z.d", 2),
        ("fmul z.s, z.s, z.s", 4),
        ("fmul d, d, d", 3),
        ("mul x, x, x", 2),
        ("add x, x, x", 1),
        ("fdiv z.d, p/m, z.d, z.d", 11),
        ("fsqrt d, d", 12),
        ("uaddv d, p, z.b", 10),
    ],
)
def test_latencies_are_those_of_listing_b1(form: str, cycles: float) -> None:
    assert [rule[2] for rule in entry(form)["latency"]] == [cycles]  # type: ignore[attr-defined]


@pytest.mark.parametrize("bits", [128, 256, 512, 2048])
def test_a_gather_is_an_access_a_lane(bits: int) -> None:
    found = entry("ld1d z.d, p/z, [x, z.d, lsl #3]", bits)
    assert found["ports"][0] == (bits / 64, ("LS0", "LS1"))  # type: ignore[index]
    assert found["uops"] == (bits / 64 + 1,) * 3


@pytest.mark.parametrize(("bits", "cycles"), [(128, 2), (256, 4), (512, 8)])
def test_ordered_sums_take_a_unit_as_long_as_the_thesis_bounds_say(bits: int, cycles: float) -> None:
    found = entry("fadda d, p, d, z.d", bits)
    assert found["latency"] == (("*", "1", cycles),)
    assert found["blocking"] == ((cycles, ("FP0", "FP1")),)


def test_the_table_is_what_its_generator_writes(tmp_path: Path) -> None:
    made = tmp_path / "thesis.tsv"
    subprocess.run([sys.executable, "tools/make_gem5_model.py", "-o", str(made)], cwd=ROOT, check=True)
    assert made.read_bytes() == (ROOT / "src/corecast/machine/data/gem5_sve/forms/thesis.tsv").read_bytes()


def test_a64fx_grows_to_what_its_manual_says_of_512_bits() -> None:
    """The rows that count lanes agree with the manual's table, which holds for 512 bits."""
    folder = ROOT / "src/corecast/machine/data/a64fx/forms"
    manual = {row.form: row.to_line().split("\t") for row in read_rows(folder / "manual.tsv")}
    machine = load_machine("a64fx")
    own = [line.split("\t")[0] for line in (folder / "lengths.tsv").read_text().splitlines()[4:]]
    assert len(own) > 15
    for form in own:
        _, ports, _, latency, uops, *_ = manual[form]
        found = machine.core.find(form)
        assert found is not None
        total = sum(float(part.split("*")[0]) for part in ports.split("+"))
        assert sum(count for count, _ in found["ports"]) == total, form  # type: ignore[attr-defined]
        assert found["latency"] == (("*", "1", float(latency.split(":")[1])),), form
        counts = [float(count) for count in uops.split("/")]
        assert list(found["uops"]) == (counts if len(counts) == 3 else counts * 3), form  # type: ignore[call-overload]


@pytest.mark.parametrize(("bits", "cycles", "uops"), [(128, 18, 3), (256, 36, 7), (512, 72, 15)])
def test_a64fx_adds_lane_by_lane(bits: int, cycles: float, uops: float) -> None:
    """The manual: 2 x lanes - 1 micro-ops, an addition of 9 cycles a lane."""
    found = entry("fadda d, p, d, z.d", bits, "a64fx")
    assert found["latency"] == (("*", "1", cycles),)
    assert found["uops"][1] == uops  # type: ignore[index]


@pytest.mark.parametrize(("bits", "cycles"), [(128, 43), (256, 80), (512, 154)])
def test_a64fx_divides_in_the_manuals_cycles(bits: int, cycles: float) -> None:
    assert entry("fdiv z.d, p/m, z.d, z.d", bits, "a64fx")["latency"] == (("*", "1", cycles),)


def test_a_gather_of_a64fx_is_an_access_for_two_lanes() -> None:
    slots = [
        sum(count for count, _ in entry("ld1d z.d, p/z, [x, z.d, lsl #3]", bits, "a64fx")["ports"][2:])  # type: ignore[index]
        for bits in (256, 512, 1024)
    ]
    assert slots == [4, 8, 16]  # address and cache accesses of 2, 4, 8 pairs


def test_a_row_that_was_scaled_says_so() -> None:
    found = entry("vfredosum.vs v, v, v @m1,e64", 512, "spacemit_x60")
    assert found["confidence"] == "derived"
    assert "from 256-bit vectors" in str(found["source"])
