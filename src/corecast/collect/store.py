"""Blocks without repetitions, in bounded memory: what does not fit waits on disk, divided by its code."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from heapq import merge
from pathlib import Path
from zlib import crc32

from corecast.asm.code import ISAS
from corecast.collect.blocks import COLUMNS, Block
from corecast.dataclass import dataclass, replace
from corecast.hints import Literal, TextIO

_MOST_IN_MEMORY = 150_000
_PARTS = 16


@dataclass
class _Entry:
    executions: int | None
    hottest: Block
    """Where it ran most often."""


_Key = tuple[str, str, bytes]


class BlockStore:
    """Sums executions of equal code of an application, and finds where it ran most often."""

    def __init__(self, folder: Path, most_in_memory: int = _MOST_IN_MEMORY) -> None:
        self._folder = folder
        self._most = most_in_memory
        self._entries: dict[_Key, _Entry] = {}
        self._spilled = 0

    def add(self, block: Block) -> None:
        _add(self._entries, block.executions, block)
        if len(self._entries) >= self._most:
            self._spill()

    def __iter__(self) -> Iterator[Block]:
        """All blocks, the most executed first; then by application and code."""
        if not self._spilled:
            yield from _sorted(self._entries.values())
            return
        self._spill()
        with ExitStack() as stack:
            runs = []
            for part in range(_PARTS):
                entries: dict[_Key, _Entry] = {}
                for spill in range(self._spilled):
                    with _text(self._path(part, spill), "r") as stream:
                        for own, *row in csv.reader(stream):
                            block = read_row(row)
                            _add(entries, block.executions, replace(block, executions=_number(own)))
                ordered = self._folder / f"ordered.{part}"
                with _text(ordered, "w") as stream:
                    csv.writer(stream).writerows(row_of(block) for block in _sorted(entries.values()))
                run = stack.enter_context(_text(ordered, "r"))
                runs.append(map(read_row, csv.reader(run)))
            yield from merge(*runs, key=_order)

    def _path(self, part: int, spill: int) -> Path:
        return self._folder / f"blocks.{spill}.{part}"

    def _spill(self) -> None:
        parts: list[list[_Entry]] = [[] for _ in range(_PARTS)]
        for entry in self._entries.values():
            parts[crc32(entry.hottest.code) % _PARTS].append(entry)
        for part, entries in enumerate(parts):
            path = self._path(part, self._spilled)
            with _text(path, "w") as stream:
                csv.writer(stream).writerows(
                    [entry.hottest.executions, *row_of(replace(entry.hottest, executions=entry.executions))]
                    for entry in entries
                )
        self._spilled += 1
        self._entries = {}


def _text(path: Path, mode: Literal["r", "w"]) -> TextIO:
    return open(path, mode, encoding="utf-8", errors="surrogateescape", newline="")


def _add(entries: dict[_Key, _Entry], executions: int | None, block: Block) -> None:
    key = (block.app, block.isa, block.code)
    known = entries.get(key)
    if known is None:
        entries[key] = _Entry(executions, block)
        return
    if executions is not None:
        known.executions = executions + (known.executions or 0)
    if _place(block) < _place(known.hottest):
        known.hottest = block


def _place(block: Block) -> tuple[int, str, int]:
    """The most executed first; where that is the same, a rule that does not depend on the order."""
    return -(block.executions or 0), block.module, block.address


def _sorted(entries: Iterable[_Entry]) -> list[Block]:
    return sorted((replace(entry.hottest, executions=entry.executions) for entry in entries), key=_order)


def _order(block: Block) -> tuple[int, str, str, bytes]:
    return -(block.executions or 0), block.app, block.isa, block.code


def row_of(block: Block) -> list[object]:
    """A block as a row of the CSV file."""
    address = f"{block.address:#x}"
    executions = "" if block.executions is None else block.executions
    found = {
        "hex": block.code.hex(),
        "weight": executions,
        "app": block.app,
        "isa": block.isa,
        "address": address,
        "module": block.module,
        "symbol": block.symbol,
        "source": block.source,
    }
    return [found[name] for name in COLUMNS]


def read_row(row: list[str]) -> Block:
    """The block of a row.

    Raises:
        ValueError: it is none.
    """
    found = dict(zip(COLUMNS, row, strict=True))
    isa = found["isa"]
    if isa not in ISAS:
        raise ValueError(f"{isa!r} is not an instruction set")
    return Block(
        code=bytes.fromhex(found["hex"]),
        executions=_number(found["weight"]),
        app=found["app"],
        isa=isa,
        address=int(found["address"], 16),
        module=found["module"],
        symbol=found["symbol"],
        source=found["source"],
    )


def _number(text: str) -> int | None:
    return int(text) if text else None
