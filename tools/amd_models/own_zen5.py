"""Zen 5: our own campaign's figures, kept as zen5_measured.tsv (own_measurements.py), over rows of other origins."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from amd_models.compose import merged
from amd_models.cores import AmdCore, is_vector
from amd_models.instlat_rows import fitted
from amd_models.own_pipes import Pipes
from corecast.machine.rows import Row
from corecast.measure.judge.forms.results import FormResult, PairResult, Results
from corecast.measure.questions.pairs import ADDRESSES
from corecast.measure.record.interval import Interval
from instlat.fitting import Fitted
from instlat.read import SAME, Measured
from instlat.read import measured as instlat_figures
from own_measurements import kind_of, measured_rows, without_columns
from own_measurements import load as load_measured
from pipelines import machine_of_rows

OWN = "corecast:zen5"
CAMPAIGN = Path(__file__).with_name("zen5_measured.tsv")
FASTEST_RATE = 0.32
"""Cycles. What repeats faster may be held up by the campaign's loops: their lines are read one a cycle, and chains of
one cycle, as many as there are registers, do not fill six ALUs (0.19 to 0.28 for additions)."""
MULTIPLIES = re.compile(r"(i?mul|mulx|pdep|pext|crc32)\b")
BESIDE_BRANCHES = re.compile(r"(sh[lr]x?|sa[lr]x?|ro[lr]x?|rc[lr]|bt|bs[fr]|tzcnt|bls\w+|bextr|bzhi|cdq|cqo|cwd)\b")
"""On the ALUs that branches take: nine of them in a loop take a third of a cycle each, and so does the branch (timed on
an EPYC 9005, all 80 forms that repeat three a cycle; nine `imul` take three cycles with it; pipeline facts AM-31)."""
WIDE_STORES = re.compile(r"vmov(?!nt)\w+ m512(\{k\})?, zmm$")
OF_THEIR_OWN_ADDRESS = tuple(
    Row(
        f"lea r{bits}, m3 @rip", ((1.0, "BRU"),), latency=(), uops=(1.0, 1.0, 1.0), source=f"{OWN}(ports,latency,uops)",
        confidence="measured",
    )
    for bits in (32, 64)
)  # fmt: skip
"""Timed: loops of 2 to 24 of them take a third of a cycle each, and as much for the branch."""
_ON_PAGES_OF_THEIR_OWN = {"pop r64": 0.25}
"""Throughputs of what walks over the stack, in loops of four. The campaign's pages are all one page of memory, and
every new line is missed (own.py)."""
_ACROSS_CYCLES, _WITHIN_CYCLES = 5.0, 0.15
_BELOW_MOST_CYCLES = _ABOVE_LEAST_CYCLES = 2.0
"""A way from a general register, or an address, to a vector and back is measured as a whole; how its cycles are shared
is open within five. Two below the most and above the least, a vector load takes 6, a move to a general register 3, one
to a vector 6: `movq rax, xmm0; movq xmm0, rax` takes 9 a turn, and a load's data come as long after any store, 7
general ones and 9 vectors (timed: 12 a turn with a general store and a move back, 13 with a vector store and one)."""
_NEARLY_ONE_CYCLE, _WAITING_CYCLES = 1.25, 2.0


def load() -> Results:
    """The campaign that is kept, and what was measured otherwise."""
    return load_measured(CAMPAIGN, _ON_PAGES_OF_THEIR_OWN)


def measured(core: AmdCore, rows: Mapping[str, Row], campaign: Results, folder: Path) -> Fitted:
    """What our campaign changes: first the ports, as its throughputs say, then latencies and what is left of them.

    Args:
        rows: the best of each form that others know.
        folder: of the model, for its pipeline.
    """
    moved = {form: made for form, row in rows.items() if (made := in_two_slots(with_own_alus(row))) != row}
    moved |= {row.form: row for row in OF_THEIR_OWN_ADDRESS}
    rows = {**rows, **moved}
    rates = {form: figure for form, result in campaign.forms.items() if (figure := _rate(result)) is not None}
    result = fitted(core, rows, machine_of_rows(folder, ()), figures=rates, origin=OWN)
    found = {**rows, **result.rows}
    sooner, load = _of_one_cycle(core, campaign), core.load_cycles[1]
    forms = {form: _own_rate(_woken_in_time(_with_ways(each), sooner, load)) for form, each in campaign.forms.items()}
    base = machine_of_rows(folder, found.values())
    timed = {**moved, **result.rows, **measured_rows(found, replace(campaign, forms=forms), base, OWN)}
    pipes = Pipes(OWN, campaign.forms)
    piped = {form: own for form, row in {**rows, **timed}.items() if (own := pipes.corrected(row)) != row}
    result.changes["rule:pipes found on the core"] = len(piped)
    result.rows = {**timed, **piped}
    return result


def with_own_alus(row: Row) -> Row:
    """The row with the ALUs that were found on the core.

    Plain `lea` repeats six a cycle, OSACA's ports have three. What is stored of general registers or constants goes
    through an ALU: five `movsx`, a `mov` to memory or a `push`, and the loop's `dec` take 1.18 cycles, with two of
    them 1.36; an update of memory takes an ALU once.
    """
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


def in_two_slots(row: Row) -> Row:
    """Stores of 64 bytes with two slots: timed, one and five NOPs take a cycle a turn, with six 1.17 and with ten 1.67,
    while the op cache counts one (with eleven 3.0, as any store); three general loads and one take a cycle, so that it
    has one address (pipeline facts AM-66)."""
    if row.uops is None or not WIDE_STORES.match(row.form):
        return row
    source = "+".join((f"{OWN}(uops,decode)", *without_columns(row.source, {"uops", "decode"})))
    return row.with_(uops=(2.0, row.uops[1], 2.0), decode="1", source=source)


def _with_ways(result: FormResult) -> FormResult:
    """The measurements with the cycles of ways across shared."""
    operands = result.form.partition(" ")[2].split(", ")

    def shared(pair: PairResult) -> PairResult:
        width = pair.cycles.high - pair.cycles.low
        if abs(width - _ACROSS_CYCLES) > _WITHIN_CYCLES or "mem" in (pair.source, pair.target):
            return pair
        target = operands[int(pair.target) - 1] if pair.target.isdigit() else pair.target
        to_vector = "mm" in target
        cycles = round(pair.cycles.high - _BELOW_MOST_CYCLES if to_vector else pair.cycles.low + _ABOVE_LEAST_CYCLES)
        return replace(pair, cycles=Interval(cycles, cycles))

    return replace(result, latencies=tuple(shared(pair) for pair in result.latencies))


def _of_one_cycle(core: AmdCore, campaign: Results) -> frozenset[str]:
    """Kinds of operations on vectors that take a cycle: InstLatx64's chains do, or nearly, where ours take two. All who
    wait in ours have many others behind them (vectors.late_wakeup_ports); timed, a chain of `paddd` takes 2.0 cycles,
    with five NOPs in each turn, so that none waits, 1.0."""
    found = set()
    figures = instlat_figures(core.name)
    for key, figure in figures.items():
        form = key.removesuffix(SAME)
        if key != form and form in figures:
            continue
        own = campaign.forms.get(form)
        pairs = [] if own is None else [pair for pair in own.latencies if pair.target == "1" and pair.cycles.exact]
        if figure.latency_cycles is None or figure.latency_cycles > _NEARLY_ONE_CYCLE or not is_vector(form):
            continue
        if pairs and all(abs(pair.cycles.middle - _WAITING_CYCLES) <= _WITHIN_CYCLES for pair in pairs):
            found.add(kind_of(form))
    return frozenset(found)


def _woken_in_time(result: FormResult, sooner: Collection[str], load_cycles: float) -> FormResult:
    """The measurements of such operations, for those who need not wait."""
    if kind_of(result.form) not in sooner:
        return result

    def in_time(pair: PairResult) -> PairResult:
        late = _WAITING_CYCLES + (load_cycles if pair.source in ADDRESSES else 0)
        waits = abs(pair.cycles.middle - late) <= _WITHIN_CYCLES
        if not (waits and pair.cycles.exact and pair.target == "1"):
            return pair
        cycles = round(pair.cycles.middle) - 1
        return replace(pair, cycles=Interval(cycles, cycles))

    return replace(result, latencies=tuple(in_time(pair) for pair in result.latencies))


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
