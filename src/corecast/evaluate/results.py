"""What an evaluation found: every predictor's answers and errors, and where two of them contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest

from corecast.dataclass import dataclass, field
from corecast.evaluate.cases import Answers, Cases
from corecast.evaluate.metrics import Metrics, Weighted
from corecast.evaluate.predictors import Setting
from corecast.views import Viewed


@dataclass(frozen=True)
class Disagreement:
    """A block about which two predictors contradict each other, and none of its parts does."""

    first: str
    """Name of a predictor."""
    second: str
    """Name of the other predictor."""
    first_cycles: float
    """Core cycles per iteration that `first` predicts."""
    second_cycles: float
    """Core cycles per iteration that `second` predicts."""
    code: str
    """The block as hexadecimal digits."""
    lines: tuple[str, ...]
    """Its instructions as text."""
    found: int
    """How many candidates came down to these instruction forms."""


@dataclass(frozen=True)
class Result:
    """One predictor's answers and errors."""

    name: str
    """Of the predictor."""
    description: str
    """What it does, in a phrase."""
    answers: Answers
    """One for each case."""
    metrics: Metrics
    """Errors over all cases."""
    by_group: dict[str, Metrics]
    """Errors by application."""
    seconds: float
    """Time that the predictor took, in seconds."""
    by_facet: dict[str, dict[str, Metrics]] = field(default_factory=dict)
    """Metrics by the labels of each facet (traits.py)."""
    weighted: dict[str, Weighted] = field(default_factory=dict)
    """Where execution counts are known: by group, and of all cases under ""."""
    step: str = ""
    """What it adds to the predictor before it, where it is a step of an ablation."""

    def worst(self, measured: Sequence[float], count: int) -> list[int]:
        """Places of the `count` largest errors relative to `measured`, largest first."""

        def error(place: int) -> float:
            return abs(self.answers.cycles[place] - measured[place]) / measured[place]

        return nlargest(count, filter(self.answers.counts, range(len(measured))), key=error)


@dataclass(frozen=True)
class Evaluation(Viewed):
    """Everything `corecast evaluate` knows; the modules that write it down only format it."""

    cases: Cases
    """What was measured."""
    setting: Setting
    """Core, mode and threads."""
    results: tuple[Result, ...] = field(default=())
    """One for each predictor, in the order in which they were named."""
    disagreements: tuple[Disagreement, ...] = field(default=())
    """Minimal blocks about which two predictors disagree, where they were searched for."""

    def __repr__(self) -> str:
        return f"<Evaluation of {len(self.cases)} cases: {', '.join(result.name for result in self.results)}>"

    @property
    def tools(self) -> tuple[Result, ...]:
        """The results without the steps that lead to the last one of an ablation."""
        steps = [result for result in self.results if result.step]
        return tuple(result for result in self.results if result not in steps[:-1])
