"""What is known of a value that may not be known exactly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    @property
    def exact(self) -> bool:
        return self.high - self.low < 0.1

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2
