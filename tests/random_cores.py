"""Cores with random pipelines and port maps, and what measuring them recovers: for a test, and for a table of all.

Each is a model with other parameters, and other latencies and ports for some forms. What calibration starts from is the
model as it was.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from corecast.calibrate.bench import SimulatedBench
from corecast.calibrate.draft import Draft
from corecast.calibrate.experiments import decisions, run_experiments
from corecast.calibrate.journal import Journal
from corecast.calibrate.properties import Finding, parameters_of
from corecast.calibrate.start import Start, load_start
from corecast.calibrate.vector_rules import MOVED_BESIDE_WIDE
from corecast.machine.rows import Latency, Row
from corecast.machine.trees import UNKNOWN
from corecast.machine.types import Machine
from corecast.measure import FormMeter, SimulatedCore, parse_form
from corecast.measure.judge.pipeline import PipelineMeter
from corecast.measure.judge.ports import PortMeter, Readings, known_blocking
from corecast.measure.judge.ports.siblings import row_usage
from corecast.measure.judge.ports.usage import port_bound
from corecast.measure.record.interval import Interval
from corecast.measure.thresholds import MODEL_WITHIN
from plain_zen3 import plain_zen3

SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)
QUICK = ("rename_width", "store_forward_latency", "vector_store_forward_latency")
"""Properties that take no time."""
BUFFERS = ("reorder_buffer", "integer_registers", "vector_registers", "store_queue", "load_queue")
FORMS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "imul r64, r64": (("1", "1"), ("2", "1")),
    "popcnt r64, r64": (("2", "1"),),
    "pdep r64, r64, r64": (("2", "1"), ("3", "1")),
    "bzhi r32, r32, r32": (("2", "1"), ("3", "1")),
    "vaddpd xmm, xmm, xmm": (("2", "1"), ("3", "1")),
    "vmulps ymm, ymm, ymm": (("2", "1"), ("3", "1")),
    "vpshufb xmm, xmm, xmm": (("2", "1"), ("3", "1")),
    "vfmadd231pd ymm, ymm, ymm": (("1", "1"), ("2", "1"), ("3", "1")),
}
"""With the operand pairs that have a latency."""


@dataclass(frozen=True)
class Base:
    """A model that random cores differ from."""

    name: str
    general: tuple[str, ...]
    """Sets of ports for forms of general registers, ..."""
    vector: tuple[str, ...]
    """... and of vector registers."""
    widths: tuple[int, int]
    """Narrowest and widest rename stage: as wide as its ports let kernels fill."""
    rows: tuple[Row, ...] = ()
    """Corrected: what experiments need."""
    rules: Callable[[random.Random], dict[str, Any]] = lambda chance: {}
    few: Callable[[random.Random], dict[str, Any]] = lambda chance: {}
    """What few cores have; drawn apart, so that the others stay as they were."""
    entries: tuple[int, int] = (200, 400)
    """Fewest and most of the reorder buffer."""

    def load(self) -> Machine:
        if self.name == "zen3":
            return plain_zen3()
        return load_start(Start(self.name, "test"), ("granite_rapids",))


def _zen(chance: random.Random) -> dict[str, Any]:
    entry = chance.choice((6, 8, 9))
    found: dict[str, Any] = {
        "uop_cache.entry_uops": entry,
        "uop_cache.width": entry,
        "uop_cache.entry_crosses_lines": chance.random() < 0.5,
        "fetch.bytes_per_cycle": chance.choice((16, 32)),
        "stack_engine.offset_in_addresses": chance.random() < 0.5,
    }
    if (longest := chance.choice((None, 8, 10))) is not None:
        found["decode.first_decoder_bytes"] = longest
    if (ports := chance.choice((None, ["ALU0", "ALU3"], ["ALU1", "ALU2"]))) is not None:
        found["fusion.register_pair_ports"] = ports
    return {**found, **_common(chance)}


def _common(chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {"loads.complex_address_cycles": chance.randint(0, 1)}
    if (block := chance.choice((None, 16, 32, 64))) is not None:
        found |= {"units.WRITE": {}, "stores.write_unit": "WRITE", "stores.joined_block_bytes": block}
    if (cycles := chance.choice((None, 0, 1))) is not None:
        plain = {"access": "load", "sets_flags": False, "extends": False, "vector": False, "width_bytes": [4, 8]}
        consumers = ({"access": "update", "width_bytes": [4, 8]}, plain)
        found["rules"] = [{"effect": "rename_memory", "consumer": consumer} for consumer in consumers]
        found["memory_renaming.latency_cycles"] = cycles
    return found


_ALUS = ["0", "1", "5", "6", "B"]
_WIDE_SUMS = ("vaddp* zmm*", "vsubp* zmm*")


def _cove(chance: random.Random) -> dict[str, Any]:
    """What experiments on ports, flags, locked instructions and 512 bits tell."""
    late = {"effect": "delay", "through": "flags", "cycles": 1, "delays": chance.choice(("result", "other_inputs"))}
    group = {"same_group": True} if chance.random() < 0.5 else {}
    makers = {"mnemonics": ["test", "and", "or", "xor", "andn", "blsi", "blsmsk", "blsr"]}
    slow, cycles = chance.choice((("0", "5"), ("5", "0"))), chance.randint(1, 2)
    sums = {"effect": "delay", "delays": "result", "consumer": {"mnemonics": list(_WIDE_SUMS)}}
    found: dict[str, Any] = {
        "port_choice.set_ranks": [{"ports": ["0", "6"], "ranks": [0, *(chance.randint(0, 1) for _ in range(5))]}],
        "stores.locked_wait_cycles": chance.randint(0, 12),
        "rules:flags": [{**late, **group, "producer": makers, "consumer": {"mnemonics": ["cmov*", "set*"]}}],
        **dict.fromkeys((f"changes.latency.{form}" for form in _WIDE_SUMS), chance.randint(2, 4)),
        "rules:sums zmm": [{**sums, "cycles": cycles, "ports": [slow[0]]}],
    }
    if chance.random() < 0.5:
        crossing = {"cycles": 1, "ports": [slow[1]], "producer_ports": [slow[0]], "producer": sums["consumer"]}
        found["rules:sums zmm by port"] = [{**sums, **crossing}]
    if chance.random() < 0.5:
        found["ports.added_flags"] = _ALUS
    if chance.random() < 0.5:
        found |= {"vectors.zmm_moved": MOVED_BESIDE_WIDE, "vectors.zmm_moved_ports": ["0", "5"]}
    return found


def _few_of_skylake(chance: random.Random) -> dict[str, Any]:
    return {
        "uop_cache.to_decoders_cycles": chance.randint(0, 4),
        "uop_cache.crossed_half_cycles": chance.randint(0, 20) / 20,
        "store_forwarding.one_group_latency_cycles": chance.choice((6, 6.5, 7, UNKNOWN, 8, 8.5, 9, 9.5, 10)),
        "microcode.short_from_uop_cache_cycles": chance.randint(0, 5),
        "uop_cache.lines_per_block": chance.randint(2, 5),
        "pointer_chasing.max_displacement": chance.choice((0, 127, 2047, 4095)),
    }


def _few_of_zen(chance: random.Random) -> dict[str, Any]:
    alus = [f"ALU{number}" for number in range(4)]
    second = sorted(chance.sample(alus, 2)) if chance.random() < 0.7 else []
    return {
        "ports.long_result": ["ALU1"] if second or chance.random() < 0.5 else [],
        "ports.second_result": second,
        "rename.constants_per_cycle": chance.randint(3, 6),
        "ports.vector_result_port": chance.choice(alus),
    }


def _few_of_coves(chance: random.Random) -> dict[str, Any]:
    return {
        "rename.relative_unlaminated": chance.random() < 0.5,
        "port_choice.avoided_where_full": ["0"] if chance.random() < 0.5 else [],
    }


BASES = (
    Base(
        "skylake_x",
        ("p1", "p06", "p15", "p0156"),
        ("p0", "p5", "p01", "p05", "p015"),
        (3, 4),
        rules=_common,
        few=_few_of_skylake,
    ),
    Base(
        "zen3",
        ("ALU1", "ALU03", "ALU12", "ALU"),
        ("FP01", "FP12", "FP23", "FP0123"),
        (3, 6),
        (Row("mov r64, i32", ((1.0, "ALU"),), (), (), (1.0, 1.0, 1.0), source="test", confidence="assumed"),),
        _zen,
        _few_of_zen,
    ),
    Base(
        "emerald_rapids",
        ("p1", "p06", "p15", "p0156B"),
        ("p0", "p5", "p01", "p05", "p015"),
        (6, 6),
        (),
        _cove,
        _few_of_coves,
        (400, 520),
    ),
)
_OLDER = 5
"""So many cores are of the first two bases."""


def base_of(seed: int) -> Base:
    return BASES[seed % 2] if seed <= _OLDER else BASES[2]


@dataclass(frozen=True)
class RandomCore:
    """A core of which everything that was changed is known."""

    seed: int
    base: Base
    settings: Mapping[str, Any]
    rows: Mapping[str, Row]
    folder: Path

    @cached_property
    def start(self) -> Machine:
        """What its calibration starts from."""
        return Draft(self.base.load(), {}, self.base.rows).machine(self._folder("start"))

    @cached_property
    def machine(self) -> Machine:
        rows = (*self.rows.values(), *self.base.rows)
        return Draft(self.base.load(), self.settings, rows).machine(self._folder("core"))

    def _folder(self, name: str) -> Path:
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        return self.folder / name


def random_core(seed: int, folder: Path) -> RandomCore:
    """The core of a seed: the same every time."""
    chance = random.Random(seed)
    base = base_of(seed)
    least, most = base.entries
    buffer = chance.randint(least, most)
    settings: dict[str, Any] = {
        "rename.width": chance.randint(*base.widths),
        "retire.width": 8,
        "store_forwarding.latency_cycles": chance.randint(4, 9),
        "store_forwarding.vector_latency_cycles": chance.randint(5, 11),
        "reorder_buffer.entries": buffer,
        "integer_registers.entries": chance.randint(least - 70, buffer - 30),
        "vector_registers.entries": chance.randint(least - 90, buffer - 30),
        "store_queue.entries": chance.randint(35, 75),
        **base.rules(chance),
        **base.few(random.Random(f"few {seed}")),
    }
    rows = {form: _row(form, pairs, base, chance) for form, pairs in FORMS.items()}
    return RandomCore(seed, base, settings, rows, folder)


def _row(form: str, pairs: Sequence[tuple[str, str]], base: Base, chance: random.Random) -> Row:
    sets = base.vector if "mm" in form else base.general
    chosen = [chance.choice(sets) for _ in range(chance.randint(1, 2))]
    usage: dict[str, float] = {}
    for ports in chosen:
        usage[ports] = usage.get(ports, 0.0) + 1
    # A source may come late; the operand that is read and written is the one whose own chain hides no other.
    longest = chance.randint(3, 6)
    cycles = [longest if source == "1" else longest + chance.randint(0, 1) for source, _ in pairs]
    latency = tuple(Latency(*pair, float(each)) for pair, each in zip(pairs, cycles, strict=True))
    uops = float(len(chosen))
    taken = tuple((count, group) for group, count in usage.items())
    return Row(form, taken, (), latency, (uops, uops, uops), source="test", confidence="assumed")


@dataclass(frozen=True)
class Recovered:
    """One figure of a core, and what measuring says."""

    core: int
    kind: str
    """`parameter`, `rule`, `latency`, `throughput` or `ports`."""
    name: str
    truth: str
    found: str
    alike: bool = False
    """Whether the core's times do not tell them apart: rules that never bind, ports that the front end hides."""

    @property
    def status(self) -> str:
        if self.truth == self.found:
            return "recovered"
        return "not told apart" if self.alike else "missed"


