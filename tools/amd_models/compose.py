"""One row of an AMD core from what several origins know of a form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from amd_models.cores import AmdCore, Usage, is_vector, memory_usage
from corecast import _core
from corecast.convert.importers.winic import FormMeasurement, refine
from corecast.machine.rows import Confidence, Latency, Row
from corecast.measure.judge.forms.results import Results

LLVM_PLACEHOLDER_CYCLES = 100
"""LLVM's figure for microcoded instructions that nobody looked at."""
LLVM_VECTOR_LOAD_CYCLES = 8
WINIC = "winic:zen4"
OWN = "corecast:zen4"
STORE_CYCLES = 1.0
"""stores.latency_cycles of the AMD models."""


MULTIPLIES = re.compile(r"i?mul [rm](8h?|32|64)")
"""What LLVM lets keep Zen 3's multiplier for as long as the first result takes. On Zen 4 a cycle was measured, and on
Zen 3 unrolled code with one of them and an `imul` takes 2.12 cycles (benchmarks/accuracy)."""


@dataclass
class Origins:
    """Rows of every origin by form key."""

    llvm: Mapping[str, Row]
    uops_info: Mapping[str, Row]
    mapping: Mapping[str, Row] = field(default_factory=dict)
    """PMTestBench (Zen+)."""
    measured: Mapping[str, FormMeasurement] = field(default_factory=dict)
    """Zen 4: WINIC's latencies, and the throughputs of our campaign before WINIC's."""
    campaign: Results | None = None
    """Our campaign's figures (Zen 4)."""

    def throughput_source(self, form: str) -> str:
        """Who measured the throughput."""
        result = self.campaign.forms.get(form) if self.campaign is not None else None
        return WINIC if result is None or result.throughput is None else OWN


def compose(core: AmdCore, form: str, instruction: _core.Instruction, origins: Origins) -> Row | None:
    """The row; None where no origin knows the form."""
    llvm, records = origins.llvm.get(form), origins.uops_info.get(form)
    mapped, measured = origins.mapping.get(form), origins.measured.get(form)
    if mapped is None and is_move(form):
        mapped = origins.mapping.get(f"v{form}")  # loads and stores of the SSE encoding
    if llvm is not None and (_placeholder(llvm) or re.search(r"\bvm[xyz]mm\b", form)):
        llvm = None
    if llvm is None and records is None and mapped is None and measured is None:
        return None
    memory = memory_usage(core, form, instruction)
    slots, slot_source = _slots(core, form, llvm, records, mapped)
    usage, blocking, port_source = _ports(core, form, memory, llvm, records, mapped, origins)
    if slots is not None and slots > MICROCODE_ABOVE and not is_divider(form):
        usage = microcode_usage(form, slots, memory, usage if not port_source.startswith("pmt") else None)
        blocking, port_source = ((MICROCODE, microcode_cycles(slots, mapped, measured, records)),), "rule:microcode"
    elif usage is not None and core.name == "zen1" and "ymm" in form and not is_divider(form):
        usage = _both_halves(form, usage, slots or 1, origins)
    latency, latency_source = _latency(core, form, instruction, llvm, records, measured, origins)
    if latency_source.startswith("llvm") and latency and _sooner_than_a_load(core, instruction, latency):
        latency, latency_source = None, ""  # LLVM's default, not a figure
    eliminated = records is not None and "eliminated" in records.flags
    if eliminated and not (mapped and mapped.ports):
        usage = ()
    flags = tuple(flag for flag in (records.flags if records else ()) if flag != "microcoded")
    if usage == () and latency and all(pair.cycles == 0 for pair in latency) and "eliminated" not in flags:
        flags += ("eliminated",)
    if slots is not None and slots > 2:
        flags += ("microcoded",)
    unfused = sum(count for count, _ in usage) if usage is not None else (slots or 1)
    throughput = _throughput(mapped if core.name == "zen1" else None, measured, records)
    sources = {"ports": port_source, "latency": latency_source, "uops": slot_source}
    return Row(
        form=form,
        ports=usage,
        blocking=blocking,
        latency=latency,
        uops=None if slots is None else (slots, unfused, slots),
        flags=flags,
        reciprocal_throughput_cycles=throughput,
        source=joined(sources),
        confidence=_confidence(core, sources),
    )


MICROCODE = "MS"
MICROCODE_ABOVE = 2
"""Macro-ops that the decoders make themselves; instructions of more come from microcode."""


