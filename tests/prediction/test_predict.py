"""`corecast.predict` gives for many blocks what analyzing each gives."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Iterator

import pytest

import corecast
from corecast import _core
from corecast.analysis import AnalyzeOptions
from corecast.analysis.results import RegionResult
from corecast.api import answer_of
from corecast.errors import CorecastError, InputError, UnknownCpuError
from corecast.machine import load_machine
from corecast.prediction import BlockPrediction
from toy_machines import toy

X86 = (
    "4801c3480fafd8",
    "014304488bbd50fcffff",
    "016b185b5d415c",
    "f30f10040148ffc039c875f4",
    "c5fd58064883c620",
    "8b0511000000890511000000",
    "b40188e04801c0",
    "505b505b",
    "d9c1dec9d9c9",
    "f048011848ffc0",
    "f3a4",
    "90" * 140,
    "48f7f1",
    "e2fe",
    "0faee8",
)
AARCH64 = ("0000018b00040091", "001c21ee0000018b", "600c40b9e103002a", "e1030091210400f1c1ffff54", "00d4b24e21d4b24e")
RISCV64 = ("33055500", "d772050d57811002", "07e1050257811002e35c05fe", "13051500630cb5fe")


def expected(code: str, cpu: str, mode: str, address: int = 0, method: str = "auto") -> BlockPrediction:
    machine = load_machine(cpu)
    kernel = corecast.Kernel.from_hex(code, machine.isa, address=address, is_loop=mode == "loop")
    result = answer_of(kernel, machine, AnalyzeOptions(mode=mode, method=method))  # type: ignore[arg-type]
    if result.withheld:
        return BlockPrediction(None, "", "unknown", _without_data(result))
    status = "bound" if result.uncounted else "ok"
    bottleneck, interval = result.prediction.bottleneck, result.interval
    return BlockPrediction(result.cycles_per_iteration, bottleneck, status, _without_data(result), interval)


def _without_data(result: RegionResult) -> str:
    forms = list(dict.fromkeys(result.instructions[index].form for index in sorted(result.uncounted)))
    more = [f"and {len(forms) - 3} more"] if len(forms) > 3 else []
    return f"no data for {'; '.join(forms[:3] + more)}" if forms else ""


def is_code(code: str, isa: str) -> bool:
    return not _core.disassemble(isa, bytes.fromhex(code)).problems


def random_blocks(count: int) -> Iterator[str]:
    """Concatenations of the blocks above, so that the loop's register and the alignment change."""
    rng = random.Random(5)
    for _ in range(count):
        yield "".join(rng.choice(X86[:-2]) for _ in range(rng.randrange(1, 4)))


@pytest.mark.parametrize("method", ["auto", "simulate", "bounds"])
@pytest.mark.parametrize("mode", ["loop", "unroll"])
@pytest.mark.parametrize(
    ("cpu", "codes"),
    [
        *((cpu, (*X86, *random_blocks(60))) for cpu in ("skylake_x", "haswell", "zen4")),
        *((cpu, AARCH64) for cpu in ("neoverse_v2", "a64fx")),
        *((cpu, RISCV64) for cpu in ("spacemit_x60", "sifive_p670")),
    ],
)
def test_each_block_is_predicted_as_by_analyze(cpu: str, codes: tuple[str, ...], mode: str, method: str) -> None:
    isa = load_machine(cpu).isa
    codes = tuple(code for code in codes if is_code(code, isa))
    assert len(codes) > 2
    found = corecast.predict(codes, cpu, mode=mode, method=method, jobs=2)  # type: ignore[arg-type]
    alone = [expected(code, cpu, mode, method=method) for code in codes]
    assert [(each.cycles, each.status) for each in found] == [(each.cycles, each.status) for each in alone]
    if method == "bounds":  # a simulation that is observed names its bottleneck by reasons that bulk does not look for
        assert found.bottlenecks == [each.bottleneck for each in alone]


