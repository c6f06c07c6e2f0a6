"""Choosing the model: of the candidates, the one with the smallest error on the code that is there to fit.

Code that is held back is never looked at. A change counts where it is clearly better, and makes no kind of code worse.
Rows are inferred on the ports of the model that they are for: one port less for loads and loads that hold their ports
for longer explain the same times, but not both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path

from corecast.calibrate.choices import UNITS, Option, options
from corecast.calibrate.code import forms_of
from corecast.calibrate.draft import Draft
from corecast.calibrate.rows import is_store
from corecast.calibrate.score import LEAST_GAIN, Score, Timed, score
from corecast.dataclass import dataclass, field, replace
from corecast.errors import CorecastError
from corecast.hints import Any
from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.pattern import lazy_pattern

ROUNDS = 2
"""Over the open parameters, at most, each time: one may make another worthwhile."""
DOUBTED_ROUNDS, MOST_DOUBTED = 3, 0.5
"""Rounds in which rows that make code worse are set aside, and the largest part of them that may be."""
_WORSE = 0.02
"""By how much the error of the code with a form rises on average where its row is in doubt."""
_NOT_BAD = 0.003
"""An error that no other parameter needs to explain."""
START = "start"
_VECTOR = lazy_pattern(r"\b([xyz]?mm|k)\b")
_MEMORY = lazy_pattern(r"\bm\d+")


@dataclass(frozen=True)
class Chosen:
    """An open parameter that was chosen by error."""

    name: str
    settings: Mapping[str, Any]
    before: float
    after: float
    """Mean error on the fit part, without and with it."""


@dataclass(frozen=True)
class Candidate:
    """A draft with its score, and how it came about."""

    draft: Draft
    score: Score
    chosen: tuple[Chosen, ...] = ()


@dataclass(frozen=True)
class Fit:
    """The model, and how it came about."""

    draft: Draft
    base: str
    """The candidate that it was made from."""
    candidates: Mapping[str, Score]
    chosen: Sequence[Chosen]
    set_aside: Sequence[str]
    """Forms whose measured rows made code worse."""
    final: Score
    finished: bool
    """Whether there was time to try everything."""


@dataclass
class Fitter:
    """Scores drafts; broken ones are never better."""

    timed: Sequence[Timed]
    folder: Path
    """For tables."""
    rows_on: Callable[[Machine], Sequence[Row]]
    """The measured rows, on the ports of a model."""
    left: Callable[[], float]
    _finished: bool = field(default=True, init=False)

    def fit(self, start: Machine, measured: Sequence[Mapping[str, Any]]) -> Fit:
        """
        Args:
            start: the model to start from.
            measured: parameters that were measured, those of one experiment together; later ones count more.
        """
        settings = merged(measured)
        first = self._candidate(Draft(start))
        if first is None or not self.timed:
            plain = Draft(start)
            return Fit(plain, START, {}, (), (), score(start, ()), finished=not self.timed)
        candidates = self._candidates(first, measured)
        allowed = {name: each for name, each in candidates.items() if not each.score.worse_on(first.score)}
        base = min(allowed, key=lambda name: allowed[name].score.mean)
        best = allowed[base]
        best = self._without_groups(best)
        best = self._reverted(best, settings)
        best = self._open(best)
        set_aside = self._set_aside(best.draft)
        scores = {name: each.score for name, each in candidates.items()}
        return Fit(best.draft, base, scores, best.chosen, set_aside, best.score, self._finished)

    def _set_aside(self, draft: Draft) -> list[str]:
        """Forms whose rows the draft could have and has not. What follows for one candidate need not for another."""
        if not draft.rows:
            return []
        every = self.rows_on(replace(draft, rows=()).machine(self.folder))
        return sorted({row.form for row in every} - {row.form for row in draft.rows})

    def _candidate(self, draft: Draft, chosen: tuple[Chosen, ...] = ()) -> Candidate | None:
        """None where the model cannot be made."""
        try:
            return Candidate(draft, score(draft.machine(self.folder), self.timed), chosen)
        except CorecastError:
            return None

    def _candidates(self, first: Candidate, measured: Sequence[Mapping[str, Any]]) -> dict[str, Candidate]:
        found = {START: first}
        plain = first
        if (complete := self._with_pipeline(first, measured)) is not None:
            found["pipeline"] = complete
            plain = self._without_harmful(complete, first, measured)
            if plain not in (complete, first):
                found["part of the pipeline"] = plain
        for name, known in tuple(found.items()):
            if (with_rows := self._with_rows(known)) is not None:
                found["rows" if name == START else f"{name} and rows"] = with_rows
        opened = self._open(plain)
        if opened.chosen:
            found["parameters"] = opened
            if (with_rows := self._with_rows(opened)) is not None:
                found["parameters and rows"] = with_rows
        if (with_units := self._with_units(plain)) is not None:
            found["units and rows"] = with_units
        return found

    def _with_pipeline(self, first: Candidate, measured: Sequence[Mapping[str, Any]]) -> Candidate | None:
        return self._candidate(first.draft.with_settings(merged(measured))) if any(measured) else None

    def _without_harmful(
        self, complete: Candidate, first: Candidate, measured: Sequence[Mapping[str, Any]]
    ) -> Candidate:
        """The candidate without the experiments whose parameters make a kind of code worse, so that open parameters and
        units are tried with all the others. `first` where leaving out single experiments does not help."""
        best, kept = complete, list(measured)
        while bad := best.score.worse_on(first.score):
            part = [each for each in self.timed if each.block.kind in bad]
            error = best.score.mean_of(bad)
            fewer = [[other for other in kept if other is not each] for each in kept]
            errors = [self._error(first.draft.with_settings(merged(each)), part) for each in fewer]
            least = min(errors, default=error)
            if least >= error or not self._has_time():
                return first
            kept = fewer[errors.index(least)]
            reduced = self._with_pipeline(first, kept)
            if reduced is None:
                return first
            best = reduced
        return best

    def _error(self, draft: Draft, part: Sequence[Timed]) -> float:
        """The mean error of a part of the code; infinite where the model cannot be made."""
        try:
            return score(draft.machine(self.folder), part).mean
        except CorecastError:
            return inf

    def _with_units(self, plain: Candidate) -> Candidate | None:
        """The best number of units, of all with rows on their ports: without rows, units are hardly told apart."""
        best: Candidate | None = None
        for option in options(plain.draft.start):
            if _key(option.name) != UNITS or not self._has_time():
                continue
            made = self._candidate(plain.draft.with_settings(option.settings))
            tried = None if made is None else self._with_rows(made)
            if tried is not None and (best is None or tried.score.mean < best.score.mean):
                told = Chosen(option.name, option.settings, plain.score.mean, tried.score.mean)
                best = replace(tried, chosen=(told,))
        return best

    def _with_rows(self, plain: Candidate) -> Candidate | None:
        """With the measured rows but those that make the code with their forms worse: candidates are compared with
        what is good in their rows."""
        try:
            rows = self.rows_on(plain.draft.machine(self.folder))
        except CorecastError:
            return None
        best = self._candidate(replace(plain.draft, rows=rows), plain.chosen) if rows else None
        for _ in range(DOUBTED_ROUNDS if best is not None else 0):
            if not self._has_time() or best is None:
                break
            bad = _worse_forms(self.timed, plain.score, best.score, best.draft.rows)
            kept = [row for row in best.draft.rows if row.form not in bad]
            if not bad or len(kept) < MOST_DOUBTED * len(best.draft.rows):
                break
            fewer = self._candidate(replace(best.draft, rows=kept), best.chosen)
            if fewer is None or fewer.score.gain(best.score) <= 0:
                break
            best = fewer
        return best

    def _without_groups(self, best: Candidate) -> Candidate:
        """Sets aside the rows of a group of forms where code is clearly better without."""
        for group in sorted({_group(row.form) for row in best.draft.rows}):
            if not self._has_time():
                break
            kept = [row for row in best.draft.rows if _group(row.form) != group]
            best = self._better(best, replace(best.draft, rows=kept))
        return best

    def _reverted(self, best: Candidate, settings: Mapping[str, Any]) -> Candidate:
        """Measured parameters that make code clearly worse keep the start model's values."""
        for key in [key for key in settings if key in best.draft.settings]:
            if not self._has_time():
                break
            best = self._better(best, best.draft.without([key]))
        return best

    def _better(self, best: Candidate, draft: Draft) -> Candidate:
        found = self._candidate(draft, best.chosen)
        return found if found is not None and found.score.is_clearly_better(best.score) else best

    def _open(self, best: Candidate) -> Candidate:
        """Parameters that were not measured, by error."""
        groups = _groups(options(best.draft.start))
        for _ in range(ROUNDS):
            before = best
            for key, group in groups.items():
                if not self._has_time():
                    return best
                best = self._best_of(best, key, group)
            if best is before:
                break
        return best

    def _best_of(self, best: Candidate, key: str, group: Sequence[Option]) -> Candidate:
        """The best of options that exclude each other, where it is clearly better than none."""
        others = tuple(each for each in best.chosen if _key(each.name) != key)
        found = best
        for option in group:
            if best.draft.has(option.settings):
                continue
            tried = self._promising(best, best.draft.with_settings(option.settings))
            if tried is None or not tried.score.is_clearly_better(best.score):
                continue
            if found is best or tried.score.mean < found.score.mean:
                told = Chosen(option.name, option.settings, best.score.mean, tried.score.mean)
                found = replace(tried, chosen=(*others, told))
        return found

    def _promising(self, best: Candidate, draft: Draft) -> Candidate | None:
        """None where the code that is predicted badly is not predicted better: the rest, most of it, need not be
        asked."""
        bad = [each for each, error in zip(self.timed, best.score.errors, strict=True) if error > _NOT_BAD]
        before = sum(error for error in best.score.errors if error > _NOT_BAD)
        try:
            after = sum(score(draft.machine(self.folder), bad).errors)
        except CorecastError:
            return None
        if before - after < LEAST_GAIN * sum(best.score.errors):
            return None
        return self._candidate(draft)

    def _has_time(self) -> bool:
        self._finished = self._finished and self.left() > 0
        return self._finished


def merged(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What several experiments say together."""
    return {key: value for each in measured for key, value in each.items()}


def _key(name: str) -> str:
    return name.split(" ")[0]


def _groups(tried: Sequence[Option]) -> dict[str, list[Option]]:
    """Options that exclude each other."""
    groups: dict[str, list[Option]] = {}
    for option in tried:
        groups.setdefault(_key(option.name), []).append(option)
    return groups


def _group(form: str) -> str:
    """What kind of form it is: rows of a kind may all be wrong in the same way."""
    registers = "vector" if _VECTOR.search(form) else "general"
    memory = "store" if is_store(form) else "load" if _MEMORY.search(form) else "registers"
    return f"{registers} {memory}"


def _worse_forms(timed: Sequence[Timed], before: Score, after: Score, rows: Sequence[Row]) -> set[str]:
    """Forms with measured rows whose code has larger errors with them."""
    measured = {row.form for row in rows}
    rises: dict[str, list[float]] = {}
    for each, old, new in zip(timed, before.errors, after.errors, strict=True):
        if old == new:
            continue
        for form in forms_of(each.block.hex):
            if form in measured:
                rises.setdefault(form, []).append(new - old)
    return {form for form, found in rises.items() if sum(found) / len(found) > _WORSE}
