"""Latencies through memory, whatever addresses a form makes and however long its vectors are."""

from __future__ import annotations

import random

import pytest

from corecast import load_machine
from corecast.asm.code import Isa
from corecast.errors import InputError
from corecast.measure import FormMeter, SimulatedCore, parse_form
from corecast.measure.plan.forms.chains import chain
from corecast.measure.plan.forms.throughput import instances
from corecast.measure.questions.pairs import pairs

GENERAL, VECTOR = "store_forwarding.latency_cycles", "store_forwarding.vector_latency_cycles"


def texts(isa: Isa, key: str, source: str, target: str) -> tuple[str, ...]:
    form = parse_form(key, isa)
    found = {(a.name, b.name): (a, b) for a, b in pairs(form)}
    return chain(form, *found[source, target]).kernel.texts


@pytest.mark.parametrize(
    ("isa", "key", "pair", "lines"),
    [
        (
            "aarch64",
            "ldr x, [x, #i]!",
            ("mem", "1"),
            ("mov x29, x26", "ldr x30, [x29, #16]!", "mov x27, x26", "str x30, [x27, #16]"),
        ),
        (
            "aarch64",
            "str q, [x], #i",
            ("1", "mem"),
            ("mov x30, x27", "str q31, [x30], #16", "mov x29, x27", "ldr q31, [x29]"),
        ),
        (
            "aarch64",
            "ldr w, [x, w, uxtw #2]",
            ("mem", "1"),
            ("ldr w30, [x29, w27, uxtw #2]", "add x26, x29, w27, uxtw #2", "str w30, [x26]"),
        ),
        (
            "aarch64",
            "ld1sh z.d, p/z, [x, #i, mul vl]",
            ("mem", "1"),
            ("ld1sh { z31.d }, p7/z, [x30, #4, mul vl]", "mov x29, x30", "st1h { z31.d }, p6, [x29, #4, mul vl]"),
        ),
        (
            "aarch64",
            "ld3r {v.16b, v.16b, v.16b}, [x]",
            ("mem", "1"),
            ("ld3r { v29.16b, v30.16b, v31.16b }, [x30]", "mov x29, x30", "st3 { v29.b, v30.b, v31.b }[1], [x29]"),
        ),
        (
            "aarch64",
            "stp q, q, [x, #i]",
            ("2", "mem"),
            ("stp q31, q30, [x30, #16]", "mov x29, x30", "ldp q30, q29, [x29, #16]"),
        ),
        (
            "riscv64",
            "vlseg3e16.v v, (x) @m2,e16",
            ("mem", "1"),
            ("vlseg3e16.v v26, (t5)", "mv t4, t5", "vsseg3e16.v v26, (t4)"),
        ),
        (
            "riscv64",
            "vsseg2e32.v v, (x), v0.t @m2",
            ("mask", "mem"),
            ("vsseg2e32.v v28, (t5), v0.t", "mv t4, t5", "vlseg2e32.v v24, (t4)", "vxor.vi v0, v24, 3"),
        ),
    ],
)
def test_helpers_reach_the_memory_that_the_form_does(
    isa: Isa, key: str, pair: tuple[str, str], lines: tuple[str, ...]
) -> None:
    assert texts(isa, key, *pair) == lines


@pytest.mark.parametrize(
    ("cpu", "key", "forward"),
    [
        *(("neoverse_v2", f"ldr x, {place}", GENERAL) for place in ("[x, #i]!", "[x], #i", "[x, x, lsl #3]")),
        ("neoverse_v2", "ldrsh w, [x, w, sxtw #1]", GENERAL),
        ("neoverse_v2", "ld1w z.s, p/z, [x, x, lsl #2]", VECTOR),
        ("neoverse_v2", "ldr z, [x, #i, mul vl]", VECTOR),
        ("neoverse_v2", "ldp q, q, [x], #i", VECTOR),
        ("sifive_p670", "vle64.v v, (x) @m1,e64", VECTOR),
        ("sifive_p670", "vl1re8.v v, (x)", VECTOR),
    ],
)
def test_data_are_forwarded_whatever_the_address(cpu: str, key: str, forward: str) -> None:
    """As long as the model says, but for the cycle that counts for the store, and its parts of a cycle."""
    machine = load_machine(cpu)
    expected = machine.parameter(forward)
    measured = FormMeter(SimulatedCore(machine)).measure(parse_form(key, machine.isa))
    through = [each for each in measured.latencies if each.source == "mem"]
    assert through
    for each in through:
        assert each.cycles is not None, each.rejection
        assert each.cycles.exact
        assert each.cycles.high + 1 == pytest.approx(expected, abs=0.15)


@pytest.mark.parametrize(
    ("isa", "key"),
    [
        ("aarch64", "ld1w z.d, p/z, [x, z.d]"),
        ("aarch64", "stnt1h z.d, p, [z.d]"),
        ("riscv64", "vlse32.v v, (x), x @m1,e32"),
        ("riscv64", "vsoxseg2ei8.v v, (x), v @m1,e8"),
    ],
)
def test_data_in_many_places_make_no_chain(isa: Isa, key: str) -> None:
    assert not {"mem"} & {end.name for pair in pairs(parse_form(key, isa)) for end in pair}


def test_what_is_added_after_the_access_leads_to_the_next_address_only() -> None:
    found = {(a.name, b.name) for a, b in pairs(parse_form("ld2r {v.8h, v.8h}, [x], x", "aarch64"))}
    assert {pair for pair in found if pair[0] == "index"} == {("index", "addr")}


