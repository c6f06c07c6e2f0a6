"""What a simulated core hides is found by measuring it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from struct import calcsize, unpack

import pytest

from corecast import Kernel, _core, load_machine
from corecast.asm.code import Isa
from corecast.measure import (
    FormMeter,
    Interval,
    Noise,
    SimulatedCore,
    TimedKernel,
    Timing,
    form_record,
    parse_form,
    timed_kernel,
)
from corecast.measure.judge.forms.links import Links
from corecast.measure.plan.forms.chains import chain
from corecast.measure.plan.forms.throughput import instances
from corecast.measure.plan.kernels import is_dense, spread
from corecast.measure.questions.pairs import pairs
from corecast.measure.questions.roles import Registers, ends
from corecast.measure.rejection import Reason
from corecast.measure.run.core import Core, Relay
from corecast.measure.thresholds import LINKS_FENCE_AGAIN
from measure.hidden import BASES, hidden


def skylake() -> FormMeter:
    return FormMeter(SimulatedCore(load_machine("skylake_x")))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("base", BASES)
def test_hidden_latencies_and_throughputs_are_found(tmp_path: Path, base: str, seed: int) -> None:
    core = hidden(tmp_path / "core", seed, base)
    meter = FormMeter(SimulatedCore(core.machine))
    for key in BASES[base].forms:
        measured = meter.measure(parse_form(key, BASES[base].isa))
        found = {(each.source, each.target): each.cycles for each in measured.latencies}
        expected = {
            (source, target): cycles for (form, source, target), cycles in core.latencies.items() if form == key
        }
        assert set(found) == set(expected), key
        for pair, cycles in expected.items():
            interval = found[pair]
            assert interval is not None
            assert interval.exact, (key, pair, interval)
            assert interval.high == pytest.approx(cycles, abs=0.05), (key, pair)
        assert measured.throughput.cycles is not None
        found_cycles, truth = measured.throughput.cycles, core.throughputs[key]
        assert found_cycles.low * 0.97 <= truth <= found_cycles.high * 1.03, key
        assert measured.throughput.broken or found_cycles.exact, key  # helpers may take a share that stays open


def test_hidden_latencies_are_found_in_noise(tmp_path: Path) -> None:
    core = hidden(tmp_path / "core", 7)
    meter = FormMeter(SimulatedCore(core.machine, Noise(readings=0.001, drift=0.0005, interrupts=0.02)))
    for key in ("imul r64, r64", "vaddpd xmm, xmm, xmm"):
        for each in meter.measure(parse_form(key)).latencies:
            assert each.cycles is not None
            assert round(each.cycles.high) == core.latencies[key, each.source, each.target]


@pytest.mark.parametrize(
    "key",
    [
        "mul r64", "adc r64, r64", "cmovb r64, r64", "mov r64, m64", "add r64, m64", "setb r8", "lea r64, m3",
        "vpblendvb ymm, ymm, ymm, ymm", "bsf r64, r64", "kandq k, k, k", "vdivpd ymm, ymm, ymm", "sbb r64, r64",
    ],
)  # fmt: skip
def test_a_models_own_latencies_come_back(key: str) -> None:
    meter = skylake()
    entry = meter.core.machine.core.find(key)  # type: ignore[attr-defined]
    truth = {(source, target): cycles for source, target, cycles in entry["latency"]}
    measured = meter.measure(parse_form(key))
    compared = 0
    for each in measured.latencies:
        if each.source == "mem":
            continue  # how data are forwarded is a figure of the core, not of the form
        if (each.source, each.target) in truth:
            assert each.cycles is not None, (key, each.rejection)
            assert each.cycles.low - 0.05 <= truth[each.source, each.target] <= each.cycles.high + 0.05, each
            compared += 1
    assert compared > 0


@pytest.mark.parametrize(
    ("cpu", "key"),
    [
        *(("skylake_x", key) for key in ("vmovq xmm, r64", "kmovq k, r64", "vpcmpeqd k, zmm, zmm")),
        ("skylake_x", "vpaddd zmm{k}{z}, zmm, zmm"),
        *(("alder_lake_p", key) for key in ("test r64, r64", "cmovb r64, r64", "sbb r64, r64")),
        *(("neoverse_n1", key) for key in ("fmov d, x", "fcmpe d, d", "ldr d, [x, #i]", "dup v.8b, w")),
        *(("neoverse_v2", key) for key in ("cntp x, p, p.b", "whilelo p.b, x, x", "ldr q, [x, #i]")),
        *(("sifive_p670", key) for key in ("feq.s x, f, f", "fmv.d.x f, x", "vmv.x.s x, v", "fld f, i(x)")),
    ],
)
def test_links_to_another_domain_and_back_are_told_apart_by_fences(cpu: str, key: str) -> None:
    pytest.importorskip("scipy")
    machine = load_machine(cpu)
    truth = {pair[:2]: pair[2] for pair in machine.core.find(key)["latency"]}
    for found in FormMeter(SimulatedCore(machine)).measure(parse_form(key, machine.isa)).latencies:
        if found.source == "mem":
            continue  # how data are forwarded is a figure of the core, not of the form
        assert found.cycles is not None
        assert found.cycles.exact
        source = found.source if (found.source, found.target) in truth else "*"
        assert found.cycles.high == pytest.approx(truth[source, found.target], abs=0.05), found


def test_where_nothing_tells_helpers_apart_there_is_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corecast.measure.isa.x86.instruction_set.FENCE", "nop")
    found = skylake().measure(parse_form("vmovq xmm, r64")).latencies[0]
    assert found.cycles is not None
    assert not found.cycles.exact
    assert found.cycles.low <= 2 <= found.cycles.high
    assert "vmovq r64" in dict(found.helpers)


class DisturbedCore(Relay[SimulatedCore]):
    """Fences take longer there and back, never the same, until it is left alone."""

    disturbed = True
    fences = 0

    def time(self, kernel: TimedKernel) -> Timing:
        found = self.core.time(kernel)
        if not self.disturbed or "lfence" not in kernel.texts:
            return found
        self.fences += 1
        return replace(found, cycles=found.cycles + self.fences)


def test_fences_that_were_disturbed_are_looked_at_again() -> None:
    """A helper's cost is found once; what shares the core then, for a minute, is not to make intervals of all that is
    measured later."""
    core = DisturbedCore(SimulatedCore(load_machine("skylake_x")))
    links = Links(core)
    form = parse_form("vmovq xmm, r64")

    def measured() -> Interval:
        found = FormMeter(core, links).measure(form).latencies[0].cycles
        assert found is not None
        return found

    assert not measured().exact
    core.disturbed = False
    for _ in range(max(LINKS_FENCE_AGAIN)):
        if measured().exact:
            break
    assert measured().high == pytest.approx(2, abs=0.05)


def exact_latency(core: Core, key: str) -> float:
    """Of a form's first pair, which is to be no range."""
    found = FormMeter(core).measure(parse_form(key)).latencies[0].cycles
    assert found is not None
    assert found.exact
    return found.high


