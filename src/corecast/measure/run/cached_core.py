"""A core whose timings are kept: what was stable is not measured twice, in this run or the next."""

from __future__ import annotations

from collections.abc import Mapping

from corecast.dataclass import dataclass, field
from corecast.hints import Any
from corecast.measure.isa.forms import VALUE_WORDS
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.rejection import PASSING, Rejection
from corecast.measure.run.core import Core, Outcome, Relay, Timing
from corecast.measure.run.entries import kernel_entry, outcome_of_entry, timing_entry
from corecast.measure.thresholds import CACHED_AGREES, CACHED_CHAIN_INSTRUCTIONS, CACHED_QUIET, CACHED_WHOLE

_Key = tuple[str, str, bool, bool, str]


@dataclass
class CachedCore(Relay[Core]):
    """Asks another core for what it does not know yet."""

    again: bool = False
    """Whether to have another look at what is known already, once for each kernel."""
    _best: dict[_Key, Outcome] = field(default_factory=dict)
    _looked: set[_Key] = field(default_factory=set)
    """Kernels of this run."""

    def time(self, kernel: TimedKernel) -> Outcome:
        key = _key(kernel_entry(kernel))
        known = self._best.get(key)
        settled = known is not None and (isinstance(known, Rejection) or known.stable)
        doubtful = self.again and key not in self._looked and (known is None or _may_change(kernel, known))
        if not settled or doubtful:
            self._looked.add(key)
            # As a later run will read it: what was stopped in between ends with the same values to the last digit.
            self._keep(key, outcome_of_entry(timing_entry(self.core.time(kernel))))
        return self._best[key]

    def learn(self, record: Mapping[str, Any]) -> None:
        """Takes over the timings of a record of this core."""
        if record.get("cpu") != self.name or record.get("kind") != "form":
            return
        for measured in (record, *(record[values] for values in VALUE_WORDS if values in record)):
            for part in (measured["throughput"], *measured["latencies"]):
                for tried in part["kernels"]:
                    self._keep(_key(tried["kernel"]), outcome_of_entry(tried["timing"]))

    def _keep(self, key: _Key, timing: Outcome) -> None:
        """A stable one, and of several such, or of several that are not, the lowest: others only slow code down."""
        known = self._best.get(key)
        if known is None or isinstance(known, Rejection):
            self._best[key] = timing
        elif isinstance(timing, Timing):
            lower = timing.cycles < known.cycles * (1 - CACHED_AGREES)
            if (timing.stable and (lower or not known.stable)) or (not known.stable and lower):
                self._best[key] = timing


def _may_change(kernel: TimedKernel, known: Outcome) -> bool:
    """Whether another look may show something else."""
    if isinstance(known, Rejection):
        return known.reason in PASSING
    return not _is_plain_chain(kernel, known)


def _is_plain_chain(kernel: TimedKernel, timing: Timing) -> bool:
    """A few instructions that take a whole number of cycles on a core that is left alone: nobody slows a chain down to
    such. Microcode may take twice as long exactly where two threads take turns."""
    quiet = timing.lost.get("unsteady", 0) <= CACHED_QUIET * timing.samples
    return (
        quiet
        and len(kernel.texts) <= CACHED_CHAIN_INSTRUCTIONS
        and abs(timing.cycles - round(timing.cycles)) < CACHED_WHOLE
    )


def _key(entry: Mapping[str, Any]) -> _Key:
    flags = bool(entry.get("keeps_flags"))
    return entry["hex"], entry.get("setting", ""), entry["loop"], flags, repr(entry["values"])
