"""Kernels and their timings as parts of records: JSON, and timings back from it."""

from __future__ import annotations

from collections.abc import Mapping

from corecast.hints import Any
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.run.core import Failure, Timing

_DIGITS = 5


def rounded(value: float) -> float:
    return round(value, _DIGITS)


def kernel_entry(kernel: TimedKernel) -> dict[str, Any]:
    values = kernel.values
    return {
        "text": list(kernel.texts),
        "hex": kernel.code.hex(),
        "setting": kernel.setting.hex(),
        "loop": kernel.is_loop,
        "counter": kernel.counter,
        "keeps_flags": kernel.keeps_flags,
        **({"most_iterations": kernel.most_iterations} if kernel.most_iterations else {}),
        **({"data_pages": kernel.data_pages} if kernel.data_pages > 1 else {}),
        "values": {
            "general": {str(number): value for number, value in values.general.items()},
            "vector": {str(number): value for number, value in values.vector.items()},
            "mask": {str(number): value for number, value in values.mask.items()},
            "pointers": values.pointers,
            "vector_bytes": values.vector_bytes,
            **({"mmx": True} if values.mmx else {}),
            **({"x87_depth": values.x87_depth} if values.x87_depth else {}),
            **({"tiles": True} if values.tiles else {}),
            **({} if values.memory is None else {"memory": values.memory}),
        },
    }


def timing_entry(timing: Timing) -> dict[str, Any]:
    failure = timing.failure
    return {
        "cycles": rounded(timing.cycles) if timing.ok else None,
        "low_cycles": rounded(timing.low_cycles) if timing.ok else None,
        "high_cycles": rounded(timing.high_cycles) if timing.ok else None,
        "samples": timing.samples,
        "lost": dict(timing.lost),
        "batches": timing.batches,
        "stable": timing.stable,
        "ticks_per_cycle": rounded(timing.ticks_per_cycle),
        "copies": list(timing.copies),
        "iterations": timing.iterations,
        "conditions": dict(timing.conditions),
        "error": None if failure is None else _failure_entry(failure),
    }


def _failure_entry(failure: Failure) -> dict[str, str]:
    return {
        "kind": failure.kind,
        "message": failure.message,
        **({"signal": failure.signal} if failure.signal else {}),
    }


def timing_of_entry(entry: Mapping[str, Any]) -> Timing:
    """What `timing_entry` wrote."""
    error = entry["error"]
    failure = None
    if error is not None:
        failure = Failure(error["kind"], error["message"], error.get("signal", ""))
    return Timing(
        cycles=entry["cycles"] or 0.0,
        low_cycles=entry["low_cycles"] or 0.0,
        high_cycles=entry["high_cycles"] or 0.0,
        samples=entry["samples"],
        lost=entry["lost"],
        batches=entry["batches"],
        stable=entry["stable"],
        ticks_per_cycle=entry["ticks_per_cycle"],
        copies=(entry["copies"][0], entry["copies"][1]),
        iterations=entry["iterations"],
        conditions=entry["conditions"],
        failure=failure,
    )
