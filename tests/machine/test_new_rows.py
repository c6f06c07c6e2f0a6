"""Atomics of Arm's cores and tiles of Intel's: where rows come from, and what stays unknown."""

from __future__ import annotations

import pytest

from corecast import Kernel, analyze
from corecast.machine import load_machine
from corecast.machine.lookup import Lookup, look_up

LOADING = ("ldadd", "ldclr", "ldset", "ldeor", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp")
ORDERS = ("", "a", "l", "al")


def found(name: str, text: str) -> Lookup:
    machine = load_machine(name)
    return look_up(machine, Kernel.from_text(text, isa=machine.isa).instructions[0])


@pytest.mark.parametrize(
    ("name", "source", "confidences"),
    [
        ("neoverse_n1", "insn_bench:graviton2", {"measured", "derived"}),
        ("neoverse_v1", "insn_bench:graviton3", {"measured", "derived"}),
        ("neoverse_n2", "family:neoverse_v1:insn_bench:graviton3", {"assumed"}),
        ("neoverse_v2", "family:neoverse_v1:insn_bench:graviton3", {"assumed"}),
        ("neoverse_v3", "family:neoverse_v1:insn_bench:graviton3", {"assumed"}),
        ("cortex_a76", "family:neoverse_n1:insn_bench:graviton2", {"assumed"}),
    ],
)
def test_atomics_that_return_a_value_have_rows_with_a_source(name: str, source: str, confidences: set[str]) -> None:
    for order in ORDERS:
        texts = [f"{each}{order}{size} w0, w1, [x2]" for each in LOADING for size in ("", "b", "h")]
        texts += [f"{each}{order} x0, x1, [x2]" for each in (*LOADING, "cas")]
        texts += [f"cas{order}{size} w0, w1, [x2]" for size in ("", "b", "h")]
        texts += [f"casp{order} x0, x1, x2, x3, [x4]"]
        for text in texts:
            entry = found(name, text).entry
            assert entry is not None, text
            assert entry["source"].startswith(source)
            assert entry["confidence"] in confidences
            returned = "1" if text.startswith("cas") else "2"
            assert 13 <= {to: cycles for _, to, cycles in entry["latency"]}[returned] <= 15


def test_atomics_without_result_are_not_taken_for_those_with_one() -> None:
    """Later cores of Arm execute them outside of the core's own cache; measured ones have rows of their own."""
    for name in ("neoverse_v1", "neoverse_n2", "neoverse_v2", "neoverse_v3", "tsv110"):
        assert found(name, "stadd x0, [x1]").status == "unknown"
    for name in ("neoverse_n1", "thunderx2", "a64fx", "apple_m1"):
        entry = found(name, "stadd x0, [x1]").entry
        assert entry is not None
        assert entry["form"] == "stadd x, [x]"


def test_m1s_atomics_have_the_latency_of_the_ordering_that_was_measured() -> None:
    assert {to: cycles for _, to, cycles in (found("apple_m1", "ldaddal x0, x1, [x2]").entry or {})["latency"]} == {
        "2": 22.0,
        "mem": 22.0,
    }
    assert found("apple_m1", "ldadd x0, x1, [x2]").status == "unknown"


@pytest.mark.parametrize(
    ("name", "products"),
    [
        ("sapphire_rapids", ("tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud", "tdpbf16ps")),
        ("emerald_rapids", ("tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud", "tdpbf16ps")),
        ("granite_rapids", ("tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud", "tdpbf16ps", "tdpfp16ps")),
    ],
)
def test_products_of_tiles_take_what_intels_manual_says(name: str, products: tuple[str, ...]) -> None:
    for product in products:
        entry = found(name, f"{product} %tmm2, %tmm1, %tmm0").entry
        assert entry is not None
        assert entry["rthroughput"] == 16
        assert {cycles for _, _, cycles in entry["latency"]} == {52}
        assert (entry["source"], entry["confidence"]) == ("intel_optimization_manual:table_20-2", "documented")
    for text, cycles in (("tileloadd (%rax,%rbx), %tmm0", 8), ("tilestored %tmm0, (%rax,%rbx)", 16)):
        entry = found(name, text).entry
        assert entry is not None
        assert (entry["rthroughput"], entry["latency"], entry["confidence"]) == (cycles, None, "derived")
    assert found(name, "tilezero %tmm0").status == "unknown"


def test_a_loop_of_tile_products_is_bound_by_them() -> None:
    chain = ".L1:\n\ttdpbssd %tmm2, %tmm1, %tmm0\n\tdecq %rcx\n\tjne .L1\n"
    assert analyze(chain, "sapphire_rapids").regions[0].prediction.cycles_per_iteration == pytest.approx(52, abs=0.1)
    sums = "".join(f"\ttdpbssd %tmm7, %tmm6, %tmm{number}\n" for number in range(4))
    spread = f".L1:\n{sums}\tdecq %rcx\n\tjne .L1\n"
    assert analyze(spread, "sapphire_rapids").regions[0].prediction.cycles_per_iteration == pytest.approx(64, abs=0.5)


@pytest.mark.parametrize(
    ("name", "text", "operation"),
    [
        ("tsv110", "swpal x0, x1, [x2]", "swp"),
        ("tsv110", "ldaddal x0, x1, [x2]", "ldadd"),
        ("apple_m1", "ldadd x0, x1, [x2]", "ldadd"),
        ("apple_m1", "ldclrb w0, w1, [x2]", "ldclr"),
        ("zen3", "tzmsk %eax, %ebx", "tzmsk"),
    ],
)
def test_nearest_forms_are_of_the_same_operation(name: str, text: str, operation: str) -> None:
    machine = load_machine(name)
    instruction = Kernel.from_text(text, isa=machine.isa).instructions[0]
    assert all(form.startswith(operation) for form in machine.nearest_forms(instruction.form))


def test_nearest_forms_differ_in_types_and_widths() -> None:
    machine = load_machine("skylake_x")
    near = machine.nearest_forms("vaddph zmm, zmm, zmm")
    assert near
    assert {form.split()[0] for form in near} <= {"vaddpd", "vaddps", "addpd", "addps"}
    assert machine.similar_forms("vadpd ymm, ymm, ymm")[0].startswith("vaddpd")
