"""What changes of the code would bring, as reports tell it. Every figure is that of the changed code, by the method
and under the options of the forecast."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.hints import Any


@dataclass(frozen=True)
class Unrolled:
    """The unrolled loop: each copy has separate accumulators; counting and branch occur once."""

    times: int
    cycles: float
    """Of the longer iteration."""
    cycles_per_iteration: float
    """Of what was an iteration before."""
    bound: str
    """What binds then: "ports", "frontend", "dependency", "unit" or "memory"."""


@dataclass(frozen=True)
class Accumulators:
    """The latency of reductions binds: several accumulators each, combined behind the loop, hide it."""

    instructions: tuple[int, ...]
    """Those that combine something with the running values."""
    latency_cycles: float
    """From one iteration's value to the next one's, of the slowest reduction."""
    issue_cycles: float
    """In which their ports could start all of them."""
    to_fill_units: int
    """Accumulators that keep those ports busy: latency by issue, rounded up."""
    unroll: int
    """The fewest copies that are about as fast as the best number of them."""
    unrolled: tuple[Unrolled, ...]
    """At `unroll` copies, and at powers of two up to 8 as far as there are registers and as it helps."""
    operations: tuple[str, ...] = ()
    """"add", "multiply", "min", "max", "and", "or", "xor"."""
    reductions: int = 1
    """Running values that are split; registers needed: as many in each copy."""
    reassociates: bool = False
    """Floating point: another order of operations changes rounding, for extremes the choice among NaN and zeros."""
    gain: float = 1.0
    """Cycles of an iteration as it is, by those with `unroll` copies."""

    @property
    def chosen(self) -> Unrolled:
        return next(each for each in self.unrolled if each.times == self.unroll)


@dataclass(frozen=True)
class Regrouped:
    """Additions of a recurrence in another order: first the operands that do not belong to the recurrence."""

    instructions: tuple[int, ...]
    """Those that are changed."""
    cycles: float
    bound: str
    gain: float
    """Cycles of an iteration as it is, by `cycles`."""
    reassociates: bool = True
    """Floating point: rounding changes."""


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
    regrouped: Regrouped | None = None

    def __bool__(self) -> bool:
        return any((self.accumulators, self.balance, self.regrouped))

    def to_dict(self) -> dict[str, Any]:
        """Of plain dictionaries and lists."""
        from dataclasses import asdict

        found: dict[str, Any] = asdict(self, dict_factory=_plain)
        return found


def _plain(items: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in items}
