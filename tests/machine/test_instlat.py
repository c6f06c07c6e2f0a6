"""InstLatx64's figures: names to forms, what is guarded against, and that models agree with them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corecast.machine import load_machine
from corecast.machine.rows import Latency, Row

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")
LEAST = {"throughput": 0.88, "latency": 0.90}
MODELS = (
    "sapphire_rapids", "emerald_rapids", "alder_lake_p", "alder_lake_e", "arrow_lake_p", "arrow_lake_e",
    "meteor_lake_p", "meteor_lake_e", "rocket_lake", "tiger_lake", "ice_lake", "cascade_lake", "zen2", "zen3", "zen4",
    "zen5",
)  # fmt: skip


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(TOOLS)
    from instlat import agreement, fitting, guards, names, read  # type: ignore[import-not-found]
    from intel_models import instlat_rows, port_sets  # type: ignore[import-not-found]

    return SimpleNamespace(
        agreement=agreement, fitting=fitting, guards=guards, names=names, read=read, intel=instlat_rows, sets=port_sets
    )


@pytest.mark.parametrize("model", MODELS)
def test_models_agree_with_what_was_measured(modules: SimpleNamespace, model: str) -> None:
    """Inherited rows count; within a tenth."""
    figures = modules.read.measured(modules.agreement.CORES_OF[model])
    found = modules.agreement.agreement(load_machine(model), figures)
    assert min(found.compared.values()) > 1000
    assert {kind: found.share(kind) >= least for kind, least in LEAST.items()} == dict.fromkeys(LEAST, True)


def test_every_measured_core_is_compared(modules: SimpleNamespace) -> None:
    assert set(MODELS) == set(modules.agreement.CORES_OF)
    assert set(modules.agreement.CORES_OF.values()) <= set(modules.read.CORES)


@pytest.mark.parametrize(
    ("name", "text", "same"),
    [
        ("ADD r32, r32", "add ebx, ebx", True),
        ("ADD r1_32, r2_32", "add ebx, ecx", False),
        ("MOV r8, imm8", "mov bl, 0x12", False),
        ("VPADDD zmm{k}{z}, zmm, zmm", "vpaddd zmm1{k7}{z}, zmm1, zmm1", True),
        ("VPINSRW xmm, xmm, r32, im8", "vpinsrw xmm1, xmm1, ebx, 0x12", False),
        ("LOCK ADD [m32], r32", "lock add dword ptr [rsi], ebx", False),
        ("MULX r32, r32, r32<,edx>", "mulx ebx, ebx, ebx", True),
    ],
)
def test_names_become_instructions(modules: SimpleNamespace, name: str, text: str, same: bool) -> None:
    assert modules.names.example(name) == (text, same)


@pytest.mark.parametrize(
    "name",
    ["MOVSS+ADDSS xmm, xmm", "MOVAPD LS pair", "MOVUPS [m128 + 4], xmm", "DIV r32    16/16b", "DIVPS (x/0.5f)"],
)
def test_sums_pairs_unaligned_accesses_and_stated_operands_have_no_form(modules: SimpleNamespace, name: str) -> None:
    assert modules.names.example(name) is None


def row(form: str, ports: str, *latency: tuple[str, str, float], **changes: Any) -> Row:
    """Of one micro-op, whose ports are assumed."""
    usage = tuple((1.0, port) for port in ports.split("+") if port)
    made = Row(form, usage, (), tuple(Latency(*each) for each in latency), (1.0, 1.0, 1.0), source="rule:class")
    return made.with_(**changes)


@cache
def gracemont() -> Any:
    return load_machine("alder_lake_e")


@pytest.fixture
def fitted(modules: SimpleNamespace) -> Callable[..., Row]:
    """The row under figures of a core with an E-core's ports; another row may be what is asked for."""

    def fit(
        before: Row,
        latency: float | None,
        throughput: float | None,
        *others: Row,
        asked: str = "",
        figures: dict[str, float] | None = None,
    ) -> Row:
        target = modules.fitting.Target(
            origin="instlatx64:toy",
            machine=gracemont(),
            parts=lambda form, group: modules.intel.parts(modules.sets.ATOM, form, group),
            accesses=frozenset({"LOAD", "STORE_ADDRESS", "STORE_DATA"}),
            stores=frozenset({"STORE_DATA"}),
            sequencer="SERIAL",
            measured_ports=lambda each: each.source.startswith("campaign"),
            measured_latency=lambda each: each.source.startswith(("campaign", "records")),
        )
        rows = {each.form: each for each in (before, *others)}
        measured = {form: modules.read.Measured(form, None, cycles) for form, cycles in (figures or {}).items()}
        measured[before.form] = modules.read.Measured(before.form, latency, throughput)
        found = modules.fitting.fit(target, rows, measured)
        key = asked or before.form
        made: Row = {**rows, **found.rows}[key]
        return made

    return fit


