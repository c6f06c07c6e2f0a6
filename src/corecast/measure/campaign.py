"""Measuring all forms of a core, one after the other; what a run has done, the next need not do again.

Forms come round by round: one of each mnemonic, the plainest first, so that a campaign that ends early has seen as
much as it could. Then comes a second look at each: what shares the core with us may slow code down so evenly that its
time is stable. What was not stable is measured again, and of several values the stable one, else the lowest, wins. What
forms take with operands that are rare in code waits for the second look.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.measure.judge.forms.links import Links
from corecast.measure.judge.forms.meter import FormMeter
from corecast.measure.questions.keys import parse_form
from corecast.measure.record.file import RecordWriter, form_record, link_record, read_records
from corecast.measure.record.measured import FormMeasurement
from corecast.measure.rejection import Reason, Rejection, rejection_of
from corecast.measure.run.cached_core import CachedCore
from corecast.measure.run.core import Core
from corecast.measure.run.entries import rejection_of_entry
from corecast.measure.thresholds import CAMPAIGN_BATCHES, CAMPAIGN_LOOKS, CAMPAIGN_TRIES


@dataclass
class Progress:
    """Of a campaign; times in seconds."""

    total: int
    done: int = 0
    """Forms that need nothing more, those of earlier runs included."""
    seen: int = 0
    """Those with a record; what is stable gets a second look, what is not several."""
    illegal: int = 0
    unstable: int = 0
    rejected: Counter[Reason] = field(default_factory=Counter)
    """Forms that the core has and whose throughput has no value, by why."""
    elapsed: float = 0.0
    left: float = 0.0
    form: str = ""


@dataclass(frozen=True)
class Seen:
    """What the records say of a form."""

    stable: bool
    illegal: bool
    tries: int
    reason: Reason | None = None
    """Why there is no throughput."""


@dataclass
class Campaign:
    """Forms to measure on a core, and the file that their records go to."""

    core: Core
    path: Path
    forms: Sequence[str]
    """In the order of measuring."""
    budget_seconds: float | None = None
    batches: Callable[[int], None] = lambda batches: None
    """Told how many batches of samples a kernel may have: few at first, as what is not stable gets another try."""
    report: Callable[[Progress], None] = lambda progress: None
    tries: int = CAMPAIGN_TRIES
    """At what is not stable, at most."""

    def run(self) -> Progress:
        """Measures until all is done or the budget is spent.

        Raises:
            OSError: the records cannot be written.
            InputError: the file is no record file.
            KeyboardInterrupt: nothing is lost.
        """
        core = CachedCore(self.core)
        seen = seen_forms(self.path, core)
        meter = FormMeter(core, Links(self.core))
        writer = RecordWriter(self.path)
        start = time.monotonic()
        progress = Progress(total=len(self.forms))
        for form in self.forms:
            _count(progress, seen.get(form), +1)
        equations = records = 0
        try:
            while True:
                waiting = [form for form in self.forms if _waits(seen.get(form), self.tries)]
                tries = min((_tries(seen.get(form)) for form in waiting), default=0)
                turn = [form for form in waiting if _tries(seen.get(form)) == tries]
                self.batches(CAMPAIGN_BATCHES[min(tries, len(CAMPAIGN_BATCHES) - 1)])
                core.again = tries > 0
                for form in turn:
                    self._tell(progress, form, start, records, len(waiting))
                    if self.budget_seconds is not None and progress.elapsed >= self.budget_seconds:
                        return progress
                    measured = self._measure(meter, form, rare=tries > 0)
                    writer.add(form_record(measured, self.core))
                    for equation in meter.links.equations[equations:]:
                        writer.add(link_record(equation, self.core))
                    equations = len(meter.links.equations)
                    _count(progress, seen.get(form), -1)
                    why = measured.throughput.rejection
                    seen[form] = Seen(measured.stable, measured.illegal, tries + 1, None if why is None else why.reason)
                    _count(progress, seen[form], +1)
                    records += 1
                if not turn:
                    self._tell(progress, "", start, records, 0)
                    return progress
        finally:
            writer.close()

    def _tell(self, progress: Progress, form: str, start: float, records: int, waiting: int) -> None:
        progress.elapsed = time.monotonic() - start
        progress.left = progress.elapsed / records * max(0, waiting - records) if records else 0.0
        if self.budget_seconds is not None:
            progress.left = min(progress.left, max(0.0, self.budget_seconds - progress.elapsed))
        progress.form = form
        self.report(progress)

    def _measure(self, meter: FormMeter, form: str, *, rare: bool) -> FormMeasurement:
        try:
            return meter.measure(parse_form(form, self.core.isa), rare=rare)
        except InputError as error:
            return FormMeasurement.impossible(form, rejection_of(error))
        except Exception as error:  # of one form: the others can still be measured
            return FormMeasurement.impossible(form, Rejection(Reason.BROKEN, f"{type(error).__name__}: {error}"))


def _count(progress: Progress, seen: Seen | None, step: int) -> None:
    if seen is None:
        return
    progress.done += step * (not _waits(seen))
    progress.seen += step
    progress.illegal += step * seen.illegal
    progress.unstable += step * (not seen.stable)
    if seen.reason is not None and not seen.illegal:
        progress.rejected[seen.reason] += step


def _tries(seen: Seen | None) -> int:
    return 0 if seen is None else seen.tries


def _waits(seen: Seen | None, tries: int = CAMPAIGN_TRIES) -> bool:
    if seen is None:
        return True
    return not seen.illegal and seen.tries < (CAMPAIGN_LOOKS if seen.stable else tries)


def seen_forms(path: Path, core: CachedCore) -> dict[str, Seen]:
    """What a record file says of the forms of this core, which learns the timings.

    Raises:
        InputError: it is not a record file.
    """
    seen: dict[str, Seen] = {}
    if not path.exists():
        return seen
    for record in read_records(path):
        if record["kind"] == "form" and record["cpu"] == core.name:
            before = seen.get(record["form"])
            why = rejection_of_entry(record["throughput"])
            tries = 1 + (before.tries if before else 0)
            reason = None if why is None else why.reason
            seen[record["form"]] = Seen(record["stable"], record["illegal"], tries, reason)
            core.learn(record)
    return seen
