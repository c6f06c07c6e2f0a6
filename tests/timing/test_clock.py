"""What a timer remembers of how fast its core is when it is left alone."""

from __future__ import annotations

from types import SimpleNamespace

from corecast.timing.timer import Clock


def looked(clock: Clock, witness: float) -> None:
    estimate = SimpleNamespace(kept=50, at_known_rate=True, stable=True, ticks_per_cycle=0.65, witness_cycles=witness)
    clock.remember(estimate)  # type: ignore[arg-type]


def test_a_witness_that_was_too_fast_by_chance_makes_no_other_slow() -> None:
    """All later blocks would be taken for disturbed."""
    clock = Clock()
    for _ in range(10):
        looked(clock, 3000.0)
    looked(clock, 2150.0)
    assert clock.witness == 3000.0


def test_a_core_that_is_left_alone_only_later_is_known_then() -> None:
    clock = Clock()
    looked(clock, 3900.0)
    assert clock.witness == 3900.0
    looked(clock, 3000.0)
    assert clock.witness == 3000.0
