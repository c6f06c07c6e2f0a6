"""Intervals of predictions: they hold what they promise, and every way to ask gives the same."""

from __future__ import annotations

import csv
import io
from hashlib import sha256
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corecast
from corecast import _core
from corecast.machine import load_machine, variant
from corecast.machine.intervals import COVERAGE, Interval, class_key
from corecast.prediction.batches import LocalAsker
from corecast.prediction.engine import make_predictor
from corecast.prediction.stream import TableOptions, predict_rows

SETS = Path(__file__).resolve().parents[2] / "benchmarks" / "accuracy"
CODES = ("4801c3480fafd8", "c5fd58064883c620", "8b0511000000890511000000", "48f7f1", "01442420", "4801c34883c708ebf7")


def measured(name: str, every: int) -> tuple[list[str], list[float], list[int]]:
    """Code that no interval was calibrated on, with its cycles and where it starts."""
    with open(SETS / name, encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if sha256(row["hex"].encode()).digest()[0] % 3 == 0][::every]
    return [row["hex"] for row in rows], [float(row["cycles"]) for row in rows], [int(row["address"]) for row in rows]


@pytest.mark.parametrize("method", ["simulate", "bounds"])
@pytest.mark.parametrize("cpu", ["granite_rapids", "zen4"])
def test_nine_of_ten_held_back_measurements_lie_within(cpu: str, method: str) -> None:
    codes, cycles, addresses = measured(f"{cpu}.loop.csv", 2)
    found = corecast.predict(codes, cpu, "loop", method, addresses=addresses)  # type: ignore[arg-type]
    inside = sum(low <= each <= high for each, low, high in zip(cycles, found.lows, found.highs, strict=True))
    assert COVERAGE - 0.03 <= inside / len(cycles) <= COVERAGE + 0.03
    widths = sorted((high - low) / each for low, high, each in zip(found.lows, found.highs, found.cycles, strict=True))
    assert widths[len(widths) // 2] < 0.01


@pytest.mark.parametrize("mode", ["loop", "unroll"])
@pytest.mark.parametrize("method", ["simulate", "bounds"])
@pytest.mark.parametrize("cpu", ["granite_rapids", "zen4", "skylake_x", "haswell", "zen1"])
def test_an_interval_holds_its_prediction(cpu: str, method: str, mode: str) -> None:
    found = corecast.predict(CODES, cpu, mode, method)  # type: ignore[arg-type]
    for each, low, high in zip(found, found.lows, found.highs, strict=True):
        assert each.interval is not None
        assert each.cycles is not None
        assert 0 < low <= each.cycles <= high
        assert (each.interval.low, each.interval.high) == (low, high)


def test_tables_give_the_same_ends() -> None:
    machine = load_machine("zen4")
    out = io.BytesIO()
    with LocalAsker(make_predictor(machine, "loop", "simulate", 1), False, False) as asker:
        predict_rows(io.BytesIO("\n".join(("hex", *CODES)).encode()), out, asker, TableOptions())
    rows = list(csv.DictReader(out.getvalue().decode().splitlines()))
    found = corecast.predict(CODES, machine)
    assert [(float(row["low"]), float(row["high"])) for row in rows] == list(zip(found.lows, found.highs, strict=True))


def test_nothing_is_said_of_a_lower_bound_or_of_no_prediction() -> None:
    found = corecast.predict(["0f0b", "xyz"], "zen4")
    for place, each in enumerate(found):
        if each.status != "ok":
            assert each.interval is None
            assert isnan(found.lows[place])
            assert isnan(found.highs[place])
    assert found[1].status == "error"


def test_what_was_not_measured_borrows_a_wider_interval() -> None:
    machine = load_machine("zen4")
    own = corecast.predict(CODES[:1], machine)[0].interval
    for other in (variant(machine, {"reorder_buffer.entries": 300}), "zen2", "haswell"):
        borrowed = corecast.predict(CODES[:1], other)[0].interval
        assert own is not None
        assert borrowed is not None
        assert (own.source, borrowed.source) == ("measured", "borrowed")
        assert own.high - own.low < borrowed.high - borrowed.low


@pytest.mark.parametrize(("code", "cpu"), [("0000018b00040091", "apple_m1"), ("33055500", "sifive_p670")])
def test_cores_of_other_instruction_sets_borrow_too(code: str, cpu: str) -> None:
    interval = corecast.predict([code], cpu)[0].interval
    assert interval is not None
    assert interval.source == "borrowed"


@given(st.sampled_from(CODES), st.sampled_from(["zen4", "skylake_x", "haswell"]))
def test_documents_hold_the_same_ends(code: str, cpu: str) -> None:
    result = corecast.analyze(code, cpu)
    region, entry = result.regions[0], result.to_dict()["regions"][0]["interval"]
    assert isinstance(region.interval, Interval)
    assert region.interval == region.prediction.interval == corecast.predict([code], cpu)[0].interval
    assert entry == {
        "low": region.interval.low,
        "high": region.interval.high,
        "coverage": COVERAGE,
        "source": region.interval.source,
        "measurements": region.interval.measurements,
    }


def test_nothing_is_said_where_a_bandwidth_decides() -> None:
    from corecast.analysis import AnalyzeOptions

    code = "c5fe6f0c07c5fe7f0c064883c72048ffc975ee"
    region = corecast.analyze(code, "skylake_x", AnalyzeOptions(bandwidth=("0.1B/cycle",))).regions[0]
    assert region.memory_bound
    assert region.interval is None
    assert region.core_interval is not None


@pytest.mark.parametrize(
    ("code", "memory"),
    [
        ("4801c3480fafd8", "none"),
        ("488b07", "loads"),
        ("488907", "stores"),
        ("488b06488907", "stores"),
        ("488907488b07", "reloads"),
        ("480107", "reloads"),
    ],
)
def test_a_load_of_what_is_stored_makes_a_class(code: str, memory: str) -> None:
    assert _class(code)["memory"] == memory


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("4801c3", "general"),
        ("c5fe6f07", "vector"),  # vmovdqu ymm0, [rdi]
        ("4801c3f20f58c1", "vector"),  # add rbx, rax; addsd xmm0, xmm1
        ("d8c1", "general"),  # fadd st(0), st(1): the stack of x87 has no vectors
    ],
)
def test_vector_registers_make_a_class(code: str, data: str) -> None:
    assert _class(code)["data"] == data