class UnevenFences(Relay[SimulatedCore]):
    """Fences wait longer before the first shuffle, and longer behind the last one."""

    def time(self, kernel: TimedKernel) -> Timing:
        found = self.core.time(kernel)
        if "lfence" not in kernel.texts:
            return found
        ends = (kernel.texts[1], kernel.texts[-1])
        return replace(found, cycles=found.cycles + 1.5 * sum("vpshufd" in text for text in ends))


def test_where_fences_do_not_end_alike_the_middle_of_what_they_allow_is_taken() -> None:
    core = UnevenFences(SimulatedCore(load_machine("skylake_x")))
    assert exact_latency(core, "vmovq r64, xmm") == pytest.approx(2, abs=0.05)


class FractionalFence(Relay[SimulatedCore]):
    """From fence to fence a way back takes no whole number of cycles."""

    def time(self, kernel: TimedKernel) -> Timing:
        found = self.core.time(kernel)
        back = "lfence" in kernel.texts and any("vpmovm2q" in text for text in kernel.texts)
        return replace(found, cycles=found.cycles - 0.2) if back else found


def test_fences_that_differ_by_a_fraction_of_a_cycle_are_told_apart_all_the_same() -> None:
    core = FractionalFence(SimulatedCore(load_machine("skylake_x")))
    assert exact_latency(core, "vpcmpeqd k, zmm, zmm") == pytest.approx(3, abs=0.25)


