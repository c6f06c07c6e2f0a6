"""Timings of mixtures on one core, each taken once."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Sequence

from corecast.dataclass import dataclass, field, replace
from corecast.measure.plan.kernels import TimedKernel, is_dense, spread
from corecast.measure.plan.ports.mixtures import Part, mixture
from corecast.measure.plan.ports.templates import Template
from corecast.measure.rejection import CannotMeasureError, Rejection
from corecast.measure.run.core import Core, Outcome, Timing
from corecast.measure.thresholds import (
    READINGS_ALONE,
    READINGS_ATTEMPTS,
    READINGS_FIRST_LOOKS,
    READINGS_MOST_INSTRUCTIONS,
    READINGS_PAUSE_SECONDS,
    READINGS_QUIET,
    READINGS_REPEATS,
    READINGS_SAME,
    READINGS_TOO_FAST,
    READINGS_UNEVEN_CYCLES,
)


@dataclass(frozen=True)
class Reading:
    """A mixture and what it took."""

    parts: tuple[Part, ...]
    kernel: TimedKernel
    timing: Timing
    repeats: int = 1
    """How often the kernel holds the mixture."""

    @property
    def cycles(self) -> float:
        return self.timing.cycles / self.repeats

    @property
    def uneven_cycles(self) -> float:
        """By so much, at most, the figure may be off."""
        return abs(self.timing.overhead_cycles) / (self.timing.copies[0] * self.repeats)

    @property
    def described(self) -> str:
        return described(self.parts)


def described(parts: Sequence[Part]) -> str:
    return " + ".join(f"{part.count} x {part.template.key}" for part in parts)


@dataclass
class Readings:
    """Times mixtures; the same one is timed once."""

    core: Core
    canary: TimedKernel | None = None
    """Code that fills the core in every part: it is the first to slow down when something shares the core."""
    _looks: list[float] = field(default_factory=list)
    """Cycles of the canary, ascending."""
    _known: dict[tuple[tuple[str, int, int], ...], Reading | Rejection] = field(default_factory=dict)
    _sparse: dict[str, bool] = field(default_factory=dict)
    """Whether a form is timed in sparse code, of which decoders take less than of dense one."""
    taken: int = 0
    """Kernels that were timed."""

    def of(self, parts: Sequence[Part]) -> Reading:
        """
        Raises:
            CannotMeasureError: there is no kernel, or it failed.
        """
        key = _key(parts)
        if key not in self._known:
            self._known[key] = self._even(parts)
        found = self._known[key]
        if isinstance(found, Rejection):
            raise CannotMeasureError(found.reason, found.detail, where=described(parts))
        return found

    def again(self, parts: Sequence[Part]) -> Reading:
        """The mixture timed once more; the faster timing counts, for others on the machine only slow code down.

        Raises:
            CannotMeasureError: there is no kernel, or it failed.
        """
        old = self.of(parts)
        timing = self._undisturbed(old.kernel)
        if isinstance(timing, Timing) and timing.cycles < old.cycles:
            self._known[_key(parts)] = replace(old, timing=timing)
        return self.of(parts)

    def watch(self, parts: Sequence[Part]) -> None:
        """From now on a mixture shows whether the core is shared."""
        self.canary = mixture(parts)
        looks = [self.core.time(self.canary) for _ in range(READINGS_FIRST_LOOKS)]
        self._looks = sorted(look.cycles for look in looks if isinstance(look, Timing))

    def _even(self, parts: Sequence[Part]) -> Reading | Rejection:
        best: Reading | None = None
        instructions = sum(part.count for part in parts)
        for repeats in READINGS_REPEATS:
            if best is not None and repeats * instructions > READINGS_MOST_INSTRUCTIONS:
                break
            kernel = mixture([replace(part, count=repeats * part.count) for part in parts])
            if any(self._sparse.get(part.template.key) for part in parts):
                kernel = spread(kernel)
            self.taken += 1
            timing = self._undisturbed(kernel)
            if isinstance(timing, Rejection):
                return best or timing
            reading = Reading(tuple(parts), kernel, timing, repeats)
            if best is None or reading.uneven_cycles < best.uneven_cycles:
                best = reading
            if reading.uneven_cycles <= READINGS_UNEVEN_CYCLES:
                break
        assert best is not None
        return best

    def _undisturbed(self, kernel: TimedKernel) -> Outcome:
        """The fastest of several timings, until one was taken while the core was not shared."""
        best: Timing | None = None
        for attempt in range(READINGS_ATTEMPTS):
            if attempt:
                time.sleep(READINGS_PAUSE_SECONDS * attempt)
            timing = self.core.time(kernel)
            if isinstance(timing, Rejection):
                return timing
            if best is None or timing.cycles < best.cycles:
                best = timing
            if timing.stable and not self._is_shared():
                break
        assert best is not None
        return best

    def _is_shared(self) -> bool:
        if self.canary is None:
            return False
        timing = self.core.time(self.canary)
        if isinstance(timing, Rejection):
            return False
        insort(self._looks, timing.cycles)
        quiet = self._looks[int(len(self._looks) * READINGS_TOO_FAST)]
        return timing.cycles > quiet * (1 + READINGS_QUIET)

    def alone(self, template: Template) -> float:
        """Cycles of one of many instances of a form; mixtures with it are in sparse code from then on, if it takes less
        there."""
        parts = [Part(template, READINGS_ALONE, READINGS_ALONE)]
        found = self.of(parts)
        if template.key not in self._sparse:
            self._sparse[template.key] = False
            if is_dense(found.kernel):
                kernel = spread(found.kernel)
                timing = self._undisturbed(kernel)
                if isinstance(timing, Timing) and timing.cycles < found.timing.cycles * (1 - READINGS_SAME):
                    self._sparse[template.key] = True
                    self._known[_key(parts)] = replace(found, kernel=kernel, timing=timing)
        return self.of(parts).cycles / READINGS_ALONE


def _key(parts: Sequence[Part]) -> tuple[tuple[str, int, int], ...]:
    return tuple((part.template.key, part.count, part.targets) for part in parts)
