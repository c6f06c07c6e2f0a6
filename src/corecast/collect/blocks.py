"""Basic blocks as they are collected, and why code is none."""

from __future__ import annotations

from collections import Counter

from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field

COLUMNS = ("hex", "weight", "app", "isa", "address", "module", "symbol", "source")
"""Of the CSV file."""


@dataclass(frozen=True)
class Block:
    """Straight-line code that is entered at its start only."""

    code: bytes
    executions: int | None
    """None where nothing ran: code of an object."""
    app: str
    isa: Isa
    address: int
    """In its module, as the module's file gives it."""
    module: str
    symbol: str
    """The function, "" where unknown."""
    source: str
    """file:line, "" where unknown."""


@dataclass
class Reasons:
    """What is not among the blocks: how many pieces of code, and how often they ran, by reason."""

    pieces: Counter[str] = field(default_factory=Counter)
    executions: Counter[str] = field(default_factory=Counter)

    def add(self, reason: str, executions: int | None) -> None:
        self.pieces[reason] += 1
        self.executions[reason] += executions or 0


EMPTY = "a branch or a system instruction alone"
UNDECODABLE = "bytes that are not instructions"
NO_FILE = "code of no file"