def test_a_helper_that_costs_nothing_leaves_throughput_exact() -> None:
    """`mov` of registers takes a slot only; the multiplier is what limits."""
    found = skylake().measure(parse_form("mul r64")).throughput
    assert found.broken == ("rax",)
    assert found.cycles == Interval(pytest.approx(1, rel=0.02), pytest.approx(1, rel=0.02))


def test_a_helper_that_costs_as_much_leaves_a_small_range() -> None:
    """`test` and `adc` share ports: one helper for each gives 0.25 to 0.5 (WINIC thesis, section 3.2.1), one for four
    tells more."""
    found = skylake().measure(parse_form("adc r64, r64")).throughput
    assert found.broken == ("flags",)
    assert found.cycles is not None
    assert found.cycles.low - 0.01 <= 0.5 <= found.cycles.high + 0.01
    assert found.cycles.high - found.cycles.low < 0.1


@pytest.mark.parametrize("key", ["cmove r64, r64", "adox r64, r64", "cmovs r32, m32"])
def test_flags_are_handed_on_whatever_closes_the_loop(key: str) -> None:
    """`dec` writes all flags but carry: with it, chains through them would begin anew in every iteration."""
    for each in skylake().measure(parse_form(key)).latencies:
        assert each.cycles is not None
        assert each.cycles.exact
        if each.source == "flags":
            assert each.kernels[0][0].keeps_flags
            assert each.cycles.high == pytest.approx(1, abs=0.05)


def test_of_several_numbers_of_instances_the_fastest_counts() -> None:
    class Patterns:
        """Schedulers spread the instances badly, unless the registers repeat after ten."""

        isa: Isa = "x86"
        name = clock = "patterns"

        def time(self, kernel: TimedKernel) -> Timing:
            count = len(kernel.texts)
            return Timing(count * (0.5 if count == self.suits else 0.7), 0, 0, 48, {}, 2, True, 1, (4, 8), 100)

        def __init__(self, suits: int) -> None:
            self.suits = suits

    for suits, tried in ((12, [12, 10, 7]), (10, [10, 12, 7]), (7, [7, 12, 10])):
        found = FormMeter(Patterns(suits)).measure(parse_form("vpaddd xmm, xmm, xmm")).throughput
        assert found.cycles is not None
        assert found.cycles.high == pytest.approx(0.5)
        assert found.instances == suits
        assert [len(kernel.texts) for kernel, _ in found.kernels] == tried


@dataclass
class Decoding(Relay[SimulatedCore]):
    """Decodes one instruction a cycle, unless it is longer than 7 bytes or a move between registers."""

    def time(self, kernel: TimedKernel) -> Timing:
        timing = self.core.time(kernel)
        short = [text for text, length in zip(kernel.texts, kernel.lengths, strict=True) if length < 8]
        return replace(timing, cycles=max(timing.cycles, float(sum("mov r" not in text for text in short))))


@pytest.mark.parametrize(("key", "broken"), [("xchg r64, r64", ()), ("lodsq rax, m64", ("rsi",))])
def test_decoders_of_dense_code_do_not_count(key: str, broken: tuple[str, ...]) -> None:
    core = SimulatedCore(load_machine("granite_rapids"))
    truth = FormMeter(core).measure(parse_form(key)).throughput.cycles
    found = FormMeter(Decoding(core)).measure(parse_form(key)).throughput
    assert truth is not None
    assert found.cycles is not None
    assert found.broken == broken
    assert (found.cycles.low, found.cycles.high) == pytest.approx((truth.low, truth.high), abs=0.02)
    assert set(found.kernels[0][0].lengths) == {8}
    assert max(found.kernels[-1][0].lengths) < 8


def test_longer_code_is_not_tried_again() -> None:
    core = Decoding(SimulatedCore(load_machine("granite_rapids")))
    found = FormMeter(core).measure(parse_form("vpaddd zmm, zmm, zmm")).throughput
    assert found.cycles is not None
    assert found.cycles.high == pytest.approx(1.0, abs=0.02)
    assert [max(kernel.lengths) for kernel, _ in found.kernels] == [6, 6, 6]