def recovered_pipeline(core: RandomCore, properties: Sequence[str]) -> Iterator[Recovered]:
    """Parameters that properties give, and rules by experiments on top of them."""
    twin, meter = PipelineMeter(SimulatedCore(core.start)), PipelineMeter(SimulatedCore(core.machine))
    measured: dict[str, Any] = {}
    for name in properties:
        found, expected = meter.find(name), twin.find(name)
        finding = Finding(name, found.value, found.unit, found.confidence, expected.value, found.how)
        measured |= parameters_of(finding, core.start)
    fixed = ("rename.width",) if len(set(core.base.widths)) == 1 else ()
    for key, truth in core.settings.items():
        if _PROPERTIES.get(key) in properties and key not in fixed:
            yield Recovered(core.seed, "parameter", key, _shown(key, truth), _shown(key, measured.get(key)))
    # Experiments go by the sizes of buffers: those that are not measured here are taken as known.
    unmeasured = set(BUFFERS) - set(properties)
    measured |= {key: truth for key, truth in core.settings.items() if _PROPERTIES.get(key) in unmeasured}
    changed = {key: value for key, value in measured.items() if core.start.parameter(key) != value}
    yield from _recovered_rules(core, changed)


def _recovered_rules(core: RandomCore, known: dict[str, Any]) -> Iterator[Recovered]:
    bench = SimulatedBench(core.machine)
    journal = Journal(core.folder / "calibration", {"cpu": bench.identity})
    run_experiments(bench, journal, lambda: 1.0, lambda text: None)
    sure = {}
    for decision in decisions(journal, core.start, known, core.folder):
        known |= decision.settings
        sure[decision.name] = decision.is_sure
    journal.close()
    for key, truth in core.settings.items():
        if key in _EXPERIMENTS:
            found = known.get(key, core.start.parameter(key) if key != "rules" else None)
            yield Recovered(
                core.seed, "rule", key, _shown(key, truth), _shown(key, found), sure.get(_EXPERIMENTS[key], False)
            )


