"""The Arm models: what their sources say must come out of the loaded machines."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.machine import Machine, load_machine
from corecast.prediction import predict

NAMES = (
    "apple_m1",
    "apple_m1_e",
    "cortex_a72",
    "cortex_a76",
    "neoverse_n1",
    "neoverse_n2",
    "neoverse_v1",
    "neoverse_v2",
    "neoverse_v3",
    "thunderx2",
    "tsv110",
)
SCALABLE = ("neoverse_n2", "neoverse_v1", "neoverse_v2", "neoverse_v3")


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
    assert status(machine, text) in {
        "cortex_a76": ("derived",),
        "apple_m1": ("known", "derived"),
        "apple_m1_e": ("known", "derived"),
    }.get(machine.name, ("known",))


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
        ("cortex_a72", "mla v.4s, v.4s, v.4s", ("1->1", 2), ("2->1", 4)),
        ("neoverse_n2", "fmla v.2d, v.2d, v.2d", ("1->1", 2), ("2->1", 4)),
        ("neoverse_n2", "mla v.4s, v.4s, v.4s", ("1->1", 1), ("2->1", 4)),
        ("neoverse_v1", "fmla v.2d, v.2d, v.2d", ("1->1", 2), ("2->1", 4)),
        ("neoverse_v1", "fmla z.d, p/m, z.d, z.d", ("1->1", 2), ("3->1", 4)),
        ("neoverse_v3", "fmla v.2d, v.2d, v.2d", ("1->1", 2), ("2->1", 4)),
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
        ("cortex_a72", "ldr x, [x, #i]", 4),
        ("neoverse_v1", "ldr x, [x, #i]", 4),
        ("neoverse_v3", "ldr q, [x, #i]", 6),
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
    for name in NAMES:
        assert (load_machine(name).row(sve) is not None) == (name in SCALABLE)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("tx2", "thunderx2"),
        ("Cortex-A72", "cortex_a72"),
        ("graviton3", "neoverse_v1"),
        ("graviton4", "neoverse_v2"),
        ("cortex-a78", "cortex_a76"),
        ("neoverse-n2", "neoverse_n2"),
        ("thunderx2t99", "thunderx2"),
        ("v2", "neoverse_v2"),
        ("neoverse-n1", "neoverse_n1"),
    ],
)
def test_aliases(alias: str, name: str) -> None:
    assert load_machine(alias).name == name


def test_results_of_128_bits_take_two_rename_slots_on_cortex_a72() -> None:
    """Measured: 1.5 additions a cycle of 128 bits, two of 64 bits, on three slots and two pipes."""
    slots = {
        form: load_machine("cortex_a72").row(form)
        for form in ("add v.4s, v.4s, v.4s", "add v.2s, v.2s, v.2s", "xtn2 v.4s, v.2d", "ldr q, [x]", "str q, [x]")
    }
    assert {form: row and row.uops.split("/")[0] for form, row in slots.items()} == {
        "add v.4s, v.4s, v.4s": "2",
        "add v.2s, v.2s, v.2s": "1",
        "xtn2 v.4s, v.2d": "1",
        "ldr q, [x]": "2",
        "str q, [x]": "2",
    }
    row = load_machine("cortex_a72").row("add v.4s, v.4s, v.4s")
    assert row is not None
    assert float(row.rthroughput) == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.parametrize(("form", "pipe"), [("shl v.4s, v.4s, #i", "F1"), ("fcvtzs v.2d, v.2d", "F0")])
def test_vector_pipes_of_cortex_a72_are_those_that_were_inferred(form: str, pipe: str) -> None:
    assert ports("cortex_a72", form).endswith(f"*{pipe}")


def test_flag_setters_of_neoverse_v1_are_three_a_cycle() -> None:
    for form in ("adds x, x, x", "subs w, w, #i", "cmp x, x", "tst x, x"):
        row = load_machine("neoverse_v1").row(form)
        assert row is not None
        assert row.blocking == "FLG:0.333"


def test_vectors_of_neoverse_v1_take_a_pair_of_pipes() -> None:
    assert ports("neoverse_v1", "fadd z.d, z.d, z.d") == "1*V01"
    assert ports("neoverse_v1", "fadd v.2d, v.2d, v.2d") == "1*V"


def test_cortex_a76_says_that_its_figures_are_those_of_its_sibling() -> None:
    sibling = load_machine("neoverse_n1")
    for form in ("add x, x, x", "fmla v.2d, v.2d, v.2d", "ldr q, [x, #i]!"):
        row, other = load_machine("cortex_a76").row(form), sibling.row(form)
        assert row is not None
        assert other is not None
        assert (row.ports, row.latency, row.confidence) == (other.ports, other.latency, "assumed")
        assert row.source == f"family:neoverse_n1:{other.source}"


@pytest.mark.parametrize(
    ("form", "pairs", "usage"),
    [
        ("fadd d, d, d", {"2->1": 3, "3->1": 3}, "1*V"),
        ("add x, x, x", {"2->1": 1, "3->1": 1}, "1*I"),
        ("add x, x, x, lsl #i", {"2->1": 2, "3->1": 2}, "2*I"),
        ("madd x, x, x, x", {"2->1": 3, "3->1": 3, "4->1": 1}, "1*I5"),
        ("fcvtzs x, d", {"2->1": 7}, "1*V23"),
        ("ldr x, [x, #i]", {"addr->1": 4}, "1*L"),
        ("ldr q, [x, #i]", {"addr->1": 5}, "1*L"),
        ("mov x, x", {"2->1": 0}, ""),
    ],
)
def test_apple_m1(form: str, pairs: dict[str, float], usage: str) -> None:
    assert latencies("apple_m1", form) == pairs
    assert ports("apple_m1", form) == usage


@pytest.mark.parametrize(
    ("form", "pairs", "usage"),
    [
        ("fadd d, d, d", {"2->1": 3, "3->1": 3}, "1*V"),
        ("add x, x, x", {"2->1": 1, "3->1": 1}, "1*I"),
        ("add x, x, x, lsl #i", {"2->1": 2, "3->1": 2}, "2*I"),
        ("madd x, x, x, x", {"2->1": 3, "3->1": 3, "4->1": 1}, "1*I2"),
        ("ldr x, [x, #i]", {"addr->1": 4}, "1*L"),
        ("ldr q, [x, #i]", {"addr->1": 4}, "1*L"),
        ("mov x, x", {"2->1": 0}, ""),
    ],
)
def test_apple_m1_e(form: str, pairs: dict[str, float], usage: str) -> None:
    assert latencies("apple_m1_e", form) == pairs
    assert ports("apple_m1_e", form) == usage


@pytest.mark.parametrize(("name", "cycles"), [("apple_m1", 0.25), ("apple_m1_e", 0.5)])
def test_apple_makes_vectors_of_zeros_at_rename(name: str, cycles: float) -> None:
    """Accumulations that begin anew are as fast as the vector pipes, whatever the shape of the zero."""
    machine = load_machine(name)
    for text in ("movi v0.16b, #0", "movi v0.4s, #0", "movi d0, #0"):
        (zero,) = _core.assemble("aarch64", text + "\n").instructions
        entry = machine.core.lookup(zero)[1]
        assert entry is not None
        assert not entry["ports"]
    for text in ("movi v0.16b, #3", "movi v0.4s, #0, lsl #8"):
        (other,) = _core.assemble("aarch64", text + "\n").instructions
        entry = machine.core.lookup(other)[1]
        assert entry is not None
        assert [count for count, _ in entry["ports"]] == [1.0]
    code = b"".join(
        bytes(i.bytes) for i in _core.assemble("aarch64", "movi v0.16b, #0\nfmla v0.2d, v1.2d, v2.2d\n").instructions
    )
    assert predict([code], name, mode="unroll", method="bounds")[0].cycles == pytest.approx(cycles)


def test_results_without_sources_keep_their_latency() -> None:
    """An address counts at the head of a chain, whatever was measured of its throughput."""
    for name in NAMES:
        assert latencies(name, "adr x, rel").get("*->1", 0) >= 1, name


@pytest.mark.parametrize("name", ["cortex_a72", "neoverse_n1", "neoverse_v1", "neoverse_v2"])
def test_two_registers_are_extracted_from_on_the_multi_cycle_pipe_one_is_rotated_on_any(name: str) -> None:
    """extr of one register twice is ror, and prints as such; benchmarks of either must not be taken for the other."""
    machine = load_machine(name)
    both, one = machine.core.find("extr x, x, x, #i"), machine.core.find("ror x, x, #i")
    assert both is not None
    assert one is not None
    assert sorted(float(count) for count, _ in both["ports"]) == [1.0, 1.0]
    assert max(cycles for _, _, cycles in both["latency"]) == 3
    assert [cycles for _, _, cycles in one["latency"]] == [1.0]
    assert sum(count for count, _ in one["ports"]) == 1


@pytest.mark.parametrize(
    "name", ["a64fx", "apple_m1", "cortex_a72", "neoverse_n1", "neoverse_v1", "neoverse_v2", "tsv110"]
)
def test_instructions_of_later_architectures_have_no_row(name: str) -> None:
    """LLVM's models cover by wide patterns what the cores do not have: compare and branch, integer minima, 128 bits."""
    keys = set(load_machine(name).keys())
    later = {"cbeq x, x, rel", "smin x, x, x", "abs x, x", "fcvtzs d, s", "stlr x, [x, #i]!", "abs z.d, p/z, z.d"}
    assert keys & later == set()
    assert not any(key.startswith("mrrs ") for key in keys)
    assert {"aese v.16b, v.16b", "fmla v.2d, v.2d, v.2d"} <= keys