def test_addresses_count() -> None:
    codes = ["8b0511000000890511000000" + "90" * 20] * 40
    starts = [7 * i for i in range(40)]
    found = corecast.predict(codes, "skylake_x", addresses=starts)
    assert list(found) == [expected(code, "skylake_x", "loop", at) for code, at in zip(codes, starts, strict=True)]
    assert list(corecast.predict(codes, "skylake_x", addresses=[hex(at) for at in starts])) == list(found)
    assert len(set(found.cycles)) > 1


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
def test_results_do_not_depend_on_the_number_of_jobs_or_on_the_order(jobs: int) -> None:
    codes = list(random_blocks(500))
    once = dict(zip(codes, corecast.predict(codes, "skylake_x", jobs=1), strict=True))
    random.Random(jobs).shuffle(codes)
    assert list(corecast.predict(codes, "skylake_x", jobs=jobs)) == [once[code] for code in codes]


def test_loops_that_are_the_same_to_the_core_take_the_same_whatever_was_met_before() -> None:
    """add and cmp beside the counter: their ports are contended, which only the simulation knows."""
    codes = ["01c8" + "39d0", "01cb" + "39d3", "01c8" + "39ca", "01c8" + "90" + "39d0"]  # other registers; other chain
    found = corecast.predict(codes * 2, "skylake_x", jobs=1)
    assert list(found.cycles[:4]) == list(found.cycles[4:])
    assert found.cycles[0] == found.cycles[1] > 1.1
    assert found.cycles[2] != found.cycles[0]
    alone = [corecast.predict([code], "skylake_x").cycles[0] for code in codes]
    assert list(found.cycles[:4]) == alone


@pytest.mark.parametrize("bad", ["", "4", "480", "zz", "0606", None, 7, b"", "ü", "\ud800"])
def test_a_bad_block_stops_nothing(bad: object) -> None:
    found = corecast.predict(["4801c3", bad, "4801c3"], "skylake_x")
    assert [each.status for each in found] == ["ok", "error", "ok"]
    assert found[1][:3] == (None, "", "error")
    assert found[1].reason
    assert not found[0].reason
    assert math.isnan(found.cycles[1])


@pytest.mark.parametrize("bad", ["x", -1, 1.5, 1 << 64])
def test_a_bad_address_is_an_error_of_its_block(bad: object) -> None:
    found = corecast.predict(["90", "90", "90"], "skylake_x", addresses=[0, bad, None])
    assert [each.status for each in found] == ["ok", "error", "ok"]


def test_unknown_forms_make_a_lower_bound_and_too_many_of_them_no_prediction() -> None:
    known, bound, unknown = corecast.predict(["480fafd8480fafd8", "480fafd89b480fafd8", "9b480fafd8"], toy("toy_x86"))
    assert known.status == "ok"
    assert bound == (known.cycles, known.bottleneck, "bound", "no data for wait", None)  # between them
    assert unknown == (None, "", "unknown", "no data for wait", None)


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("", "no code"),
        (None, "no code"),
        ("480", "half a byte ('0') at position 3 of the hex string"),
        ("48g0", "'g' at position 3 is not a hexadecimal digit"),
        ("900606", "cannot decode byte 06 at offset 1"),
        (
            "9062f1f548580c24",
            "'vaddpd zmm1, zmm1, zmmword ptr [rsp]' at 0x1 needs AVX-512F, which zen3 does not have",
        ),
    ],
)
def test_an_error_has_the_reason_that_analyze_gives(block: str | None, reason: str) -> None:
    found = corecast.predict(["90", block] * 9000, "zen3")  # several batches
    assert found[-1].reason == found[1].reason == reason
    assert found[0].reason == ""
    if block:
        with pytest.raises(CorecastError) as caught:
            corecast.analyze(corecast.Kernel.from_hex(block), "zen3")
        assert reason in str(caught.value)


def test_a_bad_address_is_the_reason() -> None:
    assert corecast.predict(["90"], "zen3", addresses=["ten"])[0].reason == "the address is no number"


