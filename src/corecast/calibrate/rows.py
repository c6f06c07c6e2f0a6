"""Measured rows: the forms that matter most first, as many as there is time for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from corecast.calibrate.alike import alike_rows
from corecast.calibrate.bench import Bench
from corecast.calibrate.choices import members_of
from corecast.calibrate.code import Block, forms_by_use
from corecast.calibrate.journal import Journal
from corecast.calibrate.order import by_kinship
from corecast.calibrate.unscaled import SCALED, without_needless
from corecast.calibrate.wider import wider_rows
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.measure.campaign import Campaign, Progress
from corecast.measure.export.model import known_row, members, row_of
from corecast.measure.judge.forms.results import FormResult, Results, counted_reasons, read_results
from corecast.measure.judge.ports import PortMeter, Readings, known_blocking, port_record
from corecast.measure.questions.keys import is_form
from corecast.measure.questions.selection import all_forms
from corecast.measure.record.file import RecordWriter, read_records
from corecast.measure.rejection import Reason
from corecast.measure.thresholds import CAMPAIGN_LOOKS, CAMPAIGN_TRIES
from corecast.pattern import lazy_pattern

FILE = "records"
_HEARTBEAT_SECONDS = 5.0
_NEAR_ONE_CYCLE = 0.05
PORT_BATCHES = 8
"""Of a kernel that tells ports, at most."""
PORT_SHARE = 0.25
"""Of the time that is left when the forms of typical code were measured, in all runs: that of others is worth more."""
_MEMORY = lazy_pattern(r"\bm\d*\b")
_VECTOR = lazy_pattern(r"\b([xyz]?mm|k)\b")
_LATER = 0.5
"""Cycles after which a load has done something with its data."""
_STORE = lazy_pattern(r"^\S+ m\d+")
_PORTS = "ports"
"""A part of this step, in the journal."""


class _TimeUp(Exception):
    """No further form is started."""


@dataclass(frozen=True)
class Tally:
    """What the campaign did."""

    wanted: int
    """Forms of the validation code and of typical code."""
    seen: int
    absent: int
    """Not on this core."""
    unstable: int
    rejected: Mapping[Reason, int] = field(default_factory=dict)
    """Throughputs and latencies without a value, by why."""


def measure_forms(
    bench: Bench, folder: Path, journal: Journal, start: Machine, blocks: Sequence[Block], left: Callable[[], float],
    told: Callable[[str], None],
) -> None:  # fmt: skip
    """The forms of the blocks and those of typical code, then their ports, then all other forms, those of the same
    operations first. What is not stable is measured once more when all else is done: there are forms that never are,
    whose chains each take seconds."""
    known = wanted_forms(blocks)
    heart = _Heart(journal, left, told)

    def campaign(forms: Sequence[str], tries: int = CAMPAIGN_TRIES) -> None:
        Campaign(bench.core, folder / FILE, forms, None, bench.patience, heart, tries).run()

    try:
        campaign(known, CAMPAIGN_LOOKS)
        spent = journal.spent_on_part(_PORTS)
        reserved = left() - PORT_SHARE * (left() + spent) + spent
        with suppress(_TimeUp):
            measure_ports(bench, folder, start, known, _Heart(journal, lambda: left() - reserved, told, _PORTS))
        others = _others(bench, known)
        campaign(others, CAMPAIGN_LOOKS)
        campaign([*known, *others])
    except _TimeUp:
        return


def measure_ports(bench: Bench, folder: Path, start: Machine, forms: Sequence[str], heart: _Heart) -> None:
    """Ports of forms, with the names of the start model: of those that have records but none of their ports; those
    without memory first, whose ports others share, and loads that take longer than the start model's.

    Stores are left out: what writes them is the pipeline's.
    """
    results = results_of(folder)
    if results is None:
        return
    done = {record["form"] for record in read_records(folder / FILE) if record["kind"] == "ports"}
    waiting = [form for form in forms if form in results.forms and form not in done and not is_store(form)]
    waiting.sort(key=lambda form: _MEMORY.search(form) is not None and not _is_slow_load(results.forms[form], start))
    progress = Progress(len(forms), seen=len(forms) - len(waiting))
    if not waiting:
        return
    heart(progress)
    bench.patience(PORT_BATCHES)
    readings = Readings(bench.core)
    try:
        meter = PortMeter(readings, known_blocking(readings, start))
    except InputError:
        return  # the start model's names are of no use here
    writer = RecordWriter(folder / FILE)
    try:
        for form in waiting:
            progress.form = f"ports of {form}"
            heart(progress)
            writer.add(port_record(meter.measure(form), meter))
            progress.seen += 1
    finally:
        writer.close()


def _is_slow_load(result: FormResult, start: Machine) -> bool:
    """Whether the start model's row has nothing but a load, and the core does something with what was loaded."""
    known = known_row(result.form, start)
    usage = start.parameter("loads.ports")
    if known is None or not known.ports or known.latency is None or _VECTOR.search(result.form):
        return False
    if frozenset(members_of(start, usage)) != frozenset().union(*(members(start, group) for _, group in known.ports)):
        return False
    loads = start.parameter("loads.latency_cycles") or 0
    return any(each.source == "addr" and each.cycles.low > loads + _LATER for each in result.latencies)


