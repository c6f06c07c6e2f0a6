"""Kernels and their timings as parts of records: JSON, and timings back from it."""

from __future__ import annotations

from collections.abc import Mapping

from corecast.hints import Any
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.rejection import NOT_ALLOWED, SIGNALS, Reason, Rejection
from corecast.measure.run.core import Outcome, Timing

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


def timing_entry(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Rejection):
        return {**_NO_TIMING, "error": _error_entry(outcome), "reason": outcome.reason.word}
    return {
        "cycles": rounded(outcome.cycles),
        "low_cycles": rounded(outcome.low_cycles),
        "high_cycles": rounded(outcome.high_cycles),
        "samples": outcome.samples,
        "lost": dict(outcome.lost),
        "batches": outcome.batches,
        "stable": outcome.stable,
        "ticks_per_cycle": rounded(outcome.ticks_per_cycle),
        "copies": list(outcome.copies),
        "iterations": outcome.iterations,
        "conditions": dict(outcome.conditions),
        "error": None,
        "reason": None,
    }


_NO_TIMING: dict[str, Any] = {
    "cycles": None,
    "low_cycles": None,
    "high_cycles": None,
    "samples": 0,
    "lost": {},
    "batches": 0,
    "stable": False,
    "ticks_per_cycle": 0,
    "copies": [0, 0],
    "iterations": 0,
    "conditions": {},
}
_SIGNAL_OF = {reason: signal for signal, reason in SIGNALS.items()}


def _error_entry(rejection: Rejection) -> dict[str, str]:
    reason = rejection.reason
    signal = rejection.detail.split(" ")[0] if reason is Reason.SIGNAL else _SIGNAL_OF.get(reason, "")
    return {
        "kind": "signal" if signal else _kind(reason),
        "message": rejection.message,
        **({"signal": signal} if signal else {}),
    }


def _kind(reason: Reason) -> str:
    if reason is Reason.TIMEOUT:
        return "timeout"
    return "refused" if reason in NOT_ALLOWED else "failed"


def reason_entry(rejection: Rejection | None) -> dict[str, str | None]:
    """Of a part of a record; both are null where there is a value."""
    if rejection is None:
        return {"error": None, "reason": None}
    return {"error": rejection.message, "reason": rejection.reason.word}


def rejection_of_entry(part: Mapping[str, Any]) -> Rejection | None:
    """What `reason_entry` wrote, or an earlier version."""
    return Rejection.read(part["error"], part.get("reason")) if part["error"] else None


def outcome_of_entry(entry: Mapping[str, Any]) -> Outcome:
    """What `timing_entry` wrote, or an earlier version."""
    error = entry["error"]
    if error is not None:
        known = SIGNALS.get(error.get("signal", ""))
        return Rejection.read(error["message"], entry.get("reason") or (known.word if known is not None else None))
    return Timing(
        cycles=entry["cycles"],
        low_cycles=entry["low_cycles"],
        high_cycles=entry["high_cycles"],
        samples=entry["samples"],
        lost=entry["lost"],
        batches=entry["batches"],
        stable=entry["stable"],
        ticks_per_cycle=entry["ticks_per_cycle"],
        copies=(entry["copies"][0], entry["copies"][1]),
        iterations=entry["iterations"],
        conditions=entry["conditions"],
    )
