"""A core whose timings are kept: what was stable is not measured twice, in this run or the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from corecast.asm.code import Isa
from corecast.measure.core import Core, Timing
from corecast.measure.kernels import TimedKernel
from corecast.measure.records import kernel_entry, timing_of_entry

_Key = tuple[str, str, bool, str]


@dataclass
class RememberingCore:
    """Asks another core for what it does not know yet."""

    core: Core
    _best: dict[_Key, Timing] = field(default_factory=dict)

    @property
    def isa(self) -> Isa:
        return self.core.isa

    @property
    def name(self) -> str:
        return self.core.name

    @property
    def clock(self) -> str:
        return self.core.clock

    def time(self, kernel: TimedKernel) -> Timing:
        key = _key(kernel_entry(kernel))
        known = self._best.get(key)
        if known is None or not (known.stable or known.failure is not None):
            self._keep(key, self.core.time(kernel))
        return self._best[key]

    def learn(self, record: Mapping[str, Any]) -> None:
        """Takes over the timings of a record of this core."""
        if record.get("cpu") != self.name or record.get("kind") != "form":
            return
        for part in (record["throughput"], *record["latencies"]):
            for tried in part["kernels"]:
                self._keep(_key(tried["kernel"]), timing_of_entry(tried["timing"]))

    def forget(self, kernel: TimedKernel) -> None:
        """So that it is measured once more."""
        self._best.pop(_key(kernel_entry(kernel)), None)

    def _keep(self, key: _Key, timing: Timing) -> None:
        """Of several that are not stable the lowest: others on the machine only slow code down."""
        known = self._best.get(key)
        better = known is None or (
            not known.stable and timing.failure is None and (timing.stable or timing.cycles < known.cycles)
        )
        if better:
            self._best[key] = timing


def _key(entry: Mapping[str, Any]) -> _Key:
    return entry["hex"], entry.get("setting", ""), entry["loop"], repr(entry["values"])