def microcode_cycles(slots: float, mapped: Row | None, measured: FormMeasurement | None, records: Row | None) -> float:
    """Cycles for which the microcode sequencer is taken: as measured, else one to enter it and four macro-ops a cycle,
    or as long as uops.info measured of what its macro-ops alone do not tell (fences, pause); locked ones wait anyway.

    The rule fits PMTestBench's figures on Zen+ (3 and 4 macro-ops 2 cycles, 6 and 8: 3, 13: 5, 24: 7) and WINIC's on
    Zen 4 (4: 2); mixes of such instructions take the sum of their times (PMEvo's mixes on Zen+).
    """
    throughput = _throughput(mapped, measured)
    if throughput is not None:
        return throughput
    macro_ops = 1.0 + -(-slots // 4)
    if records is None or "locked" in records.flags:
        return macro_ops
    return max(macro_ops, records.reciprocal_throughput_cycles or 0.0)


def microcode_usage(form: str, slots: float, memory: Usage, known: Usage | None) -> Usage:
    """Ports of a microcoded instruction: those known, where they are fewer than its macro-ops; else any."""
    if known is not None and sum(count for count, _ in known) <= 1.5 * slots + len(memory):
        return known
    return merged(((slots, "FP0123" if is_vector(form) else "ALU"), *memory))


def _both_halves(form: str, usage: Usage, slots: float, origins: Origins) -> Usage:
    """256-bit forms on Zen 1: as many uops in the vector pipes as macro-ops, in the pipes of the 128-bit form."""
    vector = [use for use in usage if use[1].startswith("FP")]
    if slots != 2 or sum(count for count, _ in vector) > slots:  # more: not pipelined
        return usage
    narrow = origins.uops_info.get(form.replace("ymm", "xmm").replace("m256", "m128"))
    if narrow is not None and narrow.ports and sum(count for count, _ in narrow.ports) == 1:
        vector = [(2 * count, group) for count, group in narrow.ports]
    elif len(vector) == 1:
        vector = [(slots, vector[0][1])]
    return merged((*vector, *(use for use in usage if not use[1].startswith("FP"))))


def joined(sources: Mapping[str, str]) -> str:
    """Source ids with the columns they gave: "llvm22:znver2(ports)+uops.info:ZEN2(latency,uops)"."""
    columns: dict[str, list[str]] = {}
    for column, sourced in sources.items():
        for source in filter(None, sourced.split("+")):
            columns.setdefault(source, []).append(column)
    if len(columns) == 1:
        return next(iter(columns))
    return "+".join(f"{source}({','.join(names)})" for source, names in columns.items())


def _confidence(core: AmdCore, sources: Mapping[str, str]) -> Confidence:
    if any("rule" in source for source in sources.values()) or (
        not core.own_records and core.uops_name in sources["latency"]
    ):
        return "derived"
    return "measured" if not sources["ports"].startswith("llvm") else "documented"


def _placeholder(row: Row) -> bool:
    cycles = [pair.cycles for pair in row.latency or ()] + [count for count, _ in row.ports or ()]
    return max(cycles, default=0) >= LLVM_PLACEHOLDER_CYCLES


def _throughput(*rows: Row | FormMeasurement | None) -> float | None:
    for row in rows:
        if isinstance(row, FormMeasurement):
            if row.throughput is not None:
                return round(row.throughput[1], 2)
        elif row is not None and row.reciprocal_throughput_cycles is not None:
            return row.reciprocal_throughput_cycles
    return None


# --- ports -----------------------------------------------------------------------------------------------------------


def _ports(
    core: AmdCore,
    form: str,
    memory: Usage,
    llvm: Row | None,
    records: Row | None,
    mapped: Row | None,
    origins: Origins,
) -> tuple[Usage | None, tuple[tuple[str, float], ...], str]:
    """Port usage, blocked units, and the source."""
    own = tuple(use for use in llvm.ports or () if use[1]) if llvm else None
    divides = is_divider(form)
    if mapped is not None and mapped.ports is not None and core.name == "zen1":
        return mapped.ports, (), mapped.source
    usage: Usage | None
    if records is not None and records.ports and is_vector(form):
        usage, source = records.ports, records.source
        if own and not _fp(own) and not divides:
            usage += own  # the part in the integer unit
        if own and len(own) == len(usage) == 1 and own[0][0] > usage[0][0] and core.own_records:
            usage = ((own[0][0], usage[0][1]),)  # records count uops, LLVM's model cycles: not pipelined
            source = f"{source}+{llvm.source}" if llvm else source
    elif (
        mapped is not None and mapped.ports is not None and not is_vector(form) and mapped.uops and mapped.uops[0] <= 2
    ):
        usage = tuple(use for use in mapped.ports if use[1] == "ALU")
        source = mapped.source
    elif own is not None and llvm is not None and (own or memory or not records or _nothing_to_do(form)):
        usage, source = own, llvm.source
        if core.name == "zen3" and MULTIPLIES.fullmatch(form):
            usage, source = ((1, "ALU1"),), OWN
    else:
        return None, (), ""
    blocking: tuple[tuple[str, float], ...] = ()
    if divides:
        narrow = origins.llvm.get(form.replace("ymm", "xmm").replace("m256", "m128"))
        usage, blocking = _divider(core, form, own or (), llvm, records, narrow)
    if any(use[1] in ("LDV", "LD", "AGU") for use in memory) and not any(use[1].startswith("ST") for use in memory):
        usage = tuple(use for use in usage if use[1] != "FP45") if source.startswith("llvm") else usage
    return merged(usage + memory), blocking, source


def merged(usage: Usage) -> Usage:
    """Uses of the same ports added up."""
    counts: dict[str, float] = {}
    for count, group in usage:
        counts[group] = counts.get(group, 0) + count
    return tuple((count, group) for group, count in counts.items())


def _fp(usage: Usage) -> bool:
    return any(group.startswith("FP") for _, group in usage)


def _nothing_to_do(form: str) -> bool:
    return form.startswith(("nop", "endbr", "j", "prefetch"))


def is_divider(form: str) -> bool:
    """Whether the form uses a divider, which takes several cycles before the next."""
    return re.match(r"v?(div|sqrt)[ps][sdh]\b|i?div |fi?div|fsqrt", form) is not None


def _divider(
    core: AmdCore, form: str, own: Usage, llvm: Row | None, records: Row | None, narrow: Row | None
) -> tuple[Usage, tuple[tuple[str, float], ...]]:
    if re.match(r"i?div ", form):
        port = "ALU2" if core.generation < 3 else "ALU0"
        known = dict(records.blocking) if records else dict(llvm.blocking if llvm else ())
        cycles = max(known.values(), default=max((count for count, _ in own), default=0))
        slots = records.uops[0] if records and records.uops else 2
        return ((1, port), (max(1.0, slots - 1), "ALU")), (("DIV", cycles),) if cycles else ()
    cycles = sum(count for count, group in own if group.startswith("FP"))
    halves = 2 if core.name == "zen1" and "ymm" in form else 1
    if halves == 2 and narrow is not None and narrow.ports:  # two divisions of 128 bits, one after the other
        cycles = max(cycles, 2 * sum(count for count, group in narrow.ports if group.startswith("FP")))
    return ((halves, core.divider_port),), (("FDIV", max(cycles, halves)),)


# --- macro-ops -------------------------------------------------------------------------------------------------------


def _slots(
    core: AmdCore, form: str, llvm: Row | None, records: Row | None, mapped: Row | None
) -> tuple[float | None, str]:
    """Macro-ops, the unit of dispatch and retirement. uops.info and PMTestBench counted them on the core."""
    for row in (mapped if core.name == "zen1" else None, records):
        if row is not None and row.uops is not None:
            return max(1.0, row.uops[1] if row is records else row.uops[0]), row.source
    if llvm is None or llvm.uops is None:
        if mapped is None or mapped.uops is None:
            return 1.0, "rule"
        return mapped.uops[0], mapped.source
    count = llvm.uops[0]
    if core.name in ("zen1", "zen2") and re.search(r"\bm\d+\b", form):
        count = max(1.0, count - 1)  # LLVM counts the access; AMD's macro-op holds it
    return max(1.0, count), llvm.source


# --- latency ---------------------------------------------------------------------------------------------------------


def _latency(
    core: AmdCore,
    form: str,
    instruction: _core.Instruction,
    llvm: Row | None,
    records: Row | None,
    measured: FormMeasurement | None,
    origins: Origins,
) -> tuple[tuple[Latency, ...] | None, str]:
    base = records if records is not None and records.latency else llvm
    if is_divider(form) and llvm is not None and not re.match(r"i?div ", form):
        base = llvm  # uops.info took the fastest operands
    if measured is not None and measured.latencies and not is_divider(form):
        refined = refine(base.latency if base else None, measured.latencies)
        exact = {(pair.source, pair.destination) for pair in measured.latencies if pair.exact is not None}
        alone = base is None or {(pair.source, pair.destination) for pair in refined or ()} <= exact
        return refined, WINIC if alone or base is None else f"{WINIC}+{base.source}"
    if measured is None and origins.measured and not is_move(form) and not is_divider(form):
        summed = _load_and_measured(core, form, instruction, origins)
        if summed is not None:
            return summed, f"rule:load+{WINIC}"
    if base is None:
        return None, ""
    latency = normalized(core, base.latency, instruction)
    if base is llvm and is_vector(form) and latency:
        less = LLVM_VECTOR_LOAD_CYCLES - core.load_cycles[1]
        latency = tuple(
            Latency(pair.source, pair.destination, max(pair.cycles - less, 0))
            if pair.source in ("addr", "index")
            else pair
            for pair in latency
        )
    return latency, base.source


def _sooner_than_a_load(core: AmdCore, instruction: _core.Instruction, latency: Iterable[Latency]) -> bool:
    """Whether a result of what is loaded is said to be there before the load is done."""
    loads = any(access.read for access in instruction.memory)
    return loads and any(
        pair.cycles < core.load_cycles[0]
        for pair in latency
        if pair.source in ("addr", "index") and pair.destination not in ("mem", "addr", "rsp")
    )


def executed(row: Row) -> Row:
    """What a pipe executes takes a cycle at least: LLVM has none for masked moves, which it takes for eliminated."""
    if not row.ports or "eliminated" in row.flags or all(pair.cycles > 0 for pair in row.latency or ()):
        return row
    pairs = tuple(Latency(pair.source, pair.destination, max(1.0, pair.cycles)) for pair in row.latency or ())
    return row.with_(latency=pairs, source=f"rule:one cycle(latency)+{row.source}", confidence="derived")


def is_move(form: str) -> bool:
    """Whether a memory form of the mnemonic is the access alone."""
    return re.match(r"v?(p?broadcast|lddqu|mov(?!ddup|s[lh]dup))", form) is not None


def normalized(
    core: AmdCore, latency: Iterable[Latency] | None, instruction: _core.Instruction
) -> tuple[Latency, ...] | None:
    """Latencies to memory as the store's own plus the operation's: the way through memory is a machine's parameter."""
    if latency is None:
        return None
    plain = {"zen1": (6, 7), "zen2": (0, 7), "zen3": (5, 8), "zen4": (5, 8)}[core.name][is_vector(instruction.form)]
    result: list[Latency] = []
    for pair in latency:
        if pair.destination != "mem":
            if pair.source != "mem":
                result.append(pair)
            continue
        if pair.source in ("mem", "addr", "index"):
            continue
        loads = any(access.read for access in instruction.memory)
        operation = 1.0 if loads else max(0.0, pair.cycles - plain) if pair.cycles > STORE_CYCLES else 0.0
        if is_move(instruction.form):
            operation = 0.0
        result.append(Latency(pair.source, "mem", STORE_CYCLES + operation))
    return tuple(result)


def register_siblings(form: str, instruction: _core.Instruction) -> tuple[list[str], str]:
    """The forms with a register for the memory source, nearest first, and the operand's number."""
    match = re.search(r"\bm(\d+)(bcst)?\b", form)
    reads = any(access.read and not access.write for access in instruction.memory)
    if not match or not reads or len(instruction.memory) != 1 or is_move(form):
        return [], ""
    vectors = re.findall(r"[xyz]mm", form)
    if match[2]:
        candidates = [vectors[-1] if vectors else "zmm"]
    else:
        candidates = [{128: "xmm", 256: "ymm", 512: "zmm"}.get(int(match[1]), "xmm"), f"r{match[1]}"]
    position = str(len(form[: match.start()].partition(" ")[2].split(", ")))
    return [form[: match.start()] + candidate + form[match.end() :] for candidate in candidates], position


def _load_and_measured(
    core: AmdCore, form: str, instruction: _core.Instruction, origins: Origins
) -> tuple[Latency, ...] | None:
    """op r, m from the measured op r, r: the memory operand's pair becomes the load's latency plus it."""
    siblings, position = register_siblings(form, instruction)
    for sibling in siblings:
        measured = origins.measured.get(sibling)
        if measured is None or not measured.latencies:
            continue
        base = origins.uops_info.get(sibling) or origins.llvm.get(sibling)
        pairs = refine(base.latency if base else None, measured.latencies) or ()
        load = core.load_cycles[is_vector(form)]
        return tuple(
            Latency("addr", pair.destination, load + pair.cycles) if pair.source == position else pair
            for pair in pairs
            if pair.destination != position
        )
    return None
