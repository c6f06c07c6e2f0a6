"""Measurements as text."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.measure import Core, FormMeasurement, Interval, TimedKernel, Timing


def kernel_text(kernel: TimedKernel, timing: Timing, core: Core, instructions: int) -> str:
    """What timing one kernel gave; the time is divided among the instructions."""
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


def form_text(measured: FormMeasurement, with_kernels: bool = False) -> str:
    """Reciprocal throughput and latencies of one form, each with how it was found."""
    from corecast.measure.isa.forms import VALUE_WORDS

    lines = [measured.form, *_rows(measured, with_kernels)]
    for values, other in measured.others.items():
        rows = _rows(other, with_kernels, beside=measured)
        lines += [f"  with {VALUE_WORDS[values]}{'' if rows else ' the same'}", *rows]
    return "\n".join(lines) + "\n"


def _rows(measured: FormMeasurement, with_kernels: bool, beside: FormMeasurement | None = None) -> list[str]:
    """`beside`: only what differs from it."""
    from corecast.measure.record.interval import differs
    from corecast.measure.run.core import Timing

    usual = {} if beside is None else _cycles_by_name(beside)
    throughput = measured.throughput
    how = f"{throughput.instances} instances" + (
        f", dependency through {' and '.join(throughput.broken)} broken" if throughput.broken else ""
    )
    rows = [("reciprocal throughput", throughput.cycles, how, throughput.rejection, throughput.kernels)]
    for latency in measured.latencies:
        helpers = ", ".join(f"{name} {_cycles(cost)}" for name, cost in latency.helpers)
        how = f"{latency.method}, less {helpers}" if helpers else latency.method
        rows.append(
            (f"latency {latency.source} -> {latency.target}", latency.cycles, how, latency.rejection, latency.kernels)
        )
    lines = []
    for name, cycles, how, rejection, kernels in rows:
        if beside is not None and not differs(cycles, usual.get(name)):
            continue
        value = f"{_cycles(cycles):>12}   {how}" if rejection is None else rejection.message
        lines.append(f"  {name:24} {value}".rstrip())
        unstable = any(isinstance(timing, Timing) and not timing.stable for _, timing in kernels)
        if unstable and cycles is not None:
            lines[-1] += " (NOT STABLE)"
        if with_kernels:
            lines += [f"      {'; '.join(kernel.texts)}" for kernel, _ in kernels]
    return lines


def _cycles_by_name(measured: FormMeasurement) -> dict[str, Interval | None]:
    latencies = {f"latency {each.source} -> {each.target}": each.cycles for each in measured.latencies}
    return {"reciprocal throughput": measured.throughput.cycles, **latencies}


def _cycles(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    if interval.exact:
        return f"{interval.high:.2f}"
    return f"{interval.low:.2f} to {interval.high:.2f}"