def test_loops_blocks_and_copies_are_different_kinds() -> None:
    loop = "4801c375fb"
    classes = [_class(loop), _class("4801c3"), _class(loop, placed=False), _class(loop, "unroll")]
    assert [each["kind"] for each in classes] == ["loop", "block", "unplaced", "unroll"]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("8b0e4883c604", "array"),  # mov ecx, [rsi]; add rsi, 4
        ("8b0c864883c001", "array"),  # mov ecx, [rsi + 4*rax]; add rax, 1
        ("488d76088b0e", "array"),  # lea rsi, [rsi + 8]; mov ecx, [rsi]
        ("8b0e4883c704", "block"),  # another register moves on
        ("8b0e4801fe", "block"),  # by what no constant says
        ("488b364883c604", "block"),  # from where a load leads
        ("585b4883c010", "block"),  # pop rax; pop rbx; add rax, 16
    ],
)
def test_accesses_that_move_on_make_a_kind(code: str, kind: str) -> None:
    assert _class(code)["kind"] == kind
    assert _class(code, "unroll")["kind"] == "unroll"


@pytest.mark.parametrize(("cycles", "size"), [(1.0, "short"), (1.5, "medium"), (3.99, "medium"), (4.0, "long")])
def test_cycles_make_a_class(cycles: float, size: str) -> None:
    assert _class("4801c3", cycles=cycles)["cycles"] == size


def _class(code: str, mode: str = "loop", *, placed: bool = True, cycles: float = 1.0) -> dict[str, str]:
    kernel = corecast.Kernel.from_hex(code, "x86")
    own_branch = kernel.instructions[-1].branch != "none"
    core = load_machine("zen4").core
    number = _core.prediction_class(core, kernel.instructions, mode, "bound", own_branch, placed, cycles, "ports")
    assert number is not None
    return dict(zip((name for name, _ in _core.class_features()), class_key(number), strict=True))
