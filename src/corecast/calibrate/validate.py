"""Timing the validation code: every block is visited twice, some time apart, and counts where two visits agree.

What others on the machine kept from being timed is visited again when all else is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from corecast.calibrate.bench import Bench
from corecast.calibrate.code import Block, Kind
from corecast.calibrate.journal import Journal
from corecast.dataclass import dataclass, field, replace
from corecast.timing.verdict import Verdict
from corecast.timing.visits import MOST_TRIES, PASSING, settle

FIRST_BATCH, MOST_BATCH = 60, 240
"""Blocks that are visited before any is visited again; each batch is twice as large as the one before,
up to the most: what is visited only once is lost where the time ends."""
MOST_SWEEPS = 6
MOST_LATER = 4
"""Visits of a block that did not settle, when all else is done."""
VISIT, REVISIT = "visit", "revisit"
"""Kinds of entries of the journal."""
_LOST = ("visits", *PASSING)
"""Reasons that were not the block's."""
_DIGITS = 5


@dataclass
class Visits:
    """What the journal says of blocks."""

    _visits: dict[tuple[Kind, str], list[Verdict]] = field(default_factory=dict)

    @classmethod
    def of(cls, journal: Journal) -> Visits:
        found = cls()
        for entry in (*journal.of(VISIT), *journal.of(REVISIT)):
            verdict = Verdict(entry["cycles"], entry["spread_share"], entry["reason"])
            verdict = replace(verdict, register_step=entry.get("register_step"))
            found.add(entry["code"], entry["hex"], verdict)
        return found

    def add(self, kind: Kind, code: str, verdict: Verdict) -> None:
        self._visits.setdefault((kind, code), []).append(verdict)

    def verdict(self, block: Block) -> Verdict | None:
        """None: it takes another visit."""
        return settle(self._visits.get((block.kind, block.hex), ()))

    def is_lost(self, block: Block) -> bool:
        """Whether it was visited as often as it may be, and might settle at another time."""
        verdict = self.verdict(block)
        visits = len(self._visits.get((block.kind, block.hex), ()))
        return verdict is not None and verdict.reason in _LOST and visits < MOST_TRIES + MOST_LATER


def time_blocks(
    bench: Bench,
    journal: Journal,
    blocks: Sequence[Block],
    left: Callable[[], float],
    told: Callable[[str], None],
) -> None:
    """Visits blocks until all are settled or the time is spent; every visit goes to the journal."""
    visits = Visits.of(journal)
    settled = 0
    for batch in _batches(blocks):
        for _ in range(MOST_SWEEPS):
            waiting = [block for block in batch if visits.verdict(block) is None]
            if not waiting:
                break
            for block in waiting:
                if left() <= 0:
                    return
                told(f"validation code: {settled:,} of {len(blocks):,} settled, {block.kind}")
                _visit(bench, journal, visits, block, VISIT)
        settled += sum(visits.verdict(block) is not None for block in batch)


def time_again(
    bench: Bench,
    journal: Journal,
    blocks: Sequence[Block],
    left: Callable[[], float],
    told: Callable[[str], None],
) -> None:
    """Visits again what did not settle, until it does or the time is spent."""
    visits = Visits.of(journal)
    for sweep in range(MOST_LATER):
        lost = [block for block in blocks if visits.is_lost(block)]
        for place, block in enumerate(lost):
            if left() <= 0:
                return
            told(f"validation code once more: {place:,} of {len(lost):,}, sweep {sweep + 1}, {block.kind}")
            _visit(bench, journal, visits, block, REVISIT)


def _visit(bench: Bench, journal: Journal, visits: Visits, block: Block, kind: str) -> None:
    verdict = _rounded(bench.visit(block))
    visits.add(block.kind, block.hex, verdict)
    journal.add(
        kind,
        code=block.kind,
        hex=block.hex,
        cycles=verdict.cycles,
        spread_share=verdict.spread,
        reason=verdict.reason,
        register_step=verdict.register_step,
    )


def _batches(blocks: Sequence[Block]) -> Iterator[Sequence[Block]]:
    at, size = 0, FIRST_BATCH
    while at < len(blocks):
        yield blocks[at : at + size]
        at, size = at + size, min(2 * size, MOST_BATCH)


def _rounded(verdict: Verdict) -> Verdict:
    cycles = None if verdict.cycles is None else round(verdict.cycles, _DIGITS)
    spread = None if verdict.spread is None else round(verdict.spread, _DIGITS)
    return replace(verdict, cycles=cycles, spread=spread)