def test_a_confirmed_row_is_measured(fitted: Callable[..., Row]) -> None:
    made = fitted(row("lea r32, m", "ALU"), None, 0.249)
    assert (made.ports, made.confidence) == (((1.0, "ALU"),), "measured")
    assert made.source == "instlatx64:toy(throughput)+rule:class"


def test_the_largest_part_of_the_ports_that_is_as_slow(fitted: Callable[..., Row]) -> None:
    made = fitted(row("imul r32, r32", "ALU", ("1", "1", 3)), 2.99, 0.996)
    assert made.ports == ((1.0, "I0"),)
    assert made.source.startswith("instlatx64:toy(latency,throughput)+rule:fewer ports(ports)")
    made = fitted(row("addps xmm, xmm", "FP", ("1", "1", 3)), 2.99, 0.498)
    assert made.ports == ((1.0, "F0|F1"),)


def test_ports_that_somebody_measured_are_kept_where_nothing_fits(fitted: Callable[..., Row]) -> None:
    made = fitted(row("imul r32, r32", "ALU", source="campaign"), None, 0.6)
    assert (made.ports, made.reciprocal_throughput_cycles) == (((1.0, "ALU"),), 0.6)


def test_a_single_slow_one_of_a_class_is_not_confirmed(modules: SimpleNamespace, fitted: Callable[..., Row]) -> None:
    """Whatever held it up, its ports did not: all others with these ports agree."""
    names = [f"v{name}{kind}d xmm, xmm, xmm" for name in ("add", "sub", "min", "max", "mul") for kind in "ps"]
    rows = [row(name, "FP", ("2", "1", 3), source="campaign") for name in names]
    figures = {name: (0.333 if name != names[0] else 0.45) for name in names}
    made = fitted(rows[0], 3.0, 0.45, *rows[1:], figures=figures)
    assert made == rows[0]
    assert fitted(rows[0], 3.0, 0.45, *rows[1:]).reciprocal_throughput_cycles is not None


def test_what_no_part_explains_holds_the_ports(fitted: Callable[..., Row]) -> None:
    made = fitted(row("bsf r32, r32", "ALU", ("2", "1", 3)), 3, 0.588)
    assert made.ports == ((1.18, "I0|I1"),)
    assert "rule:occupancy" in made.source
    assert made.confidence == "derived"


def test_the_form_in_memory_follows_its_kind(fitted: Callable[..., Row]) -> None:
    memory = row("imul r32, m32", "ALU+LOAD", ("1", "1", 3))
    made = fitted(row("imul r32, r32", "ALU", ("1", "1", 3)), 2.99, 0.996, memory, asked="imul r32, m32")
    assert made.ports == ((1.0, "I0"), (1.0, "LOAD"))
    assert made.source.startswith("rule:ports of its kind(ports)")


