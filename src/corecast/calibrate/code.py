"""The code that calibration times: blocks of real programs as loops and unrolled, and compiled loops on arrays."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from corecast import _core
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from corecast.timing.verdict import Mode

Kind = Literal["loop", "unroll", "compiled"]
KINDS: tuple[Kind, ...] = ("loop", "unroll", "compiled")
TITLES: dict[Kind, str] = {
    "loop": "blocks as loops",
    "unroll": "blocks unrolled",
    "compiled": "compiled loops on arrays",
}
Part = Literal["fit", "held"]
DATA = Path(__file__).parent / "data"
_HELD_ONE_IN = 3


@dataclass(frozen=True)
class Block:
    """Code that is timed in one way."""

    kind: Kind
    hex: str
    address: str
    group: str
    """The program, or the vectors that a loop was compiled for."""

    @property
    def mode(self) -> Mode:
        """How predictions repeat it."""
        return "unroll" if self.kind == "unroll" else "loop"

    @property
    def part(self) -> Part:
        """Whether models are fitted to it, or tested on it: by its bytes, so that it is the same everywhere."""
        return part_of(self.hex)


def part_of(code: str) -> Part:
    """One third of all code is held back."""
    return "held" if int(sha256(code.encode()).hexdigest()[:8], 16) % _HELD_ONE_IN == 0 else "fit"


@lru_cache(maxsize=1)
def shipped_blocks() -> tuple[Block, ...]:
    """All kinds by turns, in an order that has nothing to do with the code: any number of the first is a sample."""
    blocks, loops = _rows("blocks.csv"), _rows("loops.csv")
    found: list[Block] = []
    for place in range(max(len(blocks), len(loops))):
        for row in blocks[place : place + 1]:
            found += [Block(kind, row["hex"], row["address"], row["app"]) for kind in ("loop", "unroll")]
        found += [Block("compiled", row["hex"], "0", row["set"]) for row in loops[place : place + 1]]
    return tuple(found)


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def data_digest() -> str:
    """Of the shipped code: another version's timings are of other blocks."""
    found = sha256()
    for name in ("blocks.csv", "loops.csv"):
        found.update((DATA / name).read_bytes())
    return found.hexdigest()[:12]


def frequent_forms() -> list[str]:
    """Forms of typical code, the most frequent first."""
    return (DATA / "forms.txt").read_text(encoding="utf-8").split("\n")[:-1]


@lru_cache(maxsize=4096)
def forms_of(code: str) -> tuple[str, ...]:
    """The instruction forms of a block, each once."""
    return tuple(dict.fromkeys(each.form for each in _core.disassemble("x86", bytes.fromhex(code)).instructions))


def forms_by_use(blocks: Iterable[Block]) -> list[str]:
    """Forms of blocks, those first that the most have; then those of typical code."""
    counts: dict[str, int] = {}
    for code in dict.fromkeys(block.hex for block in blocks):
        for form in forms_of(code):
            counts[form] = counts.get(form, 0) + 1
    used = sorted(counts, key=lambda form: (-counts[form], form))
    return list(dict.fromkeys((*used, *frequent_forms())))


def parts(blocks: Sequence[Block], part: Part) -> list[Block]:
    return [block for block in blocks if block.part == part]
