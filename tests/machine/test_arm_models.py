"""The Arm models: what their sources say must come out of the loaded machines."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.machine import Machine, load_machine

NAMES = ("neoverse_n1", "neoverse_v2", "thunderx2", "tsv110")


@pytest.fixture(scope="module", params=NAMES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return load_machine(str(request.param))


def latencies(name: str, form: str) -> dict[str, float]:
    """The latency column of a row as a mapping from "source->destination" to cycles."""
    row = load_machine(name).row(form)
    assert row is not None, f"{name} does not know {form}"
    pairs = (pair.rpartition(":") for pair in row.latency.split(";") if pair)
    return {pair: float(cycles) for pair, _, cycles in pairs}


def ports(name: str, form: str) -> str:
    row = load_machine(name).row(form)
    assert row is not None, f"{name} does not know {form}"
    return row.ports


def status(machine: Machine, text: str) -> str:
    (instruction,) = _core.assemble("aarch64", text + "\n").instructions
    assert not instruction.unknown
    return machine.core.lookup(instruction)[0]


def test_model_is_sound(machine: Machine) -> None:
    assert machine.core.check() == []


def test_every_row_states_its_source(machine: Machine) -> None:
    for form in list(machine.keys()):
        row = machine.row(form)
        assert row is not None
        assert row.source
        assert row.confidence in ("measured", "documented", "derived", "assumed")


@pytest.mark.parametrize(
    "text",
    [
        "adrp x0, .",
        "ldr x0, [x1], #8",
        "ldr q0, [x1, #16]!",
        "ldp q0, q1, [x2, #-32]!",
        "str d0, [x1, x2, lsl #3]",
        "add x0, x1, w2, sxtw #3",
        "lsr x0, x1, #3",
        "fmla v0.4s, v1.4s, v2.s[1]",
        "ld4 {v0.4s, v1.4s, v2.4s, v3.4s}, [x0], #64",
        "cbnz w3, .",
        "b.ne .",
        "movk x0, #1, lsl #32",
    ],
)
def test_common_instructions_are_known(machine: Machine, text: str) -> None:
    assert status(machine, text) == "known"


def test_nothing_claims_that_a_barrier_is_free(machine: Machine) -> None:
    assert status(machine, "dsb ish") == "unknown"


def test_write_back_is_a_micro_op_of_one_cycle_from_the_base_alone(machine: Machine) -> None:
    """ldr q0, [x1, #0x10]! carries one cycle an iteration, and costs an integer micro-op beside the load."""
    for form in ("ldr q, [x, #i]!", "ldr d, [x], #i", "str q, [x], #i"):
        found = latencies(machine.name, form)
        assert found["addr->addr"] == 1
        assert {pair for pair in found if pair.endswith("->addr")} == {"addr->addr"}
        plain = machine.row(form.replace("]!", "]").replace("[x], #i", "[x, #i]"))
        assert plain is not None
        assert len(ports(machine.name, form).split("+")) == len(plain.ports.split("+")) + 1


@pytest.mark.parametrize(
    ("name", "form", "accumulator", "others"),
    [
        ("neoverse_n1", "fmla v.2d, v.2d, v.2d", ("1->1", 2), ("2->1", 4)),
        ("neoverse_n1", "fmadd d, d, d, d", ("4->1", 2), ("2->1", 4)),
        ("neoverse_n1", "mla v.4s, v.4s, v.4s", ("1->1", 2), ("3->1", 5)),
        ("neoverse_n1", "smlal v.4s, v.4h, v.4h", ("1->1", 1), ("2->1", 4)),
        ("neoverse_v2", "fmadd d, d, d, d", ("4->1", 2), ("3->1", 4)),
        ("neoverse_v2", "fmla v.4s, v.4s, v.s[i]", ("1->1", 2), ("2->1", 4)),
        ("neoverse_v2", "mla v.4s, v.4s, v.4s", ("1->1", 1), ("2->1", 4)),
        ("neoverse_v2", "madd x, x, x, x", ("4->1", 1), ("2->1", 2)),
        ("thunderx2", "fmla v.2d, v.2d, v.2d", ("1->1", 6), ("2->1", 6)),
        ("tsv110", "madd x, x, x, x", ("4->1", 1), ("2->1", 4)),
    ],
)
def test_accumulators(name: str, form: str, accumulator: tuple[str, float], others: tuple[str, float]) -> None:
    found = latencies(name, form)
    assert found[accumulator[0]] == accumulator[1]
    assert found[others[0]] == others[1]


@pytest.mark.parametrize(
    ("name", "form", "cycles"),
    [
        ("neoverse_n1", "ldr x, [x, #i]", 4),
        ("neoverse_n1", "ldr q, [x, #i]", 5),
        ("neoverse_v2", "ldr x, [x, x, lsl #3]", 4),
        ("neoverse_v2", "ldr d, [x, x, lsl #3]", 6),
        ("thunderx2", "ldr d, [x, #i]", 4),
        ("tsv110", "ldr x, [x, #i]", 4),
        ("tsv110", "ldr q, [x, #i]", 5),
    ],
)
def test_loads(name: str, form: str, cycles: float) -> None:
    assert latencies(name, form)["addr->1"] == cycles


def test_small_shifts_are_free_on_neoverse_only() -> None:
    assert latencies("neoverse_n1", "add x, x, x, lsl #1..4")["3->1"] == 1
    assert latencies("neoverse_n1", "add x, x, x, lsl #i")["3->1"] == 2
    assert latencies("neoverse_v2", "add x, x, x, lsl #i")["3->1"] == 2
    assert latencies("thunderx2", "add x, x, x, lsl #1..4")["3->1"] == 2
    assert latencies("tsv110", "add x, x, x, lsl #1..4")["3->1"] == 2


def test_register_moves() -> None:
    """Only TSV110 eliminates moves, one a cycle beside its three integer pipes."""
    assert ports("tsv110", "mov x, x") == "1*MOVE"
    assert latencies("tsv110", "mov x, x") == {"2->1": 0}
    for name in ("neoverse_n1", "neoverse_v2", "thunderx2"):
        assert latencies(name, "mov x, x") == {"2->1": 1}


def test_kunpeng_mla_runs_on_both_vector_units() -> None:
    assert ports("tsv110", "mla v.4s, v.4s, v.4s") == "2*F"
    assert latencies("tsv110", "mla v.4s, v.4s, v.4s")["1->1"] == 8


def test_vector_stores_use_data_pipes() -> None:
    assert ports("neoverse_v2", "str d, [x, x]") == "1*L01+1*D"
    assert ports("thunderx2", "str d, [x, x, lsl #3]") == "1*p34+1*p5"


def test_dividers_block_a_unit_and_issue_once() -> None:
    for name in NAMES:
        row = load_machine(name).row("fdiv v.2d, v.2d, v.2d")
        assert row is not None
        assert row.blocking
        assert all(use.startswith("1*") for use in row.ports.split("+"))


def test_scalable_vectors_on_armv9_only() -> None:
    sve = "fmla z.d, p/m, z.d, z.d"
    assert load_machine("neoverse_v2").row(sve) is not None
    assert all(load_machine(name).row(sve) is None for name in NAMES if name != "neoverse_v2")


@pytest.mark.parametrize(
    ("alias", "name"),
    [("tx2", "thunderx2"), ("thunderx2t99", "thunderx2"), ("v2", "neoverse_v2"), ("neoverse-n1", "neoverse_n1")],
)
def test_aliases(alias: str, name: str) -> None:
    assert load_machine(alias).name == name