_PROPERTIES = {
    "rename.width": "rename_width",
    "store_forwarding.latency_cycles": "store_forward_latency",
    "store_forwarding.vector_latency_cycles": "vector_store_forward_latency",
    "reorder_buffer.entries": "reorder_buffer",
    "integer_registers.entries": "integer_registers",
    "vector_registers.entries": "vector_registers",
    "store_queue.entries": "store_queue",
    "load_queue.loads_in_flight": "load_queue",
}
"""By the parameter that they give."""
_EXPERIMENTS = {
    "uop_cache.entry_uops": "entries of the op cache",
    "uop_cache.entry_crosses_lines": "entries of the op cache",
    "fetch.bytes_per_cycle": "decoders",
    "decode.first_decoder_bytes": "decoders",
    "fusion.register_pair_ports": "ports of fused pairs",
    "stack_engine.offset_in_addresses": "addresses on the stack",
    "loads.complex_address_cycles": "complex addresses",
    "stores.joined_block_bytes": "writes of stores",
    "rules": "memory renaming",
    "memory_renaming.latency_cycles": "memory renaming",
    "port_choice.set_ranks": "ports of 6 slots",
    "stores.locked_wait_cycles": "waits of locked instructions",
    "rules:flags": "flags of logic",
    "changes.latency.vaddp* zmm*": "sums of 512 bits",
    "rules:sums zmm": "sums of 512 bits",
    "rules:sums zmm by port": "sums of 512 bits",
    "ports.added_flags": "flags of what rename adds",
    "vectors.zmm_moved_ports": "vectors beside 512 bits",
    "uop_cache.to_decoders_cycles": "decoders behind the uop cache",
    "uop_cache.crossed_half_cycles": "instructions across halves of a block",
    "store_forwarding.one_group_latency_cycles": "store forwarding in one group",
    "ports.long_result": "what gives way to multiplications",
    "ports.second_result": "what gives way to multiplications",
    "rename.relative_unlaminated": "slots of data relative to the instruction",
    "port_choice.avoided_where_full": "ports that are full",
    "microcode.short_from_uop_cache_cycles": "single micro-ops of microcode",
    "uop_cache.lines_per_block": "lines of a block of code",
    "pointer_chasing.max_displacement": "displacements of fast chases",
    "rename.constants_per_cycle": "constants of a group",
    "ports.vector_result_port": "the way of vectors to general registers",
}
"""By the parameter that they decide."""
_DEFAULTS: Mapping[str, Any] = {
    "port_choice.avoided_where_full": [],
    "stores.locked_wait_cycles": 0,
    "loads.complex_address_cycles": 0,
    "stack_engine.offset_in_addresses": False,
    "uop_cache.entry_crosses_lines": False,
}


