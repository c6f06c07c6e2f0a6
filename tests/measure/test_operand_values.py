"""What operands hold, where a form's time may depend on it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from struct import unpack

import pytest

from corecast import load_machine
from corecast.measure import FormMeter, SimulatedCore, TimedKernel, Timing, parse_form
from corecast.measure.campaign import Campaign
from corecast.measure.export.formats import report_text
from corecast.measure.isa.forms import Form, Values
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.judge.forms.results import read_results
from corecast.measure.plan.forms.chains import chain
from corecast.measure.plan.forms.throughput import instances
from corecast.measure.questions.pairs import pairs
from corecast.measure.record.file import read_records
from corecast.measure.run.core import Relay
from corecast.report.measurement import form_text

LEAST_NORMAL = sys.float_info.min
OPERATIONS: dict[str, Callable[[float, float, float], float]] = {
    "mul": lambda _, a, b: a * b,
    "div": lambda _, a, b: a / b,
    "add": lambda _, a, b: a + b,
    "sqrt": lambda kept, _, __: kept,  # of the other element
    "vfmadd132": lambda a, b, c: a * c + b,
    "vfmadd213": lambda a, b, c: a * b + c,
    "vfmadd231": lambda a, b, c: b * c + a,
}


def with_values(key: str, values: Values) -> Form:
    return replace(parse_form(key), values=values)


def others(key: str) -> tuple[Values, ...]:
    form = parse_form(key)
    return tuple(instruction_set(form.isa).other_values(form))


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("vdivpd ymm, ymm, ymm", ("slow", "subnormal")),
        ("sqrtss xmm, m32", ("slow", "subnormal")),
        ("vmulps zmm{k}, zmm, zmm", ("subnormal",)),
        ("vfnmsub231sd xmm, xmm, xmm", ("subnormal",)),
        ("vfnmsub231sd xmm{k}, xmm, xmm", ()),  # as without the mask
        ("addpd xmm, m128", ()),
        ("cvtsd2ss xmm, xmm", ("subnormal",)),
        ("vcvtps2ph xmm, xmm, i8", ("subnormal",)),
        ("cvtsi2sd xmm, r64", ()),
        ("vaddph zmm, zmm, zmm", ()),
        ("div r64", ("slow",)),
        ("shrd m64, r64, cl", ("count_0",)),
        ("rol r8, cl", ("count_0",)),
        ("rol r8, i8", ()),
        ("imul r64, r64", ()),
    ],
)
def test_what_else_operands_may_hold(key: str, values: tuple[Values, ...]) -> None:
    assert others(key) == values


@pytest.mark.parametrize(
    "key",
    [
        "vmulpd xmm, xmm, xmm",
        "vmulsd xmm, xmm, xmm",
        "mulpd xmm, xmm",
        "vdivpd ymm, ymm, ymm",
        "divsd xmm, xmm",
        "addpd xmm, xmm",
        "vaddpd xmm, xmm, xmm",
        "vfmadd132pd xmm, xmm, xmm",
        "vfmadd213pd xmm, xmm, xmm",
        "vfmadd231pd xmm, xmm, xmm",
    ],
)
def test_chains_of_subnormal_numbers_stay_subnormal(key: str) -> None:
    """Those that get no values anew, executed here; and each instruction has a subnormal operand."""
    form = with_values(key, "subnormal")
    operate = OPERATIONS[re.sub("^v(?!f)", "", form.mnemonic)[:-2]]
    for pair in pairs(form):
        made = chain(form, *pair)
        registers = {number: _double(value) for number, value in made.kernel.values.vector.items()}
        if made.method == "linked":
            assert not made.kernel.texts[-1].startswith(form.mnemonic)  # links give the values
            continue
        for _ in range(100):
            for text in made.kernel.texts:
                numbers = [int(number) for number in re.findall(r"mm(\d+)", text)]
                target = numbers[0]
                first, second = (numbers[0], numbers[1]) if len(numbers) == 2 else (numbers[1], numbers[2])
                operands = registers[target], registers[first], registers[second]
                registers[target] = operate(*operands)
                used = operands if "fm" in text else operands[1:]
                assert any(0 < each < LEAST_NORMAL for each in (*used, registers[target])), (pair, text)


def _double(pattern: int) -> float:
    return float(unpack("<d", pattern.to_bytes(8, "little"))[0])


@pytest.mark.parametrize("key", ["mulpd xmm, xmm", "vfmadd231pd xmm, xmm, xmm", "vsqrtpd xmm, xmm", "divsd xmm, m64"])
def test_other_chains_get_subnormal_numbers_anew(key: str) -> None:
    form = with_values(key, "subnormal")
    source, target = next((s, t) for s, t in pairs(form) if s.name in ("2", "mem") and t.name == "1")
    made = chain(form, source, target)
    assert [link.name for link in made.links][:2] == ["vandps", "vorps"]
    anew = next(text for text in made.kernel.texts if text.startswith("vorps"))
    assert 0 < _double(made.kernel.values.vector[int(anew.rsplit("xmm", 1)[1])]) < LEAST_NORMAL


def test_the_usual_values_stay_what_they_are() -> None:
    form = parse_form("vdivpd xmm, xmm, xmm")
    assert set(instances(form).kernel.values.vector.values()) == {0x3FF0_0000_0000_0000}
    shift = parse_form("shl r64, cl")
    assert instances(shift).kernel.values.general[1] % 64
    assert instances(replace(shift, values="count_0")).kernel.values.general[1] == 0


@pytest.mark.parametrize("key", ["vmaskmovpd xmm, xmm, m128", "vpmaskmovd m256, ymm, ymm", "vmaskmovdqu xmm, xmm"])
def test_masks_of_signs_choose_every_element(key: str) -> None:
    values = instances(parse_form(key)).kernel.values
    for held in (*values.vector.values(), values.memory or 0):
        assert held >> 63 & held >> 31 & held >> 7 & 1  # of doubles, floats and bytes


@dataclass
class FussyCore(Relay[SimulatedCore]):
    """A simulated core that takes twice as long for some kernels."""

    minds: Callable[[TimedKernel], bool]

    def time(self, kernel: TimedKernel) -> Timing:
        timing = self.core.time(kernel)
        return replace(timing, cycles=timing.cycles * 2) if self.minds(kernel) else timing


def has_subnormal(kernel: TimedKernel) -> bool:
    values = [*kernel.values.vector.values(), kernel.values.memory or 0]
    return any(0 < _double(value) < LEAST_NORMAL for value in values)


def shifts_by_0(kernel: TimedKernel) -> bool:
    return kernel.values.general.get(1) == 0


def test_subnormal_operands_have_a_figure_of_their_own() -> None:
    core = FussyCore(SimulatedCore(load_machine("zen4")), has_subnormal)
    usual = FormMeter(core.core).measure(parse_form("vdivpd ymm, ymm, ymm"))
    measured = FormMeter(core).measure(parse_form("vdivpd ymm, ymm, ymm"))
    assert (measured.throughput, measured.latencies) == (usual.throughput, usual.latencies)
    for one, twice in zip(usual.latencies, measured.others["subnormal"].latencies, strict=True):
        assert one.cycles is not None
        assert twice.cycles is not None
        assert twice.cycles.high == pytest.approx(2 * one.cycles.high, rel=0.01)
    lines = form_text(measured).splitlines()
    place = lines.index("  with subnormal operands")
    assert "  with operands that take long the same" in lines[:place]
    assert [line.split()[:2] for line in lines[place + 1 :]] == [
        ["reciprocal", "throughput"],
        ["latency", "2"],
        ["latency", "3"],
    ]
    assert form_text(usual).endswith("with subnormal operands the same\n")


def test_a_count_of_0_has_a_figure_of_its_own() -> None:
    measured = FormMeter(FussyCore(SimulatedCore(load_machine("zen4")), shifts_by_0)).measure(parse_form("shl r64, cl"))
    of_0 = measured.others["count_0"]
    known, found = ({(each.source, each.target): each.cycles for each in part.latencies} for part in (measured, of_0))
    for pair in (("1", "1"), ("2", "1"), ("1", "flags")):
        usual, cycles = known[pair], found[pair]
        assert usual is not None
        assert cycles is not None
        assert cycles.high > usual.high


def test_rare_values_wait_for_the_second_look(tmp_path: Path) -> None:
    path = tmp_path / "records"
    core = FussyCore(SimulatedCore(load_machine("zen4")), has_subnormal)
    Campaign(core, path, ["vmulpd xmm, xmm, xmm", "vsqrtsd xmm, xmm, xmm"]).run()
    records = [record for record in read_records(path) if record["kind"] == "form"]
    assert ["subnormal" in record for record in records] == [False, False, True, True]
    assert ["slow" in record for record in records] == [False, True, False, True]
    results = read_results(path)
    product = results.forms["vmulpd xmm, xmm, xmm"]
    (latency, _), (long, _) = product.latencies, product.others["subnormal"].latencies
    assert long.cycles.high == pytest.approx(2 * latency.cycles.high, rel=0.01)
    text = report_text(results)
    assert text.count("  with subnormal operands\n") == 2
    assert text.count("  with operands that take long the same\n") == 1


def test_rare_values_need_not_be_stable() -> None:
    """Cores may take a time that varies for them; nobody waits for it."""

    @dataclass
    class Unsteady(FussyCore):
        def time(self, kernel: TimedKernel) -> Timing:
            return replace(self.core.time(kernel), stable=not self.minds(kernel))

    core = Unsteady(SimulatedCore(load_machine("zen4")), has_subnormal)
    assert FormMeter(core).measure(parse_form("vmulpd xmm, xmm, xmm")).stable


@dataclass
class BlockingCore(Relay[SimulatedCore]):
    """A simulated core that starts a form every so many cycles, whatever waits for what."""

    mnemonic: str
    every: float

    def time(self, kernel: TimedKernel) -> Timing:
        timing = self.core.time(kernel)
        count = sum(text.startswith(self.mnemonic) for text in kernel.texts)
        return replace(timing, cycles=max(timing.cycles, self.every * count))


@pytest.mark.parametrize(
    ("key", "every"), [("bts r64, r64", 5.0), ("bts r64, r64", 7.5), ("vptest xmm, xmm", 7.5), ("adc r64, r64", 6.0)]
)
def test_a_latency_that_instances_would_hide_is_found_by_a_longer_chain(key: str, every: float) -> None:
    form = parse_form(key)
    inner = SimulatedCore(load_machine("skylake_x"))
    measured = FormMeter(BlockingCore(inner, form.mnemonic, every)).measure(form)
    expected = {(each.source, each.target): each.cycles for each in FormMeter(inner).measure(form).latencies}
    assert any(name[0].isdigit() for each in measured.latencies for name, _ in each.helpers)
    for each in measured.latencies:
        usual = expected[each.source, each.target]
        assert usual is not None
        if each.method != "linked":
            continue
        assert each.cycles is not None
        assert each.cycles.high == pytest.approx(usual.high, abs=0.1), (each.source, each.target)


def test_a_longer_chain_is_read_from_records_as_it_was_told(tmp_path: Path) -> None:
    path = tmp_path / "records"
    core = BlockingCore(SimulatedCore(load_machine("skylake_x")), "bts", 6.0)
    Campaign(core, path, ["bts r64, r64"]).run()
    told = [record for record in read_records(path) if record["kind"] == "form"][-1]["latencies"]
    for pair, each in zip(read_results(path).forms["bts r64, r64"].latencies, told, strict=True):
        assert (pair.cycles.low, pair.cycles.high) == pytest.approx((each["min_cycles"], each["max_cycles"]), abs=0.01)
        assert pair.cycles.high < 2.1 or pair.method != "linked"


def test_a_latency_that_instances_hide_is_a_range() -> None:
    """Microcode that starts more seldom than any chain of helpers takes; a shift's result is there after less."""
    core = BlockingCore(SimulatedCore(load_machine("zen4")), "rcl", 4000.0)
    measured = FormMeter(core).measure(parse_form("rcl r64, i8"))
    assert measured.throughput.cycles is not None
    assert measured.throughput.cycles.high == pytest.approx(4000)
    linked = [each for each in measured.latencies if each.method == "linked"]
    assert linked
    for each in linked:
        assert each.cycles is not None
        assert each.cycles.low == 0
        assert each.cycles.high == pytest.approx(4000 - sum(cost.low for _, cost in each.helpers))
    free = FormMeter(core.core).measure(parse_form("imul r64, r64")).latencies
    assert all(each.cycles is not None and each.cycles.low > 0 for each in free)


def test_helpers_may_cost_more_than_the_chain_that_they_break() -> None:
    """As beside microcode: two of them take no longer than one, yet none is faster."""

    def helped(kernel: TimedKernel) -> bool:
        texts = [text.split("; ")[-1].split()[0] for text in kernel.texts]
        return "test" in texts and "shld" in texts

    form = parse_form("shld r64, r64, cl")
    core = FussyCore(SimulatedCore(load_machine("zen4")), helped)
    found = FormMeter(core).measure(form).throughput
    plain = instances(form, breakers=0)
    assert found.cycles is not None
    assert found.broken == ()
    assert found.cycles.high == pytest.approx(core.core.time(plain.kernel).cycles / plain.count, rel=0.01)
    assert found.kernels[0][0] == plain.kernel
