"""The native predictor, made from what users choose."""

from __future__ import annotations

import os

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Literal, get_args
from corecast.machine.method import Method

if TYPE_CHECKING:
    from corecast import _core
    from corecast.machine import Machine

Mode = Literal["loop", "unroll"]

MODES = ("loop", "unroll")


_MOST_THREADS = 256
"""Each takes some memory, and none computes faster than a processor."""


def make_predictor(
    machine: Machine, mode: str, method: str, jobs: int | None, *, bounds: bool = False
) -> _core.Predictor:
    """A predictor of blocks for one core; `jobs` threads share each batch, None: one per CPU.

    `bounds` adds the static bounds to a simulation's results.

    Raises:
        InputError: no such mode or method; jobs below 1.
    """
    from corecast import _core
    from corecast.machine.intervals import ends_by_class
    from corecast.machine.mitigations import switched_on

    for what, value, known in (("mode", mode, MODES), ("method", method, get_args(Method))):
        if value not in known:
            raise InputError(f"{what} is {' or '.join(known)}, not {value!r}")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs}")
    name = "simulate_and_bounds" if bounds and method == "simulate" else method
    threads = min(jobs or processors(), _MOST_THREADS)
    intervals = ends_by_class(machine, method)
    return _core.Predictor(machine.core, mode, name, threads, switched_on(machine), intervals)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
