"""Zen 5: Zen 4's rows on Zen 5's units, corrected by OSACA's file of Zen 5 (figures measured by its authors), and over
them our own campaign's figures of the core (zen5_measured.tsv).

OSACA names the vector pipes so that 0 and 2 multiply, 1 and 3 add (Zen 4: 0 and 1, 2 and 3); its names are used. The
datapaths are 512 bits wide: what holds a pipe twice on Zen 4 holds it once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import facts
from amd_models.compose import is_divider, merged
from amd_models.cores import CORES, AmdCore, Usage, is_vector
from amd_models.instlat_rows import fitted_to
from amd_models.throughput import FROM_VECTORS, TO_VECTORS
from corecast.machine.rows import Latency, Row, first_wins, read_rows, rounded
from corecast.measure.judge.forms.results import FormResult, PairResult, Results
from corecast.measure.record.interval import Interval
from instlat.fitting import Fitted
from instlat.read import Measured
from intel_models.family import crosses, largest, register_sibling, shifted
from own_measurements import measured_rows, without_columns
from pipelines import machine_of_rows

SOURCE = "osaca0.7.2:zen5"
OWN = "corecast:zen5"
CAMPAIGN = Path(__file__).with_name("zen5_measured.tsv")
WITHIN_CYCLES = 0.15
FASTEST_RATE = 0.32
"""Cycles. What repeats faster may be held up by the campaign's loops: their lines are read one a cycle, and chains of one
cycle, as many as there are registers, do not fill six ALUs (0.19 to 0.28 for additions)."""
PIPES = {
    "FP0": "FP0", "FP1": "FP2", "FP2": "FP1", "FP3": "FP3", "FP01": "FP02", "FP23": "FP13", "FP12": "FP12",
    "FP03": "FP03", "FP123": "FP123", "FP013": "FP023", "FP0123": "FP0123", "FP45": "FP45", "ALU0": "ALU1",
    "ALU1": "MUL", "ALU12": "MUL", "ALU03": "ALU", "BRU1": "BRU", "ST0": "ST",
}  # fmt: skip
"""Zen 4's groups on Zen 5; the rest keep their names."""
MEMORY = ("AGU", "LDV", "ST")
ACCESSES = ("ST", "ST0", "LDV", "AGU")
"""Zen 4's ports of loads and stores; of those that a form uses, it takes the first once for each access."""
MOST_ADDED = 4
"""Times that a load or store is counted on Zen 4 for its time, and still is one on Zen 5."""


def tables(zen4: Path) -> dict[str, dict[str, Row]]:
    """Rows of each file.

    Args:
        zen4: folder of Zen 4's model.
    """
    known = facts.osaca_rows("zen5")
    frames = first_wins(*(read_rows(zen4 / "forms" / name) for name in ("rules.tsv", "measured.tsv", "llvm.tsv")))
    relatives = {form: on_zen5(row) for form, row in frames.items()}
    own: dict[str, Row] = {}
    for form, row in list(relatives.items()):
        found = corrected(row, relatives, known)
        if found is not None:
            own[form] = found
            del relatives[form]
    for form, row in known.items():
        if form not in own and form not in relatives and row.ports:
            unfused = sum(count for count, _ in row.ports)
            own[form] = row.with_(uops=(1.0, unfused, 1.0))
    return {"osaca.tsv": own, "relative.tsv": relatives}


def on_zen5(row: Row) -> Row:
    """A row of Zen 4 with Zen 5's units; how long locked ones wait for each other is all there is of them."""
    confidence = row.confidence if row.confidence == "assumed" else "derived"
    if row.ports is None:
        return row.with_(confidence=confidence, source=f"zen4:{row.source}")
    wide = "zmm" in row.form or "m512" in row.form
    usage: list[tuple[float, str]] = []
    crossing = any(unit in (FROM_VECTORS, TO_VECTORS) for unit, _ in row.blocking)
    for count, group in with_whole_accesses(row):
        name = PIPES.get(group, group)
        if crossing and group == "FP45":
            count *= 2  # one way, not told apart from the pipes
        halved = max(1.0, count / 2) if wide and group not in ("ST0", "AGU") else count
        if group == "LDV":
            usage.append((halved, "AGU"))
        usage.append((halved, name))
    ports = merged(tuple(usage))
    uops = row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2])
    source = "+".join(f"zen4:{part}" if index == 0 else part for index, part in enumerate(row.source.split("+")))
    return row.with_(
        ports=ports,
        blocking=tuple(use for use in row.blocking if use[0] not in (FROM_VECTORS, TO_VECTORS)),
        uops=uops,
        latency=_after_load(row, wide),
        confidence=confidence,
        source=source,
        reciprocal_throughput_cycles=row.reciprocal_throughput_cycles if "locked" in row.flags else None,
    )


