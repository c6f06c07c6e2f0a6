"""Measurements as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.measure import Core, TimedKernel, Timing


def kernel_text(kernel: TimedKernel, timing: Timing, core: Core, instructions: int) -> str:
    """What timing one kernel gave; the time is shared out among so many instructions."""
    what = "iteration" if kernel.is_loop else "execution"
    lines = [
        f"{timing.cycles:.3f} cycles per {what}, {timing.cycles / instructions:.3f} per instruction ({instructions})",
        f"quartiles {timing.low_cycles:.3f} to {timing.high_cycles:.3f}; {sample_words(timing)}",
        f"{core.name}; clock {core.clock}, {timing.ticks_per_cycle:.4g} ticks per cycle",
    ]
    if not timing.stable:
        lines.append("NOT STABLE: batches of samples do not agree; the machine is busy, or the code's time varies")
    return "\n".join(lines) + "\n"


def sample_words(timing: Timing) -> str:
    lost = ", ".join(f"{count} {reason}" for reason, count in timing.lost.items() if count) or "none lost"
    return f"{timing.samples} samples in {timing.batches} batches, {lost}"