def recovered_forms(core: RandomCore, forms: Sequence[str]) -> Iterator[Recovered]:
    """Latencies and throughputs."""
    meter = FormMeter(SimulatedCore(core.machine))
    for form in forms:
        measured = meter.measure(parse_form(form, "x86"))
        found = {(each.source, each.target): each.cycles for each in measured.latencies}
        for pair in core.rows[form].latency or ():
            cycles = found[pair.source, pair.destination]
            told = "none" if cycles is None or not cycles.exact else f"{round(cycles.high, 1):g}"
            name = f"{form}: {pair.source} to {pair.destination}"
            yield Recovered(core.seed, "latency", name, f"{pair.cycles:g}", told)
        entry = core.machine.core.find(form)
        assert entry is not None
        bound = max(port_bound(row_usage(entry)), (core.rows[form].uops or (0.0,))[0] / core.settings["rename.width"])
        yield _throughput(core.seed, form, bound, measured.throughput.cycles)


def _throughput(seed: int, form: str, truth: float, cycles: Interval | None) -> Recovered:
    told = f"{truth:.3g}"
    if cycles is None:
        return Recovered(seed, "throughput", form, told, "none")
    if abs(cycles.high - truth) <= MODEL_WITHIN * truth:
        return Recovered(seed, "throughput", form, told, told)
    inside = cycles.low * (1 - MODEL_WITHIN) <= truth <= cycles.high
    return Recovered(seed, "throughput", form, told, f"{cycles.low:.3g} to {cycles.high:.3g}", inside)