def with_whole_accesses(row: Row) -> Usage:
    """The ports, without what Zen 4's occupancy adds to or takes from loads and stores: that is a limit of Zen 4. Where
    it adds many times as much, nobody knows whose limit it is."""
    ports = row.ports or ()
    accesses = {group: count for count, group in ports if group in ACCESSES}
    one = next((accesses[group] for group in ACCESSES if group in accesses), 1.0)
    if "rule:occupancy" not in row.source or one > MOST_ADDED:
        return ports
    return tuple((max(1.0, round(count / one)) if group in accesses else count, group) for count, group in ports)


def _after_load(row: Row, wide: bool) -> tuple[Latency, ...] | None:
    """Latencies with Zen 5's vector loads; Zen 4's of 64 bytes come a cycle late, in two halves."""
    later = CORES["zen5"].load_cycles[1] - CORES["zen4"].load_cycles[1]
    if row.latency is None or wide or not any(group == "LDV" for _, group in row.ports or ()):
        return row.latency
    return tuple(
        Latency(pair.source, pair.destination, pair.cycles + later)
        if pair.source in ("addr", "index") and pair.destination != "addr"
        else pair
        for pair in row.latency
    )


def divided(row: Row, own: Row) -> Row:
    """A division with OSACA's time of the divider: two of them share what it lists."""
    memory: Usage = tuple(use for use in row.ports or () if use[1] in MEMORY)
    blocking = tuple((unit, cycles / 2) for unit, cycles in own.blocking)
    ports = merged(((1.0, "FP02"), *memory))
    uops = row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2])
    source = f"{SOURCE}(ports,blocking)+{row.source}"
    return row.with_(ports=ports, blocking=blocking, uops=uops, source=source, confidence="derived")


def corrected(row: Row, rows: Mapping[str, Row], known: Mapping[str, Row]) -> Row | None:
    """The row with OSACA's ports and latency; None where OSACA does not know its form with registers."""
    plain = re.sub(r"\{k\}(\{z\})?", "", row.form.replace("bcst", ""))
    register = register_sibling(plain, known) or plain
    own, frame = known.get(register), rows.get(register)
    if row.form.endswith(" @same") or own is None or frame is None or not own.ports or not row.ports:
        return None
    if "eliminated" in row.flags:
        return None
    if is_divider(row.form):
        return divided(row, own) if own.blocking else None
    compute: Usage = tuple(use for use in own.ports if use[1] not in MEMORY)
    memory: Usage = tuple(use for use in row.ports if use[1] in MEMORY)
    if not compute:
        return None
    ports = merged((*compute, *memory))
    uops = row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2])
    latency, before, now = row.latency, largest(frame), largest(own)
    sourced = "ports"
    if latency and before and now and now != before and not crosses(register):
        latency = shifted(latency, before, now)
        sourced = "ports,latency"
    return row.with_(
        ports=ports,
        uops=uops,
        latency=latency,
        blocking=own.blocking or row.blocking,
        source=f"{SOURCE}({sourced})+{row.source}",
        confidence="documented" if register == row.form else "derived",
    )


def measured(core: AmdCore, rows: Mapping[str, Row], campaign: Results, folder: Path) -> Fitted:
    """What our campaign changes: first the ports, as its throughputs say, then latencies and what is left of them.

    Args:
        rows: the best of each form that others know.
        folder: of the model, for its pipeline.
    """
    moved = {form: own for form, row in rows.items() if (own := with_own_alus(row)) != row}
    moved |= {row.form: row for row in OF_THEIR_OWN_ADDRESS}
    rows = {**rows, **moved}
    rates = {form: figure for form, result in campaign.forms.items() if (figure := _rate(result)) is not None}
    result = fitted_to(core, rows, machine_of_rows(folder, ()), rates, OWN, parts)
    found = {**rows, **result.rows}
    own_forms = {form: _own_rate(_with_ways(each)) for form, each in campaign.forms.items()}
    exact = Results(campaign.cpu, campaign.isa, own_forms)
    for form, row in measured_rows(found, exact, machine_of_rows(folder, found.values()), OWN).items():
        own = own_forms.get(form)
        cycles = None if own is None or own.throughput is None or not own.throughput.exact else own.throughput.high
        result.rows[form] = row if cycles is None else row.with_(reciprocal_throughput_cycles=rounded(cycles))
    result.rows = {**moved, **result.rows}
    return result


def parts(form: str, group: str) -> list[str]:
    """Which part of a group a form may be limited to is not known: pipes and ALUs have roles."""
    return [group] if group else ["FP0123"] if is_vector(form) else ["ALU"]


