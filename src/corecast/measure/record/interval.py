"""What is known of a value that may not be known exactly."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.measure.thresholds import INTERVAL_SAME_CYCLES, INTERVAL_SAME_RELATIVE, INTERVAL_WHOLE


@dataclass(frozen=True)
class Interval:
    """A value in cycles that lies between two ends."""

    low: float
    """The least value."""
    high: float
    """The greatest value."""

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    @property
    def exact(self) -> bool:
        """Whether both ends are less than 0.1 cycles apart."""
        return self.high - self.low < 0.1

    @property
    def whole(self) -> bool:
        """Whether its upper end is a whole number of cycles, as far as can be measured."""
        return abs(self.high - round(self.high)) <= INTERVAL_WHOLE

    @property
    def middle(self) -> float:
        """Halfway between both ends."""
        return (self.low + self.high) / 2

    def meets(self, other: Interval) -> bool:
        """Whether both may be the same cycles."""
        margin = max(INTERVAL_SAME_CYCLES, INTERVAL_SAME_RELATIVE * max(self.high, other.high))
        return self.low <= other.high + margin and other.low <= self.high + margin


def differs(cycles: Interval | None, usual: Interval | None) -> bool:
    """Whether cycles are known, and are not the usual ones."""
    return cycles is not None and (usual is None or not cycles.meets(usual))
