"""How the time of a calibration is divided, and what the user asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corecast.dataclass import dataclass, field
from corecast.hints import Literal

Step = Literal["identify", "validate", "pipeline", "forms", "fit"]
STEPS: tuple[Step, ...] = ("identify", "validate", "pipeline", "forms", "fit")
SHARES: dict[Step, float] = {"identify": 0.05, "validate": 0.25, "pipeline": 0.15, "forms": 0.55}
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
    """Seconds that are left, over all runs that the journal tells of."""

    seconds: float
    now: Callable[[], float]
    spent_before: float = 0.0
    _start: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._start = self.now()

    @property
    def spent(self) -> float:
        return self.spent_before + self.now() - self._start

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    def until(self, step: Step) -> float:
        """Seconds that are left until a step has to end."""
        if step == "fit":
            return self.left
        fit = min(FIT_SHARE * self.seconds, MOST_FIT_SECONDS)
        before = sum(SHARES[each] for each in STEPS[: STEPS.index(step) + 1])
        return before / sum(SHARES.values()) * (self.seconds - fit) - self.spent