MULTIPLIES = re.compile(r"(i?mul|mulx|pdep|pext|crc32)\b")
BESIDE_BRANCHES = re.compile(r"(sh[lr]x?|sa[lr]x?|ro[lr]x?|rc[lr]|bt|bs[fr]|tzcnt|bls\w+|bextr|bzhi|cdq|cqo|cwd)\b")
"""On the ALUs that branches take: nine of them in a loop take a third of a cycle each, and so does the branch (timed on
an EPYC 9005, all 80 forms that repeat three a cycle; nine `imul` take three cycles with it)."""
OF_THEIR_OWN_ADDRESS = tuple(
    Row(
        f"lea r{bits}, m3 @rip", ((1.0, "BRU"),), latency=(), uops=(1.0, 1.0, 1.0), source=f"{OWN}(ports,latency,uops)",
        confidence="measured",
    )
    for bits in (32, 64)
)  # fmt: skip
"""Timed: loops of 2 to 24 of them take a third of a cycle each, and as much for the branch."""


def with_own_alus(row: Row) -> Row:
    """The row with the ALUs that were found on the core: plain `lea` repeats six a cycle, OSACA's ports have three. What
    a general register or a constant stores goes through an ALU: five `movsx`, a `mov` to memory or a `push`, and the
    loop's `dec` take 1.18 cycles, with two of them 1.36, and with an update of memory only its own operation's."""
    if row.ports is None or is_vector(row.form):
        return row
    beside = BESIDE_BRANCHES.match(row.form) is not None
    found: list[tuple[float, str]] = []
    for count, group in row.ports:
        own = group
        if group == "MUL" and not MULTIPLIES.match(row.form):
            own = "ALU" if row.form.startswith("lea ") else "BRU"
        elif group == "ALU" and beside and not row.blocking:
            own = "BRU"
        found.append((count, own))
    groups = {group for _, group in found}
    if "ST" in groups and not groups & {"ALU", "BRU", "MUL"}:
        found.append((1.0, "ALU"))
    ports = merged(tuple(found))
    if ports == row.ports:
        return row
    source = "+".join((f"{OWN}(ports)", *without_columns(row.source, {"ports"})))
    uops = row.uops and (row.uops[0], max(row.uops[1], sum(count for count, _ in ports)), row.uops[2])
    return row.with_(ports=ports, uops=uops, source=source)


ON_PAGES_OF_THEIR_OWN = {"pop r64": 0.25}
"""Throughputs of what walks over the stack, in loops of four. The campaign's pages are all one page of memory, and every
new line is missed (own.py)."""
ACROSS_CYCLES, TO_VECTORS_BELOW, FROM_VECTORS_ABOVE = 5.0, 1.0, 1.0
"""A way from a general register, or an address, to a vector and back is measured as a whole; how its cycles are shared
is open within five. A vector load takes 7 (AMD's guides): a cycle below the most; a move back then takes 2, one to a
vector 7. Timed: `movq rax, xmm0; movq xmm0, rax` 9 a turn; a general store and a vector load 3 more than two general
ones (10, with the move back 12), a vector store and a general load 3 less than two vector ones (6, with the move 13)."""


def _with_ways(result: FormResult) -> FormResult:
    """The measurements with those cycles shared."""
    operands = result.form.partition(" ")[2].split(", ")

    def shared(pair: PairResult) -> PairResult:
        if abs(pair.cycles.high - pair.cycles.low - ACROSS_CYCLES) > WITHIN_CYCLES or "mem" in (
            pair.source,
            pair.target,
        ):
            return pair
        place = pair.target if pair.target.isdigit() else ""
        vector = "mm" in (operands[int(place) - 1] if place else pair.target)
        cycles = round(pair.cycles.high - TO_VECTORS_BELOW if vector else pair.cycles.low + FROM_VECTORS_ABOVE)
        return replace(pair, cycles=Interval(cycles, cycles))

    return replace(result, latencies=tuple(shared(pair) for pair in result.latencies))


def _rate(result: FormResult) -> Measured | None:
    own = _own_rate(result).throughput
    if own is None or not own.exact or not result.throughput_stable:
        return None
    return Measured(result.form, None, own.high)


def _own_rate(result: FormResult) -> FormResult:
    """The measurements without a throughput that is not the instruction's own: of the fastest, and of bytes in memory
    that are changed, which the campaign does at neighbouring places that renaming takes for one (timed alone, two
    cycles for four)."""
    updates = any(pair.source == pair.target == "mem" for pair in result.latencies)
    changed_bytes = updates and "m8" in result.form and not result.form.startswith(("lock ", "xchg ", "cmpxchg"))
    if result.throughput is None or not (changed_bytes or result.throughput.high <= FASTEST_RATE):
        return result
    return replace(result, throughput=None)
