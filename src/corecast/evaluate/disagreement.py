"""Where two predictors contradict each other: small blocks, made from measured ones, reduced as far as they still do.

Candidates are the measured blocks that a pair disagrees about most and mutants: instructions of measured blocks
exchanged, repeated, left out, put together anew. Each candidate with a contradiction loses instruction after
instruction as long as the contradiction stays. What is left at the end is often the one instruction, or the pair, that
one of the tools has wrong. (The idea of AnICA, Ritter and Hack, OOPSLA 2022.)
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random

from corecast.errors import CorecastError
from corecast.evaluate.cases import Cases
from corecast.evaluate.pairs import FAR, difference
from corecast.evaluate.results import Disagreement
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast import _core
    from corecast.evaluate.predictors import Predictor
    from corecast.machine import Machine

_MOST_INSTRUCTIONS = 6
_FROM_MEASURED = 32
_SHOWN = 10
_SEED = 2022

Block = tuple[bytes, ...]
"""The encoded instructions of a block."""


def search(cases: Cases, predictors: Sequence[Predictor], machine: Machine, mutants: int) -> list[Disagreement]:
    """Minimal disagreements of each pair.

    Args:
        cases: measured blocks, whose instructions mutants are made of.
        predictors: two or more; each must answer for any block.
        machine: whose instructions these are.
        mutants: how many are tried.
    """
    blocks = list(_readable(cases, machine))
    if not blocks:
        return []
    random = Random(_SEED)
    candidates = list(dict.fromkeys([_mutant(blocks, random) for _ in range(mutants)]))
    asked = [_Asked(predictor) for predictor in predictors]
    for each in asked:
        each.learn([*candidates, *blocks])
    found: list[Disagreement] = []
    for first, second in combinations(asked, 2):
        worst = sorted(blocks, key=lambda block: -_apart(first, second, block))[:_FROM_MEASURED]
        found += _minimal(first, second, list(dict.fromkeys([*worst, *candidates])), machine)
    return found


class _Asked:
    """A predictor and what it said of blocks so far."""

    def __init__(self, predictor: Predictor) -> None:
        self.name = predictor.name
        self._predictor = predictor
        self._known: dict[Block, float | None] = {}

    def learn(self, blocks: Iterable[Block]) -> None:
        new = [block for block in dict.fromkeys(blocks) if block not in self._known]
        codes = [b"".join(block).hex() for block in new]
        cases = Cases(array("d", [1.0] * len(codes)), codes, [""] * len(codes), codes)
        answers = self._predictor.blocks(cases)
        for place, block in enumerate(new):
            self._known[block] = answers.cycles[place] if answers.counts(place) else None

    def cycles(self, block: Block) -> float | None:
        return self._known[block]


def _apart(first: _Asked, second: _Asked, block: Block) -> float:
    """0 where one of them has no answer."""
    one, other = first.cycles(block), second.cycles(block)
    return 0.0 if one is None or other is None else difference(one, other)


def _minimal(first: _Asked, second: _Asked, candidates: Sequence[Block], machine: Machine) -> list[Disagreement]:
    open_blocks = [block for block in candidates if _apart(first, second, block) > FAR]
    done: list[Block] = []
    while open_blocks:
        shorter = {block: _without_one(block) for block in open_blocks}
        every = [each for parts in shorter.values() for each in parts]
        first.learn(every)
        second.learn(every)
        following = []
        for block, parts in shorter.items():
            best = max(parts, key=lambda part: _apart(first, second, part), default=None)
            if best is not None and _apart(first, second, best) > FAR:
                following.append(best)
            else:
                done.append(block)
        open_blocks = following
    return _told(first, second, done, machine)


def _told(first: _Asked, second: _Asked, blocks: Sequence[Block], machine: Machine) -> list[Disagreement]:
    """One block of each kind, that is, of each set of instruction forms; the kinds most came down to first."""
    kinds: Counter[tuple[str, ...]] = Counter()
    examples: dict[tuple[str, ...], Block] = {}
    for block in blocks:
        kind = tuple(sorted(each.form for each in _decoded(b"".join(block).hex(), machine)))
        kinds[kind] += 1
        known = examples.get(kind)
        if known is None or _apart(first, second, block) > _apart(first, second, known):
            examples[kind] = block
    found = []
    for kind, count in kinds.most_common(_SHOWN):
        block = examples[kind]
        code = b"".join(block).hex()
        lines = tuple(each.text for each in _decoded(code, machine))
        one, other = first.cycles(block), second.cycles(block)
        assert one is not None
        assert other is not None
        found.append(Disagreement(first.name, second.name, one, other, code, lines, count))
    return found


def _readable(cases: Cases, machine: Machine) -> Iterator[Block]:
    """Short measured blocks without branches."""
    for code in dict.fromkeys(cases.codes):
        try:
            instructions = _decoded(code, machine)
        except CorecastError:
            continue
        straight = not any(each.unknown or each.branch != "none" for each in instructions)
        if straight and 0 < len(instructions) <= _MOST_INSTRUCTIONS:
            yield tuple(each.bytes for each in instructions)


def _decoded(code: str, machine: Machine) -> Sequence[_core.Instruction]:
    from corecast.asm import Kernel

    return Kernel.from_hex(code, machine.isa).instructions


def _without_one(block: Block) -> list[Block]:
    return [block[:at] + block[at + 1 :] for at in range(len(block))] if len(block) > 1 else []


def _mutant(blocks: Sequence[Block], random: Random) -> Block:
    """A block with one to three changes."""
    block = list(random.choice(blocks))
    for _ in range(random.randint(1, 3)):
        other = random.choice(random.choice(blocks))
        at = random.randrange(len(block))
        change = random.choice(("replace", "insert", "repeat", "drop", "swap"))
        if change == "replace":
            block[at] = other
        elif change == "insert":
            block.insert(at, other)
        elif change == "repeat":
            block.insert(at, block[at])
        elif change == "drop" and len(block) > 1:
            del block[at]
        elif change == "swap":
            to = random.randrange(len(block))
            block[at], block[to] = block[to], block[at]
    return tuple(block[:_MOST_INSTRUCTIONS])