def recovered_ports(core: RandomCore, forms: Sequence[str]) -> Iterator[Recovered]:
    """Port usage, with the names of the start model."""
    readings = Readings(SimulatedCore(core.machine, count_uops=True))
    meter = PortMeter(readings, known_blocking(readings, core.start))
    for form in forms:
        entry = core.machine.core.find(form)
        assert entry is not None
        truth, measured = row_usage(entry), meter.measure(form)
        found = "none" if measured.usage is None else meter.blocking.text(measured.usage)
        hidden = any(meter.blocking.hidden(ports) or len(ports) >= core.settings["rename.width"] for ports in truth)
        yield Recovered(core.seed, "ports", form, meter.blocking.text(truth), found, hidden)


def _shown(key: str, value: Any) -> str:
    value = _DEFAULTS.get(key) if value is None or value == UNKNOWN else value
    if value is None:
        return "none"
    if key == "port_choice.set_ranks":
        return " ".join(str(rank) for each in value for rank in each["ranks"])
    if key.startswith("rules:"):
        facts = ("delays", "cycles", "ports", "producer_ports", "same_group")
        return ", ".join(" ".join(_plain(rule[fact]) for fact in facts if fact in rule) for rule in value)
    if key == "rules":
        return ", ".join(f"{rule['effect']} {rule['consumer'].get('access', '')}" for rule in value)
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return "|".join(map(str, value)) if isinstance(value, list) else str(value).lower()


COLUMNS = ("core", "base", "kind", "name", "truth", "found", "status")


def table(found: Sequence[Recovered]) -> str:
    """As it is committed: comma-separated, a line a figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found:
        writer.writerow((each.core, base_of(each.core).name, each.kind, each.name, each.truth, each.found, each.status))
    return text.getvalue()