def wanted_forms(blocks: Sequence[Block]) -> list[str]:
    return [form for form in forms_by_use(blocks) if _is_measurable(form)]


def _is_measurable(form: str) -> bool:
    try:
        return is_form(form, "x86")
    except InputError:
        return False


def _others(bench: Bench, known: Sequence[str]) -> list[str]:
    asked = set(known)
    return by_kinship((form for form in all_forms(bench.core.isa) if form not in asked), known)


@dataclass
class _Heart:
    """Ends a campaign when its time is up, and keeps the journal's clock going."""

    journal: Journal
    left: Callable[[], float]
    told: Callable[[str], None]
    part: str = ""
    _last: float | None = None

    def __call__(self, progress: Progress) -> None:
        left = self.left()
        self.told(f"forms: {progress.seen:,} of {progress.total:,} seen, {progress.form[:40]}")
        if left <= 0:
            raise _TimeUp
        if self._last is None or self._last - left >= _HEARTBEAT_SECONDS:
            self._last = left
            self.journal.add("forms", seen=progress.seen, **({"part": self.part} if self.part else {}))


def results_of(folder: Path) -> Results | None:
    """What the records say; None where there are none."""
    try:
        return read_results(folder / FILE)
    except (FileNotFoundError, InputError):
        return None


def rows_of(results: Results | None, base: Machine) -> list[Row]:
    """Rows on the ports of a model: measured ones, and those that follow for longer vectors.

    Where a write port limits stores, it is what a throughput of a cycle shows, and their own ports stay those of the
    model.
    """
    if results is None:
        return []
    limited = base.parameter("stores.write_unit") is not None and base.parameter("stores.joined_block_bytes")
    made = (row_of(result, base, results.ports.get(form)) for form, result in results.forms.items())
    rows = [row for row in made if row is not None and not (limited and _is_written_at_once(row))]
    rows = alike_rows(without_needless(rows, results.forms, base), base)
    return [*rows, *wider_rows(rows, base)]


def _is_written_at_once(row: Row) -> bool:
    """Whether a store takes the write port for a cycle, and its row holds other ports for that."""
    cycles = row.reciprocal_throughput_cycles
    return SCALED in row.source and is_store(row.form) and cycles is not None and abs(cycles - 1) <= _NEAR_ONE_CYCLE


def is_store(form: str) -> bool:
    """Whether the first operand, that instructions write as a rule, is memory."""
    return _STORE.search(form) is not None


def tally(results: Results | None, blocks: Sequence[Block]) -> Tally:
    wanted = wanted_forms(blocks)
    if results is None:
        return Tally(len(wanted), 0, 0, 0)
    unstable = sum(not each.throughput_stable for each in results.forms.values())
    absent = len(results.absent)
    return Tally(len(wanted), len(results.forms) + absent, absent, unstable, counted_reasons(results))