def test_sparse_code_is_the_same_code() -> None:
    for kernel, length in (
        (instances(parse_form("vpaddd xmm, xmm, m128")).kernel, 8),
        (instances(parse_form("add x, x, x", "aarch64")).kernel, 4),
    ):
        sparse = spread(kernel)
        assert {max(length, each) for each in kernel.lengths} == set(sparse.lengths)
        assert len(sparse.code) == sum(sparse.lengths)
        plain = _core.disassemble(kernel.isa, kernel.code).instructions
        decoded = _core.disassemble(kernel.isa, sparse.code).instructions
        syntax = ".intel_syntax noprefix\n" if kernel.isa == "x86" else ""
        told = Kernel.from_text(syntax + "\n".join(sparse.texts) + "\n", isa=kernel.isa).instructions
        assert [each.form for each in plain] == [each.form for each in decoded] == [each.form for each in told]
        assert b"".join(each.bytes for each in told) == sparse.code
    relative = timed_kernel(Kernel.from_text("mov 64(%rip), %rax\n", isa="x86"))
    assert spread(relative) is relative
    assert not is_dense(relative)


@pytest.mark.parametrize(
    ("alone", "cross", "together", "expected"), [(1.1, 4.3, 1.2, 1.2), (1.0, 4.3, 0.25, 2.15), (1.0, 4.0, 1.0, 2.0)]
)
def test_chains_that_get_in_their_own_way_are_held_against_one_register(
    alone: float, cross: float, together: float, expected: float
) -> None:
    """What is faster than the operand's own chain is an idiom; a whole number of cycles needs no other chain."""

    class Crossing:
        isa: Isa = "x86"
        name = clock = "crossing"

        def time(self, kernel: TimedKernel) -> Timing:
            registers = [text.replace(",", "").split()[1:] for text in kernel.texts]
            cycles = cross if len(registers) == 2 else together if len(set(registers[0])) == 1 else alone
            return Timing(cycles, 0, 0, 48, {}, 2, True, 1, (4, 8), 100)

    found = {
        (each.source, each.target): each
        for each in FormMeter(Crossing()).measure(parse_form("psubb xmm, xmm")).latencies
    }
    assert found["2", "1"].cycles == Interval(expected, expected)
    assert found["2", "1"].method == "cross"


@pytest.mark.parametrize("key", ["vmulpd ymm, ymm, ymm", "vfmadd231ss xmm, xmm, xmm", "mulps xmm, m128"])
def test_products_stay_what_they_are(key: str) -> None:
    """Factors are hardly more than 1, in each element: neither subnormal nor infinite after a million of them."""
    element = "f" if key.split(" ")[0][-1] == "s" else "d"
    for made in (chain(parse_form(key), *pair) for pair in pairs(parse_form(key))):
        raw = {*made.kernel.values.vector.values(), made.kernel.values.memory}
        for value in (
            each
            for number in raw
            if number
            for each in unpack(f"<{8 // calcsize(element)}{element}", number.to_bytes(8, "little"))
        ):
            assert value > 1
            assert isfinite(value**1_000_000)


