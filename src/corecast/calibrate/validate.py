"""Timing the validation code: every block is visited twice, some time apart, and counts where two visits agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from corecast.calibrate.bench import Bench
from corecast.calibrate.code import Block, Kind
from corecast.calibrate.journal import Journal
from corecast.dataclass import dataclass, field, replace
from corecast.timing.verdict import Verdict
from corecast.timing.visits import settle

FIRST_BATCH, MOST_BATCH = 60, 240
"""Blocks that are visited before any is visited again; each batch is twice as large as the one before,
up to the most: what is visited only once is lost where the time ends."""
MOST_SWEEPS = 6
_DIGITS = 5


@dataclass
class Visits:
    """What the journal says of blocks."""

    _visits: dict[tuple[Kind, str], list[Verdict]] = field(default_factory=dict)

    @classmethod
    def of(cls, journal: Journal) -> Visits:
        found = cls()
        for entry in journal.of("visit"):
            verdict = Verdict(entry["cycles"], entry["spread_share"], entry["reason"])
            verdict = replace(verdict, register_step=entry.get("register_step"))
            found.add(entry["code"], entry["hex"], verdict)
        return found

    def add(self, kind: Kind, code: str, verdict: Verdict) -> None:
        self._visits.setdefault((kind, code), []).append(verdict)

    def verdict(self, block: Block) -> Verdict | None:
        """None: it takes another visit."""
        return settle(self._visits.get((block.kind, block.hex), ()))


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
                verdict = _rounded(bench.visit(block))
                visits.add(block.kind, block.hex, verdict)
                journal.add(
                    "visit",
                    code=block.kind,
                    hex=block.hex,
                    cycles=verdict.cycles,
                    spread_share=verdict.spread,
                    reason=verdict.reason,
                    register_step=verdict.register_step,
                )
        settled += sum(visits.verdict(block) is not None for block in batch)


def _batches(blocks: Sequence[Block]) -> Iterator[Sequence[Block]]:
    at, size = 0, FIRST_BATCH
    while at < len(blocks):
        yield blocks[at : at + size]
        at, size = at + size, min(2 * size, MOST_BATCH)


def _rounded(verdict: Verdict) -> Verdict:
    cycles = None if verdict.cycles is None else round(verdict.cycles, _DIGITS)
    spread = None if verdict.spread is None else round(verdict.spread, _DIGITS)
    return replace(verdict, cycles=cycles, spread=spread)