def test_a_vector_of_addresses_gets_its_addresses_back() -> None:
    form = parse_form("ld1d z.d, p/z, [z.d]", "aarch64")
    ends = next(pair for pair in pairs(form) if pair[0].name == "index")
    kernel = chain(form, *ends).kernel
    assert kernel.texts[1:] == ("and z30.d, z31.d, z29.d", "orr z30.d, z30.d, z28.d")
    values = kernel.values.vector
    assert values[29] == 0
    assert values[28] == values[30] != 0


@pytest.mark.parametrize(
    ("isa", "key", "breakers"),
    [("aarch64", "ld2 {v.b, v.b}[i], [x], x", 2), ("riscv64", "vwmacc.vv v, v, v @m2,e16", 2)],
)
def test_every_register_of_an_operand_gets_its_value_anew(isa: Isa, key: str, breakers: int) -> None:
    form = parse_form(key, isa)
    moves = [text for text in instances(form, break_own=True).kernel.texts if text.split()[0] in ("mov", "vmv.v.v")]
    vectors = {text.split()[1] for text in moves if text.split()[1].startswith("v")}
    forms = sum(text.startswith(form.mnemonic) for text in instances(form, break_own=True).kernel.texts)
    assert len(vectors) == breakers * forms


def test_where_the_source_must_not_be_the_target_helpers_lead_back() -> None:
    assert texts("aarch64", "stxr w, w, [x]", "2", "1")[0] == "stxr w30, w29, [x27]"


@pytest.mark.parametrize("cpu", ["neoverse_v2", "sifive_p670"])
def test_almost_every_operand_pair_has_a_chain(cpu: str) -> None:
    machine = load_machine(cpu)
    keys = [key for key in machine.keys() if "@same" not in key and "@indexed" not in key]  # noqa: SIM118
    random.Random(9).shuffle(keys)
    found = without = 0
    for key in keys[:300]:
        try:
            form = parse_form(key, machine.isa)
        except InputError:
            continue
        for pair in pairs(form):
            found += 1
            try:
                chain(form, *pair)
            except InputError:
                without += 1
    assert found > 300
    assert without <= 0.002 * found


@pytest.mark.parametrize(
    ("key", "pair", "cycles"),
    [
        ("st4 {v.4s, v.4s, v.4s, v.4s}, [x], x", ("addr", "addr"), 1),
        ("st4 {v.4s, v.4s, v.4s, v.4s}, [x], x", ("index", "addr"), 1),
        ("ld4 {v.16b, v.16b, v.16b, v.16b}, [x], #i", ("addr", "addr"), 1),
    ],
)
def test_addresses_that_move_on_are_there_before_the_next_instance_can_start(
    key: str, pair: tuple[str, str], cycles: float
) -> None:
    core = SimulatedCore(load_machine("neoverse_v2"))
    measured = FormMeter(core).measure(parse_form(key, "aarch64"))
    assert measured.throughput.cycles is not None
    assert measured.throughput.cycles.low > cycles
    found = {(each.source, each.target): each.cycles for each in measured.latencies}[pair]
    assert found is not None
    assert found.exact
    assert found.high == pytest.approx(cycles, abs=0.05)


def test_cores_that_rename_memory_do_not_see_through_chains() -> None:
    """By the register's name (Golden Cove, 5 and an addition), and by learning (Zen 4, 6 and an addition)."""
    for cpu, cycles in (("golden_cove", 6), ("zen4", 7)):
        found = FormMeter(SimulatedCore(load_machine(cpu))).measure(parse_form("add m64, i8", "x86"))
        through = next(each for each in found.latencies if (each.source, each.target) == ("mem", "mem"))
        assert through.method == "cross"
        assert through.cycles is not None
        assert through.cycles.high == pytest.approx(cycles, abs=0.05)
        kernel, timing = through.kernels[0]
        assert timing.copies[0] == kernel.copies == 64


@pytest.mark.parametrize(
    ("key", "target", "store"),
    [
        ("dec m32", "flags", "mov dword ptr [1*r12], r12d"),
        ("cmpxchg m64, r64", "rax", "mov qword ptr [1*r11], r11"),
        ("cmpxchg16b m128", "rdx", "vmovups xmmword ptr [1*r12], xmm15"),
    ],
)
def test_stores_beside_chains_through_addresses_have_an_index(key: str, target: str, store: str) -> None:
    """Redwood Cove knows by other addresses what a load gets, and starts what needs it before the load's address is
    there."""
    lines = texts("x86", key, "addr", target)
    assert store in lines
    assert lines.index(store) < next(at for at, line in enumerate(lines) if line.startswith(key.split()[0]))


def test_what_an_exchange_loads_passes_no_operation() -> None:
    found = FormMeter(SimulatedCore(load_machine("zen4"))).measure(parse_form("xchg m32, r32", "x86"))
    cycles = next(each.cycles for each in found.latencies if (each.source, each.target) == ("addr", "2"))
    assert cycles is not None
    assert cycles.high == pytest.approx(4, abs=0.02)


def test_segments_that_are_stored_as_slowly_as_they_are_forwarded_are_measured_by_a_longer_loop() -> None:
    core = SimulatedCore(load_machine("sifive_p670"))
    meter = FormMeter(core)
    measured = meter.measure(parse_form("vlseg8e8.v v, (x) @mf8", "riscv64"))
    through = next(each for each in measured.latencies if each.source == "mem")
    assert measured.throughput.cycles is not None
    assert through.cycles is not None
    assert measured.throughput.cycles.low >= through.cycles.high
    longer = 28 - core.machine.parameter("loads.vector_latency_cycles")  # than any load
    assert through.cycles.high + 1 == pytest.approx(core.machine.parameter(VECTOR) + longer, abs=0.1)
    loop = next(each for each in meter.links.equations if "vlseg8e8.v" in each.terms)
    assert loop.terms["vxor.vi"] > 0