def test_dividers_are_measured_with_fast_and_with_slow_operands() -> None:
    measured = skylake().measure(parse_form("div r32"))
    for part, high in ((measured, 0), (measured.others["slow"], _core.measuring_data_address // 4)):
        kernel, timing = next(each for latency in part.latencies for each in latency.kernels if latency.source == "rax")
        assert isinstance(timing, Timing)
        assert kernel.values.general[2] == high
        assert kernel.texts[-2:] == ("and rax, 0", "or rax, r13")  # the dividend is the same every time


def test_roots_get_their_operand_anew_for_they_run_to_one() -> None:
    slow = skylake().measure(parse_form("vsqrtpd xmm, xmm")).others["slow"]
    (latency,) = slow.latencies
    assert [name for name, _ in latency.helpers] == ["vandps", "vorps"]
    ((kernel, _),) = latency.kernels
    register = int(kernel.texts[-1].rsplit("xmm", 1)[1])
    assert kernel.values.vector[register] not in (0, _core.measuring_number)


def test_moves_to_mmx_and_back_are_told_apart() -> None:
    meter = FormMeter(SimulatedCore(load_machine("zen4")))
    found = [meter.measure(parse_form(key)).latencies[0].cycles for key in ("movq mm, r64", "movq r64, mm")]
    assert all(cycles is not None and cycles.exact for cycles in found)


def test_instances_are_independent() -> None:
    made = instances(parse_form("vfmadd231pd ymm, ymm, ymm"))
    targets = [text.split()[1] for text in made.kernel.texts]
    sources = {register for text in made.kernel.texts for register in text.replace(",", "").split()[2:]}
    assert made.count == len(set(targets)) == 12
    assert not sources & {target.strip(",") for target in targets}


def test_stores_go_to_different_places() -> None:
    made = instances(parse_form("add m64, r64"))
    assert len({text.split("[")[1].split("]")[0] for text in made.kernel.texts}) == made.count


def test_what_the_form_implies_is_not_handed_out() -> None:
    registers = Registers(parse_form("mul r64"))
    taken = {registers.take("general") for _ in range(registers.left("general"))}
    assert not taken & {0, 2, 4, 15}


def test_every_pair_of_bts_has_a_chain() -> None:
    """The thesis' example of asymmetric latencies."""
    form = parse_form("bts r16, r16")
    methods = {(a.name, b.name): chain(form, a, b).method for a, b in pairs(form)}
    assert methods == {("1", "1"): "direct", ("2", "1"): "cross", ("1", "flags"): "linked", ("2", "flags"): "linked"}


def test_a_source_that_is_written_too_does_not_leak_into_the_flags_chain() -> None:
    """bts r64 writes its first operand: what it wrote must not reach the next instance but through the flags."""
    form = parse_form("bts r64, r64")
    by_name = {end.name: end for end in ends(form)}
    texts = chain(form, by_name["1"], by_name["flags"]).kernel.texts
    assert [text.split()[0] for text in texts] == ["bts", "mov", "cmovb"]


def test_a_form_that_the_core_lacks_has_errors_in_place_of_values() -> None:
    measured = FormMeter(SimulatedCore(load_machine("nehalem"))).measure(parse_form("vaddpd zmm, zmm, zmm"))
    assert not measured.has_value
    assert measured.throughput.rejection is not None
    assert measured.throughput.rejection.reason is Reason.LACKS
    assert all(each.rejection for each in measured.latencies)


def test_a_record_holds_every_kernel() -> None:
    meter = skylake()
    record = form_record(meter.measure(parse_form("imul r64, r64")), meter.core)
    assert record["kind"] == "form"
    assert record["form"] == "imul r64, r64"
    assert [(each["source"], each["target"]) for each in record["latencies"]][:2] == [("1", "1"), ("2", "1")]
    assert all(each["kernels"][0]["kernel"]["hex"] for each in record["latencies"])


@pytest.mark.parametrize(
    ("cpu", "key", "pair", "cycles"),
    [
        ("skylake_x", "adc m64, r64", ("flags", "flags"), 1),
        ("skylake_x", "xadd m64, r64", ("2", "2"), 1),
        ("sifive_p670", "amoadd.d.rl x, x, (x)", ("2", "1"), 3),
    ],
)
def test_a_longer_chain_through_memory_does_not_hide_that_of_a_register(
    cpu: str, key: str, pair: tuple[str, str], cycles: float
) -> None:
    machine = load_machine(cpu)
    for found in FormMeter(SimulatedCore(machine)).measure(parse_form(key, machine.isa)).latencies:
        if (found.source, found.target) == pair:
            assert found.cycles is not None
            # Operations beside the chain take its ports now and then: a fraction more, not the 5 cycles through memory.
            assert found.cycles.high == pytest.approx(cycles, abs=0.2)
            return
    pytest.fail("no such pair")


@pytest.mark.parametrize(
    ("key", "broken"),
    [("cwd", ("rdx",)), ("cdq", ()), ("mul r16", ("rax", "rdx")), ("movabs al, m8", ("1",)), ("popcnt r16, r16", ())],
)
def test_what_writes_a_part_of_a_register_waits_for_the_rest(key: str, broken: tuple[str, ...]) -> None:
    """Where the form fixes the register; else each instance has one of its own."""
    assert instances(parse_form(key)).broken == broken