def test_bytes_are_code() -> None:
    assert corecast.predict([b"\x48\x01\xc3"], "skylake_x")[0] == corecast.predict(["4801c3"], "skylake_x")[0]


def test_any_iterable_serves() -> None:
    blocks = ["4801c3", "480fafd8"]
    whole = list(corecast.predict(blocks, "skylake_x"))
    assert list(corecast.predict(iter(blocks), "skylake_x")) == whole
    assert list(corecast.predict((each for each in blocks), load_machine("skylake_x"))) == whole
    assert list(corecast.predict([], "skylake_x")) == []


def test_a_column_that_must_be_asked_for_a_list_is() -> None:
    class Column:
        """As Arrow's: its items are objects of its own."""

        def __init__(self, items: list[str | None]) -> None:
            self.items = items

        def __len__(self) -> int:
            return len(self.items)

        def __iter__(self) -> Iterator[object]:
            return iter([object()] * len(self.items))

        def slice(self, start: int, length: int) -> Column:
            return Column(self.items[start : start + length])

        def to_pylist(self) -> list[str | None]:
            return self.items

    found = corecast.predict(Column(["4801c3", None] * 5000), "skylake_x")
    assert found.statuses == ["ok", "error"] * 5000


def test_numpy_arrays_come_and_go() -> None:
    numpy = pytest.importorskip("numpy")
    codes = ["4801c3", "480fafd8", "4"]
    whole = list(corecast.predict(codes, "skylake_x"))
    for dtype in (str, object, "S"):
        assert list(corecast.predict(numpy.array(codes, dtype=dtype), "skylake_x")) == whole
    columns = corecast.predict(codes, "skylake_x").to_numpy()
    assert columns["cycles"].dtype == numpy.float64
    assert numpy.isnan(columns["cycles"][2])
    assert list(columns["status"]) == ["ok", "ok", "error"]


def test_records_are_a_sequence() -> None:
    found = corecast.predict(["4801c3", "480fafd8"], "skylake_x")
    assert len(found) == 2
    assert found[-1] == found[1]
    assert found[:] == list(found)
    with pytest.raises(IndexError):
        found[2]


def test_other_threads_run_meanwhile() -> None:
    """The interpreter's lock is free while blocks are predicted."""
    predictor = _core.Predictor(load_machine("skylake_x").core, "loop", "bounds", 1)
    codes = list(random_blocks(3000))
    turns = 0
    done = threading.Event()

    def work() -> None:
        for _ in range(3):
            predictor.predict(codes)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        turns += 1
    worker.join()
    assert turns > 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mode": "straight"}, "mode is loop or unroll"),
        ({"method": "guess"}, "the method is one of auto, simulate, bounds"),
        ({"jobs": 0}, "jobs must be at least 1"),
        ({"addresses": [0]}, "fewer addresses"),
    ],
)
def test_wrong_choices_are_told(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        corecast.predict(["90", "90"], "skylake_x", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["loop", "unroll"])
def test_simulating_many_is_simulating_each(mode: str) -> None:
    machine = load_machine("skylake_x")
    codes = [*X86[:9], *random_blocks(20)]
    starts = [5 * i for i in range(len(codes))]
    found = corecast.predict(codes, machine, mode, "simulate", 2, addresses=starts)  # type: ignore[arg-type]
    for code, start, each in zip(codes, starts, found, strict=True):
        instructions = _core.disassemble("x86", bytes.fromhex(code), start).instructions
        if mode == "loop" and instructions[-1].branch == "none":
            instructions += _core.closing_branch(instructions)
        alone = _core.simulate(machine.core, instructions, mode, start)
        assert (each.cycles, each.bottleneck) == (alone.cycles_per_iteration, alone.bottleneck)


def test_one_block_alone_is_a_mistake() -> None:
    with pytest.raises(InputError, match="several"):
        corecast.predict("4801c3", "skylake_x")


def test_an_unknown_core_is_told() -> None:
    with pytest.raises(UnknownCpuError):
        corecast.predict(["90"], "no_such_core")