@pytest.mark.parametrize(
    ("before", "latency", "throughput"),
    [
        (row("adc r32, r32", "ALU", ("flags", "flags", 2), ("1", "1", 1)), 2.0, 1.992),
        (row("add eax, i32", "ALU", ("1", "1", 1)), 1.0, 0.996),
        (row("sar r32, cl", "ALU", ("1", "1", 1)), 1.0, 0.995),
        (row("cdq", "ALU"), None, 0.996),
        (row("or r8, r8", "ALU", ("1", "1", 1)), None, 0.87),
        (row("add m32, r32", "ALU+LOAD+STORE_ADDRESS+STORE_DATA"), None, 0.9),
        (row("movabs r64, i64", "ALU"), None, 0.8),
        (row("vpaddd xmm{k}, xmm, xmm", "FP"), 1.1, 0.9),
    ],
)
def test_chains_stores_and_the_front_end_say_nothing_of_ports(
    fitted: Callable[..., Row], before: Row, latency: float | None, throughput: float
) -> None:
    """The throughput is stated, the ports stay."""
    made = fitted(
        before.with_(source="campaign" if "xmm" in before.form or "r8" in before.form else "x"), latency, throughput
    )
    assert made.ports == before.ports
    assert made.reciprocal_throughput_cycles is not None


def test_a_division_holds_the_divider_as_long_as_measured(fitted: Callable[..., Row]) -> None:
    made = fitted(row("divps xmm, xmm", "FP", ("1", "1", 13)), 13, 9.96)
    assert (made.ports, made.blocking) == (((1.0, "FP0"),), (("DIV", 10.0),))


def test_a_divider_that_another_source_knows_stays(fitted: Callable[..., Row]) -> None:
    before = row("divps xmm, xmm", "FP", ("1", "1", 13), blocking=(("DIV", 5.0),))
    assert fitted(before, 13, 9.96).blocking == (("DIV", 5.0),)


def test_microcode_holds_its_sequencer(fitted: Callable[..., Row]) -> None:
    made = fitted(row("haddps xmm, xmm", "FP", flags=("microcoded",), uops=(1.0, 4.0, 1.0)), None, 3.54)
    assert made.blocking == (("SERIAL", 3.54),)


def test_an_unmeasured_latency_becomes_the_chains(fitted: Callable[..., Row]) -> None:
    before = row("vpaddd ymm, ymm, ymm", "FP", ("2", "1", 2), ("3", "1", 2))
    made = fitted(before, 1.05, None)
    assert {pair.cycles for pair in made.latency or ()} == {1.0}
    assert made.source.startswith("instlatx64:toy(latency)+")


def test_a_latency_in_memory_follows_its_register_form(fitted: Callable[..., Row]) -> None:
    memory = row("vpaddd ymm, ymm, m256", "FP+LOAD", ("2", "1", 2), ("addr", "1", 9))
    before = row("vpaddd ymm, ymm, ymm", "FP", ("2", "1", 2), ("3", "1", 2))
    made = fitted(before, 1.05, None, memory, asked=memory.form)
    assert [pair.cycles for pair in made.latency or ()] == [1.0, 8.0]


def test_a_latency_that_somebody_measured_stays(fitted: Callable[..., Row]) -> None:
    assert fitted(row("lzcnt r32, r32", "ALU", ("2", "1", 3), source="records"), 4, None).latency == (
        Latency("2", "1", 3),
    )


@pytest.mark.parametrize(
    ("form", "latency", "throughput"),
    [("vextractf128 xmm, ymm, i8", 1.0, 1.0), ("vaddpd xmm, xmm, xmm", 2.5, 0.5), ("xor r32, r32", 0.2, 0.2)],
)
def test_what_is_no_chain_is_no_latency(modules: SimpleNamespace, form: str, latency: float, throughput: float) -> None:
    """The next instance did not wait, or the figure is not a whole number of cycles."""
    assert modules.guards.whole_latency(modules.read.Measured(form, latency, throughput)) is None


def test_moves_between_register_files_keep_their_latency(fitted: Callable[..., Row]) -> None:
    before = row("cvtsi2sd xmm, r32", "FP", ("2", "1", 7))
    assert fitted(before, 4, None).latency == before.latency


def test_a_move_to_itself_is_executed_where_it_takes_a_cycle(modules: SimpleNamespace) -> None:
    figure = modules.read.Measured
    assert modules.guards.executed(figure("mov r32, r32 @same", 0.99, 0.25))
    assert not modules.guards.executed(figure("mov r32, r32 @same", 0.17, 0.17))
    assert not modules.guards.executed(figure("mov r32, r32", 0.99, 0.25))
