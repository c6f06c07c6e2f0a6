"""How the time of a calibration is divided, and what the user asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from corecast.dataclass import dataclass, field
from corecast.hints import Literal

Step = Literal["identify", "validate", "rules", "pipeline", "forms", "again", "fit"]
STEPS: tuple[Step, ...] = ("identify", "validate", "rules", "pipeline", "forms", "again", "fit")
SHARES: dict[Step, float] = {
    "identify": 0.05,
    "validate": 0.25,
    "rules": 0.07,
    "pipeline": 0.08,
    "forms": 0.47,
    "again": 0.08,
}
"""Of the time; the rest is for fitting. What a step leaves goes to the next one."""
FIT_SHARE, MOST_FIT_SECONDS = 0.1, 90.0
LEAST_SECONDS, DEFAULT_SECONDS = 30.0, 3600.0
"""Of a budget: below the least nothing can be said."""


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    seconds: float = DEFAULT_SECONDS
    hidden: Sequence[str] = ()
    """Names of models that count as if they did not exist."""
    pipeline_of: str | None = None
    """Name or folder of the model to start from; None: the nearest one."""


@dataclass
class Budget:
    """Seconds that are left, over all runs that the journal tells of.

    What a step may use is its share and what the steps before it have left of theirs, less what it used in earlier
    runs: more time for a calibration that had ended is for all steps.
    """

    seconds: float
    now: Callable[[], float]
    spent_before: Mapping[Step, float] = field(default_factory=dict)
    """In earlier runs."""
    _here: dict[Step, float] = field(default_factory=dict, init=False)
    """In this run, of steps that have ended."""
    _step: Step = field(default=STEPS[0], init=False)
    _entered: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._entered = self.now()

    def enter(self, step: Step) -> None:
        """What is spent from now on is spent on this step."""
        self._here[self._step] = self._here.get(self._step, 0.0) + self.now() - self._entered
        self._step, self._entered = step, self.now()

    @property
    def spent(self) -> float:
        return self._spent_on(STEPS)

    def _spent_on(self, steps: Sequence[Step]) -> float:
        before = sum(self.spent_before.get(step, 0.0) + self._here.get(step, 0.0) for step in steps)
        return before + (self.now() - self._entered if self._step in steps else 0.0)

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    @property
    def fit_seconds(self) -> float:
        """That are kept for fitting."""
        return min(FIT_SHARE * self.seconds, MOST_FIT_SECONDS)

    @property
    def left_of_step(self) -> float:
        """Seconds until the present step has to end."""
        if self._step == "fit":
            return self.left
        steps = STEPS[: STEPS.index(self._step) + 1]
        share = sum(SHARES[step] for step in steps) / sum(SHARES.values())
        own = share * (self.seconds - self.fit_seconds) - self._spent_on(steps)
        return min(own, self.left - self.fit_seconds)
