"""Errors of drafts on timed code."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from corecast.calibrate.code import KINDS, Block, Kind
from corecast.dataclass import dataclass
from corecast.machine.types import Machine
from corecast.prediction import predict

NO_ANSWER = 1.0
"""The error of code that a model has no answer for; no other error counts more."""
SURE, SURE_ENOUGH = 2.0, 2.4
"""Standard errors by which a difference is more than chance: of one comparison, and of the best of many."""
_SAME = 1e-4
"""Of an error: nothing changed."""
LEAST_GAIN = 0.01
"""Of the error: less is no clear improvement, however sure."""


@dataclass(frozen=True)
class Timed:
    """A block and its cycles on the core."""

    block: Block
    cycles: float
    register_step: int = 0
    """Where registers pointed (`corecast.predict`)."""


@dataclass(frozen=True)
class Score:
    """Errors, one for each block, in their order."""

    kinds: Sequence[Kind]
    errors: array[float]

    @property
    def mean(self) -> float:
        return sum(self.errors) / len(self.errors) if self.errors else 0.0

    def by_kind(self) -> Mapping[Kind, float]:
        found: dict[Kind, list[float]] = {}
        for kind, error in zip(self.kinds, self.errors, strict=True):
            found.setdefault(kind, []).append(error)
        return {kind: sum(found[kind]) / len(found[kind]) for kind in KINDS if kind in found}

    def mean_of(self, kinds: Collection[Kind]) -> float:
        """Of the code of these kinds."""
        errors = [error for kind, error in zip(self.kinds, self.errors, strict=True) if kind in kinds]
        return sum(errors) / len(errors) if errors else 0.0

    def gain(self, before: Score) -> float:
        """By how much the mean error is lower."""
        return before.mean - self.mean

    def is_clearly_better(self, before: Score) -> bool:
        """By more than chance, and on no kind of code worse by more than chance."""
        if self.gain(before) < LEAST_GAIN * before.mean:
            return False
        gains = [b - a for a, b in zip(self.errors, before.errors, strict=True)]
        return _is_sure(gains, SURE_ENOUGH) and not self.worse_on(before)

    def worse_on(self, before: Score) -> list[Kind]:
        """Kinds of code whose error is higher by more than chance."""
        found = []
        for kind in dict.fromkeys(self.kinds):
            rises = [a - b for each, a, b in zip(self.kinds, self.errors, before.errors, strict=True) if each == kind]
            if _is_sure(rises):
                found.append(kind)
        return found


def _is_sure(differences: Sequence[float], errors: float = SURE) -> bool:
    """Whether the mean of those that are not 0 is above 0 by more than that many standard errors.

    One more, of 0, is counted among them: one block proves nothing, two that agree do.
    """
    changed = [each for each in differences if abs(each) > _SAME]
    total = sum(changed)
    if total <= 0:
        return False
    count = len(changed) + 1
    mean = total / count
    deviation = sqrt((sum((each - mean) ** 2 for each in changed) + mean**2) / count)
    return total > errors * deviation * sqrt(count)


def score(machine: Machine, timed: Sequence[Timed]) -> Score:
    """The error of a model on each block."""
    errors = array("d", bytes(8 * len(timed)))
    for kind in KINDS:
        places = [place for place, each in enumerate(timed) if each.block.kind == kind]
        if not places:
            continue
        codes = [timed[place].block.hex for place in places]
        addresses = [timed[place].block.address for place in places]
        steps = [timed[place].register_step for place in places]
        mode = timed[places[0]].block.mode
        found = predict(codes, machine, mode, "simulate", addresses=addresses, register_steps=steps)
        for place, cycles, status in zip(places, found.cycles, found.statuses, strict=True):
            measured = timed[place].cycles
            errors[place] = min(abs(cycles - measured) / measured, NO_ANSWER) if status == "ok" else NO_ANSWER
    return Score([each.block.kind for each in timed], errors)
