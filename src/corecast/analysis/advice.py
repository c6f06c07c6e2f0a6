"""What changes of the code would bring, as reports tell it: more accumulators, work on other units."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Unrolled:
    """The loop so many times in a row, each copy with sums of its own; its counting and its branch once."""

    times: int
    cycles: float
    """Of the longer iteration."""
    cycles_per_iteration: float
    """Of what was an iteration before."""
    bound: str
    """What binds then, by the names of `Prediction.bounds`."""


@dataclass(frozen=True)
class Accumulators:
    """The latency of a sum binds: several sums, added up behind the loop, hide it."""

    instructions: tuple[int, ...]
    """Those that add, all to one register."""
    latency_cycles: float
    """From one iteration's sum to the next one's."""
    issue_cycles: float
    """In which their ports could start all of them."""
    to_fill_units: int
    """Accumulators that keep those ports busy: latency by issue, rounded up."""
    unroll: int
    """The fewest copies with which the latency no longer binds."""
    unrolled: tuple[Unrolled, ...]
    """At `unroll` copies and at powers of two up to 8."""

    @property
    def chosen(self) -> Unrolled:
        return next(each for each in self.unrolled if each.times == self.unroll)


@dataclass(frozen=True)
class Exchange:
    """An instruction for which another one does the same on other ports."""

    instruction: int
    mnemonic: str
    """The other one's."""


@dataclass(frozen=True)
class Balance:
    """Some ports bind while others have time left."""

    ports: tuple[str, ...]
    """Those that bind."""
    idle_ports: tuple[str, ...]
    """Others of the same kind, by the model's lists of units, that have less to do; empty where there are none."""
    shared_cycles: float | None
    """The forecast if those took their part of the work; None where it brings nothing."""
    shared_bound: str
    """What binds then."""
    exchanges: tuple[Exchange, ...]
    """Instructions to write otherwise, in the order of the code."""
    exchanged_cycles: float | None
    """The forecast with all of them."""
    exchanged_bound: str


@dataclass(frozen=True)
class Advice:
    accumulators: Accumulators | None = None
    balance: Balance | None = None

    def to_dict(self) -> dict[str, Any]:
        """Of plain dictionaries and lists."""
        found: dict[str, Any] = asdict(self, dict_factory=_plain)
        return found


def _plain(items: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in items}
